"""`bpstep list` and `bpstep schema`: what comes with the program."""

from __future__ import annotations

import json
from pathlib import Path

from bpstep.cli.console import Output
from bpstep.cli.loading import load
from bpstep.cli.status import FINE
from bpstep.engine.errors import BpstepError
from bpstep.render.lines import columns
from bpstep.scenario import library, short_name
from bpstep.scenario.schema import json_schema


def list_library(output: Output) -> int:
    """The scenarios that come with the program, in teaching order, each with its title."""
    output.write(columns([[short_name(path), _title(path)] for path in library()], indent=0))
    return FINE


def _title(path: Path) -> str:
    try:
        return load(str(path)).title
    except BpstepError:
        return "(not a valid scenario)"


def print_schema(output: Output) -> int:
    """The JSON Schema of the scenario format."""
    output.write([json.dumps(json_schema(), indent=2)])
    return FINE
