"""Pictures load nothing from elsewhere and are well-formed, whatever a user wrote."""

from __future__ import annotations

import io
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from bpstep.render import export
from bpstep.render.export import exported
from bpstep.render.svg import FONTS, self_contained
from bpstep.session.commands import execute

HOSTILE = "</text>]]><!-- & [bold]x[/] \x1b[31m \x00 \ufffe \ud800 http://a.example/ url(http://b)"


def outside(svg: str) -> list[str]:
    """What the file would load or point to: addresses outside of text that is shown."""
    root = ElementTree.fromstring(svg)
    found = []
    for element in root.iter():
        styles = [element.text or ""] if element.tag.endswith("}style") else []
        for value in [*element.attrib.values(), *styles]:
            found += re.findall(r"https?:[^\s\"')]*|url\((?!#)[^)]*|@import|@font-face", value)
    return found


def drawn(text: str, title: str = "title") -> str:
    console = Console(file=io.StringIO(), record=True, width=120)
    console.print(Text(text))
    return console.export_svg(title=title, unique_id="bpstep")


def test_fonts_are_the_readers_own_and_no_address_is_left():
    raw = drawn("x")
    assert "cdnjs" in raw
    svg = self_contained(raw)
    assert outside(svg) == []
    assert f"font-family: {FONTS};" in svg
    assert re.findall(r"https?://[^\"]*", svg) == ["http://www.w3.org/2000/svg"]


def test_what_is_shown_stays():
    shown = "@font-face { x } <!-- kept --> url(http://x.example) <style> p"
    root = ElementTree.fromstring(self_contained(drawn(shown)))
    assert shown in "".join(root.itertext()).replace("\xa0", " ")


@given(st.text(), st.text())
def test_any_text_is_well_formed(text, title):
    svg = self_contained(drawn(text, title))
    ElementTree.fromstring(svg)
    assert outside(svg) == []


def test_a_transcript_of_hostile_text_is_well_formed(open_network):
    session = open_network(title=HOSTILE, notes={"p": HOSTILE})
    for command in ("goto 6", "info p", f"# {HOSTILE}"):
        session = execute(session, command).session
    svg = exported(session, ".svg")
    assert outside(svg) == []
    svg.encode("utf-8")
    assert "\x1b" not in svg


def test_a_long_transcript_is_cut_and_says_so(full, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(export, "MOST_LINES", 10)
    said = "".join(ElementTree.fromstring(exported(full, ".svg")).itertext()).replace("\xa0", " ")
    assert "the rest is left out here" in said
    assert "relu(z)" not in said
