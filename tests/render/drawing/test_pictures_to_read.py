"""What graphs look like, to be read: as they are drawn at a step of a lesson."""

from __future__ import annotations

import pytest

from bpstep.render.drawing.paint import paint
from bpstep.render.drawing.scenes import picture
from bpstep.render.drawing.shape import Style
from bpstep.scenario import load
from bpstep.session.session import Session

FULL = """
         ( w 1      ○ ) ( x 2      ○ )
                     ▼   ▼
 ( b -1      ○ ) [▶p 2 ∂ 4  ◐ ]
            ▼     ▼          ┃
       [ z 1      ○ ]        ┃
         ▼                   ┃
[ h 1      ○ ] ( v 3     ○ ) ┃
            ▼    ▼           ┃
          [ q 3 ∂ 4 ● ]      ┃
                     ▲       ▲4
   { target 1 ∅ } [ y 5 ∂ 4 ● ]
             ▼     ▲
        [ e 4 ∂ 4 ● ]
             ▲
   [ (e**2) 16 ∂ 0.5 ● ]
            ▲
     [ loss 8 ∂ 1 ● ]
"""

KINK = """
           (▶w 1 ∂ 2 ● ) ( x 2     ○ )
                     2▲   ▼
   ( b -2 ∂ 0 ● ) [ p 2 ∂ 1 ● ]
             ▲     ▲         │
        [ z 0 ∂ 0 ● ]        │
          ▲                  │
[ h 0 ∂ 3 ●⊥ ] ( v 3 ∂ 0 ● ) │
            ▲     ▲          │
           [ q 0 ∂ 1 ● ]     │
                      ▲      ▲
   { target 1 ∅ } [ y 2 ∂ 1 ● ]
             ▼     ▲
        [ e 1 ∂ 1 ● ]
             ▲
    [ (e**2) 1 ∂ 0.5 ● ]
             ▲
     [ loss 0.5 ∂ 1 ● ]
"""

DETACHED = """
         ( w 1      ○ ) ( x 2      ○ )
                     ▼   ▼
(▶b -1 ∂ 12 ● ) [ p 2 ∂ 12 ●✂ ]
         12▲     ▲      ▼✂ 4
      [ z 1 ∂ 12 ● ] [ skip 2 ∅ ]
         ▲                   │
[ h 1 ∂ 12 ● ] ( v 3 ∂ 4 ● ) │
            ▲    ▲           │
          [ q 3 ∂ 4 ● ]      │
                     ▲       ▼
   { target 1 ∅ } [ y 5 ∂ 4 ● ]
             ▼     ▲
        [ e 4 ∂ 4 ● ]
             ▲
   [ (e**2) 16 ∂ 0.5 ● ]
            ▲
     [ loss 8 ∂ 1 ● ]
"""

REPEATED = """
 (▶r 3 ∂ 6 ● )
      ▲ ▲3
[ area 9 ∂ 1 ● ]
"""

REPEATED_FRAMED = """
╭▶r ──────╮
│ 3 ∂ 3 ◐ │
╰───┰─┬───╯
   3▲ ▼
┌ area ───┐
│ 9 ∂ 1 ● │
└─────────┘
"""

FULL_ASCII = """
         ( w 1      o ) ( x 2      o )
                     v   v
 ( b -1      o ) [>p 2 d 4  % ]
            v     v          #
       [ z 1      o ]        #
         v                   #
[ h 1      o ] ( v 3     o ) #
            v    v           #
          [ q 3 d 4 * ]      #
                     ^       ^4
   { target 1 / } [ y 5 d 4 * ]
             v     ^
        [ e 4 d 4 * ]
             ^
   [ (e**2) 16 d 0.5 * ]
            ^
     [ loss 8 d 1 * ]
"""


@pytest.mark.parametrize(
    ("name", "step", "style", "drawn"),
    [
        ("full", 6, Style(framed=False, ascii=False, gap=1), FULL),
        ("kink", 12, Style(framed=False, ascii=False, gap=1), KINK),
        ("detached-skip", 10, Style(framed=False, ascii=False, gap=1), DETACHED),
        ("repeated-operand", 3, Style(framed=False, ascii=False, gap=1), REPEATED),
        ("repeated-operand", 2, Style(framed=True, ascii=False, gap=1), REPEATED_FRAMED),
        ("full", 6, Style(framed=False, ascii=True, gap=1), FULL_ASCII),
    ],
)
def test_a_step_of_a_lesson(name: str, step: int, style: Style, drawn: str) -> None:
    made = picture(Session.open(load(name)).at(step), None, style)
    assert made is not None
    lines = [line.plain.rstrip() for line in paint(made.layout, made.faces, made.marks)]
    assert lines == drawn.strip("\n").split("\n")
