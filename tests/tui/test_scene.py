from bpstep.scenario import load
from bpstep.session.commands import execute
from bpstep.session.session import Session
from bpstep.tui.begun import breakpoint_line
from bpstep.tui.find import find_node, labels
from bpstep.tui.scene import Scene


def scene(name: str = "full", position: int = 0) -> Scene:
    return Scene(Session.open(load(name)).at(position))


def name(shown: Scene) -> str:
    assert shown.session.graph is not None
    assert shown.selected is not None
    return shown.session.graph.label(shown.selected)


def test_the_selection_follows_the_current_node_until_one_is_chosen() -> None:
    shown = scene(position=6)
    assert name(shown) == "p"
    assert name(shown.moved(shown.session.step())) == "v"
    chosen = shown.choosing_by(1)
    assert name(chosen) == "target"
    assert name(chosen.moved(chosen.session.step())) == "target"
    assert name(chosen.moved(chosen.session.step()).following()) == "v"


def test_the_selection_stops_at_both_ends_of_the_list() -> None:
    assert name(scene().choosing_by(-5)) == "loss"
    assert name(scene().choosing_by(500)) == "x"


def test_a_chosen_node_stays_chosen_by_name_when_the_run_is_another() -> None:
    shown = scene(position=6).choosing_by(-2)
    assert name(shown) == "h"
    changed = shown.moved(execute(shown.session, "set w = 3").session)
    assert changed.session.graph is not shown.session.graph
    assert name(changed) == "h"


def test_rows_are_the_tape_backwards() -> None:
    shown = scene()
    rows = [shown.row_of(index) for index in shown.nodes]
    assert rows == list(range(len(shown.nodes)))[::-1]


def test_a_node_is_found_by_name_then_beginning_then_part() -> None:
    full = scene()
    found = {
        text: find_node(full, text) for text in ("e", "E", "tar", "**", "os", "  h ", "qq", "")
    }
    graph = full.session.graph
    assert graph is not None
    names = {text: index if index is None else graph.label(index) for text, index in found.items()}
    assert names == {
        "e": "e",
        "E": "e",
        "tar": "target",
        "**": "(e**2)",
        "os": "loss",
        "  h ": "h",
        "qq": None,
        "": None,
    }
    assert labels(full)[-1] == "loss"


def test_keys_begin_lines_about_the_selected_node() -> None:
    p = scene(position=6)
    assert breakpoint_line(p) == "break p"
    stopped = p.moved(execute(p.session, "break p; break q; break p").session)
    assert breakpoint_line(stopped) == "delete 1 3"
