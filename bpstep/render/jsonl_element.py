"""One element of a tensor as fields of the trace: its contributions and their scalar products."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bpstep.render.jsonl import Fields

if TYPE_CHECKING:
    from bpstep.analysis.scalar_terms import ElementTerms
    from bpstep.analysis.value_terms import ValueTerms
    from bpstep.session.element import ElementCard, ElementRow


def element_fields(found: ElementCard) -> Fields:
    """An element; `grad`, and `value` of a contribution, are null while nothing has arrived."""
    row = found.card.row
    return {
        "node": found.name,
        "index": list(found.index),
        "shape": list(found.card.shape),
        "value": found.value,
        "made": _made(found.made),
        "grad": found.grad,
        "seed": found.seed,
        "buffer": found.buffer,
        "arrived": row.arrived,
        "expected": row.expected,
        "contributions": [_row(one) for one in found.rows],
        "ghosts": [{"through": ghost.through, "value": ghost.value} for ghost in found.ghosts],
    }


def _made(made: ValueTerms) -> Fields:
    terms = [
        {
            "elements": [{"node": at.label, "index": list(at.index)} for at in term.places],
            "factors": list(term.factors),
            "value": term.value,
        }
        for term in made.terms
    ]
    return {"op": made.op, "form": made.form, "count": made.count, "terms": terms}


def _row(row: ElementRow) -> Fields:
    opened = {} if row.terms is None else _terms(row.terms)
    return {
        "step": row.step,
        "from": row.source,
        "operand": row.operand,
        "rule": row.rule,
        "value": row.value,
        "running": row.running,
        "arrived": row.arrived,
        **opened,
    }


def _terms(terms: ElementTerms) -> Fields:
    return {
        "count": terms.count,
        "rest": terms.rest,
        "terms": [
            {
                "index": list(term.upstream_index),
                "upstream": term.upstream,
                "local": term.local,
                "value": term.value,
            }
            for term in terms.terms
        ],
    }
