"""Every known fault is named by the right finding; a clean loop has none."""

import json
import unittest

import support
from process_test import InFolder

FLAGS = ("-O3", "-march=x86-64-v3")

# Program, repeats, the codes that must be among the findings of its loop.
FAULTS = (
    ("column_walk", 100, {"strided-access"}),
    ("one_field", 100_000, {"strided-access"}),
    ("recurrence", 100_000, {"dependency-chain", "not-vectorised"}),
    ("ordered_sum", 100_000, {"dependency-chain", "not-vectorised"}),
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
                # Only the order of a sum may be changed.
                self.assertEqual("gain" in first, name == "ordered_sum")
                self.assertEqual("gain_note" in first, name != "ordered_sum")

    def test_gains_are_ordered_and_consistent(self):
        for name, repeats, _ in FAULTS:
            for loop in self.loops(name, repeats):
                gains = [f["gain"] for f in loop["findings"] if "gain" in f]
                self.assertTrue(all(gain >= 1 for gain in gains))
                for finding in loop["findings"]:
                    self.assertNotEqual("gain" in finding, "gain_note" in finding)
                    self.assertLessEqual(finding.get("gain_least", 1),
                                         finding.get("gain", 1))
                    self.assertLessEqual(finding.get("gain_program", 1),
                                         finding.get("gain", 1) + 1e-9)

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
