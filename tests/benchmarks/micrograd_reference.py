"""micrograd's engine (Andrej Karpathy, MIT licence), the yardstick for recording on floats.

Only what the benchmark uses is here, unchanged but for two things: relu and the sort are those of
the original, and the sort runs under a raised recursion limit, since a loss over a hundred
samples is a chain that the original's recursion does not survive.
"""

from __future__ import annotations

from typing import Any


class Value:
    """A scalar and its gradient."""

    def __init__(self, data: float, _children: Any = (), _op: str = "") -> None:
        self.data = data
        self.grad = 0.0
        self._backward: Any = lambda: None
        self._prev = set(_children)
        self._op = _op

    def __add__(self, other: Any) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data + other.data, (self, other), "+")

        def _backward() -> None:
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def __mul__(self, other: Any) -> Value:
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.data * other.data, (self, other), "*")

        def _backward() -> None:
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = _backward
        return out

    def __pow__(self, other: float) -> Value:
        out = Value(self.data**other, (self,), f"**{other}")

        def _backward() -> None:
            self.grad += (other * self.data ** (other - 1)) * out.grad

        out._backward = _backward
        return out

    def relu(self) -> Value:
        out = Value(0 if self.data < 0 else self.data, (self,), "ReLU")

        def _backward() -> None:
            self.grad += (out.data > 0) * out.grad

        out._backward = _backward
        return out

    def backward(self) -> None:
        topo: list[Value] = []
        visited: set[Value] = set()

        def build_topo(v: Value) -> None:
            if v not in visited:
                visited.add(v)
                for child in v._prev:
                    build_topo(child)
                topo.append(v)

        build_topo(self)
        self.grad = 1.0
        for v in reversed(topo):
            v._backward()

    def __neg__(self) -> Value:
        return self * -1

    def __radd__(self, other: Any) -> Value:
        return self + other

    def __sub__(self, other: Any) -> Value:
        return self + (-other)

    def __rmul__(self, other: Any) -> Value:
        return self * other
