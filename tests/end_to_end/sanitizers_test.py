"""Programs built for a sanitizer: it reports nothing of what Ridge inserted, and the counts are exact. Nor does that of
threads report anything of the runtime."""

import pathlib
import shutil
import subprocess
import unittest

import support
from counts import whole_program

ROUNDS = 20
FLOPS = ROUNDS * 4 * (2 * 1000 + 1)
REPORTS = ("WARNING: ThreadSanitizer", "ERROR: AddressSanitizer", "ERROR: LeakSanitizer", "runtime error:")


class Sanitizers(unittest.TestCase):
    def program(self, sanitizer, level):
        flags = (level, "-g", f"-fsanitize={sanitizer}", "-fno-sanitize-recover=undefined")
        return support.compile_c("clean_threads.c", flags, link=["-pthread"])

    def check_quiet(self, done):
        for report in REPORTS:
            self.assertNotIn(report, done.stdout + done.stderr)

    def check(self, sanitizer):
        for level in ("-O0", "-O2"):
            program = self.program(sanitizer, level)
            with self.subTest(level=level):
                alone = support.run([program, ROUNDS], env=support.environment())
                self.check_quiet(alone)
                self.assertEqual(alone.stdout, f"{ROUNDS * 4 * 1000:.1f}\n")
                for options in ("--no-traffic", "--traffic=exact"):
                    # LeakSanitizer does not work in a process that somebody traces.
                    env = support.environment(ASAN_OPTIONS="detect_leaks=0")
                    done = support.ridge_run([program, ROUNDS], ["--json", options], env=env)
                    self.check_quiet(done)
                    profile = support.validated(support.parse_json(done.stdout))
                    self.assertEqual(whole_program(profile).flops, FLOPS)

    def test_thread(self):
        self.check("thread")

    def test_address(self):
        self.check("address")

    def test_undefined(self):
        self.check("undefined")


class Runtime(unittest.TestCase):
    """The runtime itself built with -fsanitize=thread, by the compiler of the program. It stands in front of the sanitizer's
    library, whose threads are then ready before the runtime's part of their start."""

    THREADS, WAVES = 16, 12
    NOT_SHARED = ("kokkos.c", "library_names_static.c")

    @classmethod
    def setUpClass(cls):
        cls.clang = shutil.which("clang-19")
        library = cls.clang and subprocess.run([cls.clang, "-print-file-name=libclang_rt.tsan-x86_64.so"], check=True,
                                               capture_output=True, text=True).stdout.strip()
        if not library or not pathlib.Path(library).is_file():
            raise unittest.SkipTest("clang has no shared library of the thread sanitizer here")
        cls.sanitizer = pathlib.Path(library).parent
        cls.folder = support.own_folder(cls)
        cls.runtime = cls.build()

    @classmethod
    def build(cls):
        """As runtime/CMakeLists.txt does with RIDGE_SANITIZE; the simulator, which runs under the runtime's locks, as it is."""
        sources = [p for p in sorted((support.SOURCE / "runtime").glob("*.c")) if p.name not in cls.NOT_SHARED]
        runtime = cls.folder / "libridge_runtime.so"
        simulator = support.BUILD / "cachesim" / "libridge_cachesim.a"
        support.run([cls.clang, "-fsanitize=thread", "-shared-libsan", "-shared", "-fPIC", "-O1", "-g1", "-D_GNU_SOURCE",
                     "-DRIDGE_EXIT_PASSES=3", "-ftls-model=initial-exec", "-fno-builtin", "-fvisibility=hidden",
                     f"-I{support.SOURCE}", f"-I{support.BUILD}/generated", "-Wl,-z,nodelete",
                     "-Wl,-soname,libridge_runtime.so", *sources, simulator, "-o", runtime, "-ldl", "-pthread"])
        return runtime

    def measure(self, program, *words, options):
        script = self.folder / "sanitized"
        script.write_text(f'#!/bin/sh\nLD_LIBRARY_PATH="{self.folder}:{self.sanitizer}" LD_PRELOAD="{self.runtime}" '
                          'exec "$@"\n')
        script.chmod(0o755)
        return support.ridge_run([script, program, *words], ["--json", "--launcher", *options], check=False)

    def test_the_sanitizer_sees_the_runtime_and_reports_nothing(self):
        symbols = support.run(["nm", "-D", "--undefined-only", self.runtime]).stdout
        self.assertIn("__tsan_atomic64_compare_exchange", symbols)
        program = support.compile_c("waves.c", ("-O1", "-g", "-fsanitize=thread", "-shared-libsan"), link=["-pthread"])
        for options in (["--no-traffic"], ["--traffic=exact"]):
            with self.subTest(options=options):
                done = self.measure(program, self.THREADS, self.WAVES, options=options)
                self.assertNotIn("ThreadSanitizer", done.stdout + done.stderr)
                self.assertEqual(done.returncode, 0, done.stderr)
                profile = support.validated(support.parse_json(done.stdout))
                self.assertEqual(whole_program(profile).flops, self.THREADS * self.WAVES * 2 * 100)


if __name__ == "__main__":
    unittest.main()
