"""The table of operations: one row says how an operation is computed, differentiated and written.

A row has the forward function, one derivative rule an operand, where the operation has no
derivative, and which branch it takes. A rule is a function whose *parameter names say what it
reads*, and so what has to be saved for the reverse pass:

``a b c``
    the operands' values, in order;
``y``
    the result;
``g``
    the upstream gradient, where the rule is a pullback;
``shape shapes position``
    the operand's shape, all operands' shapes, the operand's place;
``tie``
    what the graph's conventions say at the kink;
anything else
    a keyword argument of the operation, as ``axis``.

Rules come in three forms. ``local`` is an elementwise local derivative, multiplied by the
upstream gradient and summed back over what was broadcast. ``spread`` is the derivative of a
reduction in its operand's shape; the upstream gradient gets its reduced axes back first.
``pullback`` maps the upstream gradient to the contribution itself (a vector-Jacobian product).

Adding an operation is adding one row here. Derivatives are the textbook ones; where frameworks
differ in how they write them, PyTorch's ``derivatives.yaml`` is followed.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from bpstep.engine import arithmetic as m
from bpstep.engine import pieces as p
from bpstep.engine import tensors as t
from bpstep.engine.arithmetic import Value
from bpstep.engine.operation import (
    Keyword,
    Kink,
    Operation,
    Rule,
    local,
    pullback,
    spread,
)

_ROOT_2 = math.sqrt(2.0)
_LN_2 = math.log(2.0)
_SLOPE_OF_ERF = 2.0 / math.sqrt(math.pi)
_DENSITY = 1.0 / math.sqrt(2.0 * math.pi)

AXIS = Keyword("axis", "axis", None)
LAST = Keyword("axis", "axis", -1)
KEEP = Keyword("keepdims", "bool", False)

ZERO = Kink("relu", at=lambda a: a == 0, interval=lambda: (0.0, 1.0))


def _unit(low: float = 0.0, high: float = 1.0) -> Callable[[], tuple[float, float]]:
    return lambda: (low, high)


def _tie(key: str) -> Kink:
    return Kink(key, at=lambda a, b: a == b, interval=_unit())


def _several_winners(a: Any, y: Any, axis: t.Axis, keepdims: bool) -> Any:
    if isinstance(a, float):
        return False
    won = t.winners(a, y, axis, keepdims)
    axes = t.reduced_axes(axis, a.ndim)
    return won & (np.sum(won, axis=axes, keepdims=True) > 1)


def _silu_slope(a: Any) -> Any:
    s = m.sigmoid(a)
    return s * (1 + a * (1 - s))


def _normal_cdf(a: Any) -> Any:
    return 0.5 * (1 + m.erf(a / _ROOT_2))


def _pow_base_slope(a: Any, b: Any) -> Any:
    return m.where(b == 0, 0.0, b * m.power(a, b - 1.0))


def _pow_exponent_slope(a: Any, b: Any) -> Any:
    return m.where(m.both(a == 0, b >= 0), 0.0, m.power(a, b) * m.log(a))


def _clamp(a: Any, min: float | None, max: float | None) -> Any:
    low = -math.inf if min is None else min
    high = math.inf if max is None else max
    return m.minimum(m.maximum(a, low), high)


def _inside(a: Any, min: float | None, max: float | None) -> Any:
    low = -math.inf if min is None else min
    high = math.inf if max is None else max
    return m.where(m.both(a >= low, a <= high), 1.0, 0.0)


def _on_bound(a: Any, min: float | None, max: float | None) -> Any:
    return (a == (math.nan if min is None else min)) | (a == (math.nan if max is None else max))


def _square_radius(a: Any, b: Any) -> Any:
    return a * a + b * b


def _gave(result: Any) -> Any:
    """A comparison's outcome as the number 0 or 1."""
    return float(result) if isinstance(result, (bool, np.bool_)) else result


def _compare(name: str, function: Callable[[Any, Any], Any]) -> Operation:
    def outcome(a: Any, b: Any) -> Any:
        return _gave(function(a, b))

    return Operation(name, 2, outcome, (), callable=False, branch=p.ORDER)


_MAX_RULE = Kink("max", at=_several_winners, interval=_unit())
_MIN_RULE = Kink("min", at=_several_winners, interval=_unit())
_BOUND = Kink("clamp", at=_on_bound, interval=_unit())
_ORIGIN = Kink("atan2", at=lambda a, b: m.both(a == 0, b == 0), interval=_unit(-math.inf, math.inf))
_SLOPE = Kink(
    "leaky_relu",
    at=lambda a: a == 0,
    interval=lambda slope: (min(slope, 1.0), max(slope, 1.0)),
)

TABLE: tuple[Operation, ...] = (
    # ---- arithmetic ----
    Operation("identity", 1, lambda a: a, (local("1", lambda: 1.0),), callable=False),
    Operation("neg", 1, operator.neg, (local("-1", lambda: -1.0),)),
    Operation("add", 2, operator.add, (local("1", lambda: 1.0), local("1", lambda: 1.0))),
    Operation("sub", 2, operator.sub, (local("1", lambda: 1.0), local("-1", lambda: -1.0))),
    Operation("mul", 2, operator.mul, (local("{b}", lambda b: b), local("{a}", lambda a: a))),
    Operation(
        "div",
        2,
        m.quotient,
        (
            local("1/{b}", lambda b: m.quotient(1.0, b)),
            local("-{a}/{b}**2", lambda a, b: -m.quotient(m.quotient(a, b), b)),
        ),
        branch=p.SIGN_OF_DIVISOR,
    ),
    Operation(
        "pow",
        2,
        m.power,
        (
            local(
                "{b}*{a}**({b}-1)",
                _pow_base_slope,
                kink=Kink(
                    "pow_base", lambda a, b: m.both(a == 0, b == 0), interval=_unit(0.0, 0.0)
                ),
                exact=False,
            ),
            local(
                "{y}*log({a})",
                _pow_exponent_slope,
                kink=Kink("pow_exponent", lambda a: a < 0, interval=lambda: None),
                exact=False,
            ),
        ),
        branch=p.POWER,
    ),
    Operation(
        "matmul",
        2,
        np.matmul,
        (
            pullback(
                "G @ {b}.T",
                lambda g, b, position, shapes: t.matmul_pullback(g, None, b, position, shapes),
            ),
            pullback(
                "{a}.T @ G",
                lambda g, a, position, shapes: t.matmul_pullback(g, a, None, position, shapes),
            ),
        ),
    ),
    # ---- piecewise ----
    Operation(
        "relu",
        1,
        lambda a: m.maximum(a, 0.0),
        (local("1 if {a} > 0 else 0", lambda y: m.where(y <= 0, 0.0, 1.0), kink=ZERO),),
        branch=p.SIGN,
    ),
    Operation(
        "leaky_relu",
        1,
        lambda a, slope: m.where(a > 0, a, a * slope),
        (
            local(
                "1 if {a} > 0 else slope",
                lambda a, slope: m.where(a > 0, 1.0, slope),
                kink=_SLOPE,
            ),
        ),
        (Keyword("slope", "number", 0.01),),
        branch=p.SIGN,
    ),
    Operation(
        "abs",
        1,
        abs,
        (
            local(
                "sign({a})",
                # torch's sgn(nan) is 0: no nan arises in the rule itself.
                lambda a: m.where(a > 0, 1.0, m.where(a < 0, -1.0, 0.0)),
                kink=Kink("abs", lambda a: a == 0, interval=_unit(-1.0, 1.0)),
            ),
        ),
        branch=p.SIGN,
    ),
    Operation("sign", 1, m.sign, (local("0", lambda: 0.0),), branch=p.SIGN),
    Operation("floor", 1, m.floor, (local("0", lambda: 0.0),), branch=p.FLOOR),
    Operation("round", 1, m.round_half_even, (local("0", lambda: 0.0),), branch=p.ROUND),
    Operation(
        "maximum",
        2,
        m.maximum,
        (
            local(
                "1 if {a} > {b} else 0",
                lambda a, b: m.where(a < b, 0.0, 1.0),
                kink=_tie("maximum"),
            ),
            local(
                "1 if {b} > {a} else 0",
                lambda a, b: m.where(a > b, 0.0, 1.0),
                kink=_tie("maximum"),
            ),
        ),
        branch=p.ORDER,
    ),
    Operation(
        "minimum",
        2,
        m.minimum,
        (
            local(
                "1 if {a} < {b} else 0",
                lambda a, b: m.where(a > b, 0.0, 1.0),
                kink=_tie("minimum"),
            ),
            local(
                "1 if {b} < {a} else 0",
                lambda a, b: m.where(a < b, 0.0, 1.0),
                kink=_tie("minimum"),
            ),
        ),
        branch=p.ORDER,
    ),
    Operation(
        "clamp",
        1,
        _clamp,
        (local("1 if min <= {a} <= max else 0", _inside, kink=_BOUND),),
        (Keyword("min", "number", None), Keyword("max", "number", None)),
        needs_one_of=("min", "max"),
        branch=p.CLAMP,
    ),
    Operation(
        "where",
        3,
        lambda a, b, c: m.where(a, b, c),
        (
            None,
            local("1 if {a} else 0", lambda a: m.where(a, 1.0, 0.0)),
            local("0 if {a} else 1", lambda a: m.where(a, 0.0, 1.0)),
        ),
        branch=p.SELECTION,
    ),
    # ---- smooth functions of one operand ----
    Operation("exp", 1, m.exp, (local("{y}", lambda y: y),)),
    Operation("log", 1, m.log, (local("1/{a}", lambda a: m.quotient(1.0, a)),), branch=p.SIGN),
    Operation(
        "log1p",
        1,
        m.log1p,
        (local("1/(1+{a})", lambda a: m.quotient(1.0, 1.0 + a)),),
        branch=p.ABOVE_MINUS_ONE,
    ),
    Operation(
        "log2",
        1,
        m.log2,
        (local("1/({a}*ln 2)", lambda a: m.quotient(1.0, a * _LN_2)),),
        branch=p.SIGN,
    ),
    Operation(
        "sqrt",
        1,
        m.sqrt,
        (local("1/(2*{y})", lambda y: m.quotient(1.0, 2.0 * y)),),
        branch=p.SIGN,
    ),
    Operation("square", 1, lambda a: a * a, (local("2*{a}", lambda a: 2.0 * a),)),
    Operation(
        "reciprocal",
        1,
        lambda a: m.quotient(1.0, a),
        (local("-{y}**2", lambda y: -(y * y)),),
        branch=p.SIGN,
    ),
    Operation("sin", 1, m.sin, (local("cos({a})", lambda a: m.cos(a), exact=False),)),
    Operation("cos", 1, m.cos, (local("-sin({a})", lambda a: -m.sin(a), exact=False),)),
    Operation("tan", 1, m.tan, (local("1 + {y}**2", lambda y: 1.0 + y * y),)),
    Operation("tanh", 1, m.tanh, (local("1 - {y}**2", lambda y: 1.0 - y * y),)),
    Operation("sigmoid", 1, m.sigmoid, (local("{y}*(1-{y})", lambda y: y * (1.0 - y)),)),
    Operation(
        "softplus", 1, m.softplus, (local("sigmoid({a})", lambda a: m.sigmoid(a), exact=False),)
    ),
    Operation(
        "silu",
        1,
        lambda a: a * m.sigmoid(a),
        (local("s*(1+{a}*(1-s)), s = sigmoid({a})", _silu_slope, exact=False),),
    ),
    Operation(
        "gelu",
        1,
        lambda a: a * _normal_cdf(a),
        (
            local(
                "Φ({a}) + {a}*φ({a})",
                lambda a: _normal_cdf(a) + a * (_DENSITY * m.exp(-0.5 * (a * a))),
                exact=False,
            ),
        ),
    ),
    Operation(
        "erf",
        1,
        m.erf,
        (
            local(
                "2/sqrt(π)*exp(-{a}**2)",
                lambda a: _SLOPE_OF_ERF * m.exp(-(a * a)),
                exact=False,
            ),
        ),
    ),
    Operation(
        "atan2",
        2,
        m.atan2,
        (
            local(
                "{b}/({a}**2+{b}**2)",
                lambda a, b: m.quotient(b, _square_radius(a, b)),
                kink=_ORIGIN,
            ),
            local(
                "-{a}/({a}**2+{b}**2)",
                lambda a, b: m.quotient(-a, _square_radius(a, b)),
                kink=_ORIGIN,
            ),
        ),
        branch=p.ANGLE,
    ),
    # ---- reductions ----
    Operation(
        "sum",
        1,
        lambda a, axis, keepdims: np.sum(a, axis=axis, keepdims=keepdims),
        (spread("G, broadcast", lambda: 1.0),),
        (AXIS, KEEP),
    ),
    Operation(
        "mean",
        1,
        t.mean,
        (
            spread(
                "G/n, broadcast", lambda shape, axis: m.quotient(1.0, t.reduced_size(shape, axis))
            ),
        ),
        (AXIS, KEEP),
    ),
    Operation(
        "prod",
        1,
        lambda a, axis, keepdims: np.prod(a, axis=axis, keepdims=keepdims),
        (spread("G * product of the others", lambda a, axis: t.others_product(a, axis)),),
        (AXIS, KEEP),
    ),
    Operation(
        "max",
        1,
        lambda a, axis, keepdims: np.max(a, axis=axis, keepdims=keepdims),
        (spread("G where {a} is the maximum", t.winners_share, kink=_MAX_RULE),),
        (AXIS, KEEP),
        branch=p.WINNERS,
    ),
    Operation(
        "min",
        1,
        lambda a, axis, keepdims: np.min(a, axis=axis, keepdims=keepdims),
        (spread("G where {a} is the minimum", t.winners_share, kink=_MIN_RULE),),
        (AXIS, KEEP),
        branch=p.WINNERS,
    ),
    Operation(
        "norm",
        1,
        t.norm,
        (
            spread(
                "G * {a}/{y}",
                lambda a, y: m.quotient(a, y),
                kink=Kink("norm", lambda y: y == 0, interval=_unit(-1.0, 1.0)),
            ),
        ),
        branch=p.NORM,
    ),
    Operation(
        "logsumexp",
        1,
        t.logsumexp,
        (
            spread(
                "G * exp({a}-{y})",
                lambda a, y, axis, keepdims, shape: m.exp(a - t.expand(y, axis, keepdims, shape)),
            ),
        ),
        (LAST, KEEP),
    ),
    Operation(
        "softmax",
        1,
        t.softmax,
        (pullback("{y} * (G - sum(G*{y}))", t.softmax_pullback),),
        (LAST,),
    ),
    Operation(
        "log_softmax",
        1,
        t.log_softmax,
        (pullback("G - exp({y})*sum(G)", t.log_softmax_pullback),),
        (LAST,),
    ),
    Operation(
        "dot",
        2,
        np.dot,
        (
            spread("G * {b}", lambda b: b),
            spread("G * {a}", lambda a: a),
        ),
        vectors=True,
    ),
    # ---- shapes ----
    Operation("transpose", 1, np.transpose, (pullback("G.T", lambda g: np.transpose(g)),)),
    Operation(
        "reshape",
        1,
        lambda a, shape: np.reshape(a, shape),
        (pullback("G.reshape(shape of {a})", lambda g, shapes: np.reshape(g, shapes[0])),),
        (Keyword("shape", "shape", required=True),),
    ),
    Operation(
        "concat",
        (2, None),
        lambda *parts, axis: np.concatenate(parts, axis=axis),
        (pullback("the slice of G that {a} filled", t.concat_pullback),),
        (Keyword("axis", "int", 0),),
    ),
    Operation(
        "index",
        1,
        lambda a, index: a[index],
        (
            pullback(
                "G at [index], 0 elsewhere",
                lambda g, shapes, index: t.scatter(g, shapes[0], index),
            ),
        ),
        (Keyword("index", "index", required=True),),
        callable=False,
    ),
    # ---- nothing is recorded ----
    _compare("lt", operator.lt),
    _compare("le", operator.le),
    _compare("gt", operator.gt),
    _compare("ge", operator.ge),
    _compare("eq", operator.eq),
    _compare("ne", operator.ne),
    Operation("isnan", 1, lambda a: _gave(np.isnan(a)), (), branch=p.OUTCOME),
    Operation("argmax", 1, lambda a: float(np.argmax(a)), (), branch=p.LARGEST),
    Operation("detach", 1, lambda a: a, ()),
)

OPERATIONS: Mapping[str, Operation] = MappingProxyType({row.name: row for row in TABLE})
CODES: Mapping[str, int] = MappingProxyType({row.name: code for code, row in enumerate(TABLE)})
_KEYWORDS = ("start", "end", "op", "if", "nonfinite", "all", "none")
RESERVED: frozenset[str] = frozenset((*(row.name for row in TABLE if row.callable), *_KEYWORDS))

__all__ = [
    "CODES",
    "OPERATIONS",
    "RESERVED",
    "TABLE",
    "Keyword",
    "Kink",
    "Operation",
    "Rule",
    "Value",
]
