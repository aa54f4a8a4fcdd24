"""The executables that take what others wrote are hardened (cmake/ridge_harden.cmake), read back with readelf; and
what is not hardened is told from what is.

  hardening_test.py --compiler CC --executables FILE... --modules ARCHIVE... [--libraries FILE...]
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

# Enough that each flag shows: a buffer on the stack, and a copy into it whose length only the run knows.
PROGRAM = """
#include <string.h>
int main(int argc, char** argv) {
  char buffer[64];
  strcpy(buffer, argv[argc - 1]);
  return buffer[1];
}
"""
HARDENED = ("-O2", "-fPIE", "-pie", "-fstack-protector-strong", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2",
            "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack")
# What one flag less is: the flags behind the others, and what is found missing.
WITHOUT = (
    (("-no-pie", "-fno-pie"), {"PIE"}),
    (("-fno-stack-protector",), {"stack protector"}),
    (("-U_FORTIFY_SOURCE",), {"checked functions"}),
    (("-Wl,-z,norelro",), {"read-only relocations"}),
    (("-Wl,-z,lazy",), {"immediate binding"}),
    (("-Wl,-z,execstack",), {"stack without execution"}),
)
OPTIONS = argparse.Namespace(compiler="cc", executables=[], modules=[], libraries=[])
CHECKED = r"__\w+_chk"


def readelf(what, path):
    done = subprocess.run(["readelf", "-W", what, str(path)], capture_output=True, text=True, check=True,
                          env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
    return done.stdout


def missing_in_file(path):
    """What any object that is loaded should have."""
    segments = readelf("--segments", path)
    missing = set()
    stack = re.search(r"^\s*GNU_STACK\s.*\s([RWE ]{3})\s0x\w+\s*$", segments, re.M)
    if not stack or "E" in stack[1]:
        missing.add("stack without execution")
    if not re.search(r"^\s*GNU_RELRO\s", segments, re.M):
        missing.add("read-only relocations")
    return missing


def missing_in_executable(path):
    missing = missing_in_file(path)
    dynamic = readelf("--dynamic", path)
    flags = " ".join(re.findall(r"\((?:FLAGS|FLAGS_1)\)\s+(.*)", dynamic))
    if not re.search(r"Type:\s+DYN", readelf("--file-header", path)) or not re.search(r"\bPIE\b", flags):
        missing.add("PIE")
    if not re.search(r"\b(BIND_NOW|NOW)\b", flags):
        missing.add("immediate binding")
    return missing | missing_in_code(readelf("--dyn-syms", path))


def missing_in_code(symbols):
    imported = set(re.findall(r"\sUND\s+(\w+)", symbols))
    missing = set() if "__stack_chk_fail" in imported else {"stack protector"}
    if not any(re.fullmatch(CHECKED, name) for name in imported):
        missing.add("checked functions")
    return missing


class Hardening(unittest.TestCase):
    def test_executables(self):
        self.assertTrue(OPTIONS.executables, "no executable was named")
        for path in OPTIONS.executables:
            with self.subTest(pathlib.Path(path).name):
                self.assertEqual(missing_in_executable(path), set())

    def test_modules(self):
        # Of an executable alone one cannot say whose code it is: libraries of the distribution are hardened.
        self.assertTrue(OPTIONS.modules, "no module was named")
        missing = {pathlib.Path(path).name: missing_in_code(readelf("--symbols", path)) for path in OPTIONS.modules}
        self.assertEqual([name for name, words in missing.items() if "stack protector" in words], [])
        # Most calls are of lengths that the compiler knows: not every module has one that is checked as it runs.
        self.assertFalse(all("checked functions" in words for words in missing.values()))

    def test_what_is_loaded_into_programs_and_compilers(self):
        for path in OPTIONS.libraries:
            with self.subTest(pathlib.Path(path).name):
                self.assertEqual(missing_in_file(path), set())

    def test_what_is_left_out_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "program.c")
            source.write_text(PROGRAM, encoding="utf-8")
            program = pathlib.Path(folder, "program")
            for flags, expected in (((), set()), *WITHOUT):
                with self.subTest(flags=flags):
                    subprocess.run([OPTIONS.compiler, *HARDENED, *flags, str(source), "-o", str(program)], check=True)
                    self.assertEqual(missing_in_executable(program), expected)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--executables", nargs="+", required=True)
    parser.add_argument("--modules", nargs="+", required=True)
    parser.add_argument("--libraries", nargs="*", default=[])
    parser.parse_args(namespace=OPTIONS)
    unittest.main(argv=sys.argv[:1])
