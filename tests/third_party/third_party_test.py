"""Programs of Debian 12, unmodified, under `ridge run`: what they write, how they end, their work beside that of a textbook, and
of two ranks the work of each. One recipe of recipes.py for each run of this script:

    third_party_test.py RECIPE

Ends with 77 where the program is not installed. How much of the time is in no region is printed; no test is decided by it."""

import pathlib
import sys
import unittest

import measuring
import recipes

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "end_to_end"))
import support  # noqa: E402  the line above finds it

SKIPPED = 77
NAMES = sorted(recipes.recipes())


class ThirdParty(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measured = measuring.measure(support.RIDGE, cls.recipe, support.own_folder(cls), support.MACHINE)
        if cls.measured.profile is None:
            raise AssertionError(f"no result:\n{cls.measured.runs[-1].stderr.decode(errors='replace')[-4000:]}")
        cls.profile = support.validated(cls.measured.profile)
        cls.flops = measuring.work(measuring.program_of(cls.profile))
        share = cls.profile["time"]["unattributed_fraction"]
        print(f"{cls.name}: {100 * share:.1f} % of the time in no region, {cls.flops / 1e6:.1f} MFlop", flush=True)

    def test_it_writes_and_ends_as_alone(self):
        self.assertTrue(measuring.steady(self.measured.alone, self.recipe.times), "the program writes something each time")
        self.assertEqual(measuring.lost_lines(self.measured, self.recipe.times), [])
        for run in self.measured.runs:
            self.assertEqual(run.returncode, self.measured.alone[0].returncode, run.stderr.decode(errors="replace")[-2000:])

    def test_work_is_counted(self):
        codes = [note["code"] for note in self.profile["notes"]]
        self.assertIn("engine", codes)
        self.assertFalse({"no-counts", "engine-unknown-instruction", "runs-differ"} & set(codes), self.profile["notes"])
        regions = measuring.regions_of(self.profile)
        self.assertGreater(self.flops, 0)
        self.assertEqual(sum(measuring.work(region) for region in regions), self.flops)

    def test_work_is_where_it_is_known_to_be(self):
        if not self.recipe.works_in:
            self.skipTest("no function of this program is known")
        inside = [measuring.work(region) for region in measuring.regions_of(self.profile) if self.recipe.works_in in region["name"]]
        self.assertGreater(sum(inside), self.flops / 3)

    def test_work_is_that_of_the_textbook(self):
        if self.recipe.known is None:
            self.skipTest("no closed form is known")
        known = self.recipe.known
        ratio = self.flops / known.flops
        print(f"{self.name}: {ratio:.4f} times {known.says}", flush=True)
        self.assertGreaterEqual(ratio, known.least, known.says)
        self.assertLessEqual(ratio, known.most, known.says)

    def test_ranks_add_up(self):
        if self.recipe.ranks == 1:
            self.skipTest("one process")
        processes = self.profile["processes"]
        self.assertEqual(sorted(process.get("rank") for process in processes), list(range(self.recipe.ranks)))
        self.assertEqual(self.profile["parallel"]["measured"], self.recipe.ranks)
        self.assertTrue(all(process["flops"] > self.flops / 10 for process in processes), processes)
        self.assertEqual(sum(process["flops"] for process in processes), self.flops)


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in NAMES:
        sys.exit(f"usage: third_party_test.py RECIPE, one of: {', '.join(NAMES)}")
    ThirdParty.name = sys.argv.pop()
    ThirdParty.recipe = recipes.recipes()[ThirdParty.name]
    package = measuring.missing(ThirdParty.recipe)
    if package:
        print(f"skipped: {package} is not installed (apt-get install {package})")
        sys.exit(SKIPPED)
    unittest.main(verbosity=2)


if __name__ == "__main__":
    main()
