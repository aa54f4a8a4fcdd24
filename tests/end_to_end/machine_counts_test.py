"""Flops are those of the machine code that ran: counts by hand of what back ends make of small programs, however they were
linked, stripped or loaded; and those of the optimised code, with a note, where the file is not there any more."""

import os
import unittest

import support
from closed_forms import CLOSED_FORMS, SOURCE_OF
from counts import in_file

COUNT = 1000

CONVERSION = """
#include <stdint.h>
#include <stdlib.h>
volatile double sink;
__attribute__((noinline)) void convert(const uint64_t* x, long n) {
  for (long i = 0; i < n; ++i) sink = (double)x[i] * 3.0;
}
int main(void) {
  convert(calloc(1000, sizeof(uint64_t)), 1000);
  return 0;
}
"""

PART = """
#include <stdlib.h>
__attribute__((noinline)) double NAME(const double* x, long n) {
  double sum = 0;
  for (long i = 0; i < n; ++i) sum += x[i] * 3.0;
  return sum;
}
__attribute__((noinline)) double never_NAME(double x) { return x / 3.0 + 1.0; }
"""
HOST = """
#include <stdlib.h>
double part(const double* x, long n);
int main(void) {
  double* x = calloc(1000, sizeof *x);
  return part(x, 1000) == 0 ? 0 : 1;
}
"""
LOADER = """
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  (void)argc;
  void* library = dlopen(argv[1], RTLD_NOW);
  double (*part)(const double*, long) = library ? (double (*)(const double*, long))dlsym(library, "part") : NULL;
  double* x = calloc(1000, sizeof *x);
  return part && part(x, 1000) == 0 ? 0 : 1;
}
"""
PART_FLOPS = 2 * COUNT

VANISHES = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
double part(const double* x, long n);
int main(int argc, char** argv) {
  double* x = calloc(1000, sizeof *x);
  if (argc > 2) rename(argv[2], argv[0]); else unlink(argv[0]);
  return part(x, 1000) == 0 ? 0 : 1;
}
"""

THROWS = """
#include <cstdio>
#include <cstdlib>
volatile double sink;
__attribute__((noinline)) double risky(double x, int i) {
  sink = x * 3.0;
  if (i % 4 == 3) throw i;
  return x + 1.0;
}
__attribute__((noinline)) double all(int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    try { sum += risky(1.0, i); } catch (int caught) { sum -= 2.0 / (1.0 + sum); }
  }
  return sum;
}
int main() { return all(1000) > 0 ? 0 : 1; }
"""
# A product each time; in three of four a sum in each function; in the fourth a difference, a quotient and a sum.
THROWS_FLOPS = 1000 + 750 * 2 + 250 * 3

SWITCH = """
#include <stdlib.h>
volatile double sink;
__attribute__((noinline)) void choose(int which, double x) {
  switch (which) {
    case 0: sink = x + 1.0; break;
    case 1: sink = x * x + 1.0 / x; break;
    case 2: sink = (x - 1.0) * (x - 2.0) * (x - 3.0); break;
    case 3: sink = x / 3.0; sink = x / 5.0; break;
    case 4: sink = x * 7.0; sink = x * 9.0; sink = x * 11.0; sink = x * 13.0; break;
    case 5: sink = x; break;
    case 6: sink = x * 2.5 - 1.5; break;
    case 7: sink = (x + 1.0) / (x + 2.0); break;
    default: sink = -1;
  }
}
int main(void) {
  volatile double x = 1.5;
  for (int i = 0; i < 1000; ++i) choose(i % 10, x);
  return 0;
}
"""
# Cases 0 to 7; two of ten calls have none.
SWITCH_FLOPS = 100 * (1 + 3 + 5 + 2 + 4 + 0 + 2 + 3)


def total(profile):
    (program,) = [region for region in profile["regions"] if region["kind"] == "program"]
    return support.flops_of(program)


def before_the_back_end(profile):
    """Of the optimised code, of all regions."""
    return sum(region.get("ir_flops", support.flops_of(region)) for region in profile["regions"]
               if region["kind"] != "program")


def per_turn(profile):
    (program,) = [region for region in profile["regions"] if region["kind"] == "program"]
    return {(term["kind"], term["width_bits"]): term["flops"] / COUNT for term in program["flops"]["terms"]}


def notes(profile):
    return [note["code"] for note in profile.get("notes", [])]


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)

    def write(self, name, text):
        (self.folder / name).write_text(text, "utf-8")
        return self.folder / name

    def build(self, *words, compiler=support.RIDGE_CC):
        support.run([compiler, *words], env=support.environment(), cwd=self.folder)

    def profile(self, *program):
        return support.profile_of([self.folder / program[0], *program[1:]])

    def assert_exact(self, profile, flops):
        self.assertEqual(total(profile), flops)
        self.assertNotIn("ir-counts", notes(profile))
        self.assertNotIn("uncounted-code", notes(profile))
        self.assertFalse([r["name"] for r in profile["regions"] if "flops_interval" in r])


class BackEnd(Folder):
    def test_conversion_of_unsigned_integers_adds_and_subtracts(self):
        """SSE2 has no instruction for it: both halves are placed into the mantissas of two numbers, from which their
        excess is taken in one subtraction of two lanes, and added up. The optimised code has the product alone."""
        self.write("convert.c", CONVERSION)
        self.build("-O2", "convert.c", "-o", "convert")
        profile = self.profile("convert")
        self.assertEqual(before_the_back_end(profile), COUNT)
        self.assertEqual(per_turn(profile), {("mul", 64): 1, ("add", 128): 2, ("add", 64): 1})
        self.assert_exact(profile, 4 * COUNT)


class Linking(Folder):
    def setUp(self):
        super().setUp()
        self.write("part.c", PART.replace("NAME", "part"))
        self.write("other.c", PART.replace("NAME", "other"))
        self.write("host.c", HOST)

    def test_compiled_and_linked_in_one_step(self):
        self.build("-O2", "host.c", "part.c", "-o", "program")
        self.assert_exact(self.profile("program"), PART_FLOPS)

    def test_static_library(self):
        self.build("-O2", "-c", "part.c", "-o", "part.o")
        self.build("-O2", "-c", "other.c", "-o", "other.o")
        support.run(["ar", "rcs", self.folder / "libpart.a", self.folder / "part.o", self.folder / "other.o"])
        self.build("-O2", "host.c", "-L.", "-lpart", "-o", "program")
        self.assert_exact(self.profile("program"), PART_FLOPS)

    def test_shared_library(self):
        self.build("-O2", "-fPIC", "-shared", "part.c", "other.c", "-o", "libpart.so")
        self.build("-O2", "host.c", "-L.", "-lpart", f"-Wl,-rpath,{self.folder}", "-o", "program")
        self.assert_exact(self.profile("program"), PART_FLOPS)

    def test_library_loaded_while_the_program_runs(self):
        self.write("loader.c", LOADER)
        self.build("-O2", "-fPIC", "-shared", "part.c", "-o", "libpart.so")
        self.build("-O2", "loader.c", "-o", "program", "-ldl")
        self.assert_exact(self.profile("program", self.folder / "libpart.so"), PART_FLOPS)

    def test_functions_that_the_linker_dropped(self):
        self.build("-O2", "-ffunction-sections", "host.c", "other.c", "part.c", "-Wl,--gc-sections", "-o", "program")
        symbols = support.run(["nm", self.folder / "program"]).stdout
        self.assertNotIn("never_part", symbols)
        self.assertIn(" part", symbols)
        self.assert_exact(self.profile("program"), PART_FLOPS)

    def test_static_functions_of_one_text_in_two_units(self):
        """Their probes have one name."""
        text = "static __attribute__((noinline)) double twice(double x) { return x * 2.0 + 1.0; }\n"
        for unit in ("one", "two"):
            self.write(f"{unit}.c", text + f"double {unit}(double x) {{ return twice(x); }}\n")
        self.write("main.c", "double one(double); double two(double);\n"
                             "int main(void) { volatile double x = 1; for (int i = 0; i < 10; ++i) x = one(1);\n"
                             "for (int i = 0; i < 100; ++i) x = two(1); return x == 0; }\n")
        self.build("-O1", "main.c", "one.c", "two.c", "-o", "program")
        self.assert_exact(self.profile("program"), 2 * 110)

    def test_stripped_programs_count_the_same(self):
        self.write("convert.c", CONVERSION)
        self.build("-O2", "-g", "convert.c", "-o", "convert")
        whole = total(self.profile("convert"))
        for option in ("-g", "--strip-unneeded", "-s"):
            with self.subTest(option):
                support.run(["strip", option, self.folder / "convert", "-o", self.folder / "stripped"])
                self.assert_exact(self.profile("stripped"), whole)


class OtherFile(Folder):
    """A program that is not there any more when it ends, or another one."""

    def setUp(self):
        super().setUp()
        self.write("part.c", PART.replace("NAME", "part"))
        self.write("vanishes.c", VANISHES)
        self.build("-O2", "vanishes.c", "part.c", "-o", "program")

    def assert_counts_of_the_ir(self, profile):
        self.assertIn("ir-counts", notes(profile))
        self.assertEqual(total(profile), PART_FLOPS)
        self.assertFalse([r["name"] for r in profile["regions"] if "ir_flops" in r])

    def test_deleted(self):
        profile = self.profile("program")
        self.assertFalse((self.folder / "program").exists())
        self.assert_counts_of_the_ir(profile)

    def test_built_anew(self):
        self.write("part.c", PART.replace("NAME", "part").replace("sum += x[i] * 3.0", "sum += x[i] / 3.0 - 1.0"))
        self.build("-O2", "vanishes.c", "part.c", "-o", "rebuilt")
        self.assert_counts_of_the_ir(self.profile("program", "x", self.folder / "rebuilt"))


class ControlFlow(Folder):
    def test_exceptions_through_counted_code(self):
        self.write("throws.cpp", THROWS)
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level):
                self.build(level, "throws.cpp", "-o", "throws", compiler=support.RIDGE_CXX)
                self.assert_exact(self.profile("throws"), THROWS_FLOPS)

    def test_switch_with_a_table(self):
        self.write("switch.c", SWITCH)
        for level in ("-O0", "-O1", "-O2"):
            with self.subTest(level):
                self.build(level, "-ffp-contract=off", "switch.c", "-o", "switch")
                self.assert_exact(self.profile("switch"), SWITCH_FLOPS)


class ClosedForms(unittest.TestCase):
    def test_flops_or_those_before_the_back_end(self):
        for level in ("-O0", "-O1", "-O2", "-O3"):
            for features in ([], ["-mavx2", "-mfma"]):
                if features and " avx2 " not in self.cpu_flags():
                    continue
                program = support.compile_kernels([level, *features])
                for kernel, size in (("triad", 1003), ("jacobi2d", 37)):
                    with self.subTest(level=level, features=features, kernel=kernel):
                        self.check(program, kernel, size)

    @staticmethod
    def cpu_flags():
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            return f" {next((line for line in file if line.startswith('flags')), '')} ".replace("\n", " ")

    def check(self, program, kernel, size):
        profile = support.profile_of([program, kernel, size, 3])
        counted = [r for r in profile["regions"]
                   if r["kind"] != "program" and os.path.basename(r.get("file", "")) == SOURCE_OF[kernel]]
        in_ir = sum(r.get("ir_flops", support.flops_of(r)) for r in counted)
        self.assertEqual(in_ir, 3 * CLOSED_FORMS[kernel](size).flops)
        self.assertNotIn("ir-counts", notes(profile))
        if not any("ir_flops" in r for r in counted):
            self.assertEqual(in_file(profile, SOURCE_OF[kernel]).flops, in_ir)


if __name__ == "__main__":
    unittest.main()
