"""The Fortran twins of the example kernels as gfortran makes them, counted by an engine: FLOPs are the closed form, error 0;
regions bear the names, file and lines of the source. With the engine and the flags given on the command line; with -fopenmp on
two threads.

    binary_fortran_test.py valgrind -O3 -march=x86-64-v3"""

import re
import shutil
import unittest

import support
from engine_runs import EngineRuns
from flops_test import SIZES

RUNS = EngineRuns()
FOLDER = support.KERNELS / "fortran"
KERNELS = ("triad", "daxpy", "dot", "jacobi2d", "gemm_naive")


class Procedure:
    """Lines of one procedure in the source: where it begins, its directive of OpenMP, its `do` loops."""

    def __init__(self, name):
        lines = (FOLDER / "kernels.f90").read_text("utf-8").splitlines()
        self.begin = next(at for at, line in enumerate(lines, 1) if re.search(rf"(subroutine|function) {name}\(", line))
        end = next(at for at, line in enumerate(lines, 1) if re.match(rf" *end (subroutine|function) {name}$", line))
        inside = [(at, lines[at - 1].strip()) for at in range(self.begin, end)]
        (self.directive,) = [at for at, line in inside if line.startswith("!$omp")]
        self.loops = [at for at, line in inside if line.startswith("do ")]

    def lines_of_innermost(self):
        """That of `do`. gfortran gives the test of a loop that it vectorised the line of the body, and that of a loop shared
        among threads the line of the directive."""
        found = {self.loops[-1]}
        if "-O3" in RUNS.flags:
            found.add(self.loops[-1] + 1)
        if RUNS.openmp and len(self.loops) == 1:
            found.add(self.directive)
        return found


@unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
class BinaryFortran(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        RUNS.need()
        folder = support.own_folder(cls)
        cls.program = folder / "kernels"
        support.run(["gfortran", "-std=f2018", "-g", *RUNS.linked, "-J", folder,
                     FOLDER / "kernels.f90", FOLDER / "main.f90", "-o", cls.program])

    def check_regions(self, profile, kernel):
        source = Procedure(kernel)
        regions = [region for region in profile["regions"] if region.get("file", "").endswith("/kernels/fortran/kernels.f90")]
        self.assertEqual({region["function"] for region in regions}, {f"kernels::{kernel}"})
        functions = {region["line"] for region in regions if region["kind"] == "function"}
        self.assertEqual(functions, {source.begin, source.directive} if RUNS.openmp else {source.begin})
        hottest = max((region for region in regions if region["kind"] == "loop"), key=support.flops_of)
        self.assertIn(hottest["line"], source.lines_of_innermost())

    def test_work_and_names(self):
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                size = SIZES[kernel][0]
                profile = RUNS.measured(self.program, kernel, size)
                RUNS.check_work(self, profile, "kernels.f90", RUNS.expected(kernel, size))
                self.check_regions(profile, kernel)


if __name__ == "__main__":
    unittest.main(argv=RUNS.read_command_line())
