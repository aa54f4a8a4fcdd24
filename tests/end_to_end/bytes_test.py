"""At -O1 without OpenMP the bytes of every kernel equal the closed form, error 0.

    bytes_test.py -O1 [-march=native]"""

import sys
import unittest

import support
from closed_forms import CLOSED_FORMS, SOURCE_OF
from counts import in_file
from flops_test import SIZES

FLAGS = []
REPEATS = 2


def assert_bytes(profile, kernel, size):
    counted = in_file(profile, SOURCE_OF[kernel])
    closed = CLOSED_FORMS[kernel](size)
    expected = REPEATS * closed.loaded, REPEATS * closed.stored
    found = counted.loaded, counted.stored
    assert found == expected, f"(loaded, stored): {found} counted, {expected} expected"


class Bytes(unittest.TestCase):
    def test_every_kernel(self):
        program = support.compile_kernels(FLAGS)
        for kernel, sizes in SIZES.items():
            for size in sizes:
                with self.subTest(kernel=kernel, size=size):
                    profile = support.profile_of([program, kernel, size, REPEATS])
                    assert_bytes(profile, kernel, size)


if __name__ == "__main__":
    FLAGS = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
