"""FLOPs of every kernel equal the closed form, error 0, with the flags given on the command line.

    flops_test.py -O3 -march=native -fopenmp"""

import sys
import unittest

import support
from closed_forms import CLOSED_FORMS, SOURCE_OF  # support puts its folder on the path
from counts import all_parts, in_file, whole_program

FLAGS = []
REPEATS = 3

# A size that leaves a remainder at every vector width, and the smallest that make sense.
SIZES = {
    "triad": (1003, 1), "daxpy": (1003, 3), "dot": (1003, 2), "jacobi2d": (37, 2),
    "stencil7": (19, 3), "gemm_naive": (29, 1), "gemm_blocked": (53, 2), "spmv_stencil": (23, 1),
    "spmv_random": (301, 1), "fft": (128, 2),
}


def expected_flops(kernel, size, threads, with_openmp):
    closed = CLOSED_FORMS[kernel](size)
    combined = threads if closed.reduces and with_openmp else 0
    return REPEATS * (closed.flops + combined)


def assert_flops(profile, kernel, expected):
    """The kernel's work is `expected`, its terms add up to it, the regions to the program."""
    counted = in_file(profile, SOURCE_OF[kernel])
    assert counted.flops == expected, f"{counted.flops} flop counted, {expected} expected"
    of_terms = sum(counted.terms.values())
    assert of_terms == counted.flops, f"terms add up to {of_terms}, not {counted.flops}"
    total, parts = whole_program(profile), all_parts(profile)
    for name in ("flops", "loaded", "stored", "terms"):
        whole, summed = getattr(total, name), getattr(parts, name)
        assert whole == summed, f"{name}: program {whole}, sum of regions {summed}"


class Flops(unittest.TestCase):
    def check(self, program, kernel, size, threads):
        expected = expected_flops(kernel, size, threads, "-fopenmp" in FLAGS)
        for profile_of in (support.profile_of, support.profile_without_code):
            profile = profile_of([program, kernel, size, REPEATS], threads=threads)
            assert_flops(profile, kernel, expected)

    def test_every_kernel(self):
        program = support.compile_kernels(FLAGS)
        for kernel, sizes in SIZES.items():
            for size in sizes:
                for threads in (1, 2) if "-fopenmp" in FLAGS else (1,):
                    with self.subTest(kernel=kernel, size=size, threads=threads):
                        self.check(program, kernel, size, threads)


if __name__ == "__main__":
    FLAGS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
