"""The words of the expression language: a text -> tokens that know their places."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from bpstep.engine.errors import BpstepError

MAX_LENGTH = 4096

Kind = Literal["number", "name", "text", "sign", "end"]


class ExpressionError(BpstepError):
    """An expression that cannot be read or evaluated; start and end count its characters from 0."""

    code = "expression"

    def __init__(
        self,
        message: str,
        start: int,
        end: int,
        suggestion: str | None = None,
        code: str | None = None,
    ) -> None:
        super().__init__(message, code)
        self.start = start
        self.end = end
        self.suggestion = suggestion


class Token(NamedTuple):
    """One word: its kind, its text and the characters it takes."""

    kind: Kind
    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return f"'{self.text}'" if self.kind != "end" else "the end of the expression"


_DIGITS = r"[0-9]+(?:_[0-9]+)*"
_TOKEN = re.compile(
    rf"""\s*(?:
        (?P<number>(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][-+]?[0-9]+)?
                  |\.(?:inf|Inf|INF|nan|NaN|NAN)\b)
      | (?P<name>[^\W\d]\w*)
      | (?P<text>'[^']*'|"[^"]*")
      | (?P<sign>\*\*|<=|>=|==|!=|[-+*/@<>()\[\],=])
      | (?P<end>\Z)
    )""",
    re.VERBOSE,
)
_NAME = re.compile(r"[^\W\d]\w*")
_INSTEAD = {
    "^": "**",
    "×": "*",
    "·": "*",
    "÷": "/",
    "−": "-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "&": "and",
    "|": "or",
    "!": "not",
}


def tokenize(text: str) -> list[Token]:
    """All tokens of an expression, the last of kind "end". Raises ExpressionError."""
    if len(text) > MAX_LENGTH:
        raise ExpressionError(
            f"an expression of {len(text)} characters; the limit is {MAX_LENGTH}",
            MAX_LENGTH,
            MAX_LENGTH + 1,
        )
    tokens = [_token(text, 0)]
    while tokens[-1].kind != "end":
        tokens.append(_token(text, tokens[-1].end))
    return tokens


def is_name(text: str) -> bool:
    """Whether a text can be the name of a node: letters, digits and _, no digit first."""
    return _NAME.fullmatch(text) is not None


def _token(text: str, index: int) -> Token:
    match = _TOKEN.match(text, index)
    if match is None:
        raise _unreadable(text, index)
    kind: Kind = match.lastgroup  # type: ignore[assignment]
    token = Token(kind, match[kind], match.start(kind), match.end(kind))
    following = text[token.end : token.end + 1]
    if kind == "number" and (following.isalnum() or following in {"_", "."}):
        raise ExpressionError(
            f"{following!r} follows a number at once; write '*' between factors",
            token.end,
            token.end + 1,
        )
    return token


def _unreadable(text: str, index: int) -> ExpressionError:
    start = index + len(text[index:]) - len(text[index:].lstrip())
    char = text[start]
    if char in "'\"":
        return ExpressionError("a text without its closing quote", start, len(text))
    if char == ":":
        return ExpressionError("':' means nothing here; there are no slices", start, start + 1)
    return ExpressionError(f"unexpected {char!r}", start, start + 1, _INSTEAD.get(char))
