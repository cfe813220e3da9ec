"""One element of a contribution opened into the scalar products it is the sum of.

Every rule is linear in the upstream gradient, so an element that arrives is a sum of products,
one for each of the consumer's elements that read it: upstream gradient times local derivative,
``upstream[i] × local = value``. Which of the consumer's elements these are follows from the form
of the rule: those that an element was broadcast to, the one that a reduction made of it, the row
or column of a matrix product. Products are those of the pass itself, conventions included.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from bpstep.analysis.elements import Index, element
from bpstep.analysis.products import Factor, Place, Products, as_array, feeding, within
from bpstep.analysis.pullback_terms import PULLBACKS, pushed
from bpstep.engine.arithmetic import Value
from bpstep.engine.ledger import Ledger
from bpstep.engine.rules import Edge, local_derivative, masked
from bpstep.engine.tensors import expand, reduced_axes, unbroadcast, untransposed_pullback

MOST_TERMS = 200
"""Of more products the largest are given."""


@dataclass(frozen=True)
class ScalarTerm:
    """One product: ``upstream`` is the consumer's gradient at ``upstream_index``.

    ``local`` is the derivative of that element with respect to the receiver's, ``factor`` how it
    is written, and ``value`` their product.
    """

    upstream_index: Index
    upstream: float
    local: float
    value: float
    factor: Factor


@dataclass(frozen=True, eq=False)
class ElementTerms:
    """What one element of a contribution is the sum of.

    ``step`` is that of the pass, ``index`` the receiver's, ``value`` the element as it arrived.
    ``terms`` are in the order of their indices; of more than MOST_TERMS the largest, ``rest`` being
    the sum of the others. ``count`` is the number of all. ``corners`` are terms of which any two
    indices differ that do not run along the same axis: the pattern of the sum can be read off them.
    """

    step: int
    source: int
    operand: int
    target: int
    index: Index
    value: float
    terms: tuple[ScalarTerm, ...]
    count: int
    rest: float
    corners: tuple[ScalarTerm, ...]


def contribution_terms(
    ledger: Ledger, step: int, index: Index, limit: int = MOST_TERMS
) -> ElementTerms:
    """The products that make one element of the contribution of a step (2 or later).

    ``index`` is in the receiver's shape; raises IndexError for one that it does not have.
    """
    edge = _edge(ledger, step)
    shape = ledger.graph.shape(edge.target)
    if len(index) != len(shape) or not all(0 <= i < n for i, n in zip(index, shape, strict=True)):
        raise IndexError(f"{list(index)} is no element of shape {shape}")
    with np.errstate(all="ignore"):
        products = _products(ledger, edge, step, index)
        shown = products.largest(limit)
        rest = np.delete(products.value, shown)
    return ElementTerms(
        step=step,
        source=edge.source,
        operand=edge.operand,
        target=edge.target,
        index=index,
        value=element(ledger.value(step), index),
        terms=tuple(_term(products, k) for k in shown),
        count=len(products.value) + products.left,
        rest=float(rest.sum()) + products.left_sum,
        corners=tuple(_term(products, k) for k in products.corners()),
    )


def _edge(ledger: Ledger, step: int) -> Edge:
    if not 2 <= step <= len(ledger):
        raise IndexError(f"step {step} is no contribution: they are 2 to {len(ledger)}")
    source, operand, target = (
        int(column[step - 2]) for column in (ledger.sources, ledger.operands, ledger.targets)
    )
    return Edge(ledger.graph, source, operand, target)


def _term(products: Products, k: int) -> ScalarTerm:
    upstream_index, factor = products.at(k)
    upstream, local, value = (
        float(column[k]) for column in (products.upstream, products.local, products.value)
    )
    return ScalarTerm(upstream_index, upstream, local, value, factor)


def _products(ledger: Ledger, edge: Edge, step: int, index: Index) -> Products:
    upstream, local = ledger.upstream(step), ledger.local(step)
    if edge.rule.form == "spread":
        return _spread(ledger, edge, upstream, local, index)
    if local is not None:
        return _elementwise(ledger, edge, as_array(edge, upstream), local, index)
    if _untransposed(ledger, edge):
        return pushed(edge, as_array(edge, upstream), index, _wrong_pullback(edge))
    opened = PULLBACKS.get(edge.operation.name, pushed)
    return opened(edge, as_array(edge, upstream), index)


def _elementwise(ledger: Ledger, edge: Edge, upstream: Any, local: Value, index: Index) -> Products:
    """The elements that this one was broadcast to."""
    source = edge.graph.shape(edge.source)
    written = edge.rule.text if edge.rule.form == "local" else ""
    formula = "" if _replaced(ledger, edge) else written

    def at(full: Index) -> tuple[Index, Factor]:
        return within(full, source), Factor(formula, _places(edge, formula, full, full))

    return _broadcast(ledger, edge, upstream, local, index, at)


def _spread(
    ledger: Ledger, edge: Edge, upstream: Value, local: Value | None, index: Index
) -> Products:
    """The one element that a reduction made of this one's group."""
    graph = edge.graph
    shape, source = graph.shape(edge.target), graph.shape(edge.source)
    keywords = graph.keywords(edge.source)
    axis, kept = keywords.get("axis"), keywords.get("keepdims", False)
    raised = as_array(edge, expand(upstream, axis, kept, shape))
    gone = () if kept else reduced_axes(axis, len(shape))
    formula = "" if _replaced(ledger, edge) else _spread_formula(edge)

    def at(full: Index) -> tuple[Index, Factor]:
        there = within(full, raised.shape) if source else ()
        above = tuple(i for k, i in enumerate(there) if k not in gone)
        return above, Factor(formula, _places(edge, formula, full, above))

    slope = local_derivative(edge) if local is None else local
    return _broadcast(ledger, edge, raised, slope, index, at)


def _broadcast(
    ledger: Ledger,
    edge: Edge,
    upstream: Any,
    local: Value,
    index: Index,
    at: Callable[[Index], tuple[Index, Factor]],
) -> Products:
    """The elementwise products that are summed back to an element of the operand's shape."""
    shape = edge.graph.shape(edge.target)
    slope = as_array(edge, local)
    full = np.broadcast_shapes(upstream.shape, slope.shape, shape)
    first, sub = feeding(full, shape, index)
    window = tuple(slice(i, i + n) for i, n in zip(first, sub, strict=True))
    up, down = (np.broadcast_to(x, full)[window].ravel() for x in (upstream, slope))
    value = up * down
    if np.isnan(value).any() and not _replaced(ledger, edge):
        value = masked(edge, up, down, value)

    def place(position: Index) -> tuple[Index, Factor]:
        return at(tuple(i + k for i, k in zip(first, position, strict=True)))

    return Products(sub, up, down, value, place)


def _places(edge: Edge, formula: str, full: Index, above: Index) -> tuple[Place, ...]:
    """The elements that a formula names: operands where the product is, the result above it."""
    graph = edge.graph
    found = []
    for name, node in zip("abc", graph.operands(edge.source), strict=False):
        if f"{{{name}}}" in formula:
            found.append(Place(name, graph.label(node), within(full, graph.shape(node))))
    if "{y}" in formula:
        shape = graph.shape(edge.source)
        found.append(Place("y", graph.label(edge.source), within(above, shape)))
    return tuple(found)


def _spread_formula(edge: Edge) -> str:
    """The local derivative of one element, as the rule of the reduction has it for all."""
    name = edge.operation.name
    if name == "mean":
        return f"1/{local_count(edge)}"
    return _SPREAD.get(name) or edge.rule.text.removeprefix("G * ")


_SPREAD = {
    "sum": "1",
    "max": "1 if {a} is the maximum else 0",
    "min": "1 if {a} is the minimum else 0",
}


def local_count(edge: Edge) -> int:
    """How many elements go into one of a reduction's results."""
    shape = edge.graph.shape(edge.target)
    axes = reduced_axes(edge.graph.keywords(edge.source).get("axis"), len(shape))
    return int(np.prod([shape[k] for k in axes], dtype=int))


# ---- passes that are wrong on purpose ----


def _replaced(ledger: Ledger, edge: Edge) -> bool:
    """Whether the local derivative is not the rule's, but one that a fault put in its place."""
    fault = ledger.fault
    if fault is None or fault.kind != "rule" or fault.operand not in (None, edge.operand):
        return False
    named = fault.op is not None and fault.op == edge.operation.name
    return named or (fault.node is not None and edge.graph.find(fault.node) == edge.source)


def _untransposed(ledger: Ledger, edge: Edge) -> bool:
    """Whether a fault left out the transpose of this matrix product."""
    fault = ledger.fault
    if fault is None or fault.kind != "transpose" or edge.operation.name != "matmul":
        return False
    meant = fault.node is None or edge.graph.find(fault.node) == edge.source
    return meant and fault.operand in (None, edge.operand)


def _wrong_pullback(edge: Edge) -> Callable[[Any], Any]:
    a, b = (edge.graph.values[i] for i in edge.graph.operands(edge.source))

    def pull(g: Any) -> Any:
        return unbroadcast(
            untransposed_pullback(g, a, b, edge.operand), edge.graph.shape(edge.target)
        )

    return pull
