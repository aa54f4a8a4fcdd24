"""`ridge machines`: the data base as a user meets it, and the check of a user's own file."""

import json
import unittest

import support

OWN = """{
  "schema": "ridge.specification/1",
  "name": "our node",
  "peaks": [{"precision": "fp64", "value": 3.2e12, "unit": "flop/s"}],
  "bandwidths": [{"level": "DRAM", "value": 3.0e11, "unit": "byte/s"}]
}
"""


def machines(*words, **options):
    return support.run([support.RIDGE, "machines", *words], check=False, env=support.environment(),
                       **options)


class DataBase(unittest.TestCase):
    def test_the_list_has_every_file(self):
        done = machines("list")
        self.assertEqual(done.returncode, 0, done.stderr)
        keys = {path.stem for path in (support.SOURCE / "machines").glob("*.json")}
        keys -= {"caches", "microarchitectures"}
        self.assertGreaterEqual(len(keys), 54)
        listed = [line.split()[0] for line in done.stdout.splitlines() if line.strip()]
        self.assertEqual(sorted(key for key in listed if key in keys), sorted(keys))
        self.assertEqual(machines().stdout, done.stdout)

    def test_json_follows_its_schema_and_computes_ridge_points(self):
        value = support.parse_json(machines("list", "--json").stdout)
        support.validator("ridge.machines-1").validate(value)
        h100 = {m["key"]: m for m in value["machines"]}["h100-80-sxm5"]
        points = {(p["precision"], p["pipes"]): p["intensity"] for p in h100["ridge_points"]
                  if p["basis"] == "theoretical"}
        self.assertAlmostEqual(points["fp64", "vector"], 33.5e12 / 3.35e12)
        self.assertAlmostEqual(points["fp64", "matrix"], 66.9e12 / 3.35e12)

    def test_balance_and_bytes_in_flight_follow_from_the_figures(self):
        machine = support.parse_json(machines("show", "zen2-7742", "--json").stdout)
        support.validator("ridge.specification-1").validate(machine)
        point = next(p for p in machine["ridge_points"] if p["precision"] == "fp64")
        self.assertEqual(point["word_size"], 8)
        self.assertAlmostEqual(point["per_word"], 8 * 2.304e12 / 204.8e9)
        memory = next(e for e in machine["in_flight"]
                      if (e["level"], e["basis"]) == ("DRAM", "theoretical"))
        self.assertAlmostEqual(memory["bytes"], 119.6e-9 * 204.8e9)
        self.assertAlmostEqual(memory["lines"], memory["bytes"] / 64)
        self.assertAlmostEqual(memory["lines_per_core"], memory["bytes"] / 64 / 64)
        text = machines("show", "zen2-7742").stdout
        for words in ("90.0 flop/word (8 byte)", "24.5 kB, 383 lines", "L3 of 4 cores"):
            self.assertIn(words, text)

    def test_the_list_says_what_is_lacking(self):
        value = support.parse_json(machines("--json").stdout)
        known = {m["key"]: m for m in value["machines"]}
        self.assertEqual(known["zen2-7742"]["lacks"], ["one-core-bandwidth"])
        counts = [m["figures"] for m in value["machines"]]
        share = sum(c["unverified"] for c in counts) / sum(c["all"] for c in counts)
        self.assertIn(f"({100 * share:.1f} %) unverified", machines().stdout)
        self.assertRegex(machines().stdout, r"zen2-7742 .* 1 *\n")

    def test_sorting_puts_the_highest_first_and_the_unknown_last(self):
        value = support.parse_json(machines("--sort", "bandwidth", "--json").stdout)
        first = [b["value"] for b in value["machines"][0]["bandwidths"]
                 if (b["level"], b["basis"]) == ("HBM", "theoretical")]
        self.assertEqual(max(first), 8e12)
        keys = [m["key"] for m in support.parse_json(
            machines("--sort", "peak", "--precision", "int8", "--json").stdout)["machines"]]
        self.assertEqual(len(keys), len(value["machines"]))
        text = machines("--precision", "fp16", "--sort", "matrix").stdout
        self.assertIn("fp16 vector", text)
        self.assertNotIn(" 0 ", text)

    def test_one_machine_with_its_sources(self):
        done = machines("show", "h100-94-sxm5")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("NVIDIA H100 94GB SXM5", done.stdout)
        self.assertIn("unverified", done.stdout)
        self.assertIn("sources:", done.stdout)
        support.validator("ridge.specification-1").validate(
            support.parse_json(machines("show", "h100-94-sxm5", "--json").stdout))

    def test_an_unknown_name_offers_the_nearest(self):
        done = machines("show", "h100-95-nvl")
        self.assertEqual(done.returncode, 3)
        self.assertIn("there is no machine `h100-95-nvl`", done.stderr)
        self.assertIn("h100-94-nvl", done.stderr)

    def test_usage(self):
        for words in (["show"], ["check"], ["list", "x"], ["paint"], ["--sort", "colour"],
                      ["--precision", "fp61"]):
            self.assertEqual(machines(*words).returncode, 2, words)
        self.assertIn("fp64", machines("--precision", "fp61").stderr)


class OwnFile(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def check(self, text):
        (self.folder / "node.json").write_bytes(text.encode("utf-8"))
        return machines("check", "node.json", cwd=self.folder)

    def test_peak_and_bandwidth_are_enough(self):
        done = self.check(OWN)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("node.json is fine", done.stdout)
        shown = machines("show", "./node.json", "--json", cwd=self.folder)
        self.assertEqual(json.loads(shown.stdout)["name"], "our node")

    def test_complaints_name_line_and_key(self):
        for old, new, words in (
                ('3.0e11, "unit": "byte/s"', '300, "unit": "GB/s"', "node.json:5: bandwidths[0].unit"),
                ("3.0e11", "300", "node.json:5: bandwidths[0].value is 300 byte/s"),
                ('"peaks"', '"peak"', "peaks"),
                ("3.2e12", "-3", "node.json:4: peaks[0].value"),
                ("}]\n}", "}]", "node.json")):
            done = self.check(OWN.replace(old, new))
            self.assertEqual(done.returncode, 3, (old, done.stdout))
            self.assertIn(words, done.stderr)

    def test_files_that_are_none(self):
        self.assertEqual(machines("check", "missing.json", cwd=self.folder).returncode, 3)
        self.assertEqual(machines("check", ".", cwd=self.folder).returncode, 3)


if __name__ == "__main__":
    unittest.main()
