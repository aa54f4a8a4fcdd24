"""docs/contracts.md and what refers to it: a section that a comment or a page names exists, a link of the page leads
somewhere, and nothing names the text that this page took the place of."""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = "docs/contracts.md"

# "docs/contracts.md, section 6", "docs/contracts.md, sections 1 and 2", also over the line breaks of comments; in
# Markdown it is the text of a link. Without the comma or behind a link too, so that a slip is not overlooked.
GAP = r"[\s/*#`]*"
REFERENCE = re.compile(rf"\bcontracts\.md(?:#[\w-]+)?\)?{GAP},?{GAP}"
                       rf"(section{GAP}\d+|sections{GAP}\d+(?:{GAP}(?:,|and|to){GAP}\d+)*)")
LINK = re.compile(r"\]\(([^()\s]+)\)")
# In two pieces, or this file would be the first to hold it.
OLD = re.compile(r"\bCONTR" r"ACTS\b")


def slug(heading):
    """The anchor of a heading, as the documentation site and code hosts make it."""
    text = re.sub(r"[^\w\s-]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)).strip().lower()
    return re.sub(r"\s", "-", text)


def headings(text):
    without_code = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return re.findall(r"^#+ +(.+?) *$", without_code, re.M)


def sections(text):
    """The numbers of the headings "## 3. The roof of a region"."""
    return [int(found[1]) for found in (re.match(r"(\d+)\. ", heading) for heading in headings(text)) if found]


def broken_references(text, known):
    """Sections that `text` names and the page lacks; and its links to anchors of the page that are not there."""
    numbers, anchors = known
    for found in REFERENCE.finditer(text):
        for number in re.findall(r"\d+", found[1]):
            if int(number) not in numbers:
                yield " ".join(found[0].split())
    for target in LINK.findall(text):
        file, _, anchor = target.partition("#")
        if re.search(r"(^|/)contracts\.md$", file) and anchor and anchor not in anchors:
            yield target


def mismatched_links(text):
    """Links whose text names another section than their anchor."""
    for words, anchor in re.findall(r"\[([^]]*)\]\([^()\s]*contracts\.md#([\w-]+)\)", text):
        named = re.search(r"section (\d+)", words)
        if named and not anchor.startswith(f"{named[1]}-"):
            yield f"[{words}](...#{anchor})"


def broken_links(text, folder):
    """Relative links of a page in `folder` without a file, or without the heading that they name."""
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        path = folder / file if file else None
        if path is not None and not path.is_file():
            yield target
        elif anchor and anchor not in map(slug, headings(text if path is None else path.read_text("utf-8"))):
            yield target


def tracked_texts():
    """(name, text) of every file that git knows and that is text."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in names.decode("utf-8").split("\0"):
        path = ROOT / name
        if name and path.is_file() and not path.is_symlink():
            data = path.read_bytes()
            if b"\0" not in data:
                yield name, data.decode("utf-8", errors="replace")


class Contracts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = (ROOT / PAGE).read_text("utf-8")
        cls.known = sections(cls.page), [slug(heading) for heading in headings(cls.page)]
        # This file holds broken references on purpose.
        here = pathlib.Path(__file__).resolve().relative_to(ROOT).as_posix()
        cls.texts = [(name, text) for name, text in tracked_texts() if name != here]

    def test_the_page_has_its_six_sections_and_no_heading_twice(self):
        numbers, anchors = self.known
        self.assertEqual(numbers, [1, 2, 3, 4, 5, 6])
        self.assertEqual(len(anchors), len(set(anchors)))

    def test_every_section_that_is_named_exists(self):
        self.assertGreater(sum(len(REFERENCE.findall(text)) for _, text in self.texts), 15)
        for name, text in self.texts:
            self.assertEqual(list(broken_references(text, self.known)), [], name)
            self.assertEqual(list(mismatched_links(text)), [], name)

    def test_every_link_of_the_page_leads_somewhere(self):
        self.assertGreater(len(LINK.findall(self.page)), 50)
        self.assertEqual(list(broken_links(self.page, (ROOT / PAGE).parent)), [])

    def test_the_old_name_is_gone(self):
        self.assertEqual([name for name, text in self.texts if OLD.search(text)], [])


class WhatIsBrokenIsFound(unittest.TestCase):
    KNOWN = [1, 2], ["1-counting", "2-files"]

    def test_sections(self):
        self.assertEqual(sections("# Title\n## 1. Counting\ntext 3. x\n## 2. Files\n```\n## 9. No heading\n```\n"), [1, 2])
        good = ("// docs/contracts.md, section 1.\n/// as docs/contracts.md,\n/// section 2, says; docs/contracts.md,\n"
                " * sections 1 and\n * 2; `docs/contracts.md` section 2, 7 flop\n[docs/contracts.md, section 1](../contracts.md#1-counting)")
        self.assertEqual(len(REFERENCE.findall(good)), 5)
        self.assertEqual(list(broken_references(good, self.KNOWN)), [])
        for bad in ("// docs/contracts.md, section 3", "docs/contracts.md,\n/// section 7).", "`docs/contracts.md` section 0",
                    "docs/contracts.md, sections 1 and 4", "docs/contracts.md, sections 1, 2 and 5",
                    "[it](contracts.md#2-files), section 3", "[it](../contracts.md#3-roof)"):
            self.assertEqual(len(list(broken_references(bad, self.KNOWN))), 1, bad)
        self.assertEqual(len(list(mismatched_links("[section 1](contracts.md#2-files)"))), 1)
        self.assertEqual(len(list(mismatched_links("[section 2](contracts.md#2-files)"))), 0)

    def test_links(self):
        folder = ROOT / "docs"
        good = "[a](trust.md) [b](reading.md#verdicts) [c](#1-counting) [d](https://example.org/x)\n## 1. Counting\n"
        self.assertEqual(list(broken_links(good, folder)), [])
        self.assertEqual(list(broken_links("[a](missing.md) [b](reading.md#missing) [c](#2-files)\n# 1. Counting\n", folder)),
                         ["missing.md", "reading.md#missing", "#2-files"])
        self.assertEqual(slug("4. The cache model (simulated traffic)"), "4-the-cache-model-simulated-traffic")

    def test_the_old_name(self):
        old = "CONTR" + "ACTS"
        for text in (f"({old} section 1)", f"{old}.md", f"in {old}'\nunit", f"{old} sections 1 and 2"):
            self.assertTrue(OLD.search(text), text)
        self.assertFalse(OLD.search("docs/contracts.md, contracts()"))


if __name__ == "__main__":
    unittest.main()
