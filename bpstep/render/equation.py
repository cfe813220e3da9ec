"""A node and how it is made, in one line."""

from __future__ import annotations


def equation(name: str, expression: str) -> str:
    """ "p = w * x"; a leaf is its name, and an inner node, "(e**2)", is its own expression."""
    return name if not expression or name.startswith("(") else f"{name} = {expression}"
