"""Colours. Renderables name the terminal's own (``green``, ``yellow``); this is how those look.

Nothing is said by colour alone, so a terminal without colour loses nothing but looks.
"""

from __future__ import annotations

from rich.terminal_theme import TerminalTheme
from textual.theme import Theme

SELECTED = "on black"
"""The background of the selected row, which has a sign as well.

Black is what is little apart from the background here, as in Solarized: light in a light theme.
"""

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

LIGHT = Theme(
    name="bpstep-light",
    primary="#0b5c7a",
    secondary="#0f6640",
    accent="#9a4d00",
    warning="#8a5000",
    error="#b3261e",
    success="#0f6640",
    foreground="#24292f",
    background="#f7f8fa",
    surface="#f7f8fa",
    panel="#e6e9ee",
    boost="#dbe0e7",
    dark=False,
    variables={
        "border": "#8b95a5",
        "footer-background": "#e6e9ee",
        "footer-key-foreground": "#0b5c7a",
        "footer-description-foreground": "#24292f",
        "input-selection-background": "#b8d4e3",
    },
)

OWN_THEMES = (DARK, LIGHT)
"""Our own, the usual one first. Textual's can be chosen too."""

# How the sixteen colours look. Each can be read on the backgrounds of every theme of its kind.

ANSI_DARK = TerminalTheme(
    (0x20, 0x24, 0x2C),
    (0xD8, 0xDE, 0xE9),
    [
        (0x3B, 0x42, 0x52),
        (0xFF, 0x7B, 0x72),
        (0x7F, 0xD1, 0xB9),
        (0xFF, 0xB4, 0x54),
        (0x81, 0xA1, 0xC1),
        (0xD2, 0xA8, 0xFF),
        (0x88, 0xC0, 0xD0),
        (0xE5, 0xE9, 0xF0),
    ],
)

ANSI_LIGHT = TerminalTheme(
    (0xF7, 0xF8, 0xFA),
    (0x24, 0x29, 0x2F),
    [
        (0xD5, 0xDB, 0xE3),
        (0xA8, 0x20, 0x18),
        (0x0C, 0x5C, 0x38),
        (0x7A, 0x47, 0x00),
        (0x1F, 0x4F, 0xA3),
        (0x6F, 0x2A, 0x93),
        (0x0A, 0x55, 0x70),
        (0x4B, 0x55, 0x63),
    ],
)
