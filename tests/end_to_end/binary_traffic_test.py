"""Traffic of a program as it is equals that of the instrumented build of the same source, within 1 % at each boundary below
L1: what both simulate differs by the stack alone."""

import pathlib
import unittest

import support
from binary_test import ENGINES
from closed_forms import SOURCE_OF  # support puts its folder on the path
from counts import in_file
from engine_runs import LEVELS

V3 = ["-O3", "-march=x86-64-v3"]
V4 = ["-O3", "-march=x86-64-v4", "-mprefer-vector-width=512"]
SIZES = {"triad": 200_000, "daxpy": 200_000, "jacobi2d": 500, "stencil7": 60, "spmv_stencil": 200, "spmv_random": 20_000}
OPTIONS = ["--traffic=exact", "--cache", "L1=32K/8,L2=256K/8,L3=1M/16"]


class BinaryTraffic(unittest.TestCase):
    def check(self, engine, flags):
        if engine not in ENGINES:
            self.skipTest(f"the engine {engine} is not here")
        if missing := LEVELS[flags[1]] - set(pathlib.Path("/proc/cpuinfo").read_text("utf-8").split()):
            self.skipTest(f"this processor lacks {', '.join(sorted(missing))}")
        plain, instrumented = support.compile_kernels(flags, plain=True), support.compile_kernels(flags)
        for kernel, size in SIZES.items():
            arguments = [kernel, str(size), "3"]
            theirs = in_file(support.profile_of([instrumented, *arguments], options=OPTIONS), SOURCE_OF[kernel])
            ours = in_file(support.profile_of([plain, *arguments], options=[*OPTIONS, "--engine", engine]), SOURCE_OF[kernel])
            for level in ("L2", "L3", "DRAM"):
                with self.subTest(kernel=kernel, level=level):
                    expected, found = (sum(counts.traffic[level, way] for way in ("read", "written")) for counts in (theirs, ours))
                    self.assertGreater(expected, 0)
                    self.assertAlmostEqual(found / expected, 1.0, delta=0.01)

    def test_valgrind(self):
        self.check("valgrind", V3)

    def test_dynamorio(self):
        self.check("dynamorio", V3)

    def test_dynamorio_with_avx512(self):
        self.check("dynamorio", V4)


if __name__ == "__main__":
    unittest.main()
