"""`ridge bench --mpi` under an MPI's own mpirun, and a program held against the links that it measured.

    bench_mpi_test.py openmpi|mpich [TEST...]

No speed decides anything here: what is checked is what was measured, how figures follow from each other, and refusals."""

import json
import os
import shutil
import sys
import unittest

import mpi_programs
import support

TURNS, LENGTH = 50, 4000
FLOPS = 2 * TURNS * LENGTH


class Links(mpi_programs.UnderMpi):
    def start(self, words, ranks=2, check=True):
        command = self.mpi.mpirun(*words)
        command[command.index("-n") + 1] = str(ranks)
        return support.run(command, env=mpi_programs.environment(), cwd=self.folder, check=check, timeout=120)

    def measure(self, *options, **how):
        return self.start([support.RIDGE, "bench", "--mpi", "--quick", "--machine", support.MACHINE, *options], **how)

    def machine(self):
        self.measure("-o", "linked.json")
        return json.loads((self.folder / "linked.json").read_text("utf-8"))

    def test_two_ranks_have_three_links(self):
        links = self.machine()["interconnect"]
        self.assertIn("Open MPI" if self.mpi.ending == "openmpi" else "MPICH", links["library"])
        self.assertEqual((links["ranks"], links["nodes"]), (2, 1))
        self.assertEqual([(link["pattern"], link["reach"], link["ranks"]) for link in links["links"]],
                         [(pattern, "intra-node", 2) for pattern in ("ping-pong", "exchange", "all-reduce")])
        for link in links["links"]:
            sizes = [point["bytes"] for point in link["points"]]
            self.assertEqual(sizes, sorted(sizes))
            self.assertEqual((sizes[0], sizes[-1]), (8, 4 << 20))
            self.assertEqual(link["latency"], link["points"][0]["value"])
            best = max(point["bytes"] / point["value"]["median"] for point in link["points"])
            self.assertGreaterEqual(link["bandwidth"]["high"], 0.999 * best)

    def test_a_program_is_held_against_them(self):
        machine = self.machine()
        program = self.compiled("mpi_messages.c", compiler=support.RIDGE_CC)
        self.start([support.RIDGE, "run", "--mpi", "--machine", "linked.json", "-q", "-o", "out", "--", program])
        profile = support.validated(support.parse_json((self.folder / "out" / "profile.json").read_text("utf-8")))
        bound = profile["communication"]
        sent = TURNS * (LENGTH * 8 + 2 * 8)
        self.assertEqual((bound["messages"], bound["bytes"]), (3 * TURNS, sent))
        ping_pong, exchange, _ = machine["interconnect"]["links"]
        rate = exchange["bandwidth"]["p90"]
        self.assertEqual(bound["latency"], ping_pong["latency"]["low"])
        self.assertAlmostEqual(bound["bandwidth"] / (2 * rate), 1.0, places=9)
        least = (3 * TURNS * bound["latency"] + sent / rate) / 2
        self.assertAlmostEqual(bound["least_seconds"] / least, 1.0, places=9)
        self.assertAlmostEqual(bound["flops_per_byte"] / (FLOPS / sent), 1.0, places=9)
        self.assertAlmostEqual(bound["roof"] / (bound["flops_per_byte"] * bound["bandwidth"]), 1.0, places=9)
        report = support.run([support.RIDGE, "report", "out"], cwd=self.folder).stdout
        self.assertIn("messages", report)
        self.assertIn("flop per byte communicated", report)

    def test_one_rank_is_refused(self):
        done = self.measure(ranks=1, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("sees one rank", done.stderr)
        self.assertIn("mpirun -n 2", done.stderr)

    def test_more_ranks_than_cpus_are_refused_once(self):
        done = self.measure(ranks=len(os.sched_getaffinity(0)) + 1, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(done.stderr.count("they would take turns"), 1)

    def test_a_library_that_is_none(self):
        done = self.measure("--mpi-library", shutil.which("true"), check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--mpi-library", done.stderr)


if __name__ == "__main__":
    mpi_programs.UnderMpi.mpi = mpi_programs.IMPLEMENTATIONS[sys.argv.pop(1)]
    unittest.main()
