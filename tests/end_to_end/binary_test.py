"""Programs as they are: `ridge run` on what compilers of the distribution made, under each engine that is here."""

import os
import pathlib
import shutil
import subprocess
import unittest

import support
from process_test import InFolder

USAGE, BAD_INPUT, UNAVAILABLE = 2, 3, 4
N, REPETITIONS = 200_000, 40


def engines():
    """Those that are here, by `ridge run --engine list`."""
    done = support.run([support.RIDGE, "run", "--engine", "list"], env=support.environment())
    found, name = [], None
    for line in done.stdout.splitlines():
        if line.startswith("  ") and not line.startswith("    "):
            name = line.strip()
        elif line.strip() == "it is here":
            found.append(name)
    return found


ENGINES = engines()


@unittest.skipUnless(shutil.which("gcc"), "no gcc")
class Measured(InFolder):
    def build(self, *flags, source="binary_known_work.c"):
        program = self.folder / "program"
        subprocess.run(["gcc", "-g", *flags, support.PROGRAMS / source, "-o", program], check=True)
        return program

    def measured(self, program, options=("--no-traffic",), **more):
        done = self.ridge(program, ["--source", "binary", *options], **more)
        self.assertTrue((self.folder / "ridge-out" / "profile.json").exists(), done.stdout + done.stderr)
        return done, self.stored()

    def region(self, profile, function, kind="loop"):
        found = [r for r in profile["regions"] if r["function"] == function and r["kind"] == kind]
        self.assertEqual(len(found), 1, [(r["kind"], r["function"], r["name"]) for r in profile["regions"]])
        return found[0]

    def need(self, engine):
        if engine not in ENGINES:
            self.skipTest(f"the engine {engine} is not here")


class Work(Measured):
    def check_work(self, engine, *flags):
        self.need(engine)
        program = self.build(*flags, "-Wl,--emit-relocs")
        done, profile = self.measured([program, str(N), str(REPETITIONS)], ["--no-traffic", "--engine", engine])
        self.assertEqual(done.returncode, 0, done.stderr)
        triad = self.region(profile, "triad")
        self.assertEqual(triad["flops"]["total"], 2 * N * REPETITIONS)
        self.assertEqual(triad["bytes"]["stored"], 8 * N * REPETITIONS)
        self.assertEqual(triad["line"], 11)
        self.assertTrue(triad["file"].endswith("binary_known_work.c"))
        self.assertEqual(self.region(profile, "dot")["flops"]["total"], 2 * N)
        return profile, triad

    def test_valgrind(self):
        profile, triad = self.check_work("valgrind", "-O2")
        self.assertEqual(triad["bytes"]["loaded"], 16 * N * REPETITIONS)
        self.assertIn("engine", [note["code"] for note in profile["notes"]])

    def test_valgrind_with_avx2_and_fma(self):
        if "fma" not in pathlib.Path("/proc/cpuinfo").read_text("utf-8"):
            self.skipTest("no FMA here")
        _, triad = self.check_work("valgrind", "-O3", "-march=haswell", "-ffast-math")
        self.assertEqual({term["kind"] for term in triad["flops"]["terms"]}, {"fma"})

    def test_bolt(self):
        self.check_work("bolt", "-O2")

    def test_avx512_is_handed_to_an_engine_that_can(self):
        self.need("valgrind")
        if "avx512f" not in pathlib.Path("/proc/cpuinfo").read_text("utf-8"):
            self.skipTest("no AVX-512 here")
        flags = ("-O3", "-march=x86-64-v4", "-mprefer-vector-width=512")
        _, profile = self.measured([self.build(*flags), str(N), "3"], ["--no-traffic", "--engine", "valgrind"])
        self.assertIn("engine-unknown-instruction", [note["code"] for note in profile["notes"]])
        self.assertFalse([r for r in profile["regions"] if "flops" in r], "of a part nothing is kept")
        _, profile = self.measured([self.build(*flags), str(N), "3", "handle"], ["--no-traffic", "--engine", "valgrind", "--force"])
        self.assertIn("engine-unknown-instruction", [note["code"] for note in profile["notes"]], "SIGILL that the program handles")
        self.need("bolt")
        _, profile = self.measured([self.build(*flags, "-Wl,--emit-relocs"), str(N), "3"], ["--force"])
        self.assertEqual(self.region(profile, "triad")["flops"]["total"], 2 * N * 3)

    def test_dynamorio(self):
        self.check_work("dynamorio", "-O2")

    def test_two_processes_are_summed(self):
        self.need("valgrind")
        program = self.build("-O2")
        _, profile = self.measured([program, str(N), "2", "fork"])
        self.assertEqual(self.region(profile, "triad")["flops"]["total"], 2 * N * 3)

    def test_ranks_are_told_apart(self):
        self.need("valgrind")
        program = self.build("-O2")
        launcher = self.folder / "launch"  # what mpirun does, as far as it matters here: rank 1 begins first
        launcher.write_text("#!/bin/sh\n"
                            f"PMI_RANK=1 {program} {N} 1500 &\nPMI_RANK=0 {program} {N} 500 &\nwait\n", "utf-8")
        launcher.chmod(0o755)
        done, profile = self.measured([launcher])
        ranks = {p["rank"]: p for p in profile["processes"] if "rank" in p}
        self.assertEqual(set(ranks), {0, 1})
        self.assertEqual(self.region(profile, "triad")["flops"]["total"], 2 * N * 2000)
        self.assertEqual(ranks[1]["flops"] - ranks[0]["flops"], 2 * N * 1000)
        self.assertGreater(ranks[1]["cpu_seconds"], ranks[0]["cpu_seconds"])
        self.assertIn(f"rank 1: {program}", done.stdout + done.stderr)
        triad = self.region(profile, "triad")
        self.assertEqual([rank["flops"] for rank in triad["ranks"]["by_rank"]], [2 * N * 500, 2 * N * 1500])
        self.assertEqual(triad["ranks"]["time_seconds"]["most_rank"], 1)
        self.assertEqual(profile["parallel"]["measured"], 2)
        self.assertIn("Time of each region over 2 ranks", done.stdout + done.stderr)

    def test_made_code_has_the_name_that_its_runtime_gives(self):
        self.need("valgrind")
        program = self.build("-O2", source="binary_named_code.c")
        before = set(pathlib.Path("/tmp").glob("perf-*.map"))
        _, profile = self.measured([program, "60000000"])
        for left in set(pathlib.Path("/tmp").glob("perf-*.map")) - before:
            left.unlink()
        made = self.region(profile, "doubled in a loop", kind="function")
        self.assertEqual(made["flops"]["total"], 60_000_000)
        self.assertGreater(made["time_seconds"]["self"]["samples"], 0)

    def test_stripped_and_static(self):
        self.need("valgrind")
        program = self.build("-O2", "-static", "-s")
        _, profile = self.measured([program, str(N), str(REPETITIONS)])
        flops = [r["flops"]["total"] for r in profile["regions"] if r["kind"] == "loop" and "flops" in r]
        self.assertIn(2 * N * REPETITIONS, flops)


class Waits(Measured):
    def test_waiting_has_no_work_by_thread(self):
        self.need("valgrind")
        source = self.folder / "uneven.c"
        source.write_text(
            "#include <omp.h>\nstatic volatile double sums[128];\nint main(void) {\n#pragma omp parallel num_threads(2)\n"
            "  for (long i = 0; i < (omp_get_thread_num() ? 1000 : 30000000); ++i) sums[64 * omp_get_thread_num()] += 1.0;\n"
            "  return 0;\n}\n", "utf-8")
        program = self.folder / "uneven"
        subprocess.run(["gcc", "-g", "-O2", "-fopenmp", source, "-o", program], check=True)
        _, profile = self.measured([program])
        waits = [r for r in profile["regions"] if "wait" in r]
        self.assertTrue(waits, "the thread that has less waits at the end")
        self.assertFalse([r["name"] for r in waits if r.get("thread_work")])
        self.assertTrue([r["name"] for r in profile["regions"] if r.get("thread_work")], "work is told apart by thread")


class Elsewhere(Measured):
    """Time that is not that of the program's own instructions has no roof."""

    def regions_by_verdict(self, profile, code):
        found = [r for r in profile["regions"] if r.get("bound", {}).get("verdict", {}).get("code") == code]
        for region in found:
            self.assertFalse({"code", "machine", "gain"} & region["bound"].keys(), region)
        return found

    def test_sleep(self):
        self.need("valgrind")
        done, profile = self.measured([self.build("-O2", source="binary_elsewhere.c"), "40", "0"])
        (sleeper,) = self.regions_by_verdict(profile, "asleep")
        self.assertIn("nanosleep", sleeper["name"])
        self.assertGreater(sleeper["asleep_seconds"], 0.5)
        self.assertIn("asleep", profile["summary"])
        self.assertRegex(done.stdout, r"nanosleep.* asleep ")

    def test_kernel(self):
        self.need("valgrind")
        done, profile = self.measured([self.build("-O2", source="binary_elsewhere.c"), "0", "30000"])
        (reader,) = [r for r in profile["regions"] if "read" in r["name"]]
        if "kernel_seconds" not in reader:
            self.skipTest("the kernel may not be sampled here")
        self.assertEqual(self.regions_by_verdict(profile, "kernel"), [reader])
        self.assertRegex(done.stdout, r"read.* in the kernel ")


class Behaviour(Measured):
    def test_streams_and_exit_code_are_the_programs(self):
        self.need("valgrind")
        program = self.build("-O2")
        words = [program, "1000", "3", "read", "exit"]
        alone = support.run(words, check=False, input="hello\n")
        done, profile = self.measured(words, input="hello\n")
        self.assertEqual(done.returncode, 7)
        self.assertTrue(done.stdout.startswith(alone.stdout), done.stdout)
        self.assertEqual(done.stdout.count("read hello"), 1)
        self.assertEqual(profile["program"]["exit_code"], 7)
        self.assertEqual(self.region(profile, "triad")["flops"]["total"], 2 * 1000 * 3, "counted although it left by _exit")

    def test_a_signal_is_kept(self):
        self.need("valgrind")
        program = self.build("-O2")
        done, profile = self.measured([program, "1000", "3", "abort"])
        self.assertEqual(done.returncode, 128 + 6)
        self.assertEqual(profile["program"]["signal"], 6)
        self.assertEqual(self.region(profile, "triad")["flops"]["total"], 2 * 1000 * 3)

    def test_a_script_runs_its_interpreter(self):
        self.need("valgrind")
        program = self.build("-O2")
        script = self.folder / "script"
        script.write_text(f"#!/bin/sh\nexec {program} 1000 3\n", "utf-8")
        script.chmod(0o755)
        done, profile = self.measured([script])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.region(profile, "triad")["flops"]["total"], 2 * 1000 * 3)


class Traffic(Measured):
    def test_streams_beyond_the_last_cache(self):
        self.need("valgrind")
        program = self.build("-O2")
        caches = "L1=32K/8,L2=256K/8,L3=1M/16"
        done, profile = self.measured([program, str(N), "10"], ["--cache", caches, "--traffic=exact", "--engine", "valgrind"])
        self.assertEqual(done.returncode, 0, done.stderr)
        triad = self.region(profile, "triad")
        self.assertEqual(triad["traffic_mode"], "exact")
        dram = triad["traffic"]["DRAM"]
        self.assertAlmostEqual(dram["read"] / (24 * N * 10), 1.0, delta=0.01, msg="with write-allocate")
        self.assertAlmostEqual(dram["written"] / (8 * N * 10), 1.0, delta=0.02)

    def test_other_caches_in_the_same_run(self):
        self.need("valgrind")
        program = self.build("-O2")
        _, profile = self.measured([program, str(N), "4"], ["--engine", "valgrind", "--also", "tiny=L1=4K/4,L2=64K/8"])
        triad = self.region(profile, "triad")
        self.assertGreater(triad["traffic_elsewhere"]["tiny"]["DRAM"]["read"], 0.9 * 24 * N * 4)


class Refused(Measured):
    def refused(self, program, code, *words, options=()):
        done = self.ridge(program, ["--no-traffic", *options])
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertFalse((self.folder / "ridge-out").exists(), "nothing is left behind")

    def test_setuid(self):
        program = self.build("-O2")
        os.chmod(program, 0o6755)
        os.chown(program, 1, 1) if os.geteuid() == 0 else None
        os.chmod(program, 0o6755)
        self.refused([program, "1", "1"], BAD_INPUT, "setuid")

    def test_another_architecture(self):
        program = self.build("-O2")
        code = bytearray(program.read_bytes())
        code[18:20] = (183).to_bytes(2, "little")
        program.write_bytes(code)
        self.refused([program, "1", "1"], BAD_INPUT, "another processor", options=("--source", "binary"))

    def test_words(self):
        program = self.build("-O2")
        self.refused([program, "1", "1"], USAGE, "`valgrnd`", "--engine list", options=("--engine", "valgrnd"))
        self.refused([program, "1", "1"], USAGE, "exclude each other", options=("--engine", "valgrind", "--source", "instrumented"))

    def test_bolt_needs_relocations(self):
        self.need("bolt")
        program = self.build("-O2")
        self.refused([program, "1", "1"], UNAVAILABLE, "emit-relocs", options=("--engine", "bolt"))

    def test_an_engine_that_is_not_here_is_named_with_what_to_install(self):
        program = self.build("-O2")
        nothing = self.folder / "nothing"
        nothing.mkdir()
        done = self.ridge([program, "1", "1"], ["--no-traffic", "--engine", "valgrind"],
                          env=support.environment(PATH=str(nothing)))
        self.assertEqual(done.returncode, UNAVAILABLE, done.stderr)
        self.assertIn("apt install valgrind", done.stderr)


if __name__ == "__main__":
    unittest.main()
