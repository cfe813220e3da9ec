"""The table of commands: one row is all there is to say about a command, help included."""

from __future__ import annotations

from bpstep.session import commands_analysis as analysis
from bpstep.session import commands_breakpoints as stops
from bpstep.session import commands_change as change
from bpstep.session import commands_look as look
from bpstep.session import commands_motion as motion
from bpstep.session import commands_runs as runs
from bpstep.session.command import Command
from bpstep.session.commands_script import help_, source
from bpstep.session.session import Session

_CONDITIONS = """\
COND is tried on every step. It knows of the step just taken:
  value grad     the receiver's value, and its gradient so far
  running        the same sum; contribution is what this step added to it
  upstream local the two factors of the contribution
  op             the operation of the consumer that sent, such as 'mul'
  node           the receiver's name
  depth          the fewest edges from the output to the receiver
and nodes' names (their values), grad(NODE), arithmetic, every operation, comparisons, and or not.
Of a tensor any element suffices. What a step does not have (a seed has no upstream, a matmul no
elementwise local) satisfies no comparison.
  break if abs(contribution) > 10 and op == 'mul'"""

_EXPRESSIONS = """\
An expression may use nodes' values, grad(NODE), which is what has arrived so far,
local(CONSUMER, NODE[, POSITION]), elements such as W[0, 1] and grad(W)[0], arithmetic, every
operation of the format, and the names that conditions know (help break)."""

COMMANDS: tuple[Command, ...] = (
    Command(
        "step",
        "s",
        ("step [N]",),
        "the next contribution",
        motion.counted(Session.step),
        "motion",
        "A step is the seed of a pass or one contribution: one operand position of one operation.",
    ),
    Command(
        "reverse-step",
        "rs",
        ("reverse-step [N]",),
        "one contribution back",
        motion.counted(Session.back),
        "motion",
    ),
    Command(
        "next",
        "n",
        ("next [N]",),
        "on until the next node is complete",
        motion.counted(Session.next),
        "motion",
        "A node is complete when every consumer on a path from the output has sent.",
    ),
    Command(
        "reverse-next",
        "rn",
        ("reverse-next [N]",),
        "back to where the node before was complete",
        motion.counted(Session.reverse_next),
        "motion",
    ),
    Command(
        "continue",
        "c",
        ("continue [N]",),
        "on to the next breakpoint, or the end",
        motion.to_breakpoint(Session.run_on),
        "motion",
        "A breakpoint stops after the step that satisfies it.",
    ),
    Command(
        "reverse-continue",
        "rc",
        ("reverse-continue [N]",),
        "back to the breakpoint before, or the start",
        motion.to_breakpoint(Session.run_back),
        "motion",
    ),
    Command(
        "goto",
        "g",
        ("goto STEP", "goto NODE", "goto start", "goto end"),
        "to a step's number, or to where a node is complete",
        motion.goto,
        "motion",
        "Steps are numbered through all passes; 0 is before the first. A node is gone to in this\n"
        "pass, or else in the nearest later pass that completes it, or else in an earlier one.",
    ),
    Command(
        "next-pass",
        None,
        ("next-pass [N]",),
        "on to the seed of the next pass",
        motion.counted(Session.next_pass),
        "motion",
    ),
    Command(
        "break",
        "b",
        (
            "break NODE",
            "break A -> B",
            "break op OP",
            "break [if] COND",
            "break nonfinite",
        ),
        "stop when a node is complete, an edge or an operation sends, or a condition holds",
        stops.break_,
        "breakpoints",
        "NODE stops when the node is complete, A -> B when the consumer A sends to B, op OP when\n"
        "an OP sends, nonfinite at the first inf or nan.\n" + _CONDITIONS,
    ),
    Command(
        "breakpoints",
        None,
        ("breakpoints",),
        "list the breakpoints",
        stops.breakpoints,
        "breakpoints",
    ),
    Command(
        "delete",
        None,
        ("delete [N…]",),
        "remove breakpoint N, or all",
        stops.delete,
        "breakpoints",
    ),
    Command(
        "watch",
        "w",
        ("watch EXPR", "watch"),
        "show an expression at every stop; without one, list them",
        look.watch,
        "look",
        _EXPRESSIONS,
    ),
    Command("unwatch", None, ("unwatch [N…]",), "remove watch N, or all", look.unwatch, "look"),
    Command(
        "print",
        "p",
        ("print EXPR",),
        "the value of an expression",
        look.print_,
        "look",
        _EXPRESSIONS + "\n  print grad(p)/grad(w)\n  print local(y, p)",
    ),
    Command(
        "info",
        "i",
        ("info [NODE]",),
        "a node's card: what it is, what has arrived, what is awaited",
        look.info,
        "look",
        "Without NODE, that of the node which received last. NODE may be an element, such as\n"
        "W[0, 1]: the scalar products that its gradient is the sum of are listed.",
    ),
    Command(
        "list",
        "l",
        ("list",),
        "the nodes in reverse order, and where we are",
        look.list_,
        "look",
        f"Of more than {look.LISTED} nodes, those around the current one.",
    ),
    Command("where", None, ("where",), "the line about where we are", look.where, "look"),
    Command("grads", None, ("grads",), "the gradients so far", look.grads, "look"),
    Command("values", None, ("values",), "the values", look.values, "look"),
    Command(
        "paths",
        None,
        ("paths NODE [N]",),
        "the paths from the output to a node, largest first",
        analysis.paths,
        "analysis",
        f"N is how many are shown, {analysis.DEFAULT_PATHS} by default; their number and their\n"
        "sum are of all.",
    ),
    Command(
        "why",
        None,
        ("why NODE",),
        "why its gradient is zero, not finite, very small or very large",
        analysis.why,
        "analysis",
        "NODE may be an element, such as W[0, 1]. What is said is of the whole pass. The\n"
        "reasons for a zero are where it becomes one, the place nearest the output first.",
    ),
    Command(
        "check",
        None,
        ("check [NAME…] [--steps H…]",),
        "finite differences against the gradient",
        analysis.check,
        "analysis",
        "NAME is a leaf, an element such as W[0, 1], or all. By default, what the scenario checks.",
    ),
    Command(
        "update",
        None,
        ("update [RATE…]",),
        "what one gradient step at each rate would do",
        analysis.update,
        "analysis",
        "By default the scenario's rates, or else "
        + " and ".join(map(str, analysis.DEFAULT_RATES))
        + ".",
    ),
    Command(
        "flow",
        None,
        ("flow",),
        "per node: mean, deviation, share of zeros and saturation, gradient, update ratio",
        runs.flow,
        "analysis",
        "Of the whole pass. An update's size is given relative to its weight, at the first\n"
        f"rate of the scenario's updates, or else {runs.DEFAULT_RATE}.",
    ),
    Command(
        "compare",
        None,
        ("compare FILE",),
        "values, gradients and contributions side by side with another scenario's",
        runs.compare,
        "analysis",
        "FILE is a path, or the name of a scenario that comes with the program. Both are compared\n"
        "as they stand at the end of their programs, contributions in their last passes, and the\n"
        "first step at which they part is named.",
    ),
    Command(
        "set",
        None,
        ("set NAME = EXPR", "set NAME[I, J] = EXPR"),
        "change a leaf, run again, and stay at the same step",
        change.set_,
        "change",
        _EXPRESSIONS + "\n  set w = w - 0.1*grad(w)\n  set W = [[1, 2], [3, 4]]",
    ),
    Command(
        "restart",
        None,
        ("restart",),
        "the file as it was loaded, at position 0",
        change.restart,
        "change",
        "Breakpoints and watches stay.",
    ),
    Command(
        "source",
        None,
        ("source SCRIPT",),
        "run the commands of a file",
        source,
        "script",
        "Commands are separated by new lines or ' ;', and ' #' begins a comment.",
        records_itself=True,
    ),
    Command(
        "assert",
        None,
        ("assert COND",),
        "report whether a condition holds, with both sides",
        change.assert_,
        "script",
        "Of tensors every element must satisfy it; grad(NODE) == none holds where nothing has\n"
        "arrived. In replay, one that fails makes the exit status 1.",
    ),
    Command(
        "export",
        None,
        ("export FILE",),
        "write the transcript so far",
        change.export,
        "script",
        "The ending says how: " + ", ".join(change.EXPORTS) + ".",
    ),
    Command("help", "h", ("help [COMMAND]",), "these lines, or all about one", help_, "script"),
    Command("quit", "q", ("quit",), "end", change.quit_, "script"),
)
