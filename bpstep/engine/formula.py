"""Formula strings: canonical text with no spaces and only the parentheses that are needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

ATOM = 100
_BINDING = {
    **dict.fromkeys(("lt", "le", "gt", "ge", "eq", "ne"), 1),
    "add": 10,
    "sub": 10,
    "mul": 20,
    "div": 20,
    "matmul": 20,
    "neg": 30,
    "pow": 40,
}
SYMBOLS = {
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "eq": "==",
    "ne": "!=",
    "add": "+",
    "sub": "-",
    "mul": "*",
    "div": "/",
    "matmul": "@",
    "pow": "**",
}


class Part(NamedTuple):
    """A piece of a formula and how strongly it binds (ATOM needs no parentheses anywhere)."""

    text: str
    binding: int = ATOM


def number_text(number: float) -> str:
    """The shortest text of a number: ``2``, ``0.5``, ``1e-06``, ``inf``."""
    text = repr(float(number))
    return text[:-2] if text.endswith(".0") else text


def number(value: float) -> Part:
    """A number as a part; a negative one binds like a unary minus."""
    text = number_text(value)
    return Part(text, _BINDING["neg"] if text.startswith("-") else ATOM)


def binding(operation: str) -> int:
    """How strongly an operation's text binds."""
    return _BINDING.get(operation, ATOM)


def compact(operation: str, parts: Sequence[Part], keywords: Mapping[str, Any]) -> Part:
    """The canonical text of one operation on operands' texts: ``e**2``, ``sum(q,axis=0)``."""
    return _write(operation, parts, keywords, space="")


def spaced(operation: str, parts: Sequence[Part], keywords: Mapping[str, Any]) -> str:
    """The same for reading, with spaces round binary operators and after commas: ``w * x``."""
    return _write(operation, parts, keywords, space=" ").text


def _write(operation: str, parts: Sequence[Part], keywords: Mapping[str, Any], space: str) -> Part:
    if operation == "identity":
        return Part(parts[0].text, parts[0].binding)
    if operation == "neg":
        binding = _BINDING["neg"]
        return Part("-" + _enclose(parts[0], parts[0].binding < binding), binding)
    if operation in SYMBOLS and len(parts) == 2:
        return _infix(operation, parts[0], parts[1], space)
    if operation == "index":
        inner = f",{space}".join(str(i) for i in keywords["index"])
        return Part(f"{_enclose(parts[0], parts[0].binding < ATOM)}[{inner}]")
    named = [
        f"{key}={argument_text(value)}" for key, value in keywords.items() if value is not None
    ]
    if operation == "reshape":
        named = [argument_text(keywords["shape"])]
    arguments = f",{space}".join([_bare(part) for part in parts] + named)
    return Part(f"{operation}({arguments})")


def _bare(part: Part) -> str:
    """An operand's label inside a call's parentheses: its own are not needed."""
    # A product such as (a+b)*(c+d) begins and ends with parentheses too, but binds less.
    labelled = part.binding == ATOM and part.text.startswith("(") and part.text.endswith(")")
    return part.text[1:-1] if labelled else part.text


def _infix(operation: str, left: Part, right: Part, space: str) -> Part:
    binding = _BINDING[operation]
    if operation == "pow":
        # Right-associative, and a minus in the exponent needs no parentheses: 2**-x.
        first, second = left.binding <= binding, right.binding < _BINDING["neg"]
    else:
        first = left.binding < binding or (binding == 1 and left.binding == 1)
        second = right.binding <= binding
    symbol = f"{space}{SYMBOLS[operation]}{space}"
    return Part(_enclose(left, first) + symbol + _enclose(right, second), binding)


def _enclose(part: Part, needed: bool) -> str:
    return f"({part.text})" if needed else part.text


def argument_text(value: object) -> str:
    """A keyword argument's value as the format writes it: ``true``, ``(2,3)``, ``0.01``."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        inner = ",".join(str(item) for item in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, float):
        return number_text(value)
    return str(value)
