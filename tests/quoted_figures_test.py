"""Figures of our own benchmark that stand in texts are those of the stored run: a new run that leaves a text
behind fails here. Nothing is measured."""

import json
import math
import pathlib
import re
import statistics
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def text_of(path):
    """In one piece, as it is read: quotation marks and line breaks of C++ strings removed."""
    text = (ROOT / path).read_text("utf-8")
    return re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*"', "", text))


def slowdown(samples, variant):
    """From the raw samples, each beside that of the plain build in the same round. Traffic is measured in the
    first of every few rounds."""
    every = math.ceil(len(samples["plain"]) / len(samples[variant]))
    return statistics.median(value / plain for value, plain in
                             zip(samples[variant], samples["plain"][::every], strict=True))


def ratios(variant):
    rows = json.loads((ROOT / "benchmarks/results/overhead.json").read_text("utf-8"))["rows"]
    return [slowdown(row["seconds"], variant) for row in rows]


class Overhead(unittest.TestCase):
    def test_what_is_stored_follows_from_the_samples(self):
        for row in json.loads((ROOT / "benchmarks/results/overhead.json").read_text("utf-8"))["rows"]:
            for variant, stored in row["slowdown"].items():
                self.assertAlmostEqual(stored, slowdown(row["seconds"], variant), msg=row["kernel"])

    def test_counting(self):
        slowdowns = [100 * (ratio - 1) for ratio in ratios("count")]
        worst = f"at most {math.ceil(max(slowdowns))} %"
        median = f"(median {statistics.median(slowdowns):.1f} %)"
        for path in ("README.md", "src/measure/instrumented/run_notes.cpp"):
            text = text_of(path)
            self.assertIn(worst, text, path)
            self.assertIn(median, text, path)

    def range_holds(self, path, pattern, variant):
        found = re.search(pattern, text_of(path))
        self.assertIsNotNone(found, f"{path} no longer says it: {pattern}")
        low, high = map(int, found.groups())
        self.assertLessEqual(low, min(ratios(variant)), path)
        self.assertGreaterEqual(high, max(ratios(variant)), path)
        self.assertLess(high, 1.2 * max(ratios(variant)), f"{path}: better than it says")

    def test_traffic(self):
        self.range_holds("README.md", r"(\d+) to (\d+) times slower with all cache lines", "exact")
        self.range_holds("README.md", r"; (\d+) to (\d+) times, where one line of eight", "sampled")
        self.range_holds("docs/cli/run.txt", r"all lines \((\d+) to (\d+) times the run time\)", "exact")
        self.range_holds("docs/cli/run.txt", r"from the start \((\d+) to (\d+) times\)", "sampled")


class Projected(unittest.TestCase):
    def setUp(self):
        self.stored = json.loads((ROOT / "benchmarks/results/projection.json").read_text("utf-8"))

    def test_what_is_stored_follows_from_the_rows(self):
        rows = self.stored["rows"]
        self.assertEqual((self.stored["of"], self.stored["inside"]),
                         (len(rows), sum(row["low_seconds"] <= row["plain"] <= row["high_seconds"] for row in rows)))
        for key, error in (("median_error", "seconds"), ("median_error_of_ideal", "ideal_seconds")):
            self.assertAlmostEqual(self.stored[key],
                                   statistics.median(abs(row[error] / row["plain"] - 1.0) for row in rows))

    def test_trust(self):
        text = text_of("docs/trust.md")
        self.assertIn(f"median error {100 * self.stored['median_error']:.0f} %, of ideal times alone "
                      f"{100 * self.stored['median_error_of_ideal']:.0f} %", text)
        self.assertIn(f"{self.stored['inside']} of {self.stored['of']} measured times lie in the interval", text)


class NextSteps(unittest.TestCase):
    """benchmarks/next_steps: changes made by hand."""

    def setUp(self):
        self.rows = {(row["program"], str(row["threads"]), row["name"]): row for row in
                     json.loads((ROOT / "benchmarks/results/next_steps.json").read_text("utf-8"))["rows"]}

    def test_what_is_stored_follows_from_the_runs(self):
        for (program, threads, name), row in self.rows.items():
            before = self.rows[program, threads, "before"]["runs"]
            for gain, seconds in (("gain_cpu", "cpu_seconds"), ("gain_wall", "wall_seconds")):
                if name != "before":
                    ratios = [b[seconds] / a[seconds] for b, a in zip(before, row["runs"], strict=True)]
                    self.assertAlmostEqual(row[gain]["median"], statistics.median(ratios), msg=name)

    def test_tables(self):
        seen = set()
        for line in (ROOT / "benchmarks/next_steps/README.md").read_text("utf-8").splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            key = (*cells[:2], cells[-3]) if len(cells) > 4 else None
            if key in self.rows:
                seen.add(key)
                for cell, gain in zip(cells[-2:], ("gain_cpu", "gain_wall"), strict=True):
                    stored = self.rows[key][gain]
                    low, high = stored["interval_95"]
                    self.assertEqual(cell, f"{stored['median']:.2f} ({low:.2f} to {high:.2f})", line)
        self.assertEqual(seen, {key for key in self.rows if key[2] != "before"})


if __name__ == "__main__":
    unittest.main()
