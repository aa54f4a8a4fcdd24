"""Who calls what in programs as they are, and where time and work of code meet that is chosen by the processor."""

import pathlib
import unittest

from binary_test import Measured
import support

N, REPETITIONS = 200_000, 12_000


class Callers(Measured):
    def chosen(self, *words):
        self.need("valgrind")
        program = self.build("-O3", "-fno-inline", source="binary_chosen_code.c")
        done, profile = self.measured([program, *words], ["--no-traffic", "--engine", "valgrind"])
        self.assertEqual(done.returncode, 0, done.stderr)
        sampling = next(note["text"] for note in profile["notes"] if note["code"] == "sampling")
        if "ptrace" in sampling:
            self.skipTest("perf events are forbidden here: no stacks are sampled")
        return profile

    @staticmethod
    def has_avx512():
        return "avx512f" in pathlib.Path("/proc/cpuinfo").read_text("utf-8")

    @staticmethod
    def hottest(profile):
        return max(profile["regions"][1:], key=lambda region: region["cpu_seconds"].get("self", {"value": 0})["value"])

    def test_the_way_from_main(self):
        region = self.hottest(self.chosen("functions", str(N), str(REPETITIONS)))
        callers = [caller["function"] for caller in region["callers"]]
        self.assertEqual(callers, ["scale", "main"])
        self.assertGreater(region["callers"][0]["share"], 0.9)
        self.assertTrue(region["callers"][1]["file"].endswith("binary_chosen_code.c"))

    def test_time_and_work_of_functions_meet_at_their_caller(self):
        profile = self.chosen("functions", str(N), str(REPETITIONS))
        region = self.hottest(profile)
        self.assertEqual(region["flops"]["total"], 2 * N * REPETITIONS)
        self.assertGreater(region["time_seconds"]["self"]["value"], 0.5 * profile["program"]["wall_seconds"])
        if not self.has_avx512():
            self.assertEqual(region["function"], "scale_narrow")
            return
        self.assertEqual(region["function"], "scale")
        note = next(note["text"] for note in region["notes"] if note["code"] == "chosen-code")
        self.assertIn("scale_wide", note)
        self.assertIn("scale_narrow", note)
        self.assertEqual({term["width_bits"] for term in region["flops"]["terms"]}, {512})
        self.assertEqual(sum(r["flops"]["total"] for r in profile["regions"][1:] if "flops" in r),
                         profile["regions"][0]["flops"]["total"], "nothing is lost or counted twice")

    def test_a_version_that_was_timed_gives_the_width(self):
        profile = self.chosen("versions", str(N), str(REPETITIONS))
        region = self.hottest(profile)
        self.assertEqual(region["function"], "sum")
        self.assertEqual(region["flops"]["total"], N * REPETITIONS)
        codes = {note["code"] for note in region["notes"]}
        widths = {term["width_bits"] for term in region["flops"]["terms"]}
        self.assertEqual(("timed-code" in codes, widths), (True, {512}) if self.has_avx512() else (False, {128}))


if __name__ == "__main__":
    unittest.main()
