"""Sampled traffic: where `auto` samples, it is within 2 % of exact; where the misses are uneven over the
sets of the caches, `auto` ends with exact numbers, and `sampled` says that they may be wrong."""

import unittest

import support

TOLERANCE = 0.02
BOUNDARIES = ("L2", "L3", "DRAM")


def profile_of(program, traffic):
    """At fixed addresses: how arrays lie in the sets of a cache is part of the result."""
    return support.profile_of(["setarch", "-R", *program], options=["--launcher", f"--traffic={traffic}"],
                              machine=support.MACHINE)


def hottest_region(profile, function):
    """The loop of the function with most traffic."""
    found = [r for r in profile["regions"] if r["kind"] == "loop" and function in r["function"]]
    return max(found, key=lambda r: total(r, "L2"))


def total(region, level):
    return sum(region["traffic"].get(level, {}).values())


def notes(of):
    return {note["code"] for note in of["notes"]}


def program_mode(profile):
    return next(r for r in profile["regions"] if r["kind"] == "program")["traffic_mode"]


class Comparison(unittest.TestCase):
    def check_equal(self, exact, other, tolerance):
        for level in BOUNDARIES:
            with self.subTest(level=level):
                self.assertGreater(total(exact, level), 0)
                self.assertAlmostEqual(total(other, level) / total(exact, level), 1.0,
                                       delta=tolerance)
                self.assertAlmostEqual(sum(other["least_traffic"][level].values()) /
                                       sum(exact["least_traffic"][level].values()), 1.0,
                                       delta=tolerance)


class Auto(Comparison):
    def test_even_loops_are_sampled_and_right(self):
        program = support.compile_kernels(["-O2"])
        for kernel, size, repeats in (("triad", 500_000, 30), ("jacobi2d", 700, 30)):
            with self.subTest(kernel=kernel):
                command = [program, kernel, size, repeats]
                auto = hottest_region(profile_of(command, "auto"), kernel)
                exact = hottest_region(profile_of(command, "exact"), kernel)
                self.assertEqual(auto["traffic_mode"], "sampled")
                self.assertEqual(exact["traffic_mode"], "exact")
                self.check_equal(exact, auto, TOLERANCE)

    def test_short_programs_stay_exact(self):
        program = support.compile_kernels(["-O2"])
        command = [program, "triad", 100_000, 2]
        auto = profile_of(command, "auto")
        self.assertEqual(program_mode(auto), "exact")
        self.check_equal(hottest_region(profile_of(command, "exact"), "triad"),
                         hottest_region(auto, "triad"), 0.001)

    def test_copies_of_any_length(self):
        program = support.compile_c("copies.c")
        exact = profile_of([program, 40], "exact")
        sampled = profile_of([program, 40], "sampled")
        for function in ("copy", "fill"):
            with self.subTest(function=function):
                self.check_equal(hottest_region(exact, function),
                                 hottest_region(sampled, function), TOLERANCE)


class Uneven(Comparison):
    """One column of a power-of-two matrix."""

    @classmethod
    def setUpClass(cls):
        cls.command = [support.compile_c("even_then_column.c"), 20]
        cls.exact = profile_of(cls.command, "exact")

    def test_auto_runs_a_third_time(self):
        auto = profile_of(self.command, "auto")
        self.assertIn("traffic-third-run", notes(auto))
        self.assertEqual(program_mode(auto), "exact")
        for function in ("even", "column"):
            self.check_equal(hottest_region(self.exact, function), hottest_region(auto, function),
                             1e-9)

    def test_sampled_marks_the_loop(self):
        sampled = profile_of(self.command, "sampled")
        self.assertEqual(program_mode(sampled), "sampled")
        self.assertIn("sampled-uneven", notes(hottest_region(sampled, "column")))
        even = hottest_region(sampled, "even")
        self.assertFalse({"sampled-uneven", "sampled-unproven"} & notes(even))
        self.check_equal(hottest_region(self.exact, "even"), even, TOLERANCE)


if __name__ == "__main__":
    unittest.main()
