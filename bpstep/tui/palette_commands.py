"""The command palette: every command of the table, found by name or by what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider

from bpstep.session.commands import COMMANDS

if TYPE_CHECKING:
    from collections.abc import Callable

    from bpstep.session.command import Command
    from bpstep.tui.screens.debug import DebugScreen


class SessionCommands(Provider):
    """Commands that need nothing more are carried out; others are begun on the command line."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for command in COMMANDS:
            yield DiscoveryHit(title(command), self._chosen(command), help=command.summary)

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for command in COMMANDS:
            score = max(matcher.match(title(command)), matcher.match(command.summary) / 2)
            if score > 0:
                shown = matcher.highlight(title(command))
                yield Hit(score, shown, self._chosen(command), help=command.summary)

    def _chosen(self, command: Command) -> Callable[[], None]:
        screen = cast("DebugScreen", self.screen)
        if complete(command):
            return lambda: screen.choose(command.name)
        return lambda: screen.begin(f"{command.name} ")


def title(command: Command) -> str:
    """How a command is listed."""
    return command.usage[0]


def complete(command: Command) -> bool:
    """Whether a command can be carried out as it is: what it takes, if anything, is optional."""
    _, _, rest = command.usage[0].partition(" ")
    return not rest or rest.startswith("[")
