"""The example kernels under one engine of `ridge run`, compiled with one set of flags: what the scripts binary_kernels_test.py
and binary_fortran_test.py are told on the command line."""

import pathlib
import sys
import unittest
from dataclasses import dataclass, field

import support
from binary_test import ENGINES
from counts import in_file
from flops_test import REPEATS, expected_flops

# What a processor must have to run code of a level.
LEVELS = {"-march=x86-64-v3": {"avx2", "fma"},
          "-march=x86-64-v4": {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}}


@dataclass
class Interval:
    """Flops of some regions: `low` and `high` are apart where lanes of masks were not looked at."""

    low: int = 0
    high: int = 0

    def add(self, region):
        total = support.flops_of(region)
        given = region.get("flops_interval", {"low": total, "high": total})
        self.low += given["low"]
        self.high += given["high"]

    @property
    def exact(self):
        return self.low == self.high

    def overlaps(self, other):
        return self.low <= other.high and other.low <= self.high


def interval_in_file(profile, name):
    found = Interval()
    for region in profile["regions"]:
        if region["kind"] != "program" and region.get("file", "").split("/")[-1] == name:
            found.add(region)
    return found


@dataclass
class EngineRuns:
    engine: str = ""
    flags: list = field(default_factory=list)

    def read_command_line(self):
        """ENGINE FLAGS ...; what is left is for unittest."""
        self.engine, *self.flags = sys.argv[1:]
        return sys.argv[:1]

    def need(self):
        if self.engine not in ENGINES:
            raise unittest.SkipTest(f"the engine {self.engine} is not here")
        features = set(pathlib.Path("/proc/cpuinfo").read_text("utf-8").split())
        for flag in self.flags:
            if missing := LEVELS.get(flag, set()) - features:
                raise unittest.SkipTest(f"{flag}: this processor lacks {', '.join(sorted(missing))}")

    @property
    def linked(self):
        """The flags with what the engine wants of the linker."""
        return [*self.flags, *(["-Wl,--emit-relocs"] if self.engine == "bolt" else [])]

    @property
    def openmp(self):
        return "-fopenmp" in self.flags

    @property
    def threads(self):
        return 2 if self.openmp else 1

    @property
    def looks_at_masks(self):
        """Whether nothing is left open: there are no masks, or the engine counts their lanes."""
        return self.engine == "dynamorio" or "-march=x86-64-v4" not in self.flags

    def expected(self, kernel, size):
        return expected_flops(kernel, size, self.threads, self.openmp)

    def profile_of(self, program, kernel, size, options=()):
        return support.profile_of([program, kernel, str(size), str(REPEATS)], threads=self.threads,
                                  options=("--no-traffic", *options))

    def measured(self, program, kernel, size):
        return self.profile_of(program, kernel, size, ("--source", "binary", "--engine", self.engine))

    def check_work(self, test, profile, file_name, expected, spare_lanes=False):
        """The flops of the regions in a file are the closed form, error 0. With `spare_lanes` some stand in vectors of which
        at least half is used."""
        counted, interval = in_file(profile, file_name), interval_in_file(profile, file_name)
        test.assertLessEqual(expected, interval.high)
        test.assertLessEqual(interval.low, 2 * expected if spare_lanes else expected)
        if self.looks_at_masks:
            test.assertTrue(interval.exact, interval)
        test.assertEqual(sum(counted.terms.values()), counted.flops)
