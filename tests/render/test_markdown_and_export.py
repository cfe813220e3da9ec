import json
from xml.etree import ElementTree

import pytest

from bpstep.engine import functions as f
from bpstep.render.export import EXPORTS, exported
from bpstep.render.markdown import code, escaped, fenced
from bpstep.render.replay import whole
from bpstep.render.writers import WRITERS
from bpstep.session.commands import execute


def markdown_of(session):
    return list(whole(session, WRITERS["markdown"]()))


def test_a_replay_is_tables_with_an_explanation_a_step(full):
    lines = markdown_of(full)
    assert lines[:3] == ["# Made for a test", "", "`made.yaml` · float64 · loss `loss`"]
    assert "## `forward`" in lines
    assert "| `p` | `w * x` | 2 |" in lines
    row = next(line for line in lines if line.startswith("| 6 |"))
    assert row.startswith("| 6 | ◐ | `p` | `y = q + p` | 4 | 1 | 4 | 4 | 1 of 2 | y = q + p: add")
    assert lines[lines.index("## Result: loss 8") + 2] == "| node | value | gradient |"
    assert "| `target` | 1 | none |" in lines


def test_every_table_has_as_many_cells_in_each_row(full):
    widths = []
    for line in markdown_of(full):
        if line.startswith("|"):
            widths.append(line.count(" | "))
        elif widths:
            assert len(set(widths)) == 1
            widths = []


def test_kinks_ghosts_and_infinities_have_signs(kink, open_made):
    assert any("| ●⊥ | `z`" in line for line in markdown_of(kink))

    def build(g, leaves):
        x = g.input("x", leaves["x"])
        g.name("loss", f.sqrt(x) + g.name("skip", f.detach(x)))

    lines = markdown_of(open_made(build, {"x": 0.0}))
    assert any("| ●! | `x`" in line for line in lines)
    assert any(line.startswith("|  | ✂ | `x` | `skip`") for line in lines)


def test_user_text_stays_text():
    assert escaped("a|b *c* <i>[x](y)") == r"a\|b \*c\* \<i\>\[x\](y)"
    assert code("a | b") == r"`a \| b`"
    assert code("a`b") == "`` a`b ``"
    assert code("") == ""
    assert fenced("```\n\x1b[0m") == "````text\n```\n␛[0m\n````"


def moved(session):
    for command in ("break p", "continue", "print grad(p)", "rs", "set b = -2"):
        session = execute(session, command).session
    return session


def test_exports_hold_the_transcript(full):
    session = moved(full)
    text = exported(session, ".md")
    assert "### `continue`" in text
    assert "grad(p) = 16" in text
    events = [json.loads(line)["event"] for line in exported(session, ".jsonl").splitlines()]
    assert [one for one in events if one in ("break", "stop", "print", "set")] == [
        "break", "stop", "print", "stop", "set",
    ]  # fmt: skip


def test_pictures_of_the_transcript(full):
    svg = exported(moved(full), ".svg")
    root = ElementTree.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    said = " ".join("".join(root.itertext()).replace("\xa0", " ").split())
    assert "> print grad(p)" in said
    html = exported(moved(full), ".HTML")
    assert "grad(p) = " in html
    assert html.startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("ending", EXPORTS)
def test_the_same_session_gives_the_same_bytes(full, ending):
    assert exported(moved(full), ending) == exported(moved(full), ending)
