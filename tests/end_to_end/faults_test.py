"""What ends ridge or keeps it from its work: nothing is lost in silence, nobody is left behind."""

import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

import support
from counts import whole_program

# What must come does come by then, however busy the machine.
GENEROUS_SECONDS = 120
TRIALS = int(os.environ.get("RIDGE_FAULT_TRIALS", "3"))


def eventually(condition):
    end = time.monotonic() + GENEROUS_SECONDS
    while time.monotonic() < end:
        result = condition()
        if result:
            return result
        time.sleep(0.01)
    return condition()


def is_zombie(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1] in "ZX"
    except OSError:
        return True


def processes_of(folder):
    """Living processes whose command line names this folder: ridge, its helpers, the program."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        try:
            is_ours = process.name.isdigit() and os.fsencode(folder) in (
                process / "cmdline").read_bytes()
        except OSError:
            continue
        if is_ours and int(process.name) != os.getpid() and not is_zombie(process.name):
            found.append(int(process.name))
    return found


class InFolder(unittest.TestCase):
    """A test in an empty working folder of its own, where nobody is left at the end."""

    def setUp(self):
        self.folder = support.own_folder(self)
        self.addCleanup(self.end_all)

    def end_all(self):
        for pid in processes_of(self.folder):
            os.kill(pid, signal.SIGKILL)

    def start(self, program, options=(), **more):
        command = [support.RIDGE, "run", "--machine", support.MACHINE, *options, "--", *program]
        process = subprocess.Popen([str(c) for c in command], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=support.environment(), **more)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def pids(self, name="pids", count=4):
        """What the family of faults_tree.c has written, once all have."""
        file = self.folder / name
        return eventually(lambda: file.exists() and file.read_text().count("\n") >= count and
                          [int(line) for line in file.read_text().split()])

    def stored(self, name="ridge-out"):
        """The profile, or None. It must be readable whenever it is there."""
        file = self.folder / name / "profile.json"
        if not file.exists():
            return None
        return support.validated(support.parse_json(file.read_text("utf-8")))

    def codes(self, profile):
        return {note["code"] for note in profile["notes"]}

    def assert_nobody_is_left(self):
        self.assertTrue(eventually(lambda: not processes_of(self.folder)),
                        processes_of(self.folder))


class Killed(InFolder):
    def family(self, options=(), **more):
        return self.start([support.compile_c("faults_tree.c"), self.folder], options, **more)

    def kill(self, process):
        process.send_signal(signal.SIGKILL)
        self.assertEqual(process.wait(), -signal.SIGKILL)
        self.assert_nobody_is_left()

    def assert_shown_as_snapshot(self, name="ridge-out"):
        shown = support.run([support.RIDGE, "report", "--ascii", self.folder / name])
        self.assertIn("snapshot", shown.stdout)

    def test_before_the_first_snapshot(self):
        process = self.family()
        # The oldest process of the program; snapshots come later.
        eventually(lambda: (self.folder / "pids").exists())
        self.kill(process)

    def test_in_the_first_run(self):
        process = self.family()
        self.assertEqual(len(self.pids()), 4)
        self.assertTrue(eventually(self.stored))
        self.kill(process)
        profile = self.stored()
        self.assertIn("snapshot", self.codes(profile))
        self.assertGreater(whole_program(profile).flops, 0)
        self.assertNotIn("exit_code", profile["program"])
        program = next(r for r in profile["regions"] if r["kind"] == "program")
        self.assertTrue(program["partial"])
        self.assert_shown_as_snapshot()

    def test_snapshots_are_renewed(self):
        process = self.family()
        first = eventually(self.stored)
        self.assertTrue(eventually(lambda: whole_program(self.stored()).flops >
                                   whole_program(first).flops))
        self.kill(process)

    def second_run(self, options=()):
        """A run that is in its second run, for traffic, for ever."""
        process = self.family(options)
        self.assertEqual(len(self.pids()), 4)
        (self.folder / "go").touch()
        return process

    def test_between_the_runs(self):
        process = self.second_run()
        # The profile of the complete first run comes before the second begins.
        self.assertTrue(eventually(
            lambda: self.stored() and "exit_code" in self.stored()["program"]))
        self.kill(process)
        self.assertIn("snapshot", self.codes(self.stored()))

    def test_in_the_second_run(self):
        process = self.second_run()
        self.assertEqual(len(self.pids("pids2")), 4)
        self.kill(process)
        profile = self.stored()
        self.assertIn("snapshot", self.codes(profile))
        self.assertEqual(profile["program"]["exit_code"], 0)
        program = next(r for r in profile["regions"] if r["kind"] == "program")
        self.assertNotIn("partial", program)
        self.assert_shown_as_snapshot()

    def test_at_random_moments(self):
        readable = expected = 0
        for trial in range(TRIALS):
            for file in self.folder.iterdir():
                shutil.rmtree(file) if file.is_dir() else file.unlink()
            process = self.family()
            begin = time.monotonic()
            moment = random.uniform(0.0, 5.0)
            while time.monotonic() < begin + moment:
                if time.monotonic() > begin + 2.5:
                    (self.folder / "go").touch()
                time.sleep(0.01)
            was_there = self.stored() is not None
            with self.subTest(trial=trial, moment=moment):
                self.kill(process)
                profile = self.stored()
                expected += was_there
                readable += profile is not None
                if was_there:
                    self.assertIsNotNone(profile)
                if profile:
                    self.assertIn("snapshot", self.codes(profile))
        print(f"{TRIALS} SIGKILLs at random moments: {readable} left a readable profile, {expected} "
              "had one before; no process survived any")

    def test_detached_the_program_goes_on(self):
        process = self.family(["--detach", "--no-traffic"])
        self.assertEqual(len(self.pids()), 4)
        process.send_signal(signal.SIGKILL)
        process.wait()
        done = self.folder / "pids"
        self.assertTrue(all(not is_zombie(pid) for pid in self.pids()))
        (self.folder / "go").touch()
        self.assertTrue(done.exists())
        self.assert_nobody_is_left()

    def test_results_of_older_runs_are_moved_aside_once(self):
        for _ in range(2):
            self.ridge_and_go(["--no-traffic"])
        names = {p.name for p in self.folder.iterdir() if p.is_dir()}
        self.assertEqual(names, {"ridge-out", "ridge-out.1"})
        for name in names:
            self.assertNotIn("snapshot", self.codes(self.stored(name)))
            self.assertEqual({p.name for p in (self.folder / name).iterdir()},
                             {"profile.json", "roofline.svg", "report.html"})

    def ridge_and_go(self, options):
        """A run that has written a snapshot before it ends in good order."""
        for name in ("first", "pids", "go"):
            (self.folder / name).unlink(missing_ok=True)
        before = {p.stat().st_ino for p in self.folder.glob("ridge-out*/profile.json")}
        process = self.family(options)
        self.assertTrue(eventually(lambda: (self.folder / "ridge-out" / "profile.json").exists() and
                                   (self.folder / "ridge-out" / "profile.json").stat().st_ino
                                   not in before))
        (self.folder / "go").touch()
        self.assertEqual(process.wait(timeout=GENEROUS_SECONDS), 0)


class Interrupted(InFolder):
    def interrupt(self, options, to_group):
        process = self.start([support.compile_c("faults_tree.c"), self.folder], options,
                             start_new_session=True)
        self.assertEqual(len(self.pids()), 4)
        if to_group:
            os.killpg(process.pid, signal.SIGINT)
        else:
            process.send_signal(signal.SIGINT)
        code = process.wait(timeout=GENEROUS_SECONDS)
        profile = self.stored()
        self.assertEqual(profile["program"]["signal"], signal.SIGINT)
        self.assertNotIn("snapshot", self.codes(profile))
        self.assertFalse((self.folder / "pids2").exists(), "there is no second run")
        return code

    def test_an_interrupt_of_ridge_alone_is_like_one_of_all(self):
        self.assertEqual(self.interrupt([], to_group=False), 128 + signal.SIGINT)

    def test_an_interrupt_of_the_group(self):
        self.assertEqual(self.interrupt([], to_group=True), 128 + signal.SIGINT)

    def test_a_handled_interrupt_of_ridge_alone(self):
        program = support.compile_c("handler.c")
        command = [support.RIDGE, "run", "--machine", support.MACHINE, "--", program]
        with subprocess.Popen([str(c) for c in command], cwd=self.folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, env=support.environment()) as process:
            while process.stdout.readline().strip() != "ready":
                self.assertIsNone(process.poll(), "ended before it was ready")
            process.send_signal(signal.SIGINT)
            self.assertIn("interrupted", process.stdout.read())
            self.assertEqual(process.wait(timeout=GENEROUS_SECONDS), 7)
        self.assertEqual(self.stored()["program"]["exit_code"], 7)


    def skip_traffic(self, *how):
        """The counters of a loop may hold all of its turns before they are made: traffic of a run that was cut short is
        of a part, though the counts of both runs are equal."""
        process = self.start([support.compile_c("faults_long_traffic.c"), self.folder, *how], ["--traffic=exact"],
                             start_new_session=True)
        self.assertTrue(eventually(lambda: (self.folder / "second").exists()))
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(timeout=GENEROUS_SECONDS), 0)
        profile = self.stored()
        self.assertIn("traffic-skipped", self.codes(profile))
        self.assertGreater(whole_program(profile).flops, 0)
        for region in profile["regions"]:
            self.assertLessEqual(set(region.get("traffic", {})), {"L1"}, region["name"])

    def test_an_interrupt_of_the_run_for_traffic_leaves_no_traffic(self):
        self.skip_traffic()

    def test_nor_does_one_that_the_program_handles(self):
        self.skip_traffic("handle")


class Outliving(InFolder):
    FLOPS = 2 * 200 * 1_000_000

    def run_daemon(self, how, options=("--no-traffic",)):
        # Not through a pipe: the daemon holds it open.
        output = self.folder / "output"
        with open(output, "w", encoding="utf-8") as file:
            done = support.ridge_run([support.compile_c("faults_daemon.c"), *how], options,
                                     cwd=self.folder, check=False, capture_output=False,
                                     stdout=file, stderr=file)
        return done.returncode, output.read_text("utf-8")

    def check_work(self, how, options):
        code, output = self.run_daemon([how], options)
        self.assertEqual(code, 3, output)
        self.assertNotIn("too short to be sampled", output)
        profile = self.stored()
        self.assertGreaterEqual(whole_program(profile).flops, self.FLOPS)
        loop = max((r for r in profile["regions"] if r["kind"] == "loop"),
                   key=lambda r: r["flops"]["total"])
        self.assertGreater(loop["time_seconds"]["self"]["samples"], 0)
        self.assertIn("descendants-waited", self.codes(profile))
        return loop

    def test_a_daemon_is_measured(self):
        self.check_work("daemon", ["--no-traffic"])

    def test_a_forked_child_is_measured(self):
        self.check_work("child", ["--no-traffic"])

    def test_traffic_of_a_daemon(self):
        loop = self.check_work("daemon", [])
        self.assertIn("L2", loop["traffic"])

    def test_the_limit_is_said(self):
        code, output = self.run_daemon(["stays", self.folder],
                                       ["--wait-descendants", "2", "--ascii"])
        self.assertEqual(code, 3, output)
        profile = self.stored()
        self.assertIn("descendants-left", self.codes(profile))
        self.assertIn("--wait-descendants", output)
        self.assertTrue(processes_of(self.folder), "it lives on")
        (self.folder / "go").touch()
        self.assert_nobody_is_left()

    def test_who_is_not_instrumented_is_named(self):
        with open(self.folder / "output", "w", encoding="utf-8") as file:
            support.ridge_run(["sh", "-c", f"sleep 600 & echo $! > {self.folder}/pid"],
                              ["--no-traffic", "--launcher"], cwd=self.folder,
                              capture_output=False, stdout=file, stderr=file)
        pid = int((self.folder / "pid").read_text())
        os.kill(pid, signal.SIGKILL)  # fails if it does not live on
        left = [n["text"] for n in self.stored()["notes"] if n["code"] == "descendants-not-measured"]
        self.assertEqual(len(left), 1)
        self.assertIn(f"sleep ({pid})", left[0])


class Attaching(InFolder):
    def test_without_proc(self):
        script = 'mount --make-rprivate / && umount -l /proc && exec "$@"'
        # Outside of the name space: a bare folder may have no compiler cache.
        program = support.compile_c("ending.c")
        tried = support.run(["unshare", "--mount", "sh", "-c", script, "sh", "true"], check=False)
        if tried.returncode != 0:
            self.skipTest(f"no mount name space of our own here: {tried.stderr}")
        done = support.run(["unshare", "--mount", "sh", "-c", script, "sh", support.RIDGE, "run",
                            "--machine", support.MACHINE, "--", program, "exit", "9"],
                           check=False, cwd=self.folder, env=support.environment())
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("could not attach", done.stderr)
        self.assertIn("because /proc is not there", done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_setuid(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make a program of another user")
        program = self.folder / "setuid"
        shutil.copy(support.compile_c("ending.c"), program)
        os.chown(program, 65534, -1)
        os.chmod(program, 0o4755)
        if os.statvfs(program).f_flag & os.ST_NOSUID:
            self.skipTest("this folder ignores setuid")
        if "NoNewPrivs:\t1" in pathlib.Path("/proc/self/status").read_text():
            self.skipTest("setuid is ignored here (no_new_privs)")
        done = support.ridge_run([program, "exit", "3"], [], cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 3, done.stderr)
        text = " ".join(done.stdout.split())
        self.assertIn("could not attach to the program, because it runs as another user", text)
        self.assertNotIn("ridge-cc", text)
        self.assertIn("not-attached", self.codes(self.stored()))

    def test_a_missing_library(self):
        source = self.folder / "part.c"
        source.write_text("int part(void) { return 3; }\n")
        main = self.folder / "main.c"
        main.write_text("int part(void);\nint main(void) { return part(); }\n")
        env = support.environment()
        support.run([support.RIDGE_CC, "-shared", "-fPIC", source, "-o", self.folder / "libpart.so"],
                    env=env)
        program = self.folder / "program"
        support.run([support.RIDGE_CC, main, "-L", self.folder, "-lpart", "-o", program], env=env)
        (self.folder / "libpart.so").unlink()
        done = support.ridge_run([program], [], cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 127)
        self.assertIn("before its own code ran", " ".join(done.stdout.split()))


class Limits(InFolder):
    def run_under(self, mebibytes, program, options):
        def limit():
            bytes_ = mebibytes << 20
            resource.setrlimit(resource.RLIMIT_AS, (bytes_, bytes_))

        return support.ridge_run(program, ["--json", *options], cwd=self.folder, check=False,
                                 preexec_fn=limit)

    def test_most_of_the_address_space_is_the_programs(self):
        program = support.compile_c("faults_limit.c")
        # limit -> what the program takes of it [MiB]
        for limit, taken in ((16384, 10000), (4096, 2500), (2048, 1200), (1024, 500)):
            with self.subTest(limit=limit):
                done = self.run_under(limit, [program, taken], ["--no-traffic"])
                self.assertEqual(done.returncode, 0, done.stderr)
                profile = json.loads(done.stdout)
                self.assertEqual(whole_program(profile).flops, 2 * 1000)
                self.assertIn("address-space-limit", self.codes(profile))

    def test_without_a_limit_there_is_no_note(self):
        profile = support.profile_of([support.compile_c("faults_limit.c"), "1"], cwd=self.folder)
        self.assertNotIn("address-space-limit", self.codes(profile))

    def test_little_is_enough_for_a_small_program(self):
        for limit in (512, 256):
            with self.subTest(limit=limit):
                done = self.run_under(limit, [support.compile_c("ending.c"), "exit", "3"],
                                      ["--no-traffic"])
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertEqual(whole_program(json.loads(done.stdout)).flops, 2 * 1000)


if __name__ == "__main__":
    sys.exit(unittest.main())
