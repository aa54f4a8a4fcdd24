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
