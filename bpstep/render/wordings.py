"""How each operation's local derivative is said; an operation that is not here is said by its rule.

Fields: {target} the operand that receives, {source} the operation's node, {number} the local
derivative, {how} the same with its rule ("v = 3").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Wording:
    """What is said for one operand; `one` and `zero` where its local derivative is exactly that."""

    usual: str
    one: str = ""
    zero: str = ""

    def at(self, local: object) -> str:
        """The sentence part for a local derivative (a tensor has only the usual one)."""
        if not isinstance(local, float):
            return self.usual
        if self.one and local == 1.0:
            return self.one
        return self.zero if self.zero and local == 0.0 else self.usual


GENERIC = Wording("the local derivative ∂{source}/∂{target} is {how}")
MAPPED = Wording("its gradient G goes back as {how}")
"""For a derivative that is no factor (a matrix product, a sum)."""

_GATE = "passes its gradient through where it is active and blocks it elsewhere"
_FLAT = Wording("a step function is flat between its jumps: nothing goes through")
_REARRANGED = Wording("only the arrangement changes, and the gradient is rearranged back")

WORDINGS: Mapping[str, tuple[Wording, ...]] = {
    "add": (Wording("addition passes its gradient through unchanged"),),
    "sub": (
        Wording("subtraction passes its gradient through unchanged"),
        Wording("what is subtracted gets the gradient with its sign turned"),
    ),
    "neg": (Wording("negation turns the gradient's sign"),),
    "mul": (Wording("a factor gets the gradient times the other factor, {how}"),),
    "div": (
        Wording("a numerator gets the gradient divided by the denominator, {how}"),
        GENERIC,
    ),
    "identity": (Wording("the same value under another name: the gradient is passed through"),),
    "relu": (
        Wording(
            f"relu {_GATE}",
            one="relu is active here and passes its gradient through",
            zero="relu is inactive here and lets nothing through",
        ),
    ),
    "leaky_relu": (
        Wording(
            "leaky_relu is on its leaky side here, with slope {number}",
            one="leaky_relu is active here and passes its gradient through",
        ),
    ),
    "maximum": (
        Wording(
            "each operand gets the gradient where it is the larger",
            one="{target} is the larger and gets the whole gradient",
            zero="{target} is the smaller and gets nothing",
        ),
    ),
    "minimum": (
        Wording(
            "each operand gets the gradient where it is the smaller",
            one="{target} is the smaller and gets the whole gradient",
            zero="{target} is the larger and gets nothing",
        ),
    ),
    "clamp": (
        Wording(
            "clamp passes its gradient through inside its bounds and blocks it outside",
            one="{target} is inside its bounds, and clamp passes the gradient through",
            zero="{target} is outside its bounds, and clamp lets nothing through",
        ),
    ),
    "where": (
        Wording("the condition is a switch and gets nothing"),
        *(
            Wording(
                "each operand gets the gradient where the condition chose it",
                one="the condition chose {target}, which gets the whole gradient",
                zero="the condition did not choose {target}, which gets nothing",
            ),
        )
        * 2,
    ),
    "sign": (_FLAT,),
    "floor": (_FLAT,),
    "round": (_FLAT,),
    "sum": (Wording("a sum gives each of its elements the gradient, unchanged"),),
    "mean": (Wording("a mean gives each of its elements an equal share of the gradient"),),
    "transpose": (_REARRANGED,),
    "reshape": (_REARRANGED,),
    "concat": (Wording("each part gets its own piece of the gradient"),),
    "index": (Wording("the chosen element gets the gradient, all others nothing"),),
}


def wording(operation: str, operand: int, mapped: bool) -> Wording:
    """How `operation`'s derivative for the operand at that position is said.

    The last wording of an operation stands for all further positions.
    """
    said = WORDINGS.get(operation)
    if said is None:
        return MAPPED if mapped else GENERIC
    return said[min(operand, len(said) - 1)]
