"""Long work in threads: it tells how far it is, can be called off, and never brings stale results.

Each kind of work has one job at a time. A newer one calls the older off, whose result is dropped.
What comes of a job is told to its owner by messages; they do not bubble.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from textual.dom import DOMNode
from textual.message import Message
from textual.worker import Worker, get_current_worker

from bpstep.analysis.progress import Cancelled, reporting
from bpstep.engine.errors import BpstepError
from bpstep.render.progress import News

__all__ = ["Job", "JobDone", "JobNews", "Jobs", "News"]

INTERVAL = 0.05
"""Seconds between two pieces of news."""

PATIENCE = 0.3
"""A job that takes less than these seconds is not told of: a bar would only flash."""

Work: TypeAlias = Callable[[], object]


@dataclass(frozen=True, eq=False)
class Job:
    """A piece of work: ``key`` is what it is about."""

    kind: str
    key: Hashable


@dataclass
class JobNews(Message, bubble=False):
    """A job has come so far."""

    job: Job
    news: News


@dataclass
class JobDone(Message, bubble=False):
    """A job has a result: what it found, or the mistake of a user that it came upon."""

    job: Job
    result: object
    fault: BpstepError | None = None


class Jobs:
    """The jobs of a widget or screen, which is told of them."""

    def __init__(self, owner: DOMNode) -> None:
        self._owner = owner
        self._running: dict[str, tuple[Job, Worker[None]]] = {}

    def start(self, kind: str, key: Hashable, work: Work) -> Job:
        """Begin a job in a thread, in place of one of the same kind."""
        job = Job(kind, key)
        self.cancel(kind)
        worker: Worker[None] = self._owner.run_worker(
            partial(_carried_out, self._owner, job, work),
            thread=True,
            group=f"job of {kind}",
            description=kind,
        )
        self._running[kind] = job, worker
        return job

    def running(self, kind: str) -> Job | None:
        """The job of a kind that has not ended."""
        found = self._running.get(kind)
        return None if found is None else found[0]

    def cancel(self, kind: str) -> bool:
        """Call the job of a kind off; whether there was one."""
        found = self._running.pop(kind, None)
        if found is not None:
            found[1].cancel()
        return found is not None

    def is_current(self, job: Job) -> bool:
        """Whether a message is about the job that was begun last."""
        return self.running(job.kind) is job

    def ended(self, job: Job) -> bool:
        """Forget a job that ended; False where it was called off before, or another was begun."""
        current = self.is_current(job)
        if current:
            del self._running[job.kind]
        return current


def _carried_out(owner: DOMNode, job: Job, work: Work) -> None:
    """In the thread: do the work and tell the owner. A bug of ours is the app's to show."""
    teller = _Teller(owner, job, get_current_worker())
    try:
        with reporting(teller):
            teller.check()
            result, fault = work(), None
    except Cancelled:
        return
    except BpstepError as error:
        result, fault = None, error
    owner.post_message(JobDone(job, result, fault))


@dataclass
class _Teller:
    """Sends news now and then, and leaves when the job is called off."""

    owner: DOMNode
    job: Job
    worker: Worker[None]
    what: str = ""
    since: float = field(default_factory=time.monotonic)
    told: float = field(default_factory=lambda: time.monotonic() + PATIENCE - INTERVAL)

    def check(self) -> None:
        """Leave, if that is wanted."""
        if self.worker.is_cancelled:
            raise Cancelled

    def __call__(self, done: int, total: int, what: str) -> None:
        """How far an analysis has come."""
        self.check()
        now = time.monotonic()
        if what != self.what:
            self.what, self.since = what, now
        if now - self.told >= INTERVAL:
            self.told = now
            self.owner.post_message(JobNews(self.job, News(done, total, what, now - self.since)))
