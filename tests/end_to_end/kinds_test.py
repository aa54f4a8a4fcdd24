"""Which kinds and widths appear equals what the disassembler shows, where Valgrind cannot run the
code (AVX-512): each counted term exists as an instruction, and the widest instruction was counted.

    kinds_test.py -O3 -march=native"""

import sys
import unittest

import disassembly
import support
from closed_forms import SOURCE_OF
from counts import in_file
from flops_test import SIZES

FLAGS = []
# Vectorised behind a check for overlap that its data do not pass.
RUNS_NARROWER = {"fft"}


class Kinds(unittest.TestCase):
    def check(self, program, plain, kernel):
        profile = support.profile_of([program, kernel, SIZES[kernel][0], 1])
        counted = set(in_file(profile, SOURCE_OF[kernel]).terms)
        shown = {what[:3] for what in disassembly.arithmetic(
            plain, [f"kernels::{kernel.removesuffix('_stencil').removesuffix('_random')}("]).values()}
        self.assertTrue(counted, "nothing was counted")
        self.assertLessEqual(counted, shown)
        if kernel not in RUNS_NARROWER:
            self.assertEqual(max(t[2] for t in counted), max(t[2] for t in shown))
        self.assertEqual({kind for _, kind, _ in counted}, {kind for _, kind, _ in shown})

    def test_every_kernel(self):
        program = support.compile_kernels(FLAGS)
        plain = support.compile_kernels(FLAGS, plain=True)
        for kernel in SIZES:
            with self.subTest(kernel=kernel):
                self.check(program, plain, kernel)


if __name__ == "__main__":
    FLAGS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
