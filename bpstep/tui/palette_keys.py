"""The command palette: what keys do, for those who look for it by name or have only a mouse."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.command import DiscoveryHit, Hit, Hits, Provider

from bpstep.tui.keys import DEBUG_KEYS, MOVE, Key

OFFERED = tuple(key for key in DEBUG_KEYS if key.group != MOVE)
"""All but motions, which are commands of the session with the same names."""


class KeyCommands(Provider):
    """Carries out the action of a key."""

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for key in OFFERED:
            yield DiscoveryHit(key.says, self._act(key), help=told(key))

    async def search(self, query: str) -> Hits:
        """Those that fit what is typed."""
        matcher = self.matcher(query)
        for key in OFFERED:
            score = matcher.match(key.says)
            if score > 0:
                yield Hit(score, matcher.highlight(key.says), self._act(key), help=told(key))

    def _act(self, key: Key) -> Callable[[], Awaitable[object]]:
        return lambda: self.screen.run_action(key.action)


def told(key: Key) -> str:
    """By which keys this is done."""
    return f"key {'  '.join(key.shown)}"
