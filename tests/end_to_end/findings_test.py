"""Every known fault is named by the right finding; a clean loop has none."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

import support
from process_test import InFolder

FLAGS = ("-O3", "-march=x86-64-v3")

# Program, repeats, the codes that must be among the findings of its loop.
FAULTS = (
    ("column_walk", 100, {"strided-access"}),
    ("one_field", 100_000, {"strided-access"}),
    ("recurrence", 100_000, {"dependency-chain", "not-vectorised"}),
    ("ordered_sum", 100_000, {"dependency-chain"}),
    ("divide", 200_000, {"divisions"}),
    ("chase", 20, {"pointer-chase"}),
    ("aliased", 200_000, {"not-vectorised", "indirect-access"}),
    ("gathered", 200_000, {"indirect-access"}),
)


def machine_with_clock(folder):
    """A known CPU whose clock is so low that chains bind on any host: the test is of the rules, not
    of the host's speed."""
    machine = json.loads((support.SOURCE / "src/serialize/testdata/machine-zen5.json").read_text())
    machine["clock"]["core"] = {"median": 2e8, "p90": 2e8, "low": 2e8, "high": 2e8, "samples": 10,
                                "unit": "Hz", "origin": "measured"}
    path = folder / "machine.json"
    path.write_text(json.dumps(machine), "utf-8")
    return path


class Faults(InFolder):
    def loops(self, name, repeats, options=("--no-traffic",)):
        program = support.compile_c("faults.c", FLAGS)
        profile = support.profile_of([program, name, repeats], options,
                                     machine=machine_with_clock(self.folder))
        return [r for r in profile["regions"] if r["kind"] == "loop" and r["function"] == name]

    def codes(self, name, repeats, options=("--no-traffic",)):
        return {f["code"] for loop in self.loops(name, repeats, options) for f in loop["findings"]}

    def test_each_fault_has_its_name(self):
        for name, repeats, expected in FAULTS:
            with self.subTest(fault=name):
                self.assertLessEqual(expected, self.codes(name, repeats))

    def test_a_clean_triad_has_none(self):
        # The machine of the test has wider vectors than the program; that is no fault of the loop.
        fine = {"narrow-vectors", "at-roof"}
        self.assertLessEqual(self.codes("clean_triad", 200_000), fine)
        self.assertLessEqual(self.codes("clean_triad", 2_000, ()), fine)

    def test_what_takes_the_time_comes_first(self):
        for name, repeats in (("recurrence", 100_000), ("ordered_sum", 100_000), ("chase", 20)):
            with self.subTest(fault=name):
                (loop,) = self.loops(name, repeats)
                first = loop["findings"][0]
                self.assertIn(first["code"], {"dependency-chain", "pointer-chase"})

    def test_only_the_order_of_a_sum_may_be_changed(self):
        for name, is_sum in (("recurrence", False), ("ordered_sum", True)):
            with self.subTest(fault=name):
                (loop,) = self.loops(name, 100_000, ())
                first = loop["findings"][0]
                self.assertEqual(first["code"], "dependency-chain")
                self.assertEqual("speed_up" in first, is_sum)
                self.assertIn("speed_up_note", first)
                # One remedy, one finding.
                self.assertNotIn("-fassociative-math", "".join(f["text"] for f in loop["findings"][1:]))

    def test_gains_are_ordered_and_consistent(self):
        for name, repeats, _ in FAULTS:
            for loop in self.loops(name, repeats // 50 + 2, ()):
                seen_without = False
                for finding in loop["findings"]:
                    speed_up = finding.get("speed_up")
                    self.assertTrue(speed_up is None or speed_up >= 1)
                    # A bound, or an estimate with its assumption, or why there is none.
                    self.assertNotEqual("speed_up_is_bound" in finding, "speed_up_note" in finding)
                    self.assertLessEqual(finding.get("speed_up_least", 1), speed_up or 1)
                    self.assertLessEqual(finding.get("gain_program", 1), (speed_up or 1) + 1e-9)
                    self.assertFalse(seen_without and (speed_up or 1) >= 1.05, loop["findings"])
                    seen_without = seen_without or speed_up is None and finding["code"] != "above-roof"

    def test_without_traffic_nothing_is_promised(self):
        for name, repeats, _ in FAULTS:
            for loop in self.loops(name, repeats):
                for finding in loop["findings"]:
                    self.assertNotIn("speed_up", finding)
                    self.assertNotIn("gain_program", finding)

    def test_a_column_walk_has_excess_traffic(self):
        (inner,) = [l for l in self.loops("column_walk", 2, ()) if l["flops"]["total"] > 0]
        self.assertIn("strided-access", {f["code"] for f in inner["findings"]})
        self.assertGreater(inner["traffic"]["L2"]["read"], 4 * inner["least_traffic"]["L2"]["read"])

    def test_page_faults_belong_to_the_loop_that_touches_first(self):
        pages = 2 * (1 << 27) // 4096
        program = support.compile_c("first_touch.c", FLAGS)
        profile = support.profile_of([program], ("--no-traffic",))
        self.assertGreaterEqual(profile["regions"][0]["page_faults"]["value"], pages)
        faults = {r["function"]: r["page_faults"] for r in profile["regions"]
                  if r["kind"] == "loop" and "page_faults" in r}
        for figures in faults.values():
            self.assertLessEqual(figures["low"], figures["value"])
            self.assertLessEqual(figures["value"], figures["high"])
        # A starved sampler cannot tell visits of a tenth of a second apart, and then has no figure.
        if "touch" in faults:
            self.assertGreater(faults["touch"]["high"], 0.8 * pages)
            self.assertLessEqual(faults["touch"]["low"], pages)
        if "read_all" in faults:
            self.assertLess(faults["read_all"]["low"], 0.1 * pages)

    def test_page_faults_of_short_visits_are_the_programs(self):
        program = support.compile_c("blocks_touched.c", FLAGS)
        done = support.ridge_run([program], ("--no-traffic", "--json"))
        profile = support.validated(support.parse_json(done.stdout))
        whole = profile["regions"][0]
        faults = whole["page_faults"]
        self.assertGreaterEqual(faults["value"], 1 << 17)
        kernel = faults["kernel_seconds"]
        cpu = whole["cpu_seconds"]["inclusive"]
        # As the rule has it: how long the kernel takes is the machine's affair.
        expected = (kernel >= 0.1 and kernel >= 0.1 * cpu["value"] and cpu["samples"] >= 20 and
                    kernel <= 500e-6 * faults["value"])
        found = [f for f in whole["findings"] if f["code"] == "page-faults"]
        self.assertEqual(len(found), int(expected), whole)

    def test_evidence(self):
        (loop,) = self.loops("one_field", 100_000)
        (finding,) = [f for f in loop["findings"] if f["code"] == "strided-access"]
        self.assertEqual(finding["evidence"]["stride_bytes"], 64)
        self.assertEqual(finding["origin"], "counted")
        (loop,) = self.loops("chase", 20)
        (finding,) = [f for f in loop["findings"] if f["code"] == "pointer-chase"]
        self.assertAlmostEqual(finding["evidence"]["loads_per_iteration"], 1.0, places=3)
        self.assertGreater(finding["evidence"]["seconds_per_load"], 0.0)
        (loop,) = self.loops("ordered_sum", 100_000)
        (finding,) = [f for f in loop["findings"] if f["code"] == "dependency-chain"]
        self.assertAlmostEqual(finding["evidence"]["operations_per_iteration"], 1.0, places=6)
        self.assertIn("reorder floating-point", loop["not_vectorised"])


def machine_with_high_roofs(folder):
    """Roofs that no host reaches: the test is of the rules, not of the host's speed."""
    machine = json.loads(pathlib.Path(support.MACHINE).read_text("utf-8"))
    for ceiling in machine["ceilings"]:
        if ceiling["kind"] != "latency":
            for value in (ceiling["value"], ceiling.get("traffic_value", {})):
                for key in {"median", "p90", "low", "high"} & value.keys():
                    value[key] *= 100
            for key in ("limit", "limit_fraction", "source"):
                ceiling.pop(key, None)
    path = folder / "high.json"
    path.write_text(json.dumps(machine), "utf-8")
    return path


def verdict_in(printed):
    """The paragraph before what to do next, or before the line of the run without steps."""
    paragraphs = [" ".join(p.split()) for p in printed.split("\n\n") if p.strip()]
    behind = next(i for i, text in enumerate(paragraphs)
                  if text.startswith("What to do next") or
                  re.match(r"\S+: [0-9.]+ [a-zu\u00b5]*s, exit code", text))
    return paragraphs[behind - 1]


class Verdicts(InFolder):
    def run_triad(self, options, repeats, before=()):
        program = support.compile_c("faults.c", FLAGS)
        done = support.run([*before, support.RIDGE, "run", "--machine", machine_with_high_roofs(self.folder), *options, "-o",
                            self.folder / "out", "--", program, "clean_triad", repeats],
                           env=support.environment(), cwd=self.folder)
        profile = json.loads((self.folder / "out" / "profile.json").read_text("utf-8"))
        (loop,) = [r for r in profile["regions"]
                   if r["kind"] == "loop" and r["function"] == "clean_triad"]
        return done.stdout, loop

    def test_without_traffic_there_is_none(self):
        printed, loop = self.run_triad(["--no-traffic"], 2_000_000)
        bound = loop["bound"]
        self.assertEqual(bound["verdict"]["code"], "no-traffic")
        for key in ("code", "machine", "gain"):
            self.assertNotIn(key, bound)
        summary = verdict_in(printed)
        self.assertIn("--no-traffic", summary)
        for word in ("faster", "try ", "far below", "bound by L1"):
            self.assertNotIn(word, summary)

    def test_with_traffic_there_is_one(self):
        _, loop = self.run_triad([], 2_000_000)
        self.assertIn(loop["bound"]["verdict"]["code"],
                      {"bandwidth", "arithmetic", "latency", "blocked"})

    @unittest.skipUnless(shutil.which("taskset"), "no taskset here")
    def test_beside_another_process_on_the_same_cpu_it_goes_by_cpu_time(self):
        cpu = str(min(os.sched_getaffinity(0)))
        pinned = ("taskset", "-c", cpu)
        with subprocess.Popen([*pinned, sys.executable, "-c", "while True: pass"]) as other:
            try:
                printed, loop = self.run_triad([], 2_000_000, before=pinned)
            finally:
                other.kill()
        self.assertGreater(loop["waited_seconds"], 0.0)
        self.assertTrue(loop["bound"]["verdict"]["by_cpu_time"])
        self.assertNotEqual(loop["bound"]["verdict"]["code"], "blocked")
        summary = verdict_in(printed)
        self.assertTrue(summary.startswith("The machine was busy"), summary)


class Explain(InFolder):
    def explain(self, words, program="ordered_sum", repeats=100_000, check=True):
        built = support.compile_c("faults.c", FLAGS)
        return support.ridge_run([built, program, repeats],
                                 ["--no-traffic", "--ascii", "--explain", words],
                                 machine=machine_with_clock(self.folder), cwd=self.folder,
                                 check=check)

    def test_by_number_with_source_lines(self):
        done = self.explain("1")
        for text in ("ordered_sum", "> ", "s += from[i];", "Bound", "Findings", "dependency-chain",
                     "80 % interval", "(counted)"):
            self.assertIn(text, done.stdout)
        self.assertTrue((self.folder / "ridge-out" / "profile.json").is_file())

    def test_an_unknown_name_lists_the_table_and_keeps_the_exit_code(self):
        done = self.explain("no_such_loop")
        self.assertEqual(done.returncode, 0)
        self.assertIn("no such region", done.stderr)
        self.assertIn("ordered_sum", done.stderr)

    def test_an_ambiguous_name_lists_the_candidates(self):
        done = self.explain("column_walk", "column_walk", 20)
        self.assertIn("regions fit", done.stderr)

    def test_not_together_with_json(self):
        done = support.run([support.RIDGE, "run", "--explain", "1", "--json", "--", "true"],
                           check=False, env=support.environment())
        self.assertEqual(done.returncode, 2)


if __name__ == "__main__":
    unittest.main()
