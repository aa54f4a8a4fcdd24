"""Simulated traffic equals that of an independent simulator, callgrind, within 0.5 %: kernel by kernel,
on SSE2 code, for bytes read across both boundaries and bytes written back to memory.

Compared are the kernels' own functions and what two more calls add to them, so that neither program
start nor the filling of the arrays counts, and write-backs, which callgrind charges to the function that
displaces a line and Ridge to the region that wrote it, belong to the same kernel in both. (L1 writes
through in callgrind's model, so that boundary's written bytes have no counterpart.) Sets are chosen by
address bits below the page size, and arrays get pages of their own: so both see the same conflicts,
although the two programs' memory lies elsewhere."""

import tempfile
import unittest
from pathlib import Path

import callgrind
import support
from closed_forms import SOURCE_OF
from counts import in_file

TOLERANCE = 0.005
# Lines of the stack and of the caller that the kernel displaces, or finds displaced: 8 a call.
SLACK_BYTES = 2 * 8 * 64
FLAGS = ["-O2", "-march=x86-64"]
MACHINE = support.DATA / "machine_two_levels.json"
KIB = 1024
# As in MACHINE. I1 holds every loop, so that instructions leave LL alone.
GEOMETRY = {"I1": (64 * KIB, 8), "D1": (48 * KIB, 12), "LL": (256 * KIB, 64)}
REPEATS = (1, 3)
# Most arrays are larger than LL, some smaller; power-of-two and other widths.
SIZES = {"triad": 20_000, "daxpy": 30_011, "dot": 30_000, "jacobi2d": 700, "stencil7": 48,
         "gemm_naive": 120, "gemm_blocked": 150, "spmv_stencil": 120, "spmv_random": 20_000,
         "fft": 32_768}
# Every array by mmap: page-aligned plus the same header in both programs.
ALLOCATION = {"MALLOC_MMAP_THRESHOLD_": "4096", "MALLOC_TOP_PAD_": "0"}


def by_callgrind(plain, kernel, folder):
    once, more = (callgrind.bytes_crossed(
        callgrind.simulate(plain, [kernel, SIZES[kernel], count], GEOMETRY,
                           Path(folder, f"{kernel}.{count}"), "kernels::"))
        for count in REPEATS)
    return {key: more[key] - once[key] for key in more}


def by_ridge(program, kernel):
    once, more = (in_file(support.profile_of([program, kernel, SIZES[kernel], count], options=["--traffic=exact"],
                                             machine=MACHINE), SOURCE_OF[kernel]).traffic
                  for count in REPEATS)
    return {key: more[key] - once[key] for key in more}


class Callgrind(unittest.TestCase):
    def check(self, kernel, simulated, expected):
        for key, bytes_ in expected.items():
            with self.subTest(kernel=kernel, boundary=key):
                self.assertAlmostEqual(simulated[key], bytes_, delta=TOLERANCE * bytes_ + SLACK_BYTES)

    def test_every_kernel(self):
        program = support.compile_kernels(FLAGS)
        # Without line tables: Valgrind 3.19 stops at those of clang 19.
        plain = support.compile_kernels([*FLAGS, "-static", "-Wl,--strip-debug"], plain=True)
        with tempfile.TemporaryDirectory(dir=support.WORK) as folder:
            for kernel in SIZES:
                self.check(kernel, by_ridge(program, kernel), by_callgrind(plain, kernel, folder))


if __name__ == "__main__":
    unittest.main()
