"""Figures by source line and the hottest block of machine code against closed forms, addr2line and objdump."""

import pathlib
import re
import shutil
import unittest

import support

SIZE = 2000
REPEATS = 100_000
SOURCE = support.PROGRAMS / "code_lines.c"
HEADER = support.PROGRAMS / "code_lines.h"
BUILDS = (("-O1", "-fno-vectorize"), ("-O2",), ("-O3", "-mavx2", "-mfma"))


def line_with(path, words):
    for number, text in enumerate(path.read_text("utf-8").splitlines(), 1):
        if words in text:
            return number
    raise AssertionError(f"{path} has no line with {words}")


def hottest(profile):
    loops = [r for r in profile["regions"] if r["kind"] == "loop" and "lines" in r]
    assert loops, "no loop has lines: " + str([n["text"] for n in profile["notes"]])
    return max(loops, key=lambda r: r["flops"]["total"])


def figures(region):
    """(file name, line) -> flops, bytes loaded, bytes stored."""
    return {
        (pathlib.Path(line.get("file", region["file"])).name, line["line"]):
            (line["flops"], line["bytes_loaded"], line["bytes_stored"])
        for line in region["lines"]
    }


class Lines(unittest.TestCase):
    def test_each_line_has_its_closed_form(self):
        runs = SIZE * REPEATS
        own, header = SOURCE.name, HEADER.name
        expected = {
            (own, line_with(SOURCE, "/* mul and load */")): (runs, 8 * runs, 0),
            (own, line_with(SOURCE, "/* mul and another load */")): (runs, 8 * runs, 0),
            (own, line_with(SOURCE, "/* add */")): (runs, 0, 0),
            (own, line_with(SOURCE, "/* store */")): (0, 0, 8 * runs),
            (header, line_with(HEADER, "one multiplication")): (runs, 0, 0),
        }
        for flags in BUILDS[:2]:
            with self.subTest(flags=flags):
                program = support.compile_c(SOURCE.name, flags)
                region = hottest(support.profile_of([program, SIZE, REPEATS]))
                self.assertEqual(figures(region), expected)

    def test_the_lines_of_kernels_hold_what_their_regions_do(self):
        sizes = {"triad": (20000, 3000), "jacobi2d": (300, 300), "gemm_blocked": (160, 20),
                 "stencil7": (40, 200), "dot": (20000, 3000)}
        for flags in (("-O2",), ("-O3", "-march=native")):
            program = support.compile_kernels(flags)
            for kernel, (size, repeats) in sizes.items():
                with self.subTest(flags=flags, kernel=kernel):
                    profile = support.profile_of([program, kernel, size, repeats])
                    checked = [r for r in profile["regions"] if "lines" in r]
                    for region in checked:
                        total = sum(line["flops"] for line in region["lines"])
                        interval = region.get("flops_interval", {"low": total, "high": total})
                        if interval["low"] == interval["high"]:
                            self.assertEqual(total, support.flops_of(region), region["name"])
                    self.assertTrue(checked, "the program was too short to be sampled")


class Block(unittest.TestCase):
    def setUp(self):
        self.program = support.compile_c(SOURCE.name, BUILDS[0])
        self.region = hottest(support.profile_of([self.program, SIZE, REPEATS]))
        self.block = self.region["hottest_block"]

    def test_it_ran_once_for_each_turn(self):
        self.assertEqual(self.block["executions"], SIZE * REPEATS)
        once = sum(one.get("flops", 0) for one in self.block["instructions"])
        self.assertEqual(once * self.block["executions"], self.region["flops"]["total"])

    @unittest.skipUnless(shutil.which("addr2line"), "no addr2line here")
    def test_lines_are_those_of_addr2line(self):
        addresses = [hex(one["address"]) for one in self.block["instructions"]]
        told = support.run(["addr2line", "-e", self.program, *addresses]).stdout.splitlines()
        for one, place in zip(self.block["instructions"], told, strict=True):
            file, line = re.match(r"(.*):(\d+|\?)", place).groups()
            # Without a line of its own it has that of the instruction that uses its result.
            if line.isdigit():
                is_own = pathlib.Path(file).name == SOURCE.name
                self.assertEqual(one.get("line"), int(line) if is_own else None, place)

    @unittest.skipUnless(shutil.which("objdump"), "no objdump here")
    def test_instructions_are_those_of_objdump(self):
        text = support.run(["objdump", "-d", "-M", "intel", "--no-show-raw-insn", self.program]).stdout
        known = dict(re.findall(r"^\s*([0-9a-f]+):\s+(\S+)", text, re.MULTILINE))
        for one in self.block["instructions"]:
            mnemonic = one["text"].split()[0]
            # The same jumps have two names.
            same = {"jz": "je", "jnz": "jne"}.get(mnemonic, mnemonic)
            self.assertEqual(same, known[f"{one['address']:x}"], one)


class Screen(unittest.TestCase):
    def test_explain_shows_figures_beside_the_source_and_the_block(self):
        program = support.compile_c(SOURCE.name, BUILDS[0])
        loop = f"{SOURCE.name}:{line_with(SOURCE, 'for (long i = 0')}"
        folder = support.own_folder(self) / "result"
        done = support.ridge_run([program, SIZE, REPEATS], ["--no-traffic", "--explain", loop, "-o", folder])
        self.assertRegex(done.stdout, r"200 MFlop\s+1\.60 GB\s+double v = a\[i\] \* 0\.5;")
        self.assertRegex(done.stdout, r"code_lines\.h:2\s+200 MFlop")
        self.assertRegex(done.stdout, r"Hottest block \(ran 200 M times")
        for line in done.stdout.splitlines():
            self.assertLessEqual(len(line), 100, line)


if __name__ == "__main__":
    unittest.main()
