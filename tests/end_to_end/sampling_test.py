"""Sampled traffic: where `auto` samples, it is within 2 % of exact; where the misses are uneven over the
sets of the caches, `auto` ends with exact numbers, and `sampled` says that they may be wrong."""

import unittest

import support

TOLERANCE = 0.02
BOUNDARIES = ("L2", "L3", "DRAM")


def profile_of(program, traffic):
    """At fixed addresses: how arrays lie in the sets of a cache is part of the result. `auto` decides by what
    it sees, as it does for programs that take long."""
    kind = ["--traffic=auto", "--exact-below=0"] if traffic == "auto" else [f"--traffic={traffic}"]
    return support.profile_of(["setarch", "-R", *program], options=["--launcher", *kind], machine=support.MACHINE)


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


    def test_all_lines_where_they_are_soon_done(self):
        program = support.compile_kernels(["-O2"])
        command = [program, "triad", 500_000, 3]
        auto = support.profile_of(command, options=())
        self.assertEqual(program_mode(auto), "exact")
        self.assertNotIn("traffic-third-run", notes(auto))


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


class Budget(unittest.TestCase):
    def check_no_traffic(self, profile, code):
        self.assertEqual(profile["program"]["exit_code"], 0)
        texts = [note["text"] for note in profile["notes"] if note["code"] == code]
        self.assertEqual(len(texts), 1, profile["notes"])
        self.assertIn("--budget", texts[0])
        program = next(r for r in profile["regions"] if r["kind"] == "program")
        self.assertEqual(set(program["traffic"]), {"L1"})

    def test_nothing_fits_into_a_moment(self):
        program = support.compile_kernels(["-O2"])
        profile = support.profile_of([program, "triad", 500_000, 30], options=["--budget=1ms"])
        self.check_no_traffic(profile, "no-traffic")

    def test_a_run_of_twice_the_budget_is_ended(self):
        """It is expected to take no time, since it works so little; but it sleeps."""
        profile = support.profile_of([support.compile_c("sleeps.c")], options=["--budget=1s"])
        self.check_no_traffic(profile, "traffic-over-budget")


class UnevenBelow(Comparison):
    """Even misses of the first level, and uneven ones below it: in the classes 8 (which is not sampled) and 10
    (which is). Before each level had a pilot, auto gave 1 % and 690 % of what crosses the uneven boundary."""

    WALKS = 3000  # of 3072 accesses: more than auto simulates before it decides
    LONG = 8000   # and more than lie between two looks at all lines

    def check(self, what, even, uneven, column):
        command = [support.compile_c("uneven_below.c", ("-O1",)), what, even, uneven, column, 1]
        exact = hottest_region(profile_of(command, "exact"), "walk")
        profile = profile_of(command, "auto")
        auto = hottest_region(profile, "walk")
        for level in BOUNDARIES:
            with self.subTest(what=what, even=even, column=column, level=level):
                # Either all lines were simulated, or those that were speak for all.
                self.assertAlmostEqual(total(auto, level) / total(exact, level), 1.0, delta=TOLERANCE)
                self.assertEqual(auto["traffic_mode"], "exact")
        # Where the loop is uneven from the start, nobody has to run the program a third time.
        self.assertEqual("traffic-third-run" in notes(profile), even > 0)
        sampled = hottest_region(profile_of(command, "sampled"), "walk")
        self.assertIn("sampled-uneven", notes(sampled))

    def test_sets_of_the_second_level(self):
        for column in (8, 10):
            self.check("L3", 0, self.WALKS, column)
            self.check("L3", self.WALKS, self.LONG, column)

    def test_sets_of_the_last_level(self):
        for column in (8, 10):
            self.check("DRAM", 0, self.WALKS, column)
            self.check("DRAM", self.WALKS, self.LONG, column)

    def test_lines_that_are_written(self):
        self.check("dirty", self.WALKS, self.LONG, 10)


if __name__ == "__main__":
    unittest.main()
