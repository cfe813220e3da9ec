"""What a pane tells its screen when the user points at a node in it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class NodeChosen(Message):
    """A node was chosen: it becomes the selected one."""

    index: int


@dataclass
class NodeOpened(Message):
    """The card of a node is asked for."""

    index: int
