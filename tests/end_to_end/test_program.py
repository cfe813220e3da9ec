"""The program itself, as a process: statuses, streams, formats."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pexpect
import pytest

from bpstep.cli import main

PROGRAM = [sys.executable, "-m", "bpstep"]
PLAIN = {
    name: value
    for name, value in os.environ.items()
    if name not in ("NO_COLOR", "FORCE_COLOR", "TERM")
}
REPOSITORY = Path(__file__).parents[2]

SQUARE = """\
bpstep: 1
title: A square
params: {w: 3}
graph: {loss: w**2}
expect: {grads: {w: 6}}
"""
WRONG_NUMBER = SQUARE.replace("w: 6", "w: 7")
FREED = """\
bpstep: 1
title: Freed
params: {w: 3}
graph: {loss: w**2}
retain_graph: false
program: [forward, backward, backward]
"""
LONG = """\
bpstep: 1
title: Long
params: {w: 1}
graph:
  - a0: w * 1
  - repeat: {i: [1, 3000]}
    do:
      - "a{i}": a{i-1} * w
  - loss: a3000
"""


def run(*arguments, stdin="", **environment):
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        env={**PLAIN, "PYTHONPATH": str(REPOSITORY), **environment},
        check=False,
    )


@pytest.fixture
def call(capfd, monkeypatch):
    """The program called within this process: quicker, where the process is not the point."""

    def called(*arguments, stdin=""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        with pytest.raises(SystemExit) as ended:
            main([*map(str, arguments)])
        said = capfd.readouterr()
        return subprocess.CompletedProcess(arguments, ended.value.code, said.out, said.err)

    return called


@pytest.fixture
def file(tmp_path):
    def written(text, name="made.yaml"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def events(done):
    return [json.loads(line) for line in done.stdout.splitlines()]


class TestCalls:
    def test_version(self):
        done = run("--version")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("bpstep ")

    @pytest.mark.parametrize("option", ["--version", "--help"])
    def test_what_is_asked_of_the_program_itself_is_answered_without_anything_heavy(self, option):
        code = (
            "import sys\nfrom bpstep.cli import main\ntry:\n    main(sys.argv[1:])\n"
            "except SystemExit:\n    print(*sys.modules)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, option], capture_output=True, text=True, check=True,
            env={**PLAIN, "PYTHONPATH": str(REPOSITORY)},
        )  # fmt: skip
        loaded = set(done.stdout.splitlines()[-1].split())
        assert "bpstep.cli.calls" in loaded
        assert not loaded & {"numpy", "pydantic", "yaml", "rich", "textual", "unittest"}

    @pytest.mark.parametrize("words", [["--help"], ["-h"], ["replay", "--help"], ["check", "-h"]])
    def test_help(self, call, words):
        done = call(*words)
        assert done.returncode == 0
        assert done.stdout.startswith("Usage: bpstep")

    def test_help_says_how_to_complete_names(self, call):
        assert "_BPSTEP_COMPLETE=bash_source bpstep" in call("--help").stdout

    @pytest.mark.parametrize(
        "words",
        [
            ["--nonsense"],
            ["replay"],
            ["replay", "full", "--format", "xml"],
            ["replay", "full", "-x", "no-such-script"],
            ["replay", "-", "-"],
            ["replay", "-", "-x", "-"],
            ["check"],
            ["check", "full", "--format", "yaml"],
        ],
        ids=" ".join,
    )
    def test_a_wrong_call(self, call, words):
        done = call(*words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "Error:" in done.stderr
        assert "Traceback" not in done.stderr

    def test_a_mistyped_option_value_is_told_the_choices(self, call):
        said = call("replay", "full", "--format", "jsnol").stderr
        assert "text" in said
        assert "jsonl" in said

    @pytest.mark.parametrize("words", [["replay", "kinck"], ["check", "kinck"], ["kinck"]])
    def test_a_mistyped_scenario_is_told_the_nearest(self, call, words):
        done = call(*words)
        assert done.returncode == 2
        assert "did you mean: kink" in done.stderr

    def test_a_mistyped_command_is_told_the_nearest(self, call):
        done = call("replya")
        assert done.returncode == 2
        assert "did you mean the command: replay" in done.stderr

    @pytest.mark.parametrize("words", [[], ["full"], ["full", "kink"]])
    def test_the_app_without_a_terminal_is_a_wrong_call_that_names_replay(self, call, words):
        done = call(*words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert "bpstep replay" in done.stderr

    def test_a_file_named_like_a_command_is_reached_by_its_path(self, file):
        path = file(SQUARE, "replay")
        done = subprocess.run(
            [*PROGRAM, "./replay"],
            cwd=path.parent,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env={**PLAIN, "PYTHONPATH": str(REPOSITORY)},
            check=False,
        )
        assert "use: bpstep replay ./replay" in done.stderr

    @pytest.mark.parametrize("arguments", [["full", "-c", "s"], ["-c", "s", "full"]])
    def test_an_option_of_replay_without_it_names_the_call(self, call, arguments):
        done = call(*arguments)
        assert done.returncode == 2
        assert f"-c is an option of replay: bpstep replay {' '.join(arguments)}" in done.stderr

    def test_completion_knows_commands_and_scenarios(self):
        def completed(*words):
            line = " ".join(["bpstep", *words])
            done = run(
                _BPSTEP_COMPLETE="bash_complete",
                COMP_WORDS=line,
                COMP_CWORD=str(len(words)),
            )
            return {entry.split(",")[-1] for entry in done.stdout.splitlines()}

        assert {"replay", "residual-chain"} <= completed("re")
        assert {"kink"} <= completed("replay", "ki")
        assert {"kink"} <= completed("check", "ki")


class TestReplay:
    def test_the_network(self):
        done = run("replay", "full", "--format", "jsonl")
        assert (done.returncode, done.stderr) == (0, "")
        made = events(done)
        order = [one["node"] for one in made if one["event"] in ("seed", "contribution")]
        assert order == ["loss", "(e**2)", "e", "y", "q", "p", "v", "h", "z", "p", "b", "w", "x"]
        sums = [one["running"] for one in made if one.get("from") and one["node"] == "p"]
        assert sums == [4.0, 16.0]
        grads = next(one["grads"] for one in made if one["event"] == "result")
        assert [grads[name] for name in "wbvx"] == [32.0, 12.0, 4.0, 16.0]

    @pytest.mark.parametrize("form", ["text", "jsonl", "markdown"])
    def test_twice_is_byte_identical(self, form):
        script = "watch grad(w); break p; c; info; paths w; check w; update; set b = -2; g end; l"
        first = run("replay", "full", "-c", script, "--format", form)
        second = run("replay", "full", "-c", script, "--format", form)
        assert first.returncode == 0
        assert first.stdout == second.stdout
        assert len(first.stdout) > 1000

    def test_standard_input(self, call):
        done = call("replay", "-", "--format", "jsonl", stdin=SQUARE)
        assert done.returncode == 0
        assert events(done)[0]["file"] == "-"
        assert events(done)[-1]["grads"]["w"] == 6.0

    def test_bytes_that_are_no_text_have_a_place(self):
        done = subprocess.run(
            [*PROGRAM, "replay", "-"],
            input=b"bpstep: 1\ntitle: \xff\n",
            capture_output=True,
            env={**PLAIN, "PYTHONPATH": str(REPOSITORY)},
            check=False,
        )
        assert done.returncode == 2
        assert b"-:2:8" in done.stderr

    def test_several_files_run_in_turn_and_a_wrong_one_stops_none(self, call, file):
        bad = file("bpstep: 1\ntitle: Bad\ngraph: {loss: wx}\n", "bad.yaml")
        done = call("replay", file(SQUARE), bad, "full", "--format", "jsonl")
        assert done.returncode == 2
        assert [one["loss"] for one in events(done) if one["event"] == "result"] == [9.0, 8.0]
        assert f"{bad}:3:15" in done.stderr
        assert "Traceback" not in done.stderr

    def test_output_goes_to_a_file_whose_ending_implies_the_format(self, call, tmp_path):
        for name, start in [("a.jsonl", '{"event"'), ("a.md", "# "), ("a.txt", "Every path")]:
            done = call("replay", "full", "-o", tmp_path / name)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            text = (tmp_path / name).read_text(encoding="utf-8")
            assert text.startswith(start)
            assert "\x1b" not in text

    def test_the_file_has_what_the_stream_would_have(self, tmp_path):
        run("replay", "full", "-o", tmp_path / "out.txt", FORCE_COLOR="1")
        assert (tmp_path / "out.txt").read_text(encoding="utf-8") == run("replay", "full").stdout

    def test_a_file_is_not_emptied_for_nothing_nor_an_input_overwritten(self, call, file, tmp_path):
        kept = file("precious", "out.txt")
        assert call("replay", "no-such", "-o", kept).returncode == 2
        assert kept.read_text() == "precious"
        scenario = file(SQUARE)
        done = call("replay", scenario, "-o", scenario)
        assert done.returncode == 2
        assert scenario.read_text() == SQUARE

    @pytest.mark.parametrize(
        ("ending", "start"), [(".svg", "<svg "), (".html", "<!DOCTYPE"), (".HTML", "<!DOCTYPE")]
    )
    def test_a_picture_is_drawn_when_all_is_done(self, call, tmp_path, ending, start):
        path = tmp_path / f"out{ending}"
        for script in ([], ["-c", "g 6; print grad(p)"]):
            done = call("replay", "full", *script, "-o", path)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            text = path.read_text(encoding="utf-8")
            assert text.startswith(start)
            assert ("print&#160;grad(p)" in text or "print grad(p)" in text) is bool(script)

    def test_a_picture_of_a_script_with_mistakes_has_what_was_done(self, call, tmp_path):
        path = tmp_path / "out.html"
        done = call("replay", "full", "-c", "g 6; assert grad(p) == 5; print pp", "-o", path)
        assert (done.returncode, done.stdout) == (2, "")
        assert "pp" in done.stderr
        assert "assert grad(p) == 5" in path.read_text(encoding="utf-8")

    def test_a_picture_is_of_one_scenario_and_has_the_format_of_its_ending(self, call, tmp_path):
        path = tmp_path / "out.svg"
        for arguments in (["full", "kink"], ["full", "--format", "text"]):
            done = call("replay", *arguments, "-o", path)
            assert done.returncode == 2
            assert ".svg" in done.stderr
            assert not path.exists()

    def test_a_file_that_cannot_be_written(self, call, tmp_path):
        done = call("replay", "full", "-o", tmp_path / "no" / "such" / "folder.txt")
        assert done.returncode == 2
        assert "folder.txt" in done.stderr
        assert "Traceback" not in done.stderr

    def test_an_error_that_is_not_expected_makes_the_status_1(self, call, file):
        done = call("replay", file(FREED), "--format", "jsonl")
        assert done.returncode == 1
        assert events(done)[-1]["event"] == "error"
        assert events(done)[-1]["code"] == "graph-freed"
        assert "graph-freed" in done.stderr

    def test_an_error_that_is_expected_makes_it_0(self, call, file):
        done = call("replay", file(FREED + "expect: {error: graph-freed}\n"))
        assert (done.returncode, done.stderr) == (0, "")
        assert "the run ends in the error graph-freed" in done.stdout


class TestCommands:
    def test_commands_come_after_the_opening(self, call):
        made = events(call("replay", "full", "-c", "p p; g 6; p grad(p)", "--format", "jsonl"))
        names = [one["event"] for one in made]
        opening = names.index("print")
        assert set(names[:opening]) == {"scenario", "statement", "leaf", "forward"}
        assert names[-1] == "print"
        assert made[-1]["value"] == 4.0
        assert "result" not in names

    def test_scripts_come_before_commands(self, call, file):
        script = file("goto 3   # a comment\n\nprint grad(e)\n", "a.txt")
        done = call("replay", "full", "-c", "p 2", "-x", script, "--format", "jsonl")
        printed = [one["expr"] for one in events(done) if one["event"] == "print"]
        assert printed == ["grad(e)", "2"]

    def test_a_script_from_standard_input(self, call):
        done = call("replay", "full", "-x", "-", stdin="g end\np grad(w)")
        assert done.returncode == 0
        assert "grad(w) = 32" in done.stdout

    def test_no_command_at_all_is_only_the_opening(self, call):
        done = call("replay", "full", "-c", "")
        assert done.returncode == 0
        assert "backward" not in done.stdout

    def test_a_wrong_command_ends_the_script_with_its_place(self, call, file):
        script = file("goto 6\nprint grad(p)\n\nprnt 3; print 1\nprint 2\n", "a.txt")
        done = call("replay", "full", "-x", script, "-c", "print 3")
        assert done.returncode == 2
        assert (
            f"bpstep: {script}:4: no command is called 'prnt'; did you mean 'print'?" in done.stderr
        )
        assert "    prnt 3\n    ^^^^\n" in done.stderr
        assert "grad(p) = 4" in done.stdout
        assert "> print 1" not in done.stdout

    def test_commands_that_do_not_exist_are_told_before_anything_runs(self, call, tmp_path):
        first, second = tmp_path / "a.md", tmp_path / "b.md"
        done = call(
            "replay", "full", "-c", f"g 6; export {first}; bogus 1", "-c", f"oops; export {second}"
        )
        assert done.returncode == 2
        assert "no command is called 'bogus'; help shows all" in done.stderr
        assert "no command is called 'oops'" in done.stderr
        assert done.stderr.endswith(f"wrote {first}\n")
        assert "step 6 of 13" in done.stdout
        assert not second.exists()

    def test_a_script_that_reads_itself_is_named_once(self, call, file):
        script = file("source loop.bps\n", "loop.bps")
        script.write_text(f"source {script}\n")
        done = call("replay", "full", "-x", script)
        assert done.returncode == 2
        assert f"bpstep: {script}:1: {script} reads itself\n" in done.stderr

    def test_a_wrong_command_does_not_keep_other_files_from_running(self, call):
        done = call("replay", "full", "kink", "-c", "g end; p grad(w); p nonsense")
        assert done.returncode == 2
        assert "grad(w) = 32" in done.stdout
        assert "grad(w) = 2" in done.stdout

    def test_a_wrong_command_in_a_sourced_script(self, call, file):
        script = file("goto 6\nprint grad(p)\nfrobnicate\n", "inner.txt")
        done = call("replay", "full", "-c", f"source {script}")
        assert done.returncode == 2
        assert "grad(p) = 4" in done.stdout
        assert f"{script}:3:" in done.stderr

    @pytest.mark.parametrize(("condition", "status"), [("grad(w) == 32", 0), ("grad(w) == 31", 1)])
    def test_assert(self, call, condition, status):
        done = call("replay", "full", "-c", f"g end; assert {condition}; p 1")
        assert done.returncode == status
        assert "1 = 1" in done.stdout

    def test_quit_ends_the_script(self, call):
        assert "> p 1" not in call("replay", "full", "-c", "q; p 1").stdout

    @pytest.mark.parametrize("ending", ["md", "jsonl", "svg", "html"])
    def test_export(self, call, tmp_path, ending):
        path = tmp_path / f"out.{ending}"
        done = call("replay", "full", "-c", f"g 6; export {path}")
        assert (done.returncode, done.stderr) == (0, f"wrote {path}\n")
        assert path.stat().st_size > 1000

    def test_an_export_that_cannot_be_written(self, call, tmp_path):
        done = call("replay", "full", "-c", f"export {tmp_path}/no/such.md; p 1")
        assert done.returncode == 2
        assert "cannot write" in done.stderr
        assert "> p 1" not in done.stdout

    def test_twenty_commands_in_each_format(self):
        script = Path(__file__).with_name("twenty-commands.txt")
        for form in ("text", "jsonl", "markdown"):
            done = run("replay", "full", "-x", script, "--format", form)
            assert (done.returncode, done.stderr) == (0, "")
            assert done.stdout == run("replay", "full", "-x", script, "--format", form).stdout


class TestCheck:
    def test_all_well(self, call):
        done = call("check", "full", "kink")
        assert (done.returncode, done.stderr) == (0, "")
        assert "2 scenarios: 2 ok" in done.stdout

    def test_a_failure(self, call, file):
        path = file(WRONG_NUMBER)
        done = call("check", path, "--format", "json")
        assert (done.returncode, done.stderr) == (1, "")
        assert json.loads(done.stdout) == {
            "ok": False,
            "scenarios": [
                {
                    "file": str(path),
                    "title": "A square",
                    "ok": False,
                    "failures": [{"what": "grads.w", "expected": 7, "found": 6.0}],
                }
            ],
        }

    def test_a_folder_means_every_scenario_in_it(self, call, file, tmp_path):
        for name in ("b.yaml", "a.yml", "c.txt"):
            file(SQUARE, name)
        found = json.loads(call("check", tmp_path, "--format", "json").stdout)
        assert [Path(one["file"]).name for one in found["scenarios"]] == ["a.yml", "b.yaml"]

    def test_an_empty_folder_and_a_missing_path_are_wrong_calls(self, call, tmp_path):
        for path in (tmp_path, tmp_path / "missing.yaml"):
            done = call("check", path, "full")
            assert done.returncode == 2
            assert str(path) in done.stderr
            assert "Every path into p counts" in done.stdout

    def test_an_invalid_file_is_a_failure_and_the_others_are_judged(self, call, file, tmp_path):
        file("bpstep: 1\ntitle: x\ngrph: {}\n", "a.yaml")
        file(SQUARE, "b.yaml")
        done = call("check", tmp_path, "--format", "json")
        assert done.returncode == 2
        assert "did you mean" in done.stderr
        first, second = json.loads(done.stdout)["scenarios"]
        assert [one["what"] for one in first["failures"]] == ["file"]
        assert second["ok"]

    def test_junit(self, call, file, tmp_path):
        file(SQUARE, "good.yaml")
        file(WRONG_NUMBER, "wrong.yaml")
        done = call("check", tmp_path, "--format", "junit")
        assert done.returncode == 1
        root = ElementTree.fromstring(done.stdout)
        assert (root.get("tests"), root.get("failures")) == ("2", "1")

    def test_standard_input(self, call):
        done = call("check", "-", "--format", "json", stdin=SQUARE)
        assert done.returncode == 0
        assert json.loads(done.stdout)["scenarios"][0]["file"] == "-"

    def test_an_unexpected_error_of_the_run_fails(self, call, file):
        done = call("check", file(FREED), "--format", "json")
        assert done.returncode == 1
        assert json.loads(done.stdout)["scenarios"][0]["failures"][0]["what"] == "error"


class TestReference:
    def test_list(self, call):
        done = call("list")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.splitlines()[0].split(maxsplit=1) == ["full", "Every path into p counts"]
        assert "not a valid scenario" not in done.stdout

    def test_schema(self, call):
        schema = json.loads(call("schema").stdout)
        assert schema["$schema"].startswith("https://json-schema.org/")
        assert {"bpstep", "title", "graph"} <= set(schema["properties"])


class TestStreams:
    def test_a_pipe_has_no_colour_unless_it_is_forced(self):
        assert "\x1b" not in run("replay", "full", TERM="xterm-256color").stdout
        assert "\x1b[" in run("replay", "full", FORCE_COLOR="1").stdout
        assert "\x1b" not in run("replay", "full", FORCE_COLOR="1", NO_COLOR="1").stdout
        assert "\x1b" not in run("replay", "full", FORCE_COLOR="1", NO_COLOR="1").stderr

    def test_colour_changes_nothing_but_colour(self):
        import re

        coloured = run("replay", "full", "-c", "g 6; info; l; help", FORCE_COLOR="1").stdout
        plain = run("replay", "full", "-c", "g 6; info; l; help").stdout
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain

    @pytest.mark.parametrize(
        ("environment", "coloured"),
        [({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)],
    )
    def test_a_terminal_has_colour(self, environment, coloured):
        settings = {**PLAIN, "PYTHONPATH": str(REPOSITORY), "TERM": "xterm-256color", **environment}
        child = pexpect.spawn(
            PROGRAM[0], [*PROGRAM[1:], "replay", "full"], env=settings, encoding="utf-8", timeout=30
        )
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0
        assert "Every path into p counts" in child.before
        assert ("\x1b" in child.before) == coloured

    def test_json_never_has_colour(self):
        assert "\x1b" not in run("replay", "full", "--format", "jsonl", FORCE_COLOR="1").stdout

    def test_a_report_has_colour_too(self):
        assert "\x1b[" in run("check", "full", FORCE_COLOR="1").stdout
        assert "\x1b" not in run("check", "full", FORCE_COLOR="1", NO_COLOR="1").stdout

    def test_an_encoding_that_lacks_a_character_is_no_failure(self):
        done = run("replay", "full", PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stderr) == (0, "")
        assert "\\u25cf" in done.stdout

    @pytest.mark.parametrize(
        "call",
        [["replay"], ["replay", "--format", "jsonl"], ["replay", "--format", "markdown"]],
        ids=" ".join,
    )
    def test_a_closed_pipe_ends_quietly(self, file, call):
        process = start(*call, file(LONG))
        assert process.stdout.readline()
        process.stdout.close()
        assert process.wait() == 0
        assert process.stderr.read() == ""
        process.stderr.close()

    @pytest.mark.parametrize("closed", [">&-", "<&-", "2>&-", ">&- 2>&- <&-"])
    def test_a_stream_that_is_closed_from_the_start_is_no_failure(self, closed):
        done = subprocess.run(
            ["/bin/sh", "-c", f"{' '.join(PROGRAM)} replay full {closed}"],
            capture_output=True,
            text=True,
            env={**PLAIN, "PYTHONPATH": str(REPOSITORY)},
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")

    def test_a_full_disk_is_reported(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run(
                [*PROGRAM, "replay", "full"],
                stdout=full,
                stderr=subprocess.PIPE,
                text=True,
                env={**PLAIN, "PYTHONPATH": str(REPOSITORY)},
                check=False,
            )
        assert done.returncode == 2
        assert done.stderr == "bpstep: cannot write standard output: No space left on device\n"

    def test_the_app_takes_a_scenario_from_a_pipe_and_keys_from_the_terminal(self, file):
        child = pexpect.spawn(
            "/bin/sh",
            ["-c", f"cat {file(SQUARE)} | {' '.join(PROGRAM)} -"],
            env={**PLAIN, "PYTHONPATH": str(REPOSITORY), "TERM": "xterm-256color"},
            dimensions=(36, 120),
            encoding="utf-8",
            timeout=60,
        )
        child.expect("A square")
        child.send("q")
        child.expect(pexpect.EOF)
        child.close()
        assert child.exitstatus == 0

    def test_an_interrupt_ends_with_130_and_no_traceback(self, file):
        process = start("replay", file(LONG))
        # More follows than a pipe holds: after the first line the program is still writing.
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
        assert process.returncode == 130
        assert "Traceback" not in said

    def test_escapes_in_a_call_reach_no_terminal(self, call):
        name = "a\x1b[2Jb"
        for words in (
            [name],
            ["replay", name],
            ["replay", "x", f"--{name}"],
            ["replay", "x", "-x", name],
        ):
            done = call(*words)
            assert done.returncode == 2
            assert "[2Jb" in done.stderr
            assert "\x1b" not in done.stderr

    def test_escapes_in_a_title_reach_no_terminal(self, file):
        done = run("replay", file(SQUARE.replace("A square", '"A \\u202e square"')))
        assert done.returncode in (0, 2)
        assert "\u202e" not in done.stdout + done.stderr


def start(*arguments):
    return subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**PLAIN, "PYTHONPATH": str(REPOSITORY)},
    )
