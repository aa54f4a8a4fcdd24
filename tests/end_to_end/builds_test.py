"""Build systems take Ridge's compilers by CC, CXX and FC alone, or for single targets by find_package(ridge): a small project of
a C library, a C++ library and a program is built by each of them, and its flops are the closed form."""

import os
import shutil
import unittest

import support
from counts import whole_program
from process_test import InFolder

N = 1000
SCALED = N  # in C
SUMMED = 2 * N  # in C++
IN_MAIN = 3

SOURCES = {
    "scale.c": """
        void scale(double *x, int n) { for (int i = 0; i < n; i++) x[i] *= 0.5; }
        """,
    "sum.hpp": """
        #pragma once
        #include <vector>
        double sum_of_squares(const std::vector<double>& x);
        extern "C" void scale(double* x, int n);
        """,
    "sum.cpp": """
        #include "sum.hpp"
        double sum_of_squares(const std::vector<double>& x) { double s = 0; for (double v : x) s += v * v; return s; }
        """,
    "main.cpp": """
        #include "sum.hpp"
        #include <cstdio>
        int main(int count, char**) {
          std::vector<double> x(%d, 2.0);
          scale(x.data(), static_cast<int>(x.size()));
          double s = sum_of_squares(x);
          for (int i = 0; i < 3 * count; i++) s *= 1.5;
          std::printf("%%g\\n", s);
        }""" % N,
}
WITHOUT_FUSING = "-O1 -ffp-contract=off"

PROJECT = """
cmake_minimum_required(VERSION 3.21)
project(small LANGUAGES C CXX)
add_library(scale %(scale)s scale.c)
add_library(sum STATIC sum.cpp)
add_executable(program main.cpp)
target_link_libraries(program PRIVATE scale sum)
%(more)s
"""


class Project(InFolder):
    def setUp(self):
        super().setUp()
        self.write(SOURCES)

    def write(self, texts):
        for name, text in texts.items():
            (self.folder / name).write_text(text, "utf-8")

    def environment(self, **extra):
        """Without what the build of Ridge itself is configured by."""
        kept = support.environment(CCACHE_DISABLE="1")
        for name in ("CC", "CXX", "FC", "CFLAGS", "CXXFLAGS", "LDFLAGS", "MAKEFLAGS", "MAKELEVEL"):
            kept.pop(name, None)
        kept = {k: v for k, v in kept.items() if not k.startswith("CMAKE_")}
        kept.update(extra)
        return kept

    def flops(self, program="program", *options):
        profile = support.profile_of([self.folder / program], ("--no-traffic", *options), cwd=self.folder)
        return whole_program(profile).flops


class Cmake(Project):
    def configure(self, *options, scale="STATIC", more="", generator="Ninja", build="build", env=None, check=True):
        self.write({"CMakeLists.txt": PROJECT % {"scale": scale, "more": more}})
        return support.run(["cmake", "-S", self.folder, "-B", self.folder / build, "-G", generator,
                            f"-DCMAKE_C_FLAGS={WITHOUT_FUSING}", f"-DCMAKE_CXX_FLAGS={WITHOUT_FUSING}", *options],
                           env=env or self.environment(), check=check)

    def build(self, build="build", env=None):
        return support.run(["cmake", "--build", self.folder / build, "-j2"], env=env or self.environment())

    def toolchain(self):
        return f"-DCMAKE_TOOLCHAIN_FILE={support.BUILD / 'lib' / 'cmake' / 'ridge' / 'ridge.cmake'}"

    def found(self, *compilers):
        """Configured with another compiler; find_package(ridge) finds the build tree."""
        c, cxx = compilers or ("gcc", "g++")
        return [f"-DCMAKE_C_COMPILER={c}", f"-DCMAKE_CXX_COMPILER={cxx}",
                f"-Dridge_DIR={support.BUILD / 'lib' / 'cmake' / 'ridge'}"]

    def test_toolchain_file(self):
        self.configure(self.toolchain(), scale="SHARED")
        self.build()
        self.assertEqual(self.flops("build/program"), SCALED + SUMMED + IN_MAIN)

    def test_precompiled_headers_unity_and_objects(self):
        self.configure(self.toolchain(), "-DCMAKE_UNITY_BUILD=ON", scale="OBJECT", generator="Unix Makefiles",
                       more="target_precompile_headers(sum PRIVATE sum.hpp <vector>)\n"
                            "target_precompile_headers(program PRIVATE <vector>)")
        self.build()
        self.assertEqual(self.flops("build/program"), SCALED + SUMMED + IN_MAIN)

    def test_one_target_of_a_project_for_gcc(self):
        for target, generator, compilers, flops in (("scale", "Ninja", ("gcc", "g++"), SCALED),
                                                    ("sum", "Unix Makefiles", ("gcc", "g++"), SUMMED),
                                                    ("program sum", "Ninja", ("clang-19", "clang++-19"),
                                                     SUMMED + IN_MAIN)):
            with self.subTest(target):
                build = target.replace(" ", "-")
                self.configure(*self.found(*compilers), generator=generator, build=build,
                               more=f"find_package(ridge 0.1 REQUIRED)\nridge_instrument({target})")
                self.build(build)
                self.assertEqual(self.flops(f"{build}/program"), flops)

    def test_a_shared_library_of_a_project_for_gcc(self):
        """With a marker in the program, which gcc compiles."""
        text = SOURCES["main.cpp"].replace("scale(x.data()", 'ridge::Marker marker("all"); scale(x.data()')
        self.write({"main.cpp": "#include <ridge/marker.h>\n" + text})
        self.configure(*self.found(), scale="SHARED", more="""
            find_package(ridge REQUIRED COMPONENTS instrument)
            ridge_instrument(scale)
            target_link_libraries(program PRIVATE ridge::markers)""")
        self.build()
        # The program itself has no counters and would be measured as it is.
        self.assertEqual(self.flops("build/program", "--launcher"), SCALED)

    def test_precompiled_headers_and_options_of_gcc(self):
        self.configure(*self.found(), more="""
            find_package(ridge REQUIRED)
            target_precompile_headers(sum PRIVATE sum.hpp <vector>)
            target_compile_options(sum PRIVATE -Wall -Wlogical-op -Werror -fipa-pta -fmax-errors=5)
            ridge_instrument(sum program)""")
        said = self.build().stdout
        self.assertIn("-fipa-pta is left out", said)
        self.assertEqual(self.flops("build/program"), SUMMED + IN_MAIN)

    def test_openmp_of_a_project_for_gcc(self):
        self.write({"scale.c": """
            #include <omp.h>
            void scale(double *x, int n) {
              #pragma omp parallel for num_threads(2)
              for (int i = 0; i < n; i++) x[i] *= 0.5;
            }"""})
        self.configure(*self.found(), scale="SHARED", more="""
            find_package(OpenMP REQUIRED)
            target_link_libraries(scale PRIVATE OpenMP::OpenMP_C)
            find_package(ridge REQUIRED)
            ridge_instrument(scale)""")
        self.build()
        self.assertEqual(self.flops("build/program", "--launcher"), SCALED)

    def test_what_cannot_be_instrumented_is_said(self):
        for more, word in (("ridge_instrument(none)", "no target none"),
                           ("add_library(heads INTERFACE)\nridge_instrument(heads)", "nothing is compiled"),
                           ("find_package(ridge REQUIRED COMPONENTS roofs)", "roofs")):
            with self.subTest(word):
                done = self.configure(*self.found(), more="find_package(ridge REQUIRED)\n" + more, check=False)
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(word, " ".join(done.stderr.split()))

    @unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
    def test_fortran_among_a_project_for_gfortran_is_refused(self):
        self.write({"part.f90": "subroutine part()\nend subroutine\n"})
        done = self.configure(*self.found(), "-DCMAKE_Fortran_COMPILER=gfortran", check=False, more="""
            enable_language(Fortran)
            find_package(ridge REQUIRED)
            ridge_instrument(scale)
            target_sources(scale PRIVATE part.f90)""")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("part.f90", done.stderr)
        self.assertIn("ridge.cmake", done.stderr)

    @unittest.skipUnless(shutil.which(os.environ.get("RIDGE_FLANG", "flang-new-19")), "no flang-19")
    def test_fortran_by_the_toolchain_file(self):
        self.write({
            "part.f90": "module part\ncontains\nsubroutine shrink(x, n) bind(c, name='scale')\n"
                        "use iso_c_binding\ninteger(c_int), value :: n\nreal(c_double) :: x(n)\ninteger :: i\n"
                        "do i = 1, n\nx(i) = x(i) * 0.5d0\nend do\nend subroutine\nend module\n",
            "scale.c": "", "use.f90": "subroutine other()\nuse part\nend subroutine\n"})
        self.configure(self.toolchain(), more="""
            enable_language(Fortran)
            target_sources(scale PRIVATE use.f90 part.f90)""")
        self.build()
        self.assertEqual(self.flops("build/program"), SCALED + SUMMED + IN_MAIN)

    @unittest.skipUnless(shutil.which("ccache"), "no ccache")
    def test_ccache_in_front(self):
        cache = self.folder / "cache"
        env = self.environment(CCACHE_DIR=str(cache))
        del env["CCACHE_DISABLE"]
        launchers = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache", "-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"]
        instrument = "find_package(ridge REQUIRED)\nridge_instrument(scale sum program)"
        # A launcher behind the cache would work and cache nothing: ridge_instrument puts it in front.
        ways = {"toolchain": ([self.toolchain(), *launchers], ""),
                "single": ([*self.found(), *launchers], instrument)}
        for way, (options, more) in ways.items():
            with self.subTest(way):
                for again in (False, True):
                    build = f"{way}-{again}"
                    before = self.hits(env)
                    self.configure(*options, more=more, build=build, env=env)
                    self.build(build, env)
                    self.assertEqual(self.flops(f"{build}/program"), SCALED + SUMMED + IN_MAIN)
                    self.assertEqual(self.hits(env) - before >= 3, again, "all three from the cache")

    def hits(self, env):
        lines = support.run(["ccache", "--print-stats"], env=env).stdout.splitlines()
        values = dict(line.split("\t") for line in lines)
        return int(values["direct_cache_hit"]) + int(values["preprocessed_cache_hit"])


class Others(Project):
    compilers = {"CC": str(support.RIDGE_CC), "CXX": str(support.RIDGE_CXX)}

    @unittest.skipUnless(shutil.which("meson"), "no meson")
    def test_meson(self):
        self.write({"meson.build": """
            project('small', 'c', 'cpp', default_options: ['buildtype=plain', 'b_pch=true'])
            scale = shared_library('scale', 'scale.c')
            sum = static_library('sum', 'sum.cpp')
            executable('program', 'main.cpp', link_with: [scale, sum])"""})
        env = self.environment(CFLAGS=WITHOUT_FUSING, CXXFLAGS=WITHOUT_FUSING, **self.compilers)
        support.run(["meson", "setup", "build"], env=env, cwd=self.folder)
        support.run(["meson", "compile", "-C", "build"], env=env, cwd=self.folder)
        self.assertEqual(self.flops("build/program"), SCALED + SUMMED + IN_MAIN)

    @unittest.skipUnless(shutil.which("automake"), "no automake")
    def test_autotools(self):
        self.write({
            "configure.ac": "AC_INIT([small], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_PROG_CXX\nAC_PROG_RANLIB\n"
                            "AM_PROG_AR\nAC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n",
            "Makefile.am": "noinst_LIBRARIES = libscale.a libsum.a\nbin_PROGRAMS = program\nlibscale_a_SOURCES = scale.c\n"
                           "libsum_a_SOURCES = sum.cpp\nprogram_SOURCES = main.cpp\nprogram_LDADD = libsum.a libscale.a\n"})
        env = self.environment()
        support.run(["autoreconf", "--install"], env=env, cwd=self.folder)
        support.run(["./configure", f"CFLAGS={WITHOUT_FUSING}", f"CXXFLAGS={WITHOUT_FUSING}",
                     *[f"{name}={value}" for name, value in self.compilers.items()]], env=env, cwd=self.folder)
        support.run(["make", "-j4"], env=env, cwd=self.folder)
        self.assertEqual(self.flops(), SCALED + SUMMED + IN_MAIN)

    MAKEFILE = ("program: main.o libparts.a\n\t$(CXX) @objects $(LDFLAGS) -o $@\n"
                "libparts.a: scale.o sum.o\n\t$(AR) rcsT $@ $^\n"
                "%.o: %.cpp\n\t$(CXX) @options -c $< -o $@\n"
                "%.o: %.c\n\t$(CC) @options -c $< -o $@\n")

    def test_make_with_response_files_and_a_thin_archive(self):
        self.write({"Makefile": self.MAKEFILE, "options": f"{WITHOUT_FUSING} -DNAME=\"'a b'\" -flto\n",
                    "objects": "main.o\nlibparts.a\n"})
        done = support.run(["make", "-j4", *[f"{name}={value}" for name, value in self.compilers.items()]],
                           env=self.environment(), cwd=self.folder)
        self.assertEqual(done.stderr.count("-flto is left out"), 3, done.stderr)
        self.assertEqual(self.flops(), SCALED + SUMMED + IN_MAIN)

    def test_make_by_the_launcher(self):
        launch = support.BUILD / "bin" / "ridge-launch"
        self.write({"Makefile": self.MAKEFILE, "options": f"{WITHOUT_FUSING}\n", "objects": "main.o\nlibparts.a\n"})
        support.run(["make", f"CC={launch} gcc", f"CXX={launch} g++"], env=self.environment(), cwd=self.folder)
        self.assertEqual(self.flops(), SCALED + SUMMED + IN_MAIN)

    @unittest.skipUnless(shutil.which("mpicc"), "no MPI")
    def test_compilers_of_an_mpi(self):
        self.write({"main.c": "#include <mpi.h>\nvoid scale(double*, int);\nint main(int n, char** v) { static double x[%d]; "
                              "scale(x, %d); return MPI_VERSION < 1; }" % (N, N)})
        for name, command, extra in (("launched", [support.BUILD / "bin" / "ridge-launch", "mpicc"], {}),
                                     ("told", ["mpicc"], {"OMPI_CC": str(support.RIDGE_CC),
                                                          "MPICH_CC": str(support.RIDGE_CC)})):
            with self.subTest(name):
                support.run([*command, *WITHOUT_FUSING.split(), "main.c", "scale.c", "-o", name],
                            env=self.environment(**extra), cwd=self.folder)
                self.assertEqual(self.flops(name), SCALED)

    def test_what_is_no_compiler_is_refused(self):
        for command in (["ar"], ["aarch64-linux-gnu-gcc", "-c", "scale.c"], []):
            with self.subTest(command):
                done = support.run([support.BUILD / "bin" / "ridge-launch", *command], check=False,
                                   env=self.environment(), cwd=self.folder)
                self.assertEqual(done.returncode, 2)
                self.assertIn((command or ["compiler"])[0], done.stderr)
                self.assertIn("ridge-cc", done.stderr)


class ManyLibraries(Project):
    PARTS, EACH = 50, 6

    def test_300_libraries(self):
        """Each of 50 is there six times, as files of their own: for the runtime they are 300 modules."""
        self.write({f"part{part}.c": "double work(double x) { for (int i = 0; i < %d; i++) x *= 1.5; return x; }"
                                     % (100 + part) for part in range(self.PARTS)})
        self.write({
            "open.c": """
                #include <dlfcn.h>
                #include <stdio.h>
                int main(int count, char **names) {
                  int closes = names[1][0] == 'c';
                  for (int i = 2; i < count; i++) {
                    void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
                    if (!library) { puts(dlerror()); return 1; }
                    double (*work)(double) = (double (*)(double))dlsym(library, "work");
                    if (!work || !(work(1) > 1)) return 2;
                    if (closes && dlclose(library)) return 3;
                  }
                  return 0;
                }""",
            "Makefile": "all: program " + " ".join(f"part{part}.so" for part in range(self.PARTS)) + "\n"
                        "program: open.c\n\t$(CC) -O1 $< -o $@\n"
                        "%.so: %.c\n\t$(CC) -O1 -fPIC -shared $< -o $@\n"})
        support.run(["make", "-s", "-j2", f"CC={support.RIDGE_CC}"], env=self.environment(), cwd=self.folder)
        libraries = [shutil.copy(self.folder / f"part{part}.so", self.folder / f"lib{part}-{copy}.so")
                     for copy in range(self.EACH) for part in range(self.PARTS)]
        self.assertEqual(len(set(libraries)), 300)
        for way in ("close", "keep"):
            with self.subTest(way):
                profile = support.profile_of([self.folder / "program", way, *libraries], cwd=self.folder)
                self.assertEqual(profile["program"]["exit_code"], 0)
                self.assertEqual(whole_program(profile).flops, self.EACH * sum(100 + part for part in range(self.PARTS)))


if __name__ == "__main__":
    unittest.main()
