"""Worked numbers of teaching material on the Roofline model, each as one command line: what the formula of the source gives
must be in what Ridge prints. testdata/textbook_commands.json holds them; the sources, what they print and where they slip
stand in src/predict/roof/textbook_cases_test.cpp."""

import json
import re
import unittest

import support

CASES = json.loads((support.DATA / "textbook_commands.json").read_text("utf-8"))["cases"]
# Whole numbers of rows move the sparse cases by less than this.
TOLERANCE = 1e-6
PATH = re.compile(r"(?:kernel|machines|predictions|peaks|bandwidths|links)(?:\.\w+)+")


def at(value, path):
    """`machines.0.resources.DRAM.seconds`: an entry of a list by its number or by the name that it has."""
    for step in path.split("."):
        if isinstance(value, dict):
            value = value[step]
        elif step.isdigit():
            value = value[int(step)]
        else:
            value = next(item for item in value if step in (item.get("resource"), item.get("level")))
    return value


def evaluated(expression, printed):
    numbers = PATH.sub(lambda match: repr(float(at(printed, match[0]))), expression)
    assert re.fullmatch(r"[-+*/(). e0-9]+", numbers), numbers
    return eval(numbers)  # numbers and operators alone


class Textbook(unittest.TestCase):
    def printed(self, case, folder):
        words = list(case["command"])
        if "points" in case:
            (folder / "points.csv").write_text(case["points"], "utf-8")
            words = [str(folder / "points.csv") if word == "POINTS" else word for word in words]
        done = support.run([support.RIDGE, *words, "--json"], check=False, env=support.environment())
        self.assertEqual(done.returncode, 0, (case["id"], done.stderr))
        value = support.parse_json(done.stdout)
        support.validator(value["schema"].replace("/", "-")).validate(value)
        return value

    def test_all_cases_are_there(self):
        self.assertEqual(len({case["id"] for case in CASES}), 83)

    def test_ridge_prints_what_the_formula_gives(self):
        folder = support.own_folder(self)
        for case in CASES:
            with self.subTest(case["id"]):
                value = evaluated(case["value"], self.printed(case, folder)) * case.get("times", 1)
                if case["status"] == "bound":
                    self.assertGreater(value, 0)
                    self.assertLess(value, case["expected"])
                else:
                    self.assertLessEqual(abs(value - case["expected"]), TOLERANCE * abs(case["expected"]) + 1e-15)


if __name__ == "__main__":
    unittest.main()
