"""Where output goes: a full or closed stream, a folder that is not there, names made to deceive a
terminal. Every command ends with the exit code of the contract and no internal error."""

import json
import os
import re
import subprocess
import unittest

import support
from process_test import InFolder

USAGE, BAD_INPUT, WRITE_FAILED = 2, 3, 5

# Colours, a title, a bell, a return over the line, C1 in UTF-8, a byte that is no UTF-8.
HOSTILE = "x\x1b[2J\x1b]0;t\x07\r\x9b31m\x7f"


def is_harmless(data):
    """Nothing but text and line ends."""
    text = data.decode("utf-8")  # valid, or this raises
    return not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", text)


class WithResults(InFolder):
    @classmethod
    def setUpClass(cls):
        program = support.compile_c("twice.c")
        cls.profile = support.profile_of([program, os.devnull], options=("--traffic", "exact"))

    def setUp(self):
        super().setUp()
        self.result = self.folder / "result.json"
        self.result.write_text(json.dumps(self.profile), "utf-8")
        matrix = self.folder / "m.mtx"
        matrix.write_text("%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 1.0\n")
        self.program = support.compile_c("twice.c")

    def commands(self):
        """One use of each command that prints and takes no time."""
        return {
            "overview": ["--help"],
            "version": ["--version"],
            "machines": ["machines"],
            "machines show": ["machines", "show", "b200"],
            "machines --json": ["machines", "--json"],
            "predict": ["predict", "--kernel", "dot", "-D", "n=1000", "--on", support.MACHINE],
            "report": ["report", self.result],
            "report --json": ["report", self.result, "--json"],
            "report of a machine": ["report", support.MACHINE],
            "compare": ["compare", self.result, self.result],
            "compare --json": ["compare", self.result, self.result, "--json"],
            "bench --show": ["bench", "--show", "fma"],
            "bench --help": ["bench", "--help"],
            "spmv --help": ["spmv", "--help"],
            "serve": ["serve", self.folder / "no-such-folder"],
            "run": ["run", "--machine", support.MACHINE, "--no-traffic", "-o",
                    self.folder / "out", "--force", "--", self.program, os.devnull],
            "run --json": ["run", "--machine", support.MACHINE, "--no-traffic", "--json", "--",
                           self.program, os.devnull],
        }

    def shell(self, arguments, redirections):
        words = " ".join(f"'{word}'" for word in [support.RIDGE, *arguments])
        return subprocess.run(["sh", "-c", f"{words} {redirections}"], cwd=self.folder,
                              env=support.environment(), capture_output=True, timeout=120,
                              check=False)


class FullAndClosed(WithResults):
    def test_a_full_output_is_told(self):
        for name, arguments in self.commands().items():
            with self.subTest(name):
                plain = self.shell(arguments, "")
                done = self.shell(arguments, ">/dev/full")
                expected = WRITE_FAILED if plain.returncode == 0 else plain.returncode
                self.assertEqual(done.returncode, expected, done.stderr)
                self.assertNotIn(b"internal error", done.stderr)
                if expected == WRITE_FAILED:
                    self.assertIn(b"No space left", done.stderr)

    def test_closed_streams_are_no_bug(self):
        for name, arguments in self.commands().items():
            plain = self.shell(arguments, "")
            for redirections, codes in ((">&-", {WRITE_FAILED}), ("2>&-", {plain.returncode}),
                                        (">&- 2>&-", {WRITE_FAILED}),
                                        ("<&- >&- 2>&-", {WRITE_FAILED})):
                with self.subTest(name, redirections=redirections):
                    done = self.shell(arguments, redirections)
                    expected = codes if plain.returncode == 0 else {plain.returncode}
                    self.assertIn(done.returncode, expected, done.stderr)
                    self.assertNotIn(b"internal error", done.stderr + done.stdout)

    def test_no_file_becomes_standard_output(self):
        """With descriptor 1 free the next file would get it, and what is printed would end there."""
        done = self.shell(["report", self.result, "-o", "x.svg", "--json"], ">&- 2>&-")
        self.assertEqual(done.returncode, WRITE_FAILED)
        alone = self.shell(["report", self.result, "-o", "y.svg"], "")
        self.assertEqual(alone.returncode, 0, alone.stderr)
        self.assertEqual((self.folder / "x.svg").read_bytes(), (self.folder / "y.svg").read_bytes())

    def test_the_program_still_finds_its_streams_closed(self):
        program = support.compile_c("ending.c")
        done = self.shell(["run", "--machine", support.MACHINE, "--no-traffic", "-o", "out", "--",
                           program, "exit", "4"], ">&- 2>&-")
        self.assertEqual(done.returncode, WRITE_FAILED)  # the report could not be printed
        stored = json.loads((self.folder / "out" / "profile.json").read_text("utf-8"))
        self.assertEqual(stored["program"]["exit_code"], 4)


class Places(WithResults):
    def ends(self, code, *arguments):
        done = support.run([support.RIDGE, *arguments], env=support.environment(),
                           cwd=self.folder, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertTrue(done.stderr.startswith("ridge: "), done.stderr)
        return done

    def test_no_folder_is_made_for_a_file(self):
        missing = self.folder / "nosuch" / "dir"
        matrix = self.folder / "m.mtx"
        for arguments in (["report", self.result, "-o", missing / "x.svg"],
                          ["report", self.result, "-o", missing / "x.json"],
                          ["compare", self.result, self.result, "-o", missing / "x.md"],
                          ["predict", "--kernel", "dot", "-D", "n=1000", "--on", support.MACHINE,
                           "-o", missing / "x.json"],
                          ["spmv", matrix, "--quick", "-o", missing / "x.svg"],
                          ["bench", "--quick", "-o", missing / "x.json"]):
            with self.subTest(arguments[0]):
                done = self.ends(WRITE_FAILED, *arguments)
                self.assertIn("nosuch/dir", done.stderr)
                self.assertFalse((self.folder / "nosuch").exists())

    def test_where_nobody_can_write(self):
        self.ends(WRITE_FAILED, "run", "--machine", support.MACHINE, "-o", "/proc/x", "--",
                  self.program, os.devnull)

    def test_what_cannot_be_read(self):
        for arguments in (["spmv", "nosuch.mtx"], ["report", "nosuch"],
                          ["compare", self.result, "nosuch"],
                          ["predict", "--kernel", "dot", "-D", "n=1000", "--on", "./nosuch.json"]):
            with self.subTest(arguments[0]):
                self.ends(BAD_INPUT, *arguments)


class Hostile(WithResults):
    """What comes from programs, files and arguments reaches no terminal raw."""

    def hostile_profile(self):
        def changed(value, key=""):
            if isinstance(value, dict):
                return {k: changed(v, k) for k, v in value.items()}
            if isinstance(value, list):
                return [changed(v, key) for v in value]
            if isinstance(value, str) and key in ("name", "function", "file", "text", "argv",
                                                  "host", "compiler", "not_vectorised"):
                return value + HOSTILE
            return value

        file = self.folder / "hostile.json"
        file.write_text(json.dumps(changed(self.profile)), "utf-8")
        return file

    def check(self, *arguments, codes=(0,)):
        done = subprocess.run([os.fspath(support.RIDGE), *[os.fspath(a) if not isinstance(a, bytes)
                                                           else a for a in arguments]],
                              cwd=self.folder, capture_output=True, timeout=120, check=False,
                              env=support.environment(LC_ALL="C.UTF-8"))
        self.assertIn(done.returncode, codes, done.stderr)
        self.assertTrue(is_harmless(done.stdout), done.stdout)
        self.assertTrue(is_harmless(done.stderr), done.stderr)
        return done

    def test_names_in_results(self):
        hostile = self.hostile_profile()
        for arguments in (["report", hostile], ["report", hostile, "--ascii"],
                          ["report", hostile, "--json"], ["report", hostile, hostile],
                          ["compare", hostile, self.result], ["compare", self.result, hostile],
                          ["compare", hostile, hostile, "--json"]):
            with self.subTest(arguments[1:]):
                self.check(*arguments)
        done = self.check("compare", self.result, hostile, "--fail-on", "flops>0,time>5%", codes=(1,))
        self.assertIn(b"another program", done.stderr)

    def test_arguments_and_file_names(self):
        hostile = b"no-such" + HOSTILE.encode() + b"\xff"
        for arguments, codes in (([hostile], (USAGE,)), (["report", hostile], (BAD_INPUT,)),
                                 (["report", b"--" + hostile], (USAGE,)),
                                 (["compare", self.result, hostile], (BAD_INPUT,)),
                                 (["compare", self.result, self.result, "--fail-on", hostile],
                                  (USAGE,)),
                                 (["compare", self.result, self.result, "--fail-on",
                                   b"time@" + hostile + b">5%"], (1,)),
                                 (["compare", self.result, self.result, "--allow", hostile],
                                  (USAGE,)),
                                 (["predict", "--kernel", hostile, "--on", support.MACHINE], (USAGE, BAD_INPUT)),
                                 (["machines", "show", hostile], (USAGE, BAD_INPUT)),
                                 (["spmv", hostile], (BAD_INPUT, USAGE)),
                                 (["serve", hostile], (BAD_INPUT, USAGE)),
                                 (["run", "--", hostile], (BAD_INPUT,)),
                                 (["bench", "--only", hostile], (USAGE,))):
            with self.subTest(arguments):
                self.check(*arguments, codes=codes)

    def test_a_program_of_such_a_name_and_arguments(self):
        program = self.folder / ("p" + HOSTILE)
        program.symlink_to(self.program)
        done = self.check("run", "--machine", support.MACHINE, "--no-traffic", "--", program,
                          os.devnull, HOSTILE)
        self.assertIn(b"Results:", done.stdout)


if __name__ == "__main__":
    unittest.main()
