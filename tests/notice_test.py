"""The licences of what others wrote stand in NOTICE and in every report; the page's lock file is whole, so that
`npm ci` works with it."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def squeezed(text):
    return " ".join(text.split())


class Notice(unittest.TestCase):
    def setUp(self):
        self.notice = (ROOT / "NOTICE").read_text("utf-8")
        self.page = (ROOT / "web" / "dist" / "report.html").read_text("utf-8")
        self.lock = json.loads((ROOT / "web" / "package-lock.json").read_text("utf-8"))["packages"]

    def test_the_page_carries_the_licences_of_its_code_and_the_notice_names_them(self):
        comment = re.search(r"<!--\n(This page holds code of others\..*?)\n-->", self.page, re.S)
        self.assertTrue(comment, "web/dist/report.html has no licences: run web/check build")
        named = re.findall(r"^([\w@/-]+) (\S+): (Copyright .*)$", comment[1], re.M)
        self.assertLessEqual({"svelte", "d3-format", "d3-scale"}, {name for name, _, _ in named})
        for name, version, holder in named:
            self.assertEqual(self.lock[f"node_modules/{name}"]["version"], version)
            self.assertRegex(squeezed(self.notice), rf"(?i)\b{name} {re.escape(version)} ")
            self.assertIn(squeezed(holder), squeezed(self.notice))
        for terms in ("Permission is hereby granted, free of charge", "Permission to use, copy, modify, and/or"):
            self.assertIn(terms, squeezed(comment[1]))
            self.assertIn(terms, squeezed(self.notice))

    def test_libraries_that_are_compiled_in_are_named(self):
        for header, name in (("nlohmann/json.hpp", "nlohmann/json"), ("CLI/CLI.hpp", "CLI11"),
                             ("asmjit/", "AsmJit"), ("tl/expected.hpp", "tl::expected")):
            used = any(f"<{header}" in path.read_text("utf-8") for path in (ROOT / "src").rglob("*.[ch]pp"))
            self.assertTrue(used, f"{header} is used no more: take {name} out of NOTICE")
            self.assertIn(name, self.notice)

    def test_every_optional_package_is_in_the_lock_file(self):
        for place, package in self.lock.items():
            for name in package.get("optionalDependencies", {}):
                inner = f"{place}/node_modules/{name}"
                self.assertTrue(inner in self.lock or f"node_modules/{name}" in self.lock,
                                f"`npm ci` refuses web/package-lock.json: {name} of {place} is missing")


if __name__ == "__main__":
    unittest.main()
