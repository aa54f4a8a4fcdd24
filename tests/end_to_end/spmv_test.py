"""`ridge spmv`: a study of a matrix from a file and of a generated one; its numbers hold together, and what is
wrong with a file is said."""

import csv
import json
import unittest
import xml.etree.ElementTree

import support


def spmv(*arguments, check=True):
    return support.run([support.RIDGE, "spmv", *arguments], env=support.environment(), cwd=support.WORK,
                       check=check)


class Spmv(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = support.own_folder(cls)
        cls.file = cls.folder / "grid.mtx"
        side = 40
        entries = []
        for i in range(side * side):
            entries.append((i + 1, i + 1, 4.0))
            if i % side:
                entries.append((i + 1, i, -1.0))
            if i >= side:
                entries.append((i + 1, i + 1 - side, -1.0))
        lines = ["%%MatrixMarket matrix coordinate real symmetric", f"{side * side} {side * side} {len(entries)}"]
        lines += [f"{i} {j} {value}" for i, j, value in entries]
        cls.file.write_text("\n".join(lines) + "\n")
        cls.study = json.loads(spmv(cls.file, "--quick", "--json", "--traffic", "1e6").stdout)

    def test_the_study_is_of_its_format(self):
        errors = list(support.validator("ridge.spmv-1").iter_errors(self.study))
        self.assertEqual([error.message for error in errors], [])

    def test_the_matrix_is_that_of_the_file(self):
        matrix = self.study["matrix"]
        self.assertEqual((matrix["rows"], matrix["entries"]), (1600, 5 * 1600 - 4 * 40))
        self.assertTrue(matrix["symmetric"])
        self.assertEqual(matrix["bandwidth"], 40)

    def test_numbers_hold_together(self):
        entries = self.study["matrix"]["entries"]
        rows = self.study["matrix"]["rows"]
        csr = self.study["formats"][0]
        self.assertEqual(csr["format"], "csr")
        self.assertAlmostEqual(csr["least_code_balance"], (12 * entries + 28 * rows + 4) / 2 / entries, places=9)
        # alpha explains the traffic that was given.
        self.assertAlmostEqual(8 * self.study["measured_alpha"] * entries + 12 * entries + 20 * rows, 1e6, delta=8)
        timed = {timing["format"] for timing in self.study["timings"]}
        self.assertEqual(timed, {form["format"] for form in self.study["formats"]})
        for timing in self.study["timings"]:
            work = timing["performance"]["median"] * timing["time"]["median"]
            if timing["time"]["samples"] % 2:
                self.assertAlmostEqual(work, 2 * entries, delta=1e-6 * entries)
            else:  # both medians lie between two samples, and the inverse of a mean is not the mean of inverses
                self.assertGreaterEqual(work, 2 * entries * (1 - 1e-9))
                self.assertLess(timing["performance"]["low"] * timing["time"]["low"], work)
            ratio = timing["paired_speedup"]
            self.assertEqual(ratio["samples"], timing["time"]["samples"])
            self.assertEqual(ratio["median"], timing["speedup"]["median"])
            self.assertTrue(ratio["low"] <= ratio["median"] <= ratio["high"])
            self.assertGreaterEqual(ratio["confidence"], 0.95)
            self.assertEqual("break_even_products" in timing, ratio["verdict"] == "faster")

    def test_a_generated_matrix_in_chosen_formats(self):
        file = self.folder / "study.json"
        text = spmv("--generate", "fem:5,3", "--formats", "pattern-3x3,sell-8-16", "--threads", "1,2", "--schedules",
                    "rows,dynamic", "--rhs", "4", "--power", "3", "--quick", "-o", file, "--ascii").stdout
        study = json.loads(file.read_text())
        self.assertEqual(len(study["timings"]), 3 * 2 * 2)
        self.assertEqual([m["kind"] for m in study["multiples"]], ["vectors", "powers"])
        for part in ("fem:5,3", "pattern-3x3", "4 vectors at once", "3 powers at once", "use"):
            self.assertIn(part, text)
        self.assertTrue(text.isascii())
        self.assertEqual(spmv("--generate", "fem:5,3", "-o", file, check=False).returncode, 2)

    def test_what_is_drawn_is_what_was_found(self):
        stored = self.folder / "drawn.json"
        printed = spmv(self.file, "--quick", "-o", stored, "--force").stdout
        study = json.loads(stored.read_text())
        self.assertEqual(len(study["picture"]["rows"]), 80)
        self.assertEqual(study["picture"]["rows"][0][:1], "9")

        def report(*arguments, check=True):
            return support.run([support.RIDGE, "report", stored, *arguments], env=support.environment(),
                               cwd=support.WORK, check=check)

        self.assertEqual(report("--json").stdout, stored.read_text())
        for line in printed.splitlines()[-len(study["timings"]):]:
            self.assertIn(line, report().stdout)
        table = self.folder / "drawn.csv"
        report("-o", table, "--force")
        with open(table, newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(study["timings"]))
        for row, timing in zip(sorted(rows, key=lambda r: r["format"]),
                               sorted(study["timings"], key=lambda t: t["format"])):
            self.assertEqual(float(row["performance [flop/s]"]), timing["performance"]["median"])
            # The dot of the picture stands at the bytes of its own roof: past the caches y is not read.
            balance = next(f["least_code_balance"] for f in study["formats"] if f["format"] == row["format"])
            if timing["streamed_y"]:
                balance -= 8 * study["matrix"]["rows"] / (2 * study["matrix"]["entries"])
            self.assertAlmostEqual(1 / float(row["intensity [flop/byte]"]), balance, places=9)
        for ending in ("svg", "html"):
            drawn = self.folder / f"drawn.{ending}"
            report("-o", drawn, "--force")
            text = drawn.read_text()
            self.assertIn("SpMV of grid.mtx", text)
            xml.etree.ElementTree.fromstring(text[text.index("<svg"):text.rindex("</svg>") + 6])
            self.assertNotIn("<script", text)
        self.assertEqual(report("-o", self.folder / "drawn.gp", check=False).returncode, 2)

    def test_an_ending_is_refused_before_the_timing(self):
        for arguments in (("-o", self.folder / "x.bmp"), ("-o", self.folder / "x.csv", "--style", "paper"),
                          ("--title", "a")):
            refused = spmv(self.file, *arguments, check=False)
            self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("says nothing about the screen", refused.stderr)

    def test_wide_indices_give_the_same_matrix(self):
        wide = json.loads(spmv(self.file, "--quick", "--json", "--formats", "csr", "--index-bits", "64").stdout)
        self.assertEqual(wide["matrix"]["index_bits"], 64)
        self.assertEqual(wide["matrix"]["entries"], self.study["matrix"]["entries"])
        self.assertEqual(wide["formats"][0]["index_bytes_per_entry"], 8)

    def test_what_is_wrong_is_said(self):
        broken = self.folder / "broken.mtx"
        broken.write_text("%%MatrixMarket matrix coordinate real general\n3 3 2\n1 1 1\n4 1 1\n")
        refused = spmv(broken, check=False)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("broken.mtx:4", refused.stderr)
        self.assertEqual(spmv(self.folder / "none.mtx", check=False).returncode, 3)
        self.assertEqual(spmv("--generate", "cube:3", check=False).returncode, 2)
        unsymmetric = spmv("--generate", "uniform:50,3", "--formats", "symmetric", check=False)
        self.assertEqual(unsymmetric.returncode, 3)
        self.assertIn("not symmetric", unsymmetric.stderr)


if __name__ == "__main__":
    unittest.main()
