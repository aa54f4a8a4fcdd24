"""`ridge predict RESULT`: the same machine gives the measured time, others use traffic that was
simulated for their caches where the run has it, and say where it has not."""

import unittest
import xml.etree.ElementTree

import support

MACHINE = support.DATA / "machine_small.json"


def predict(*arguments, check=True):
    return support.run([support.RIDGE, "predict", *arguments], env=support.environment(),
                       cwd=support.WORK, check=check)


def projection(*arguments):
    made = support.parse_json(predict(*arguments, "--json").stdout)
    support.validator("ridge.projection-1").validate(made)
    return made


def as_here(made):
    """Rows with as many cores as here; of a GPU the only one."""
    return [machine for machine in made["machines"] if machine["cores_are"] == "as_here" or
            sum(other["machine"] == machine["machine"] for other in made["machines"]) == 1]


def notes(machine):
    return {note["code"] for note in machine["notes"]}


class Projection(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        program = support.compile_kernels(["-O2"])
        cls.result = support.own_folder(cls) / "projected"
        support.ridge_run([program, "jacobi2d", 800, 30], machine=MACHINE,
                          options=("--also", "zen4,spr-8470", "-o", cls.result))

    def test_the_same_machine_gives_the_measured_time(self):
        made = projection(self.result, "--on", MACHINE)
        (machine,) = as_here(made)
        self.assertAlmostEqual(machine["seconds"] / made["seconds_here"], 1.0, delta=1e-9)
        self.assertTrue(machine["traffic_simulated"])
        for region in machine["regions"]:
            if "seconds" in region:
                self.assertAlmostEqual(region["seconds"] / region["seconds_here"], 1.0, delta=1e-9)

    def test_traffic_is_simulated_where_the_run_has_it(self):
        made = projection(self.result, "--on", "spr-8470,icx-8360y,h100-80-sxm5")
        by_key = {m["machine"]: m for m in as_here(made)}
        self.assertTrue(by_key["spr-8470"]["traffic_simulated"])
        self.assertNotIn("traffic-of-this-machine", notes(by_key["spr-8470"]))
        for other in ("icx-8360y", "h100-80-sxm5"):
            self.assertFalse(by_key[other]["traffic_simulated"])
            self.assertIn("traffic-of-this-machine", notes(by_key[other]))
        seconds = [m["seconds"] for m in made["machines"]]
        self.assertEqual(seconds, sorted(seconds))
        for machine in made["machines"]:
            # Which machine is faster depends on what runs here: no test of ours.
            self.assertGreater(machine["ideal_seconds"], 0)
            self.assertGreater(machine["seconds"], 0)

    def test_more_cores_are_no_slower(self):
        times = [projection(self.result, "--on", "spr-8470", "--cores", n)["machines"][0]["seconds"]
                 for n in (1, 4, 52)]
        self.assertEqual(times, sorted(times, reverse=True))

    def test_what_if(self):
        plain = projection(self.result, "--on", "zen4-9654")["machines"][0]
        faster = projection(self.result, "--on", "zen4-9654", "--what-if", "clock=2x")["machines"][0]
        self.assertIn("what-if", notes(faster))
        self.assertLess(faster["seconds"], plain["seconds"])
        refused = predict(self.result, "--on", "zen4-9654", "--what-if", "L3=64M", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--also", refused.stderr)

    def test_two_core_counts_and_intervals(self):
        made = projection(self.result, "--on", "spr-8470")
        self.assertEqual({(m["cores_are"], m["cores"]) for m in made["machines"]}, {("as_here", 1), ("whole", 52)})
        for machine in made["machines"]:
            self.assertLessEqual(machine["low_seconds"], min(machine["seconds"], machine["ideal_seconds"]))
            self.assertGreaterEqual(machine["high_seconds"], max(machine["seconds"], machine["ideal_seconds"]))
            self.assertIn("ideal", machine["interval_of"][0])
            self.assertEqual("other cores of the part busy or idle" in machine["interval_of"],
                             machine["cores_are"] == "as_here")

    def test_latency_of_a_result(self):
        plain = projection(self.result, "--on", "spr-8470", "--cores", 1)["machines"][0]
        slow = projection(self.result, "--on", "spr-8470", "--cores", 1, "--latency", "DRAM=1s")["machines"][0]
        self.assertGreater(slow["ideal_seconds"], plain["ideal_seconds"] + 1)
        refused = predict(self.result, "--on", "spr-8470", "--latency", "DRM=1us", check=False)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("DRAM", refused.stderr)

    def test_extremes_are_an_error_or_valid(self):
        for change in ("DRAM=1e300x", "DRAM=1e-300x", "cores=1e300x", "cores=1e9", "cores=0.001x", "clock=1e17x",
                       "clock=1e-17x", "L1=1e15x", "fp64=1e-25x", "compute=1e17x", "L2=1e300GB/s"):
            with self.subTest(change=change):
                done = predict(self.result, "--on", f"spr-8470,{MACHINE}", "--what-if", change, "--json", check=False)
                self.assertIn(done.returncode, (0, 2, 3))
                if done.returncode == 0:
                    support.validator("ridge.projection-1").validate(support.parse_json(done.stdout))

    def test_table_and_chart(self):
        chart = support.own_folder(self) / "projected.svg"
        done = predict(self.result / "profile.json", "--on", f"spr-8470,{MACHINE}", "-o", chart,
                       "--force", "--ascii")
        for words in ("calibrated", "ideal", "Assumed", "spr-8470", "jacobi2d"):
            self.assertIn(words, done.stdout)
        texts = "".join(xml.etree.ElementTree.parse(chart).getroot().itertext())
        self.assertIn("spr-8470", texts)
        self.assertIn("here", texts)
        self.assertEqual(predict(self.result, "-o", chart, "--on", MACHINE, check=False).returncode, 2)

    def test_bad_input(self):
        for arguments, code in ((["no-such-result"], 3), ([self.result, "--cores", "0"], 2),
                                ([self.result, "--precision", "fp32"], 2),
                                ([self.result, "--on", "spr-848"], 3), ([MACHINE], 3)):
            with self.subTest(arguments=arguments):
                self.assertEqual(predict(*arguments, "--on", MACHINE, check=False).returncode
                                 if "--on" not in arguments
                                 else predict(*arguments, check=False).returncode, code)


if __name__ == "__main__":
    unittest.main()
