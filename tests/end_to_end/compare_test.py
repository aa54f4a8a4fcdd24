"""`ridge compare`: builds of one program are run and held against each other; gates end with 1 when a
count grew and not otherwise."""

import csv
import json
import os
import sys
import unittest
import xml.etree.ElementTree

import support
from process_test import InFolder

SIZE = 400  # one matrix is larger than the last level of the small machine


def compare(*arguments, check=True):
    return support.run([support.RIDGE, "compare", *arguments], env=support.environment(),
                       cwd=support.WORK, check=check)


def comparison(*arguments):
    made = support.parse_json(compare(*arguments, "--json").stdout)
    support.validator("ridge.comparison-1").validate(made)
    return made


def result(folder, *flags):
    """The result of the program built with these flags, run anew."""
    program = support.compile_c("blocked.c", ("-O2", *flags))
    support.ridge_run([program, SIZE], options=("--traffic", "exact", "-o", folder))
    return folder


def loop_with_most_work(made):
    def work(loop):
        return max(f["value"] for p in loop["places"] for f in p["figures"]
                   if f["quantity"] == "flops")

    return max((l for l in made["loops"] if l["kind"] == "loop"), key=work)


def change(loop, quantity, step=0):
    (changes,) = [s["changes"] for s in loop["steps"] if s["step"] == step]
    (found,) = [c for c in changes if c["quantity"] == quantity]
    return found


class Compare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = support.own_folder(cls)
        cls.plain = result(folder / "compare-plain")
        cls.again = result(folder / "compare-again")
        cls.blocked = result(folder / "compare-blocked", "-DBLOCKED")
        cls.more = result(folder / "compare-more", "-DMORE")

    def gate(self, before, after, *rules):
        arguments = [part for rule in rules for part in ("--fail-on", rule)]
        return compare(before, after, *arguments, check=False)

    def test_a_result_equals_itself(self):
        made = comparison(self.plain, self.plain)
        for loop in [made["program"], *made["loops"]]:
            self.assertEqual(len(loop["places"]), 2)
            for changed in loop["steps"][0]["changes"]:
                self.assertEqual(changed["verdict"], "same", changed)

    def test_counts_of_two_runs_are_equal(self):
        done = self.gate(self.plain, self.again, "flops>0", "flops<0", "bytes>0", "iterations>0",
                         "traffic.DRAM@product>2%", "traffic.L2@product>2%")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_blocking_does_the_same_work_with_less_traffic(self):
        made = comparison(self.plain, self.blocked)
        self.assertEqual(change(made["program"], "flops")["verdict"], "same")
        self.assertEqual(change(made["program"], "flops")["after"]["value"],
                         2 * SIZE ** 3 + SIZE ** 2)
        loop = loop_with_most_work(made)
        self.assertEqual(loop["function"], "product")
        self.assertEqual([p["result"] for p in loop["places"]], [0, 1])
        traffic = change(loop, "traffic.DRAM")
        self.assertEqual(traffic["verdict"], "changed")
        self.assertLess(traffic["ratio"], 0.5)
        self.assertAlmostEqual(traffic["ratio"],
                               traffic["after"]["value"] / traffic["before"]["value"], places=12)
        passed = self.gate(self.plain, self.blocked, "flops>0", "traffic.DRAM@program>2%")
        self.assertEqual(passed.returncode, 0, passed.stderr)
        failed = self.gate(self.blocked, self.plain, "flops>0", "traffic.DRAM@product>2%")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("product", failed.stderr)
        for value in (traffic["before"]["value"], traffic["after"]["value"]):
            self.assertIn(str(value), failed.stderr)
        self.assertNotIn("flops>0", failed.stderr)

    def test_more_work_is_found_where_it_is(self):
        done = self.gate(self.plain, self.more, "flops>0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("whole program", done.stderr)
        self.assertIn("scale", done.stderr)
        self.assertNotIn("product", done.stderr)
        self.assertIn(f"{SIZE ** 2} flop before, {2 * SIZE ** 2} flop after", done.stderr)

    def test_history(self):
        made = comparison(self.more, self.plain, self.blocked)
        self.assertEqual([(s["from"], s["to"]) for s in made["steps"]], [(0, 1), (1, 2), (0, 2)])
        loop = loop_with_most_work(made)
        self.assertEqual([p["result"] for p in loop["places"]], [0, 1, 2])
        table = compare(self.more, self.plain, self.blocked, "--ascii").stdout
        for words in ("in all", "compare-plain", "product"):
            self.assertIn(words, table)

    def test_files(self):
        folder = support.own_folder(self)
        for ending in ("svg", "html", "json", "csv", "md"):
            compare(self.plain, self.blocked, "-o", folder / f"x.{ending}")
        picture = xml.etree.ElementTree.parse(folder / "x.svg").getroot()
        self.assertIn("product", "".join(picture.itertext()))
        with (folder / "x.csv").open(newline="") as table:
            rows = list(csv.DictReader(table))
        made = json.loads((folder / "x.json").read_text())
        stated = {(r["quantity"], r["after"]) for r in rows if r["kind"] == "program"}
        flops = change(made["program"], "flops")["after"]["value"]
        self.assertIn(("flops", str(flops)), stated)
        self.assertIn("product", (folder / "x.md").read_text())
        self.assertIn("ridge.page/1", (folder / "x.html").read_text())
        again = compare(self.plain, self.blocked, "-o", folder / "x.md", check=False)
        self.assertEqual(again.returncode, 2)
        compare(self.plain, self.blocked, "-o", folder / "x.md", "--force")

    def test_bad_input(self):
        for arguments, code in (
            ([self.plain], 2),
            ([self.plain, "nothing-here"], 3),
            ([self.plain, self.plain, "--fail-on", "speed>5%"], 2),
            ([self.plain, self.plain, "--fail-on", "traffic.DRM>5%"], 2),
            ([self.plain, self.plain, "--fail-on", "time@nowhere>5%"], 1),
            ([self.plain, self.plain, "-o", "x.gif"], 2),
            ([self.plain, support.MACHINE], 2),
        ):
            with self.subTest(arguments=arguments):
                done = compare(*arguments, check=False)
                self.assertEqual(done.returncode, code, done.stderr)
        self.assertIn("traffic.LEVEL",
                      compare(self.plain, self.plain, "--fail-on", "x>1", check=False).stderr)

    def test_machines(self):
        other = support.own_folder(self) / "machine.json"
        machine = json.loads(support.MACHINE.read_text())
        machine["ceilings"] = machine["ceilings"][1:]
        other.write_text(json.dumps(machine))
        done = compare(support.MACHINE, other, "--json")
        made = support.parse_json(done.stdout)
        support.validator("ridge.machine-comparison-1").validate(made)
        self.assertEqual(len(made["ceilings"][0]["values"]), 1)
        self.assertEqual({v.get("ratio", 1.0) for c in made["ceilings"] for v in c["values"]}, {1.0})
        self.assertIn("lacks 1 of", compare(support.MACHINE, other).stdout)


class Gates(InFolder):
    """What is no comparison passes no gate."""

    def stored_run(self, name, program, *arguments, codes=(0,)):
        done = self.ridge([program, *arguments], ("--traffic", "exact", "-o", name))
        self.assertIn(done.returncode, codes, done.stderr)
        return self.folder / name

    def gate(self, before, after, *options):
        return support.run([support.RIDGE, "compare", before, after, *options], check=False,
                           env=support.environment(), cwd=self.folder)

    def test_another_end_fails(self):
        program = support.compile_c("ending.c")
        well = self.stored_run("well", program)
        for name, arguments, code, words in (("aborted", ("abort",), 134, "signal 6 (SIGABRT)"),
                                             ("three", ("exit", 3), 3, "exit code 3")):
            with self.subTest(name):
                other = self.stored_run(name, program, *arguments, codes=(code,))
                for before, after in ((well, other), (other, well)):
                    done = self.gate(before, after, "--fail-on", "flops>0")
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertIn(words, done.stderr)
                    self.assertIn("exit code 0", done.stderr)
                    self.assertNotIn("faster", done.stdout)
                allowed = self.gate(well, other, "--fail-on", "flops>0", "--allow", "exit,partial")
                self.assertEqual(allowed.returncode, 0, allowed.stderr)
                self.assertIn("allowed: another end", allowed.stderr)
                same = self.gate(other, other, "--fail-on", "flops>0", "--allow", "partial")
                self.assertEqual(same.returncode, 0, same.stderr)

    def test_another_program_fails(self):
        one = self.stored_run("one", support.compile_c("ending.c"))
        other = self.stored_run("other", support.compile_c("blocked.c"), 40)
        done = self.gate(one, other, "--fail-on", "flops@program<-1%")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("another program: ending", done.stderr)
        self.assertNotIn("other arguments", done.stdout.split("Notes")[0])
        allowed = self.gate(one, other, "--fail-on", "flops@program<-1%", "--allow", "program")
        self.assertEqual(allowed.returncode, 0, allowed.stderr)

    def test_two_builds_of_one_program_are_one(self):
        one = self.stored_run("one", support.compile_c("blocked.c"), 40)
        other = self.stored_run("other", support.compile_c("blocked.c", ("-O2", "-DMORE")), 40)
        done = self.gate(one, other, "--fail-on", "flops@product>0")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_partial_regions_fail(self):
        whole = self.stored_run("whole", support.compile_c("blocked.c"), 40)
        profile = json.loads((whole / "profile.json").read_text("utf-8"))
        for region in profile["regions"]:
            if region["kind"] == "loop" and region["function"] == "product":
                region["partial"] = True
        part = self.folder / "part.json"
        part.write_text(json.dumps(profile), "utf-8")
        done = self.gate(whole, part, "--fail-on", "flops>0")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("cut midway", done.stderr)
        self.assertIn("product", done.stderr)
        allowed = self.gate(whole, part, "--fail-on", "flops>0", "--allow", "partial")
        self.assertEqual(allowed.returncode, 0, allowed.stderr)

    def test_an_identical_binary_passes(self):
        program = support.compile_c("blocked.c")
        first = self.stored_run("first", program, 200)
        rules = "traffic.L2>0, traffic.DRAM > 0; flops>0, flops<0, intensity.DRAM<-1%"
        for length in (1, 3000, 9000):  # of the environment: it moves the stack
            os.environ["MOVED_BY"] = "x" * length
            self.addCleanup(os.environ.pop, "MOVED_BY", None)
            again = self.stored_run(f"again{length}", program, 200)
            done = self.gate(first, again, "--fail-on", rules)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("5 rules", done.stderr)

    def test_allow_without_a_rule_or_of_nothing_is_refused(self):
        result = self.stored_run("one", support.compile_c("ending.c"))
        for options in (("--allow", "exit"), ("--allow", "all", "--fail-on", "flops>0")):
            self.assertEqual(self.gate(result, result, *options).returncode, 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
