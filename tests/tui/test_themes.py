"""Themes are kept between runs, and what is written in their colours can be read."""

from __future__ import annotations

import asyncio

import pytest
from driving import documents, play, pressed, text, typed
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from bpstep.tui.ansi_filter import MarkFilter
from bpstep.tui.app import BpstepApp
from bpstep.tui.palette import ANSI_DARK, ANSI_LIGHT, DARK, LIGHT, OWN_THEMES
from bpstep.tui.settings import Settings, load_settings, save_settings

NAMED = {"red": 1, "green": 2, "yellow": 3, "blue": 4, "magenta": 5, "cyan": 6, "white": 7}
DIM = 0.66
"""How much of a dim text's colour Textual leaves."""


def theme(app: BpstepApp) -> str:
    return app.theme


def luminance(color: Color) -> float:
    """Relative luminance. Source: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = [part / 255 for part in color.rgb]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(text: Color, background: Color) -> float:
    light, dark = sorted([luminance(text), luminance(background)], reverse=True)
    return (light + 0.05) / (dark + 0.05)


def ansi(of: Theme) -> list[Color]:
    """What the named colours look like in a theme."""
    colours = (ANSI_DARK if of.dark else ANSI_LIGHT).ansi_colors
    return [Color(*colours[number]) for number in range(8)]


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("own", OWN_THEMES, ids=lambda own: own.name)
def test_our_colours_can_be_read_on_every_background_of_ours(own: Theme, name: str) -> None:
    colours = ansi(own)
    for background in (own.background, own.panel, colours[0].hex):
        assert background is not None
        assert contrast(colours[NAMED[name]], Color.parse(background)) >= 3.6, background


@pytest.mark.parametrize("own", OWN_THEMES, ids=lambda own: own.name)
def test_text_and_dim_text_can_be_read(own: Theme) -> None:
    for background in map(Color.parse, (own.background, own.panel)):
        text = Color.parse(own.foreground)
        assert contrast(text, background) >= 7
        assert contrast(background.blend(text, DIM), background) >= 3.6


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize(
    "other", [each for each in BUILTIN_THEMES.values() if not each.ansi], ids=lambda each: each.name
)
def test_our_colours_can_be_read_in_the_themes_of_textual(other: Theme, name: str) -> None:
    background = other.to_color_system().generate()["background"]
    assert contrast(ansi(other)[NAMED[name]], Color.parse(background)) >= 3


def test_the_usual_theme_is_our_dark_one() -> None:
    assert play(documents("full"), "", theme) == DARK.name
    assert load_settings() == (Settings(), None), "what was not chosen is not written down"


def test_a_theme_is_chosen_in_the_palette_and_kept() -> None:
    async def chosen() -> str:
        app = BpstepApp(documents("full"))
        async with app.run_test() as pilot:
            await pilot.pause()
            app.search_themes()
            await pilot.pause()
            await pressed(app, pilot, typed(LIGHT.name))
            await app.workers.wait_for_complete()
            await pilot.pause()
            await pressed(app, pilot, "enter enter")
            return app.theme

    assert asyncio.run(chosen()) == LIGHT.name
    assert load_settings() == (Settings(LIGHT.name), None)
    assert play(documents("full"), "", theme) == LIGHT.name


def test_a_theme_that_there_is_no_longer_is_the_usual_one_and_stays_written_down() -> None:
    save_settings(Settings("of-a-later-version"))
    assert play(documents("full"), "", theme) == DARK.name
    # Only a choice replaces it.
    assert load_settings()[0] == Settings("of-a-later-version")


def test_a_broken_file_is_told() -> None:
    from bpstep.tui.settings import settings_file

    settings_file().parent.mkdir(parents=True)
    settings_file().write_text("{")
    said = play(documents("full"), "", lambda app: [each.message for each in app._notifications])
    assert [str(settings_file()) in message for message in said] == [True]


@pytest.mark.parametrize("name", ["ansi-dark", "ansi-light"])
def test_with_the_terminals_colours_the_selected_row_is_reversed(name: str) -> None:
    save_settings(Settings(name))

    def look(app: BpstepApp) -> tuple[bool, bool]:
        filters = [type(each) for each in app.get_line_filters()]
        return MarkFilter in filters, "▶" in text(app)

    assert play(documents("full"), "6 s", look) == (True, True)
