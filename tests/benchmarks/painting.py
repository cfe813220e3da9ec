"""How long a key takes to be seen, and the program to be there, beside an empty Textual app.

    PYTHONPATH=tests/support python tests/benchmarks/painting.py [keys] [start]

``keys``: from a key event that reaches the app to the driver having been given the bytes of the
last update that follows from it; each key pressed many times on ``full`` and on 100,000 nodes.
``start``: from the start of the process to the first screen in a terminal, and to the first whole
one, runs of ``bpstep full`` alternating with runs of an empty app that has a header, a footer, a
tree and a table. Without either word, both.
"""

from __future__ import annotations

import argparse
import asyncio
import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pyte
from driving import press
from empty_app import Empty
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot

import bpstep
from bpstep.session.recorded import Recorded
from bpstep.session.session import Session
from bpstep.tui.app import BpstepApp
from bpstep.tui.document import Document, open_path

REPOSITORY = Path(__file__).parents[2]
SIZES = ((80, 24), (160, 50))
KEYS = "sSnjkt"
BEGIN = "2 0 s"
"""Keys pressed before any is timed: away from the start, so that every key has something to do."""
NODES = 100_000
QUIET = 0.05
"""Seconds without output after which an update is over."""
LONGEST = 2.0
"""Seconds after which a key that paints nothing is given up."""


class Writing(HeadlessDriver):
    """A driver of a terminal that is not there: it notes when it is given something to write."""

    last = 0.0
    count = 0
    wrote = asyncio.Event()

    @property
    def is_headless(self) -> bool:
        """Everything is done as for a terminal."""
        return False

    def write(self, data: str) -> None:
        """Note the time."""
        Writing.last = time.perf_counter()
        Writing.count += 1
        Writing.wrote.set()


@dataclass(frozen=True)
class Times:
    """Seconds, one a key press."""

    seconds: Sequence[float]

    @property
    def median(self) -> float:
        """Half were faster."""
        return statistics.median(self.seconds)

    @property
    def p95(self) -> float:
        """Of a hundred, five were slower."""
        return sorted(self.seconds)[round(0.95 * (len(self.seconds) - 1))]


async def settled() -> None:
    """Let the app work until it has written nothing for a while."""
    rest = QUIET
    while rest > 0:
        began = time.perf_counter()
        await asyncio.sleep(rest)
        rest = Writing.last + QUIET - time.perf_counter() if Writing.last > began else 0


async def timed(app: App[None], key: str) -> float | None:
    """Seconds from a key to the last write that follows; None where nothing is painted."""
    Writing.wrote.clear()
    began = time.perf_counter()
    press(app, key)  # type: ignore[arg-type]
    try:
        await asyncio.wait_for(Writing.wrote.wait(), LONGEST)
    except TimeoutError:
        return None
    await settled()
    return Writing.last - began


async def pressed(app: App[None], keys: str, begin: str, size: tuple[int, int]) -> list[float]:
    """The seconds that keys take, each after the one before has been painted."""
    app.driver_class, Writing.wrote = Writing, asyncio.Event()
    found: list[float | None] = []

    async def play(pilot: Pilot[None]) -> None:
        for key in begin.split():
            press(app, key)  # type: ignore[arg-type]
        await settled()
        await settled()
        for key in keys:
            found.append(await timed(app, key))
        app.exit()

    await app.run_async(headless=False, size=size, auto_pilot=play)
    return [seconds for seconds in found if seconds is not None]


def large() -> Document:
    """A graph of 100,000 nodes: a chain in which every node has a second consumer further on."""
    graph = bpstep.Graph()
    recent = [graph.param("w", 1.0), graph.param("v", 1.0)]
    while len(graph) < NODES - 1:
        recent = [*recent[-6:], recent[-1] + recent[0] if len(graph) % 2 else recent[-1] * 0.5]
    return Document("-", Session.open(Recorded(graph.name("loss", recent[-1] + recent[0]))))


def report_keys(presses: int) -> None:
    """Each key on each graph at each size, in milliseconds and against the empty app."""
    for size in SIZES:
        base = Times(asyncio.run(pressed(Empty(), "s" * presses, "", size)))
        print(f"{size[0]}x{size[1]}  empty app: {described(base, base)}", flush=True)
        for name, document in (("full", open_path("full")), (f"{NODES:,} nodes", large())):
            everything: list[float] = []
            for key in KEYS:
                begin = BEGIN if name != "full" else "6 s"
                turns = {"s": "sS", "S": "Ss", "n": "nN", "j": "jk", "k": "kj"}.get(key, key)
                keys = (turns * presses)[: presses * len(turns)]
                seconds = asyncio.run(pressed(BpstepApp([document]), keys, begin, size))
                everything += seconds
                print(f"    {name:>14}  {key}  {described(Times(seconds), base)}", flush=True)
            print(f"  {name:>14} all  {described(Times(everything), base)}", flush=True)


def described(times: Times, base: Times) -> str:
    """Median and p95 in milliseconds, and the median's ratio."""
    return (
        f"median {times.median * 1e3:6.1f} ms   p95 {times.p95 * 1e3:6.1f} ms"
        f"   {times.median / base.median:4.1f} x the empty app   ({len(times.seconds)} keys)"
    )


# From the start of a process to its first screens.


def paints(
    command: Sequence[str], wanted: Sequence[Sequence[str]], size: tuple[int, int], compiled: str
) -> list[float]:
    """Seconds until all of these texts are on the screen of a terminal, for each row of texts."""
    began = time.perf_counter()
    chunks = list(output(command, size, wanted[-1][0], compiled))
    screen, found = pyte.Screen(*size), []
    stream = pyte.ByteStream(screen)
    for moment, chunk in chunks:
        stream.feed(chunk.replace(b"\x1b[>4;1m", b"").replace(b"\x1b[>1u", b""))
        shown = "\n".join(screen.display)
        while len(found) < len(wanted) and all(text in shown for text in wanted[len(found)]):
            found.append(moment - began)
    if len(found) < len(wanted):
        raise SystemExit(f"{command} never showed {wanted[len(found)]}:\n{shown}")
    return found


def output(
    command: Sequence[str], size: tuple[int, int], until: str, compiled: str
) -> Iterator[tuple[float, bytes]]:
    """What a program writes to a terminal, and when, until it is at rest; then it is ended.

    Both are compiled, as what is installed is; ``compiled`` is the folder for that.
    """
    process, terminal = pty.fork()
    if process == 0:
        environment = {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(REPOSITORY)}
        environment |= {"PYTHONPYCACHEPREFIX": compiled}
        for name in ("NO_COLOR", "PYTHONDONTWRITEBYTECODE"):
            environment.pop(name, None)
        os.execve(command[0], list(command), environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    seen = b""
    try:
        while select.select([terminal], [], [], 0.3 if until.encode() in seen else 30)[0]:
            chunk = os.read(terminal, 65536)
            seen += chunk
            yield time.perf_counter(), chunk
        os.write(terminal, b"q")
        while select.select([terminal], [], [], 30)[0] and os.read(terminal, 65536):
            pass
    except OSError:
        pass  # the program has left its terminal
    finally:
        os.waitpid(process, 0)
        os.close(terminal)


OURS = (("full", "loading", "quit"), ("step 0 of 13", "quit"))
"""What is on the first screen, the frame, and on the first whole one."""
NAMES = ("first", "first whole", "the empty app's")
THEIRS = (("row 3", "quit"),)


def report_start(runs: int, compiled: str) -> None:
    """The median ratios of alternating runs."""
    ours = (sys.executable, "-m", "bpstep", "full")
    theirs = (sys.executable, str(Path(__file__).with_name("empty_app.py")))
    found: list[tuple[float, ...]] = []
    for turn in range(runs + 1):
        row = paints(ours, OURS, SIZES[0], compiled) + paints(theirs, THEIRS, SIZES[0], compiled)
        if turn:  # at the first, files are read from the disk, and compiled
            found.append(tuple(row))
    for name, seconds in zip(NAMES, zip(*found, strict=True), strict=True):
        ratio = statistics.median(a / row[-1] for a, row in zip(seconds, found, strict=True))
        print(f"{name} screen: {statistics.median(seconds) * 1e3:.0f} ms, ratio {ratio:.2f}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", metavar="keys|start", default=[])
    parser.add_argument("--presses", type=int, default=200)
    parser.add_argument("--runs", type=int, default=15)
    chosen = parser.parse_args()
    if not chosen.what or "start" in chosen.what:
        with TemporaryDirectory() as compiled:
            report_start(chosen.runs, compiled)
    if not chosen.what or "keys" in chosen.what:
        report_keys(chosen.presses)


if __name__ == "__main__":
    main()
