"""The program: parses the call, loads, hands over."""

from bpstep.cli.calls import main

__all__ = ["main"]
