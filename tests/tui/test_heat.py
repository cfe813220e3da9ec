"""Tensors as numbers and heat maps: what is drawn is what is there, in the room there is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rich.text import Text

from bpstep.render.ascii import ascii_text
from bpstep.tui.draw.heat import CELL, SHADES, cell, heat_map, numbers, picture, pool, side_by_side


def plain(lines: list[Text]) -> list[str]:
    return [line.plain for line in lines]


# Numbers.


def test_a_small_matrix_is_a_table_with_its_indices() -> None:
    drawn = plain(picture(np.array([[1.0, 4, 5], [-1, -1.5, 2.5]]), 30, 4))
    assert drawn == [
        "    0     1    2",
        "0   1     4    5",
        "1  -1  -1.5  2.5",
    ]


def test_a_vector_is_a_row_and_a_number_is_a_number() -> None:
    assert plain(picture(np.array([1.0, 2.25, -3]), 30, 4)) == ["0     1   2", "1  2.25  -3"]
    assert plain(picture(2.5, 30, 4)) == ["2.5"]


def test_more_axes_are_slices() -> None:
    drawn = plain(picture(np.arange(8.0).reshape(2, 2, 2), 30, 8))
    assert drawn[0] == "[0, :, :]"
    assert drawn[3] == "1  2  3"
    assert drawn[4] == "[1, :, :]"
    assert drawn[7] == "1  6  7"


def test_what_is_not_finite_is_written_out() -> None:
    assert plain(picture(np.array([np.nan, -np.inf, 1]), 30, 2))[1] == "nan  -inf  1"


def test_numbers_are_not_cut_to_fit() -> None:
    wide = np.full((2, 5), 0.123456789)
    assert numbers(wide, 20, 9) == []
    assert plain(picture(wide, 20, 9))[0].count("█") == 5


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0, 3)])
def test_an_empty_tensor_says_so(shape: tuple[int, ...]) -> None:
    assert plain(picture(np.zeros(shape), 40, 4)) == [f"{shape}: no elements"]


def test_float32_numbers_are_those_of_float32() -> None:
    assert plain(picture(np.array([0.5, 2.0], dtype=np.float32), 30, 3))[1] == "0.5  2"


# The map.


def test_signs_say_what_colours_repeat() -> None:
    drawn = heat_map(np.array([[4.0, -4.0, 1.0, -0.5, 0.0, np.inf, np.nan]]), 40, 3)
    assert drawn[0].plain == " █-█ ░-░  !!!!"
    assert drawn[1].plain == "░…█ to 4, ! not finite, - negative"
    styles = {drawn[0].plain[span.start : span.end]: span.style for span in drawn[0].spans}
    assert styles[" █"] != styles["-█"]


@pytest.mark.parametrize(
    ("share", "shade"),
    [(0.0, " "), (1e-9, "░"), (0.25, "░"), (0.26, "▒"), (0.5, "▒"), (0.75, "▓"), (1.0, "█")],
)
def test_shades_are_quarters_of_the_largest(share: float, shade: str) -> None:
    assert cell(share * 8, False, 8.0)[0] == f" {shade}"


def test_a_large_matrix_is_pooled_by_its_largest_and_says_so() -> None:
    matrix = np.zeros((20, 40))
    matrix[19, 39], matrix[0, 1], matrix[0, 0] = -3, 1.0, 0.5
    drawn = plain(heat_map(matrix, 20, 5))
    assert drawn[-1] == "░…█ to 3, 5×4 a cell"
    assert drawn[0] == " ▒" + " " * 18
    assert drawn[3] == " " * 18 + "-█"
    assert plain(heat_map(matrix, 60, 5))[-1].startswith("░…█ to 3, largest of 5×2")


def test_one_broken_element_marks_its_cell() -> None:
    matrix = np.ones((10, 10))
    matrix[9, 9] = np.nan
    drawn = plain(heat_map(matrix, 10, 6))
    assert drawn[4].endswith("!!")
    assert "".join(drawn[:5]).count("!!") == 1
    assert plain(heat_map(np.full((3, 3), np.nan), 30, 4))[-1] == "none finite, ! not finite"


def test_zeros_only() -> None:
    assert plain(heat_map(np.zeros((30, 30)), 30, 4))[-1] == "all 0, largest of 10×2"


def test_slices_beyond_the_room_are_counted() -> None:
    drawn = plain(heat_map(np.ones((6, 4, 5)), 40, 6))
    assert drawn[0] == "[0, :, :] and 5 more"


def test_in_ascii_it_is_as_wide_and_signs_stay() -> None:
    drawn = heat_map(np.array([[4.0, -4.0, 1.0]]), 40, 3)[0].plain
    assert len(ascii_text(drawn)) == len(drawn)
    assert ascii_text(drawn).isascii()
    assert ascii_text(drawn)[2] == "-"
    assert len({ascii_text(shade) for shade in SHADES[:4]}) == 4


ARRAYS = hnp.arrays(
    st.sampled_from([np.float64, np.float32]),
    hnp.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=9),
    elements=st.floats(width=32),
)


@settings(max_examples=200, deadline=None)
@given(ARRAYS, st.integers(0, 60), st.integers(0, 12))
def test_any_tensor_fits_any_room(array: np.ndarray, width: int, height: int) -> None:
    drawn = picture(array, width, height)
    assert len(drawn) <= height
    assert all(line.cell_len <= width for line in drawn)


@settings(max_examples=100, deadline=None)
@given(
    hnp.arrays(
        np.float64, hnp.array_shapes(min_dims=2, max_dims=2, max_side=30), elements=st.floats(-9, 9)
    ),
    st.integers(1, 8),
    st.integers(1, 8),
)
def test_a_cell_is_the_largest_of_its_block(matrix: np.ndarray, rows: int, columns: int) -> None:
    pooled = pool(matrix, rows, columns)
    assert pooled.cells.shape[0] <= rows
    assert pooled.cells.shape[1] <= columns
    down, across = pooled.block
    for i, j in itertools.product(*map(range, pooled.cells.shape)):
        block = matrix[i * down : (i + 1) * down, j * across : (j + 1) * across]
        assert abs(pooled.cells[i, j]) == np.abs(block).max()
        assert pooled.cells[i, j] in block


def test_two_pictures_side_by_side() -> None:
    left, right = [Text("ab"), Text("c")], [Text("d")]
    assert plain(side_by_side(left, right, 11)) == ["ab   │ d", "c    │ "]
    assert CELL == 2
