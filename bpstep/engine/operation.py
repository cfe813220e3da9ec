"""What a row of the table is made of: operations, derivative rules, keywords, kinks."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal

import numpy as np

from bpstep.engine.arithmetic import Array, Value
from bpstep.engine.errors import GraphError, did_you_mean

# 10**7 float64 are 80 MB: more than anybody steps through, less than any machine lacks.
MAX_ELEMENTS = 10_000_000

# NumPy keeps one object for each of its number types.
FLOAT64 = np.dtype(np.float64)

_OPERANDS = ("a", "b", "c")


@cache
def parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a rule's parameters, which say what it reads."""
    return tuple(inspect.signature(function).parameters)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword argument: its name, kind (axis, int, bool, number, shape, index) and default."""

    name: str
    kind: Literal["axis", "int", "bool", "number", "shape", "index"]
    default: Any = None
    required: bool = False

    def checked(self, value: Any) -> Any:
        """The value in its normal form; raises GraphError where it is of another kind."""
        if value is None and not self.required and (self.default is None or self.kind == "axis"):
            return None
        try:
            return _KINDS[self.kind](value)
        except (TypeError, ValueError, OverflowError):
            raise GraphError(
                f"{self.name}= takes {_SAID[self.kind]}, not {value!r}", "argument"
            ) from None


def _int(value: Any) -> int:
    if isinstance(value, bool) or int(value) != value:
        raise ValueError
    return int(value)


def _ints(value: Any) -> tuple[int, ...]:
    return (
        tuple(_int(item) for item in value) if isinstance(value, (tuple, list)) else (_int(value),)
    )


def _bool(value: Any) -> bool:
    if value not in (True, False):
        raise ValueError
    return bool(value)


def _axis(value: Any) -> int | tuple[int, ...]:
    return _ints(value) if isinstance(value, (tuple, list)) else _int(value)


def _number(value: Any) -> float:
    if isinstance(value, bool):
        raise ValueError
    return float(value)


_KINDS: Mapping[str, Callable[[Any], Any]] = {
    "axis": _axis,
    "int": _int,
    "bool": _bool,
    "number": _number,
    "shape": _ints,
    "index": _ints,
}
_SAID = {
    "axis": "an integer or a tuple of integers",
    "int": "an integer",
    "bool": "true or false",
    "number": "a number",
    "shape": "a shape such as (2, 3)",
    "index": "integers",
}


@dataclass(frozen=True, slots=True)
class Kink:
    """Where a rule has no derivative.

    ``key`` is the convention that decides there, ``at`` says which elements are at the point,
    ``interval`` gives the interval of legal values (None where no value is legal).
    """

    key: str
    at: Callable[..., Any]
    interval: Callable[..., tuple[float, float] | None]
    reads: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads", parameters(self.at))


@dataclass(frozen=True, slots=True)
class Branch:
    """Where an operation is pieced together.

    ``code`` gives a number for each element, equal on one smooth piece (kinks and edges of the
    domain lie between pieces); ``tied`` says which elements sit exactly between two. It is None
    where the branch is that of an operand which has pieces of its own: the condition of ``where``.
    """

    code: Callable[..., Any]
    tied: Callable[..., Any] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One operand's derivative rule; ``exact`` rules give the same bits over an array of scalars.

    ``text`` is its formula, with ``{a} {b} {c}`` for the operands and ``{y}`` for the result.
    """

    form: Literal["local", "spread", "pullback"]
    text: str
    function: Callable[..., Any]
    kink: Kink | None = None
    exact: bool = True
    reads: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "reads", parameters(self.function))

    @property
    def saved(self) -> tuple[str, ...]:
        """Which values the reverse pass needs: operands (``a b c``) and result (``y``)."""
        return tuple(name for name in self.reads if name in (*_OPERANDS, "y"))


def local(
    text: str, function: Callable[..., Any], kink: Kink | None = None, exact: bool = True
) -> Rule:
    """An elementwise local derivative."""
    return Rule("local", text, function, kink, exact)


def spread(text: str, function: Callable[..., Any], kink: Kink | None = None) -> Rule:
    """A reduction's derivative in its operand's shape."""
    return Rule("spread", text, function, kink, exact=False)


def pullback(text: str, function: Callable[..., Any]) -> Rule:
    """A vector-Jacobian product: upstream gradient in, contribution out."""
    return Rule("pullback", text, function, None, exact=False)


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table.

    ``arity`` is a number of operands or (least, most), most being None where there is no limit;
    ``rules`` has one rule an operand (None: no derivative; a single rule serves any number), and
    is empty where nothing is recorded; ``branch`` says on which smooth piece an evaluation lies;
    ``callable`` says whether expressions may call it by its name.
    """

    name: str
    arity: int | tuple[int, int | None]
    forward: Callable[..., Any]
    rules: tuple[Rule | None, ...]
    keywords: tuple[Keyword, ...] = ()
    branch: Branch | None = None
    callable: bool = True
    vectors: bool = False
    needs_one_of: tuple[str, ...] = ()
    elementwise: bool = field(init=False)

    def __post_init__(self) -> None:
        forms = {rule.form for rule in self.rules if rule is not None}
        object.__setattr__(self, "elementwise", forms == {"local"})

    @property
    def records(self) -> bool:
        """Whether the tape keeps a dependency at all."""
        return bool(self.rules)

    @property
    def least(self) -> int:
        """The smallest number of operands."""
        return self.arity if isinstance(self.arity, int) else self.arity[0]

    @property
    def most(self) -> int | None:
        """The largest number of operands; None where there is no limit."""
        return self.arity if isinstance(self.arity, int) else self.arity[1]

    def rule(self, position: int) -> Rule | None:
        """The derivative rule of the operand at a position; None where there is none."""
        if not self.rules:
            return None
        return self.rules[position] if self.most is not None else self.rules[0]

    def bind(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All keyword arguments in normal form, defaults filled in; raises GraphError."""
        names = [keyword.name for keyword in self.keywords]
        for name in given:
            if name not in names:
                known = "it takes " + ", ".join(names) if names else "it takes none"
                raise GraphError(
                    f"{self.name} has no argument {name!r}: {known}{did_you_mean(name, names)}",
                    "argument",
                )
        for keyword in self.keywords:
            if keyword.required and keyword.name not in given:
                raise GraphError(f"{self.name} needs {keyword.name}", "argument")
        bound = {k.name: k.checked(given.get(k.name, k.default)) for k in self.keywords}
        if self.needs_one_of and all(bound[name] is None for name in self.needs_one_of):
            raise GraphError(
                f"{self.name} needs {' or '.join(f'{n}=' for n in self.needs_one_of)}", "argument"
            )
        return bound

    def given(self, bound: Mapping[str, Any]) -> dict[str, Any]:
        """The keyword arguments that differ from their defaults: those worth writing down."""
        return {k.name: bound[k.name] for k in self.keywords if bound[k.name] != k.default}

    def check_arity(self, count: int) -> None:
        """Raise GraphError where an operation has too few or too many operands."""
        if count < self.least or (self.most is not None and count > self.most):
            wanted = f"{self.least}" if self.most is not None else f"at least {self.least}"
            plural = "" if self.least == 1 and self.most == 1 else "s"
            raise GraphError(f"{self.name} takes {wanted} operand{plural}, not {count}", "argument")

    def local_text(self, position: int, operands: Sequence[str], result: str) -> str:
        """The rule of one operand as a formula of the operands' names: ``v``, ``G @ W.T``."""
        rule = self.rule(position)
        if rule is None:
            return "none"
        names = dict(zip(_OPERANDS, operands, strict=False))
        if self.most is None:
            names["a"] = operands[position]
        return rule.text.format(**{**dict.fromkeys(_OPERANDS, "·"), **names, "y": result})


def evaluate(
    operation: Operation, values: Sequence[Value], keywords: Mapping[str, Any], dtype: Any
) -> Value:
    """One operation forward, checked; ``keywords`` are bound ones.

    Raises GraphError (codes ``shape``, ``too-large``) where the shapes do not fit.
    """
    if operation.elementwise and dtype is FLOAT64 and all(type(v) is float for v in values):
        return operation.forward(*values, **keywords)  # type: ignore[no-any-return]
    check_size(operation, values)
    try:
        with np.errstate(all="ignore"):
            return finish(operation.forward(*values, **keywords), dtype)
    except (ValueError, IndexError, TypeError) as error:
        shapes = " and ".join(str(np.shape(value)) for value in values)
        reason = str(error) if len(values) == 1 or keywords else "they do not fit together"
        raise GraphError(f"{operation.name} of shape {shapes}: {reason}", "shape") from None


def finish(value: Any, dtype: Any) -> Value:
    """A result in the graph's number type: a Python float for shape (), else an array."""
    if isinstance(value, np.ndarray) and value.ndim:
        return freeze(value.astype(dtype, copy=False))
    return rounded(float(value), dtype)


def numbers(value: Any, dtype: Any) -> Array:
    """A fresh array of what a user gave; raises TypeError, ValueError or OverflowError."""
    given = np.asarray(value)
    # NumPy would read None as nan and "2" as 2. Integers of any size are numbers.
    if given.dtype.kind not in "biuf" and not all(isinstance(item, int) for item in given.flat):
        raise TypeError
    with np.errstate(over="ignore"):
        return given.astype(dtype)


def freeze(array: Array) -> Array:
    """An array that nobody can change in place: recorded values are facts."""
    view = array.view()
    view.flags.writeable = False
    return view


def rounded(value: float, dtype: Any) -> float:
    """A Python float rounded to the graph's number type."""
    if dtype is FLOAT64:
        return value
    with np.errstate(over="ignore"):
        return float(np.float32(value))


def check_size(operation: Operation, values: Sequence[Value]) -> None:
    """Refuse a result too large to hold before any memory is asked for."""
    shapes = [np.shape(value) for value in values]
    if operation.vectors and any(len(shape) != 1 for shape in shapes):
        raise GraphError(
            f"{operation.name} takes two vectors, not shapes {shapes[0]} and {shapes[1]}", "shape"
        )
    if len(shapes) < 2 or not any(shapes):
        return
    if operation.name == "matmul":
        size = _product_size(*shapes)
    elif operation.most is None:
        size = sum(math.prod(shape) for shape in shapes)
    else:
        size = _broadcast_size(operation, shapes)
    if size > MAX_ELEMENTS:
        raise GraphError(
            f"{operation.name} would make a tensor of {size} elements; the limit is {MAX_ELEMENTS}",
            "too-large",
        )


def _product_size(a: tuple[int, ...], b: tuple[int, ...]) -> int:
    """How many elements a matrix product has; what does not fit together is NumPy's to refuse."""
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        return 0
    return math.prod(batch) * math.prod(a[-2:-1]) * (b[-1] if len(b) > 1 else 1)


def _broadcast_size(operation: Operation, shapes: Sequence[tuple[int, ...]]) -> int:
    try:
        return math.prod(np.broadcast_shapes(*shapes))
    except ValueError:
        listed = " and ".join(str(shape) for shape in shapes)
        raise GraphError(f"shapes {listed} do not broadcast in {operation.name}", "shape") from None
