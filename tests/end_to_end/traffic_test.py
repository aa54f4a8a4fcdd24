"""Simulated traffic on fixed geometries equals the layer-condition values with halo lines, within
0.1 %, at sizes at least 1.5x away from every break point; and one power-of-two conflict."""

import unittest

import layer_conditions
import support
from closed_forms import SOURCE_OF
from counts import in_file

TOLERANCE = 0.001
KIB = 1024

# kernel, size, machine, what holds at each boundary. Sizes: small has 32 KiB, 128 KiB, 1 MiB; tiny
# 4 KiB, 32 KiB, 256 KiB. A layer is a row (2-D) or a plane (3-D); four of them (three of the source,
# one of the target) must fit 1.5 times for "planes", three must not fit 1.5 times otherwise.
CASES = [
    ("triad", 400_000, "small", {"L2": "planes", "L3": "planes", "DRAM": "planes"}),
    ("triad", 100_000, "tiny", {"L2": "planes", "L3": "planes", "DRAM": "planes"}),
    # 4 rows: 19 KiB
    ("jacobi2d", 600, "small", {"L2": "planes", "L3": "planes", "DRAM": "planes"}),
    # 3 rows: 56 KiB, 4 rows: 75 KiB
    ("jacobi2d", 2400, "small", {"L2": "nothing", "L3": "planes", "DRAM": "planes"}),
    ("jacobi2d", 2400, "tiny", {"L2": "nothing", "L3": "nothing", "DRAM": "planes"}),
    # 3 planes: 253 KiB, 4 planes: 338 KiB; 4 rows of each of 3 planes: 10 KiB
    ("stencil7", 104, "small", {"L2": "rows", "L3": "rows", "DRAM": "planes"}),
]


def traffic_of(kernel, size, machine):
    program = support.compile_kernels(["-O2"])
    profile = support.profile_of([program, kernel, size, 1], options=["--traffic=exact"],
                                 machine=support.DATA / f"machine_{machine}.json")
    return in_file(profile, SOURCE_OF[kernel])


class LayerConditions(unittest.TestCase):
    def check(self, kernel, size, machine, holds):
        counted = traffic_of(kernel, size, machine)
        for level, state in holds.items():
            expected = layer_conditions.traffic_bytes(getattr(layer_conditions, kernel), size, state)
            for direction, bytes_ in expected.items():
                with self.subTest(level=level, direction=direction):
                    self.assertAlmostEqual(counted.traffic[level, direction] / bytes_, 1.0,
                                           delta=TOLERANCE)

    def test_fixed_geometries(self):
        for kernel, size, machine, holds in CASES:
            with self.subTest(kernel=kernel, size=size, machine=machine):
                self.check(kernel, size, machine, holds)

    def test_registers_to_l1_is_what_was_loaded_and_stored(self):
        counted = traffic_of("triad", 100_000, "tiny")
        self.assertEqual(counted.traffic["L1", "read"], counted.loaded)
        self.assertEqual(counted.traffic["L1", "written"], counted.stored)


class PowerOfTwo(unittest.TestCase):
    """A column walk through a 64 x 64 matrix has a stride of 8 lines: in tiny's L1 (8 sets of 8
    ways) all 64 lines of a column fall into one set, so each load of b misses. In a 40 x 40 matrix
    (stride 5 lines) they spread over all sets, and a column stays for its 7 neighbours."""

    def lines_per_product(self, n):
        return traffic_of("gemm_naive", n, "tiny").traffic["L2", "read"] / 64 / n**3

    def test_conflict(self):
        # 64 of b, the one of a that shares b's set, and now and then one of c.
        self.assertAlmostEqual(self.lines_per_product(64), 65.125 / 64, delta=0.005)

    def test_no_conflict_beside_it(self):
        # 40 of b for 8 columns; 5 of a and 5 of c for each of 40 rows.
        self.assertAlmostEqual(self.lines_per_product(40), 1 / 8 + 10 / 1600, delta=0.005)


class GivenCaches(unittest.TestCase):
    TINY = "L1=4K/8,L2=32K/8,L3=256K/16"

    def test_traffic_is_that_of_a_machine_with_these_caches(self):
        program = support.compile_kernels(["-O2"])
        given = support.profile_of([program, "jacobi2d", 600, 1], options=("--cache", self.TINY),
                                   machine=support.DATA / "machine_small.json")
        expected = traffic_of("jacobi2d", 600, "tiny")
        # The arrays lie elsewhere in each run: lines at their ends.
        for boundary, expected_bytes in expected.traffic.items():
            with self.subTest(boundary=boundary):
                got = in_file(given, SOURCE_OF["jacobi2d"]).traffic[boundary]
                self.assertAlmostEqual(got / expected_bytes, 1.0, delta=TOLERANCE)

    def test_the_result_says_whose_caches_they_are(self):
        program = support.compile_kernels(["-O2"])
        profile = support.profile_of([program, "triad", 1000, 1], options=("--cache", self.TINY),
                                     machine=support.DATA / "machine_small.json")
        self.assertEqual([cache["size_bytes"] for cache in profile["machine"]["caches"]],
                         [4 * KIB, 32 * KIB, 256 * KIB])
        for notes in (profile["machine"]["notes"], profile["notes"]):
            self.assertIn(self.TINY, [n["text"] for n in notes if n["code"] == "caches-given"][0])


if __name__ == "__main__":
    unittest.main()
