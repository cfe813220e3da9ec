"""One element of a value in words: ``Z[1, 0] = Σ_i X[1, i]⋅W[i, 0] = 0⋅1 + 3⋅2 = 6``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.lines import Cell, columns, line
from bpstep.render.numbers import compact
from bpstep.render.sums import MOST_ADDED, element_name, lettered, letters_of, sigma, signed

if TYPE_CHECKING:
    from bpstep.analysis.products import Place
    from bpstep.analysis.value_terms import ValueTerm, ValueTerms

INFIX = {"add": " + ", "sub": " - ", "mul": " * ", "div": " / ", "pow": " ** "}


def made_lines(name: str, made: ValueTerms) -> Iterator[Text]:
    """The sum that an element of a value is; of many terms, a table of them."""
    said = made_text(name, made)
    if said:
        yield line(f"  {said}")
    if made.count > MOST_ADDED:
        rows = [_value_cells(term) for term in made.terms]
        yield from columns(rows, right=(1, 3), indent=6)
        if made.count > len(made.terms):
            yield line((f"      … {made.count - len(made.terms)} more", ui.FAINT))


def _value_cells(term: ValueTerm) -> list[Cell]:
    cells: list[Cell] = []
    for k, (place, factor) in enumerate(zip(term.places, term.factors, strict=True)):
        cells += [(f"× {_place(place)}" if k else _place(place), ui.FAINT), compact(factor)]
    return [*cells, f"= {compact(term.value)}"] if len(term.places) > 1 else cells


def made_text(name: str, made: ValueTerms) -> str:
    """What a value's element was computed from; empty for a leaf."""
    target, value = element_name(name, made.index), compact(made.value)
    if made.form == "leaf":
        return ""
    if made.form == "operands":
        places = [_place(term.places[0]) for term in made.terms]
        numbers = [signed(term.factors[0]) for term in made.terms]
        return f"{target} = {_call(made.op, places)} = {_call(made.op, numbers)} = {value}"
    pattern = _made_pattern(made)
    parts = [target, pattern]
    if made.form != "read" and made.count <= MOST_ADDED:
        added = " + ".join("⋅".join(map(signed, term.factors)) for term in made.terms)
        parts += [f"({added}) / {compact(made.divisor)}" if made.op == "mean" else added]
    return " = ".join([*parts, value])


def _made_pattern(made: ValueTerms) -> str:
    corners = made.corners
    if not corners:
        return f"{made.op} of nothing"
    letters = letters_of([tuple(i for at in term.places for i in at.index) for term in corners])
    factors = [
        lettered(at.label, [term.places[k].index for term in corners], letters)
        for k, at in enumerate(corners[0].places)
    ]
    product = "⋅".join(factors)
    if made.form == "read":
        over = f" over {''.join(letters.values())}" if letters else ""
        return product if made.count == 1 and made.op in _MOVES else f"{made.op} of {product}{over}"
    total = sigma(letters) + product
    return f"({total}) / {compact(made.divisor)}" if made.op == "mean" else total


_MOVES = frozenset({"transpose", "reshape", "index", "concat"})


def _call(op: str, arguments: Sequence[str]) -> str:
    if op in INFIX:
        return INFIX[op].join(arguments)
    if op == "neg":
        return f"-{arguments[0]}"
    return f"{op}({', '.join(arguments)})"


def _place(place: Place) -> str:
    return element_name(place.label, place.index)
