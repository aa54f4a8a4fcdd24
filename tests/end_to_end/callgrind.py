"""Another cache simulator: what Valgrind's callgrind sees of a plain build, function by function.

Its model: I1 and D1 before one LL that both share, LRU, every access of the process (stack, spills,
the C library, instructions) rather than those of the optimised IR. D1 writes through to LL (so a
write that hits D1 renews the line in LL as well), and allocates on a write. An access that crosses
two lines counts as one miss even if both are missing. A write-back is charged to the function that
displaces the line."""

import re
from collections import Counter

import support

LINE_BYTES = 64
COST = re.compile(r"^[+*-]?\d+((?: \d+)*)$")


def self_costs(text):
    """function -> Counter of events, callees excluded, of a callgrind.out without compression."""
    events = []
    costs = {}
    current = None
    skip = False
    for line in text.splitlines():
        if line.startswith("events:"):
            events = line.split()[1:]
        elif line.startswith("fn="):
            current = costs.setdefault(line[3:], Counter())
        elif line.startswith("calls="):
            skip = True  # the next line is what the callee cost
        elif current is not None and (found := COST.match(line)):
            if not skip:
                current.update(dict(zip(events, map(int, found[1].split()))))
            skip = False
    return costs


def simulate(program, arguments, geometry, out, prefix):
    """Sum over the functions whose name begins with `prefix`; geometry = {"D1": (bytes, ways), "LL": ...}."""
    caches = [f"--{name}={size},{ways},{LINE_BYTES}" for name, (size, ways) in geometry.items()]
    support.run(["valgrind", "--tool=callgrind", "--cache-sim=yes", "--simulate-wb=yes",
                 "--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={out}", *caches,
                 program, *arguments], env=support.environment(plain=True, OMP_NUM_THREADS="1"))
    total = Counter()
    for function, cost in self_costs(out.read_text("utf-8")).items():
        if function.startswith(prefix):
            total.update(cost)
    assert total["Ir"] > 0, f"no function {prefix}* in {out}"
    return total


def bytes_crossed(cost):
    """(level, direction) -> bytes, named like the traffic of a profile of two cache levels."""
    return {("L2", "read"): LINE_BYTES * (cost["D1mr"] + cost["D1mw"]),
            ("DRAM", "read"): LINE_BYTES * (cost["DLmr"] + cost["DLmw"]),
            ("DRAM", "written"): LINE_BYTES * (cost["DLdmr"] + cost["DLdmw"])}
