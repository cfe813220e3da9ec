"""One element in words: the sum it is, and the scalar products that were added up.

``∂L/∂W[0, 1] = Σ_i G[i, 0]⋅X[i, 1] = 1⋅2 + 2⋅1 = 4``: G is the upstream gradient.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from bpstep.render import lines as ui
from bpstep.render.equation import equation
from bpstep.render.lines import Cell, columns, line
from bpstep.render.numbers import compact, not_finite, shape_text
from bpstep.render.sums import MOST_ADDED, Index, element_name, lettered, letters_of, sigma, signed
from bpstep.render.value_terms import made_lines

if TYPE_CHECKING:
    from bpstep.analysis.products import Factor, Place
    from bpstep.analysis.scalar_terms import ElementTerms, ScalarTerm
    from bpstep.session.element import ElementCard, ElementRow

AWAITED = "·"


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
    yield from made_lines(found.name, found.made)
    done = found.card.row.status == "complete"
    yield line(f"  gradient{'' if done else ' so far'} ", _number(found.grad), _count(found))
    if found.grad is not None and len(arrived_values(found)) > 1:
        yield line(f"  {running_text(found)}")


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
    return f"{' + '.join(map(signed, parts))} = {compact(found.grad)}"


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
    """ "∂loss/∂W[0, 1] = Σ_i G[i, 0]⋅X[i, 1] = 1⋅2 + 2⋅1 = 4"."""
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
        return signed(term.upstream)
    return f"{signed(term.upstream)}⋅{signed(term.local)}"


def pattern_text(source: str, target: str, terms: ElementTerms) -> str:
    """The sum in letters: "Σ_i G[i, 0]⋅X[i, 1]"."""
    corners = terms.corners
    letters = letters_of([_indices(term) for term in corners])
    upstream = lettered("G", [term.upstream_index for term in corners], letters)
    formulas = {term.factor.formula for term in corners}
    if formulas == {"1"}:
        return sigma(letters) + upstream
    if len(formulas) > 1 or "" in formulas:
        where = lettered(source, [term.upstream_index for term in corners], letters)
        return f"{sigma(letters)}{upstream}⋅∂{where}/∂{target}"

    def place(at: Place) -> str:
        return lettered(at.label, [_named(term, at.name) for term in corners], letters)

    factor = factor_text(corners[0].factor, place)
    return f"{sigma(letters)}{upstream}⋅{_grouped(factor)}"


def _indices(term: ScalarTerm) -> Index:
    return (*term.upstream_index, *(i for place in term.factor.places for i in place.index))


def _named(term: ScalarTerm, name: str) -> Index:
    return next(place.index for place in term.factor.places if place.name == name)


def factor_text(factor: Factor, place: Callable[[Place], str]) -> str:
    """A local derivative as it is written, its elements named by ``place``."""
    return factor.formula.format(**{at.name: place(at) for at in factor.places})


def _place(place: Place) -> str:
    return element_name(place.label, place.index)


def _grouped(factor: str) -> str:
    """In parentheses where it is more than one thing."""
    bare = not any(sign in factor.partition("[")[0] for sign in " +-*/")
    return factor if bare and factor.count("[") <= 1 else f"({factor})"
