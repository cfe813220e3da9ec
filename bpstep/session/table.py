"""The table of commands: one row is all there is to say about a command, help included."""

from __future__ import annotations

from importlib import import_module

from bpstep.session.command import Call, Command, Outcome, Runner
from bpstep.session.defaults import DEFAULT_PATHS, DEFAULT_RATE, DEFAULT_RATES, EXPORTS, LISTED
from bpstep.session.session import Session


def _late(place: str) -> Runner:
    """The function of a command, "module.name", imported when it is first called.

    Together they need all there is to know about gradients; who only asks for names should not
    wait for it.
    """
    module, name = place.split(".")

    def run(session: Session, call: Call) -> Outcome:
        function: Runner = getattr(import_module(f"bpstep.session.commands_{module}"), name)
        return function(session, call)

    return run


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
        _late("motion.step"),
        "motion",
        "A step is the seed of a pass or one contribution: one operand position of one operation.",
    ),
    Command(
        "reverse-step",
        "rs",
        ("reverse-step [N]",),
        "one contribution back",
        _late("motion.reverse_step"),
        "motion",
    ),
    Command(
        "next",
        "n",
        ("next [N]",),
        "on until the next node is complete",
        _late("motion.next_"),
        "motion",
        "A node is complete when every consumer on a path from the output has sent.",
    ),
    Command(
        "reverse-next",
        "rn",
        ("reverse-next [N]",),
        "back to where the node before was complete",
        _late("motion.reverse_next"),
        "motion",
    ),
    Command(
        "continue",
        "c",
        ("continue [N]",),
        "on to the next breakpoint, or the end",
        _late("motion.continue_"),
        "motion",
        "A breakpoint stops after the step that satisfies it.",
    ),
    Command(
        "reverse-continue",
        "rc",
        ("reverse-continue [N]",),
        "back to the breakpoint before, or the start",
        _late("motion.reverse_continue"),
        "motion",
    ),
    Command(
        "goto",
        "g",
        ("goto STEP", "goto NODE", "goto start", "goto end"),
        "to a step's number, or to where a node is complete",
        _late("motion.goto"),
        "motion",
        "Steps are numbered through all passes; 0 is before the first. A node is gone to in this\n"
        "pass, or else in the nearest later pass that completes it, or else in an earlier one.",
    ),
    Command(
        "next-pass",
        None,
        ("next-pass [N]",),
        "on to the seed of the next pass",
        _late("motion.next_pass"),
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
        _late("breakpoints.break_"),
        "breakpoints",
        "NODE stops when the node is complete, A -> B when the consumer A sends to B, op OP when\n"
        "an OP sends, nonfinite at the first inf or nan.\n" + _CONDITIONS,
    ),
    Command(
        "breakpoints",
        None,
        ("breakpoints",),
        "list the breakpoints",
        _late("breakpoints.breakpoints"),
        "breakpoints",
    ),
    Command(
        "delete",
        None,
        ("delete [N…]",),
        "remove breakpoint N, or all",
        _late("breakpoints.delete"),
        "breakpoints",
    ),
    Command(
        "watch",
        "w",
        ("watch EXPR", "watch"),
        "show an expression at every stop; without one, list them",
        _late("look.watch"),
        "look",
        _EXPRESSIONS,
    ),
    Command(
        "unwatch", None, ("unwatch [N…]",), "remove watch N, or all", _late("look.unwatch"), "look"
    ),
    Command(
        "print",
        "p",
        ("print EXPR",),
        "the value of an expression",
        _late("look.print_"),
        "look",
        _EXPRESSIONS + "\n  print grad(p)/grad(w)\n  print local(y, p)",
    ),
    Command(
        "info",
        "i",
        ("info [NODE]",),
        "a node's card: what it is, what has arrived, what is awaited",
        _late("look.info"),
        "look",
        "Without NODE, that of the node which received last. NODE may be an element, such as\n"
        "W[0, 1]: the scalar products that its gradient is the sum of are listed.",
    ),
    Command(
        "list",
        "l",
        ("list",),
        "the nodes in reverse order, and where we are",
        _late("look.list_"),
        "look",
        f"Of more than {LISTED} nodes, those around the current one.",
    ),
    Command("where", None, ("where",), "the line about where we are", _late("look.where"), "look"),
    Command("grads", None, ("grads",), "the gradients so far", _late("look.grads"), "look"),
    Command("values", None, ("values",), "the values", _late("look.values"), "look"),
    Command(
        "paths",
        None,
        ("paths NODE [N]",),
        "the paths from the output to a node, largest first",
        _late("analysis.paths"),
        "analysis",
        f"N is how many are shown, {DEFAULT_PATHS} by default; their number and their\n"
        "sum are of all.",
    ),
    Command(
        "why",
        None,
        ("why [NODE]",),
        "why its gradient is zero, not finite, very small or very large",
        _late("analysis.why"),
        "analysis",
        "Without NODE, that of the node which received last. NODE may be an element, such as\n"
        "W[0, 1]. What is said is of the whole pass. The reasons for a zero are where it\n"
        "becomes one, the place nearest the output first.",
    ),
    Command(
        "check",
        None,
        ("check [NAME…] [--steps H…]",),
        "finite differences against the gradient",
        _late("analysis.check"),
        "analysis",
        "NAME is a leaf, an element such as W[0, 1], or all. By default, what the scenario checks.",
    ),
    Command(
        "update",
        None,
        ("update [RATE…]",),
        "what one gradient step at each rate would do",
        _late("analysis.update"),
        "analysis",
        "By default the scenario's rates, or else " + " and ".join(map(str, DEFAULT_RATES)) + ".",
    ),
    Command(
        "flow",
        None,
        ("flow",),
        "per node: mean, deviation, share of zeros and saturation, gradient, update ratio",
        _late("runs.flow"),
        "analysis",
        "Of the whole pass. An update's size is given relative to its weight, at the first\n"
        f"rate of the scenario's updates, or else {DEFAULT_RATE}.",
    ),
    Command(
        "compare",
        None,
        ("compare FILE",),
        "values, gradients and contributions side by side with another scenario's",
        _late("runs.compare"),
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
        _late("change.set_"),
        "change",
        _EXPRESSIONS + "\n  set w = w - 0.1*grad(w)\n  set W = [[1, 2], [3, 4]]",
    ),
    Command(
        "restart",
        None,
        ("restart",),
        "the file as it was loaded, at position 0",
        _late("change.restart"),
        "change",
        "Breakpoints and watches stay.",
    ),
    Command(
        "source",
        None,
        ("source SCRIPT",),
        "run the commands of a file",
        _late("script.source"),
        "script",
        "Commands are separated by new lines or ' ;', and ' #' begins a comment.",
        records_itself=True,
    ),
    Command(
        "assert",
        None,
        ("assert COND",),
        "report whether a condition holds, with both sides",
        _late("change.assert_"),
        "script",
        "Of tensors every element must satisfy it; grad(NODE) == none holds where nothing has\n"
        "arrived. In replay, one that fails makes the exit status 1.",
    ),
    Command(
        "export",
        None,
        ("export FILE",),
        "write the transcript so far",
        _late("change.export"),
        "script",
        "The ending says how: " + ", ".join(EXPORTS) + ".",
    ),
    Command(
        "help",
        "h",
        ("help [COMMAND]",),
        "these lines, or all about one",
        _late("script.help_"),
        "script",
    ),
    Command("quit", "q", ("quit",), "end", _late("change.quit_"), "script"),
)
