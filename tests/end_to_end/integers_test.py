"""Integer work: counted as in closed form, drawn beside measured ceilings of integers, in every format that has them."""

import csv
import unittest
import xml.etree.ElementTree

import support

USAGE = 2
N, TURNS = 200_000, 150


class Integers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.own_folder(cls)
        cls.machine = cls.folder / "machine.json"
        support.run([support.RIDGE, "bench", "--wait", "0", "--quick", "--only", "int,load,L1,DRAM", "-o", cls.machine],
                    env=support.environment(XDG_CACHE_HOME=str(cls.folder / "cache")), cwd=cls.folder)
        cls.program = support.compile_c("integers.c")
        cls.result = cls.folder / "result"
        cls.screen = support.ridge_run([cls.program, N, TURNS], ["--intops", "--ascii", "-o", cls.result],
                                       cls.machine).stdout
        cls.profile = support.validated(support.parse_json((cls.result / "profile.json").read_text("utf-8")))

    def report(self, *words, check=True):
        return support.run([support.RIDGE, "report", self.result, *words], check=check, env=support.environment(),
                           cwd=self.folder)

    def loop(self, function):
        return next(region for region in self.profile["regions"]
                    if region["kind"] == "loop" and region["function"] == function)

    def ceilings(self):
        return {ceiling["id"]: ceiling["value"] for ceiling in self.profile["machine"]["ceilings"]
                if ceiling.get("precision", "").startswith("int")}

    def test_operations_and_bytes_are_those_of_the_closed_form(self):
        adds = self.loop("add_arrays")
        self.assertEqual(adds["intops"], N * TURNS)
        self.assertEqual((adds["bytes"]["loaded"], adds["bytes"]["stored"]), (16 * N * TURNS, 8 * N * TURNS))
        self.assertEqual(self.loop("xorshift")["intops"], 6 * N * TURNS)

    def test_a_loop_stands_below_its_roof(self):
        """By far, whatever the machine is busy with: each of its operations waits for the one before."""
        ceilings = self.ceilings()
        self.assertTrue(all(value["unit"] == "op/s" for value in ceilings.values()))
        loop = self.loop("xorshift")
        rate = loop["intops"] / loop["time_seconds"]["self"]["value"]
        self.assertLess(rate, max(value["p90"] for value in ceilings.values()) / 2)

    def test_no_bound_follows_from_integers(self):
        bound = self.loop("xorshift")["bound"]
        self.assertNotIn("code", bound)
        self.assertIn("integers-only", [note["code"] for note in bound["notes"]])
        for region in self.profile["regions"]:
            self.assertNotIn("compute.int", region.get("bound", {}).get("code", {}).get("ceiling", ""))

    def test_the_screen_and_the_picture_of_the_run_count_integers(self):
        self.assertIn("Performance [Gintop/s]", self.screen)
        self.assertIn("Intensity [intop/byte]", self.screen)
        self.assertIn("xorshift", self.screen)
        picture = (self.result / "roofline.svg").read_text("utf-8")
        xml.etree.ElementTree.fromstring(picture)
        self.assertIn("intop/byte", picture)
        self.assertIn("int64", picture)
        self.assertNotIn("Flop/s", picture)

    def test_each_format_has_them(self):
        self.report("--intops", "-o", "made.svg")
        made = xml.etree.ElementTree.parse(self.folder / "made.svg").getroot()
        self.assertIn("Intensity [intop/byte]", " ".join(made.itertext()))
        for ending in ("gp", "tikz", "md"):
            self.report("--intops", "-o", f"made.{ending}")
            self.assertIn("intop/", (self.folder / f"made.{ending}").read_text("utf-8"), ending)
        self.report("-o", "usual.svg")
        self.assertNotIn("intop", (self.folder / "usual.svg").read_text("utf-8"))

    def test_a_row_of_a_table_is_what_the_profile_says(self):
        self.report("-o", "made.csv")
        with open(self.folder / "made.csv", encoding="utf-8", newline="") as file:
            rows = {(row["kind"], row["function"]): row for row in csv.DictReader(file)}
        row, loop = rows["loop", "add_arrays"], self.loop("add_arrays")
        seconds = loop["time_seconds"]["self"]["value"]
        if seconds > 0:
            self.assertAlmostEqual(float(row["integer performance [intop/s]"]) * seconds / (N * TURNS), 1)
        self.assertAlmostEqual(float(row["L1 integer intensity [intop/byte]"]) * 24, 1)
        self.assertEqual(row["L1 intensity [flop/byte]"], "")

    def test_a_machine_alone_has_its_integer_roofs(self):
        done = support.run([support.RIDGE, "report", self.machine, "--intops", "--ascii"], env=support.environment())
        self.assertIn("Gintop/s", done.stdout)
        self.assertIn("int32", done.stdout)

    def test_a_machine_without_such_ceilings_says_what_to_do(self):
        done = support.ridge_run([self.program, 1000, 1], ["--intops", "--no-traffic", "-o", self.folder / "small"])
        self.assertIn("ridge bench", done.stdout)

    def test_what_cannot_count_integers_refuses(self):
        for words in (("--intops", "-o", "page.html"), ("--intops", "--explain", "1")):
            done = self.report(*words, check=False)
            self.assertEqual(done.returncode, USAGE, words)
            self.assertFalse((self.folder / "page.html").exists())


if __name__ == "__main__":
    unittest.main()
