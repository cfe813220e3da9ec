"""The renderables, without an app."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.text import Text

import bpstep
from bpstep.scenario import load
from bpstep.session import listing
from bpstep.session.card import card
from bpstep.session.commands import execute
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.draw import reason
from bpstep.tui.draw.card import arrival, card_lines, tensor_lines, title
from bpstep.tui.draw.contributions import contribution_lines
from bpstep.tui.draw.help import help_lines
from bpstep.tui.draw.nodes import Columns, heads, node_line
from bpstep.tui.draw.status import Beside, status
from bpstep.tui.draw.timeline import labels, timeline, track
from bpstep.tui.draw.why import why_lines
from bpstep.tui.keys import DEBUG_KEYS

HOSTILE = "[b]x[/b] 漢字 evil"
"""No name and no text of a scenario has controls in it: those are refused."""


def session(name: str = "full", position: int = 0) -> Session:
    return Session.open(load(name)).at(position)


def index(shown: Session, name: str) -> int:
    assert shown.graph is not None
    return shown.graph.find(name)


def plain(lines: object) -> list[str]:
    return [line.plain.rstrip() for line in lines]  # type: ignore[attr-defined]


def rows(shown: Session, width: int) -> dict[str, str]:
    assert shown.graph is not None
    nodes = listing.rows(shown, shown.graph.visible())
    return {row.name: node_line(row, Columns.fitting(width), False).plain for row in nodes}


# The status line.


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120, 200])
def test_the_state_is_said_in_any_width_and_the_line_is_never_longer(width: int) -> None:
    line = status(session(position=6), width)
    assert line.cell_len == width
    assert width < 60 or line.plain.endswith("step 6 of 13   ◐ p has 1 of 2 ")


def test_the_title_gives_way_before_the_state_does() -> None:
    assert "bpstep  Every path into p counts  full " in status(session(position=6), 120).plain
    assert "…" in status(session("kink", 6), 70).plain
    among = status(session(position=6), 80, more=Beside(among="2/3"))
    assert " Every path into p counts  " in among.plain
    assert "   [2/3]   pass 1   step 6 of 13   ◐ p has 1 of 2 " in among.plain
    assert among.cell_len == 80


@pytest.mark.parametrize(
    ("name", "position", "state"),
    [
        ("full", 0, "step 0 of 13   ○ nothing sent"),
        ("full", 1, "● loss is complete"),
        ("full", 10, "● p is complete"),
        ("two-losses", 4, "pass 2 of 2   step 4 of 4"),
        ("stale-value", 6, "! error stale-value"),
    ],
)
def test_where_we_are(name: str, position: int, state: str) -> None:
    assert state in status(session(name, position), 120).plain


def test_a_count_that_is_being_typed_is_shown() -> None:
    assert "count 12   step 0 of 13" in status(session(), 100, "12").plain


@pytest.mark.parametrize("width", [76, 80, 100, 120])
def test_the_file_stays_from_step_to_step_and_while_a_count_is_typed(width: int) -> None:
    shown = [
        "  full " in status(session(position=position), width, count).plain
        for position in range(14)
        for count in ("", "12")
    ]
    assert set(shown) == {width >= 80}


def test_the_end_of_the_program_has_a_sign_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "ends.yaml"
    file.write_text(
        "bpstep: 1\ntitle: Ends\nparams: {w: 1.0}\ngraph: {loss: w ** 2}\n"
        "program: [forward, backward, step 0.1, forward]\n"
    )
    ended = Session.open(load(str(file))).at(2)
    assert "■ end, after forward" in status(ended, 80).plain
    assert any(
        "■ The end of the program, after forward" in each for each in plain(why_lines(ended))
    )
    shown = card(ended, index(ended, "w"))
    lines = plain(card_lines(shown, 60, listing.row(ended, index(ended, "w"))))
    assert lines[:2] == ["value 1   gradient 2", "■ at the end value 0.8   gradient 2"]
    assert "■" not in status(ended.at(1), 80).plain


# The lists.


@pytest.mark.parametrize("width", [13, 20, 28, 42, 60, 120])
def test_lines_of_a_list_fill_its_width_exactly(width: int) -> None:
    for shown in (session("full", 6), session("matrix-layer", 5), session("kink", 13)):
        assert {Text(line).cell_len for line in rows(shown, width).values()} == {width}
    assert heads(Columns.fitting(width)).cell_len == width


def test_a_gradient_that_has_not_arrived_is_blank_and_zero_is_a_zero() -> None:
    before, after = rows(session("kink", 6), 28), rows(session("kink", 13), 28)
    assert before["b"] == "  ○ b             -2        "
    assert after["b"] == "  ● b             -2       0"


def test_every_state_has_a_sign() -> None:
    kink = rows(session("kink", 13), 40)
    assert kink["h"][2] == "●"
    assert "⊥" in kink["h"]
    assert rows(session("full", 6), 40)["p"][:4] == "▶ ◐ "
    assert rows(session("full", 6), 40)["w"][2] == "○"
    assert rows(session("full", 6), 40)["target"][2] == "∅"
    assert "✂" in rows(session("detached-skip", 12), 40)["p"]
    assert "!" in rows(session("sqrt-at-zero").at(99), 40)["x"]
    stopped = execute(session(), "break p").session
    assert rows(stopped, 40)["p"][1] == "◆"


def test_the_selected_line_has_a_sign_too() -> None:
    shown = session("full", 6)
    lines = {
        name: node_line(listing.row(shown, index(shown, name)), Columns.fitting(40), True).plain
        for name in ("p", "z")
    }
    assert lines["z"].startswith("›")
    assert lines["p"].startswith("▶"), "where we are is the stronger sign"


# The card.


def test_the_card_in_the_middle_of_a_sum() -> None:
    shown = session("full", 6)
    p = card(shown, index(shown, "p"))
    assert title(p) == "p = w * x"
    assert arrival(p).plain == "◐ 1 of 2 arrived"
    assert plain(card_lines(p, 46)) == [
        "value 2   gradient so far 4",
        "∂p/∂w = x = 2   ∂p/∂x = w = 1",
        "  from        # upstream local contrib running",
        "──────────────────────────────────────────────",
        "▶ y = q + p   1        4     1       4       4",
        "  z = p + b   0        ·     1       · awaited",
        "p is sent on to w and x only when z has sent.",
    ]


def test_the_card_when_the_sum_is_complete() -> None:
    shown = session("full", 10)
    lines = plain(card_lines(card(shown, index(shown, "p")), 46))
    assert lines[0] == "value 2   gradient 16"
    assert lines[4].split()[-5:] == ["1", "4", "1", "4", "4"]
    assert lines[5].split()[-5:] == ["0", "12", "1", "12", "16"]
    assert len(lines) == 6


def test_a_node_that_nothing_has_reached_has_no_gradient_not_even_zero() -> None:
    shown = session("full", 6)
    w = plain(card_lines(card(shown, index(shown, "w")), 46))
    assert w[0] == "value 1   no gradient yet"
    target = card(shown, index(shown, "target"))
    assert plain(card_lines(target, 46)) == ["value 1"]
    assert arrival(target).plain == "∅ nothing is recorded for it"


def test_ghosts_buffers_seeds_and_conventions_stand_in_the_card() -> None:
    skip = session("detached-skip", 12)
    assert any(
        "✂ cut by skip" in line for line in plain(card_lines(card(skip, index(skip, "p")), 60))
    )
    losses = session("two-losses", 4)
    x = plain(card_lines(card(losses, index(losses, "x")), 60))
    assert any("the buffer" in line and line.endswith(" 4") for line in x)
    assert any(line.endswith("3        7") for line in x)
    full = session("full", 1)
    assert any(
        "▶ the seed" in line for line in plain(card_lines(card(full, index(full, "loss")), 46))
    )
    kink = session("kink", 13)
    assert any(
        "⊥ relu: 0 of [0, 1], at h" in line
        for line in plain(card_lines(card(kink, index(kink, "z")), 60))
    )


def test_upstream_and_local_stand_beside_each_other_in_a_narrow_card() -> None:
    full = session("full", 6)
    table = plain(contribution_lines(card(full, index(full, "p")), 38))
    assert table[0].split() == ["from", "up", "local", "contrib", "sum"]
    assert table[2].split() == ["▶", "y", "=", "q", "+", "p", "4", "1", "4", "4"]
    narrowest = plain(contribution_lines(card(full, index(full, "p")), 17))
    assert narrowest[0].split() == ["from", "sum"]


@pytest.mark.parametrize("width", [17, 24, 33, 38, 46, 56, 70, 110])
def test_tables_are_no_wider_than_the_pane(width: int) -> None:
    for name in ("full", "kink", "matrix-layer", "two-losses", "detached-skip"):
        shown = session(name).at(7)
        assert shown.graph is not None
        for node in shown.graph.visible():
            table = list(contribution_lines(card(shown, node), width))
            assert all(line.cell_len <= width for line in table)


def test_a_tensor_is_summed_up_in_lines_or_where_it_is_narrow_in_a_table() -> None:
    shown = session("matrix-layer", 8)
    x = card(shown, index(shown, "X"))
    lines = plain(card_lines(x, 56))
    assert lines[0] == "value (2, 3)   gradient (2, 3)"
    assert lines[1].startswith("value    min -1  max 3")
    assert plain(card_lines(x, 36))[1:4] == [
        "         min  max mean norm",
        "value     -1    3    1    4",
        "gradient  -1 4.25 1.46 5.27",
    ]


def test_a_tensor_is_drawn_where_the_rest_leaves_room_and_nowhere_else() -> None:
    shown = session("matrix-layer", 8)
    x = card(shown, index(shown, "X"))
    bare = plain(card_lines(x, 56))
    assert plain(card_lines(x, 56, None, len(bare) + 2)) == bare
    drawn = plain(card_lines(x, 56, None, len(bare) + 4))
    assert [line.split() for line in drawn[3:7]] == [
        ["value", "│", "gradient"],
        ["0", "1", "2", "│", "0", "1", "2"],
        ["0", "1", "2", "-1", "│", "0", "2", "-1", "1.5"],
        ["1", "0", "1", "3", "│", "1", "1.5", "0.5", "4.25"],
    ]
    assert [line for line in drawn if line not in drawn[3:7]] == bare


def test_the_tensors_that_were_added_up_are_written_out_on_the_card(tmp_path: Path) -> None:
    path = tmp_path / "sum.yaml"
    path.write_text("bpstep: 1\ntitle: t\nparams: {x: [1, 2]}\ngraph: {loss: sum(x * x)}\n")
    shown = Session.open(load(path))
    shown = shown.at(shown.total)
    written = plain(tensor_lines(card(shown, index(shown, "x"))))
    assert written.count("from (x*x) (2,)") == 2
    layer = session("matrix-layer", 8)
    assert plain(tensor_lines(card(layer, index(layer, "X")))) == [], "its gradient says the same"


# Why.


def test_why_explains_the_step_names_the_next_and_shows_the_note() -> None:
    told = plain(why_lines(session("full", 6)))
    assert told[0].startswith("y = q + p: addition passes its gradient through unchanged")
    assert told[2] == "Next: q sends to v."
    assert told[4].startswith("note Two consumers, y and z")


def test_why_shows_watches_breakpoints_and_what_is_not_there_yet() -> None:
    shown = execute(session("full", 6), "break p; watch grad(p); watch grad(w)").session
    told = plain(why_lines(shown))
    assert "watch 1 grad(p) = 4" in told
    assert "watch 2 grad(w) = no value yet" in told
    assert "◆ breakpoint 1: p" in plain(why_lines(shown.at(10)))


def test_why_gives_the_reason_of_a_zero_once_all_has_arrived(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    dead = execute(session("full"), "set b = -3; goto end").session
    node = index(dead, "b")
    told = plain(why_lines(dead, node))
    assert "why b: gradient 0" in told
    assert any("passes nothing on" in each for each in told)
    assert plain(why_lines(dead.at(1), node)) == plain(why_lines(dead.at(1)))
    monkeypatch.setattr(reason, "CHEAP", 1)
    assert "zero: :why b tells the reason" in plain(why_lines(dead, node))


def test_why_marks_the_statement_of_an_unusual_program() -> None:
    assert "program forward · backward loss1 · ▶ backward loss2" in plain(
        why_lines(session("two-losses", 4))
    )
    assert not any(line.startswith("program") for line in plain(why_lines(session())))


def test_why_tells_the_error_in_which_a_run_ends() -> None:
    told = plain(why_lines(session("stale-value", 6)))
    assert any(line.startswith("! The run ends in the error stale-value: ") for line in told)


# The timeline.


def test_every_step_has_a_place_on_the_timeline_and_it_is_found_again() -> None:
    for name in ("full", "two-losses", "matrix-layer"):
        shown = session(name)
        for width in (40, 80, 120):
            layout = track(shown, width)
            for step in range(shown.total + 1):
                assert layout.position(layout.column(step)) == step
                assert timeline(layout, step).cell_len == width
                assert timeline(layout, step).plain.count("◉") == 1


def test_the_timeline_shows_done_nodes_breakpoints_and_passes() -> None:
    shown = execute(session(position=6), "break w; break y -> q").session
    line = timeline(track(shown, 80), 6).plain
    assert line.startswith(" start ━")
    assert line.count("◆") == 2
    assert line.index("◉") < line.rindex("◆")
    assert "║" in timeline(track(session("two-losses"), 80), 0).plain
    assert labels(track(shown, 120), 6).plain.split() == ["loss", "(e**2)", "e", "y", "q"]


def test_a_run_without_a_pass_has_a_timeline_too() -> None:
    graph = bpstep.Graph()
    x = graph.input("x", 2.0)
    graph.name("loss", x * 1.0)
    shown = Session.open(Recorded(graph.name("l2", x + 1.0)))
    assert timeline(track(shown, 30), 0).cell_len == 30


# Anything.


def test_nothing_that_a_user_wrote_reaches_the_terminal_as_it_is() -> None:
    graph = bpstep.Graph()
    x = graph.input(HOSTILE, 2.0)
    shown = Session.open(Recorded(graph.name("loss", x * 3.0))).at(2)
    node = x.index
    lines = [
        status(shown, 120),
        node_line(listing.row(shown, node), Columns.fitting(60), True),
        *card_lines(card(shown, node), 60),
        *why_lines(shown),
        labels(track(shown, 120), 2),
        Text(title(card(shown, node))),
    ]
    written = "\n".join(line.plain for line in lines)
    assert HOSTILE in written, "markup is text"


def test_the_help_has_every_key_and_every_sign() -> None:
    told = "\n".join(plain(help_lines(DEBUG_KEYS)))
    for key in DEBUG_KEYS:
        assert "  ".join(key.shown) in told
        assert key.says in told
    for sign in "●◐○∅✂⊥!▶◆":
        assert sign in told
    assert "reverse-continue [N]" in told
