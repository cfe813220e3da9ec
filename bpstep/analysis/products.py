"""Scalar products in columns, and the places in a tensor that an element comes from or goes to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from bpstep.analysis.elements import Index
from bpstep.engine.arithmetic import Array
from bpstep.engine.rules import Edge

Shape = tuple[int, ...]


@dataclass(frozen=True)
class Place:
    """An element of a node, or a scalar (index ()); ``name`` stands for it in a formula."""

    name: str
    label: str
    index: Index


@dataclass(frozen=True)
class Factor:
    """How a local derivative is written: a formula of ``{a}``, ``{b}`` … and what they stand for.

    The formula is empty where there is none, but only a number.
    """

    formula: str
    places: tuple[Place, ...] = ()


@dataclass(frozen=True, eq=False)
class Products:
    """Products in columns, which run over the axes of ``sub`` in order.

    ``place`` gives, for a position in ``sub``, the consumer's index and the factor. ``left`` are
    products that were not formed, ``left_sum`` what they come to.
    """

    sub: Shape
    upstream: Array
    local: Array
    value: Array
    place: Callable[[Index], tuple[Index, Factor]]
    left: int = 0
    left_sum: float = 0.0

    def at(self, k: int) -> tuple[Index, Factor]:
        """The consumer's index and the factor of a product."""
        return self.place(unraveled(k, self.sub))

    def largest(self, limit: int) -> list[int]:
        """Which products are the largest, in their order; what is not finite is largest of all."""
        if len(self.value) <= limit:
            return list(range(len(self.value)))
        size = np.where(np.isfinite(self.value), np.abs(self.value), np.inf)
        found = np.argsort(-size, kind="stable")[:limit]
        return sorted(found.tolist())

    def corners(self) -> list[int]:
        """The first product, and for each axis the one that is last along it alone."""
        if not len(self.value):
            return []
        strides = [int(np.prod(self.sub[k + 1 :], dtype=int)) for k in range(len(self.sub))]
        far = [(n - 1) * step for n, step in zip(self.sub, strides, strict=True)]
        return sorted({0, *far})


def as_array(edge: Edge, value: Any) -> Array:
    """A value as an array of the graph's number type, so that products are rounded alike."""
    return np.asarray(value, dtype=edge.graph.dtype)


def unraveled(k: int, shape: Shape) -> Index:
    """The index of the k-th element of a shape."""
    return tuple(int(i) for i in np.unravel_index(k, shape)) if shape else ()


def raveled(index: Index, shape: Shape) -> int:
    """How many elements of a shape come before this one."""
    return int(np.ravel_multi_index(index, shape)) if shape else 0


def within(full: Index, shape: Shape) -> Index:
    """The element of a tensor that broadcasting puts at an index of the result."""
    last = full[len(full) - len(shape) :]
    return tuple(0 if n == 1 else i for i, n in zip(last, shape, strict=True))


def feeding(full: Shape, shape: Shape, index: Index) -> tuple[Index, Shape]:
    """Where broadcasting to ``full`` puts an element of ``shape``: the first place, and how many
    there are along each axis.
    """
    extra = len(full) - len(shape)
    first, count = [0] * extra, list(full[:extra])
    for n, size, i in zip(full[extra:], shape, index, strict=True):
        stretched = size == 1 and n != 1
        first.append(0 if stretched else i)
        count.append(n if stretched else 1)
    return tuple(first), tuple(count)


def single(upstream: Array, upstream_index: Index) -> Products:
    """One product with the local derivative 1: an element that was only moved."""
    up = np.reshape(upstream[upstream_index], 1)
    return Products((), up, np.ones_like(up), up, partial(_moved, upstream_index))


def nothing(upstream: Array) -> Products:
    """No product at all: nothing reads the element."""
    none = np.zeros(0, dtype=upstream.dtype)
    return Products((0,), none, none, none, partial(_moved, ()))


def _moved(upstream_index: Index, position: Index) -> tuple[Index, Factor]:
    return upstream_index, Factor("1")
