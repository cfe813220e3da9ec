"""Where a value or a gradient that is not finite first arises, in the forward or the reverse pass.

A number that is not finite is followed back through what is not finite too. Where a factor was
zero the zero is followed as well: 0 × inf is how the branch that ``where`` did not select comes
back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bpstep.analysis.elements import Index
from bpstep.analysis.forward_origins import ForwardOrigin, first_of, forward_origins, hiding_where
from bpstep.analysis.zero_search import ZeroSearch
from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.ledger import Ledger
from bpstep.engine.rules import Edge, local_derivative, masked, spread_factors

Kind = Literal["inf", "nan"]


@dataclass(frozen=True, eq=False)
class ReverseOrigin:
    """A contribution in which inf or nan first arises.

    ``node`` sends to ``receiver`` at ``step``; where it is None, contributions that were all
    without it sum to it at ``receiver``. ``upstream`` and ``local`` are the two factors at the
    first such element, of index ``index`` (None where the rule has no elementwise form);
    ``value`` is their product. ``unselected`` is the ``where`` that did not choose this branch, so
    that a zero was sent into it. ``read`` are the nodes the rule reads whose values are not finite.
    """

    kind: Kind
    node: str | None
    receiver: str
    step: int | None
    operand: int | None
    upstream: float | None
    local: float | None
    value: float
    index: Index
    elements: int
    unselected: str | None
    read: tuple[str, ...]

    @property
    def product(self) -> bool:
        """Whether it is a zero times something that is not finite."""
        if self.upstream is None or self.local is None:
            return False
        return 0 in (self.upstream, self.local)


@dataclass(frozen=True, eq=False)
class Origins:
    """Where what is not finite at a node comes from.

    ``reverse`` are the contributions in which it arises, in the order of the pass: an inf often
    before the nan that is made of it. ``forward`` are the operations (or leaves) in the forward
    pass; empty where every value that matters is finite, and it arises in the reverse pass only.
    ``hidden``: a value is not finite, and the output is.
    """

    node: str
    reverse: tuple[ReverseOrigin, ...]
    forward: tuple[ForwardOrigin, ...]
    hidden: bool

    @property
    def only_reverse(self) -> bool:
        """Whether all values are finite that the contributions were made from."""
        return not self.forward

    @property
    def first(self) -> str | None:
        """The operation where it first arises: of the forward pass, else of the reverse pass."""
        if self.forward:
            return self.forward[0].node
        if not self.reverse:
            return None
        first = self.reverse[0]
        return first.receiver if first.node is None else first.node


def origins(ledger: Ledger, node: int) -> Origins | None:
    """Where a gradient, or the output's value, stops being finite on the way to ``node``.

    None where the gradient of ``node`` is finite (or nothing arrives) and so is the output.
    """
    gradient, loss = ledger.grad(node), ledger.graph.values[ledger.output]
    broken = gradient is not None and not np.isfinite(gradient).all()
    finite = bool(np.isfinite(loss))
    if not broken and finite:
        return None
    reverse = tuple(_reverse(ledger, node)) if broken else ()
    roots = {ledger.graph.find(name) for origin in reverse for name in origin.read}
    roots |= set() if finite else {ledger.output}
    forward = forward_origins(ledger.graph, roots)
    return Origins(ledger.graph.label(node), reverse, forward, hidden=finite and bool(forward))


# ---- the reverse pass ----


def _reverse(ledger: Ledger, node: int) -> Iterator[ReverseOrigin]:
    """The contributions in which what is not finite at a node arises, in order of the pass."""
    sources, targets = ledger.sources.tolist(), ledger.targets.tolist()
    pending, found = {node}, []
    arrived: dict[int, set[Kind]] = {}
    for k in range(len(targets) - 1, -1, -1):
        source, target = sources[k], targets[k]
        value = ledger.value(k + 2)
        if target not in pending or np.isfinite(value).all():
            continue
        arrived.setdefault(target, set()).update(_kinds(value))
        upstream = ledger.upstream(k + 2)
        if not np.isfinite(upstream).all():
            pending.add(source)
        edge = Edge(ledger.graph, source, int(ledger.operands[k]), target)
        found += [_contribution(ledger, edge, k + 2, *it) for it in _made(edge, upstream, value)]
    found += [it for at in pending for it in _sum(ledger, at, arrived.get(at, set()))]
    yield from sorted(found, key=lambda it: it.step or 0)


def _kinds(value: Any) -> Iterator[Kind]:
    if np.isnan(value).any():
        yield "nan"
    if np.isinf(value).any():
        yield "inf"


_Made = tuple[Kind, Array, Array | None, Array | None, Array]
"""A kind, where it arises, and the factors and their product there (of the mask's shape)."""


def _made(edge: Edge, upstream: Value, value: Value) -> Iterator[_Made]:
    """Which kinds arise in a contribution itself, and do not come with its upstream gradient."""
    with np.errstate(all="ignore"):
        raised, slope = _factors(edge, upstream)
        product = np.asarray(value)
        if slope is not None and raised is not None:
            shape = np.broadcast_shapes(raised.shape, slope.shape)
            raised, slope = np.broadcast_to(raised, shape), np.broadcast_to(slope, shape)
            product = np.asarray(raised * slope, edge.graph.dtype)
            product = np.asarray(masked(edge, raised, slope, product))
    carried = np.asarray(upstream) if raised is None else raised
    arising: tuple[tuple[Kind, Array], ...] = (
        ("inf", np.isinf(product) & _each(np.isfinite(carried), product)),
        ("nan", np.isnan(product) & _each(~np.isnan(carried), product)),
    )
    for kind, new in arising:
        if new.any():
            yield kind, new, raised, slope, product


def _each(mask: Array, like: Array) -> Array:
    """A mask of the same shape, or, where elements do not correspond, whether all satisfy it."""
    return mask if mask.shape == like.shape else np.broadcast_to(mask.all(), like.shape)


def _factors(edge: Edge, upstream: Value) -> tuple[Array | None, Array | None]:
    """Upstream gradient and local derivative element by element; None where there is no such."""
    if edge.rule.form == "pullback":
        return None, None
    raised: Any = upstream
    slope: Any = local_derivative(edge)
    if edge.rule.form == "spread":
        raised, slope = spread_factors(edge, upstream, slope)
    return np.asarray(raised), np.asarray(slope)


def _contribution(
    ledger: Ledger,
    edge: Edge,
    step: int,
    kind: Kind,
    mask: Array,
    raised: Array | None,
    slope: Array | None,
    product: Array,
) -> ReverseOrigin:
    graph, index = ledger.graph, first_of(mask)
    broken = (i for i in edge.saved() if not np.isfinite(graph.recorded(i)).all())
    zero = raised is not None and raised[index] == 0
    return ReverseOrigin(
        kind=kind,
        node=graph.label(edge.source),
        receiver=graph.label(edge.target),
        step=step,
        operand=edge.operand,
        upstream=None if raised is None else float(raised[index]),
        local=None if slope is None else float(slope[index]),
        value=float(product[index]),
        index=index,
        elements=int(mask.sum()),
        unselected=_unselected(ledger, edge.source, mask) if zero else None,
        read=tuple(dict.fromkeys(map(graph.label, broken))),
    )


def _unselected(ledger: Ledger, node: int, mask: Array) -> str | None:
    """The ``where`` that did not choose a node at elements where its gradient is zero."""
    graph, gradient = ledger.graph, ledger.grad(node)
    if gradient is None:
        return None
    zero = np.asarray(np.equal(gradient, 0))
    wanted = zero & mask if mask.shape == zero.shape else zero
    for cause in ZeroSearch(ledger, node).causes(wanted) if wanted.any() else ():
        if cause.operation == "where" and cause.reason == "blocked":
            return cause.node
    hiding = hiding_where(graph, node)
    return None if hiding is None else graph.label(hiding)


def _sum(ledger: Ledger, node: int, arrived: set[Kind]) -> Iterator[ReverseOrigin]:
    """A sum that is not finite though no contribution is: inf − inf, or an overflow."""
    gradient = ledger.grad(node)
    if gradient is None:
        return
    for kind in _kinds(gradient):
        buffer = ledger.buffers.get(node)
        if kind in arrived or (buffer is not None and kind in _kinds(buffer)):
            continue
        mask = np.asarray(np.isnan(gradient) if kind == "nan" else np.isinf(gradient))
        yield ReverseOrigin(
            kind=kind,
            node=None,
            receiver=ledger.graph.label(node),
            step=ledger.completion(node),
            operand=None,
            upstream=None,
            local=None,
            value=float(np.asarray(gradient)[first_of(mask)]),
            index=first_of(mask),
            elements=int(mask.sum()),
            unselected=None,
            read=(),
        )
