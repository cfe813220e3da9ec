"""One element in words: the sum it is, and the scalar products that were added up.

``∂L/∂W[0, 1] = Σ_i G[i, 0]·X[i, 1] = 1·2 + 2·1 = 4``: G is the upstream gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, columns, line
from bpstep.render.numbers import compact, not_finite, shape_text

if TYPE_CHECKING:
    from bpstep.analysis.products import Factor, Place
    from bpstep.analysis.scalar_terms import ElementTerms, ScalarTerm
    from bpstep.analysis.value_terms import ValueTerm, ValueTerms
    from bpstep.session.element import ElementCard, ElementRow

AWAITED = "·"
LETTERS = "ijklmnopqrstuvwxyz"
MOST_ADDED = 6
"""Sums of more terms are written by their pattern only, and in a table."""
INFIX = {"add": " + ", "sub": " - ", "mul": " * ", "div": " / ", "pow": " ** "}

Index = tuple[int, ...]
Axis = tuple[int, ...]
"""What one axis of an index is in each of the corner terms."""


def element_name(name: str, index: Index) -> str:
    """ "W[0, 1]"; a scalar is its name."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def element_lines(found: ElementCard) -> Iterator[Text]:
    """All about one element: its value and what made it, its gradient and what it is the sum of."""
    yield from head_lines(found)
    yield from contribution_table(found)
    for row in found.rows:
        if row.terms is not None:
            yield Text()
            yield from opened_lines(found, row, row.terms)


def head_lines(found: ElementCard) -> Iterator[Text]:
    """Value and gradient so far."""
    name = element_name(found.name, found.index)
    where = f"  of shape {shape_text(found.card.shape)}" if found.card.shape else ""
    yield line((name, ui.HEADING), (f"  {found.card.row.role}{where}", ui.FAINT))
    yield line("  value ", _number(found.value))
    yield from _made(found)
    done = found.card.row.status == "complete"
    yield line(f"  gradient{'' if done else ' so far'} ", _number(found.grad), _count(found))
    if found.grad is not None and len(arrived_values(found)) > 1:
        yield line(f"  {running_text(found)}")


def _made(found: ElementCard) -> Iterator[Text]:
    said = made_text(found.name, found.made)
    if said:
        yield line(f"  {said}")
    made = found.made
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


def _count(found: ElementCard) -> Cell:
    row = found.card.row
    if row.status == "unrecorded":
        return (f"  {ui.UNRECORDED} nothing is recorded for it", ui.FAINT)
    if not row.receives:
        return ("  nothing arrives in this pass", ui.FAINT)
    sign = ui.SIGNS[row.status]
    if not row.expected:
        return (f"  {sign} the seed", ui.SIGN_STYLES[sign])
    return (f"  {sign} {row.arrived} of {row.expected} arrived", ui.SIGN_STYLES[sign])


def _number(value: float | None) -> Cell:
    if value is None:
        return (AWAITED, ui.FAINT)
    return (compact(value), ui.BAD if not_finite(value) else ui.NUMBER)


# ---- the gradient: contributions, and the products of each ----


def arrived_values(found: ElementCard) -> list[float]:
    """What has been added up, in order: seed or buffer, then contributions."""
    parts = (found.seed, found.buffer, *(row.value for row in found.rows))
    return [part for part in parts if part is not None]


def running_text(found: ElementCard) -> str:
    """The sum of what has arrived: "4 + 12 = 16"."""
    parts = arrived_values(found)
    assert found.grad is not None, "something has arrived"
    before = found.card.omitted[0]
    if len(parts) > MOST_ADDED or before:
        return f"the sum of {len(parts) + before} = {compact(found.grad)}"
    return f"{' + '.join(map(_signed, parts))} = {compact(found.grad)}"


def contribution_table(found: ElementCard) -> Iterator[Text]:
    """A row for each contribution to the element, with the running sum."""
    rows: list[list[Cell]] = []
    for says, value in (("the seed", found.seed), ("the buffer", found.buffer)):
        if value is not None:
            rows.append(["", says, "", "", _number(value)])
    rows += [_contribution(row) for row in found.rows]
    for ghost in found.ghosts:
        rows.append([ui.CUT, f"cut by {ghost.through}", "", _number(ghost.value), "never"])
    if rows:
        heads: list[Cell] = [
            (head, ui.FAINT) for head in ("", "from", "operand", "contribution", "running")
        ]
        yield Text()
        yield from columns([heads, *rows], right=(2, 3, 4), indent=0)
    before, after = found.card.omitted
    if before or after:
        yield line((f"  … {before} before and {after} after these", ui.FAINT))


def _contribution(row: ElementRow) -> list[Cell]:
    here: Cell = (ui.HERE, ui.HEADING) if row.current else ""
    made = ui.cut(equation(row.source, row.expression), ui.EXPRESSION_WIDTH)
    if not row.arrived:
        return [
            here,
            (made, ui.FAINT),
            str(row.operand),
            (AWAITED, ui.FAINT),
            ("awaited", ui.FAINT),
        ]
    return [here, made, str(row.operand), _number(row.value), _number(row.running)]


def opened_lines(found: ElementCard, row: ElementRow, terms: ElementTerms) -> Iterator[Text]:
    """One contribution's element as the sum of its scalar products."""
    head = equation(row.source, row.expression)
    yield line(
        (f"from {head}", ui.HEADING),
        (f"   G = ∂{found.output}/∂{row.source}, local {row.rule}", ui.FAINT),
    )
    yield line("  ", sum_text(found, row, terms))
    if terms.count > 1:
        yield from columns([_cells(term) for term in terms.terms], right=(1, 3), indent=4)
    if terms.count > len(terms.terms):
        shown = len(terms.terms)
        yield line(
            (
                f"    the {shown} largest of {terms.count}; the others come to"
                f" {compact(terms.rest)}",
                ui.FAINT,
            )
        )
    total = math.fsum(term.value for term in terms.terms) + terms.rest if _finite(terms) else None
    if total is not None and not math.isclose(total, terms.value, rel_tol=1e-6, abs_tol=1e-9):
        yield line((f"    added in this order they are {compact(total)}", ui.KINK))


def _finite(terms: ElementTerms) -> bool:
    return all(math.isfinite(x) for x in (*(t.value for t in terms.terms), terms.rest))


def _cells(term: ScalarTerm) -> list[Cell]:
    """ "G[0, 1]  1  × W[1, 2]  2  = 2"."""
    factor = factor_text(term.factor, _place)
    return [
        (element_name("G", term.upstream_index), ui.FAINT),
        compact(term.upstream),
        (f"× {factor}" if factor != compact(term.local) else "×", ui.FAINT),
        compact(term.local),
        f"= {compact(term.value)}",
    ]


def sum_text(found: ElementCard, row: ElementRow, terms: ElementTerms) -> str:
    """ "∂loss/∂W[0, 1] = Σ_i G[i, 0]·X[i, 1] = 1·2 + 2·1 = 4"."""
    target = element_name(found.name, found.index)
    left = f"∂{found.output}/∂{target}" if found.card.row.expected == 1 else "contribution"
    value = compact(terms.value)
    if not terms.count:
        return f"{left} = 0: nothing reads {target} there"
    parts = [left, pattern_text(row.source, target, terms)]
    if terms.count <= MOST_ADDED:
        added = " + ".join(map(_product, terms.terms))
        parts += [added] if added.strip("()") != value else []
    return " = ".join([*parts, value])


def _product(term: ScalarTerm) -> str:
    if term.factor.formula == "1":
        return _signed(term.upstream)
    return f"{_signed(term.upstream)}·{_signed(term.local)}"


def _signed(value: float) -> str:
    text = compact(value)
    return f"({text})" if text.startswith("-") else text


def pattern_text(source: str, target: str, terms: ElementTerms) -> str:
    """The sum in letters: "Σ_i G[i, 0]·X[i, 1]"."""
    corners = terms.corners
    letters = _letters([_indices(term) for term in corners])
    upstream = _element("G", [term.upstream_index for term in corners], letters)
    formulas = {term.factor.formula for term in corners}
    if formulas == {"1"}:
        return _sigma(letters) + upstream
    if len(formulas) > 1 or "" in formulas:
        where = _element(source, [term.upstream_index for term in corners], letters)
        return f"{_sigma(letters)}{upstream}·∂{where}/∂{target}"

    def place(at: Place) -> str:
        return _element(at.label, [_named(term, at.name) for term in corners], letters)

    factor = factor_text(corners[0].factor, place)
    return f"{_sigma(letters)}{upstream}·{_grouped(factor)}"


def _indices(term: ScalarTerm) -> Index:
    return (*term.upstream_index, *(i for place in term.factor.places for i in place.index))


def _named(term: ScalarTerm, name: str) -> Index:
    return next(place.index for place in term.factor.places if place.name == name)


def _letters(corners: Sequence[Index]) -> dict[Axis, str]:
    """A letter for each axis that the sum runs along; axes that run together share one."""
    width = min(map(len, corners), default=0)
    axes = dict.fromkeys(tuple(corner[k] for corner in corners) for k in range(width))
    running = [axis for axis in axes if len(set(axis)) > 1]
    return dict(zip(running, LETTERS, strict=False))


def _sigma(letters: dict[Axis, str]) -> str:
    return f"Σ_{''.join(letters.values())} " if letters else ""


def _element(name: str, corners: Sequence[Index], letters: dict[Axis, str]) -> str:
    """An element by its index, with letters for the axes that the sum runs along."""
    axes = [tuple(column) for column in zip(*corners, strict=True)]
    written = [letters.get(axis, str(axis[0])) for axis in axes]
    return f"{name}[{', '.join(written)}]" if written else name


def factor_text(factor: Factor, place: Callable[[Place], str]) -> str:
    """A local derivative as it is written, its elements named by ``place``."""
    return factor.formula.format(**{at.name: place(at) for at in factor.places})


def _place(place: Place) -> str:
    return element_name(place.label, place.index)


def _grouped(factor: str) -> str:
    """In parentheses where it is more than one thing."""
    bare = not any(sign in factor.partition("[")[0] for sign in " +-*/")
    return factor if bare and factor.count("[") <= 1 else f"({factor})"


# ---- the value ----


def made_text(name: str, made: ValueTerms) -> str:
    """What a value's element was computed from; empty for a leaf."""
    target, value = element_name(name, made.index), compact(made.value)
    if made.form == "leaf":
        return ""
    if made.form == "operands":
        places = [_place(term.places[0]) for term in made.terms]
        numbers = [_signed(term.factors[0]) for term in made.terms]
        return f"{target} = {_call(made.op, places)} = {_call(made.op, numbers)} = {value}"
    pattern = _made_pattern(made)
    parts = [target, pattern]
    if made.form != "read" and made.count <= MOST_ADDED:
        added = " + ".join("·".join(map(_signed, term.factors)) for term in made.terms)
        parts += [f"({added}) / {compact(made.divisor)}" if made.op == "mean" else added]
    return " = ".join([*parts, value])


def _made_pattern(made: ValueTerms) -> str:
    corners = made.corners
    if not corners:
        return f"{made.op} of nothing"
    letters = _letters([tuple(i for at in term.places for i in at.index) for term in corners])
    factors = [
        _element(at.label, [term.places[k].index for term in corners], letters)
        for k, at in enumerate(corners[0].places)
    ]
    product = "·".join(factors)
    if made.form == "read":
        over = f" over {''.join(letters.values())}" if letters else ""
        return product if made.count == 1 and made.op in _MOVES else f"{made.op} of {product}{over}"
    total = _sigma(letters) + product
    return f"({total}) / {compact(made.divisor)}" if made.op == "mean" else total


_MOVES = frozenset({"transpose", "reshape", "index", "concat"})


def _call(op: str, arguments: Sequence[str]) -> str:
    if op in INFIX:
        return INFIX[op].join(arguments)
    if op == "neg":
        return f"-{arguments[0]}"
    return f"{op}({', '.join(arguments)})"
