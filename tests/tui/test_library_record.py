"""The library shows how far scenarios were taken, in this run and in earlier ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from driving import SMALL, documents, play, text

from bpstep.scenario import Scenario, find_scenario, library, load
from bpstep.scenario.heading import heading
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.draw.books import book_line, progress_text
from bpstep.tui.record import Progress, Score, load_record, note, record_file
from bpstep.tui.recorder import Recorder, progress_of
from bpstep.tui.screens.learn import LearnScreen
from bpstep.tui.shelf import MOST_LOADED, Book, shelf

BOOK = Book("x.yaml", "x", "A title", "")


def messages(app: BpstepApp) -> list[str]:
    return [each.message for each in app._notifications]


def row(app: BpstepApp, name: str) -> str:
    """The line of the library that lists a scenario, from its sign on."""
    (found,) = (line for line in text(app).splitlines() if f" {name} " in line.partition("│")[2])
    return found.strip("│ ")


@pytest.mark.parametrize(
    ("progress", "sign", "words"),
    [
        (Progress(), "  ", ""),
        (Progress(begun=True), "◐ ", "◐ begun"),
        (Progress(begun=True, seen=True), "✓ ", "✓ finished"),
        (
            Progress(begun=True, learned=Score(2, 3)),
            "✓ ",
            "✓ finished, 2 of 3 questions right at the first try",
        ),
    ],
)
def test_how_far_is_said_by_sign_and_word(progress: Progress, sign: str, words: str) -> None:
    assert book_line(BOOK, 4, progress).plain == f"{sign}x     A title"
    assert progress_text(progress) == words


def test_only_what_was_stepped_to_its_end_has_been_seen() -> None:
    from bpstep.session.commands import execute

    session = Session.open(load("full"))
    far = {
        "step 3": Progress(begun=True),
        "step 13": Progress(begun=True, seen=True),
        "continue": Progress(begun=True, seen=True),
        "goto end": Progress(begun=True),
        "g end": Progress(begun=True),
        "goto 12; step": Progress(begun=True, seen=True),
        "print p": Progress(),
    }
    assert {line: progress_of(execute(session, line).session) for line in far} == far


def test_steps_are_recorded_and_the_library_shows_them() -> None:
    assert play(documents("full"), "3 s o", lambda app: row(app, "full"), SMALL).startswith("◐ ")
    assert load_record()[0] == {"full": Progress(begun=True)}
    shown = play(documents("kink"), "1 0 s 3 s o", text)
    assert "✓ kink" in shown
    assert "◐ full" in shown, "that was in an earlier run"
    assert "✓ finished  ◐ begun" in shown
    assert load_record()[0]["kink"] == Progress(begun=True, seen=True)


def test_without_a_step_nothing_is_written() -> None:
    play(documents("full"), "j k t", text)
    assert not record_file().exists()


def test_a_scenario_of_the_folder_is_known_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "own.yaml"
    own.write_text("bpstep: 1\ntitle: Own\nparams: {w: 1}\ngraph: {loss: w * w}\n")
    play(documents("own.yaml"), "G g 3 s", text)
    assert load_record()[0] == {str(own.resolve()): Progress(begun=True, seen=True)}
    assert "✓ own.yaml" in play([], "end", text)


def test_what_cannot_be_recorded_is_told_once_and_hinders_nothing(no_memory: Path) -> None:
    (no_memory / "data").write_text("a file where a folder should be")

    def look(app: BpstepApp) -> tuple[list[str], int]:
        return messages(app), app.screen.session.position

    said, position = play(documents("full"), "s s 1 1 s", look)
    assert position == 13
    assert [str(record_file()) in message for message in said] == [True]


def test_a_broken_record_is_told_in_the_library() -> None:
    record_file().parent.mkdir(parents=True)
    record_file().write_text("{")
    assert [str(record_file()) in said for said in play([], "", messages)] == [True]


def test_the_recorder_writes_only_when_there_is_more(monkeypatch: pytest.MonkeyPatch) -> None:
    written = []
    monkeypatch.setattr("bpstep.tui.recorder.note", lambda *what: written.append(what))
    recorder = Recorder()
    for progress in (Progress(begun=True),) * 3 + (Progress(begun=True, seen=True),) * 2:
        recorder.note("full", progress)
    recorder.note("-", Progress(begun=True))
    assert written == [("full", Progress(True)), ("full", Progress(True, True))]


def test_l_opens_the_highlighted_scenario_to_learn() -> None:
    def look(app: BpstepApp) -> tuple[type, str]:
        return type(app.screen), app.screen.session.scenario.name

    assert play([], "j j l escape", look) == (LearnScreen, "detached-skip")


def test_a_page_to_learn_and_one_to_step_are_two_and_each_is_gone_back_to() -> None:
    def look(app: BpstepApp) -> tuple[type, int]:
        return type(app.screen), len(app.pages)

    assert play(documents("full"), "2 s o l escape", look) == (LearnScreen, 2)
    assert play(documents("full"), "o l escape 2 s o l escape", look) == (LearnScreen, 2)
    assert play(documents("full"), "2 s o enter", look)[1] == 1, "by whatever name it was opened"


def test_the_best_score_is_shown() -> None:
    note("full", Progress(begun=True, learned=Score(3, 3)))
    shown = play([], "", text, (120, 36))
    assert "✓ finished, 3 of 3 questions right" in shown


# The list is read quickly.


def test_the_help_of_the_library_is_about_its_own_keys() -> None:
    shown = play([], "question_mark", text, SMALL)
    assert "open the scenario to learn" in shown
    assert "step one contribution" not in shown


def test_headings_are_those_of_the_loaded_scenarios() -> None:
    for path in library():
        scenario, found = load(str(path)), heading(path)
        assert (found.title, found.about) == (scenario.title, scenario.about)


HEADS = {
    "plain": "bpstep: 1\ntitle: A title\nparams: {w: 1}\ngraph: {loss: w * w}\n",
    "braces": "{bpstep: 1, title: A title, params: {w: 1}, graph: {loss: w * w}}\n",
    "quoted": "'bpstep': 1\n\"title\": 'A title'\nparams: {w: 1}\ngraph: {loss: w * w}\n",
    "last": "bpstep: 1\nparams: {w: 1}\ngraph: {loss: w * w}\ntitle: >\n  A\n  title\n",
}


@pytest.mark.parametrize("case", HEADS)
def test_a_heading_is_found_however_it_is_written(case: str, tmp_path: Path) -> None:
    file = tmp_path / "head.yaml"
    file.write_text(HEADS[case])
    assert heading(file).title.strip() == "A title"
    assert heading(file).about == ""


def test_a_folder_of_many_scenarios_is_listed_without_loading_them_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(MOST_LOADED + 5):
        (tmp_path / f"{number:02}.yaml").write_text(HEADS["plain"])
    loaded = []

    def whole(path: str) -> Scenario:
        loaded.append(path)
        return load(path)

    monkeypatch.setattr("bpstep.tui.shelf._whole", whole)
    books = [book for book in shelf(tmp_path) if book.path.startswith(str(tmp_path))]
    assert len(books) == MOST_LOADED + 5
    assert len(loaded) == MOST_LOADED
    assert {(book.title, book.fine) for book in books} == {("A title", True)}


def test_a_name_and_its_path_are_one_scenario() -> None:
    from bpstep.tui.record import identity

    assert identity("full") == identity(str(find_scenario("full"))) == "full"
