"""`ridge run --also`: traffic on other caches is what a run with `--cache` of the same geometry gives, to
the byte for one thread at fixed addresses, and what layer conditions say."""

import unittest

import layer_conditions
import support
from closed_forms import SOURCE_OF

TINY = "L1=4K/8,L2=32K/8,L3=256K/16"
# Another number of sets in each level, one of them no power of two; a victim cache.
ODD = "L1=48K/12,L2=96K/8,inclusive,L3=352K/11,victim,shared-by-2"
FIXED = ("setarch", "-R")


def loops_of(profile, kernel):
    """Of the kernel's own source: the driver sorts times, which differ from run to run."""
    return {(r["function"], r["line"], r.get("column")): r for r in profile["regions"]
            if r["kind"] == "loop" and r.get("file", "").endswith(SOURCE_OF[kernel])}


def profile_of(command, *options):
    return support.profile_of(command, options=options, machine=support.DATA / "machine_small.json")


class OtherCaches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.program = support.compile_kernels(["-O2"])

    def kernel(self, *arguments):
        """Without randomised addresses: how arrays lie in the sets of a cache is part of the result."""
        return [*FIXED, self.program, *arguments]

    def test_equals_a_run_with_these_caches(self):
        for kernel, size in (("jacobi2d", 300), ("spmv_random", 3000), ("fft", 2048)):
            command = self.kernel(kernel, size, 2)
            also = profile_of(command, "--launcher", "--also", f"tiny={TINY},odd={ODD}")
            for name, geometry in (("tiny", TINY), ("odd", ODD)):
                expected = loops_of(profile_of(command, "--launcher", "--cache", geometry), kernel)
                got = loops_of(also, kernel)
                self.assertEqual(set(got), set(expected))
                seen = 0
                for key, region in expected.items():
                    with self.subTest(kernel=kernel, name=name, loop=key):
                        below = {level: crossing for level, crossing in region["traffic"].items()
                                 if level != "L1"}
                        self.assertEqual(got[key]["traffic_elsewhere"][name], below)
                    seen += below["L2"]["read"] + below["DRAM"]["read"]
                self.assertGreater(seen, 0)

    def test_own_traffic_does_not_change(self):
        command = self.kernel("jacobi2d", 300, 2)
        alone = loops_of(profile_of(command, "--launcher", "--traffic=exact"), "jacobi2d")
        beside = loops_of(profile_of(command, "--launcher", "--also", f"zen4,icx,tiny={TINY}"),
                          "jacobi2d")
        self.assertTrue(alone)
        for key, region in alone.items():
            for what in ("traffic", "least_traffic", "traffic_at_share"):
                self.assertEqual(beside[key][what], region[what], (key, what))

    def test_layer_conditions(self):
        profile = profile_of([self.program, "jacobi2d", 2400, 1], "--also", f"tiny={TINY}")
        source = SOURCE_OF["jacobi2d"]
        for level, state in {"L2": "nothing", "L3": "nothing", "DRAM": "planes"}.items():
            expected = layer_conditions.traffic_bytes(layer_conditions.jacobi2d, 2400, state)
            for direction, bytes_ in expected.items():
                got = sum(r["traffic_elsewhere"]["tiny"][level][direction] for r in profile["regions"]
                          if r.get("file", "").endswith(source) and "traffic_elsewhere" in r)
                with self.subTest(level=level, direction=direction):
                    self.assertAlmostEqual(got / bytes_, 1.0, delta=0.001)

    def test_names_of_machines(self):
        profile = profile_of([self.program, "triad", 100_000, 1], "--also", "zen2,spr-8470,a64fx")
        caches = {c["name"]: c for c in profile["caches_elsewhere"]}
        self.assertEqual([c["name"] for c in profile["caches_elsewhere"]],
                         ["zen2", "spr-8470", "a64fx"])
        self.assertEqual(caches["spr-8470"]["caches"][2]["shared_by_cores"], 52)
        program = next(r for r in profile["regions"] if r["kind"] == "program")
        self.assertEqual(set(program["traffic_elsewhere"]["zen2"]), {"L2", "L3", "DRAM"})
        self.assertEqual(set(program["traffic_elsewhere"]["a64fx"]), {"L2", "HBM"})
        # 2.4 MB fit all of these last levels but once; lines of 256 byte carry the ends of arrays.
        for name, memory in (("zen2", "DRAM"), ("a64fx", "HBM")):
            read = program["traffic_elsewhere"][name][memory]["read"]
            self.assertAlmostEqual(read / 2.4e6, 1.0, delta=0.05)

    def test_the_table_names_the_caches(self):
        done = support.ridge_run([self.program, "triad", 100_000, 3], options=("--also", "zen4,spr"),
                                 machine=support.DATA / "machine_small.json")
        self.assertIn("Traffic on other caches, simulated", done.stdout)
        self.assertRegex(done.stdout, r" zen4 +[0-9.]+ .?B")
        self.assertRegex(done.stdout, r" spr +[0-9.]+ .?B")

    def test_unknown_caches_name_the_nearest(self):
        done = support.ridge_run([self.program, "triad", 10, 1], options=("--also", "zenn4"),
                                 check=False)
        self.assertEqual(done.returncode, 3)
        self.assertIn("zen4", done.stderr)


if __name__ == "__main__":
    unittest.main()
