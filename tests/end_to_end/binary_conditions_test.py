"""Programs as they are in bad conditions: the work is exact or a note says why there is none, and nothing that was
measured is lost."""

import json
import os
import resource
import shutil
import signal
import subprocess
import unittest

import support
from binary_test import BAD_INPUT, Measured
from faults_test import eventually, processes_of

TURNS = 20_000_000  # enough to be seen by samples
NOBODY = 65534
OPTIONS = ["--no-traffic", "--engine", "valgrind"]


class InConditions(Measured):
    """Each turn of the program's loops is two flops."""

    def setUp(self):
        super().setUp()
        self.need("valgrind")

    def compiled(self, source, name, *flags):
        target = self.folder / name
        support.run(["gcc", "-g", "-O2", *flags, support.PROGRAMS / source, "-o", target])
        return target

    def program(self, *flags, name="program"):
        return self.compiled("binary_conditions.c", name, *flags)

    def command(self, *program, options=OPTIONS):
        """Of ridge, to be started by another program."""
        return [support.RIDGE, "run", "--source", "binary", *options, "--machine", support.MACHINE, "--", *program]

    def measure(self, program, **more):
        return self.measured(program, OPTIONS, **more)

    def measure_to_its_end(self, program, **more):
        done, profile = self.measure(program, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(profile["program"]["exit_code"], 0)
        return profile

    def notes(self, profile):
        return {note["code"]: note["text"] for note in profile["notes"]}

    def flops(self, profile):
        """Of each loop that has any, by the name of its region; the program's are their sum."""
        found = {r["name"]: r["flops"]["total"] for r in profile["regions"] if r["kind"] == "loop" and support.flops_of(r)}
        (program,) = [r for r in profile["regions"] if r["kind"] == "program"]
        self.assertEqual(sum(found.values()), support.flops_of(program), "no other code has any")
        return found

    def assert_times_without_counts(self, profile, *words):
        self.assertGreater(self.region(profile, "step")["time_seconds"]["self"]["samples"], 0)
        self.assertFalse([r["name"] for r in profile["regions"] if "flops" in r], "of a part nothing is kept")
        for word in words:
            self.assertIn(word, self.notes(profile)["no-counts"])


class Linked(InConditions):
    def check_exact(self, *flags):
        profile = self.measure_to_its_end([self.program(*flags), "alone", "100000"])
        self.assertEqual(self.flops(profile), {"step": 200_000})

    def test_position_independent(self):
        self.check_exact("-pie", "-fPIE")

    def test_at_a_fixed_address(self):
        self.check_exact("-no-pie", "-fno-pie")

    def test_static_and_position_independent(self):
        self.check_exact("-static-pie", "-w")

    def test_32_bits(self):
        program = self.folder / "program"
        source = support.PROGRAMS / "binary_conditions.c"
        if subprocess.run(["gcc", "-m32", source, "-o", program], capture_output=True, check=False).returncode != 0:
            self.program()
            code = bytearray(program.read_bytes())
            code[4] = 1  # the class in the header
            program.write_bytes(code)
        done = self.ridge([program, "alone", "1"], ["--source", "binary", *OPTIONS])
        self.assertEqual(done.returncode, BAD_INPUT, done.stderr)
        self.assertIn("32-bit", done.stderr)
        self.assertFalse((self.folder / "ridge-out").exists())

    @unittest.skipUnless(shutil.which("upx"), "no upx")
    def test_packed(self):
        program = self.program("-no-pie", "-static", "-w")
        subprocess.run(["upx", "-q", program], check=True, capture_output=True)
        profile = self.measure_to_its_end([program, "alone", str(TURNS)])
        (whole,) = [r for r in profile["regions"] if r["kind"] == "program"]
        self.assertEqual(whole["flops"]["total"], 2 * TURNS)


class Code(InConditions):
    def test_code_that_is_made_and_written_over(self):
        profile = self.measure_to_its_end([self.program(), "code", "10"])
        (made,) = [r for r in profile["regions"] if support.flops_of(r) and r["kind"] != "program"]
        self.assertIn("made at run time", made["name"])
        self.assertEqual(made["flops"]["total"], 2 * 1000 * 10)
        self.assertIn("code-changed", self.notes(profile))

    def test_a_library_that_comes_and_goes(self):
        library = self.compiled("binary_conditions_library.c", "library.so", "-shared", "-fPIC")
        profile = self.measure_to_its_end([self.program(), "library", "1000", library])
        self.assertEqual(self.flops(profile), {"of_library in library.so": 5 * 2 * 1000})

    def test_5000_functions(self):
        lines = []
        for k in range(5000):
            lines += [f"f{k}:", f"mov ${k + 1}, %ecx", "0: mulsd %xmm0, %xmm0", "addsd %xmm0, %xmm0", "dec %ecx", "jnz 0b",
                      "ret", f".type f{k}, @function", f".size f{k}, . - f{k}"]
        lines += [".globl main", ".type main, @function", "main: xorps %xmm0, %xmm0", *(f"call f{k}" for k in range(5000)),
                  "xor %eax, %eax", "ret", ".size main, . - main", '.section .note.GNU-stack,"",@progbits']
        source = self.folder / "many.s"
        source.write_text(".text\n" + "\n".join(lines) + "\n", "utf-8")
        program = self.folder / "many"
        support.run(["gcc", source, "-o", program])
        done = self.ridge([program], ["--source", "binary", *OPTIONS])
        self.assertEqual(done.returncode, 0, done.stderr)
        # Against the schema, or all shown where they differ, 5000 would take very long.
        profile = json.loads((self.folder / "ridge-out" / "profile.json").read_text("utf-8"))
        found = {name.partition("+")[0]: flops for name, flops in self.flops(profile).items()}
        wrong = [k for k in range(5000) if found.get(f"f{k}") != 2 * (k + 1)]
        self.assertEqual((len(found), wrong[:5]), (5000, []))


class Threads(InConditions):
    def test_200_threads(self):
        profile = self.measure_to_its_end([self.program(), "threads", "1000"])
        self.assertEqual(self.flops(profile), {"step": 2 * sum(1000 + k for k in range(200))})

    def test_signals_while_it_computes(self):
        profile = self.measure_to_its_end([self.program(), "alarms", str(TURNS)])
        self.assertEqual(self.flops(profile), {"step": 2 * TURNS, "step_in_handler": 2 * 3 * 100})


class Children(InConditions):
    def check_other_program(self, how):
        program = self.program()
        other = shutil.copy(program, self.folder / "other")
        profile = self.measure_to_its_end([program, how, "3000", other])
        self.assertEqual(self.flops(profile), {"step": 2 * 1000, "step in other": 2 * 3000})
        self.assertIn("processes-summed", self.notes(profile))

    def test_fork_and_exec(self):
        self.check_other_program("fork")

    def test_vfork_and_exec(self):
        self.check_other_program("vfork")


class Killed(InConditions):
    """The program ends with 3 in its first runs and stays in a later one, until somebody kills it."""

    def until_it_stays(self, runs, options):
        """Ridge, and the process of the engine in the run after so many."""
        temporary = self.folder / "temporary"
        temporary.mkdir()
        command = self.command(self.program(), "stay", TURNS, runs, self.folder / "runs", self.folder / "later",
                               options=options)
        ridge = subprocess.Popen([str(word) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 env=support.environment(TMPDIR=str(temporary)))
        self.addCleanup(ridge.wait)
        self.addCleanup(ridge.kill)
        self.assertTrue(eventually(lambda: (self.folder / "later").exists() or ridge.poll() is not None))
        (engine,) = processes_of(temporary)  # its record is there
        return ridge, engine

    def until_it_counts(self):
        return self.until_it_stays(1, OPTIONS)

    def until_it_simulates(self):
        return self.until_it_stays(2, ["--engine", "valgrind"])

    def kill_ridge(self, ridge):
        ridge.kill()
        ridge.wait()
        self.assertTrue(eventually(lambda: not processes_of(self.folder)), "nobody is left")
        profile = self.stored()
        self.assertIn("snapshot", self.notes(profile))
        self.assertEqual(profile["program"]["exit_code"], 3)
        return profile

    def test_ridge_while_the_engine_counts(self):
        ridge, _ = self.until_it_counts()
        profile = self.kill_ridge(ridge)
        self.assertGreater(self.region(profile, "step")["time_seconds"]["self"]["samples"], 0)
        shown = support.run([support.RIDGE, "report", "--ascii", self.folder / "ridge-out"])
        self.assertIn("snapshot", shown.stdout)

    def test_ridge_while_the_engine_simulates(self):
        ridge, _ = self.until_it_simulates()
        self.assertEqual(self.flops(self.kill_ridge(ridge)), {"step": 2 * TURNS})

    def test_the_engine_while_it_simulates(self):
        ridge, engine = self.until_it_simulates()
        os.kill(engine, signal.SIGKILL)
        self.assertEqual(ridge.wait(), 3, "as the program ended")
        profile = self.stored()
        self.assertEqual(self.flops(profile), {"step": 2 * TURNS})
        self.assertIn("no-traffic", self.notes(profile))

    def test_ridge_is_asked_to_end_while_the_engine_counts(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                ridge, _ = self.until_it_counts()
                ridge.send_signal(number)
                self.assertEqual(ridge.wait(), 3, "as the program ended")
                self.assert_times_without_counts(self.stored(), "you skipped the run that counts")
                for made in self.folder.iterdir():
                    shutil.rmtree(made) if made.is_dir() else made.unlink()

    def check_engine_that_is_ended(self, number):
        ridge, engine = self.until_it_counts()
        os.kill(engine, number)
        self.assertEqual(ridge.wait(), 3, "as the program ended")
        profile = self.stored()
        self.assertEqual(profile["program"]["exit_code"], 3)
        self.assert_times_without_counts(profile, str(128 + number))
        self.assertEqual(list((self.folder / "temporary").iterdir()), [])

    def test_the_engine_while_it_counts(self):
        self.check_engine_that_is_ended(signal.SIGKILL)

    def test_the_engine_is_asked_to_end(self):
        self.check_engine_that_is_ended(signal.SIGTERM)


class Room(InConditions):
    def check_without_room(self, program, temporary, *words):
        done, profile = self.measure([program, "alone", str(TURNS)], env=support.environment(TMPDIR=str(temporary)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_times_without_counts(profile, *words)

    def test_no_place_for_temporary_files(self):
        self.check_without_room(self.program(), "/proc", "cannot make a folder", "/proc")

    def test_full_disk(self):
        small = self.folder / "small"
        small.mkdir()
        # In a mount namespace of its own, so that nothing is left mounted.
        inside = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@"', str(small)]
        if shutil.which("unshare") is None or support.run([*inside, "true"], check=False).returncode != 0:
            self.skipTest("nothing can be mounted here")
        done = support.run([*inside, *self.command(self.program(), "alone", TURNS)], check=False, cwd=self.folder,
                           env=support.environment(TMPDIR=str(small)))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_times_without_counts(self.stored(), "is the disk full?")

    def test_limit_of_the_size_of_files(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

        done = self.ridge([self.program(), "alone", str(TURNS)], ["--source", "binary", *OPTIONS, "--json"], preexec_fn=limit)
        self.assertEqual(done.returncode, 0, done.stderr)
        profile = support.validated(support.parse_json(done.stdout))
        self.assert_times_without_counts(profile, "before it had written all counts")

    def test_limit_of_the_address_space(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))

        program = self.program()
        for taken in (1, 2500):
            with self.subTest(taken=taken):
                profile = self.measure_to_its_end([program, "memory", "100000", str(taken)], preexec_fn=limit)
                self.assertEqual(self.flops(profile), {"step": 200_000})
                shutil.rmtree(self.folder / "ridge-out")


class Rights(InConditions):
    def measure_where_forbidden(self, *flags):
        launcher = self.compiled("forbidden_calls.c", "launcher", *flags)
        if support.run([launcher, "/bin/true"], check=False).returncode != 0:
            self.skipTest("no filters of system calls here")
        done = support.run([launcher, *self.command(self.program(), "alone", 5 * TURNS)], check=False, cwd=self.folder,
                           env=support.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        profile = self.stored()
        self.assertEqual(self.flops(profile), {"step": 2 * 5 * TURNS})
        return profile

    def test_perf_events_are_forbidden(self):
        profile = self.measure_where_forbidden()
        self.assertIn("ptrace", self.notes(profile)["sampling"])
        self.assertGreater(self.region(profile, "step")["time_seconds"]["self"]["samples"], 0)

    def test_perf_events_and_ptrace_are_forbidden(self):
        profile = self.measure_where_forbidden("-DFORBID_PTRACE=1")
        self.assertIn("perf_event_paranoid", self.notes(profile)["no-times"])

    @unittest.skipUnless(os.geteuid() == 0, "not root")
    def test_a_user_without_privileges(self):
        program = self.program()
        os.chown(self.folder, NOBODY, NOBODY)
        user = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
        try:
            readable = support.run([support.RIDGE, "--version"], check=False, cwd=self.folder, **user).returncode == 0
        except OSError:
            readable = False
        if not readable:
            self.skipTest("the build tree is not for everybody")
        env = support.environment(HOME=str(self.folder), XDG_CACHE_HOME=str(self.folder / "cache"))
        profile = self.measure_to_its_end([program, "alone", str(TURNS)], env=env, **user)
        self.assertEqual(self.flops(profile), {"step": 2 * TURNS})
        self.assertEqual((self.folder / "ridge-out").stat().st_uid, NOBODY)


class Streams(InConditions):
    def test_closed_input(self):
        done = support.run(["sh", "-c", 'exec "$0" "$@" <&-', *self.command(self.program(), "read", 100_000)],
                           check=False, cwd=self.folder, env=support.environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.flops(self.stored()), {"step": 200_000})

    def without_reader(self, *words):
        reader, writer = os.pipe()
        os.close(reader)
        with open(writer, "wb") as output:
            done = self.ridge([self.program(), *words], ["--source", "binary", *OPTIONS], capture_output=False,
                              stdout=output, stderr=subprocess.PIPE)
        return done, self.stored()

    def test_a_program_that_writes_where_nobody_reads(self):
        done, profile = self.without_reader("print", str(TURNS))
        self.assertEqual(done.returncode, 128 + signal.SIGPIPE, "as alone")
        self.assertEqual(profile["program"]["signal"], signal.SIGPIPE)
        self.assert_times_without_counts(profile, "ended from outside")

    def test_a_report_that_nobody_reads(self):
        done, profile = self.without_reader("alone", "100000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.flops(profile), {"step": 200_000})


if __name__ == "__main__":
    unittest.main()
