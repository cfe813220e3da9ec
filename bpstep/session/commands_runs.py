"""Commands about whole runs: how values and gradients flow, another run beside this one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from bpstep.analysis.compare import compare as side_by_side
from bpstep.analysis.compare import sent
from bpstep.analysis.flow import flow as figures
from bpstep.session.arguments import nothing, required
from bpstep.session.command import Call, Outcome
from bpstep.session.commands_analysis import current_pass
from bpstep.session.defaults import DEFAULT_RATE
from bpstep.session.errors import CommandError
from bpstep.session.reports import CompareReport, FlowReport

if TYPE_CHECKING:
    from bpstep.scenario import Scenario
    from bpstep.session.session import Session


def flow(session: Session, call: Call) -> Outcome:
    """Means, deviations, zeros, saturation and update ratios of the current pass."""
    nothing(call)
    pass_ = current_pass(session)
    asked = session.scenario.updates
    found = figures(pass_.ledger, asked.rates[0] if asked else DEFAULT_RATE)
    first = None if found.first_step is None else sent(pass_, found.first_step)
    return Outcome(session, (FlowReport(found, asked is None, first),))


def compare(session: Session, call: Call) -> Outcome:
    """This run and another scenario's, aligned by node."""
    name = required(call, "a scenario: a file, or the name of one that comes with the program")
    path = os.path.expanduser(name)
    other = _loaded(path, call).run()
    found = side_by_side(session.run, other)
    return Outcome(session, (CompareReport(session.scenario.path, name, found),))


def _loaded(path: str, call: Call) -> Scenario:
    """A scenario; raises CommandError with everything that is wrong with it."""
    from bpstep.scenario import ScenarioError, load

    try:
        return load(path)
    except ScenarioError as error:
        end = call.offset + len(call.text)
        raise CommandError(str(error), start=call.offset, end=end) from None
