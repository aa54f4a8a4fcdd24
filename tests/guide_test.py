"""The documentation site: it builds without a warning (mkdocs checks its links), and the recorded outputs of the guide
are there, belong to their commands, and name nothing of the machine they were made on."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = sorted((ROOT / "docs" / "guide").glob("*.md"))
MARK = re.compile(r"<!-- record(?: (?:head|tail)=\d+)?: (.*?) -->\n```text\n((?:.*\n)*?)```")
FOLDER = re.compile(r"(?<![\w.$])/(?:tmp|home|root|work)/\S*")


class Guide(unittest.TestCase):
    def test_every_command_was_recorded(self):
        for page in PAGES:
            text = page.read_text("utf-8")
            self.assertEqual(text.count("<!-- record"), len(MARK.findall(text)), page)
            for command, block in MARK.findall(text):
                self.assertTrue(block.startswith(f"$ {command}\n"), f"{page}: run scripts/record-guide: {command}")

    def test_options_of_recorded_commands_exist(self):
        for page in PAGES:
            for command, _ in MARK.findall(page.read_text("utf-8")):
                for name, words in re.findall(r"\bridge (\w+)([^;|]*)", command):
                    known = (ROOT / "docs" / "cli" / f"{name}.txt").read_text("utf-8")
                    for option in re.findall(r"(?<!\S)--?[a-z][\w-]*", words.partition(" -- ")[0]):
                        self.assertIn(option, known, f"{page}: {command}")

    def test_no_machine_is_named(self):
        for page in (ROOT / "docs").rglob("*.md"):
            found = FOLDER.search(page.read_text("utf-8"))
            self.assertIsNone(found, f"{page}: {found and found[0]}")
        for picture in (ROOT / "docs" / "images").glob("*.svg"):
            found = FOLDER.search(picture.read_text("utf-8"))
            self.assertIsNone(found, f"{picture}: {found and found[0]}")

    def test_every_command_has_a_page_with_its_help(self):
        for text in sorted((ROOT / "docs" / "cli").glob("*.txt")):
            if text.stem != "ridge":
                page = (ROOT / "docs" / "guide" / f"{text.stem}.md").read_text("utf-8")
                self.assertIn(f"<!-- help: {text.stem} -->", page)

    @unittest.skipUnless(shutil.which("mkdocs"), "no mkdocs here")
    def test_the_site_builds_without_a_warning(self):
        with tempfile.TemporaryDirectory() as site:
            done = subprocess.run(["mkdocs", "build", "--strict", "--quiet", "--site-dir", site], cwd=ROOT,
                                  capture_output=True, text=True, timeout=300)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))
            front = (pathlib.Path(site) / "index.html").read_text("utf-8")
            self.assertIn("Ridge", front)
            self.assertIn("--style STYLE", (pathlib.Path(site) / "guide" / "report.html").read_text("utf-8"))


if __name__ == "__main__":
    unittest.main()
