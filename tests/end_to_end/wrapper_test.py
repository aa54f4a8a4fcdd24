"""ridge-cc and ridge-c++ are drop-in compilers."""

import os
import unittest

import support
from counts import whole_program
from process_test import InFolder

MANY_PARTS_FLOPS = 2 * (100 + 200 + 300) + 2  # main_part.c adds the three results


class DropIn(InFolder):
    def flops(self, program):
        return whole_program(support.profile_of([program], cwd=self.folder)).flops

    def test_cmake(self):
        build = self.folder / "build"
        done = support.run(["cmake", "-S", support.PROGRAMS, "-B", build, "-G", "Ninja",
                            f"-DCMAKE_C_COMPILER={support.RIDGE_CC}", "-DCMAKE_BUILD_TYPE=Release"],
                           env=support.environment())
        self.assertIn("Found OpenMP_C", done.stdout)
        support.run(["cmake", "--build", build], env=support.environment())
        self.assertEqual(self.flops(build / "program"), MANY_PARTS_FLOPS)

    def test_cmake_with_interprocedural_optimisation(self):
        project = self.folder / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text("""
            cmake_minimum_required(VERSION 3.20)
            project(parts C CXX)
            set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
            add_library(part STATIC part.cpp)
            add_library(other STATIC other.c)
            add_executable(program main.cpp)
            target_link_libraries(program part other)""", "utf-8")
        (project / "part.cpp").write_text("double part(double x) { return 3 * x; }", "utf-8")
        (project / "other.c").write_text("double other(double x) { return x + 1; }", "utf-8")
        (project / "main.cpp").write_text("""
            extern "C" double other(double x);
            double part(double x);
            int main(int count, char**) { return part(other(count)) != 6; }""", "utf-8")
        build = self.folder / "build"
        support.run(["cmake", "-S", project, "-B", build, "-G", "Ninja",
                     f"-DCMAKE_C_COMPILER={support.RIDGE_CC}", f"-DCMAKE_CXX_COMPILER={support.RIDGE_CXX}"],
                    env=support.environment())
        support.run(["cmake", "--build", build], env=support.environment())
        self.assertEqual(self.flops(build / "program"), 2)

    def test_separate_steps(self):
        steps = r"""
            for part in main_part static_part shared_part; do
              $CC -O2 -fPIC -c $SOURCE/$part.c -o $part.o
            done
            ar rcs libstatic.a static_part.o
            $CC -shared shared_part.o -o libshared.so
            $CC -O2 main_part.o -o program -L. -lstatic -lshared -Wl,-rpath,'$ORIGIN' -lm"""
        support.run(["bash", "-e", "-c", steps], cwd=self.folder,
                    env=support.environment(CC=str(support.RIDGE_CC), SOURCE=str(support.PROGRAMS)))
        self.assertEqual(self.flops(self.folder / "program"), MANY_PARTS_FLOPS)

    def test_without_the_runtime_a_program_runs_uncounted(self):
        parts = [self.folder / f"{part}.o" for part in ("main_part", "static_part", "shared_part")]
        for part in parts:
            support.run([support.RIDGE_CC, "-O2", "-fPIC", "-c", support.PROGRAMS / f"{part.stem}.c",
                         "-o", part], env=support.environment())
        outputs = set()
        for name, link in (("counted", [support.RIDGE_CC]), ("static", [support.RIDGE_CC, "-static"]),
                           ("fixed", [support.RIDGE_CC, "-no-pie"]),
                           ("gcc", ["gcc"]), ("clang", ["clang-19"]), ("gcc-static", ["gcc", "-static"])):
            with self.subTest(link=name):
                program = self.folder / name
                support.run([*link, *parts, "-o", program, "-lm"], env=support.environment())
                outputs.add(support.run([program]).stdout)
                if link[0] == support.RIDGE_CC:
                    self.assertEqual(self.flops(program), MANY_PARTS_FLOPS)
                    continue
                done = self.ridge([program])
                if "-static" in link:  # the linker leaves out the symbol that would say so
                    self.assertIn("compile and link with ridge-cc", " ".join(done.stdout.split()))
                    continue
                self.assertEqual(done.returncode, 3, done.stdout + done.stderr)
                self.assertIn("linked without Ridge's runtime", done.stderr)
                self.assertIn("ridge-c++", done.stderr)
        self.assertEqual(len(outputs), 1, outputs)

    def test_threads_without_the_runtime(self):
        part = self.folder / "crowd.o"
        support.run([support.RIDGE_CC, "-O1", "-c", support.PROGRAMS / "crowd.c", "-o", part],
                    env=support.environment())
        program = self.folder / "crowd"
        support.run(["gcc", part, "-o", program, "-pthread"])
        threads, entries, additions = 4, 1000, 7
        _, total = map(float, support.run([program, threads, entries]).stdout.split())
        self.assertEqual(total, threads * entries * additions)

    def test_code_that_ridge_compiled_is_not_opaque(self):
        """A constructor has several names, and a function without countable work no region."""
        sources = {"parts.cpp": """
            struct Domain { double* x; int n; Domain(int); ~Domain(); double sum() const; };
            Domain::Domain(int m) : x(new double[m]), n(m) { for (int i = 0; i < m; i++) x[i] = i * 0.5; }
            Domain::~Domain() { delete[] x; }
            double Domain::sum() const { double s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
            extern "C" unsigned is_error(unsigned long code) { return code > (unsigned long)-120; }
            extern "C" void nothing() {}
            extern "C" void first_name() {}
            extern "C" void second_name() __attribute__((alias("first_name")));""", "main.cpp": """
            #include <cstdio>
            struct Domain { double* x; int n; Domain(int); ~Domain(); double sum() const; };
            extern "C" unsigned is_error(unsigned long code);
            extern "C" void nothing();
            extern "C" void second_name();
            int main(int count, char**) {
              Domain domain(1000 * count);
              unsigned errors = 0;
              for (int i = 0; i < 10; i++) errors += is_error(i * count);
              nothing();
              second_name();
              std::printf("%g %u\\n", domain.sum(), errors);
            }"""}
        program = self.folder / "program"
        for name, text in sources.items():
            (self.folder / name).write_text(text, "utf-8")
        support.run([support.RIDGE_CXX, "-O2", *sources, "-o", program], cwd=self.folder,
                    env=support.environment())
        profile = support.profile_of([program], cwd=self.folder)
        (whole,) = [r for r in profile["regions"] if r["kind"] == "program"]
        self.assertEqual(whole["opaque"], {"operator delete[]": 1, "operator new[]": 1, "printf": 1})

    def test_a_plain_build_is_not_instrumented(self):
        plain = support.compile_c("ending.c", plain=True)
        self.assertNotIn(b".note.ridge", plain.read_bytes())
        self.assertIn(b".note.ridge", support.compile_c("ending.c").read_bytes())

    def test_lto_is_dropped_with_one_warning(self):
        program = self.folder / "program"
        done = support.run([support.RIDGE_CC, "-O2", "-flto", support.PROGRAMS / "ending.c", "-o",
                            program], env=support.environment())
        self.assertEqual(done.stderr.count("-flto"), 1, done.stderr)
        self.assertEqual(self.flops(program), 2 * 1000)

    def test_errors_and_exit_codes_are_the_compilers(self):
        source = self.folder / "broken.c"
        source.write_text("int main(void) { return missing; }\n", "utf-8")
        done = support.run([support.RIDGE_CC, "-c", source, "-o", self.folder / "broken.o"],
                           check=False, env=support.environment())
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing", done.stderr)

    def test_asks_like_a_compiler(self):
        for question in (["--version"], ["-dumpmachine"], ["-print-file-name=libc.so"], ["-###"]):
            with self.subTest(question=question):
                done = support.run([support.RIDGE_CC, *question], check=False,
                                   env=support.environment())
                clang = support.run(["clang-19", *question], check=False)
                self.assertEqual(done.returncode, clang.returncode, done.stderr)
                if question != ["-###"]:
                    self.assertEqual(done.stdout, clang.stdout)

    def test_warnings_as_errors_stay_clean(self):
        support.run([support.RIDGE_CC, "-O2", "-Wall", "-Wextra", "-Werror", "-c",
                     support.PROGRAMS / "ending.c", "-o", self.folder / "x.o"],
                    env=support.environment())

    def test_fast_math_adds_only_the_terms_of_reductions(self):
        program = support.compile_kernels(["-O3", "-ffast-math", "-march=x86-64-v3"])
        size, repeats = 1003, 2
        flops = whole_program(support.profile_of([program, "dot", size, repeats])).flops
        outside = whole_program(support.profile_of([program, "dot", 1, repeats])).flops
        extra = (flops - outside) - repeats * 2 * (size - 1)
        # The driver fills two arrays; the reduction adds at most the lanes of all its accumulators.
        fill = 2 * (size - 1) * 2
        self.assertLessEqual(extra - fill, repeats * 64)
        self.assertGreaterEqual(extra - fill, 0)

    def test_a_folder_with_spaces(self):
        folder = self.folder / "a folder"
        folder.mkdir()
        source = folder / "the program.c"
        source.write_text((support.PROGRAMS / "empty.c").read_text("utf-8"), "utf-8")
        program = folder / "the program"
        support.run([support.RIDGE_CC, source, "-o", program], env=support.environment())
        self.assertEqual(self.flops(program), 0)

    def test_reads_a_source_from_standard_input(self):
        program = self.folder / "program"
        text = (support.PROGRAMS / "empty.c").read_text("utf-8")
        support.run([support.RIDGE_CC, "-x", "c", "-", "-o", program], input=text,
                    env=support.environment())
        self.assertTrue(os.access(program, os.X_OK))


if __name__ == "__main__":
    unittest.main()
