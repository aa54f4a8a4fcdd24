"""scripts/validate-traffic with a counter tool that stands in for likwid-perfctr: it parses what such a
tool prints, subtracts one call from several, and divides."""

import json

import pathlib
import re
import tempfile
import unittest

import support

SCRIPT = support.SOURCE / "scripts" / "validate-traffic"
# 0.25 GB for the program, and 0.048 GB for each call of a triad of 1 000 000: three arrays of 8 MB of which
# one is read before it is written, and half as much again, so that the ratio is not 1.
COUNTER_TOOL = """#!/bin/sh
for last; do :; done
case "$last" in
true) volume=0 ;;
*) volume=$(awk "BEGIN { print 0.25 + 0.048 * $last }") ;;
esac
echo "TABLE,Group 1 Metric,MEM"
echo "Memory data volume [GBytes],$volume,"
"""


class ValidateTraffic(unittest.TestCase):
    def run_script(self, folder, arguments):
        path = f"{folder}:/usr/bin:/bin"
        environment = support.environment(PATH=path, XDG_CACHE_HOME=str(folder))
        return support.run([SCRIPT, "--build", support.BUILD, "--machine", support.MACHINE, *arguments],
                           check=False, env=environment)

    def test_ratio_of_a_known_kernel(self):
        with tempfile.TemporaryDirectory(dir=support.WORK) as folder:
            tool = pathlib.Path(folder, "likwid-perfctr")
            tool.write_text(COUNTER_TOOL, "utf-8")
            tool.chmod(0o755)
            result = pathlib.Path(folder, "result.json")
            done = self.run_script(folder, ["--problem", "triad:1000000:2", "-o", result])
            self.assertEqual(done.returncode, 0, done.stderr)
            (row,) = json.loads(result.read_text("utf-8"))["rows"]
            self.assertAlmostEqual(row["counted_bytes"][1], 48e6, delta=1.0)
            # Read b, c and a, write a: 32 byte an element, all far beyond a cache of 1 MiB.
            for share in ("1", "1/2", "1/4"):
                self.assertAlmostEqual(row["ratio"][share], 32 / 48, delta=0.001)
            self.assertRegex(done.stdout, re.compile(r"^\| triad \| 1000000 \|.*\| 0\.667 \|", re.M))

    def test_no_counters_is_exit_4(self):
        with tempfile.TemporaryDirectory(dir=support.WORK) as folder:
            for name in ("likwid-perfctr", "perf"):
                tool = pathlib.Path(folder, name)
                tool.write_text("#!/bin/sh\nexit 1\n", "utf-8")
                tool.chmod(0o755)
            done = self.run_script(folder, [])
            self.assertEqual(done.returncode, 4)
            self.assertIn("no counters that see the memory bus", done.stderr)

    def test_a_wrong_problem_is_exit_2(self):
        with tempfile.TemporaryDirectory(dir=support.WORK) as folder:
            self.assertEqual(self.run_script(folder, ["--problem", "triad"]).returncode, 2)


if __name__ == "__main__":
    unittest.main()
