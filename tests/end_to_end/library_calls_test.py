"""`ridge run --libraries`: calls of BLAS, LAPACK and FFTW with their sizes and the textbook's work against closed forms, in
instrumented programs and in programs as they are; what the program computes stays the same to the last bit."""

import math
import os
import subprocess
import sys
import unittest

import support

LINK = ["-lblas", "-llapack", "-lfftw3", "-lm"]
N = 64
LU = 2 * N**3 / 3 - N**2 / 2 + 5 * N / 6  # multiplications, reciprocals of pivots and subtractions of an LU factorisation

# By function and sizes: calls, work of all of them.
EXPECTED = {
    ("dgemm", "60 x 50 x 40"): (12, 12 * 2 * 60 * 50 * 40),
    ("dgemm", "64 x 64 x 64"): (1, 2 * N**3),
    ("dtrsm", "20 x 30, right"): (1, 20 * 30**2),
    ("zgemv", "20 x 10"): (1, 8 * 20 * 10),
    ("ddot", "64"): (1, 2 * N),
    ("snrm2", "64"): (1, 2 * N),
    ("dgeqrf", "64 x 48"): (1, None),
    ("dpotrf", "64"): (1, None),
    ("dgetrf", "64 x 64"): (1, round(LU)),
    ("fftw_execute", "1024"): (3, 3 * 5 * 1024 * 10),
    ("fftw_execute", "32 x 16, real"): (1, 5 * 512 * 9 // 2),
    ("fftw_execute", "128, 5 at once"): (1, 5 * 5 * 128 * 7),
    ("fftw_execute", "256"): (2, 2 * 5 * 256 * 8),  # FFTW's older interface for Fortran
}


class Libraries(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not (support.BUILD / "lib" / "ridge" / "libridge_libraries.so").is_file():
            raise unittest.SkipTest("this build has no layer for libraries")
        probe = subprocess.run(["gcc", "-x", "c", "-", *LINK, "-o", "/dev/null"], capture_output=True, text=True, check=False,
                               input="#include <fftw3.h>\nint main(void) { return 0; }")
        if probe.returncode != 0:
            raise unittest.SkipTest("no BLAS, LAPACK or FFTW here (scripts/install-deps --tests)")

    def setUp(self):
        self.folder = support.own_folder(self)

    def compiled(self, compiler, source="library_calls.c"):
        target = self.folder / "program"
        support.run([compiler, "-g", "-O1", support.PROGRAMS / source, *LINK, "-o", target],
                    env=support.environment())
        return target

    def check(self, compiler, options):
        program = self.compiled(compiler)
        plain = support.run([program], env=support.environment()).stdout
        done = support.ridge_run([program], ["--libraries", "--json", *options], env=support.environment(), cwd=self.folder)
        profile = support.validated(support.parse_json(done.stdout))
        self.assertIn(plain, done.stderr, "the program computes the same")
        found = {(c["name"], c.get("sizes", "")): c for c in profile["library_calls"] if not c["name"].endswith("_plan")}
        self.assertEqual(set(found), set(EXPECTED))
        for key, (calls, flops) in EXPECTED.items():
            self.assertEqual(found[key]["calls"], calls, key)
            if flops is not None:
                self.assertEqual(found[key]["flops"], flops, key)
        self.assert_leading_terms(found)
        self.assertEqual(found["dgemm", "60 x 50 x 40"]["bytes"], 12 * 8 * (60 * 40 + 40 * 50 + 60 * 50))
        names = {region["id"]: region["function"] for region in profile["regions"]}
        callers = {key: names.get(call.get("region")) for key, call in found.items()}
        for key in (("dgemm", "60 x 50 x 40"), ("dtrsm", "20 x 30, right")):
            self.assertEqual(callers[key], "multiply")
        self.assertEqual(callers["dgetrf", "64 x 64"], "factorise")
        self.assertEqual(callers["fftw_execute", "1024"], "transform")
        return profile

    def assert_leading_terms(self, found):
        """m n^2 - n^3/3 each of multiplications and additions; n^3/6 each."""
        m, n = 64, 48
        flops = found["dgeqrf", "64 x 48"]["flops"]
        self.assertTrue(math.isclose(flops, 2 * m * n**2 - 2 * n**3 / 3, rel_tol=0.06), flops)
        self.assertTrue(math.isclose(found["dpotrf", "64"]["flops"], N**3 / 3, rel_tol=0.03))

    def test_an_instrumented_program(self):
        profile = self.check(support.RIDGE_CC, ["--no-traffic"])
        libraries = {r["name"] for r in profile["regions"] if r["kind"] == "library"}
        self.assertFalse([name for name in libraries if "ridge" in name], "the layer is no library of the program")

    def test_a_program_as_it_is(self):
        if not (support.BUILD / "lib" / "ridge" / "valgrind" / "ridge-amd64-linux").is_file():
            self.skipTest("no tool for Valgrind in this build")
        self.check("gcc", ["--source", "binary", "--no-traffic"])

    def test_counts_stand_beside_the_formulas(self):
        if not (support.BUILD / "lib" / "ridge" / "valgrind" / "ridge-amd64-linux").is_file():
            self.skipTest("no tool for Valgrind in this build")
        m, n, k = 96, 128, 160
        source = self.folder / "product.c"
        source.write_text("""
#include <stdlib.h>
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*, const double*,
            const int*, const double*, double*, const int*, size_t, size_t);
int main(void) {
  const int m = %d, n = %d, k = %d;
  const double one = 1.0;
  double* a = calloc(m * k, 8);
  double* b = calloc(k * n, 8);
  double* c = calloc(m * n, 8);
  for (int i = 0; i < m * k; ++i) a[i] = 1 + i %% 7;
  for (int i = 0; i < k * n; ++i) b[i] = 1 + i %% 5;
  for (int i = 0; i < 8; ++i) dgemm_("N", "N", &m, &n, &k, &one, a, &m, b, &k, &one, c, &m, 1, 1);
  return c[0] > 0 ? 0 : 1;
}
""" % (m, n, k))
        program = self.folder / "product"
        support.run(["gcc", "-g", "-O1", source, "-lblas", "-o", program], env=support.environment())
        environment = {**support.environment(), "OPENBLAS_NUM_THREADS": "1"}
        shown = support.ridge_run([program], ["--libraries", "--source", "binary", "--no-traffic", "-o", "result"],
                                  env=environment, cwd=self.folder).stdout
        profile = support.parse_json((self.folder / "result" / "profile.json").read_text())
        modelled = sum(call["flops"] for call in profile["library_calls"])
        self.assertEqual(modelled, 8 * 2 * m * n * k)
        counted = sum(region["flops"]["total"] for region in profile["regions"]
                      if " in lib" in region["name"] and "blas" in region["name"] and "flops" in region)
        self.assertTrue(math.isclose(counted, modelled, rel_tol=0.02), f"{counted} of {modelled}")
        self.assertRegex(" ".join(shown.split()),
                         r"BLAS and LAPACK: [0-9.]+ MFlop counted in lib\S*blas\S*, (as many as|[01]\.\d % \w+ than)")

    def test_plans_that_nobody_saw_have_no_sizes(self):
        program = self.compiled("gcc", "library_plans.c")
        done = support.ridge_run([program], ["--libraries", "--json", "--launcher", "--no-traffic"],
                                 env=support.environment(), cwd=self.folder)
        profile = support.validated(support.parse_json(done.stdout))
        found = {c.get("sizes", ""): c for c in profile["library_calls"] if c["name"] == "fftw_execute"}
        expected = {str(16 << i): 4 for i in range(12)} | {"": 20, "12": 20}
        self.assertEqual({sizes: call["calls"] for sizes, call in found.items()}, expected)
        self.assertNotIn("flops", found[""])

    def test_both_layers_at_once(self):
        program = self.compiled(support.RIDGE_CC)
        done = support.ridge_run([program], ["--libraries", "--mpi", "--json", "--no-traffic"], env=support.environment())
        profile = support.parse_json(done.stdout)
        self.assertIn("no-mpi-calls", [note["code"] for note in profile["notes"]])
        self.assertEqual(len([c for c in profile["library_calls"] if c["name"] == "dgemm"]), 2)

    def test_a_program_without_them_says_so(self):
        done = support.ridge_run(["true"], ["--libraries", "--launcher", "--json", "--no-traffic"], env=support.environment())
        profile = support.validated(support.parse_json(done.stdout))
        self.assertIn("no-library-calls", [note["code"] for note in profile["notes"]])


if __name__ == "__main__":
    os.makedirs(support.WORK, exist_ok=True)
    unittest.main(argv=sys.argv, verbosity=2)
