"""The loss against the rate as a picture in characters."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpstep.analysis.updates import LossCurve, curve, update
from bpstep.render.ascii import to_ascii
from bpstep.render.canvas import Canvas, Curve, Mark, Range, around
from bpstep.render.rate_plot import first_crossings, rate_plot, sampled_rates
from bpstep.scenario import load


def plotted(name: str, rates: Sequence[float], width: int, height: int) -> list[str]:
    run = load(name).run()
    sampled = sampled_rates(rates, 2 * width)
    assert sampled is not None
    ledger = run.passes[-1].ledger
    start = float(ledger.graph.recorded(ledger.output))
    lines = rate_plot(curve(run, sampled.tolist()), start, update(run, rates), width, height)
    return [line.plain for line in lines]


def test_the_curve_the_prediction_the_rates_and_the_crossing_of_update_rates() -> None:
    shown = plotted("update-rates", (0.01, 0.1), 54, 12)
    assert len(shown) == 12
    assert shown[0].startswith(" 16.36│")
    assert shown[-1] == "⠶ loss  ⠂ predicted  ● tried  ⊥ h at 0.01316"
    # 0.01 of 0.105 along 47 columns, and 0.1; h changes its branch at 0.01316.
    assert [line[7:].index("●") for line in shown[:-1] if "●" in line] == [44, 4]
    assert shown[-3][7:].index("⊥") == 6
    assert shown[-2][7:] == "0     h" + "0.105".rjust(40)


def test_a_small_plot_says_less_and_fits() -> None:
    shown = plotted("update-rates", (0.01, 0.1), 38, 6)
    assert shown[-1] == "⠶ loss ⠂ predicted ● tried ⊥ crossing"
    assert max(map(len, shown)) <= 38


def test_it_falls_and_rises_where_the_loss_does() -> None:
    """The loss falls to 0 at the rate 0.0166 and rises from there: a dip, read off the dots."""
    shown = plotted("update-rates", (0.01, 0.1), 100, 20)[:17]
    last = [row for column in zip(*shown, strict=False) for row in [lowest(column)]]
    dots = [row for row in last[8:] if row is not None]
    deepest = dots.index(max(dots))
    assert dots[-1] < 3
    assert deepest < len(dots) / 3


def lowest(column: Sequence[str]) -> int | None:
    rows = [row for row, dot in enumerate(column) if "\u2800" < dot <= "\u28ff" or dot == "●"]
    return rows[-1] if rows else None


def test_a_loss_that_is_no_number_has_a_sign_at_the_top_and_no_dots() -> None:
    shown = plotted("sqrt-at-zero", (0.01, 0.1), 40, 8)
    assert [line.count("!") for line in shown] == [2, 0, 0, 0, 0, 0, 0, 0]
    assert not any("\u2800" < dot <= "\u28ff" for line in shown[:-1] for dot in line)
    empty = LossCurve(np.array([0.0, 1.0]), np.array([math.nan, math.inf]), -1.0)
    assert [line.plain for line in rate_plot(empty, math.nan, (), 40, 8)] == [
        "Nothing to plot: no loss along the way is a number."
    ]


@pytest.mark.parametrize("rates", [(1e308, -1e308), (1e-320,), (1e300, 0.1), (-0.1,), (0.0, 5e-9)])
def test_extreme_rates_are_plotted_in_the_room_there_is(rates: tuple[float, ...]) -> None:
    shown = plotted("full", rates, 50, 9)
    assert len(shown) == 9
    assert max(map(len, shown)) <= 50


def test_rates_of_zero_have_no_plot_and_others_are_sampled_beyond_them() -> None:
    assert sampled_rates((0.0,), 10) is None
    assert sampled_rates((), 10) is None
    sampled = sampled_rates((0.01, 0.1), 22)
    assert sampled is not None
    assert (sampled[0], sampled[-1], len(sampled)) == (0.0, pytest.approx(0.105), 22)
    both = sampled_rates((-1.0, 1.0), 3)
    assert both is not None
    assert both.tolist() == pytest.approx([-1.05, 0.0, 1.05])


def test_each_node_is_marked_where_it_first_takes_another_branch() -> None:
    results = update(load("update-rates").run(), (0.01, 0.1, 0.2))
    crossings = first_crossings(results)
    assert [each.node for each in crossings] == ["h"]
    # z = (1 - 32 r) * 2 - 1 - 12 r is 0 at r = 1/76.
    assert crossings[0].rate == pytest.approx(1 / 76)


def test_in_ascii_it_is_as_wide() -> None:
    run = load("update-rates").run()
    sampled = sampled_rates((0.1,), 60)
    assert sampled is not None
    lines = rate_plot(curve(run, sampled.tolist()), 8.0, update(run, (0.1,)), 40, 9)
    assert [to_ascii(line).cell_len for line in lines] == [line.cell_len for line in lines]
    assert all(to_ascii(line).plain.isascii() for line in lines)


FLOATS = st.floats(allow_nan=True, allow_infinity=True)


@given(
    losses=st.lists(FLOATS, min_size=2, max_size=30),
    slope=FLOATS,
    start=FLOATS,
    width=st.integers(20, 90),
    height=st.integers(4, 24),
)
def test_whatever_the_numbers_the_plot_has_its_size(
    losses: list[float], slope: float, start: float, width: int, height: int
) -> None:
    rates = np.linspace(0.0, 0.1, len(losses))
    lines = rate_plot(LossCurve(rates, np.array(losses), slope), start, (), width, height)
    assert len(lines) in (1, height)
    assert len(lines) == 1 or all(line.cell_len <= max(width, 27) for line in lines)


@given(st.floats(allow_nan=False), st.floats(allow_nan=False), st.floats(0, 1))
def test_a_range_finds_every_number_in_it_again(a: float, b: float, share: float) -> None:
    found = around([a, b, math.nan])
    if found is None:
        assert not any(map(math.isfinite, (a, b)))
        return
    assert found.low < found.high
    assert 0.0 <= found.share(found.at(share)) <= 1.0 + 1e-9
    assert found.share(found.low) == 0.0
    assert found.share(found.high) == 1.0


def test_marks_and_names_stand_at_their_numbers() -> None:
    canvas = Canvas(31, 6, Range(0.0, 10.0), Range(0.0, 1.0))
    line = Curve([0.0, 10.0], [0.0, 1.0], "")
    shown = [
        text.plain
        for text in canvas.draw([line], [Mark(5.0, None, "⊥", "", "mid"), Mark(10.0, 1.0, "●", "")])
    ]
    assert shown[0].startswith("1│")
    assert shown[0].endswith("●")
    assert shown[-2][2:].index("⊥") == 14
    assert shown[-1][2:].index("mid") == 14


def test_a_name_is_left_out_where_another_stands() -> None:
    canvas = Canvas(12, 5, Range(0.0, 1.0), Range(0.0, 1.0))
    marks = [Mark(0.05, None, "⊥", "", "node"), Mark(1e-9, None, "⊥", "", "other")]
    assert canvas.draw([], marks)[-1].plain.split() == ["0", "1"]


def test_the_largest_floats_do_not_overflow() -> None:
    most = sys.float_info.max
    canvas = Canvas(20, 6, Range(-most, most), Range(-most, most))
    assert [canvas.column(x) for x in (-most, 0.0, most)] == [0, 4, canvas.columns - 1]
    assert canvas.row(most) == 0
    assert canvas.row(-most) == canvas.rows - 1


@pytest.mark.parametrize("low", [1e5, 0.00141, 4.477])
def test_the_ends_of_an_axis_are_told_apart_where_there_is_room(low: float) -> None:
    high = low * (1 + 1e-6)
    canvas = Canvas(76, 12, Range(0, 1), Range(low, high))
    top, bottom = canvas.labels
    assert float(bottom) < float(top)
    assert canvas.columns > 48
    assert max(map(len, Canvas(24, 12, Range(0, 1), Range(low, high)).labels)) <= 8


def test_an_infinite_loss_leaves_an_axis_of_the_finite_ones() -> None:
    rates = np.linspace(0.0, 0.1, 3)
    losses = LossCurve(rates, np.array([math.inf, 1e5, 1e5 + 0.01]), -math.inf)
    shown = [line.plain for line in rate_plot(losses, math.inf, (), 60, 9)]
    assert shown[0].startswith("100000.01│")
    assert any(line.lstrip().startswith("100000│") for line in shown)
