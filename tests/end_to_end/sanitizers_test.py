"""Programs built for a sanitizer: it reports nothing of what Ridge inserted, and the counts are exact."""

import unittest

import support
from counts import whole_program

ROUNDS = 20
FLOPS = ROUNDS * 4 * (2 * 1000 + 1)
REPORTS = ("WARNING: ThreadSanitizer", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:")


class Sanitizers(unittest.TestCase):
    def program(self, sanitizer, level):
        flags = (level, "-g", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=undefined")
        return support.compile_c("clean_threads.c", flags, link=["-pthread"])

    def check_quiet(self, done):
        for report in REPORTS:
            self.assertNotIn(report, done.stdout + done.stderr)

    def check(self, sanitizer):
        for level in ("-O0", "-O2"):
            program = self.program(sanitizer, level)
            with self.subTest(level=level):
                alone = support.run([program, ROUNDS], env=support.environment())
                self.check_quiet(alone)
                self.assertEqual(alone.stdout, f"{ROUNDS * 4 * 1000:.1f}\n")
                for options in ("--no-traffic", "--traffic=exact"):
                    # LeakSanitizer does not work in a process that somebody traces.
                    env = support.environment(ASAN_OPTIONS="detect_leaks=0")
                    done = support.ridge_run([program, ROUNDS], ["--json", options], env=env)
                    self.check_quiet(done)
                    profile = support.validated(support.parse_json(done.stdout))
                    self.assertEqual(whole_program(profile).flops, FLOPS)

    def test_thread(self):
        self.check("thread")

    def test_address(self):
        self.check("address")

    def test_undefined(self):
        self.check("undefined")


if __name__ == "__main__":
    unittest.main()
