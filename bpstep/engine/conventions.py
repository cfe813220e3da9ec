"""What frameworks return at points without a derivative, as one table of three presets.

The values were read off torch 2.13, jax 0.10 and tensorflow 2.21 in float64.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bpstep.engine.errors import GraphError, did_you_mean

Setting = float | str | frozenset[str]

# Operations whose zero local derivative holds on an open set: their zero is a mask or a factor.
BLOCKING = frozenset(
    ("relu", "clamp", "maximum", "minimum", "where", "max", "min", "max_axis", "min_axis")
) | {"sign", "floor", "round"}
# sign, floor and round return zeros in every framework, whatever arrives.
_ALWAYS = frozenset({"sign", "floor", "round", "where"})
EVERY_OPERATION = frozenset({"*"})

PRESETS: Mapping[str, Mapping[str, Setting]] = {
    "torch": {
        "relu": 0.0,
        "leaky_relu": "slope",
        "abs": 0.0,
        "maximum": "split",
        "minimum": "split",
        "max": "split",
        "min": "split",
        "clamp": 1.0,
        "norm": 0.0,
        "pow_base": 0.0,
        "pow_exponent": math.nan,
        "atan2": 0.0,
        "zero_upstream": frozenset(),
        "blocked": BLOCKING - {"max_axis", "min_axis"},
    },
    "jax": {
        "relu": 0.0,
        "leaky_relu": 1.0,
        "abs": 1.0,
        "maximum": "split",
        "minimum": "split",
        "max": "split",
        "min": "split",
        "clamp": 0.5,
        "norm": math.nan,
        "pow_base": math.nan,
        "pow_exponent": math.nan,
        "atan2": math.nan,
        "zero_upstream": frozenset(),
        "blocked": _ALWAYS | {"relu"},
    },
    "tensorflow": {
        "relu": 0.0,
        "leaky_relu": "slope",
        "abs": 0.0,
        "maximum": "first",
        "minimum": "first",
        "max": "split",
        "min": "split",
        "clamp": 1.0,
        "norm": math.nan,
        "pow_base": math.nan,
        "pow_exponent": 0.0,
        "atan2": math.nan,
        "zero_upstream": frozenset({"sqrt", "log", "log2"}),
        "blocked": _ALWAYS | {"clamp", "maximum", "minimum"},
    },
}
KEYS: tuple[str, ...] = tuple(PRESETS["torch"])

_WORDS: Mapping[str, tuple[str, ...]] = {
    "leaky_relu": ("slope",),
    "maximum": ("split", "first", "second"),
    "minimum": ("split", "first", "second"),
    "max": ("split", "first"),
    "min": ("split", "first"),
    "zero_upstream": ("product", "mask"),
    "blocked": ("product", "mask"),
}
_NUMBERS = frozenset(
    ("relu", "leaky_relu", "abs", "clamp", "norm", "pow_base", "pow_exponent", "atan2")
)


@dataclass(frozen=True)
class Conventions:
    """The conventions of one graph: a preset, and a setting for every key of the table."""

    preset: str
    settings: Mapping[str, Setting]

    def tie(self, key: str, keywords: Mapping[str, Any], position: int) -> float | str:
        """What ``key`` says at its point: the local derivative of that operand, or a mode."""
        setting = self.settings[key]
        if setting == "slope":
            return float(keywords["slope"])
        if key in ("maximum", "minimum"):
            return {"split": (0.5, 0.5), "first": (1.0, 0.0), "second": (0.0, 1.0)}[str(setting)][
                position
            ]
        assert not isinstance(setting, frozenset), f"{key} is no point without a derivative"
        return setting

    def masks(self, key: str, operation: str) -> bool:
        """Does a zero win over inf and nan here? ``key`` is ``blocked`` or ``zero_upstream``."""
        masked = self.settings[key]
        assert isinstance(masked, frozenset), f"{key} is no set of operations"
        return masked is EVERY_OPERATION or operation in masked


def conventions(spec: str | Mapping[str, object] | Conventions) -> Conventions:
    """Conventions from a preset's name or a mapping ``{preset: torch, relu: 0.5}``.

    Each key of a mapping takes a preset's name (its setting there), and where the table allows
    it a number or a word. Raises GraphError (code ``convention``) for anything else.
    """
    if isinstance(spec, Conventions):
        return spec
    if isinstance(spec, str):
        return Conventions(spec, _preset(spec))
    if not isinstance(spec, Mapping):
        raise GraphError(
            f"conventions are a preset's name or a mapping, not {spec!r}", "convention"
        )
    changes = dict(spec)
    preset = changes.pop("preset", "torch")
    settings = dict(_preset(preset))
    for key, value in changes.items():
        settings[key] = _setting(key, value)
    return Conventions(str(preset), settings)


def _preset(name: object) -> Mapping[str, Setting]:
    if not isinstance(name, str) or name not in PRESETS:
        raise GraphError(
            f"no preset of conventions is called {name!r}: choose torch, jax or tensorflow"
            + did_you_mean(str(name), PRESETS),
            "convention",
        )
    return PRESETS[name]


def _setting(key: str, value: object) -> Setting:
    if key not in KEYS:
        raise GraphError(
            f"no convention is called {key!r}{did_you_mean(key, KEYS)}: the keys are preset, "
            + ", ".join(KEYS),
            "convention",
        )
    if isinstance(value, str) and value in PRESETS:
        return PRESETS[value][key]
    if key in ("zero_upstream", "blocked") and value in ("mask", "product"):
        return EVERY_OPERATION if value == "mask" else frozenset()
    if isinstance(value, str) and value in _WORDS.get(key, ()):
        return str(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and key in _NUMBERS:
        return float(value)
    raise GraphError(
        f"convention {key} cannot be {value!r}: expected {_expected(key)}", "convention"
    )


def _expected(key: str) -> str:
    numbers = ("a number",) if key in _NUMBERS else ()
    words = (*numbers, *_WORDS.get(key, ()), *PRESETS)
    return f"{', '.join(words[:-1])} or {words[-1]}"
