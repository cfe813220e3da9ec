"""How often a check accuses a right gradient, and how often it misses a wrong one.

    PYTHONPATH=tests/support python tests/benchmarks/measure_verdicts.py [SMOOTH] [FAULTY]

checks every leaf of SMOOTH random smooth graphs (default 10,000, a quarter of them of tensors), and
of FAULTY graphs for each kind of fault (default 1,000), where the fault shows. A small sample of
the same runs in the suite.
"""

from __future__ import annotations

import sys
import time

from judged_passes import Sort
from judged_verdicts import measure_right, measure_wrong

from bpstep.engine.faults import KINDS

NUMBERS, TENSORS = Sort("numbers"), Sort("tensors", tensors=True)
PRODUCTS = Sort("matrix products", products=True)
SMOOTH = (Sort("smooth numbers", smooth=True), Sort("smooth tensors", tensors=True, smooth=True))


def report_right(sort: Sort, count: int) -> None:
    """Right passes of smooth graphs."""
    began = time.perf_counter()
    found = measure_right(sort, count)
    verdicts = ", ".join(f"{n} {verdict}" for verdict, n in found.verdicts.most_common())
    print(
        f"{sort.name}: {len(found.accused)} false alarms in {found.graphs} graphs"
        f" ({verdicts}; {time.perf_counter() - began:.0f} s)",
        flush=True,
    )
    for accused in found.accused[:10]:
        print("   ", accused, flush=True)


def report_wrong(sort: Sort, kind: str, count: int) -> None:
    """Passes with a fault."""
    began = time.perf_counter()
    found = measure_wrong(sort, kind, count)
    print(
        f"{sort.name}, {kind}: {found.leaves - found.named} misses at {found.leaves} leaves of"
        f" {found.graphs} graphs, {len(found.accused)} untouched leaves accused"
        f" ({time.perf_counter() - began:.0f} s)",
        flush=True,
    )
    for miss in (found.missed + found.accused)[:10]:
        print("   ", miss, flush=True)


def main(smooth: int, faulty: int) -> None:
    """Print the figures."""
    report_right(SMOOTH[0], smooth - smooth // 4)
    report_right(SMOOTH[1], smooth // 4)
    for kind in KINDS:
        if kind == "transpose":
            report_wrong(PRODUCTS, kind, faulty)
        else:
            report_wrong(NUMBERS, kind, faulty - faulty // 4)
            report_wrong(TENSORS, kind, faulty // 4)


if __name__ == "__main__":
    given = [int(argument) for argument in sys.argv[1:]]
    main(*(given + [10_000, 1_000][len(given) :])[:2])
