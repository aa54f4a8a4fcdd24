"""FLOPs of every example kernel as compilers of the distribution make it, counted by an engine: the closed form, error 0,
and of a clang build those that the plugin counts. With the flags given on the command line.

    binary_kernels_test.py -O3 -march=x86-64-v3"""

import pathlib
import shutil
import sys
import unittest

import support
from binary_test import ENGINES
from closed_forms import SOURCE_OF  # support puts its folder on the path
from counts import in_file
from flops_test import REPEATS, SIZES, expected_flops

FLAGS = []
# gcc computes the last butterflies of a stage in half-filled vectors: lanes that the closed form does not have.
SPARE_LANES = {("g++", "fft")}


def measured(program, kernel, size):
    return support.profile_of([program, kernel, str(size), str(REPEATS)],
                              options=("--no-traffic", "--source", "binary", "--engine", "valgrind"))


def can_run():
    """The processor has what the flags ask for, and the engine can run it."""
    level = next((flag for flag in FLAGS if flag.startswith("-march=")), "")
    return level != "-march=x86-64-v3" or "avx2" in pathlib.Path("/proc/cpuinfo").read_text("utf-8")


@unittest.skipUnless("valgrind" in ENGINES, "the engine valgrind is not here")
class BinaryKernels(unittest.TestCase):
    def setUp(self):
        if not can_run():
            self.skipTest("this processor lacks AVX2")

    def compiled_by_gcc(self):
        if not shutil.which("g++"):
            self.skipTest("no g++")
        sources = sorted(support.KERNELS.glob("*.cpp"))
        return support.compile_program(sources, ["-std=c++20", "-g", *FLAGS], "kernels_gcc", compiler="g++",
                                       depends=[support.KERNELS / "kernels.hpp"])

    def test_gcc_equals_the_closed_form(self):
        program = self.compiled_by_gcc()
        for kernel, (size, *_) in SIZES.items():
            with self.subTest(kernel=kernel):
                counted = in_file(measured(program, kernel, size), SOURCE_OF[kernel])
                expected = expected_flops(kernel, size, 1, False)
                if ("g++", kernel) in SPARE_LANES:
                    self.assertGreaterEqual(counted.flops, expected)
                else:
                    self.assertEqual(counted.flops, expected)
                self.assertEqual(sum(counted.terms.values()), counted.flops)

    def test_clang_equals_the_plugin(self):
        plain, instrumented = support.compile_kernels(FLAGS, plain=True), support.compile_kernels(FLAGS)
        for kernel, (size, *_) in SIZES.items():
            with self.subTest(kernel=kernel):
                plugin = support.profile_of([instrumented, kernel, str(size), str(REPEATS)])
                engine = measured(plain, kernel, size)
                self.assertEqual(in_file(engine, SOURCE_OF[kernel]).terms, in_file(plugin, SOURCE_OF[kernel]).terms)



if __name__ == "__main__":
    FLAGS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
