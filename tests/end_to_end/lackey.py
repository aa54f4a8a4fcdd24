"""The independent count: what Valgrind's lackey sees of the plain build, instruction by instruction.

One call of a kernel is the difference between a run with two calls and a run with one: everything
else of the program is the same in both."""

import re
import subprocess
from bisect import bisect_right
from collections import Counter

import support

ARRAY = re.compile(r"array (\S+) 0x([0-9a-f]+) (\d+)")


class Ranges:
    """Addresses of the arrays, for `in`."""

    def __init__(self, pairs):
        self.pairs = sorted(pairs)
        self.begins = [begin for begin, _ in self.pairs]

    def __contains__(self, address):
        at = bisect_right(self.begins, address) - 1
        return at >= 0 and address < self.pairs[at][1]


class Trace:
    def __init__(self):
        self.loaded = 0
        self.stored = 0
        self.executed = Counter()  # instruction address -> times


def trace_lines(command):
    with subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace",
                          env=support.environment(plain=True, OMP_NUM_THREADS="1")) as process:
        yield from process.stderr
    if process.returncode != 0:
        raise AssertionError(f"exit {process.returncode}: {command}")


def trace(program, kernel, size, repeats):
    """Bytes within the arrays and executions per instruction of the whole program."""
    command = ["valgrind", "--tool=lackey", "--trace-mem=yes", program, "--addresses", kernel, size,
               repeats]
    result = Trace()
    pairs = []
    arrays = Ranges([])
    for line in trace_lines(command):
        kind = line[:2]
        if kind == "I ":
            result.executed[line[3:].partition(",")[0]] += 1
            continue
        if kind in (" L", " S", " M"):
            address, _, size_text = line[3:].partition(",")
            if pairs and int(address, 16) in arrays:
                count = int(size_text)
                result.loaded += count if kind != " S" else 0
                result.stored += count if kind != " L" else 0
            continue
        found = ARRAY.match(line)
        if found:
            begin = int(found[2], 16)
            pairs.append((begin, begin + int(found[3])))
            arrays = Ranges(pairs)
    assert pairs, f"{program} printed no addresses"
    return result


def one_call(program, kernel, size):
    """The difference that one more call makes."""
    once, twice = (trace(program, kernel, size, repeats) for repeats in (1, 2))
    result = Trace()
    result.loaded = twice.loaded - once.loaded
    result.stored = twice.stored - once.stored
    twice.executed.subtract(once.executed)
    result.executed = {int(address, 16): n for address, n in twice.executed.items() if n}
    return result
