"""The measured program behaves as alone, and its results survive every end."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support
from counts import whole_program


class InFolder(unittest.TestCase):
    """A test in an empty working folder of its own."""

    def setUp(self):
        self.folder = support.own_folder(self)

    def ridge(self, program, options=("--no-traffic",), **more):
        more.setdefault("check", False)
        return support.ridge_run(program, options, cwd=self.folder, **more)

    def stored(self, name="ridge-out"):
        text = (self.folder / name / "profile.json").read_text("utf-8")
        return support.validated(support.parse_json(text))


class Streams(InFolder):
    ARGUMENTS = ["plain", "with space", "", "quote'd", 'double"d', "back\\slash", "*", "$HOME",
                 "--help", "-o", "--", "new\nline", "ümlaut"]

    def test_arguments_folder_environment_and_input(self):
        program = support.compile_c("streams.c")
        options = {"input": "1 2 3 4\n", "env": support.environment(SOME_VARIABLE="some value"),
                   "cwd": self.folder, "check": False}
        alone = support.run([program, *self.ARGUMENTS], **options)
        measured = support.ridge_run([program, *self.ARGUMENTS], ["--no-traffic", "--json"],
                                     **options)
        self.assertEqual(measured.returncode, 0, measured.stderr)
        added = [line for line in measured.stderr.splitlines() if line.startswith("env RIDGE_")]
        self.assertTrue(added, "the session is named in the environment")
        # With --json all of the program's output stands in standard error, among Ridge's own.
        theirs = [line for line in measured.stderr.splitlines() if line not in added]
        for line in (alone.stdout + alone.stderr).splitlines():
            self.assertIn(line, theirs)
        environment = [line for line in theirs if line.startswith("env ")]
        self.assertEqual(len(environment), alone.stdout.count("\nenv "), "nothing else is added")
        profile = support.validated(support.parse_json(measured.stdout))
        self.assertEqual(profile["program"]["argv"][1:], self.ARGUMENTS)
        self.assertEqual(whole_program(profile).flops, 2 * 4)

    def test_it_may_run_wherever_we_may(self):
        allowed = sorted(os.sched_getaffinity(0))
        if len(allowed) < 2:
            self.skipTest("one CPU only")
        program = [sys.executable, "-c", "import os; print('cpus', sorted(os.sched_getaffinity(0)))"]
        for variables in ({"OMP_PROC_BIND": "true", "OMP_PLACES": "cores"},
                          {"OMP_PROC_BIND": "close"}, {"GOMP_CPU_AFFINITY": str(allowed[0])}):
            with self.subTest(**variables):
                done = self.ridge(program, ["--no-traffic", "--launcher"],
                                  env=support.environment(**variables))
                self.assertIn(f"cpus {allowed}", done.stdout + done.stderr)

    def test_output_and_errors_keep_their_streams(self):
        program = support.compile_c("streams.c")
        done = self.ridge([program], input="5\n")
        self.assertIn("numbers 1 sum 2.500", done.stdout)
        self.assertIn("on standard error", done.stderr)
        self.assertNotIn("on standard error", done.stdout)

    def test_input_is_replayed_to_the_second_run(self):
        program = support.compile_c("streams.c")
        numbers = "".join(f"{i}\n" for i in range(50_000))  # more than a pipe holds
        done = self.ridge([program], ["--json"], input=numbers)
        self.assertEqual(done.returncode, 0, done.stderr)
        profile = support.validated(support.parse_json(done.stdout))
        self.assertEqual(whole_program(profile).flops, 2 * 50_000)
        codes = {note["code"] for region in profile["regions"] for note in region["notes"]}
        self.assertNotIn("traffic-dropped", codes)
        self.assertEqual(done.stderr.count("numbers 50000"), 1, "the second output is thrown away")

    def test_runs_twice_and_once_without_traffic(self):
        program = support.compile_c("twice.c")
        for options, times in ((["--no-traffic"], 1), ([], 2)):
            file = self.folder / f"log{times}"
            self.assertEqual(self.ridge([program, file], options).returncode, 0)
            self.assertEqual(file.read_text("utf-8"), "ran\n" * times)

    def test_a_closed_reader_of_the_output_is_no_crash(self):
        program = support.compile_c("ending.c")
        command = f"{support.RIDGE} run --no-traffic --machine {support.MACHINE} -- {program} | true"
        done = support.run(["bash", "-c", command + '; exit "${PIPESTATUS[0]}"'], check=False,
                           env=support.environment(), cwd=self.folder)
        self.assertIn(done.returncode, (0, 128 + signal.SIGPIPE))  # as alone
        self.assertEqual(self.stored()["program"]["argv"], [str(program)])


class Endings(InFolder):
    # how the program ends -> (exit code of `ridge run`, key and value in `program`)
    CASES = {
        ("return", "0"): (0, "exit_code", 0),
        ("return", "3"): (3, "exit_code", 3),
        ("exit", "42"): (42, "exit_code", 42),
        ("exit", "255"): (255, "exit_code", 255),
        ("_exit", "5"): (5, "exit_code", 5),
        ("abort",): (128 + 6, "signal", 6),
        ("kill", "9"): (128 + 9, "signal", 9),
        ("kill", "15"): (128 + 15, "signal", 15),
        ("trap",): (128 + 4, "signal", 4),
    }

    def test_exit_code_and_results(self):
        program = support.compile_c("ending.c")
        for number, (how, (code, key, value)) in enumerate(self.CASES.items()):
            with self.subTest(how=how):
                done = self.ridge([program, *how], ["--no-traffic", "-o", f"out{number}"])
                self.assertEqual(done.returncode, code, done.stderr)
                profile = self.stored(f"out{number}")
                self.assertEqual(profile["program"].get(key), value)
                self.assertEqual(whole_program(profile).flops, 2 * 1000)

    def test_with_traffic(self):
        program = support.compile_c("ending.c")
        for number, (how, (code, _, _)) in enumerate(self.CASES.items()):
            with self.subTest(how=how):
                done = self.ridge([program, *how], ["-o", f"out{number}"])
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertEqual(whole_program(self.stored(f"out{number}")).flops, 2 * 1000)

    def test_an_interrupt_reaches_the_program_and_the_results_are_kept(self):
        program = support.compile_c("handler.c")
        command = [support.RIDGE, "run", "--no-traffic", "--machine", support.MACHINE, "--",
                   program]
        with subprocess.Popen([str(c) for c in command], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, env=support.environment(),
                              start_new_session=True) as process:
            while process.stdout.readline().strip() != "ready":
                self.assertIsNone(process.poll(), "ended before it was ready")
            time.sleep(0.1)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does on Ctrl-C
            output = process.stdout.read()
            code = process.wait(timeout=60)
        self.assertIn("interrupted", output)
        self.assertEqual(code, 7)
        self.assertEqual(self.stored()["program"]["exit_code"], 7)

    def test_a_termination_of_ridge_reaches_the_program(self):
        program = support.compile_c("handler.c")
        command = [support.RIDGE, "run", "--no-traffic", "--machine", support.MACHINE, "--",
                   program]
        with subprocess.Popen([str(c) for c in command], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, env=support.environment()) as process:
            while process.stdout.readline().strip() != "ready":
                self.assertIsNone(process.poll(), "ended before it was ready")
            process.send_signal(signal.SIGTERM)
            code = process.wait(timeout=60)
        self.assertEqual(code, 7)

    def test_frames_left_by_exceptions_and_longjmp(self):
        program = support.compile_c("jumps.cpp")
        profile = support.profile_of([program], cwd=self.folder)
        self.assertEqual(whole_program(profile).flops, 1000 * 2 * 10)


class Processes(InFolder):
    def flops_by_process(self, profile):
        flops = {}
        for region in profile["regions"]:
            if region["kind"] != "program":
                flops.setdefault(region["process"], 0)
                flops[region["process"]] += support.flops_of(region)
        return sorted(flops.values())

    def test_fork_counts_apart(self):
        program = support.compile_c("family.c")
        for options in (["--no-traffic"], []):
            with self.subTest(options=options):
                profile = support.profile_of([program, "fork"], options, cwd=self.folder)
                self.assertEqual(len(profile["processes"]), 2)
                self.assertEqual(self.flops_by_process(profile), [2 * 1000, 2 * 3000])
                self.assertEqual(whole_program(profile).flops, 2 * 4000)

    def test_exec_of_another_instrumented_program(self):
        program = support.compile_c("family.c")
        other = support.compile_c("ending.c")
        done = self.ridge([program, "exec", other, "exit", "4"], ["--no-traffic", "--json"])
        self.assertEqual(done.returncode, 4, done.stderr)
        profile = support.validated(support.parse_json(done.stdout))
        self.assertEqual(whole_program(profile).flops, 2 * 2000)
        self.assertEqual(len(profile["processes"]), 2)

    def test_libraries_loaded_and_unloaded(self):
        host = support.compile_c("plugin_host.c", link=("-ldl",))
        library = support.compile_c("plugin.c", flags=("-O2", "-fPIC", "-shared"))
        copies = []
        for number in range(3):
            copies.append(self.folder / f"plugin{number}.so")
            shutil.copy(library, copies[-1])
        profile = support.profile_of([host, *copies], cwd=self.folder)
        self.assertEqual(whole_program(profile).flops, 3 * (2 * 500 + 1))  # 1: the host adds up

    def test_tasks_are_counted_on_whatever_thread_they_run(self):
        program = support.compile_c("tasks.c", ("-O2", "-fopenmp"))
        for threads in (1, 2):
            profile = support.profile_of([program], options=(), threads=threads)
            # 2 flop for each product, and one atomic addition for each task.
            self.assertEqual(whole_program(profile).flops, 32 * (2 * 65536 + 1))
            loop = next(r for r in profile["regions"] if support.flops_of(r) == 32 * 2 * 65536)
            self.assertEqual(loop["iterations"], 32 * 65536)
            self.assertEqual((loop["bytes"]["loaded"], loop["bytes"]["stored"]), (32 * 8 * 65536, 0))
            self.assertEqual(loop["traffic"]["L1"]["read"], 32 * 8 * 65536)

    def test_without_ridge_run_it_writes_nothing(self):
        program = support.compile_c("ending.c")
        done = support.run([program, "exit", "3"], check=False, cwd=self.folder,
                           env=support.environment())
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertEqual(list(self.folder.iterdir()), [])


class Output(InFolder):
    def test_an_unnamed_result_moves_older_ones_aside(self):
        program = support.compile_c("ending.c")
        for code in ("10", "11", "12"):
            self.assertEqual(self.ridge([program, "exit", code]).returncode, int(code))
        kept = {p.name: self.stored(p.name)["program"]["exit_code"]
                for p in self.folder.iterdir()}
        self.assertEqual(kept["ridge-out"], 12)
        self.assertEqual(sorted(kept), ["ridge-out", "ridge-out.1", "ridge-out.2"])
        self.assertEqual(sorted(kept.values()), [10, 11, 12])

    def test_a_named_result_is_overwritten_only_with_force(self):
        program = support.compile_c("ending.c")
        file = self.folder / "log"
        appending = support.compile_c("twice.c")
        self.assertEqual(self.ridge([program], ["--no-traffic", "-o", "named"]).returncode, 0)
        refused = self.ridge([appending, file], ["--no-traffic", "-o", "named"])
        self.assertIn(refused.returncode, (2, 3, 5))
        self.assertIn("--force", refused.stderr)
        self.assertFalse(file.exists(), "the program was not started")
        forced = self.ridge([program, "exit", "9"], ["--no-traffic", "-o", "named", "--force"])
        self.assertEqual(forced.returncode, 9, forced.stderr)
        self.assertEqual(self.stored("named")["program"]["exit_code"], 9)
        fresh = self.ridge([program], ["--no-traffic", "-o", "fresh", "--force"])
        self.assertEqual(fresh.returncode, 0, "--force is accepted when nothing exists")

    def test_results_are_complete_files(self):
        program = support.compile_c("hot.c")
        self.assertEqual(self.ridge([program, "300"], []).returncode, 0)
        names = {p.name for p in (self.folder / "ridge-out").iterdir()}
        self.assertLessEqual({"profile.json", "roofline.svg", "report.html"}, names)
        html = (self.folder / "ridge-out" / "report.html").read_text("utf-8")
        self.assertNotRegex(html, r'(src|href)="https?:', "no network")
        self.assertIn("</html>", html)
        self.assertIn("</svg>", (self.folder / "ridge-out" / "roofline.svg").read_text("utf-8"))

    def test_json_and_output_folder_combine(self):
        program = support.compile_c("ending.c")
        done = self.ridge([program], ["--no-traffic", "--json", "-o", "both"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout), self.stored("both"))

    def test_redact_leaves_names_of_this_place_out(self):
        program = support.compile_c("ending.c")
        done = self.ridge([program, "exit", "0", "secret-argument"], ["--no-traffic", "--redact"])
        self.assertEqual(done.returncode, 0, done.stderr)
        for file in (self.folder / "ridge-out").iterdir():
            text = file.read_text("utf-8")
            self.assertNotIn("secret-argument", text, file.name)
            self.assertNotIn(str(support.SOURCE), text, file.name)

    def test_a_result_that_cannot_be_written_after_the_run(self):
        # The program itself puts a file where the results were to go.
        program = support.compile_c("twice.c")
        (self.folder / "out").mkdir()
        (self.folder / "out" / "profile.json").mkdir()
        (self.folder / "out" / "profile.json" / "in the way").touch()
        file = self.folder / "log"
        done = self.ridge([program, file], ["--no-traffic", "--force", "-o", "out"])
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn("out", done.stderr)

    def test_a_loop_that_takes_the_time_leads_the_table(self):
        program = support.compile_c("hot.c")
        done = self.ridge([program, "2000"], ["--ascii"])
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.isascii())
        self.assertIn("work", done.stdout)
        self.assertIn("work.h", done.stdout)
        profile = self.stored()

        def self_time(region):
            return region["time_seconds"].get("self", {"value": 0.0})["value"]

        parts = [r for r in profile["regions"] if r["kind"] != "program"]
        hot = max(parts, key=self_time)
        self.assertEqual(hot["kind"], "loop")
        self.assertTrue(hot["file"].endswith("work.h"))
        self.assertGreater(self_time(hot), 0.8 * sum(self_time(r) for r in parts))


if __name__ == "__main__":
    unittest.main()
