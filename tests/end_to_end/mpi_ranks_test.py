"""Ranks under Open MPI and MPICH: `mpirun -n 2 ridge run` and `ridge run -- mpirun -n 2` give one result, also where a rank
ends early.

    mpi_ranks_test.py openmpi|mpich [TEST...]"""

import os
import sys
import unittest

import mpi_programs
import support

SIZE = 4096
TURNS = 2000
EACH = [2 * SIZE * TURNS * (rank + 1) for rank in range(2)]


class Ranks(mpi_programs.UnderMpi):
    def instrumented_ranks(self):
        return self.compiled("mpi_ranks.c", "-O2", compiler=support.RIDGE_CC)

    def ranks(self, program, *words, options=(), check=True):
        """mpirun -n 2 ridge run OPTIONS -- PROGRAM WORDS"""
        mpirun = self.mpi.mpirun(support.RIDGE, "run", "--machine", support.MACHINE, "-q", *options, "--", program, *words)
        return support.run(mpirun, env=mpi_programs.environment(), cwd=self.folder, check=check, timeout=120)

    def stored(self, name):
        text = (self.folder / name / "profile.json").read_text("utf-8")
        return support.validated(support.parse_json(text))

    def sweep(self, profile):
        found = [r for r in profile["regions"] if r["function"] == "sweep" and r.get("flops", {}).get("total", 0) > 0]
        self.assertEqual(len(found), 1, [r["name"] for r in profile["regions"]])
        return found[0]

    def flops_by_rank(self, profile):
        return [entry["flops"] for entry in self.sweep(profile)["ranks"]["by_rank"]]

    def test_every_rank_by_itself_and_traffic_by_another_start(self):
        program = self.instrumented_ranks()
        alone = support.run(self.mpi.mpirun(program, TURNS), env=mpi_programs.environment(), cwd=self.folder)
        done = self.ranks(program, TURNS, options=["-o", "out"])
        self.assertTrue(done.stdout.startswith(alone.stdout), done.stdout)
        profile = self.stored("out")
        self.assertEqual(profile["parallel"]["measured"], 2)
        self.assertEqual(self.flops_by_rank(profile), EACH)
        self.ranks(program, TURNS, options=["--into", "out", "--only-traffic", "--traffic=exact"])
        profile = self.stored("out")
        read = 2 * 8 * SIZE * TURNS * 3
        self.assertLess(abs(self.sweep(profile)["traffic"]["L2"]["read"] - read) / read, 0.01)
        self.assertEqual(self.flops_by_rank(profile), EACH)

    def test_fortran_by_ridge_fc_through_mpif_h(self):
        """The wrapper commands put flags of gcc in front, which flang does not know."""
        program = self.compiled("mpi_include.f90", compiler=support.BUILD / "bin" / "ridge-fc")
        done = self.ranks(program, options=["-o", "out"])
        self.assertIn("500500.0", done.stdout)
        profile = self.stored("out")
        (whole,) = [region for region in profile["regions"] if region["kind"] == "program"]
        self.assertEqual(whole["flops"]["total"], 2 * 2000)

    def test_all_ranks_by_one_ridge(self):
        """mpirun need not be said to be a launcher; its ranks are summed, and paired by rank between the runs."""
        program = self.instrumented_ranks()
        done = support.ridge_run(self.mpi.mpirun(program, TURNS), ["--json", "--traffic=exact"],
                                 env=mpi_programs.environment(), cwd=self.folder, timeout=120)
        profile = support.validated(support.parse_json(done.stdout))
        self.assertEqual(self.flops_by_rank(profile), EACH)
        read = 2 * 8 * SIZE * TURNS * 3
        self.assertLess(abs(self.sweep(profile)["traffic"]["L2"]["read"] - read) / read, 0.01)
        self.assertEqual(sorted(p["rank"] for p in profile["processes"] if "rank" in p), [0, 1])

    def test_a_program_as_it_is_its_counts_and_its_traffic(self):
        mpi_programs.need_an_engine(self)
        program = self.compiled("mpi_ranks.c", "-O2")
        self.ranks(program, TURNS, options=["-o", "out"])
        self.ranks(program, TURNS, options=["--into", "out", "--only-counts"])
        profile = self.stored("out")
        self.assertEqual(self.flops_by_rank(profile), EACH)
        self.ranks(program, TURNS, options=["--into", "out", "--only-traffic", "--traffic=exact"])
        profile = self.stored("out")
        read = 2 * 8 * SIZE * TURNS * 3
        self.assertLess(abs(self.sweep(profile)["traffic"]["L2"]["read"] - read) / read, 0.01)
        self.assertEqual(self.flops_by_rank(profile), EACH)

    def test_ranks_of_several_hosts_are_one_start(self):
        """MPICH names no start, but its proxies, one for each host, know who started them."""
        if self.mpi.ending != "mpich":
            self.skipTest("others name their starts")
        program = support.compile_c("ranks.c", ["-O2"])
        mpirun = [self.mpi.command("mpirun"), "-launcher", "fork", "-hosts", "one,two", "-n", "2"]
        support.run([*mpirun, "sh", "-c", '"$0" "$@"; exit $?', support.RIDGE, "run", "--machine", support.MACHINE, "-q", "--",
                     program, TURNS], env=mpi_programs.environment(), cwd=self.folder, timeout=120)
        self.assertEqual(self.stored("ridge-out")["parallel"]["measured"], 2)

    def test_a_rank_that_ends_early(self):
        """MPI ends the others, Ridge keeps what they did; what MPI gives them no time to write is named as lost."""
        program = self.instrumented_ranks()
        for how in ("exit", "abort", "kill"):
            with self.subTest(how=how):
                self.ranks(program, TURNS, how, options=["-o", how], check=False)
                merged = support.run([support.RIDGE, "merge", how], cwd=self.folder, env=support.environment(), check=False)
                if self.mpi.ending == "mpich" and how == "abort" and merged.returncode == 3:
                    self.assertIn("holds no record", merged.stderr)  # MPICH ends all of them by SIGKILL at once
                    continue
                self.assertEqual(merged.returncode, 0, merged.stderr)
                profile = self.stored(how)
                run = profile["parallel"]
                self.assertEqual(run["measured"] + len(run.get("lost", [])), 2)
                self.assertGreaterEqual(run["measured"], 1)


if __name__ == "__main__":
    os.makedirs(support.WORK, exist_ok=True)
    mpi_programs.UnderMpi.mpi = mpi_programs.IMPLEMENTATIONS[sys.argv.pop(1)]
    unittest.main(argv=sys.argv, verbosity=2)
