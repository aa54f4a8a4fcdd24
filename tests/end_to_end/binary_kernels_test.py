"""FLOPs of every example kernel as compilers of the distribution make it, counted by an engine: the closed form, error 0,
and of a clang build those that the plugin counts. With the engine and the flags given on the command line; with -fopenmp on
two threads.

    binary_kernels_test.py valgrind -O3 -march=x86-64-v3"""

import shutil
import unittest

import support
from closed_forms import SOURCE_OF  # support puts its folder on the path
from counts import in_file
from engine_runs import EngineRuns, interval_in_file
from flops_test import SIZES

RUNS = EngineRuns()
# gcc adds and subtracts the same vectors in a butterfly and keeps a half of each: lanes that the closed form does not have.
SPARE_LANES = {("g++", "fft")}


class BinaryKernels(unittest.TestCase):
    def setUp(self):
        RUNS.need()

    def compiled_by_gcc(self):
        if not shutil.which("g++"):
            self.skipTest("no g++")
        sources = sorted(support.KERNELS.glob("*.cpp"))
        return support.compile_program(sources, ["-std=c++20", "-g", *RUNS.linked], "kernels_gcc", compiler="g++",
                                       depends=[support.KERNELS / "kernels.hpp"])

    def test_gcc_equals_the_closed_form(self):
        program = self.compiled_by_gcc()
        spare_lanes = set() if "-O0" in RUNS.flags else SPARE_LANES
        for kernel, (size, *_) in SIZES.items():
            with self.subTest(kernel=kernel):
                RUNS.check_work(self, RUNS.measured(program, kernel, size), SOURCE_OF[kernel], RUNS.expected(kernel, size),
                                spare_lanes=("g++", kernel) in spare_lanes)

    def test_clang_equals_the_plugin(self):
        plain, instrumented = support.compile_kernels(RUNS.linked, plain=True), support.compile_kernels(RUNS.flags)
        for kernel, (size, *_) in SIZES.items():
            with self.subTest(kernel=kernel):
                plugin, engine = RUNS.profile_of(instrumented, kernel, size), RUNS.measured(plain, kernel, size)
                intervals = [interval_in_file(profile, SOURCE_OF[kernel]) for profile in (plugin, engine)]
                self.assertTrue(intervals[0].overlaps(intervals[1]), intervals)
                if RUNS.looks_at_masks:
                    self.assertTrue(intervals[1].exact, intervals)
                if intervals[0].exact and intervals[1].exact:
                    self.assertEqual(in_file(engine, SOURCE_OF[kernel]).terms, in_file(plugin, SOURCE_OF[kernel]).terms)


if __name__ == "__main__":
    unittest.main(argv=RUNS.read_command_line())
