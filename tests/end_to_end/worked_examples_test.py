"""The worked examples of the documentation: what stands in a block of kind `worked` is what Ridge computes.

    ```worked
    $ ridge predict ... --json         (run in docs/)
    machines.0.attainable = 2.5e9      (a path into the JSON, and its value)
    ```
"""

import math
import re
import shlex
import unittest

import support

BLOCK = re.compile(r"```worked\n\$ ridge (.*)\n((?:.+ = .+\n)+)```")
DOCS = support.SOURCE / "docs"


def value_at(document, path):
    for step in path.split("."):
        if isinstance(document, list):
            found = [each for each in document if isinstance(each, dict) and each.get("name") == step]
            document = found[0] if found else document[int(step)]
        else:
            document = document[step]
    return document


class WorkedExamples(unittest.TestCase):
    def blocks(self):
        for page in sorted(DOCS.rglob("*.md")):
            text = page.read_text("utf-8")
            found = BLOCK.findall(text)
            self.assertEqual(len(found), text.count("```worked"), f"{page}: a block cannot be read")
            for command, claims in found:
                yield page, command, claims.strip().split("\n")

    def test_they_are_what_ridge_computes(self):
        seen = 0
        for page, command, claims in self.blocks():
            done = support.run([support.RIDGE, *shlex.split(command)], cwd=DOCS, env=support.environment())
            document = support.parse_json(done.stdout)
            for claim in claims:
                path, _, wanted = claim.partition(" = ")
                found = value_at(document, path)
                where = f"{page.name}: {command}: {path} is {found}"
                if isinstance(found, str):
                    self.assertEqual(found, wanted, where)
                else:
                    self.assertTrue(math.isclose(found, float(wanted), rel_tol=2e-3), where)
                seen += 1
        self.assertGreaterEqual(seen, 20)

    def test_each_page_of_theory_has_one(self):
        have = {page.name for page, _, _ in self.blocks() if page.parent.name == "theory"}
        self.assertLessEqual({"roofline.md", "predict.md", "kernels.md", "projection.md", "counting.md"}, have)


if __name__ == "__main__":
    unittest.main()
