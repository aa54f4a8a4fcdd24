"""`ridge bench` as a user meets it: selection, interruption, what it refuses, what it leaves behind."""

import ctypes
import fcntl
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import time
import unittest

import support

INCOMPLETE = {signal.SIGINT: 130, signal.SIGTERM: 143}


def validated(machine):
    support.validator("ridge.machine-1").validate(machine)
    return machine


class InFolder(unittest.TestCase):
    """A test in an empty working folder, with a cache of its own."""

    def setUp(self):
        self.folder = support.own_folder(self)
        self.cache = self.folder / "cache"
        self.env = support.environment(XDG_CACHE_HOME=str(self.cache))

    def bench(self, *words, **options):
        # Tests run beside one another: to wait for a quiet machine would be to wait for all of them.
        return support.run([support.RIDGE, "bench", "--wait", "0", *words], check=False,
                           cwd=self.folder, env=self.env, **options)

    def kept(self):
        """What `ridge run` would use; the lock of those who measure lies beside it."""
        return list(self.cache.rglob("*.json"))

    def stored(self, name):
        text = (self.folder / name).read_text("utf-8")
        return validated(support.parse_json(text))


class Selection(InFolder):
    def test_only_measures_what_was_named_and_is_not_kept(self):
        done = self.bench("--quick", "--only", "fp64,scalar,fma", "-o", "m.json", "--raw")
        self.assertEqual(done.returncode, 0, done.stderr)
        machine = self.stored("m.json")
        self.assertEqual(machine["effort"], "quick")
        self.assertNotIn("incomplete", machine)
        for ceiling in machine["ceilings"]:
            self.assertRegex(ceiling["id"], r"^compute\.fp64\.scalar\.fma\.t\d+$")
        self.assertEqual(self.kept(), [], "a part does not serve `ridge run`")
        self.assertIn("not kept", done.stderr)
        lines = (self.folder / "m.json.samples.jsonl").read_text("utf-8").splitlines()
        self.assertEqual([json.loads(line)["id"] for line in lines],
                         [ceiling["id"] for ceiling in machine["ceilings"]])
        for line in map(json.loads, lines):
            self.assertGreater(len(line["rates"]), 0)
            for key in ("clocks_hertz", "burst_cycles", "visits", "kept"):
                self.assertEqual(len(line[key]), len(line["rates"]), key)

    def test_int_measures_integers_of_every_instruction_set(self):
        done = self.bench("--quick", "--only", "int", "-o", "m.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        ceilings = {ceiling["id"]: ceiling for ceiling in self.stored("m.json")["ceilings"]}
        for name, ceiling in ceilings.items():
            self.assertRegex(name, r"^compute\.int(32|64)\.[a-z0-9-]+\.(add|mul)\.t\d+$")
            self.assertEqual(ceiling["value"]["unit"], "op/s")
            self.assertNotIn("limit", ceiling, "no source states one")
        for name in ("int32.scalar.add", "int64.scalar.mul", "int64.sse.add"):
            self.assertIn(f"compute.{name}.t1", ceilings)
        self.assertNotIn("compute.int64.sse.mul.t1", ceilings, "no instruction does that")
        shown = self.bench("--show", "int64.scalar.mul")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("imul", shown.stdout)
        self.assertIn("192 op (integers)", shown.stdout)

    def test_a_roof_brings_its_ceilings_along(self):
        done = self.bench("--quick", "--only", "roof,L1", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        machine = validated(support.parse_json(done.stdout))
        ids = {ceiling["id"] for ceiling in machine["ceilings"]}
        if not any(".fma." in name for name in ids):
            self.skipTest("this CPU has no fma")
        self.assertGreater(len(machine["measured_roofs"]), 0)
        for roof in machine["measured_roofs"]:
            self.assertEqual(roof["level"], "L1")
            self.assertLessEqual({roof["compute"], roof["bandwidth"]}, ids)
            least = min(point["fraction"] for point in roof["points"])
            self.assertEqual(roof["greatest_shortfall"]["fraction"], least)

    def test_show_prints_the_loop_and_measures_nothing(self):
        done = self.bench("--show", "fp64.avx2.fma")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"vfmadd\d+pd ymm")
        self.assertNotIn("measuring", done.stderr)
        self.assertEqual(self.bench("--show", "fp64.avx2.nothing").returncode, 2)

    def test_words_that_mean_nothing_are_refused_at_once(self):
        for words, said in ((["--only", "L1,wrong"], "wrong"), (["--only", "fp64,gather"], "gather"),
                            (["--threads", "4096"], "4096"), (["--quick", "--full"], "exclude")):
            done = self.bench("--quick" if words[0] == "--only" else "--force", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 2 if said != "exclude" else 1)


class Interrupted(InFolder):
    def interrupt(self, number, seconds, *words):
        """The finished process, its output, and how long it took to end after the signal."""
        process = subprocess.Popen([support.RIDGE, "bench", "--wait", "0", *words], cwd=self.folder, env=self.env,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(seconds)
        process.send_signal(number)
        sent = time.monotonic()
        out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
        return process.returncode, out, err, time.monotonic() - sent

    def test_what_is_done_is_kept_and_marked(self):
        # Large caches and busy machines take longer: later, where nothing had been measured yet, and then in a
        # measurement that has more time.
        for number, code in INCOMPLETE.items():
            name = f"m{number}.json"
            for seconds, *effort in ((4.0, "--quick"), (8.0, "--quick"), (45.0,), (90.0, "--full")):
                returned, _, err, took = self.interrupt(number, seconds, *effort, "-o", name)
                if "before anything was measured" not in err:
                    break
            self.assertEqual(returned, code, err)
            self.assertIn("incomplete", err)
            self.assertLess(took, 10.0)
            machine = self.stored(name)
            self.assertTrue(machine["incomplete"])
            self.assertGreater(len(machine["ceilings"]), 0)
            self.assertEqual(self.kept(), [], "half a machine does not serve `ridge run`")

    def test_between_two_visits_it_ends_at_once(self):
        for number, code in INCOMPLETE.items():
            for seconds in (3.0, 6.0, 12.0):
                returned, _, err, took = self.interrupt(number, seconds, "--only", "fp64", "-o", f"m{number}.json")
                if "before anything was measured" not in err:
                    break
            self.assertEqual(returned, code, err)
            self.assertIn("incomplete", err)
            self.assertLess(took, 10.0)
            self.assertTrue(self.stored(f"m{number}.json")["incomplete"])

    def test_at_any_time_it_ends_with_the_code_of_the_signal(self):
        # From before the handler is there (then the signal itself ends it) to the passes.
        for seconds in (0.0, 0.02, 0.1, 0.3, 0.7, 1.5):
            returned, out, err, _ = self.interrupt(signal.SIGINT, seconds, "--quick", "--json")
            self.assertIn(returned, (130, -signal.SIGINT), f"after {seconds} s: {err}")
            if returned == 130 and out:
                self.assertTrue(validated(support.parse_json(out))["incomplete"])


class Turns(InFolder):
    def start_beside_another_measurement(self, *words):
        """A bench that says whom it waits for, and the lock that it waits for."""
        host = "".join(c if c.isascii() and (c.isalnum() or c in ".-") else "_"
                       for c in socket.gethostname())
        lock = self.cache / "ridge" / f"measuring-{host}.lock"
        lock.parent.mkdir(parents=True)
        held = lock.open("w", encoding="ascii")
        self.addCleanup(held.close)
        fcntl.flock(held, fcntl.LOCK_EX)
        held.write("4711\n")
        held.flush()
        process = subprocess.Popen([support.RIDGE, "bench", "--wait", "0", *words], cwd=self.folder,
                                   env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        first = process.stderr.readline()
        self.assertIn("process 4711 is measuring this machine: waiting", first)
        return process, held

    def test_two_measurements_take_turns(self):
        process, held = self.start_beside_another_measurement("--quick", "--only",
                                                              "fp64,scalar,fma", "--json")
        self.assertIsNone(process.poll())
        held.close()
        out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 0, err)
        self.assertGreater(len(validated(support.parse_json(out))["ceilings"]), 0)

    def test_who_waits_can_be_stopped(self):
        process, _ = self.start_beside_another_measurement("--quick")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")


class BadConditions(InFolder):
    def test_an_output_that_cannot_be_written_is_said_before_measuring(self):
        (self.folder / "file").write_text("x", "utf-8")
        begin = time.monotonic()
        done = self.bench("--full", "-o", "file/m.json")
        self.assertLess(time.monotonic() - begin, 5.0)
        self.assertEqual(done.returncode, 5)
        self.assertIn("file/m.json", done.stderr)
        self.assertEqual(self.bench("-o", "file").returncode, 2, "it exists")
        self.assertEqual(self.bench("--force", "-o", str(self.folder)).returncode, 5)

    def test_one_allowed_cpu(self):
        cpu = min(os.sched_getaffinity(0))
        done = self.bench("--quick", "--only", "fp64,fma", "--json",
                          preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.assertEqual(done.returncode, 0, done.stderr)
        machine = validated(support.parse_json(done.stdout))
        self.assertEqual({ceiling["threads"] for ceiling in machine["ceilings"]}, {1})
        more = self.bench("--threads", "2", preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.assertEqual(more.returncode, 2)
        self.assertIn("1 to 1", more.stderr)


    def notes_of(self, *words, **options):
        done = self.bench("--quick", "--json", *words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        machine = validated(support.parse_json(done.stdout))
        return machine, {note["code"]: note["text"] for note in machine.get("notes", [])}

    def test_restricted_affinity_is_said(self):
        cpus = sorted(os.sched_getaffinity(0))
        if len(cpus) < 2:
            self.skipTest("one CPU")
        _, notes = self.notes_of("--only", "fp64,fma,scalar",
                                 preexec_fn=lambda: os.sched_setaffinity(0, cpus[:1]))
        self.assertIn("may use 1 of the", notes["restricted-affinity"])

    def test_without_huge_pages(self):
        def no_huge_pages():
            PR_SET_THP_DISABLE = 41
            ctypes.CDLL(None).prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0)

        machine, notes = self.notes_of("--only", "L3,DRAM,load", preexec_fn=no_huge_pages)
        self.assertIn("no-huge-pages", notes)
        large = [c for c in machine["ceilings"] if c.get("level") == "DRAM"]
        self.assertGreater(len(large), 0)
        for ceiling in large:
            self.assertIn("no-huge-pages", ceiling["flags"])

    def test_too_little_memory_leaves_the_level_out_and_says_so(self):
        # The address space holds the caches' sets, but not four times the last-level caches.
        limit = 150 << 20
        machine, notes = self.notes_of(
            "--only", "load", preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                    (limit, limit)))
        levels = {ceiling["level"] for ceiling in machine["ceilings"]}
        last = machine["caches"][-1]["size_bytes"] if machine["caches"] else 0
        if 4 * last < limit // 4:
            self.skipTest("a small last-level cache")
        self.assertIn("L1", levels)
        self.assertNotIn("DRAM", levels)
        self.assertIn("four times the last-level", notes["memory-too-small"])

    def test_quota_below_one_cpu(self):
        group = pathlib.Path(f"/sys/fs/cgroup/cpu/ridge-test-{os.getpid()}")
        try:
            group.mkdir()
        except OSError as error:
            self.skipTest(f"no control group can be made: {error}")
        self.addCleanup(group.rmdir)
        try:
            (group / "cpu.cfs_quota_us").write_text("60000", "ascii")
        except OSError as error:
            self.skipTest(f"no quota can be set: {error}")

        def enter():
            (group / "cgroup.procs").write_text(str(os.getpid()), "ascii")

        machine, notes = self.notes_of("--only", "fp64,fma,scalar", preexec_fn=enter)
        self.assertIn("0.60 CPUs", notes["cpu-quota"])
        self.assertEqual({ceiling["threads"] for ceiling in machine["ceilings"]}, {1})
        more = self.bench("--threads", "2", preexec_fn=enter)
        self.assertEqual(more.returncode, 2)

    def test_a_thread_that_cannot_be_pinned(self):
        source = self.folder / "no_affinity.c"
        source.write_text("#include <errno.h>\n"
                          "int sched_setaffinity(void) { errno = EPERM; return -1; }\n", "ascii")
        shim = self.folder / "no_affinity.so"
        support.run(["cc", "-shared", "-fPIC", "-w", source, "-o", shim])
        self.env["LD_PRELOAD"] = str(shim)
        done = self.bench("--quick", "--only", "fp64,scalar,fma", "-o", "m.json")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("cannot bind a thread to CPU", done.stderr)
        self.assertIn("Operation not permitted", done.stderr)
        self.assertIn("taskset", done.stderr)
        self.assertFalse((self.folder / "m.json").exists())

    def test_without_sys(self):
        if subprocess.run(["unshare", "--mount", "true"], check=False,
                          capture_output=True).returncode != 0:
            self.skipTest("no mount namespace can be made")
        script = 'mount -t tmpfs none /sys && exec "$@"'
        done = support.run(["unshare", "--mount", "sh", "-c", script, "sh", support.RIDGE, "bench",
                            "--quick", "--only", "fp64,fma", "--json"], check=False,
                           cwd=self.folder, env=self.env)
        if "mount:" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        machine = validated(support.parse_json(done.stdout))
        self.assertIn("no-sysfs", {note["code"] for note in machine["notes"]})
        self.assertGreater(len(machine["ceilings"]), 0)


if __name__ == "__main__":
    unittest.main()
