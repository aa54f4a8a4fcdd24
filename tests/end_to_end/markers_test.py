"""Markers: regions that a program names while it runs. Their flops are the closed form, error 0; without Ridge they need
nothing and do nothing.

    markers_test.py Counts"""

import os
import shutil
import subprocess
import sys
import unittest

import support

INCLUDE = support.SOURCE / "include"
FORTRAN_MODULE = INCLUDE / "ridge" / "ridge_marker.f90"
KOKKOS = support.BUILD / "lib" / "ridge" / "libridge_kokkos.so"
RIDGE_FC = support.BUILD / "bin" / "ridge-fc"
N = 1000
FLAGS = ("-O0", "-O1", "-O2", "-O3", "-O3 -march=native")


def markers_of(profile):
    """By name, of all processes."""
    found = [region for region in profile["regions"] if region["kind"] == "marker"]
    assert all(region["overlaps"] for region in found)
    return {region["name"]: region for region in found}


def flops_by_name(profile):
    return {name: support.flops_of(region) for name, region in markers_of(profile).items()}


def codes(notes):
    return {note["code"] for note in notes}


def program_of(profile):
    return profile["regions"][0]


class Counts(unittest.TestCase):
    EXPECTED = {
        "outer": 10 * (1 + 2 + 4) * N, "inner": 10 * 2 * N, "loop here": 10 * 4 * N,
        "overlapping first": 2 * N, "overlapping second": (1 + 2) * N, "again": 2 * N, "nothing": 0}
    ENTRIES = {
        "outer": 1, "inner": 10, "loop here": 10,
        "overlapping first": 1, "overlapping second": 1, "again": 2, "nothing": 1}

    def test_flops_in_closed_form(self):
        for flags in FLAGS:
            with self.subTest(flags=flags):
                program = support.compile_c("markers.c", flags.split())
                profile = support.profile_of([program, N])
                self.assertEqual(flops_by_name(profile), self.EXPECTED)
                entries = {name: region["entries"] for name, region in markers_of(profile).items()}
                self.assertEqual(entries, self.ENTRIES)

    def test_the_sums_of_the_program_hold_them_once(self):
        program = support.compile_c("markers.c", ["-O2"])
        regions = support.profile_of([program, N])["regions"]
        parts = sum(support.flops_of(r) for r in regions if r["kind"] not in ("program", "marker"))
        self.assertEqual(support.flops_of(regions[0]), parts)
        # The five calls of add outside of `outer`, of which one is outside of all, and add_and_multiply.
        self.assertEqual(parts, self.EXPECTED["outer"] + (1 + 2 + 2 + 3) * N)

    def test_bytes(self):
        profile = support.profile_of([support.compile_c("markers.c", ["-O2"]), N])
        self.assertEqual(markers_of(profile)["inner"]["bytes"]["loaded"], 10 * 8 * N)
        self.assertEqual(markers_of(profile)["inner"]["bytes"]["stored"], 10 * 8 * N)

    def test_scopes_of_cpp(self):
        for flags in FLAGS:
            with self.subTest(flags=flags):
                program = support.compile_c("markers_scopes.cpp", flags.split())
                profile = support.profile_of([program, N])
                self.assertEqual(flops_by_name(profile), {"around": 4 * 2 * N, "throws": (2 * 1 + 2 * 2) * N})
                self.assertFalse(markers_of(profile)["throws"].get("notes"))

    def test_no_mark_of_the_calls_is_left(self):
        """They are no calls of a library, and no function of their own."""
        for name, flags in (("markers.c", "-O0"), ("markers.c", "-O2"), ("markers_scopes.cpp", "-O0")):
            profile = support.profile_of([support.compile_c(name, [flags]), N])
            for region in profile["regions"]:
                self.assertNotIn("ridge_marker", region["name"])
                self.assertNotIn("ridge::Marker", region["name"])
                self.assertFalse([call for call in region.get("opaque", {}) if "marker" in call])

    def test_forked_child(self):
        program = support.compile_c("markers_fork.c")
        profile = support.profile_of([program, N])
        found = {(r["process"], r["name"]): support.flops_of(r) for r in profile["regions"] if r["kind"] == "marker"}
        self.assertEqual(found, {(0, "both"): 2 * N, (1, "both"): 2 * N, (1, "child"): N})

    def test_a_million_pairs(self):
        program = support.compile_c("markers_many.c")
        found = markers_of(support.profile_of([program]))
        self.assertEqual(found["pair"]["entries"], 1000000)
        self.assertEqual(support.flops_of(found["pair"]), 0)


class Threads(unittest.TestCase):
    SIZE = 4000

    def test_threads(self):
        program = support.compile_c("markers_threads.c", ["-O2", "-fopenmp"])
        for threads in (1, 2, 3):
            with self.subTest(threads=threads):
                profile = support.profile_of([program, self.SIZE], threads=threads)
                found = markers_of(profile)
                quarter = self.SIZE // 4
                self.assertEqual(flops_by_name(profile), {
                    "around": self.SIZE, "within": self.SIZE,
                    "thread": 4 * quarter + 2 * 2 * quarter, "left open by a thread": quarter})
                self.assertEqual(found["within"]["entries"], 2)
                self.assertEqual(found["thread"]["entries"], 4 + 1 + 2)
                self.assertIn("marker-not-stopped", codes(found["left open by a thread"]["notes"]))
                self.assertIn("marker-of-threads", codes(found["within"]["notes"]))
                self.assertNotIn("marker-of-threads", codes(found["around"].get("notes", [])))

    def test_the_first_thread_takes_part(self):
        """Each of two threads starts and stops the marker around its own work; whoever comes first, it counts once."""
        program = support.compile_c("markers_part.c", ["-O2", "-pthread"])
        expected = {"second in": 5 * self.SIZE, "first in": 5 * self.SIZE, "as it comes": 8 * self.SIZE}
        for _ in range(3):
            found = markers_of(support.profile_of([program, self.SIZE]))
            self.assertEqual({name: support.flops_of(region) for name, region in found.items()}, expected)
            self.assertEqual({name: region["entries"] for name, region in found.items()}, {name: 2 for name in expected})

    def test_names_of_likwid(self):
        source = support.PROGRAMS / "markers_likwid.c"
        folder = support.own_folder(self)
        for perfmon in (True, False):
            program = folder / f"likwid{perfmon}"
            support.run([support.RIDGE_CC, "-O2", "-fopenmp", "-I", INCLUDE / "ridge" / "compat",
                         *(["-DLIKWID_PERFMON"] if perfmon else []), source, "-o", program])
            profile = support.profile_of([program, N], threads=2)
            self.assertEqual(flops_by_name(profile), {"triad": N} if perfmon else {})
            printed = support.run([program, N]).stdout
            self.assertEqual(printed, "1.5 0 0 0\n" if perfmon else "1.5 4 1 1\n")


class Traffic(unittest.TestCase):
    """A loop of one marker streams through more than all caches hold; in another one the data fit into the first."""

    SOURCE = r"""
    #include <ridge/marker.h>
    #include <stdlib.h>
    __attribute__((noinline)) static void add(double* a, long n) {
      for (long i = 0; i < n; ++i) a[i] = a[i] + 1.5;
    }
    int main(void) {
      const long n = 1 << 18, small = 256;
      double* a = aligned_alloc(4096, n * sizeof(*a));
      double* b = aligned_alloc(4096, small * sizeof(*b));
      for (long i = 0; i < n; ++i) a[i] = 0.0;
      for (long i = 0; i < small; ++i) b[i] = 0.0;
      add(a, n);
      add(b, small);
      for (int i = 0; i < 3; ++i) {
        ridge_marker_start("streams");
        add(a, n);
        ridge_marker_stop("streams");
      }
      add(b, small);
      ridge_marker_start("stays");
      for (int i = 0; i < 500; ++i) add(b, small);
      ridge_marker_stop("stays");
      return 0;
    }"""

    def test_is_that_between_start_and_stop(self):
        folder = support.own_folder(self)
        (folder / "traffic.c").write_text(self.SOURCE, "utf-8")
        support.run([support.RIDGE_CC, "-O2", folder / "traffic.c", "-o", folder / "traffic"])
        profile = support.profile_of([folder / "traffic"], options=("--traffic=exact",))
        found = markers_of(profile)
        streamed = 3 * (1 << 18) * 8
        self.assertAlmostEqual(found["streams"]["traffic"]["DRAM"]["read"], streamed, delta=0.01 * streamed)
        self.assertEqual(found["stays"]["traffic"]["DRAM"]["read"], 0)
        self.assertEqual(found["stays"]["bytes"]["loaded"], 500 * 256 * 8)
        self.assertAlmostEqual(found["streams"]["intensity"]["DRAM"],
                               1 / (8 * (1 + found["streams"]["traffic"]["DRAM"]["written"] / streamed)), delta=0.01)
        inner = [r for r in profile["regions"] if r["kind"] not in ("program", "marker")]
        total = sum(r["traffic"].get("DRAM", {"read": 0})["read"] for r in inner)
        self.assertAlmostEqual(program_of(profile)["traffic"]["DRAM"]["read"], total, delta=0.001 * total)


class Misuse(unittest.TestCase):
    def test_is_told_and_harms_nobody(self):
        program = support.compile_c("markers_odd.c")
        profile = support.profile_of([program, N])
        found = markers_of(profile)
        self.assertEqual(profile["program"]["exit_code"], 0)
        self.assertEqual(support.flops_of(found["stopped twice"]), N)
        self.assertIn("marker-not-started", codes(found["stopped twice"]["notes"]))
        self.assertNotIn("never started", found)
        self.assertIn("marker-not-started", codes(profile["notes"]))
        self.assertIn("markers-left-out", codes(profile["notes"]))
        self.assertEqual(support.flops_of(found["deep 0"]), N)
        self.assertEqual(support.flops_of(found["deep 31"]), N)
        self.assertNotIn("deep 32", found)
        self.assertEqual(support.flops_of(program_of(profile)), 3 * N)
        longest = max(found, key=len)
        self.assertEqual(longest, "x" * 511)

    def test_what_is_not_stopped_lasts_until_the_end(self):
        folder = support.own_folder(self)
        source = folder / "open.c"
        for end in ("return 0", "_exit(0)", "abort()"):
            with self.subTest(end=end):
                source.write_text("#include <ridge/marker.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
                                  "double a[1000];\n"
                                  "__attribute__((noinline)) void add(void) {\n"
                                  "  for (int i = 0; i < 1000; ++i) a[i] = a[i] + 1.5;\n}\n"
                                  f"int main(void) {{ add(); ridge_marker_start(\"open\"); add(); {end}; }}\n", "utf-8")
                support.run([support.RIDGE_CC, "-O2", source, "-o", folder / "open"])
                found = markers_of(support.profile_of([folder / "open"], check=False))
                self.assertEqual(support.flops_of(found["open"]), 1000)
                self.assertIn("marker-open", codes(found["open"]["notes"]))


@unittest.skipUnless(shutil.which(os.environ.get("RIDGE_FLANG", "flang-new-19")), "no flang-19")
class Fortran(unittest.TestCase):
    def test_module(self):
        for flags in ("-O0", "-O2"):
            with self.subTest(flags=flags):
                folder = support.own_folder(self)
                support.run([RIDGE_FC, flags, FORTRAN_MODULE, support.PROGRAMS / "markers_fortran.f90", "-o", "phases"],
                            cwd=folder)
                profile = support.profile_of([folder / "phases", N])
                self.assertEqual(flops_by_name(profile), {"assembly": 3 * N})
                self.assertEqual(markers_of(profile)["assembly"]["entries"], 3)
                self.assertFalse([r["name"] for r in profile["regions"] if "ridge_marker" in r["function"]])

    def test_without_ridge(self):
        folder = support.own_folder(self)
        support.run([os.environ.get("RIDGE_FLANG", "flang-new-19"), "-O2", FORTRAN_MODULE,
                     support.PROGRAMS / "markers_fortran.f90", "-o", "phases"], cwd=folder)
        self.assertIn("12.", support.run([folder / "phases", N]).stdout)


class WithoutRidge(unittest.TestCase):
    """The same sources, compiled by somebody else's compiler."""

    def test_runs_and_needs_nothing(self):
        compilers = [c for c in ("gcc", "clang-19") if shutil.which(c)]
        self.assertTrue(compilers)
        for compiler in compilers:
            for link in ((), ("-static",), ("-no-pie",)):
                with self.subTest(compiler=compiler, link=link):
                    folder = support.own_folder(self)
                    program = folder / "markers"
                    support.run([compiler, "-std=c11", "-Wall", "-Wextra", "-Werror", "-O2", "-I", INCLUDE, *link,
                                 support.PROGRAMS / "markers.c", "-o", program])
                    self.assertTrue(support.run([program, N]).stdout)
                    self.assertNotIn("ridge", subprocess.run(["ldd", program], capture_output=True, text=True).stdout)
                    symbols = support.run(["nm", program]).stdout
                    wanted = [line for line in symbols.splitlines() if "ridge_" in line]
                    self.assertTrue(all(line.split()[-2] == "w" for line in wanted), wanted)

    def test_is_cpp_and_strict_c(self):
        folder = support.own_folder(self)
        header = folder / "header.c"
        header.write_text("#include <ridge/marker.h>\n#include <ridge/compat/likwid-marker.h>\nint unused;\n", "utf-8")
        for language in (("gcc", "-std=c99"), ("gcc", "-std=c17"), ("g++", "-x", "c++", "-std=c++11"),
                         ("g++", "-x", "c++", "-std=c++20", "-DLIKWID_PERFMON")):
            support.run([*language, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", INCLUDE, "-c", header,
                         "-o", folder / "header.o"])

    def test_off_is_nothing_at_all(self):
        folder = support.own_folder(self)
        support.run(["gcc", "-O2", "-DRIDGE_MARKERS_OFF", "-I", INCLUDE, "-c", "-x", "c", "-", "-o", folder / "off.o"],
                    input="#include <ridge/marker.h>\nvoid f(void) { RIDGE_MARKER_START(f()); RIDGE_MARKER_STOP(0); }\n")
        self.assertNotIn("ridge", support.run(["nm", folder / "off.o"]).stdout)

    def test_built_with_ridge_and_run_without(self):
        program = support.compile_c("markers.c", ["-O2"])
        plain = support.compile_c("markers.c", ["-O2"], plain=True)
        done = support.run([program, N])
        self.assertEqual((done.stdout, done.stderr), (support.run([plain, N]).stdout, ""))


class Kokkos(unittest.TestCase):
    def test_tool(self):
        program = support.compile_c("markers_kokkos.c", ["-O2"], link=["-ldl"])
        profile = support.profile_of([program, KOKKOS, N])
        self.assertEqual(flops_by_name(profile), {
            "time step": 5 * N, "inner": 2 * N, "axpy": 2 * N, "dot": N, "offsets": N, "fence of the host": N,
            "section": N, "deep copy of a to b": N})

    def test_tool_without_ridge(self):
        folder = support.own_folder(self)
        support.run(["gcc", "-O2", support.PROGRAMS / "markers_kokkos.c", "-o", folder / "driver", "-ldl"])
        self.assertEqual(support.run([folder / "driver", KOKKOS, N]).stdout, "10.5\n")


class Shown(unittest.TestCase):
    def test_in_tables_and_in_words(self):
        folder = support.own_folder(self)
        program = support.compile_c("markers.c", ["-O2"])
        support.ridge_run([program, N], ["--no-traffic", "--output", folder / "result"])
        report = [support.RIDGE, "report", folder / "result"]
        support.run([*report, "-o", folder / "regions.csv"])
        rows = [line for line in (folder / "regions.csv").read_text("utf-8").splitlines() if ",marker," in line]
        self.assertEqual(len(rows), 7)
        words = support.run([*report, "--explain", "outer"]).stdout
        self.assertIn("outer", words)
        self.assertIn("70", words)  # kFlop


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *(f"{name}" for name in sys.argv[1:])])
