"""What commands do unless they are told otherwise, for them and for those who tell of it."""

from __future__ import annotations

DEFAULT_RATES = (0.01, 0.1)
"""The rates of ``update`` where the scenario names none."""

DEFAULT_RATE = 0.01
"""The rate of the update ratios of ``flow`` where the scenario names none."""

DEFAULT_PATHS = 10
"""How many paths are shown."""

LISTED = 1000
"""The most nodes of a list or a table."""

EXPORTS = (".md", ".jsonl", ".svg", ".html")
"""The endings of files that ``export`` writes."""
