"""Examples whose loops are shown in the documentation: their work in closed form."""

import unittest

import support

PLASMA = support.SOURCE / "examples" / "plasma" / "plasma.cpp"
TURNS, EDGE, SWEEPS = 32, 512, 20


class Plasma(unittest.TestCase):
    STEPS, ELECTRONS = 2, 3000

    def test_work_of_each_loop(self):
        program = support.compile_program([PLASMA], ("-O2", "-fopenmp"), "plasma")
        profile = support.profile_of([program, self.STEPS, self.ELECTRONS], threads=2)
        flops = {}
        for region in profile["regions"]:
            if region["kind"] == "loop":
                name = region["function"].split("::")[-1].split("(")[0]
                flops[name] = flops.get(name, 0) + support.flops_of(region)
        inner = (EDGE - 2) * EDGE
        expected = {
            "deposit_charge": self.ELECTRONS * self.STEPS,
            "accelerate": 4 * self.ELECTRONS * self.STEPS,
            "sweep": 5 * inner * SWEEPS * self.STEPS,
            "differentiate": 4 * inner * self.STEPS,
            "kinetic_energy": 4 * self.ELECTRONS * 2,
        }
        self.assertEqual({name: flops.get(name) for name in expected}, expected)
        # Two turns that follow each other share a product: how many of them the compiler sees is its own affair.
        turns = TURNS * self.ELECTRONS * self.STEPS
        self.assertTrue(5 * turns <= flops["gyrate"] <= 6 * turns, flops["gyrate"])


if __name__ == "__main__":
    unittest.main()
