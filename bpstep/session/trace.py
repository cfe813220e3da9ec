"""A run as typed events, in the order in which they happen: what a replay prints."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from bpstep.engine.statements import Forward, Set, Step

if TYPE_CHECKING:
    from bpstep.engine.arithmetic import Value
    from bpstep.engine.faults import Fault
    from bpstep.engine.graph import Graph
    from bpstep.engine.ledger import ConventionUse
    from bpstep.engine.program import Executed, Pass, Run
    from bpstep.engine.run import Effect
    from bpstep.session.session import Session
    from bpstep.session.subject import Subject


@dataclass(frozen=True, eq=False, slots=True)
class ScenarioEvent:
    """What is debugged; ``fault`` is what is wrong with its reverse passes on purpose."""

    title: str
    file: str
    dtype: str
    loss: str
    fault: Fault | None = None


@dataclass(frozen=True, eq=False, slots=True)
class StatementEvent:
    """A statement of the program begins; ``run`` is the forward pass in force (1 first).

    ``effect`` is what it did, where no other event says it.
    """

    run: int
    text: str
    effect: Effect | None = None


@dataclass(frozen=True, eq=False, slots=True)
class LeafEvent:
    """A leaf is put on the tape."""

    run: int
    node: str
    role: str
    value: Value
    requires_grad: bool


@dataclass(frozen=True, eq=False, slots=True)
class ForwardEvent:
    """An operation is evaluated. An operand is a node's name, or a literal's number."""

    run: int
    node: str
    op: str
    expr: str
    operands: tuple[str | float, ...]
    value: Value
    requires_grad: bool


@dataclass(frozen=True, eq=False, slots=True)
class SeedEvent:
    """A reverse pass begins: its output receives a gradient of 1."""

    run: int
    pass_number: int
    step: int
    node: str
    grad: Value


@dataclass(frozen=True, eq=False, slots=True)
class ContributionEvent:
    """``source`` sends to ``node`` by its operand position ``operand``.

    ``local`` is None where the local map has no elementwise form; ``rule`` says it in a formula.
    ``op`` and ``expr`` are the consumer's. ``buffer`` is what a leaf held before the pass, with
    ``buffers: accumulate``, else None.
    """

    run: int
    pass_number: int
    step: int
    node: str
    source: str
    operand: int
    upstream: Value
    local: Value | None
    rule: str
    value: Value
    running: Value
    arrived: int
    expected: int
    buffer: Value | None
    convention: ConventionUse | None
    op: str
    expr: str


@dataclass(frozen=True, eq=False, slots=True)
class CompleteEvent:
    """Everything has arrived at ``node``: ``grad`` is its gradient in this pass."""

    run: int
    pass_number: int
    step: int
    node: str
    grad: Value


@dataclass(frozen=True, eq=False, slots=True)
class GhostEvent:
    """What the detach ``through`` kept from arriving at ``node`` in the pass that just ended."""

    run: int
    pass_number: int
    node: str
    through: str
    value: Value


@dataclass(frozen=True, eq=False, slots=True)
class ResultEvent:
    """The end of the program: values and gradients of every node, None where nothing arrived.

    ``moments`` says of when they are, where they are not all of one forward pass.
    """

    loss: Value | None
    values: Mapping[str, Value]
    grads: Mapping[str, Value | None]
    moments: Moments | None = None


@dataclass(frozen=True)
class Moments:
    """Of when the numbers at the end of a program are.

    ``pass_number`` is the last pass, over the graph of forward pass ``pass_run``; values are of
    forward pass ``run``, but leaves as they were after the statement ``leaves_after`` (None: as
    they were recorded). Forward passes and passes count from 1.
    """

    pass_number: int
    pass_run: int
    run: int
    leaves_after: str | None


@dataclass(frozen=True, eq=False, slots=True)
class ErrorEvent:
    """The error in which the run ends, in place of the result."""

    code: str
    message: str


Event: TypeAlias = (
    ScenarioEvent
    | StatementEvent
    | LeafEvent
    | ForwardEvent
    | SeedEvent
    | ContributionEvent
    | CompleteEvent
    | GhostEvent
    | ResultEvent
    | ErrorEvent
)


def events(session: Session, start: int | None = None, stop: int | None = None) -> Iterator[Event]:
    """What happens between two positions, whatever the session's own.

    The events of the steps after ``start`` up to ``stop``, each statement before the step that
    comes after it, a pass's ghosts after its last step. Without ``start``, from the very
    beginning: the scenario, the forward pass. Without ``stop``, to the very end: what follows the
    last step, and the result or the error.
    """
    run = session.run
    after = -1 if start is None else start
    last = run.steps + 1 if stop is None else stop
    if start is None:
        yield _scenario(session.scenario)
    for due, executed in _timetable(run):
        if after < due <= last:
            yield StatementEvent(executed.run, executed.text, executed.effect)
            yield from _recorded(executed)
        if executed.pass_ is not None:
            yield from _steps(executed.pass_, after, last)
    if stop is None:
        yield ErrorEvent(run.error.code, str(run.error)) if run.error else _result(session)


def _scenario(subject: Subject) -> ScenarioEvent:
    return ScenarioEvent(subject.title, subject.path, subject.dtype, subject.loss, subject.fault)


def _timetable(run: Run) -> Iterator[tuple[int, Executed]]:
    """Each statement with the position that it belongs to.

    That is the one of the step after it; what stands before the first pass belongs to position 0,
    so that there is a forward pass to look at.
    """
    begun = False
    for executed in run.statements:
        begun = begun or executed.pass_ is not None
        yield executed.steps_before + 1 if begun else 0, executed


def _recorded(executed: Executed) -> Iterator[Event]:
    graph = executed.graph
    if not isinstance(executed.statement, Forward) or graph is None:
        return
    for index in graph.visible():
        if graph.operation(index) is None:
            yield _leaf(executed.run, graph, index)
        else:
            yield _forward(executed.run, graph, index)


def _leaf(run: int, graph: Graph, index: int) -> LeafEvent:
    return LeafEvent(
        run,
        graph.label(index),
        graph.role(index),
        graph.recorded(index),
        graph.requires_grad(index),
    )


def _forward(run: int, graph: Graph, index: int) -> ForwardEvent:
    operation = graph.operation(index)
    assert operation is not None, "only operations are evaluated"
    return ForwardEvent(
        run=run,
        node=graph.label(index),
        op=operation.name,
        expr=graph.expression(index),
        operands=tuple(_operand(graph, operand) for operand in graph.operands(index)),
        value=graph.recorded(index),
        requires_grad=graph.requires_grad(index),
    )


def _operand(graph: Graph, operand: int) -> str | float:
    value = graph.values[operand]
    if graph.role(operand) == "literal" and isinstance(value, float):
        return value
    return graph.label(operand)


def _steps(pass_: Pass, after: int, last: int) -> Iterator[Event]:
    first = max(after, pass_.first) + 1
    for position in range(first, min(last, pass_.last) + 1):
        yield from _step(pass_, position)
    if after < pass_.last <= last:
        yield from _ghosts(pass_)


def _step(pass_: Pass, position: int) -> Iterator[Event]:
    event = _sent(pass_, position) if position > pass_.first + 1 else _seed(pass_, position)
    yield event
    if pass_.ledger.completed_at(position - pass_.first):
        grad = event.grad if isinstance(event, SeedEvent) else event.running
        yield CompleteEvent(pass_.run, pass_.number, position, event.node, grad)


def _seed(pass_: Pass, position: int) -> SeedEvent:
    grad = pass_.ledger.at(1).grad(pass_.ledger.output)
    assert grad is not None, "a seed is a gradient"
    return SeedEvent(pass_.run, pass_.number, position, pass_.output, grad)


def _sent(pass_: Pass, position: int) -> ContributionEvent:
    entry, graph = pass_.ledger.contribution(position - pass_.first), pass_.graph
    operation = graph.operation(entry.source_id)
    return ContributionEvent(
        run=pass_.run,
        pass_number=pass_.number,
        step=position,
        node=entry.target,
        source=entry.source,
        operand=entry.operand,
        upstream=entry.upstream,
        local=entry.local,
        rule=entry.rule,
        value=entry.value,
        running=entry.running,
        arrived=entry.arrived,
        expected=entry.expected,
        buffer=entry.buffer,
        convention=entry.convention,
        op=operation.name if operation else "",
        expr=graph.expression(entry.source_id),
    )


def _ghosts(pass_: Pass) -> Iterator[GhostEvent]:
    label = pass_.graph.label
    for ghost in pass_.ledger.ghosts():
        yield GhostEvent(
            pass_.run, pass_.number, label(ghost.node), label(ghost.through), ghost.value
        )


def _result(session: Session) -> ResultEvent:
    run, graph = session.run, session.run.graph
    names = [graph.label(index) for index in graph.visible()] if graph else []
    values = {name: run.value(name) for name in names}
    return ResultEvent(
        loss=values.get(session.scenario.loss),
        values=values,
        grads={name: run.grad(name) for name in names},
        moments=moments(run),
    )


def moments(run: Run) -> Moments | None:
    """Of when the numbers at the end of a run are; None where all are of one forward pass."""
    if not run.passes:
        return None
    last, changed = run.passes[-1], None
    for executed in run.statements:
        if isinstance(executed.statement, Forward):
            changed = None
        elif isinstance(executed.statement, Set | Step):
            changed = executed.text
    forward = run.statements[-1].run
    if changed is None and last.run == forward:
        return None
    return Moments(last.number, last.run, forward, changed)
