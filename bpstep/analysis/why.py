"""Why a gradient is what it is: zero, not finite, very small or very large, and what made it so."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from bpstep.analysis.elements import Index, node_and_elements
from bpstep.analysis.flat import Reason
from bpstep.analysis.origins import Origins, origins
from bpstep.analysis.paths import Path, paths
from bpstep.analysis.zeros import ZeroGradient, zero_gradient
from bpstep.engine.arithmetic import Value
from bpstep.engine.graph import Node
from bpstep.engine.ledger import Ledger

Kind = Literal["zero", "nonfinite", "small", "large", "ordinary"]

SMALL = 1e-5
"""A gradient of at most this size moves a parameter of size 1 by nothing that can be seen."""
LARGE = 1e3
"""A gradient of at least this size throws it far at any usual rate."""


@dataclass(frozen=True)
class Factor:
    """One edge of a path: ``source`` sends to ``target``, and the gradient grows by ``size``.

    ``size`` is the absolute local derivative; of tensors the ratio of the two gradients' norms.
    """

    source: str
    target: str
    size: float


@dataclass(frozen=True, eq=False)
class Magnitude:
    """How a gradient came to its size.

    ``size`` is its largest absolute element, ``path`` the heaviest of ``count`` paths (None where
    nothing but the seed arrives), ``decisive`` the factors on it that make the gradient small, or
    large, the strongest first. ``paths_cancel``: a gradient is small though its heaviest path is
    not; ``paths_add_up``: it is large though no path is.
    """

    size: float
    count: int
    path: Path | None
    decisive: tuple[Factor, ...]
    paths_cancel: bool = False
    paths_add_up: bool = False


@dataclass(frozen=True, eq=False)
class Why:
    """What there is to say about the gradient of ``node`` (of one element, where ``text`` says so).

    ``zero`` is given wherever an element is zero or nothing arrives, ``origins`` where the gradient
    is not finite or the output is not, ``magnitude`` where an element is a number but zero.
    """

    text: str
    node: str
    kind: Kind
    gradient: Value | None
    zero: ZeroGradient | None
    origins: Origins | None
    magnitude: Magnitude | None

    def __repr__(self) -> str:
        reasons = f", {', '.join(self.reasons)}" if self.reasons else ""
        return f"<Why of {self.text}: {self.kind}{reasons}>"

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """The reasons of its zeros, the one nearest the output first."""
        return () if self.zero is None else self.zero.reasons


def why(ledger: Ledger, target: str | int | Node) -> Why:
    """Why the gradient of a node, or of an element such as ``W[0, 1]``, is what it is.

    Raises GraphError (``unknown-name``, ``argument``) for what does not exist.
    """
    text, node, elements = node_and_elements(ledger.graph, target)
    gradient = ledger.grad(node)
    asked = _asked(gradient, elements)
    zero = zero_gradient(ledger, node, elements)
    broken = bool(asked.size) and not np.isfinite(asked).all()
    found = origins(ledger, node) if broken or elements is None else None
    size = float(np.max(np.abs(asked), initial=0.0, where=np.isfinite(asked)))
    kind = _kind(size, broken)
    magnitude = _magnitude(ledger, node, size, kind) if size and not broken else None
    shown = _one(gradient, elements)
    return Why(text, ledger.graph.label(node), kind, shown, zero, found, magnitude)


def _asked(gradient: Value | None, elements: Sequence[Index] | None) -> np.ndarray:
    whole = np.asarray([] if gradient is None else gradient)
    if gradient is None or elements is None:
        return whole
    return np.array([whole[index] for index in elements])


def _one(gradient: Value | None, elements: Sequence[Index] | None) -> Value | None:
    """The one element that was asked for; the whole gradient of a node."""
    if gradient is None or elements is None or len(elements) != 1:
        return gradient
    return float(np.asarray(gradient)[elements[0]])


def _kind(size: float, broken: bool) -> Kind:
    if broken:
        return "nonfinite"
    if size == 0:
        return "zero"
    if size <= SMALL:
        return "small"
    return "large" if size >= LARGE else "ordinary"


def _magnitude(ledger: Ledger, node: int, size: float, kind: Kind) -> Magnitude:
    found = paths(ledger, node, limit=1)
    path = found.paths[0] if found.paths and found.paths[0].length else None
    if path is None:
        return Magnitude(size, found.count, None, ())
    share = _kind(float(np.max(np.abs(path.product))), broken=False)
    if kind == "small" and share != kind:
        return Magnitude(size, found.count, path, (), paths_cancel=True)
    if kind == "large" and share != kind:
        return Magnitude(size, found.count, path, (), paths_add_up=True)
    factors = () if kind == "ordinary" else tuple(_factors(ledger, path))
    return Magnitude(size, found.count, path, _decisive(factors, kind))


def _factors(ledger: Ledger, path: Path) -> Iterator[Factor]:
    for source, target, factor in zip(path.nodes, path.nodes[1:], path.factors, strict=False):
        size = abs(factor) if isinstance(factor, float) else _gain(ledger, source, target)
        yield Factor(source, target, size)


def _gain(ledger: Ledger, source: str, target: str) -> float:
    """How much larger a gradient is in norm than the one that it was made from."""
    after, before = (
        float(np.linalg.norm(np.ravel(0.0 if grad is None else grad)))
        for grad in (ledger.grad(target), ledger.grad(source))
    )
    return after / before if before else math.inf


def _decisive(factors: Sequence[Factor], kind: Kind) -> tuple[Factor, ...]:
    """The factors below 1 of a small gradient, above 1 of a large one, the strongest first."""
    if kind == "small":
        return tuple(sorted((f for f in factors if f.size < 1), key=lambda it: it.size))
    if kind == "large":
        return tuple(sorted((f for f in factors if f.size > 1), key=lambda it: -it.size))
    return ()
