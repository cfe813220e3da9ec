"""Text and numbers made to fit a number of columns: those of ``render``, as panes call them."""

from bpstep.render.fit import ELLIPSIS, cut, number, placed, scalar

__all__ = ["ELLIPSIS", "cut", "number", "placed", "scalar"]
