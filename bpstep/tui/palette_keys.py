"""The command palette: what keys do, for those who look for it by name or have only a mouse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.dom import DOMNode
from textual.screen import Screen


@dataclass(frozen=True)
class Deed:
    """What keys do on a screen: in words, the action, and whose action it is."""

    says: str
    action: str
    of: DOMNode


class KeyCommands(Provider):
    """Carries out the actions of the keys that have an effect on the screen in sight."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for deed, keys in deeds(self.screen).items():
            yield DiscoveryHit(deed.says, self._act(deed), help=told(keys))

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for deed, keys in deeds(self.screen).items():
            score = matcher.match(deed.says)
            if score > 0:
                yield Hit(score, matcher.highlight(deed.says), self._act(deed), help=told(keys))

    def _act(self, deed: Deed) -> Callable[[], Awaitable[object]]:
        return lambda: self.app.run_action(deed.action, deed.of)


def deeds(screen: Screen[object]) -> dict[Deed, list[str]]:
    """What can be done now, each with the signs of its keys.

    Keys of our tables say what they do. Those of Textual's own, of its inputs say, do not, and are
    left out.
    """
    found: dict[Deed, list[str]] = {}
    for active in screen.active_bindings.values():
        if active.enabled and active.tooltip and active.node is not screen.app:
            deed = Deed(active.tooltip, active.binding.action, active.node)
            found.setdefault(deed, []).append(screen.app.get_key_display(active.binding))
    return found


def told(keys: list[str]) -> str:
    """By which keys this is done."""
    return f"key {'  '.join(keys)}"
