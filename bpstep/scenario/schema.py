"""The schema of a scenario file: which keys there are, what they take, and how editors say it.

Places, expressions and names are checked elsewhere; here it is about the form alone.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, WithJsonSchema

Verdict = Literal[
    "agrees",
    "kink",
    "near-kink",
    "jump",
    "convention",
    "detached",
    "mismatch",
    "rounding",
    "nonfinite",
]
Reason = Literal[
    "no-path",
    "detached",
    "frozen",
    "blocked",
    "kink",
    "zero-factor",
    "stationary",
    "saturated",
    "cancelled",
    "underflow",
]
FaultKind = Literal["overwrite", "drop", "single_operand", "revisit", "early", "rule", "transpose"]

_NESTED = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "array"}]}}
_EXPRESSION = {"type": ["string", "number"], "description": "An expression, such as w * relu(z)."}
_ENTRIES = {"type": "object", "additionalProperties": _EXPRESSION}
_REPEAT = {
    "type": "object",
    "properties": {
        "repeat": {
            "type": "object",
            "description": "A name and its first and last number, {i: [1, 10]}.",
            "additionalProperties": {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 2,
                "maxItems": 2,
            },
            "minProperties": 1,
            "maxProperties": 1,
        },
        "do": {"type": "array", "items": {"type": "object"}},
    },
    "required": ["repeat", "do"],
    "additionalProperties": False,
}

# Tensors, entries of the graph and statements are read with their places, not by pydantic.
Tensor = Annotated[Any, WithJsonSchema({"anyOf": [{"type": "number"}, _NESTED]})]
Gradient = Annotated[
    Any, WithJsonSchema({"anyOf": [{"type": "number"}, _NESTED, {"const": "none"}]})
]
Answer = Annotated[Any, WithJsonSchema({"type": ["number", "string", "array"]})]
Entries = Annotated[
    Any,
    WithJsonSchema(
        {"anyOf": [_ENTRIES, {"type": "array", "items": {"anyOf": [_REPEAT, _ENTRIES]}}]}
    ),
]
Convention = Annotated[Any, WithJsonSchema({"type": ["string", "number"]})]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class _Model(BaseModel):
    # Only the whole file is checked: building a validator for each part would take 100 ms. For the
    # same reason defaults are made without one.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class ValueLeaf(_Model):
    """A leaf with more than a value."""

    value: Tensor = Field(description="A number, or a nested list of numbers.")
    grad: bool = Field(
        default=True, description="false freezes the leaf: nothing is recorded for it."
    )
    note: str | None = Field(default=None, description="Shown to the learner at this leaf.")


class InitLeaf(_Model):
    """A tensor made by rule, the same on every machine."""

    init: Literal["normal", "uniform", "zeros", "ones", "eye"]
    shape: list[Annotated[int, Field(ge=1)]] = Field(description="The sizes, as in [4, 3].")
    seed: Annotated[int, Field(ge=0)] = Field(default=0, description="The seed of PCG64.")
    scale: Annotated[float, Field(ge=-1e300, le=1e300)] = Field(
        default=1.0, description="A factor; uniform is in ±scale."
    )
    grad: bool = Field(
        default=True, description="false freezes the leaf: nothing is recorded for it."
    )
    note: str | None = Field(default=None, description="Shown to the learner at this leaf.")


def _choice(tag: str, otherwise: str, kind: type) -> Discriminator:
    """Decides between two forms by the type of what was written, so that errors name one only."""
    return Discriminator(lambda value: tag if isinstance(value, kind) else otherwise)


Reasons = Annotated[
    Annotated[Reason, Tag("Reason")] | Annotated[list[Reason], Tag("Reasons")],
    _choice("Reasons", "Reason", list),
]
Conventions = Annotated[
    Annotated[Literal["torch", "jax", "tensorflow"], Tag("Preset")]
    | Annotated[dict[str, Convention], Tag("Changes")],
    _choice("Changes", "Preset", dict),
]


def _kind_of_leaf(value: object) -> str:
    if isinstance(value, dict):
        return "InitLeaf" if "init" in value else "ValueLeaf"
    return "Tensor"


Leaf = Annotated[
    Annotated[Tensor, Tag("Tensor")]
    | Annotated[ValueLeaf, Tag("ValueLeaf")]
    | Annotated[InitLeaf, Tag("InitLeaf")],
    Discriminator(_kind_of_leaf),
]


class Check(_Model):
    """Finite differences of the loss against the gradient."""

    wrt: str = Field(description="A leaf, an element such as W[0, 1], or all.")
    steps: list[Positive] | None = Field(default=None, min_length=1, description="Step sizes h.")


class Updates(_Model):
    """One step of gradient descent at each rate."""

    rates: list[float] = Field(
        min_length=1, description="Numbers, as in [0.1, 1], each tried from the same leaf values."
    )
    params: list[str] | None = Field(
        default=None, description="Which leaves move; default: every param."
    )


class Tolerance(_Model):
    """How near found numbers must be to expected ones."""

    rel: Annotated[float, Field(ge=0)] = Field(default=1e-9, description="Relative tolerance.")
    abs: Annotated[float, Field(ge=0)] = Field(default=1e-12, description="Absolute tolerance.")


class ExpectedCheck(_Model):
    """What a check must find; numbers are the extrapolated limits."""

    verdict: Verdict | None = None
    central: float | None = None
    left: float | None = None
    right: float | None = None
    node: str | None = Field(default=None, description="The first node whose adjoint is wrong.")
    cause: str | None = Field(default=None, description="The node that made it wrong.")


class ExpectedUpdate(_Model):
    """What one step at a rate must give."""

    rate: float
    loss: float | None = None
    predicted: float | None = Field(default=None, description="The change that gradients promise.")
    actual: float | None = Field(default=None, description="The change of the loss that came.")
    params: dict[str, Tensor] | None = None
    crossed: list[str] | None = Field(default=None, description="Nodes that change their branch.")


class Expect(_Model):
    """What must come out at the end of the program."""

    values: dict[str, Tensor] = Field(default={}, description="Values by node.")
    grads: dict[str, Gradient] = Field(
        default={}, description="Gradients by node; none: nothing arrives."
    )
    contributions: dict[str, list[Tensor]] = Field(
        default={}, description="In the order of arrival."
    )
    checks: dict[str, ExpectedCheck] = Field(
        default={}, description="Verdicts of finite differences."
    )
    updates: list[ExpectedUpdate] = Field(default=[], description="Results of updates, one a rate.")
    zero: dict[str, Reasons] = Field(default={}, description="Why a gradient is zero.")
    paths: dict[str, list[Tensor]] = Field(
        default={}, description="Each path's share, in any order."
    )
    ghosts: dict[str, Tensor] = Field(default={}, description="What a detach keeps from arriving.")
    error: Literal["graph-freed", "stale-value", "fault-too-long", "no-gradient"] | None = Field(
        default=None, description="The run must end in this error."
    )


class Question(_Model):
    """A question, asked before the step that answers it."""

    at: str = Field(description="The node that answers it.")
    ask: str
    answer: Answer
    hint: str | None = None


class Fault(_Model):
    """A reverse pass that is wrong on purpose."""

    kind: FaultKind
    node: str | None = None
    from_: str | None = Field(default=None, alias="from")
    op: str | None = None
    operand: Annotated[int, Field(ge=0)] | None = None
    value: Tensor = None


class File(_Model):
    """A scenario of bpstep: a computation, its reverse pass, and what must come out."""

    model_config = ConfigDict(title="bpstep scenario")

    bpstep: Annotated[int, Field(ge=1, le=1)] = Field(description="The format's version, 1.")
    title: str = Field(description="One line about what it shows.")
    about: str = Field(default="", description="Markdown, shown to the learner.")
    extends: str | None = Field(default=None, description="Another scenario to start from.")
    dtype: Literal["float64", "float32"] = Field(default="float64", description="The number type.")
    inputs: dict[str, Leaf] = Field(default={}, description="Leaves that get gradients.")
    params: dict[str, Leaf] = Field(default={}, description="Leaves that updates change.")
    constants: dict[str, Leaf] = Field(default={}, description="Leaves without gradients.")
    graph: Entries = Field(description="name: expression, or a list of such mappings and repeats.")
    loss: str | None = Field(
        default=None, description="What is differentiated; default: the last entry."
    )
    conventions: Conventions = Field(
        default="torch", description="What is returned at points without a derivative."
    )
    program: list[str] | None = Field(
        default=None, min_length=1, description="Statements; default: [forward, backward]."
    )
    buffers: Literal["reset", "accumulate"] = Field(
        default="reset", description="What backward does with gradients already there."
    )
    retain_graph: bool = Field(default=True, description="false: a backward frees what was saved.")
    versions: Literal["check", "ignore"] = Field(
        default="check", description="What backward does about mutated values."
    )
    fault: Fault | None = Field(default=None, description="Breaks the reverse pass on purpose.")
    checks: list[Check] = Field(default=[], description="Finite differences against the gradient.")
    updates: Updates | None = Field(default=None, description="Steps of gradient descent to try.")
    tolerance: Tolerance = Field(
        default=Tolerance.model_construct(), description="For the numbers under expect."
    )
    expect: Expect = Field(default=Expect.model_construct(), description="What must come out.")
    breakpoints: list[str] = Field(default=[], description="Each as after the command break.")
    notes: dict[str, str] = Field(default={}, description="Markdown shown at a node.")
    predict: list[Question] = Field(default=[], description="Questions for the learner.")


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the format, for editors."""
    schema = File.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
