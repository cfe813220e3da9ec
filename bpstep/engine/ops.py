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

Adding an operation is adding one row here; what takes more than a line has its function in
``slopes.py`` (derivatives, kinks), ``tensors.py`` or ``pieces.py`` (branches). Derivatives are the
textbook ones; where frameworks differ in how they write them, PyTorch's ``derivatives.yaml`` is
followed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from bpstep.engine import arithmetic as m
from bpstep.engine import pieces as p
from bpstep.engine import slopes as s
from bpstep.engine import tensors as t
from bpstep.engine.operation import Keyword, Operation, local, pullback, spread

AXIS = Keyword("axis", "axis", None)
LAST = Keyword("axis", "axis", -1)
KEEP = Keyword("keepdims", "bool", False)


def _gave(result: Any) -> Any:
    """A comparison's outcome as the number 0 or 1."""
    return float(result) if isinstance(result, (bool, np.bool_)) else result


def _compare(name: str, function: Callable[[Any, Any], Any]) -> Operation:
    def outcome(a: Any, b: Any) -> Any:
        return _gave(function(a, b))

    return Operation(name, 2, outcome, (), callable=False, branch=p.ORDER)


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
            local("{b}*{a}**({b}-1)", s.pow_base, s.POW_BASE, exact=False),
            local("{y}*log({a})", s.pow_exponent, s.POW_EXPONENT, exact=False),
        ),
        branch=p.POWER,
    ),
    Operation(
        "matmul",
        2,
        np.matmul,
        (pullback("G @ {b}.T", t.left_pullback), pullback("{a}.T @ G", t.right_pullback)),
    ),
    # ---- piecewise ----
    Operation(
        "relu",
        1,
        lambda a: m.maximum(a, 0.0),
        (local("1 if {a} > 0 else 0", lambda y: m.where(y <= 0, 0.0, 1.0), s.RELU),),
        branch=p.SIGN,
    ),
    Operation(
        "leaky_relu",
        1,
        lambda a, slope: m.where(a > 0, a, a * slope),
        (local("1 if {a} > 0 else slope", s.leaky_relu, s.LEAKY_RELU),),
        (Keyword("slope", "number", 0.01),),
        branch=p.SIGN,
    ),
    Operation(
        "abs",
        1,
        abs,
        (local("sign({a})", s.absolute, s.ABS),),
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
            local("1 if {a} > {b} else 0", lambda a, b: m.where(a < b, 0.0, 1.0), s.MAXIMUM),
            local("1 if {b} > {a} else 0", lambda a, b: m.where(a > b, 0.0, 1.0), s.MAXIMUM),
        ),
        branch=p.ORDER,
    ),
    Operation(
        "minimum",
        2,
        m.minimum,
        (
            local("1 if {a} < {b} else 0", lambda a, b: m.where(a > b, 0.0, 1.0), s.MINIMUM),
            local("1 if {b} < {a} else 0", lambda a, b: m.where(a < b, 0.0, 1.0), s.MINIMUM),
        ),
        branch=p.ORDER,
    ),
    Operation(
        "clamp",
        1,
        s.clamp,
        (local("1 if min <= {a} <= max else 0", s.inside, s.CLAMP),),
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
        (local("1/({a}*ln 2)", lambda a: m.quotient(1.0, a * s.LN_2)),),
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
        (local("s*(1+{a}*(1-s)), s = sigmoid({a})", s.silu, exact=False),),
    ),
    Operation(
        "gelu",
        1,
        lambda a: a * s.normal_cdf(a),
        (local("Φ({a}) + {a}*φ({a})", s.gelu, exact=False),),
    ),
    Operation(
        "erf",
        1,
        m.erf,
        (local("2/sqrt(π)*exp(-{a}**2)", s.erf, exact=False),),
    ),
    Operation(
        "atan2",
        2,
        m.atan2,
        (
            local("{b}/({a}**2+{b}**2)", lambda a, b: m.quotient(b, a * a + b * b), s.ATAN2),
            local("-{a}/({a}**2+{b}**2)", lambda a, b: m.quotient(-a, a * a + b * b), s.ATAN2),
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
        (spread("G/n, broadcast", s.mean),),
        (AXIS, KEEP),
    ),
    Operation(
        "prod",
        1,
        lambda a, axis, keepdims: np.prod(a, axis=axis, keepdims=keepdims),
        (spread("G * product of the others", t.others_product),),
        (AXIS, KEEP),
    ),
    Operation(
        "max",
        1,
        lambda a, axis, keepdims: np.max(a, axis=axis, keepdims=keepdims),
        (spread("G where {a} is the maximum", t.winners_share, s.MAX),),
        (AXIS, KEEP),
        branch=p.WINNERS,
    ),
    Operation(
        "min",
        1,
        lambda a, axis, keepdims: np.min(a, axis=axis, keepdims=keepdims),
        (spread("G where {a} is the minimum", t.winners_share, s.MIN),),
        (AXIS, KEEP),
        branch=p.WINNERS,
    ),
    Operation(
        "norm",
        1,
        t.norm,
        (spread("G * {a}/{y}", lambda a, y: m.quotient(a, y), s.NORM),),
        branch=p.NORM,
    ),
    Operation(
        "logsumexp",
        1,
        t.logsumexp,
        (spread("G * exp({a}-{y})", s.logsumexp),),
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
        (spread("G * {b}", lambda b: b), spread("G * {a}", lambda a: a)),
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
        (pullback("G at [index], 0 elsewhere", t.scatter),),
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
