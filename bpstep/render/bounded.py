"""Lines of a transcript for a file that is to stay small: what is too long is cut, and said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import line

if TYPE_CHECKING:
    from bpstep.render.writers import Line

LEFT_OUT = "… the rest is left out here; a transcript as .md or .jsonl has all of it"

LONGEST = 1000
"""Lines are cut to so many columns: a tensor that was printed is one line."""


def limited(lines: Iterable[Line], most: int, longest: int = LONGEST) -> Iterator[Text]:
    """The first ``most`` lines, and a remark where there are more, which are not made then."""
    source = iter(lines)
    for each in islice(source, most):
        text = each if isinstance(each, Text) else Text(each)
        text.truncate(longest, overflow="ellipsis")
        yield text
    for _ in islice(source, 1):
        yield line((LEFT_OUT, ui.FAINT))
