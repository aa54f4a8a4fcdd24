"""Every test class of tests/end_to_end is run by ctest: CMakeLists.txt there names them one by one. The same of the recipes of
tests/third_party, which scripts/test leaves out."""

import ast
import pathlib
import re
import sys
import unittest

TESTS = pathlib.Path(__file__).resolve().parent
FOLDER = TESTS / "end_to_end"
sys.dont_write_bytecode = True
sys.path.insert(0, str(TESTS / "third_party"))
import recipes  # noqa: E402  the line above finds it

CALL = re.compile(r"ridge_end_to_end(_classes|_engines)?\(([^)]*)\)")


def registered(text):
    """script -> the classes that are named, or None where the whole script is run."""
    found = {}
    for kind, words in CALL.findall(text):
        words = words.split()
        script = next((word for word in words if word.endswith("_test.py")), None)
        if script is None:
            continue  # the definition of the function
        after = [word for word in words[words.index(script) + 1:] if word not in ("SLOW", "ARGUMENTS")]
        whole = kind != "_classes" and (not after or not after[0][0].isupper())
        if whole or found.get(script, ()) is None:
            found[script] = None
        else:
            found[script] = found.get(script, []) + after
    return found


def test_classes(text):
    return [node.name for node in ast.parse(text).body if isinstance(node, ast.ClassDef)
            and any(isinstance(part, ast.FunctionDef) and part.name.startswith("test") for part in node.body)]


class Registration(unittest.TestCase):
    def test_all_classes_of_all_scripts(self):
        named = registered((FOLDER / "CMakeLists.txt").read_text("utf-8"))
        for script in sorted(FOLDER.glob("*_test.py")):
            with self.subTest(script.name):
                self.assertIn(script.name, named)
                if named[script.name] is not None:
                    self.assertEqual(sorted(set(test_classes(script.read_text("utf-8")))),
                                     sorted(named[script.name]))

    def test_what_is_left_out_is_found(self):
        self.assertEqual(registered("ridge_end_to_end_classes(a_test.py One Two)\n"
                                    "ridge_end_to_end(a.Three a_test.py SLOW ARGUMENTS Three)\n"
                                    "ridge_end_to_end(b.-O1 b_test.py ARGUMENTS -O1)\n"
                                    "ridge_end_to_end_engines(c_test.py bolt -O1)"),
                         {"a_test.py": ["One", "Two", "Three"], "b_test.py": None, "c_test.py": None})
        self.assertEqual(test_classes("class A:\n  def test(self): pass\nclass B:\n  x = 1\n"), ["A"])


class ThirdParty(unittest.TestCase):
    def test_all_recipes(self):
        text = (TESTS / "third_party" / "CMakeLists.txt").read_text("utf-8")
        named = re.findall(r'"([^"]+)"', text[text.index("IN ITEMS"):text.index(")\n")])
        self.assertEqual(sorted(named), sorted(recipes.recipes()))
        self.assertEqual(list(recipes.recipes(full=True)), list(recipes.recipes()))

    def test_their_label_is_left_out(self):
        excluded = re.findall(r"--label-exclude '([^']+)'", (TESTS.parent / "scripts" / "test").read_text("utf-8"))
        self.assertEqual(len(excluded), 2)
        for expression in excluded:
            self.assertRegex("third_party", expression)


if __name__ == "__main__":
    unittest.main()
