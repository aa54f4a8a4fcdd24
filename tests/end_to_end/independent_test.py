"""Bytes and kinds of every kernel equal what Valgrind's lackey and the disassembler see of the plain
build: bytes by the arrays' addresses, work by executions of each arithmetic instruction.

    independent_test.py -O3 -march=x86-64-v3"""

import sys
import unittest

import disassembly
import lackey
import support
from closed_forms import SOURCE_OF
from counts import in_file

FLAGS = []
REPEATS = 2

SIZES = {
    "triad": 203, "daxpy": 203, "dot": 203, "jacobi2d": 37, "stencil7": 15, "gemm_naive": 13,
    "gemm_blocked": 53, "spmv_stencil": 17, "spmv_random": 101, "fft": 64,
}


def assert_equals_seen(profile, kernel, seen, work):
    """`seen` is one call's trace, `work` the flop of its executed instructions by term."""
    counted = in_file(profile, SOURCE_OF[kernel])
    found = counted.loaded, counted.stored
    expected = REPEATS * seen.loaded, REPEATS * seen.stored
    assert found == expected, f"(loaded, stored): {found} counted, {expected} seen"
    terms = {key: REPEATS * flop for key, flop in work.items()}
    assert dict(counted.terms) == terms, f"terms: {dict(counted.terms)} counted, {terms} seen"


class Independent(unittest.TestCase):
    def check(self, program, plain, kernel):
        seen = lackey.one_call(plain, kernel, SIZES[kernel])
        work = disassembly.executed_terms(disassembly.arithmetic(plain, ["kernels::"]),
                                          seen.executed)
        for profile_of in (support.profile_of, support.profile_without_code):
            profile = profile_of([program, kernel, SIZES[kernel], REPEATS])
            assert_equals_seen(profile, kernel, seen, work)

    def test_every_kernel(self):
        program = support.compile_kernels(FLAGS)
        # Static: the addresses of the disassembler are the executed ones, and no loader to trace.
        # Without line tables: Valgrind 3.19 stops at those of clang 19.
        plain = support.compile_kernels([*FLAGS, "-static", "-Wl,--strip-debug"], plain=True)
        for kernel in SIZES:
            with self.subTest(kernel=kernel):
                self.check(program, plain, kernel)


if __name__ == "__main__":
    FLAGS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
