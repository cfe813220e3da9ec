import numpy as np
import pytest
from rich.cells import cell_len

from bpstep.tui.draw.fit import cut, number, placed


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("p", 4, "p"),
        ("hidden", 6, "hidden"),
        ("hidden1", 6, "hidde…"),
        ("漢字漢字", 5, "漢字…"),
        ("漢字漢字", 4, "漢…"),
        ("a\x1b[31mb", 20, "a␛[31mb"),
        ("[red]x[/red]", 20, "[red]x[/red]"),
        ("anything", 0, ""),
    ],
)
def test_names_are_safe_and_cut_with_an_ellipsis(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown
    assert cell_len(cut(text, width)) <= max(width, 0)


def test_a_cell_fills_its_columns_exactly_whatever_is_in_it() -> None:
    for text in ("", "p", "漢字", "a name that is far too long", "tab\there"):
        for right in (False, True):
            assert cell_len(placed((text, "bold"), 9, right)[0]) == 9
    assert placed("7", 3, right=True) == ("  7", "")


@pytest.mark.parametrize(
    ("value", "width", "shown"),
    [
        (None, 7, ""),
        (0.0, 7, "0"),
        (16.0, 7, "16"),
        (0.57287808, 11, "0.57287808"),
        (0.57287808, 7, "0.57288"),
        (-2.0402, 7, "-2.0402"),
        (9.5367431640625e-07, 8, "9.54e-07"),
        (-123456789.25, 8, "-1.2e+08"),
        (-123456789.25, 7, "-1.23e8"),
        (-9.5367431640625e-07, 7, "-9.5e-7"),
        (0.0009765625, 7, "0.00098"),
        (0.0009765625, 6, "9.8e-4"),
        (1.6137e-144, 8, "1.6e-144"),
        (1.6137e-144, 7, "2e-144"),
        (-1.6137e-144, 7, "-2e-144"),
        (-1.6137e-144, 3, "-2e-144"),
        (float("nan"), 7, "nan"),
        (float("-inf"), 7, "-inf"),
        (np.array([4.0, 6.0]), 8, "[4, 6]"),
        (np.zeros((4, 3)), 8, "(4, 3)"),
        (np.array([0.12345678, 0.5]), 8, "(2,)"),
    ],
)
def test_a_number_loses_digits_before_it_loses_its_place(
    value: object, width: int, shown: str
) -> None:
    assert number(value, width) == shown
