"""The same computations by PyTorch: values and gradients to hold ours against."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from random_graphs import Computation


def _reduce(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(a: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        axes = tuple(range(a.ndim)) if axis is None else axis
        return a.clone() if axes == () else function(a, dim=axes, keepdim=keepdims)

    return apply


def _prod(a: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    if axis is not None:
        return torch.prod(a, dim=axis, keepdim=keepdims)
    result = torch.prod(a)
    return result.reshape((1,) * a.ndim) if keepdims else result


def _extreme(whole: Callable[..., Any], along: Callable[..., Any]) -> Callable[..., Any]:
    def apply(a: Any, axis: int | None = None, keepdims: bool = False) -> Any:
        if axis is not None:
            return along(a, dim=axis, keepdim=keepdims)
        result = whole(a)
        return result.reshape((1,) * a.ndim) if keepdims else result

    return apply


def _number(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *operands: function(*operands).to(torch.float64)


def _softplus(x: Any) -> Any:
    # torch's own switches to the identity above 20, which is off by 1e-9 there.
    return torch.nn.functional.softplus(x, threshold=700)


OPERATIONS: Mapping[str, Callable[..., Any]] = {
    "identity": lambda a: a * 1,
    "neg": torch.neg,
    "add": torch.add,
    "sub": torch.sub,
    "mul": torch.mul,
    "div": torch.div,
    "pow": torch.pow,
    "matmul": torch.matmul,
    "relu": torch.relu,
    "leaky_relu": lambda a, slope=0.01: torch.nn.functional.leaky_relu(a, slope),
    "abs": torch.abs,
    "sign": torch.sign,
    "floor": torch.floor,
    "round": torch.round,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "clamp": torch.clamp,
    "where": lambda c, a, b: torch.where(c != 0, a, b),
    "exp": torch.exp,
    "log": torch.log,
    "log1p": torch.log1p,
    "log2": torch.log2,
    "sqrt": torch.sqrt,
    "square": torch.square,
    "reciprocal": torch.reciprocal,
    "sin": torch.sin,
    "cos": torch.cos,
    "tan": torch.tan,
    "tanh": torch.tanh,
    "sigmoid": torch.sigmoid,
    "softplus": _softplus,
    "silu": torch.nn.functional.silu,
    "gelu": torch.nn.functional.gelu,
    "erf": torch.erf,
    "atan2": torch.atan2,
    "sum": _reduce(torch.sum),
    "mean": _reduce(torch.mean),
    "prod": _prod,
    "max": _extreme(torch.max, torch.amax),
    "min": _extreme(torch.min, torch.amin),
    "norm": lambda a: torch.linalg.vector_norm(a),
    "logsumexp": lambda a, axis=-1, keepdims=False: torch.logsumexp(a, axis, keepdim=keepdims),
    "softmax": lambda a, axis=-1: torch.softmax(a, axis),
    "log_softmax": lambda a, axis=-1: torch.log_softmax(a, axis),
    "dot": torch.dot,
    "transpose": lambda a: a.permute(tuple(reversed(range(a.ndim)))),
    "reshape": lambda a, shape: torch.reshape(a, shape),
    "concat": lambda *parts, axis=0: torch.cat(parts, axis),
    "index": lambda a, index: a[index],
    "lt": _number(torch.lt),
    "le": _number(torch.le),
    "gt": _number(torch.gt),
    "ge": _number(torch.ge),
    "eq": _number(torch.eq),
    "ne": _number(torch.ne),
    "isnan": _number(torch.isnan),
    "argmax": _number(torch.argmax),
    "detach": lambda a: a.detach(),
}


def gradients(computation: Computation) -> tuple[list[Any], list[Any]]:
    """Values and gradients of every node as PyTorch computes them; None where nothing arrives."""
    tensors = [
        torch.tensor(np.asarray(v), dtype=torch.float64, requires_grad=True)
        for v in computation.leaves
    ]
    for name, operands, keywords in computation.steps:
        result = OPERATIONS[name](*(tensors[i] for i in operands), **keywords)
        if result.requires_grad:
            result.retain_grad()
        tensors.append(result)
    if tensors[-1].requires_grad:
        tensors[-1].backward()
    values = [t.detach().numpy() for t in tensors]
    return values, [t.grad.numpy() if t.grad is not None else None for t in tensors]


__all__ = ["OPERATIONS", "gradients", "math"]
