import re

import numpy as np
import pytest

from bpstep.engine import functions as f
from bpstep.engine.graph import Graph
from bpstep.render.lines import columns, line
from bpstep.render.replay import reported, transcript, whole
from bpstep.render.steps import Layout
from bpstep.render.textwriter import TextWriter
from bpstep.session.commands import execute


def text_of(session):
    return "\n".join(str(one) for one in whole(session, TextWriter()))


def told(session, *commands):
    """What the last of the commands reports."""
    for command in commands:
        outcome = execute(session, command)
        session = outcome.session
    lines = reported(outcome.reports, session.scenario.dtype, TextWriter())
    return "\n".join(str(one) for one in lines)


def test_a_whole_replay(full):
    assert (
        text_of(full)
        == """\
Made for a test
made.yaml · float64 · loss: loss

forward
  x       input                2
  w       param                1
  b       param                -1
  v       param                3
  target  constant             1
  p       w * x                2
  z       p + b                1
  h       relu(z)              1
  q       v * h                3
  y       q + p                5
  e       y - target           4
  (e**2)  e ** 2               16
  loss    0.5 * (e**2)         8

backward
step    node    from                   upstream       local  contribution   running
   1  ● loss    the seed                                                          1
   2  ● (e**2)  loss = 0.5 * (e**2)           1         0.5         0.5         0.5
   3  ● e       (e**2)                      0.5           8           4           4
   4  ● y       e = y - target                4           1           4           4
   5  ● q       y = q + p                     4           1           4           4
   6  ◐ p       y = q + p                     4           1           4           4  1 of 2
   7  ● v       q = v * h                     4           1           4           4
   8  ● h       q = v * h                     4           3          12          12
   9  ● z       h = relu(z)                  12           1          12          12
  10  ● p       z = p + b                    12           1          12          16  2 of 2
  11  ● b       z = p + b                    12           1          12          12
  12  ● w       p = w * x                    16           2          32          32
  13  ● x       p = w * x                    16           1          16          16

result: loss 8
  node    value  gradient
  x       2      16
  w       1      32
  b       -1     12
  v       3      4
  target  1      none
  p       2      16
  z       1      12
  h       1      12
  q       3      4
  y       5      4
  e       4      4
  (e**2)  16     0.5
  loss    8      1"""
    )


def test_a_convention_and_what_is_not_finite_are_marked_by_signs(kink, open_made):
    assert "⊥ relu: 0 of [0, 1]" in text_of(kink)

    def build(g, leaves):
        g.name("loss", f.sqrt(g.input("x", leaves["x"])))

    assert "inf  ! not finite" in text_of(open_made(build, {"x": 0.0}))


def test_a_ghost_stands_beside_the_steps_without_a_number(open_made):
    def build(g, leaves):
        p = g.name("p", 2 * g.input("x", leaves["x"]))
        g.name("loss", p + g.name("skip", f.detach(p)))

    ghost = next(one for one in text_of(open_made(build, {"x": 1.0})).splitlines() if "✂" in one)
    assert re.fullmatch(r" +✂ p +skip +1 +cut: would have arrived", ghost)


def test_names_cannot_reach_the_terminal(open_made, monkeypatch):
    # A graph refuses such a name; what is written does not rely on it.
    monkeypatch.setattr(Graph, "_check_name", lambda graph, name: None)

    def build(g, leaves):
        g.name("loss", 2 * g.input("x\x1b]0;hi\x07", leaves["x\x1b]0;hi\x07"]))

    said = text_of(open_made(build, {"x\x1b]0;hi\x07": 1.0}, title="a\x1b[2Jb"))
    assert "\x1b" not in said
    assert "\x07" not in said
    assert "a␛[2Jb" in said


def test_columns_stay_aligned_over_wide_and_long_text():
    rows = columns([["漢字", "a"], ["x", "b"], ["long enough", "c"]])
    assert [str(row) for row in rows] == [
        "  漢字         a",
        "  x            b",
        "  long enough  c",
    ]


def test_markup_in_names_is_text():
    assert str(line("[bold]x[/bold]", ("[/y]", "bold"))) == "[bold]x[/bold][/y]"


def test_a_layout_has_limits(open_made):
    def build(g, leaves):
        g.name("y" * 90, 2 * g.input("x" * 90, leaves["x" * 90]))

    session = open_made(build, {"x" * 90: 1.0}, loss="y" * 90)
    assert Layout.of(session.graph, session.total) == Layout(28, 34, 1)
    assert Layout.of(None, 0) == Layout()


def test_a_stop_explains_itself(full):
    assert (
        told(full, "watch grad(p)/2", "goto 5", "step")
        == """\
   6  ◐ p       y = q + p                     4           1           4           4  1 of 2
▶ step 6 of 13 · ◐ p has 1 of 2: 4
  y = q + p: addition passes its gradient through unchanged, so p receives 4 × 1 = 4 by
  the direct path. 1 of 2 has arrived; p waits for the one through z.
  Next: q sends to v.
  watch 1: grad(p)/2 = 2"""
    )


def test_a_stop_at_a_breakpoint_names_it(full):
    said = told(full, "break p", "continue")
    assert "◆ breakpoint 1: p\n▶ step 10 of 13 · ● p is complete: 16" in said


def test_a_motion_back_shows_only_where_it_ends(full):
    assert (
        told(full, "goto end", "goto start")
        == """\
▶ step 0 of 13 · nothing is sent yet
  Nothing has been sent yet. Next: the seed of pass 1, 1 at loss."""
    )


def test_a_stop_at_a_node_with_a_note_shows_it(open_network):
    session = open_network(notes={"p": "Two consumers: wait for both."})
    assert "\n  note: Two consumers: wait for both.\n  Next:" in told(session, "goto 6")
    assert "note:" not in told(session, "goto 7")


def test_a_program_without_a_reverse_pass_can_be_looked_at(open_network, monkeypatch):
    from bpstep.engine.program import Forward
    from bpstep.engine.program import execute as run

    made = open_network()
    monkeypatch.setattr(
        type(made.scenario), "run", lambda self, leaves=None: run(self, [Forward()])
    )
    session = made.open(made.scenario)
    assert told(session, "step") == (
        "▶ the program runs no reverse pass\n  There is nothing to step through."
    )
    assert "result: loss 8" in text_of(session)
    assert told(session, "print grad(w)") == "grad(w) = none: grad(w) has not arrived yet"


def test_a_card_in_the_middle_of_a_sum(full):
    assert (
        told(full, "goto 6", "info p")
        == """\
p = w * x  op
  value 2
  gradient so far 4  ◐ 1 of 2 arrived
  ∂p/∂w = x = 2
  ∂p/∂x = w = 1
     from       operand  upstream  local  contribution  running
  ▶  y = q + p        1         4      1             4        4
     z = p + b        0         ·      1             ·        ·
  waiting for z"""
    )


def test_a_card_of_a_detach_says_that_nothing_is_sent_through_it(open_made):
    def build(g, leaves):
        p = g.name("p", 2 * g.input("x", leaves["x"]))
        g.name("loss", p + g.name("skip", f.detach(p)))

    said = told(open_made(build, {"x": 1.0}), "info skip")
    assert "∂skip/∂p = none: nothing is sent through it" in said


def test_a_card_of_a_tensor(open_made):
    def build(g, leaves):
        w = g.param("W", leaves["W"])
        g.name("loss", f.sum(w * w))

    said = told(open_made(build, {"W": np.arange(9.0).reshape(3, 3)}), "goto end", "info W")
    assert "value (3, 3) 0 … 8, norm 14.28  shape (3, 3)" in said
    assert "gradient: min 0  max 16  mean 8  norm 28.57" in said


def test_a_gradient_that_has_not_arrived_is_never_zero(full):
    said = told(full, "goto 6", "list")
    assert "▶    ◐  p       w * x             2         4  1 of 2" in said
    assert "     ○  w       param             1         ·" in said
    assert "     ∅  target  constant          1      none" in said


@pytest.mark.parametrize(
    ("commands", "said"),
    [
        (["print 0.1 + 0.2"], "0.1 + 0.2 = 0.30000000000000004"),
        (["print grad(p)"], "grad(p) = none: grad(p) has not arrived yet"),
        (["goto end", "assert grad(w) == 32"], "✓ assert grad(w) == 32"),
        (
            ["goto end", "assert grad(w) == 33"],
            "✗ assert grad(w) == 33\n    grad(w) == 33 does not hold: 32 == 33",
        ),
        (
            ["goto 10", "where"],
            "▶ step 10 of 13 · ● p is complete: 16\n  ●  p  w * x  2  16  2 of 2",
        ),
        (["break p"], "◆ breakpoint 1: p"),
        (["breakpoints"], "no breakpoints"),
        (["break p", "delete 1"], "deleted breakpoint 1: p"),
        (["watch p"], "  watch 1: p = 2"),
        (["watch p", "unwatch 1"], "deleted watch 1: p"),
        (["restart"], "back at the start: step 0 of 13 · nothing is sent yet"),
        (
            ["goto 6", "set b = -2"],
            "b: -1 → -2\nloss: 8 → 0.5\nstill at step 6 of 13 · ◐ p has 1 of 2: 1",
        ),
        (
            ["goto end", "paths w"],
            "2 paths to w, sum 32, the gradient\n"
            "  share  path                                       factors\n"
            "     24  loss → (e**2) → e → y → q → h → z → p → w  0.5 · 8 · 1 · 1 · 3 · 1 · 1 · 2\n"
            "      8  loss → (e**2) → e → y → p → w              0.5 · 8 · 1 · 1 · 2",
        ),
    ],
)
def test_reports(full, commands, said):
    assert told(full, *commands) == said


def test_a_check_at_a_kink_shows_both_sides(kink):
    said = told(kink, "goto end", "check w --steps 1e-6")
    heads, row = said.splitlines()[-2:]
    assert heads.split() == ["h", "left", "right", "central", "abs", "error", "rel", "error"]
    assert [float(cell) for cell in row.split()[:4]] == pytest.approx([1e-6, 2, 8, 5], rel=1e-4)


def test_an_update_shows_parameters_and_what_is_crossed(full):
    lines = told(full, "goto end", "update 0.01 0.1").splitlines()
    heads = ["rate", "w", "b", "v", "loss", "predicted", "actual", "actual/predicted", "crossed"]
    assert lines[1].split() == heads
    assert lines[2].split()[:5] == ["0.01", "0.68", "-1.12", "2.96", "0.57287808"]
    assert lines[3].split()[:5] == ["0.1", "-2.2", "-2.2", "2.6", "14.58"]
    assert lines[2].endswith("–")
    assert lines[3].endswith("  h at 0.01316")
    assert lines[4:] == [
        "  At 0.1 the loss rises where it should fall. A gradient is the slope at this point: it",
        "  does not say how far the slope holds, so a right one promises no safe step.",
    ]


def test_help_is_made_from_the_table(full):
    assert "  goto STEP " in told(full, "help")
    assert told(full, "help rs") == "reverse-step [N] (alias rs)\n  one contribution back"


def test_a_transcript_repeats_the_session_from_the_file_as_loaded(full):
    session = full
    for command in ("set b = -2", "goto 1"):
        session = execute(session, command).session
    said = "\n".join(str(one) for one in transcript(session, TextWriter()))
    assert (
        "  b         param                -1" in said or "  b       param                -1" in said
    )
    assert "> set b = -2\nb: -1 → -2" in said
    assert said.index("> goto 1") < said.index("1  ● loss")
