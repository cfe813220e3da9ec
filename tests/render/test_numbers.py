import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bpstep.render import numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (8.0, "8"),
        (-1.0, "-1"),
        (-0.0, "-0"),
        (0.57287808, "0.57287808"),
        (0.25**10, "9.54e-07"),
        (0.1 + 0.2, "0.3"),
        (14.580000000000002, "14.58"),
        (123456789.0, "123456789"),
        (1.5e300, "1.5e+300"),
        (1e-300, "1e-300"),
        (math.nan, "nan"),
        (-math.inf, "-inf"),
    ],
)
def test_compact(value, text):
    assert numbers.compact(value) == text


@given(st.floats(min_value=-1e308, max_value=1e308))
@settings(max_examples=100)
def test_compact_is_near_and_exact_is_exact(value):
    assert float(numbers.exact(value)) == value
    assert float(numbers.compact(value)) == pytest.approx(value, rel=6e-3)
    assert len(numbers.compact(value)) <= 14


@given(st.floats(width=32))
@settings(max_examples=100)
def test_float32_reads_back_as_the_same_float32(value):
    found = json.loads(json.dumps(numbers.json_number(value, "float32")))
    assert np.float32(found) == np.float32(value) or math.isnan(value)


def test_float32_is_written_in_its_own_shortest_form():
    assert numbers.json_number(float(np.float32(0.1)), "float32") == 0.1
    assert numbers.exact(float(np.float32(0.1)), "float32") == "0.1"
    assert numbers.exact(float(np.float32(0.1))) == "0.10000000149011612"


def test_json_values():
    value = {"a": np.array([[1.0, math.nan], [-math.inf, 0.1]]), "b": None, "c": (1, True, "x")}
    assert numbers.json_value(value) == {
        "a": [[1.0, "nan"], ["-inf", 0.1]],
        "b": None,
        "c": [1, True, "x"],
    }
    assert numbers.json_value(np.array(2.0)) == 2.0
    assert numbers.json_value(np.zeros((2, 0))) == [[], []]


def test_tensors_for_people():
    assert numbers.value_text(np.array([[1.0, 0.5], [2.0, 3.0]])) == "[[1, 0.5], [2, 3]]"
    assert numbers.value_text(np.arange(12.0).reshape(3, 4)) == "(3, 4) 0 … 11, norm 22.49"
    assert numbers.value_text(np.full(9, math.inf)) == "(9,) 9 of 9 not finite"
    assert numbers.value_text(np.zeros((0, 9)), limit=-1) == "(0, 9) empty"
    assert numbers.value_text(np.full(9, 1e300)) == "(9,) 1e+300 … 1e+300, norm inf"
    assert numbers.value_text(None) == ""
    assert numbers.value_text(2.0) == "2"
    assert numbers.exact_text(np.array([0.1 + 0.2, 1.0])) == "[0.30000000000000004, 1]"


def test_counts_of_any_size():
    assert numbers.count_text(12) == "12"
    assert numbers.count_text(10**5000) == "about 10**5000"
    assert json.loads(json.dumps(numbers.json_value(2**64))) == 2**64
    assert numbers.json_value(10**5000) == "about 10**5000"
