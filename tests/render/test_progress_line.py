"""How far a long analysis is: one line in the app, one on a terminal, and nothing in a pipe."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bpstep.analysis.progress import advance, breath
from bpstep.cli import progress as on_terminal
from bpstep.cli.progress import telling
from bpstep.render.progress import News, duration, progress_line


@pytest.mark.parametrize(
    ("width", "shown"),
    [
        (70, "check w █████░░░░░░░░░░ differences 120 of 337, 9 s left [Esc cancels]"),
        (58, "check w █████░░░░░░░░░░ 120 of 337, 9 s left [Esc cancels]"),
        (44, "check w ████░░░░░░░ 120 of 337 [Esc cancels]"),
        (21, "check w [Esc cancels]"),
        (10, "check w [E"),
    ],
)
def test_where_there_is_little_room_words_go_first(width: int, shown: str) -> None:
    news = News(120, 337, "differences", 5.0)
    assert progress_line("check w", news, width).plain == shown


@given(
    title=st.text(max_size=40),
    news=st.builds(
        News, st.integers(0, 10**9), st.integers(0, 10**9), st.text(max_size=20), st.floats(0, 1e9)
    ),
    width=st.integers(1, 120),
)
def test_the_line_is_never_wider_than_asked(title: str, news: News, width: int) -> None:
    assert progress_line(title, news, width).cell_len <= width


def test_times_are_said_as_people_do() -> None:
    seconds = (0.2, 7.4, 99, 720, 7200, 3600 * 47, 86400 * 3)
    assert [*map(duration, seconds)] == ["1 s", "7 s", "99 s", "12 min", "2 h", "47 h", "3 days"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def a_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Standard error, from here to the end of the test."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    return stream


def test_on_a_terminal_the_line_is_written_over_and_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = a_terminal(monkeypatch)
    monkeypatch.setattr(on_terminal, "PATIENCE", 0.0)
    monkeypatch.setattr(on_terminal, "INTERVAL", 0.0)
    with telling():
        advance(1, 4, "differences")
        advance(2, 4, "differences")
    clear = "\r\x1b[K"
    assert terminal.getvalue() == f"{clear}differences 1 of 4{clear}differences 2 of 4{clear}"


def test_the_line_is_gone_before_a_result_is_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    terminal = a_terminal(monkeypatch)
    monkeypatch.setattr(on_terminal, "PATIENCE", 0.0)
    with telling() as told:
        advance(1, 4)
        for item in told.before(["result"]):
            assert terminal.getvalue().endswith("\r\x1b[K")
            assert item == "result"


def test_what_is_done_soon_is_not_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = a_terminal(monkeypatch)
    with telling():
        advance(1, 4, "differences")
    assert terminal.getvalue() == ""


def test_a_terminal_that_cannot_write_over_is_told_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    a_terminal(monkeypatch)
    monkeypatch.setenv("TERM", "dumb")
    with telling():
        assert breath() is None


def test_a_pipe_is_told_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with telling():
        assert breath() is None
