"""Man pages and completions are made from the texts of --help, hold every option of them, and are accepted by
those that read them (groff, bash, zsh, fish; the last two where they are installed)."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
TEXTS = sorted((ROOT / "docs" / "cli").glob("*.txt"))
TABLE = (ROOT / "src" / "cli" / "common" / "command.cpp").read_text("utf-8")


def run(*words, **more):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, **more)


def options_of(text):
    """Told apart from those that a sentence mentions by where they stand: at the start of a line."""
    found = []
    for line in text.splitlines():
        match = re.match(r" {2,6}(-\w)(, (--[\w-]+))?[ $]| {2,6}(--[\w-]+)", line)
        if match:
            found += [name for name in (match[1], match[3], match[4]) if name]
    return found


class CommandDocs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.made = pathlib.Path(cls.folder.name)
        done = run(sys.executable, ROOT / "cmake" / "command_docs.py", "--version", "1.2.3", "--output", cls.made,
                   *TEXTS)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def commands(self):
        return [path.stem for path in TEXTS if not path.stem.startswith("ridge")]

    def page(self, path):
        name = path.stem if path.stem.startswith("ridge") else f"ridge-{path.stem}"
        return self.made / "man" / "man1" / f"{name}.1"

    def test_no_line_of_help_is_wider_than_100_columns(self):
        for path in TEXTS:
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                self.assertLessEqual(len(line), 100, f"{path}:{number}")

    def test_programs_of_one_page_lead_to_it(self):
        for program in ("ridge-c++", "ridge-fc", "ridge-launch", "ridge-ar", "ridge-ranlib", "ridge-llvm-ar", "ridge-llvm-ranlib"):
            link = (self.made / "man" / "man1" / f"{program}.1").read_text("utf-8")
            self.assertEqual(link, ".so man1/ridge-cc.1\n")
        page = (self.made / "man" / "man1" / "ridge-cc.1").read_text("utf-8")
        self.assertIn("ridge\\-cc, ridge\\-c++, ridge\\-fc \\- clang 19", page)
        self.assertNotIn(".SH COMMANDS", page)
        self.assertIn("\\fBridge\\-cc\\fR(1)", (self.made / "man" / "man1" / "ridge-run.1").read_text("utf-8"))

    def test_every_command_has_a_text(self):
        self.assertEqual(sorted(re.findall(r'Command\{"(\w+)"', TABLE)), self.commands())

    def test_every_option_is_in_its_man_page(self):
        for path in TEXTS:
            source = path.read_text("utf-8")
            page = self.page(path).read_text("utf-8").replace("\\-", "-")
            options = options_of(source)
            self.assertTrue(options or path.stem.startswith("ridge"), path)
            for option in options:
                self.assertRegex(page, re.escape(option) + r"\\fR", path.stem)

    def test_no_word_of_a_text_is_lost(self):
        for path in TEXTS:
            source = re.sub(r"^(Usage|Options|Exit codes|Environment):", "", path.read_text("utf-8"), flags=re.M)
            wanted = re.findall(r"[A-Za-z]{3,}", source)
            page = re.sub(r"\\f[BIR]|\\&", " ", self.page(path).read_text("utf-8").replace("\\-", "-"))
            words = set(re.findall(r"[A-Za-z]{3,}", page))
            self.assertEqual([word for word in wanted if word not in words], [], path.stem)

    @unittest.skipUnless(shutil.which("groff"), "no groff here")
    def test_groff_has_no_complaint(self):
        for path in TEXTS:
            done = run("groff", "-ww", "-man", "-Tutf8", self.page(path))
            self.assertEqual(done.stderr, "", path.stem)
            self.assertIn("SYNOPSIS", re.sub("\x1b\\[[0-9;]*m|.\b", "", done.stdout))

    def completed(self, *words):
        """What bash offers for the last word."""
        line = " ".join(f"'{word}'" for word in words)
        script = (f"source {self.made}/bash/ridge; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; _ridge; "
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = run("bash", "-c", script, cwd=ROOT)
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_bash_offers_commands_options_and_files(self):
        self.assertLessEqual(set(self.commands()), set(self.completed("ridge", "")))
        self.assertEqual(self.completed("ridge", "ru"), ["run"])
        for path in TEXTS:
            if path.stem in self.commands():
                offered = self.completed("ridge", path.stem, "-")
                self.assertLessEqual(set(options_of(path.read_text("utf-8"))), set(offered), path.stem)
        self.assertIn("README.md", self.completed("ridge", "report", "-o", "READ"))
        self.assertIn("README.md", self.completed("ridge", "report", "READ"))
        self.assertIn("--", self.completed("ridge", "run", "-"))
        self.assertIn("README.md", self.completed("ridge", "run", "--", "x", "READ"))
        self.assertEqual(self.completed("ridge", "nothing", "-"), [])

    @unittest.skipUnless(shutil.which("zsh"), "no zsh here")
    def test_zsh_reads_its_completion(self):
        done = run("zsh", "-n", self.made / "zsh" / "_ridge")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        text = (self.made / "zsh" / "_ridge").read_text("utf-8")
        for path in TEXTS:
            part = text.partition(f"\n    {path.stem})\n")[2].partition(";;")[0]
            for option in options_of(path.read_text("utf-8")) if path.stem in self.commands() else []:
                self.assertIn(f"'*{option}[", part, path.stem)

    @unittest.skipUnless(shutil.which("fish"), "no fish here")
    def test_fish_offers_the_same(self):
        for path in TEXTS:
            if path.stem not in self.commands():
                continue
            done = run("fish", "-c", f"source {self.made}/fish/ridge.fish; complete -C 'ridge {path.stem} -'")
            self.assertEqual(done.stderr, "")
            offered = {line.split("\t")[0] for line in done.stdout.splitlines()}
            self.assertLessEqual(set(options_of(path.read_text("utf-8"))), offered, path.stem)

    def test_hostile_texts_stay_texts(self):
        with tempfile.TemporaryDirectory() as folder:
            text = pathlib.Path(folder) / "odd.txt"
            text.write_text("ridge odd - it's $(false) `x` \\ : [a]\n\nUsage:\n  ridge odd\n\n.SH evil\n'evil\n\n"
                            "Options:\n      --a'b$(touch evil) text\n  -x, --ok FILE  it's [x] \\n : $(y)\n", "utf-8")
            done = run(sys.executable, ROOT / "cmake" / "command_docs.py", "--version", "1", "--output", folder, text)
            self.assertNotEqual(done.returncode, 0)  # that is no option
            text.write_text(text.read_text("utf-8").replace("      --a'b$(touch evil) text\n", ""), "utf-8")
            done = run(sys.executable, ROOT / "cmake" / "command_docs.py", "--version", "1", "--output", folder, text)
            self.assertEqual(done.stderr, "")
            page = (pathlib.Path(folder) / "man" / "man1" / "ridge-odd.1").read_text("utf-8")
            self.assertIn("\\&.SH evil", page)
            for shell, file in (("bash", "bash/ridge"), ("zsh", "zsh/_ridge"), ("fish", "fish/ridge.fish")):
                if shutil.which(shell):
                    self.assertEqual(run(shell, "-n", pathlib.Path(folder) / file).stderr, "", shell)


if __name__ == "__main__":
    unittest.main()
