"""The loss around a point as a picture: exact small ones, and any other within its bounds."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from networks import network

import bpstep
from bpstep.analysis.around import Around, Break, around
from bpstep.analysis.differences import check
from bpstep.render.canvas import Canvas, Curve, Mark, Range
from bpstep.render.canvas import around as range_of
from bpstep.render.plots import LOWEST, NARROWEST, NO_NUMBER, loss_plot

BLANK = "\u2800"


def parabola(**changed: object) -> Around:
    steps = np.linspace(-1.0, 1.0, 41)
    whole = Around("w", 2.0, steps, steps**2, 0.0, 0.0, ())
    return replace(whole, **changed)  # type: ignore[arg-type]


def drawn(found: Around, width: int = 30, height: int = 8) -> list[str]:
    return [text.plain.replace(BLANK, " ") for text in loss_plot(found, width, height)]


def test_a_parabola() -> None:
    assert drawn(parabola()) == [
        "loss against w, at w = 2",
        "1│⠑⢄                        ⡠⠊",
        " │  ⠑⢄                    ⡠⠊  ",
        " │    ⠉⠢⠤⡀            ⢀⡠⠔⠊    ",
        "0│⡀ ⡀ ⡀ ⡀⠈⢑⠢⢤⢄⣀⣀●⣀⣠⠤⢔⠒⢁ ⢀  ⡀ ⡀",
        " └────────────────────────────",
        "  1                          3",
        "● here  ⠶ loss",
    ]


def test_a_kink_stands_under_its_column() -> None:
    graph, loss = network(b=-2.0)
    found = around(bpstep.backward(loss), check(graph, loss.index, "w"))
    assert found.breaks == (Break(0.0, "kink"),)
    lines = drawn(found, 50, 12)
    axis = next(line for line in lines if "└" in line)
    names = lines[lines.index(axis) + 1]
    point = next(line for line in lines[1:] if "●" in line)
    assert axis.index("⊥") == point.index("●") == names.index("kink")
    assert lines[-1] == "● here  ⠶ loss  ⠂ slope 2, the gradient"
    assert drawn(found, 70, 12)[-1].endswith("⊥ kink here")


def test_a_kink_near_by_is_inside_the_range() -> None:
    graph, loss = network(b=-1.999)
    found = around(bpstep.backward(loss), check(graph, loss.index, "w"))
    (kink,) = found.breaks
    assert kink.what == "kink"
    assert kink.step == pytest.approx(-0.0005, rel=1e-3)
    assert found.steps[0] == pytest.approx(-0.0015, rel=1e-3)
    assert "⊥" in drawn(found, 60, 12)[-3]


def test_an_agreeing_tensor_is_moved_along_its_gradient() -> None:
    g = bpstep.Graph()
    x = g.param("x", np.array([3.0, 4.0]))
    loss = g.name("loss", bpstep.sum(x * x))
    found = around(bpstep.backward(loss), check(g, loss.index, "x"))
    assert found.slope == 10.0
    assert found.start is None
    np.testing.assert_allclose(found.losses, (5.0 + found.steps) ** 2)
    assert drawn(found, 60)[0] == "loss along the gradient of x, by distance"


def test_of_a_tensor_with_a_kink_the_worst_element_is_moved() -> None:
    g = bpstep.Graph()
    x = g.param("x", np.array([1.0, 0.0]))
    loss = g.name("loss", bpstep.sum(bpstep.relu(x)))
    found = around(bpstep.backward(loss), check(g, loss.index, "x"))
    assert (found.name, found.start) == ("x[1]", 0.0)
    np.testing.assert_allclose(found.losses, 1.0 + np.maximum(found.steps, 0.0))


def test_a_jump_is_a_gap() -> None:
    g = bpstep.Graph()
    x = g.param("x", 2.0)
    loss = g.name("loss", bpstep.floor(x) * 1.0)
    found = around(bpstep.backward(loss), check(g, loss.index, "x"))
    assert Break(0.0, "jump") in found.breaks
    assert np.isnan(found.losses[found.steps == 0]).all()
    assert found.loss == 2.0


def test_what_the_gradient_says_is_not_drawn_where_it_says_nothing() -> None:
    for slope in (None, math.nan, math.inf):
        assert "gradient" not in drawn(parabola(slope=slope), 60)[-1]
    assert "slope -3, the gradient" in drawn(parabola(slope=-3.0), 60)[-1]


def test_nothing_that_is_a_number_is_said() -> None:
    steps = np.linspace(-1.0, 1.0, 5)
    nowhere = parabola(steps=steps, losses=np.full(5, math.nan), loss=math.nan)
    assert drawn(nowhere, 70) == [NO_NUMBER]


def test_without_room_there_is_no_picture() -> None:
    assert drawn(parabola(), NARROWEST - 1) == drawn(parabola(), height=LOWEST - 1) == []


def test_steps_too_small_to_be_seen_in_the_value_stand_on_the_axis_themselves() -> None:
    steps = np.linspace(-1e-6, 1e-6, 11)
    lines = drawn(parabola(steps=steps, losses=steps + 1.0, loss=1.0), 60)
    assert lines[0] == "loss against w by step, at w = 2"
    assert lines[-2].split() == ["-1e-06", "1e-06"]


def test_names_are_shown_safely_and_cut() -> None:
    lines = drawn(parabola(name="\x1b[2J" + "漢" * 60), 40)
    assert "\x1b" not in "".join(lines)


anything = st.floats(allow_nan=True, allow_infinity=True, width=64)
finite = st.floats(allow_nan=False, allow_infinity=False, width=64)


@given(
    losses=st.lists(anything, min_size=3, max_size=40),
    radius=st.floats(1e-12, 1e300),
    start=st.none() | anything,
    loss=anything,
    slope=st.none() | anything,
    size=st.tuples(st.integers(0, 90), st.integers(0, 24)),
    at=st.floats(-2, 2),
)
def test_any_picture_is_within_its_bounds(
    losses: list[float],
    radius: float,
    start: float | None,
    loss: float,
    slope: float | None,
    size: tuple[int, int],
    at: float,
) -> None:
    steps = np.linspace(-radius, radius, len(losses))
    breaks = (Break(at * radius, "kink"),)
    found = Around("W[0, 1]", start, steps, np.array(losses), loss, slope, breaks)
    lines = loss_plot(found, *size)
    assert len(lines) <= size[1]
    assert all(text.cell_len <= size[0] for text in lines)
    shown = any(map(math.isfinite, (*losses, loss)))
    if lines and shown and abs(at) <= 1:
        assert any("⊥" in text.plain for text in lines[:-1])


@given(
    ys=st.lists(finite, min_size=2, max_size=30),
    size=st.tuples(st.integers(16, 70), st.integers(4, 20)),
)
def test_every_point_of_a_curve_has_its_dot(ys: list[float], size: tuple[int, int]) -> None:
    """And a mark at a point covers that dot."""
    heights = range_of(ys)
    assert heights is not None
    canvas = Canvas(*size, Range(0.0, len(ys) - 1.0), heights)
    xs = [float(k) for k in range(len(ys))]
    rows = [text.plain for text in canvas.draw([Curve(xs, ys, "")], [])]
    margin = rows[0].index("│") + 1
    for x, y in zip(xs, ys, strict=True):
        assert rows[canvas.row(y)][margin + canvas.column(x)] != " "
    marked = canvas.draw([], [Mark(xs[-1], ys[-1], "●", "")])
    assert marked[canvas.row(ys[-1])].plain[-1] == "●"
