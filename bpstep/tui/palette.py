"""Colours. Renderables name the terminal's own (``green``, ``yellow``); this is how those look.

Nothing is said by colour alone, so a terminal without colour loses nothing but looks.
"""

from __future__ import annotations

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

SELECTED = "on grey23"
"""The background of the selected row, which has a sign as well."""

DARK = Theme(
    name="bpstep",
    primary="#88c0d0",
    secondary="#7fd1b9",
    accent="#ffb454",
    warning="#ffb454",
    error="#ff7b72",
    success="#7fd1b9",
    foreground="#d8dee9",
    background="#20242c",
    surface="#20242c",
    panel="#2e3440",
    boost="#3b4252",
    dark=True,
    variables={
        "border": "#4c566a",
        "footer-background": "#2e3440",
        "footer-key-foreground": "#88c0d0",
        "footer-description-foreground": "#d8dee9",
        "input-selection-background": "#4c566a",
    },
)

ANSI_DARK = TerminalTheme(
    (0x20, 0x24, 0x2C),
    (0xD8, 0xDE, 0xE9),
    [
        (0x2E, 0x34, 0x40),
        (0xFF, 0x7B, 0x72),
        (0x7F, 0xD1, 0xB9),
        (0xFF, 0xB4, 0x54),
        (0x81, 0xA1, 0xC1),
        (0xD2, 0xA8, 0xFF),
        (0x88, 0xC0, 0xD0),
        (0xE5, 0xE9, 0xF0),
    ],
)
