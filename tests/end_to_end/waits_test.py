"""Why threads wait in the OpenMP runtime, and for whom. Causes are compared with each other: how long anything takes is the machine's affair."""

import os
import shutil
import subprocess
import unittest

import support

REPEATS = {"uneven": 50, "alone": 25, "serial": 25, "locked": 12}


def sum_of_causes(region):
    return sum(region.get("wait_causes", {}).values())


class Waits(unittest.TestCase):
    def profile_of(self, how, threads=2, launcher=()):
        program = support.compile_c("waits.c", ("-O1", "-fopenmp"))
        # Threads that wait asleep leave the CPU to those that work, however few CPUs there are.
        env = support.environment(OMP_NUM_THREADS=str(threads), OMP_DYNAMIC="false", OMP_WAIT_POLICY="passive")
        options = ["--json", "--no-traffic", *(["--launcher"] if launcher else [])]
        done = support.ridge_run([*launcher, program, how, REPEATS[how]], options, env=env)
        return support.validated(support.parse_json(done.stdout))

    def most_waited_in(self, profile, kind):
        waits = [r for r in profile["regions"] if r.get("wait") == kind]
        self.assertTrue(waits, [r["name"] for r in profile["regions"]])
        return max(waits, key=sum_of_causes)

    def check_shares(self, profile):
        """Of each moment in which a thread was seen, all regions have one."""
        time = profile["time"]
        seen = time["sampled_seconds"] * (1.0 - time["unattributed_fraction"])
        shares = sum(r.get("share_seconds", 0.0) for r in profile["regions"])
        self.assertAlmostEqual(shares, seen, delta=1e-6 * seen)

    def test_uneven_work(self):
        profile = self.profile_of("uneven")
        self.check_shares(profile)
        wait = self.most_waited_in(profile, "join")
        self.assertEqual(wait["name"], "waits at the end of uneven")
        self.assertEqual(wait["line"], 15)
        causes = wait["wait_causes"]
        self.assertGreater(causes["imbalance"], causes["serial"])
        self.assertGreater(causes["imbalance"], causes["unexplained"])
        if len(os.sched_getaffinity(0)) > 1:
            self.assertEqual(causes["oversubscribed"], 0)
        loops = [r for r in profile["regions"] if r["kind"] == "loop" and r["function"] == "uneven"]
        self.assertGreater(sum(r.get("caused_wait_seconds", 0.0) for r in loops), 0.5 * causes["imbalance"])

    def test_one_thread_alone(self):
        profile = self.profile_of("alone")
        self.check_shares(profile)
        # Threads wait at the barrier behind `single`, or come late and wait at the end of the region.
        self.assertEqual(self.most_waited_in(profile, "barrier")["name"], "waits at a barrier in alone")
        causes = [r["wait_causes"] for r in profile["regions"] if "wait_causes" in r]
        self.assertGreater(sum(c["serial"] for c in causes), sum(c["imbalance"] for c in causes))
        loop = max((r for r in profile["regions"] if r["kind"] == "loop"), key=support.flops_of)
        self.assertGreater(loop["caused_wait_seconds"], 0.5 * loop["share_seconds"])

    def test_a_serial_part_between_parallel_regions(self):
        profile = self.profile_of("serial")
        self.check_shares(profile)
        loop = max((r for r in profile["regions"] if r["kind"] == "loop"), key=support.flops_of)
        self.assertEqual(loop["threads"], 1)
        self.assertGreater(loop["caused_wait_seconds"], 0.5 * loop["share_seconds"])
        self.assertIn("serial-part", [f["code"] for f in loop["findings"]])

    def test_a_lock(self):
        profile = self.profile_of("locked")
        self.check_shares(profile)
        wait = self.most_waited_in(profile, "lock")
        self.assertEqual(wait["name"], "waits for a lock in locked")
        causes = wait["wait_causes"]
        self.assertGreater(causes["serial"], causes["imbalance"])
        # Where others have the CPU for most of the time, that is the reason.
        self.assertIn([f["code"] for f in wait["findings"]], (["waits-lock"], ["waits-busy"]))

    def test_more_threads_than_cpus(self):
        if not shutil.which("taskset"):
            self.skipTest("no taskset here")
        cpu = min(os.sched_getaffinity(0))
        profile = self.profile_of("uneven", threads=4, launcher=("taskset", "-c", cpu))
        causes = self.most_waited_in(profile, "join")["wait_causes"]
        self.assertGreater(causes["oversubscribed"], causes["busy"])

    def test_a_busy_machine(self):
        if not shutil.which("taskset") or len(os.sched_getaffinity(0)) < 2:
            self.skipTest("no taskset, or one CPU")
        cpus = sorted(os.sched_getaffinity(0))[:2]
        pinned = ("taskset", "-c", ",".join(map(str, cpus)))
        others = [subprocess.Popen([*pinned, "sh", "-c", "while :; do :; done"]) for _ in range(2)]
        try:
            profile = self.profile_of("uneven", threads=2, launcher=pinned)
        finally:
            for other in others:
                other.kill()
                other.wait()
        causes = self.most_waited_in(profile, "join")["wait_causes"]
        self.assertGreater(causes["busy"], 0)
        self.assertEqual(causes["oversubscribed"], 0)

    def test_bodies_hang_under_what_starts_them(self):
        profile = self.profile_of("uneven")
        by_id = {r["id"]: r for r in profile["regions"]}
        wait = self.most_waited_in(profile, "join")
        body = next(r for r in profile["regions"]
                    if r["kind"] == "function" and r["function"] == "uneven" and "parent" in r)
        self.assertEqual(by_id[body["parent"]], by_id[wait["parent"]], "where it is started its end is waited for")


if __name__ == "__main__":
    unittest.main()
