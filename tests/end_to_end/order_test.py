"""Simulated traffic of threaded programs repeats, whatever else the machine does."""

import contextlib
import subprocess
import sys
import unittest

import support

PRIVATE_1MIB = support.SOURCE / "benchmarks" / "repeatability" / "private_1MiB.machine.json"
RUNS = 3  # beside nobody, and as many beside two busy processes


@contextlib.contextmanager
def busy_machine():
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def program_region(profile):
    return next(region for region in profile["regions"] if region["kind"] == "program")


def totals(profile):
    return {level: value["read"] + value["written"]
            for level, value in program_region(profile)["traffic"].items() if level != "L1"}


class Repeats(unittest.TestCase):
    def profiles(self, schedule, machine=support.MACHINE):
        program = support.compile_c("schedules.cpp", ("-O2", "-fopenmp"))

        def one():
            return support.profile_of([program, schedule], options=("--traffic=exact",), threads=2,
                                      machine=machine)

        found = [one() for _ in range(RUNS)]
        with busy_machine():
            found += [one() for _ in range(RUNS)]
        return found

    def test_a_fixed_division_gives_one_number(self):
        profiles = self.profiles("static")
        for level in totals(profiles[0]):
            seen = [totals(profile)[level] for profile in profiles]
            self.assertLessEqual(max(seen), 1.01 * min(seen), level)
        for profile in profiles:
            self.assertNotIn("traffic_interval", program_region(profile))

    def check_intervals(self, schedule, machine=support.MACHINE, is_narrow=lambda level: True):
        profiles = self.profiles(schedule, machine)
        for profile in profiles:
            intervals = program_region(profile)["traffic_interval"]
            for level, interval in intervals.items():
                if is_narrow(level):
                    self.assertLessEqual(interval["high"] - interval["low"],
                                         0.2 * totals(profile)[level] + 1)
                for other in profiles:
                    self.assertGreaterEqual(totals(other)[level], interval["low"], level)
                    self.assertLessEqual(totals(other)[level], interval["high"], level)
        return profiles

    def test_a_dynamic_schedule_stays_in_its_interval(self):
        self.check_intervals("dynamic")

    def test_tasks_stay_in_their_interval(self):
        self.check_intervals("tasks")

    def test_tasks_at_the_edge_of_a_private_cache_stay_in_their_interval(self):
        # Which thread runs a task decides what is still there: the interval is as wide as that makes
        # it. Memory is behind a cache that both share.
        profile = self.check_intervals("tasks", PRIVATE_1MIB, is_narrow=lambda level: level == "DRAM")[0]
        interval = program_region(profile)["traffic_interval"]["L3"]
        self.assertGreater(interval["high"], 2 * interval["low"])
        note = next(note for note in profile["notes"] if note["code"] == "traffic-interval")
        self.assertIn("L3", note["text"])


if __name__ == "__main__":
    support.main() if hasattr(support, "main") else unittest.main()
