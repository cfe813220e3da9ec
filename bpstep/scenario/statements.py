"""The program: its statements read, and checked against what will have run before them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from bpstep.engine.errors import nearest
from bpstep.engine.program import (
    DEFAULT_PROGRAM,
    Backward,
    ClipNorm,
    ClipValue,
    Forward,
    Mutate,
    Set,
    Statement,
    Step,
    ZeroGrad,
)
from bpstep.scenario.formulas import FormulaReader
from bpstep.scenario.known import Known, items
from bpstep.scenario.locate import Scalar, Tree
from bpstep.scenario.problems import Problems, quoted
from bpstep.scenario.scalars import resolve
from bpstep.scenario.snippets import Snippet
from bpstep.scenario.tensors import is_number

_ASSIGNMENT = re.compile(r"(?P<name>[^=]*?)\s*=(?!=)\s*(?P<expression>.*)", re.DOTALL)


@dataclass
class _Reader:
    """Reads statements in order, and remembers what has run so far."""

    known: Known
    loss: str | None
    dtype: str
    problems: Problems
    forwards: int = 0
    backwards: int = 0
    read: list[Statement] = field(default_factory=list)

    def statement(self, tree: Scalar) -> None:
        text = Snippet(tree, str(tree.value), {})
        match = re.match(r"\s*(\S*)\s*", text.text)
        word, offset = (match[1], match.end()) if match else ("", 0)
        action = _ACTIONS.get(word)
        if action is None:
            self.problems.add(
                text.span(0, len(text.text)),
                f"there is no statement {quoted(word)}",
                expected=", ".join(_ACTIONS),
                suggestion=nearest(word, _ACTIONS),
            )
            # It may have been either: what follows is not to be blamed for it.
            self.forwards += 1
            self.backwards += 1
            return
        statement = action(self, text, offset)
        if statement is not None:
            self.read.append(statement)

    def bare(self, text: Snippet, offset: int, made: Statement) -> Statement | None:
        if text.text[offset:].strip():
            span = text.span(offset, len(text.text))
            self.problems.add(span, "nothing follows here", expected=made.text)
        return made

    def forward(self, text: Snippet, offset: int) -> Statement | None:
        self.forwards += 1
        return self.bare(text, offset, Forward())

    def zero_grad(self, text: Snippet, offset: int) -> Statement | None:
        return self.bare(text, offset, ZeroGrad())

    def backward(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "backward")
        self.backwards += 1
        name = text.text[offset:].strip() or None
        span = text.span(offset if name else 0, len(text.text))
        if name is None or self.known.check_node(span, name, self.problems):
            self.check_output(text, name or self.loss)
        return Backward(name)

    def check_output(self, text: Snippet, name: str | None) -> None:
        index = self.known.index(name) if name else None
        if index is None or name == self.loss:
            return  # the loss is checked where it is named
        self.known.check_output(index, text.span(0, len(text.text)), self.problems)

    def number(
        self, text: Snippet, offset: int, make: Callable[[float], Statement], least: float
    ) -> Statement | None:
        value = resolve(text.text[offset:].strip())
        if not is_number(value) or float(value) < least:  # type: ignore[arg-type]
            what = "a number" if least < 0 else "a number, not negative"
            self.problems.add(
                text.span(offset, len(text.text)),
                f"found {quoted(text.text[offset:].strip())}",
                expected=f"{what}, {make(0.5).text}",
            )
            return None
        return make(float(value))  # type: ignore[arg-type]

    def step(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "step")
        return self.number(text, offset, Step, -np.inf)

    def clip_norm(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "clip_norm")
        return self.number(text, offset, ClipNorm, 0.0)

    def clip_value(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "clip_value")
        return self.number(text, offset, ClipValue, 0.0)

    def set(self, text: Snippet, offset: int) -> Statement | None:
        return self.assignment(text, offset, Set)

    def mutate(self, text: Snippet, offset: int) -> Statement | None:
        self.after_forward(text, "mutate")
        return self.assignment(text, offset, Mutate)

    def assignment(
        self, text: Snippet, offset: int, make: type[Set] | type[Mutate]
    ) -> Statement | None:
        match = _ASSIGNMENT.fullmatch(text.text, offset)
        if match is None:
            example = f"{make.__name__.lower()} NAME = EXPRESSION"
            span = text.span(0, len(text.text))
            self.problems.add(span, "this is no assignment", expected=example)
            return None
        name, span = match["name"], text.span(match.start("name"), match.end("name"))
        check = self.known.check_leaf if make is Set else self.known.check_node
        legal = check(span, name, self.problems)
        reader = FormulaReader(
            text,
            match.start("expression"),
            self.known,
            self.forwards > 0,
            self.backwards > 0,
            self.problems,
        )
        formula = reader.formula(self.dtype, name if legal else "")
        if formula is None or not legal:
            return None
        return make(name, match["expression"].strip(), formula)

    def after_forward(self, text: Snippet, what: str) -> None:
        if not self.forwards:
            span = text.span(0, len(text.text))
            self.problems.add(
                span, f"{what} before anything is recorded", expected="forward before it"
            )


_ACTIONS: Mapping[str, Callable[[_Reader, Snippet, int], Statement | None]] = {
    "forward": _Reader.forward,
    "backward": _Reader.backward,
    "zero_grad": _Reader.zero_grad,
    "set": _Reader.set,
    "mutate": _Reader.mutate,
    "clip_norm": _Reader.clip_norm,
    "clip_value": _Reader.clip_value,
    "step": _Reader.step,
}


def read_program(
    tree: Tree | None, known: Known, loss: str | None, dtype: str, problems: Problems
) -> tuple[Statement, ...]:
    """The statements in order; a file without a program has the default one."""
    if tree is None:
        return DEFAULT_PROGRAM
    reader = _Reader(known, loss, dtype, problems)
    for item in items(tree):
        if isinstance(item, Scalar):
            reader.statement(item)
    if not reader.forwards and items(tree):
        problems.add(tree.span, "a program that records nothing", expected="a forward in it")
    return tuple(reader.read)
