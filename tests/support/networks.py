"""The network of the lessons, by the Python interface."""

from __future__ import annotations

from typing import Any

import bpstep


def network(
    *,
    b: float = -1.0,
    v: float = 3.0,
    skip: Any = lambda p: p,
    dtype: str = "float64",
) -> tuple[bpstep.Graph, bpstep.Node]:
    """p = w·x, z = p + b, h = relu(z), q = v·h, y = q + skip(p), loss = ½(y − target)²."""
    g = bpstep.Graph(dtype)
    x = g.input("x", 2.0)
    w, bias, weight = g.param("w", 1.0), g.param("b", b), g.param("v", v)
    target = g.constant("target", 1.0)
    p = g.name("p", w * x)
    z = g.name("z", p + bias)
    h = g.name("h", bpstep.relu(z))
    q = g.name("q", weight * h)
    skipped = skip(p)
    y = g.name("y", g.apply("identity", q) if skipped is None else q + skipped)
    e = g.name("e", y - target)
    return g, g.name("loss", 0.5 * e**2)


def two_uses(u: float, b: float = -1.0) -> tuple[bpstep.Graph, bpstep.Node]:
    """a = v·h, d = u·h, ŷ = a + d + c, with ŷ − target = −0.5 where h = 1, v = 1."""
    g = bpstep.Graph()
    x = g.input("x", 2.0)
    w, bias, v = g.param("w", 1.0), g.param("b", b), g.param("v", 1.0)
    other, c = g.param("u", u), g.param("c", 0.0)
    h = g.name("h", bpstep.relu(g.name("z", w * x + bias)))
    a = g.name("a", v * h)
    d = g.name("d", other * h)
    y = g.name("y", a + d + c)
    target = g.constant("target", y.value + 0.5)
    return g, g.name("loss", 0.5 * (y - target) ** 2)
