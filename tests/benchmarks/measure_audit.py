"""How often the audit accuses a right reverse pass, and how often it misses what is wrong.

    PYTHONPATH=tests/support python tests/benchmarks/measure_audit.py [COUNT]

prints figures over COUNT random graphs a kind (default 1,000). A small sample of the same runs in
the suite.
"""

from __future__ import annotations

import sys
import time

from judged_passes import SORTS, Sort, measure_faults, measure_quiet

from bpstep.engine.faults import KINDS


def report_quiet(count: int) -> None:
    """Right passes of every sort of graph."""
    for sort in SORTS:
        began = time.perf_counter()
        quiet = measure_quiet(sort, count)
        print(
            f"{sort.name}: {quiet.accused} of {quiet.passes} right passes accused"
            f" ({quiet.edges} edges, {time.perf_counter() - began:.0f} s)",
            flush=True,
        )


def report_faults(sort: Sort, kind: str, count: int) -> None:
    """Passes with a fault of one kind that changes a gradient."""
    began = time.perf_counter()
    hits = measure_faults(sort, kind, count)
    print(
        f"{sort.name}, {kind}: {hits.named} of {hits.faults} named"
        f" ({time.perf_counter() - began:.0f} s)",
        flush=True,
    )
    for miss in hits.missed[:10]:
        print("   ", miss, flush=True)


def main(count: int) -> None:
    """Print the figures."""
    report_quiet(count)
    for sort in (Sort("numbers"), Sort("tensors", tensors=True)):
        for kind in KINDS:
            if kind != "transpose":
                report_faults(sort, kind, count)
    report_faults(Sort("matrix products", products=True), "transpose", count)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
