"""Tensor parts of the rules: reductions, matrix products, and sums back to an operand's shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from bpstep.engine.arithmetic import Array, Value, exp, quotient

Axis = int | tuple[int, ...] | None


def unbroadcast(value: Any, shape: tuple[int, ...]) -> Value:
    """Sum a contribution back to its operand's shape, undoing NumPy's broadcasting."""
    if shape == ():
        return float(np.sum(value)) if isinstance(value, np.ndarray) else float(value)
    if value.shape == shape:
        return value  # type: ignore[no-any-return]
    extra = tuple(range(value.ndim - len(shape)))
    value = value.sum(axis=extra) if extra else value
    stretched = tuple(i for i, size in enumerate(shape) if size == 1 and value.shape[i] != 1)
    value = value.sum(axis=stretched, keepdims=True) if stretched else value
    return np.broadcast_to(value, shape)


def expand(upstream: Any, axis: Axis, keepdims: bool, shape: tuple[int, ...]) -> Any:
    """A reduction's upstream gradient with its reduced axes back, each of size 1."""
    if shape == () or isinstance(upstream, float) or keepdims:
        return upstream
    if axis is None:
        return upstream
    return np.expand_dims(upstream, reduced_axes(axis, len(shape)))


def reduced_axes(axis: Axis, ndim: int) -> tuple[int, ...]:
    """The axes a reduction runs over, counted from 0; None means all of them."""
    if axis is None or ndim == 0:
        return tuple(range(ndim))
    return tuple(i % ndim for i in (axis if isinstance(axis, tuple) else (axis,)))


def last_axis(x: Any, axis: Axis) -> Axis:
    """The given axis; a scalar has none, and is reduced whole."""
    return None if np.ndim(x) == 0 and axis == -1 else axis


def reduced_size(shape: tuple[int, ...], axis: Axis) -> float:
    """How many elements of a tensor go into one of a reduction's results."""
    return float(math.prod(shape[i] for i in reduced_axes(axis, len(shape))))


def mean(x: Any, axis: Axis, keepdims: bool) -> Any:
    """The sum divided by the number of elements: 0/0 of none."""
    return quotient(np.sum(x, axis=axis, keepdims=keepdims), reduced_size(np.shape(x), axis))


def logsumexp(x: Any, axis: Axis, keepdims: bool = False) -> Any:
    """log(Σ exp(x)), shifted by the maximum so that it does not overflow."""
    axis = last_axis(x, axis)
    top = np.max(x, axis=axis, keepdims=True)
    shift = np.where(np.isfinite(top), top, 0)
    result = np.log(np.sum(np.exp(x - shift), axis=axis, keepdims=True)) + shift
    return result if keepdims else np.squeeze(result, axis=axis)


def log_softmax(x: Any, axis: Axis) -> Any:
    """x − logsumexp(x): no probability is formed, so none underflows to log 0.

    The maximum is taken off first, which keeps the digits of small differences of large logits,
    and gives nan for an infinite maximum, as frameworks do.
    """
    axis = last_axis(x, axis)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def softmax(x: Any, axis: Axis) -> Any:
    """exp(x) divided by its sum, shifted by the maximum."""
    axis = last_axis(x, axis)
    raised = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return raised / np.sum(raised, axis=axis, keepdims=True)


def softmax_pullback(g: Any, y: Any, axis: Axis) -> Any:
    """y · (G − Σ G·y): the Jacobian diag(y) − y yᵀ applied without forming it."""
    return y * (g - np.sum(np.multiply(g, y), axis=last_axis(y, axis), keepdims=True))


def log_softmax_pullback(g: Any, y: Any, axis: Axis) -> Any:
    """G − softmax(x) · Σ G."""
    return g - exp(y) * np.sum(g, axis=last_axis(y, axis), keepdims=True)


def norm(x: Any) -> Any:
    """The Euclidean (Frobenius) norm over all elements."""
    return abs(x) if isinstance(x, float) else np.sqrt(np.sum(x * x))


def others_product(a: Any, axis: Axis) -> Any:
    """For each element the product of the others, without dividing: zeros are no trouble."""
    if isinstance(a, float):
        return 1.0
    axes = reduced_axes(axis, a.ndim)
    kept = tuple(i for i in range(a.ndim) if i not in axes)
    order = kept + axes
    moved = np.transpose(a, order)
    flat = moved.reshape((*moved.shape[: len(kept)], -1))
    ones = np.ones_like(flat[..., :1])
    before = np.cumprod(np.concatenate([ones, flat[..., :-1]], axis=-1), axis=-1)
    mirrored = flat[..., :0:-1]
    after = np.cumprod(np.concatenate([ones, mirrored], axis=-1), axis=-1)[..., ::-1]
    return np.transpose((before * after).reshape(moved.shape), np.argsort(order))


def winners(a: Any, y: Any, axis: Axis, keepdims: bool) -> Array:
    """Which elements equal the maximum (or minimum) of their group; nan counts as winning."""
    top = expand(y, axis, keepdims, np.shape(a))
    return np.asarray((a == top) | (np.isnan(a) & np.isnan(top)))


def winners_share(a: Any, y: Any, axis: Axis, keepdims: bool, tie: str) -> Any:
    """The local derivative of max and min: all to the winner, shared at a tie as ``tie`` says."""
    if isinstance(a, float):
        return 1.0
    won = winners(a, y, axis, keepdims)
    axes = reduced_axes(axis, a.ndim)
    if tie == "split":
        return won / np.sum(won, axis=axes, keepdims=True).astype(a.dtype)
    return _first_of(won, axes).astype(a.dtype)


def _first_of(won: Array, axes: tuple[int, ...]) -> Array:
    kept = tuple(i for i in range(won.ndim) if i not in axes)
    moved = np.transpose(won, kept + axes)
    flat = moved.reshape((*moved.shape[: len(kept)], -1))
    first = flat & (np.cumsum(flat, axis=-1) == 1)
    return np.transpose(first.reshape(moved.shape), np.argsort(kept + axes))


def left_pullback(g: Any, b: Any, shapes: Any) -> Any:
    """G Bᵀ for A in A B; the operand itself is not read, only its shape."""
    shape = shapes[0]
    matrix = b[:, None] if b.ndim == 1 else b
    full = np.matmul(_as_matrices(g, shapes), np.swapaxes(matrix, -1, -2))
    return np.reshape(unbroadcast(full, shape if len(shape) > 1 else (1, *shape)), shape)


def right_pullback(g: Any, a: Any, shapes: Any) -> Any:
    """Aᵀ G for B in A B."""
    shape = shapes[1]
    matrix = a[None, :] if a.ndim == 1 else a
    full = np.matmul(np.swapaxes(matrix, -1, -2), _as_matrices(g, shapes))
    return np.reshape(unbroadcast(full, shape if len(shape) > 1 else (*shape, 1)), shape)


def _as_matrices(g: Any, shapes: Any) -> Any:
    """A matrix product's gradient with the axes that a vector, as one row or column, had lost."""
    row, column = (len(shape) == 1 for shape in shapes)
    if row and column:
        return np.reshape(g, (1, 1))
    return np.expand_dims(g, -2 if row else -1) if row or column else g


def untransposed_pullback(g: Any, a: Any, b: Any, position: int) -> Any:
    """G B or A G: what a matrix product sends when the transpose was forgotten (it is wrong)."""
    return np.matmul(g, b) if position == 0 else np.matmul(a, g)


def concat_pullback(g: Array, position: int, shapes: Any, axis: int) -> Array:
    """The slice of G that this operand filled."""
    start = sum(shape[axis] for shape in shapes[:position])
    along = [slice(None)] * g.ndim
    along[axis] = slice(start, start + shapes[position][axis])
    return g[tuple(along)]


def scatter(g: Any, shape: tuple[int, ...], index: tuple[int, ...]) -> Array:
    """G put back at its index, zeros elsewhere."""
    out = np.zeros(shape, dtype=getattr(g, "dtype", float))
    out[index] = g
    return out
