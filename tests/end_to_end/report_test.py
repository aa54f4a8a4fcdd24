"""`ridge report`: every format of a measured result can be read by its own reader, and its numbers are those of
the profile."""

import csv
import json
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree

import support

PICTURE = support.BUILD / "lib" / "ridge" / "ridge-picture"


def report(*arguments, check=True):
    return support.run([support.RIDGE, "report", *arguments], env=support.environment(),
                       cwd=support.WORK, check=check)


class Formats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = support.compile_kernels(["-O2"])
        cls.folder = support.own_folder(cls)
        cls.results = []
        for name, size in (("small", 300), ("large", 900)):
            support.ridge_run([program, "jacobi2d", size, 20], machine=support.MACHINE,
                              options=("-o", cls.folder / name))
            cls.results.append(cls.folder / name)
        cls.profile = json.loads((cls.results[1] / "profile.json").read_text("utf-8"))

    def made(self, ending, *options, results=None):
        file = self.folder / f"made{ending}"
        report(*(results or self.results[1:]), "-o", file, "--force", *options)
        return file

    def hottest(self):
        timed = [r for r in self.profile["regions"]
                 if r["kind"] != "program" and "self" in r.get("time_seconds", {})]
        return max(timed, key=lambda region: region["time_seconds"]["self"]["value"])

    def test_the_stored_profile_comes_back(self):
        stored = (self.results[1] / "profile.json").read_bytes()
        self.assertEqual(self.made(".json").read_bytes(), stored)
        self.assertEqual(report(self.results[1], "--json").stdout.encode(), stored)

    def test_a_picture_is_that_of_the_run(self):
        tree = xml.etree.ElementTree.parse(self.made(".svg")).getroot()
        texts = "".join(tree.itertext())
        self.assertIn("jacobi2d", texts)
        paper = xml.etree.ElementTree.parse(self.made(".svg", "--style", "paper")).getroot()
        self.assertEqual(paper.get("width"), "8.5cm")

    def test_rows_are_those_of_the_profile(self):
        with open(self.made(".csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), sum(r["kind"] != "program" for r in self.profile["regions"]))
        by_id = {int(row["region"]): row for row in rows}
        hottest = self.hottest()
        row = by_id[hottest["id"]]
        self.assertEqual(row["rank"], "1")
        self.assertEqual(int(row["work [flop]"]), hottest["flops"]["total"])
        self.assertEqual(float(row["time self [s]"]), hottest["time_seconds"]["self"]["value"])
        for level, traffic in hottest["traffic"].items():
            self.assertEqual(int(row[f"{level} read [byte]"]), traffic["read"])
            self.assertAlmostEqual(float(row[f"{level} intensity [flop/byte]"]) /
                                   hottest["intensity"][level], 1.0, delta=1e-12)

    def test_only_keeps_the_number(self):
        with open(self.made(".csv", "--only", "2"), newline="", encoding="utf-8") as file:
            self.assertEqual([row["rank"] for row in csv.DictReader(file)], ["2"])
        refused = report(self.results[1], "--only", "nothing-like-it", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("jacobi2d", refused.stderr)

    def test_one_region_in_words_without_measuring_again(self):
        name = self.hottest()["name"]
        text = report(self.results[1], "--explain", "1").stdout
        for words in (name, "Time (measured)", "Findings"):
            self.assertIn(words, text)
        refused = report(self.results[1], "--explain", "nothing-like-it", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("jacobi2d", refused.stderr)

    def test_the_first_screen_says_what_to_do(self):
        steps = self.profile.get("next_steps", [])
        first = report(self.results[1]).stdout.splitlines()[:23]
        self.assertEqual(any("What to do next" in line for line in first), bool(steps))
        self.assertTrue(any("exit code 0" in line for line in first), first)

    def test_tables_of_markdown(self):
        text = self.made(".md").read_text("utf-8")
        self.assertIn("| `kernels::jacobi2d` `jacobi2d.cpp:", text)
        self.assertNotIn("\n\n\n", text)

    def test_several_results_share_a_chart(self):
        file = self.made(".svg", "--label", "n = 300,n = 900", results=self.results)
        texts = [text.strip() for text in xml.etree.ElementTree.parse(file).getroot().itertext()]
        self.assertIn("n = 300", texts)
        self.assertIn("n = 900", texts)
        with open(self.made(".csv", results=self.results), newline="", encoding="utf-8") as rows:
            self.assertEqual({row["result"] for row in csv.DictReader(rows)}, {"small", "large"})
        self.assertEqual(report(*self.results, "--label", "one", check=False).returncode, 2)

    @unittest.skipUnless(shutil.which("gnuplot"), "no gnuplot here")
    def test_gnuplot_draws_it(self):
        script = self.made(".gp")
        done = support.run(["gnuplot", script], cwd=self.folder)
        self.assertEqual(done.stderr, "")
        xml.etree.ElementTree.parse(self.folder / "roofline.svg")

    @unittest.skipUnless(PICTURE.exists(), "built without librsvg")
    def test_text_of_the_pdf_is_text(self):
        file = self.made(".pdf", "--style", "paper", "--title", "Jacobi & friends")
        self.assertEqual(file.read_bytes()[:5], b"%PDF-")
        if not shutil.which("pdftotext"):
            self.skipTest("no pdftotext here")
        text = support.run(["pdftotext", "-layout", file, "-"]).stdout
        for words in ("Jacobi & friends", "Intensity [flop/byte]", "jacobi2d"):
            self.assertIn(words, text)

    @unittest.skipUnless(PICTURE.exists(), "built without librsvg")
    def test_a_png_is_not_blank(self):
        image = self.made(".png").read_bytes()
        self.assertEqual(image[:8], b"\x89PNG\r\n\x1a\n")
        width, height = (int.from_bytes(image[at:at + 4], "big") for at in (16, 20))
        self.assertEqual(width, 2240)
        self.assertGreater(height, 1000)
        self.assertGreater(len(image), 50_000)

    def test_without_librsvg_it_says_so(self):
        lonely = self.folder / "lonely" / "bin"
        lonely.mkdir(parents=True, exist_ok=True)
        shutil.copy(support.RIDGE, lonely / "ridge")
        refused = subprocess.run([lonely / "ridge", "report", self.results[1], "-o",
                                  self.folder / "x.pdf"], capture_output=True, text=True, timeout=60)
        self.assertEqual(refused.returncode, 4)
        self.assertRegex(refused.stderr, re.compile("librsvg2-dev"))
        self.assertFalse((self.folder / "x.pdf").exists())

    def test_a_machine_file_alone(self):
        for ending in (".svg", ".md", ".csv", ".gp", ".tikz", ".json"):
            self.assertGreater(self.made(ending, results=[support.MACHINE]).stat().st_size, 500)
        self.assertIn("flop/s", self.made(".csv", results=[support.MACHINE]).read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
