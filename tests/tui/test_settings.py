"""What the app remembers: kept whole, whatever is found in its place, and whoever else writes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bpstep.tui.record import Progress, Score, identity, load_record, note, record_file
from bpstep.tui.settings import Settings, load_settings, save_settings, settings_file


def written(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def content(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_folders_are_the_users_own(no_memory: Path) -> None:
    assert settings_file() == no_memory / "config" / "bpstep" / "settings.json"
    assert record_file() == no_memory / "data" / "bpstep" / "finished.json"


def test_without_a_file_the_settings_are_the_usual_ones_and_nothing_is_written() -> None:
    assert load_settings() == (Settings(theme=None), None)
    assert not settings_file().parent.exists()


def test_what_is_saved_is_loaded() -> None:
    assert save_settings(Settings(theme="nord")) is None
    assert load_settings() == (Settings(theme="nord"), None)
    assert [path.name for path in settings_file().parent.iterdir()] == ["settings.json"]


def test_keys_of_other_versions_are_kept() -> None:
    written(settings_file(), '{"later": [1, {"x": "ü"}], "theme": "nord"}')
    save_settings(Settings(theme="bpstep"))
    assert content(settings_file()) == {"later": [1, {"x": "ü"}], "theme": "bpstep"}


@pytest.mark.parametrize("theme", [1, None, ["nord"], {"x": 1}, True])
def test_a_value_of_the_wrong_kind_is_as_if_it_were_not_there(theme: Any) -> None:
    written(settings_file(), json.dumps({"theme": theme}))
    assert load_settings() == (Settings(), None)


BROKEN = {
    "cut": b'{"theme": "no',
    "empty": b"",
    "no-object": b"[1]",
    "no-text": b"\xff\xfe{}",
    "deep": b"[" * 200_000,
    "digits": b'{"x": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_told_and_kept_beside_when_something_is_saved(case: str) -> None:
    path = written(settings_file(), BROKEN[case])
    settings, said = load_settings()
    assert settings == Settings()
    assert said is not None
    assert str(path) in said
    assert path.read_bytes() == BROKEN[case], "reading changes nothing"
    assert save_settings(Settings("nord")) is None
    assert load_settings() == (Settings("nord"), None)
    assert path.with_name("settings.json.broken").read_bytes() == BROKEN[case]


def test_a_second_broken_file_does_not_replace_the_first() -> None:
    path = settings_file()
    for number, name in enumerate(("broken", "broken1", "broken2")):
        written(path, f"wrong {number}")
        save_settings(Settings("nord"))
        assert path.with_name(f"settings.json.{name}").read_text() == f"wrong {number}"


def test_a_folder_in_the_files_place_is_put_beside() -> None:
    settings_file().mkdir(parents=True)
    assert load_settings()[1] is not None
    assert save_settings(Settings("nord")) is None
    assert load_settings() == (Settings("nord"), None)


def test_what_cannot_be_written_is_told_and_leaves_nothing_behind(no_memory: Path) -> None:
    written(no_memory / "config", "a file where a folder should be")
    said = save_settings(Settings("nord"))
    assert said is not None
    assert str(settings_file()) in said
    assert load_settings()[0] == Settings()


def test_a_failed_write_leaves_the_old_file(monkeypatch: pytest.MonkeyPatch) -> None:
    save_settings(Settings("nord"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        said = save_settings(Settings("gruvbox"))
    assert said == f"cannot write {settings_file()}: No space left on device"
    assert load_settings() == (Settings("nord"), None)
    assert [path.name for path in settings_file().parent.iterdir()] == ["settings.json"]


def test_without_a_home_folder_nothing_is_written_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bpstep.tui.settings.user_config_dir", lambda _: "~/.config/bpstep")
    said = save_settings(Settings("nord"))
    assert said is not None
    assert "no home folder" in said
    assert list(tmp_path.iterdir()) == []


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    kept = written(tmp_path / "dotfiles" / "bpstep.json", "{}")
    settings_file().parent.mkdir(parents=True)
    settings_file().symlink_to(kept)
    save_settings(Settings("nord"))
    assert settings_file().is_symlink()
    assert content(kept) == {"theme": "nord"}


# The record of what has been finished.


def test_a_scenario_of_the_program_is_known_by_its_name_and_a_file_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bpstep.scenario import find_scenario

    own = written(tmp_path / "full.yaml", "")
    monkeypatch.chdir(tmp_path)
    assert identity(str(find_scenario("kink"))) == "kink"
    assert identity("full.yaml") == str(own.resolve())


def test_the_record_only_grows() -> None:
    assert load_record() == ({}, None)
    note("full", Progress(begun=True))
    note("kink", Progress(begun=True))
    note("full", Progress(begun=True, seen=True))
    note("full", Progress(begun=True, learned=Score(2, 3)))
    note("full", Progress(begun=True, learned=Score(1, 3)))
    assert load_record()[0] == {
        "full": Progress(begun=True, seen=True, learned=Score(2, 3)),
        "kink": Progress(begun=True),
    }


def test_a_better_score_replaces_one() -> None:
    for right in (1, 3, 2):
        note("full", Progress(learned=Score(right, 3)))
    assert load_record()[0]["full"].learned == Score(3, 3)


def test_the_record_keeps_what_it_does_not_know() -> None:
    kept = {"version": 7, "scenarios": {"full": {"mood": "good"}, "odd": [1]}}
    written(record_file(), json.dumps(kept))
    note("full", Progress(begun=True))
    assert content(record_file()) == {
        "version": 7,
        "scenarios": {"full": {"mood": "good", "begun": True, "seen": False}, "odd": [1]},
    }


@pytest.mark.parametrize("score", [1, [1, 2], {"right": 4, "of": 3}, {"right": "1", "of": 3}, {}])
def test_a_score_that_cannot_be_is_none(score: Any) -> None:
    row = {"begun": True, "seen": "yes", "learned": score}
    written(record_file(), json.dumps({"scenarios": {"full": row}}))
    assert load_record() == ({"full": Progress(begun=True)}, None)


def test_a_broken_record_is_told_and_kept_beside() -> None:
    path = written(record_file(), "{")
    record, said = load_record()
    assert record == {}
    assert said is not None
    assert note("full", Progress(begun=True)) is None
    assert path.with_name("finished.json.broken").read_text() == "{"


def test_a_file_whose_name_is_no_text_is_recorded_too() -> None:
    assert note("/tmp/\udcff.yaml", Progress(seen=True)) is None
    assert load_record()[0] == {"/tmp/\udcff.yaml": Progress(seen=True)}
