"""What the simulation says of the lines of loops whose behaviour is known: how much of a line is used,
which capacity would hold what is used again, which lines threads share."""

import unittest

import support

KIB = 1024


def loop_of(what, threads=1):
    program = support.compile_c("lines.c", ("-O1", "-fno-vectorize"), link=["-pthread"])
    profile = support.profile_of([program, what], options=("--traffic=exact",), threads=threads)
    loops = [r for r in profile["regions"] if r["kind"] == "loop" and r["flops"]["total"] > 0]
    return max(loops, key=lambda r: r["flops"]["total"])


def misses_with(region, capacity):
    return [p["misses_bytes"] for p in region["miss_curve"] if p["capacity_bytes"] <= capacity][-1]


class Locality(unittest.TestCase):
    def test_one_double_of_each_line(self):
        loop = loop_of("stride")
        self.assertEqual(loop["line_use"], 8 / 64)
        self.assertNotIn("sharing", loop)

    def test_whole_lines_and_the_capacity_that_holds_them(self):
        loop = loop_of("cycle")
        self.assertAlmostEqual(loop["line_use"], 1.0, delta=0.01)
        # L2 (128 KiB) holds nothing of 512 KiB; ten rounds, of which the first brings the data in.
        read = loop["traffic"]["L2"]["read"]
        self.assertAlmostEqual(misses_with(loop, 400 * KIB), read, delta=0.01 * read)
        self.assertAlmostEqual(misses_with(loop, 640 * KIB), 0.1 * read, delta=0.01 * read)


class Sharing(unittest.TestCase):
    """Two threads on cores of their own; each turn is about a batch of the trace."""

    COUNTS = 100 * 1_000

    def test_neighbouring_words(self):
        sharing = loop_of("packed")["sharing"]
        self.assertEqual((sharing["lines"], sharing["falsely"], sharing["truly"]), (1, 1, 0))
        # A turn's reads and writes are one batch or, where they are a few too many for it, two; each batch
        # may begin with taking the line.
        self.assertLessEqual(sharing["invalidations"], 2 * 2 * 100)
        self.assertGreaterEqual(sharing["invalidations"], 100 / 2, "at least one in two turns")

    def test_lines_of_their_own(self):
        self.assertNotIn("sharing", loop_of("padded"))

    def test_the_same_word(self):
        sharing = loop_of("one")["sharing"]
        self.assertEqual((sharing["lines"], sharing["falsely"], sharing["truly"]), (1, 0, 1))


class Findings(unittest.TestCase):
    """What the rules make of lines that OpenMP threads write."""

    def codes(self, what, function):
        program = support.compile_c("counters.c", ("-O1", "-fno-vectorize", "-fopenmp"))
        profile = support.profile_of([program, what], options=("--traffic=exact",), threads=2)
        loops = [r for r in profile["regions"] if r["kind"] == "loop" and function in r["function"]]
        return {f["code"] for loop in loops for f in loop["findings"]}

    def test_counters_of_two_threads_in_one_line(self):
        self.assertIn("false-sharing", self.codes("packed", "count_fourths"))

    def test_counters_in_lines_of_their_own(self):
        self.assertFalse({"false-sharing", "shared-writes"} & self.codes("padded", "count_fourths"))

    def test_a_vector_handed_from_parallel_to_serial_parts(self):
        self.assertFalse({"false-sharing", "shared-writes"} & self.codes("handed", "update"))


if __name__ == "__main__":
    unittest.main()
