"""Located YAML: the scalars of YAML 1.2, places, and everything that is refused."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpstep.scenario.locate import descend, locate, plain
from bpstep.scenario.problems import Problems, ScenarioError
from bpstep.scenario.scalars import resolve
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.source import Source


def tree_of(text):
    problems = Problems()
    tree = locate(Source("f.yaml", text), problems)
    if problems:
        raise problems.error()
    return tree


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1e-2", 0.01),
        ("1.", 1.0),
        (".5", 0.5),
        ("-.5e+3", -500.0),
        ("1_000", 1000),
        ("1_000.5", 1000.5),
        ("+3", 3),
        ("007", 7),
        ("0o17", 15),
        ("0x1F", 31),
        (".inf", math.inf),
        ("-.INF", -math.inf),
        ("no", "no"),
        ("Yes", "Yes"),
        ("on", "on"),
        ("True", True),
        ("false", False),
        ("~", None),
        ("", None),
        ("1__0", "1__0"),
        ("_1", "_1"),
        ("1:30", "1:30"),
        ("2020-01-01", "2020-01-01"),
        ("1e", "1e"),
        (".", "."),
        ("inf", "inf"),
        ("9" * 30, int("9" * 30)),
    ],
)
def test_plain_scalars_are_those_of_yaml_1_2(text, expected):
    found = resolve(text)
    assert found == expected
    assert type(found) is type(expected)


def test_nan_and_numbers_of_any_length():
    assert math.isnan(resolve(".nan"))
    assert resolve("9" * 500) == math.inf
    assert resolve("9" * 50) == float("9" * 50)


def test_quoted_scalars_are_text():
    assert plain(tree_of("a: '1'\nb: \"no\"\nc: |\n  1\n")) == {"a": "1", "b": "no", "c": "1\n"}


def test_places_count_characters_from_one_whatever_the_line_ends():
    for end in ("\n", "\r\n", "\r"):
        tree = tree_of(f"α: 'é'{end}😀: [1,{end}  two]{end}")
        *_, (_, value) = descend(tree, ("😀", 1))
        assert value.source.position(value.start) == (3, 3)
        assert value.source.line(3) == "  two]"


@pytest.mark.parametrize(
    ("text", "line", "column", "message"),
    [
        ("", 1, 1, "empty"),
        ("# only a comment", 1, 1, "empty"),
        ("a: &x 1", 1, 4, "an anchor, '&x'"),
        ("a: *x", 1, 4, "an alias, '*x'"),
        ("a: !!int 3", 1, 4, "a tag"),
        ("a: ! 3", 1, 4, "a tag"),
        ("a: !!python/object/apply:os.system [x]", 1, 4, "a tag"),
        ("<<: {a: 1}", 1, 1, "a merge key"),
        ("a: 1\nb: 2\na: 3", 3, 1, "a second time"),
        ("--- 1\n--- 2", 2, 1, "a second document"),
        ("? [1]\n: 2", 1, 3, "a key that is not text"),
        ("a: b: c", 1, 5, "not YAML"),
        ("a: [1, 2\nb: 3", 2, 2, "not YAML"),
        ("a:\n\t- 1", 2, 1, "not YAML"),
        ("a: 'x", 1, 6, "not YAML"),
        ("a: \x01", 1, 4, "a control character, U+0001"),
        ("a: \x85", 1, 4, "a control character, U+0085"),
        ("a: \u2028", 1, 4, "a control character, U+2028"),
        ('a: "\\x1b[31m"', 1, 4, "a control character, U+001B"),
        ('"a\\0": 1', 1, 1, "a control character, U+0000"),
        ("[" * 70 + "]" * 70, 1, 66, "nesting deeper than 64"),
        ("- " * 5000, 1, 131, "nesting deeper than 64"),
    ],
)
def test_what_the_format_does_not_have_is_refused_in_its_place(text, line, column, message):
    with pytest.raises(ScenarioError) as caught:
        tree_of(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in str(caught.value)


def test_an_alias_bomb_is_refused_before_it_grows():
    bomb = "a: &a [x]\n" + "".join(
        f"{new}: &{new} [{', '.join(f'*{old}' for _ in range(9))}]\n"
        for old, new in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(ScenarioError, match="an alias"):
        tree_of(bomb)


def test_all_that_can_be_stepped_over_is_reported_at_once():
    with pytest.raises(ScenarioError) as caught:
        tree_of('a: &x 1\nb: !!str 2\na: 3\n"c\\a": 4\n')
    assert [problem.line for problem in caught.value.problems] == [1, 2, 3, 4]


@pytest.mark.parametrize(
    "written",
    [
        "w * ? + b",
        "'w * ? + b'",
        "'it''s w * ?'",
        '"w * ? + b"',
        '"\\x41\\u0042 \\"w\\" * ? + b"',
        '"w * \\\n    ? + b"',
        "w *\n  ? +\n  b",
        "|\n  w *\n    ? + b\n",
        ">-\n  w *\n  ? + b\n",
        "| # a comment\n  ?",
        "[1, {b: w * ?}]",
    ],
)
def test_a_character_of_a_text_is_found_in_the_file_however_it_is_written(written):
    for end in ("\n", "\r\n"):
        text = f"é: 1{end}a: {written}".replace("\n", end).replace("\r\r", "\r")
        value = _scalar(tree_of(text))
        index = value.value.index("?")
        span = Snippet(value, value.value, {}).span(index, index + 1)
        assert text[span.start : span.end] == "?"


def _scalar(tree):
    *_, (_, value) = descend(tree, ("a",))
    *_, (_, value) = descend(value, (1, "b"))
    return value


@given(st.text(max_size=60))
def test_any_text_is_a_tree_or_a_scenario_error(text):
    _tree_or_error(text)


@given(st.text("ab:-[]{}&*!|>'\"#%@? \t\n\r\\x1,.e", max_size=40))
def test_nearly_right_texts_too(text):
    _tree_or_error(text)


def _tree_or_error(text):
    lines = []
    try:
        tree = tree_of(text)
        lines.append(tree.source.position(tree.end)[0])
    except ScenarioError as error:
        lines += [problem.line for problem in error.problems]
        assert str(error)  # noqa: PT017 (whatever is raised must be printable)
    assert lines
    assert all(1 <= line <= text.count("\n") + text.count("\r") + 1 for line in lines)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_every_character_of_a_quoted_text_has_its_place(text):
    source = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if "\u2028" in source or "\u2029" in source or "\ufeff" in source:
        return
    value = tree_of(source)
    assert value.value == text
    for index, char in enumerate(text):
        span = Snippet(value, text, {}).span(index, index + 1)
        assert source[span.start : span.end].lstrip("\\")[:1] == char or char == "\\"
