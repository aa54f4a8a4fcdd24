"""`ridge run --mpi`: calls, bytes and waiting of programs under Open MPI and MPICH against closed forms, whatever their
language, threads and end; what the program prints stays the same.

    mpi_calls_test.py openmpi|mpich [TEST...]"""

import os
import sys
import unittest

import mpi_programs
import support
from mpi_programs import environment, need_an_engine

TURNS = 10  # of the programs
LATE = 0.2  # [s] that a rank comes late
TIMEOUT = 120  # [s] of a run


class Calls(mpi_programs.UnderMpi):
    def instrumented(self):
        return self.compiled("mpi_calls.c", "-pthread", compiler=support.RIDGE_CC)

    def measure(self, command, options=("--launcher", "--no-traffic"), check=True):
        """The finished ridge and the profile."""
        done = support.ridge_run(command, ["--mpi", "--json", *options], env=environment(), check=check,
                                 cwd=self.folder, timeout=TIMEOUT)
        return done, support.validated(support.parse_json(done.stdout))

    def calls(self, command, **more):
        """By function: calls, bytes, seconds, waiting seconds summed over regions (None where one lacks it), messages and
        bytes that must travel, and the names of the regions."""
        done, profile = self.measure(command, **more)
        names = {region["id"]: region["function"] for region in profile["regions"]}
        found = {}
        for call in profile["mpi_calls"]:
            row = found.setdefault(call["name"], {"calls": 0, "bytes": 0, "seconds": 0, "waiting": 0, "messages": 0,
                                                  "moved_bytes": 0, "callers": set()})
            for key in ("calls", "messages", "moved_bytes"):
                row[key] += call.get(key, 0)
            row["seconds"] += call["seconds"]
            for key, name in (("bytes", "bytes"), ("waiting", "waiting_seconds")):
                known = row[key] is not None and name in call
                row[key] = row[key] + call[name] if known else None
            row["callers"].add(names.get(call.get("region")))
        return done, profile, found

    def assert_calls(self, found, **expected):
        """Calls and bytes of these functions, without their MPI_."""
        self.assertEqual({name: (found[f"MPI_{name}"]["calls"], found[f"MPI_{name}"]["bytes"]) for name in expected},
                         expected)

    # ---- closed forms ----

    CLOSED_FORMS = {
        # both ranks together; of a receive the message that came, not the room for it
        "Send": (TURNS, TURNS * 100 * 8),
        "Recv": (TURNS, TURNS * 100 * 8),
        "Bcast": (2 * TURNS, 2 * TURNS * 7 * 8),
        "Allreduce": (2 * TURNS, 2 * TURNS * 5 * 4),
        "Alltoallv": (2 * TURNS, TURNS * ((1 + 3) + (2 + 3)) * 8),
        "Alltoall": (2 * TURNS, 2 * TURNS * 2 * 4 * 4),
        "Alltoallw": (2 * TURNS, 2 * TURNS * (4 + 8)),
        "Gather": (2 * TURNS, 2 * TURNS * 6),
        "Scatter": (2 * TURNS, 2 * TURNS * 2 * 8),
        "Allgather": (2 * TURNS, 2 * TURNS * 3 * 2),
        "Reduce_scatter_block": (2 * TURNS, 2 * TURNS * 2 * 2 * 8),
        "Isend": (2 * TURNS, 2 * TURNS * 9 * 8),
        "Irecv": (2 * TURNS, None),
        "Wait": (4 * TURNS, None),
        "Sendrecv": (2 * TURNS, 2 * TURNS * 11 * 4),
        "Init_thread": (2, None),
        "Finalize": (2, None),
    }

    def test_calls_and_bytes_of_an_instrumented_program(self):
        program = self.instrumented()
        done, profile, found = self.calls(self.mpi.mpirun(program))
        self.assert_calls(found, **self.CLOSED_FORMS)
        self.assertEqual(found["MPI_Send"]["callers"], {"ping"})
        self.assertEqual(found["MPI_Bcast"]["callers"], {"collect"})
        self.assertEqual(found["MPI_Sendrecv"]["callers"], {"exchange"})
        self.assertEqual(set(found), {f"MPI_{name}" for name in self.CLOSED_FORMS}, "and no other")
        in_mpi = {p["rank"]: p["mpi_seconds"] for p in profile["processes"] if "mpi_seconds" in p}
        self.assertEqual(set(in_mpi), {0, 1})
        self.assertAlmostEqual(sum(in_mpi.values()), sum(row["seconds"] for row in found.values()), places=6)
        plain = support.run(self.mpi.mpirun(program), env=environment(), timeout=TIMEOUT)
        printed = [line for line in done.stderr.splitlines() if line.startswith("rank ")]
        self.assertEqual(sorted(printed), sorted(plain.stdout.splitlines()), "the program computes the same")

    # Of both ranks: messages, bytes. A rank moves nothing to itself or to nobody, nor does a file of MPI.
    TRAVEL = {
        "Sendrecv": (TURNS, TURNS * 8000),  # rank 1 alone has a neighbour there
        "Sendrecv_replace": (0, 0),
        "Isend": (0, 0),
        "Wait": (0, 0),
        "Allreduce": (0, 0),
        "Bcast": (TURNS, TURNS * 56),  # to the one that is not the root
        "Reduce": (TURNS, TURNS * 24),
        "Gather": (TURNS, TURNS * 6),
        "Allgather": (2 * TURNS, 2 * TURNS * 6),
        "Alltoall": (2 * TURNS, 2 * TURNS * 16),  # one of the two blocks
        "Alltoallv": (2 * TURNS, TURNS * (3 + 2) * 8),
        "Alltoallw": (2 * TURNS, TURNS * (4 + 8)),
        "Put": (2, 2 * 88),
        "Accumulate": (2, 2 * 16),
        "Get": (2, 2 * 104),
        "File_write_at": (0, 0),
        "Ssend": (0, 0),
        "Send": (2, (5 + 6) * 4),
        "Recv": (0, 0),
    }

    def test_what_must_travel_between_ranks(self):
        program = self.compiled("mpi_travel.c")
        _, _, found = self.calls(self.mpi.mpirun(program, self.folder / "file"))
        self.assertEqual({name: (found[f"MPI_{name}"]["messages"], found[f"MPI_{name}"]["moved_bytes"]) for name in self.TRAVEL},
                         self.TRAVEL)
        self.assert_calls(found, Ssend=(2, 2 * 6 * 2**30), Recv=(2, None), File_write_at=(2, 1600))

    def test_ranks_without_the_layer_are_not_waited_for(self):
        program = self.instrumented()
        result = self.folder / "some"
        command = [*self.mpi.mpirun(support.RIDGE), "run", "--mpi", "--every", "2", "--machine", support.MACHINE, "-o", result,
                   "--", program, "late_rank"]
        support.run(command, env=environment(), cwd=self.folder, timeout=TIMEOUT)
        profile = support.validated(support.parse_json((result / "profile.json").read_text("utf-8")))
        (reduction,) = [call for call in profile["mpi_calls"] if call["name"] == "MPI_Allreduce"]
        self.assertEqual((reduction["calls"], reduction["messages"]), (1, 1))
        self.assertNotIn("waiting_seconds", reduction)

    def test_time_of_mpi_stays_that_of_its_library(self):
        _, profile, _ = self.calls(self.mpi.mpirun(self.instrumented(), "late_sender"))
        libraries = {r["name"] for r in profile["regions"] if r["kind"] == "library"}
        self.assertFalse([name for name in libraries if "ridge" in name], "the layer is no library of the program")
        self.assertTrue([name for name in libraries if "libmpi" in name], libraries)

    def test_ranks_that_are_measured_one_by_one(self):
        program = self.instrumented()
        result = self.folder / "joined"
        command = [*self.mpi.mpirun(support.RIDGE), "run", "--mpi", "--machine", support.MACHINE, "-o", result, "--", program]
        support.run(command, env=environment(), cwd=self.folder, timeout=TIMEOUT)
        profile = support.validated(support.parse_json((result / "profile.json").read_text("utf-8")))
        names = {region["id"]: region["function"] for region in profile["regions"]}
        found = {(c["name"], names.get(c.get("region"))): (c["calls"], c.get("bytes")) for c in profile["mpi_calls"]}
        for name, caller in (("Send", "ping"), ("Bcast", "collect"), ("Sendrecv", "exchange")):
            self.assertEqual(found[f"MPI_{name}", caller], self.CLOSED_FORMS[name])
        in_mpi = {p.get("rank"): p["mpi_seconds"] for p in profile["processes"] if "mpi_seconds" in p}
        self.assertEqual(set(in_mpi), {0, 1})

    def test_regions_of_a_program_as_it_is(self):
        need_an_engine(self)
        program = self.compiled("mpi_calls.c", "-pthread")
        _, _, found = self.calls(self.mpi.mpirun(program), options=("--source", "binary", "--no-traffic"))
        self.assert_calls(found, **self.CLOSED_FORMS)
        self.assertEqual(found["MPI_Send"]["callers"], {"ping"})
        self.assertEqual(found["MPI_Alltoallv"]["callers"], {"collect"})

    # ---- waiting ----

    def test_a_late_sender_lets_its_receiver_wait(self):
        done, _, found = self.calls(self.mpi.mpirun(self.instrumented(), "late_sender"))
        receive = found["MPI_Recv"]
        self.assertEqual((receive["calls"], receive["bytes"]), (1, 32000))
        self.assertGreaterEqual(receive["waiting"], 0.75 * LATE)
        self.assertLessEqual(receive["waiting"], receive["seconds"])
        self.assertIn("from 1, tag 0", done.stderr, "the status is the program's")

    def test_a_late_rank_lets_the_others_wait_in_collectives(self):
        _, _, found = self.calls(self.mpi.mpirun(self.instrumented(), "late_rank"))
        for name in ("MPI_Barrier", "MPI_Allreduce"):
            self.assertGreaterEqual(found[name]["waiting"], 0.75 * LATE, name)
            self.assertLessEqual(found[name]["waiting"], found[name]["seconds"], name)
        self.assert_calls(found, Barrier=(2, None), Allreduce=(2, 1600))
        self.assertIsNone(found["MPI_Init_thread"]["waiting"], "not told apart")

    # ---- languages, threads, ends ----

    def check_fortran(self, source):
        program = self.compiled(source)
        done, _, found = self.calls(self.mpi.mpirun(program))
        self.assert_calls(found, Init=(2, None), Send=(TURNS, TURNS * 800), Recv=(TURNS, TURNS * 800),
                          Allreduce=(2, 80), Barrier=(2, None), Finalize=(2, None))
        self.assertEqual(set(found), {f"MPI_{n}" for n in ("Init", "Send", "Recv", "Allreduce", "Barrier", "Finalize")})
        self.assertIn("rank 1  2.00", done.stderr)

    def test_fortran_by_the_module_mpi(self):
        self.check_fortran("mpi_calls_f90.f90")

    def test_fortran_by_the_module_mpi_f08(self):
        self.check_fortran("mpi_calls_f08.f90")

    def test_many_threads_in_mpi(self):
        done, _, found = self.calls(self.mpi.mpirun(self.instrumented(), "threads"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assert_calls(found, Send=(3 * TURNS, 3 * TURNS * 64), Recv=(3 * TURNS, 3 * TURNS * 64))
        self.assertIsNone(found["MPI_Recv"]["waiting"], "another thread may take what one has probed")

    def test_calls_that_an_error_handler_left(self):
        program = self.compiled("mpi_left.cpp", "-DOMPI_SKIP_MPICXX", "-DMPICH_SKIP_MPICXX", compiler="g++")
        for how in ("jump", "throw"):
            with self.subTest(how=how):
                done, _, found = self.calls(self.mpi.mpirun(program, how))
                self.assertEqual(done.stderr.count("sum 2"), 2, done.stderr)
                self.assert_calls(found, Init=(2, None), Allreduce=(10, 80), Finalize=(2, None))
                self.assertIsNotNone(found["MPI_Allreduce"]["waiting"])

    def test_a_library_that_is_opened_late_brings_mpi_along(self):
        plugin = self.compiled("mpi_plugin.c", "-shared", "-fPIC")
        support.run(["gcc", "-w", support.PROGRAMS / "mpi_absent.c", "-o", self.folder / "absent", "-ldl"],
                    env=support.environment())
        done, _, found = self.calls([self.folder / "absent", plugin])
        self.assertIn("serial\nopened\n", done.stderr)
        self.assert_calls(found, Init=(1, None), Barrier=(1, None), Finalize=(1, None))

    def test_an_aborted_program_keeps_its_calls(self):
        _, _, found = self.calls(self.mpi.mpirun(self.instrumented(), "abort"), check=False)
        self.assert_calls(found, Send=(TURNS, TURNS * 800), Recv=(TURNS, TURNS * 800))

    def test_a_killed_rank_keeps_its_calls(self):
        _, _, found = self.calls(self.mpi.mpirun(self.instrumented(), "kill"), check=False)
        self.assert_calls(found, Send=(TURNS, TURNS * 800), Recv=(TURNS, TURNS * 800))


class WithoutMpi(unittest.TestCase):
    def test_a_program_without_mpi_says_so(self):
        program = support.compile_c("known_work.c") if (support.PROGRAMS / "known_work.c").is_file() else "true"
        options = ["--mpi", "--json", "--no-traffic", *(["--launcher"] if program == "true" else [])]
        done = support.ridge_run([program], options, env=support.environment())
        profile = support.validated(support.parse_json(done.stdout))
        self.assertIn("no-mpi-calls", [note["code"] for note in profile["notes"]])
        self.assertNotIn("mpi_calls", profile)

    def test_a_program_that_asks_for_mpi_has_none(self):
        folder = support.own_folder(self)
        for flags in (["-fPIE", "-pie", "-Wl,-z,now"], ["-fPIE", "-pie", "-Wl,-z,lazy,-z,norelro"], ["-no-pie"]):
            support.run(["gcc", "-w", *flags, support.PROGRAMS / "mpi_absent.c", "-o", folder / "absent", "-ldl"],
                        env=support.environment())
            done = support.ridge_run([folder / "absent"], ["--mpi", "--json", "--launcher", "--no-traffic"],
                                     env=support.environment(), cwd=folder)
            self.assertIn("serial\n", done.stderr, flags)
        done = support.ridge_run([folder / "absent", "name"], ["--mpi", "--json", "--launcher", "--no-traffic"],
                                 env=support.environment(), cwd=folder, check=False)
        self.assertIn("Measure this program without --mpi.", done.stderr)

    def test_without_the_option_nothing_is_loaded(self):
        done = support.ridge_run(["sh", "-c", "echo =$LD_PRELOAD=$RIDGE_CALLS="], ["--launcher", "--json", "--no-traffic"],
                                 env=support.environment())
        self.assertIn("===", done.stderr)

    def test_what_the_user_loads_stays(self):
        env = support.environment(LD_PRELOAD="libm.so.6")
        done = support.ridge_run(["sh", "-c", "echo $LD_PRELOAD"], ["--launcher", "--json", "--no-traffic", "--mpi"], env=env)
        self.assertRegex(done.stderr, r"lib/ridge/libridge_mpi\.so:libm\.so\.6\n")


if __name__ == "__main__":
    os.makedirs(support.WORK, exist_ok=True)
    mpi_programs.UnderMpi.mpi = mpi_programs.IMPLEMENTATIONS[sys.argv.pop(1)]
    unittest.main(argv=sys.argv, verbosity=2)
