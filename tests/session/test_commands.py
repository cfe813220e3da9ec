"""The command language: names, abbreviations, repetition, errors with place and choices."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from bpstep.session import reports, standing
from bpstep.session.commands import COMMANDS, execute, find_command
from bpstep.session.errors import CommandError

CONTRACT = {
    "step": "s",
    "reverse-step": "rs",
    "next": "n",
    "reverse-next": "rn",
    "continue": "c",
    "reverse-continue": "rc",
    "goto": "g",
    "next-pass": None,
    "break": "b",
    "breakpoints": None,
    "delete": None,
    "watch": "w",
    "unwatch": None,
    "print": "p",
    "info": "i",
    "list": "l",
    "where": None,
    "grads": None,
    "values": None,
    "paths": None,
    "why": None,
    "check": None,
    "update": None,
    "flow": None,
    "compare": None,
    "set": None,
    "restart": None,
    "source": None,
    "assert": None,
    "export": None,
    "help": "h",
    "quit": "q",
}


def only(outcome):
    (report,) = outcome.reports
    return report


def failing(session, line):
    with pytest.raises(CommandError) as caught:
        execute(session, line)
    return caught.value


def test_the_table_is_the_contract():
    assert {command.name: command.alias for command in COMMANDS} == CONTRACT


def test_every_usage_begins_with_the_command_and_every_summary_is_a_line():
    for command in COMMANDS:
        assert all(usage.split()[0] == command.name for usage in command.usage)
        assert "\n" not in command.summary
        assert command.summary[0].islower()


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("step", "step"),
        ("s", "step"),
        ("st", "step"),
        ("rn", "reverse-next"),
        ("reverse-c", "reverse-continue"),
        ("next", "next"),
        ("next-", "next-pass"),
        ("break", "break"),
        ("breakp", "breakpoints"),
        ("ex", "export"),
        ("w", "watch"),
        ("whe", "where"),
        ("l", "list"),
    ],
)
def test_names_aliases_and_beginnings(typed, name):
    assert find_command(typed).name == name


def test_an_ambiguous_beginning_names_its_choices(full):
    error = failing(full, "re 3")
    assert error.choices == ("reverse-step", "reverse-next", "reverse-continue", "restart")
    assert (error.start, error.end, error.line) == (0, 2, "re 3")


def test_an_unknown_command_suggests_a_near_one(full):
    error = failing(full, "stpe")
    assert "did you mean 'step'?" in str(error)
    assert "grads" in error.choices


@pytest.mark.parametrize(
    ("line", "position"),
    [
        ("step", 1),
        ("s 6", 6),
        ("next 6", 7),
        ("goto 6", 6),
        ("g p", 10),
        ("goto (e**2)", 2),
        ("goto e**2", 2),
        ("goto end", 13),
        ("next-pass", 13),
        ("continue", 13),
        ("s ; s ; s", 3),
        ("s; s # and no more; s", 2),
        ("s 3; rs; n 2; rn", 3),
        ("break p; c; c; rc", 10),
        ("goto end; restart", 0),
    ],
)
def test_where_commands_lead(full, line, position):
    assert execute(full, line).session.position == position


def test_a_stop_tells_where_and_why(full):
    stop = only(execute(full, "step 6"))
    assert isinstance(stop, reports.Stop)
    assert (stop.reason, stop.before, stop.hits) == ("moved", 0, ())
    place = stop.place
    assert (place.position, place.total, place.pass_number, place.kind) == (
        6,
        13,
        1,
        "contribution",
    )
    assert (place.node, place.grad, place.arrived, place.expected) == ("p", 4.0, 1, 2)
    assert not place.complete
    assert place.contribution.source == "y"
    upcoming = place.upcoming
    assert (upcoming.step, upcoming.node, upcoming.source, upcoming.operand) == (7, "v", "q", 0)


def test_why_a_motion_stopped(full, after):
    assert only(execute(full, "rs")).reason == "start"
    assert only(execute(full, "s 13")).reason == "end"
    stop = only(execute(after(full, "break p"), "c"))
    assert (stop.reason, [hit.text for hit in stop.hits]) == ("breakpoint", ["p"])
    assert only(execute(after(full, "break x", "goto end"), "c")).hits == ()


def test_the_start_and_the_end_name_what_comes(full):
    start, end = only(execute(full, "where")), only(execute(full.at(13), "where"))
    assert (start.place.kind, start.place.node, start.place.upcoming.source) == (
        "start",
        "loss",
        None,
    )
    assert end.place.upcoming is None


def test_a_run_that_ends_in_an_error_stops_there(opened):
    session = opened(
        "{bpstep: 1, title: freed, params: {w: 2}, graph: {loss: w * w}, retain_graph: false,"
        " program: [forward, backward, backward]}"
    )
    stop = only(execute(session, "goto end"))
    assert stop.reason == "error"
    assert stop.place.error.code == "graph-freed"


def test_an_empty_line_repeats_the_last_motion(full):
    assert execute(full, "").session is full
    session = execute(full, "step 2; print p").session
    session = execute(session, "").session
    assert session.position == 4
    assert execute(session, "   ").session.position == 6
    assert execute(session, "# a comment").session.position == 4
    assert [entry.line for entry in session.transcript] == ["step 2", "print p", "step 2"]


@pytest.mark.parametrize(
    ("line", "message", "start", "end"),
    [
        ("step x", "whole number of at least 1", 5, 6),
        ("step 0", "whole number of at least 1", 5, 6),
        ("step 1 2", "one too many", 7, 8),
        ("step 9999999999999", "whole number", 5, 18),
        ("step;next", "';' between commands stands after a space", 4, None),
        (
            "s 3;s",
            "step takes a whole number of at least 1 here, not '3;s';"
            " ';' between commands stands after a space",
            2,
            5,
        ),
        ("goto", "goto needs a step", 4, 4),
        ("goto 14", "there is no step 14: this run has 0 to 13", 5, 7),
        ("goto -1", "there is no step -1", 5, 7),
        ("goto target", "nothing arrives at target", 5, 11),
        ("goto pp", "no node is called 'pp'; did you mean 'p'?", 5, 7),
        ("list 5", "list takes no argument", 5, 6),
        ("info nope9", "no node is called 'nope9'; list shows all", 5, 10),
        ("print qwrt", "no node is called 'qwrt'; list shows all", 6, 10),
        ("bogus", "no command is called 'bogus'; help shows all", 0, 5),
        ("assert grad(b) = 4", "unexpected '='; did you mean '=='?", 15, 16),
        ("break if depth = 2", "did you mean '=='?", 15, 16),
        ("print", "print needs an expression", 5, 5),
        ("print p +", "found the end of the expression", 9, 10),
        ("print  pp * 2", "no node is called 'pp'; did you mean 'p'?", 7, 9),
        ("print w @ x", "matmul", 6, 11),
        ("watch grad(pp)", "no node is called 'pp'", 6, 14),
        ("watch grad(w) * 2 + pp", "no node is called 'pp'", 20, 22),
        ("assert grad(w) == 2 and pp", "no node is called 'pp'", 24, 26),
        ("delete 3", "there is no breakpoint 3", 7, 8),
        ("unwatch x", "whole number", 8, 9),
        ("set p = 3", "p is computed (w * x): only a leaf can be set", 4, 5),
        ("set w", "set NAME = EXPR", 4, 5),
        ("set ww = 1", "no node is called 'ww'", 4, 6),
        ("set w = 'a'", "not a number", 8, 11),
        ("assert", "assert needs a condition", 6, 6),
        ("export notes.txt", ".md, .jsonl, .svg, .html; not '.txt'", 7, 16),
        ("help stpe", "no command is called 'stpe'", 5, 9),
        ("source nowhere.txt", "cannot read nowhere.txt: No such file", 7, 18),
        ("check w --steps", "--steps needs step sizes", 8, 15),
        ("check w --steps -1", "greater than 0", 8, 15),
        ("update fast", "'fast' is not a number", 7, 11),
        ("paths p 0", "whole number of at least 1", 8, 9),
    ],
)
def test_a_mistake_names_its_place_and_changes_nothing(full, line, message, start, end):
    error = failing(full, line)
    assert message in str(error)
    assert (error.start, error.end, error.line) == (start, end, line)


def test_a_mistake_keeps_what_was_done_before_it(full):
    error = failing(full, "step 2; print p; oops; step")
    assert error.done.session.position == 2
    assert [type(report) for report in error.done.reports] == [reports.Stop, standing.Printed]
    assert error.line == "oops"


def test_quit_ends_a_line(full):
    outcome = execute(full, "step; quit; step")
    assert outcome.quit
    assert outcome.session.position == 1


def test_export_is_a_request_to_the_caller(full):
    outcome = execute(full, "export out/notes.MD")
    assert [export.path for export in outcome.exports] == [Path("out/notes.MD")]
    assert outcome.reports == ()


def test_every_export_of_a_line_has_the_transcript_of_its_moment(full):
    first, second = execute(full, "step; export a.md; print p; export b.svg").exports
    assert (first.path, second.path) == (Path("a.md"), Path("b.svg"))
    assert [entry.line for entry in first.session.transcript] == ["step"]
    assert [entry.line for entry in second.session.transcript] == ["step", "export a.md", "print p"]


def test_help(full):
    short, long = only(execute(full, "help")), only(execute(full, "help rc"))
    assert short.commands == COMMANDS
    assert not short.details
    assert [command.name for command in long.commands] == ["reverse-continue"]
    assert long.details


def test_the_transcript_keeps_lines_positions_and_reports(full, after):
    session = after(full, "step 3", "print p", "rs")
    assert [(entry.line, entry.before, entry.after) for entry in session.transcript] == [
        ("step 3", 0, 3),
        ("print p", 3, 3),
        ("rs", 3, 2),
    ]
    assert session.transcript[1].reports[0].value == 2.0


def test_reports_do_not_keep_old_transcripts_alive(full, after):
    session = after(full, *["step"] * 5)
    assert all(entry.reports[0].session.transcript == () for entry in session.transcript)


def test_breakpoints_are_listed_and_removed_by_number(full, after):
    session = after(full, "break p", "break y -> p", "break op mul", "delete 2", "break x")
    listed = only(execute(session, "breakpoints")).breakpoints
    assert [(stop.number, stop.text) for stop in listed] == [(1, "p"), (3, "op mul"), (4, "x")]
    gone = only(execute(session, "delete 1 4"))
    assert [stop.number for stop in gone.breakpoints] == [1, 4]
    assert execute(session, "delete").session.breakpoints == ()


def test_watches_are_shown_at_every_stop(full, after):
    session = after(full, "watch grad(p)/grad(w)", "watch running > 10")
    stop = only(execute(session, "goto 6"))
    assert [(watch.number, watch.printed.value) for watch in stop.watches] == [(1, None), (2, 0.0)]
    assert stop.watches[0].printed.missing == "grad(w)"
    stop = only(execute(session, "goto end"))
    assert [watch.printed.value for watch in stop.watches] == [0.5, 1.0]
    assert [watch.number for watch in only(execute(after(session, "unwatch 1"), "w")).watches] == [
        2
    ]
    assert execute(session, "unwatch").session.watches == ()


def test_every_report_is_in_the_union():
    classes = {
        member
        for _, member in inspect.getmembers(reports, inspect.isclass)
        if member.__module__ == reports.__name__
    }
    assert (classes - {reports.Side}) | {standing.Printed} == set(reports.Report.__args__)
