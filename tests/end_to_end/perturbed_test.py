"""The exactness tests can fail: a real profile passes, and fails once any count is off by one."""

import copy
import unittest

import support
from bytes_test import assert_bytes
from closed_forms import SOURCE_OF
from flops_test import assert_flops, expected_flops

KERNEL = "jacobi2d"
SIZE = 37


def kernel_region(profile):
    """The region of the kernel that did the work."""
    inside = [r for r in profile["regions"]
              if r.get("file", "").endswith(SOURCE_OF[KERNEL]) and r["flops"]["total"] > 0]
    return inside[0]


def one_more_flop(region):
    region["flops"]["total"] += 1


def one_flop_less_in_a_term(region):
    region["flops"]["terms"][0]["flops"] -= 1


def one_more_flop_throughout(region):
    region["flops"]["total"] += 1
    region["flops"]["terms"][0]["flops"] += 1


def one_byte_more_loaded(region):
    region["bytes"]["loaded"] += 1


def one_byte_less_stored(region):
    region["bytes"]["stored"] -= 1


class Perturbed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = support.compile_kernels(["-O1"])
        cls.flops_profile = support.profile_of([program, KERNEL, SIZE, 3])
        cls.bytes_profile = support.profile_of([program, KERNEL, SIZE, 2])

    def flops(self, profile):
        assert_flops(profile, KERNEL, expected_flops(KERNEL, SIZE, 1, False))

    def bytes(self, profile):
        assert_bytes(profile, KERNEL, SIZE)

    def test_the_real_profile_passes(self):
        self.flops(self.flops_profile)
        self.bytes(self.bytes_profile)

    def test_each_perturbation_is_noticed(self):
        cases = [(self.flops, self.flops_profile, one_more_flop),
                 (self.flops, self.flops_profile, one_flop_less_in_a_term),
                 (self.flops, self.flops_profile, one_more_flop_throughout),
                 (self.bytes, self.bytes_profile, one_byte_more_loaded),
                 (self.bytes, self.bytes_profile, one_byte_less_stored)]
        for comparison, profile, perturb in cases:
            with self.subTest(perturb=perturb.__name__):
                changed = copy.deepcopy(profile)
                perturb(kernel_region(changed))
                with self.assertRaises(AssertionError):
                    comparison(changed)


if __name__ == "__main__":
    unittest.main()
