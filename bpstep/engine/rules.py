"""Applying a rule of the table to one edge: what it reads, its conventions, its contribution."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.conventions import BLOCKING
from bpstep.engine.graph import Graph
from bpstep.engine.operation import Kink, Operation, Rule, finish, parameters
from bpstep.engine.tensors import expand, unbroadcast

IDENTITY = Rule("local", "1", lambda: 1.0)


@dataclass(frozen=True)
class ConventionUse:
    """A convention that decided a contribution: its key, what it gave, the legal interval.

    ``used`` is the local derivative at the point, or the convention's word where elements differ;
    ``interval`` is None where no value is legal.
    """

    key: str
    used: float | str
    interval: tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Edge:
    """One operand position of one recorded operation: what a contribution travels along."""

    graph: Graph
    source: int
    operand: int
    target: int

    @property
    def operation(self) -> Operation:
        """The consumer's row of the table."""
        operation = self.graph.operation(self.source)
        assert operation is not None, "a leaf sends nothing"
        return operation

    @property
    def rule(self) -> Rule:
        """The operand's derivative rule; an opened detach passes its gradient on unchanged."""
        return self.operation.rule(self.operand) or IDENTITY

    @property
    def text(self) -> str:
        """The rule as a formula of the operands' names."""
        graph = self.graph
        operands = [graph.label(i) for i in graph.operands(self.source)]
        if not self.operation.rules:
            return IDENTITY.text
        return self.operation.local_text(self.operand, operands, graph.label(self.source))

    def saved(self) -> tuple[int, ...]:
        """The nodes whose values the rule reads; a number in an expression is not kept for it."""
        operands = self.graph.operands(self.source)
        read = [self.source if n == "y" else operands["abc".index(n)] for n in self.rule.saved]
        return tuple(node for node in read if self.graph.role(node) != "literal")


def read(edge: Edge, names: tuple[str, ...], *, recorded: bool = False) -> dict[str, Any]:
    """The arguments that a rule or a kink asks for by its parameters' names.

    ``recorded`` takes values as the forward pass left them, also where they were overwritten.
    """
    graph = edge.graph
    operands = graph.operands(edge.source)
    keywords = graph.keywords(edge.source)
    value = graph.recorded if recorded else graph.values.__getitem__
    arguments: dict[str, Any] = {}
    for name in names:
        if name in ("a", "b", "c"):
            arguments[name] = value(operands["abc".index(name)])
        elif name == "y":
            arguments[name] = value(edge.source)
        elif name == "shape":
            arguments[name] = graph.shape(edge.target)
        elif name == "shapes":
            arguments[name] = tuple(graph.shape(i) for i in operands)
        elif name == "position":
            arguments[name] = edge.operand
        elif name == "tie":
            arguments[name] = _tie(edge)
        elif name != "g":
            arguments[name] = keywords[name]
    return arguments


def _tie(edge: Edge) -> float | str:
    kink = edge.rule.kink
    assert kink is not None, "only a rule with a kink asks for its convention"
    keywords: Mapping[str, Any] = edge.graph.keywords(edge.source)
    return edge.graph.conventions.tie(kink.key, keywords, edge.operand)


def at_kink(edge: Edge) -> Any:
    """Which elements of the edge sit at a point without a derivative (a bool or an array)."""
    kink = edge.rule.kink
    if kink is None:
        return False
    # relu saves only its result, which does not tell 0 from a negative operand: the point was
    # seen in the forward pass.
    seen_forward = not set(kink.reads) <= set(edge.rule.reads)
    return kink.at(**read(edge, kink.reads, recorded=seen_forward))


def local_derivative(edge: Edge) -> Any:
    """The local derivative with conventions applied: of the consumer's shape or broadcast to it.

    For a reduction it has the operand's shape. A pullback has one only from number to number.
    """
    rule = edge.rule
    with np.errstate(all="ignore"):
        if rule.form == "pullback":
            return rule.function(**read(edge, rule.reads), g=1.0)
        natural = rule.function(**read(edge, rule.reads))
        if rule.kink is None or "tie" in rule.reads:
            return natural
        return _with_convention(natural, at_kink(edge), edge)


def locals_of_kind(edge: Edge, column: Callable[[str], Array]) -> Any:
    """The local derivatives of all edges of one kind at once; ``edge`` is any one of them.

    ``column`` gives the values that all those edges read under a parameter's name.
    """
    rule = edge.rule
    with np.errstate(all="ignore"):
        natural = rule.function(**{name: column(name) for name in rule.reads})
        if rule.kink is None:
            return natural
        at_point = rule.kink.at(**{name: column(name) for name in rule.kink.reads})
        return np.where(at_point, _tie(edge), natural)


def _with_convention(natural: Any, at_point: Any, edge: Edge) -> Any:
    if not np.any(at_point):
        return natural
    tie = _tie(edge)
    return tie if isinstance(natural, float) else np.where(at_point, tie, natural)


def contribution(edge: Edge, upstream: Value) -> tuple[Value, Value | None]:
    """What an edge sends for an upstream gradient, and the local derivative it was made with.

    The contribution has the operand's shape; the local derivative is None where the rule has no
    elementwise form. Shapes: ``upstream`` has the consumer's.
    """
    graph = edge.graph
    shape = graph.shape(edge.target)
    with np.errstate(all="ignore"):
        if edge.rule.form == "pullback" and (shape or graph.shape(edge.source)):
            value = edge.rule.function(g=upstream, **read(edge, edge.rule.reads))
            return finish(unbroadcast(value, shape), graph.dtype), None
        local = finish(local_derivative(edge), graph.dtype)
        sent = unbroadcast(_product(edge, upstream, local), shape)
        shown = local if edge.rule.form == "local" or shape == () else None
        return finish(sent, graph.dtype), shown


def spread_factors(edge: Edge, upstream: Any, local: Any) -> tuple[Any, Any]:
    """A reduction's upstream gradient and local derivative, to be multiplied elementwise."""
    keywords = edge.graph.keywords(edge.source)
    shape = edge.graph.shape(edge.target)
    upstream = expand(upstream, keywords.get("axis"), keywords.get("keepdims", False), shape)
    if shape != ():
        # A constant local derivative (sum, mean) still fills the operand's shape.
        local = np.broadcast_to(np.asarray(local, dtype=edge.graph.dtype), shape)
    return upstream, local


def _product(edge: Edge, upstream: Value, local: Value) -> Any:
    if edge.rule.form == "spread":
        upstream, local = spread_factors(edge, upstream, local)
    product = upstream * local
    if np.any(product != product):
        return masked(edge, upstream, local, product)
    return product


def masked(edge: Edge, upstream: Any, local: Any, product: Any) -> Any:
    """A nan product settled by the conventions ``blocked`` (0 × inf) and ``zero_upstream``.

    A framework that selects by a mask gives 0 where one that multiplies gives nan.
    """
    conventions = edge.graph.conventions
    zero: Any = False
    if conventions.masks("blocked", blocking_name(edge)):
        zero = np.logical_or(zero, np.equal(local, 0))
    if conventions.masks("zero_upstream", edge.operation.name):
        zero = np.logical_or(zero, np.equal(upstream, 0))
    if isinstance(product, float):
        return 0.0 if product != product and bool(zero) else product
    return np.where(np.isnan(product) & zero, 0.0, product).astype(product.dtype, copy=False)


def blocking_name(edge: Edge) -> str:
    """The name in the ``blocked`` convention: max along an axis is a case of its own."""
    name = edge.operation.name
    if name in ("max", "min") and edge.graph.keywords(edge.source)["axis"] is not None:
        return f"{name}_axis"
    return name


def convention_use(edge: Edge, upstream: Value, local: Value | None) -> ConventionUse | None:
    """The convention that decided a contribution, if one did."""
    kink = edge.rule.kink
    if kink is not None and np.any(at_kink(edge)):
        return _kink_use(edge, kink)
    if local is None and edge.rule.form == "spread":
        upstream, local = spread_factors(edge, upstream, local_derivative(edge))
    if local is None:
        return None
    for key, zero, other in (("zero_upstream", upstream, local), ("blocked", local, upstream)):
        if _meets(zero, other) and (key == "zero_upstream" or blocking_name(edge) in BLOCKING):
            name = edge.operation.name if key == "zero_upstream" else blocking_name(edge)
            mask = edge.graph.conventions.masks(key, name)
            return ConventionUse(key, "mask" if mask else "product", (0.0, 0.0))
    return None


def _meets(zero: Value, other: Value) -> bool:
    """Whether a zero is multiplied by what is not finite; numbers are asked without NumPy."""
    if isinstance(zero, float) and isinstance(other, float):
        return zero == 0 and not isfinite(other)
    return bool(np.any(np.equal(zero, 0) & ~np.isfinite(other)))


def _kink_use(edge: Edge, kink: Kink) -> ConventionUse:
    keywords = edge.graph.keywords(edge.source)
    names = parameters(kink.interval)
    interval = kink.interval(**{name: keywords[name] for name in names})
    return ConventionUse(kink.key, _tie(edge), interval)
