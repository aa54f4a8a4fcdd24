"""Fortran through ridge-fc, with the flags given on the command line: FLOPs of the twins of the example kernels are the closed
form, error 0; loops have the names, file and lines of the source, whatever Fortran calls a loop.

    fortran_test.py -O2 -fopenmp"""

import os
import re
import shutil
import sys
import unittest

import support
from counts import in_file
from flops_test import REPEATS, SIZES, expected_flops

RIDGE_FC = support.BUILD / "bin" / "ridge-fc"
FOLDER = support.KERNELS / "fortran"
KERNELS = ("triad", "daxpy", "dot", "jacobi2d", "gemm_naive")
FLAGS = []
N = 1003


def line_of(path, pattern):
    lines = path.read_text("utf-8").splitlines()
    return next(at for at, line in enumerate(lines, 1) if re.search(pattern, line))


@unittest.skipUnless(shutil.which(os.environ.get("RIDGE_FLANG", "flang-new-19")), "no flang-19")
class Fortran(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def build(self, *sources, plain=False):
        program = self.folder / ("plain" if plain else "program")
        support.run([RIDGE_FC, *FLAGS, *sources, "-o", program], env=support.environment(plain), cwd=self.folder)
        return program

    def c_part(self, plain=False):
        part = self.folder / "part.o"
        support.run([support.RIDGE_CC, "-O2", "-c", support.PROGRAMS / "fortran_part.c", "-o", part],
                    env=support.environment(plain))
        return part

    def test_twins_of_the_kernels(self):
        program = self.build(FOLDER / "kernels.f90", FOLDER / "main.f90")
        threads = 2 if "-fopenmp" in FLAGS else 1
        for kernel in KERNELS:
            with self.subTest(kernel=kernel):
                size = SIZES[kernel][0]
                profile = support.profile_of([program, kernel, size, REPEATS], threads=threads)
                self.assertEqual(in_file(profile, "kernels.f90").flops,
                                 expected_flops(kernel, size, threads, "-fopenmp" in FLAGS))
                regions = [r for r in profile["regions"] if r.get("file", "").endswith("fortran/kernels.f90")]
                self.assertEqual({r["function"] for r in regions}, {f"kernels::{kernel}"})
                self.assertFalse([r["name"] for r in profile["regions"]
                                  if r["kind"] == "loop" and "line" not in r], "each loop has its line")

    def test_whatever_is_a_loop(self):
        source = support.PROGRAMS / "fortran_loops.f90"
        profile = support.profile_of([self.build(source, self.c_part())])
        expected = {
            "loops::with_do": r"do i = -1", "loops::with_assignment": r"a = a \+ 1",
            "loops::with_concurrent": "do concurrent", "loops::with_forall": r"forall \(",
            "loops::with_host::inside": r"do i = 1, size"}
        for function, pattern in expected.items():
            with self.subTest(function=function):
                found = {(r.get("line"), support.flops_of(r)) for r in profile["regions"]
                         if r["function"] == function and support.flops_of(r) > 0}
                self.assertEqual(found, {(line_of(source, pattern), N)})
        in_c = [r for r in profile["regions"] if r["function"] == "scale_in_c" and support.flops_of(r)]
        self.assertEqual([support.flops_of(r) for r in in_c], [N])
        self.assertIn("main program", {r["function"] for r in profile["regions"]})

    def test_output_is_that_of_the_plain_build(self):
        source = support.PROGRAMS / "fortran_loops.f90"
        program = self.build(source, self.c_part())
        plain = self.build(source, self.c_part(plain=True), plain=True)
        self.assertEqual(support.run([program]).stdout, support.run([plain]).stdout)

    def test_options_of_gfortran(self):
        done = support.run([RIDGE_FC, "-ffree-line-length-none", "-fbacktrace", "-c",
                            support.PROGRAMS / "fortran_loops.f90", "-o", self.folder / "a.o"],
                           env=support.environment(), cwd=self.folder)
        self.assertIn("-ffree-line-length-none -fbacktrace", done.stderr)
        self.assertEqual(done.stderr.count("warning"), 1)


class Missing(unittest.TestCase):
    def test_a_compiler_that_is_not_there_is_named(self):
        done = support.run([RIDGE_FC, "-c", "a.f90"], check=False,
                           env=support.environment(RIDGE_FLANG="/no/such/flang"))
        self.assertEqual(done.returncode, 4)
        self.assertIn("flang-19", done.stderr)
        self.assertIn("RIDGE_FLANG", done.stderr)


if __name__ == "__main__":
    FLAGS = [word for word in sys.argv[1:] if word.startswith("-")]
    unittest.main(argv=sys.argv[:1])
