"""What a plain YAML scalar means: the core schema of YAML 1.2, and digits grouped by `_`.

PyYAML implements YAML 1.1, in which `1e-2` is text and `no` is false; hence these rules.
Source: YAML 1.2.2, section 10.3.2.
"""

from __future__ import annotations

import re

_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_NULL = re.compile(r"~|null|Null|NULL|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
_DECIMAL = re.compile(rf"[-+]?{_DIGITS}")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(rf"[-+]?(?:\.{_DIGITS}|{_DIGITS}(?:\.(?:{_DIGITS})?)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_FIRST = frozenset("~nNtTfF+-.0123456789")
"""What every value that is no text begins with, which is asked first: most scalars are text."""
_LONGEST_INTEGER = 40  # characters; beyond it only the float nearest to it matters

Plain = None | bool | int | float | str


def resolve(text: str) -> Plain:
    """The value of a plain scalar: None, a truth value, a number, or the text itself."""
    if text and text[0] not in _FIRST:
        return text
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text) or _FALSE.fullmatch(text):
        return text[0] in "tT"
    if _DECIMAL.fullmatch(text):
        return int(text) if len(text) <= _LONGEST_INTEGER else float(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _BASED.fullmatch(text) and len(text) <= _LONGEST_INTEGER:
        return int(text, 0)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text
