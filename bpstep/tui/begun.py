"""The command lines that keys carry out, about the selected node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.session.breakpoints import AtNode

if TYPE_CHECKING:
    from bpstep.tui.scene import Scene


def selected_name(scene: Scene) -> str | None:
    """The name of the selected node."""
    if scene.session.graph is None or scene.selected is None:
        return None
    return scene.session.graph.label(scene.selected)


def breakpoint_line(scene: Scene) -> str | None:
    """Sets a breakpoint on the selected node, or removes the ones that are there."""
    name = selected_name(scene)
    if name is None:
        return None
    there = [stop.number for stop in scene.session.breakpoints if stop.trigger == AtNode(name)]
    return f"delete {' '.join(map(str, there))}" if there else f"break {name}"
