"""Ranks of a parallel program: each measured by a `ridge run` of its own, joined by the last one.

Ranks are started here with the variables that a launcher sets, so that no MPI is needed."""

import json
import os
import pathlib
import subprocess
import unittest

import support

SIZE = 4096
TURNS = 2000


def rank_environment(rank, ranks, job, **more):
    return support.environment(OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE=str(ranks),
                               OMPI_COMM_WORLD_LOCAL_SIZE=str(ranks), PMIX_NAMESPACE=job, **more)


class Ranks(unittest.TestCase):
    """Four ranks, of which rank r does r + 1 times the work of rank 0."""

    @classmethod
    def setUpClass(cls):
        cls.program = support.compile_c("ranks.c", ["-O2"])
        cls.plain = support.compile_c("ranks.c", ["-O2", "-g"], plain=True)

    def setUp(self):
        self.folder = support.own_folder(self)

    def start(self, rank, ranks, options=(), program=None, job="1", arguments=(str(TURNS),), **more):
        command = [support.RIDGE, "run", "--machine", support.MACHINE, *options, "--", program or self.program, *arguments]
        return subprocess.Popen([str(word) for word in command], cwd=self.folder, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                env=rank_environment(rank, ranks, job, **more))

    def all_ranks(self, ranks=4, expected=0, **more):
        """Their output and exit codes, all at once."""
        running = [self.start(rank, ranks, **more) for rank in range(ranks)]
        done = []
        for process in running:
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
            if expected is not None:
                self.assertEqual(process.returncode, expected, out + err)
            done.append((process.returncode, out, err))
        return done

    def stored(self, name="ridge-out"):
        return support.validated(support.parse_json((self.folder / name / "profile.json").read_text("utf-8")))

    def region(self, profile, function, kind="loop"):
        found = [r for r in profile["regions"] if r["function"] == function and r["kind"] == kind
                 and r.get("flops", {}).get("total", 0) > 0]
        self.assertEqual(len(found), 1, [(r["name"], r["kind"]) for r in profile["regions"]])
        return found[0]

    def codes(self, profile):
        return [note["code"] for note in profile["notes"]]


class Joined(Ranks):
    def test_four_ranks_are_one_result(self):
        done = self.all_ranks()
        shown = [out for _, out, _ in done if "Results:" in out]
        self.assertEqual(len(shown), 1, "one rank speaks for all")
        self.assertIn("4 ranks", shown[0])
        self.assertIn("--into", shown[0])
        self.assertIn("--only-traffic", shown[0])
        profile = self.stored()
        self.assertEqual(profile["parallel"]["ranks"], 4)
        self.assertEqual(profile["parallel"]["measured"], 4)
        sweep = self.region(profile, "sweep")
        each = [2 * SIZE * TURNS * (rank + 1) for rank in range(4)]
        self.assertEqual(sweep["flops"]["total"], sum(each))
        self.assertEqual([entry["flops"] for entry in sweep["ranks"]["by_rank"]], each)
        self.assertEqual(sweep["ranks"]["flops"]["most_rank"], 3)
        self.assertAlmostEqual(sweep["ranks"]["flops"]["max_over_mean"], 1.6)
        alone = self.region(profile, "alone")
        self.assertEqual([entry["flops"] for entry in alone["ranks"]["by_rank"]], [SIZE, 0, 0, 0])
        self.assertEqual([process["rank"] for process in profile["processes"]], [0, 1, 2, 3])
        self.assertEqual([process["flops"] for process in profile["processes"]],
                         [each[0] + SIZE, *each[1:]])
        hosts = profile["parallel"]["hosts"]
        self.assertEqual(len(hosts), 1)
        self.assertEqual(hosts[0]["flops"], sum(each) + SIZE)
        self.assertEqual(hosts[0]["bytes"], sum(process["bytes"] for process in profile["processes"]))
        self.assertEqual(hosts[0]["wall_seconds"], max(process["wall_seconds"] for process in profile["processes"]))
        self.assertNotIn("memory_bytes", hosts[0], "no traffic yet")

    def test_the_output_is_that_of_the_program(self):
        alone = support.run([self.plain, TURNS], env=rank_environment(0, 4, "1"))
        done = self.all_ranks(options=["--quiet"])
        self.assertTrue(done[0][1].startswith(alone.stdout))

    def test_traffic_is_added_by_rank(self):
        self.all_ranks()
        before = self.stored()
        # In the opposite order of starts, by another start.
        running = [self.start(rank, 4, ["--into", "ridge-out", "--only-traffic", "--traffic=exact"], job="2")
                   for rank in reversed(range(4))]
        for process in running:
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, 0, out + err)
        profile = self.stored()
        sweep = self.region(profile, "sweep")
        self.assertEqual(sweep["flops"], self.region(before, "sweep")["flops"])
        self.assertEqual(sweep["time_seconds"], self.region(before, "sweep")["time_seconds"])
        # 64 KiB in two arrays do not fit into the 32 KiB of the first level: each turn reads them anew.
        read = 2 * 8 * SIZE * TURNS * 10
        self.assertLess(abs(sweep["traffic"]["L2"]["read"] - read) / read, 0.01)
        self.assertNotIn("no-traffic", self.codes(profile))
        program = next(r for r in profile["regions"] if r["kind"] == "program")
        to_memory = program["traffic"]["DRAM"]
        self.assertEqual(profile["parallel"]["hosts"][0]["memory_bytes"], to_memory["read"] + to_memory["written"])

    def test_one_run_gives_everything_and_says_what_times_mean(self):
        self.all_ranks(options=["--one-run", "--traffic=exact"])
        profile = self.stored()
        self.assertIn("times-while-simulated", self.codes(profile))
        sweep = self.region(profile, "sweep")
        self.assertEqual(sweep["flops"]["total"], 2 * SIZE * TURNS * 10)
        self.assertIn("L2", sweep["traffic"])

    def test_chosen_ranks(self):
        for options, chosen in ((["--every", "2"], [0, 2]), (["--ranks", "1,3"], [1, 3])):
            with self.subTest(options=options):
                self.all_ranks(options=options, job=str(options))
                profile = self.stored()
                self.assertEqual([process["rank"] for process in profile["processes"]], chosen)
                self.assertEqual(self.region(profile, "sweep")["flops"]["total"],
                                 sum(2 * SIZE * TURNS * (rank + 1) for rank in chosen))
                self.assertIn("ranks-chosen", self.codes(profile))

    def test_a_later_start_moves_the_older_result_aside(self):
        self.all_ranks(ranks=2)
        self.all_ranks(ranks=3, job="2")
        self.assertEqual(self.stored()["parallel"]["ranks"], 3)
        self.assertEqual(self.stored("ridge-out.1")["parallel"]["ranks"], 2)

    def test_the_same_name_of_a_start_again_is_a_new_start(self):
        self.all_ranks(ranks=2)
        self.all_ranks(ranks=2, arguments=(str(2 * TURNS),))
        self.assertEqual(self.region(self.stored(), "sweep")["flops"]["total"], 2 * SIZE * 2 * TURNS * 3)
        self.assertEqual(self.region(self.stored("ridge-out.1"), "sweep")["flops"]["total"], 2 * SIZE * TURNS * 3)

    def test_a_named_result_is_not_overwritten(self):
        self.all_ranks(ranks=2, options=["-o", "named"])
        for code, _, err in self.all_ranks(ranks=2, job="2", options=["-o", "named"], expected=None):
            self.assertEqual(code, 2, err)
            self.assertIn("--force", err)
        self.all_ranks(ranks=3, job="3", options=["-o", "named", "--force"])
        self.assertEqual(self.stored("named")["parallel"]["ranks"], 3)

    def test_other_ranks_are_refused(self):
        self.all_ranks(ranks=2)
        for code, _, err in self.all_ranks(ranks=3, job="2", options=["--into", "ridge-out", "--only-traffic"],
                                           expected=None):
            self.assertEqual(code, 2, err)
            self.assertIn("holds all 2 ranks", err)

    def test_another_program_is_refused(self):
        self.all_ranks(ranks=2)
        other = self.folder / "other"
        other.symlink_to(self.program)
        for code, _, err in self.all_ranks(ranks=2, program=other, options=["--into", "ridge-out", "--only-traffic"],
                                           expected=None):
            self.assertEqual(code, 2, err)
            self.assertIn("this start runs", err)
        self.assertFalse((self.folder / "ridge-out" / "ranks" / "traffic").exists())

    def test_ranks_that_are_not_there_are_refused(self):
        for code, _, err in self.all_ranks(ranks=2, options=["--ranks", "7"], expected=None):
            self.assertEqual(code, 2, err)
            self.assertIn("ranks 0 to 1", err)

    def test_a_folder_of_somebody_else_stays(self):
        precious = self.folder / "mine" / "ranks" / "precious"
        precious.parent.mkdir(parents=True)
        precious.write_text("x", "utf-8")
        for code, _, err in self.all_ranks(ranks=2, options=["-o", "mine", "--force"], expected=None):
            self.assertEqual(code, 2, err)
            self.assertIn("no folder of Ridge's", err)
        self.assertTrue(precious.is_file())

    def test_scripts_between_the_launcher_and_ranks(self):
        """MPICH's mpirun names no start: ranks find each other by the process that started them."""
        command = f"'{support.RIDGE}' run --machine '{support.MACHINE}' -o out -- '{self.program}' {TURNS}; exit $?"
        running = [subprocess.Popen(["sh", "-c", command], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, text=True,
                                    env=support.environment(PMI_RANK=str(rank), PMI_SIZE="2", MPI_LOCALNRANKS="2"))
                   for rank in range(2)]
        for process in running:
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, 0, out + err)
        self.assertEqual(self.stored("out")["parallel"]["measured"], 2)

    def test_more_ranks_than_cpus_also_where_few_are_measured(self):
        cpus = len(os.sched_getaffinity(0))
        self.all_ranks(ranks=2 * cpus + 2, options=["--every", str(cpus + 1)])
        profile = self.stored()
        self.assertEqual(profile["parallel"]["measured"], 2)
        self.assertTrue(profile["parallel"]["oversubscribed"])

    def test_a_program_as_it_is_has_times(self):
        self.all_ranks(ranks=2, program=self.plain, arguments=("200000",))
        profile = self.stored()
        self.assertEqual(len(profile["processes"]), 2)
        sweeps = [r for r in profile["regions"] if r["function"] == "sweep"]
        self.assertTrue(sweeps)
        self.assertTrue(all("flops" not in r for r in sweeps))
        self.assertEqual(sweeps[0]["ranks"]["time_seconds"]["ranks"], 2)

    def test_ranks_of_different_programs(self):
        """Each is counted for itself; the way to their traffic is that of no single command."""
        other = support.compile_c("ending.c")
        for rank in range(4):
            program, arguments = (self.program, [TURNS]) if rank < 2 else (other, ["return", "0"])
            process = self.start(rank, 4, program=program, arguments=arguments)
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, 0, out + err)
        profile = self.stored()
        sweep = self.region(profile, "sweep")
        self.assertEqual([(entry["rank"], entry["flops"]) for entry in sweep["ranks"]["by_rank"]],
                         [(rank, 2 * SIZE * TURNS * (rank + 1)) for rank in range(2)])
        work = self.region(profile, "work")
        self.assertEqual([(entry["rank"], entry["flops"]) for entry in work["ranks"]["by_rank"]], [(2, 2000), (3, 2000)])
        self.assertEqual([process["argv"][0] for process in profile["processes"]],
                         2 * [str(self.program)] + 2 * [str(other)])
        last = out.splitlines()[-1]
        self.assertIn("--only-traffic -- PROGRAM", last)
        self.assertNotIn("mpirun -n 4", last)

    def test_alone(self):
        process = self.start(0, 4, ["--alone", "--no-traffic"])
        out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
        self.assertEqual(process.returncode, 0, out + err)
        self.assertNotIn("parallel", self.stored())


class Clocks(Ranks):
    """Nodes that do not agree on what time it is: 30 years behind and ahead."""

    def test_times_are_those_of_each_node(self):
        library = self.folder / "shifted_clock.so"
        support.run(["cc", "-shared", "-fPIC", "-O1", support.PROGRAMS / "shifted_clock.c", "-o", library])
        years = 30 * 365 * 24 * 3600
        for rank in range(3):
            process = self.start(rank, 3, LD_PRELOAD=str(library), CLOCK_SHIFT=str((1 - rank) * years))
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, 0, out + err)
        profile = self.stored()
        year = int(profile["date"][:4])
        self.assertNotIn(year, range(2020, 2030), "the clocks are shifted")
        self.assertEqual(profile["parallel"]["measured"], 3)
        self.assertEqual(self.region(profile, "sweep")["flops"]["total"], 2 * SIZE * TURNS * 6)
        longest = max(process["wall_seconds"] for process in profile["processes"])
        self.assertEqual(profile["program"]["wall_seconds"], longest)
        for process in profile["processes"]:
            self.assertGreater(process["wall_seconds"], 0)
            self.assertLess(process["wall_seconds"], years / 2)
        self.assertNotRegex(json.dumps(profile), r'"(value|low|high|\w*seconds)": ?-')


class AsItIs(Ranks):
    """A program that was not built with Ridge: times, counts and traffic by a start each."""

    COUNTED = ["--into", "ridge-out", "--only-counts"]
    # 64 KiB in two arrays fit into no level: all of them see each turn anew.
    SIMULATED = ["--into", "ridge-out", "--only-traffic", "--traffic=exact", "--cache", "L1=4K/4,L2=16K/8,L3=32K/8"]

    def setUp(self):
        super().setUp()
        if not (support.BUILD / "lib" / "ridge" / "valgrind" / "ridge-amd64-linux").is_file():
            self.skipTest("no tool for Valgrind in this build")

    def own_program(self, *flags):
        """In the test's folder, so that it may be built anew."""
        program = self.folder / "ranks"
        support.run(["gcc", "-g", "-O2", *flags, support.PROGRAMS / "ranks.c", "-o", program], cwd=self.folder)
        return program

    def refused(self, word, **more):
        for code, _, err in self.all_ranks(ranks=2, expected=None, **more):
            self.assertEqual(code, 3, err)
            self.assertIn(word, err)
            self.assertIn("--only-counts", err)

    def test_traffic_by_a_third_start(self):
        self.all_ranks(ranks=2, program=self.plain, arguments=("20000",))
        done = self.all_ranks(ranks=2, program=self.plain, job="2", options=self.COUNTED)
        self.assertIn("--only-traffic", "".join(out for _, out, _ in done))
        self.assertNotIn("no-counts", self.codes(self.stored()))
        self.all_ranks(ranks=2, program=self.plain, job="3", options=self.SIMULATED)
        profile = self.stored()
        self.assertFalse({"no-traffic", "no-counts"} & set(self.codes(profile)), self.codes(profile))
        for function, turns, each in (("sweep", 3 * TURNS, [2 * SIZE * TURNS * (rank + 1) for rank in range(2)]),
                                      ("shift", 2 * TURNS, [0, 0])):
            found = [r for r in profile["regions"] if r["function"] == function and r["kind"] == "loop"]
            self.assertTrue(found, [r["name"] for r in profile["regions"]])
            loop = max(found, key=lambda r: sum(r.get("bytes", {}).values()))
            self.assertEqual([entry["flops"] for entry in loop["ranks"]["by_rank"]], each)
            read, written = 2 * 8 * SIZE * turns, 8 * SIZE * turns
            for level in ("L2", "L3", "DRAM"):
                traffic = loop["traffic"][level]
                self.assertLess(abs(traffic["read"] - read) / read, 0.01, (function, level))
                self.assertLess(abs(traffic["written"] - written) / written, 0.01, (function, level))
        kept = self.folder / "ridge-out" / "ranks" / "counts"
        self.assertTrue((kept / f"code-{self.plain.name}").is_file())

    def test_what_was_not_counted_is_refused(self):
        program = self.own_program()
        self.all_ranks(ranks=2, program=program)
        self.refused("was not counted", program=program, job="2", options=self.SIMULATED)
        self.all_ranks(ranks=2, program=program, arguments=("1",), job="3", options=self.COUNTED)
        self.own_program("-funroll-loops")
        self.refused("another file now", program=program, job="4", options=self.SIMULATED)

    def test_everything_in_one_run_is_refused(self):
        for code, _, err in self.all_ranks(ranks=2, program=self.plain, options=["--one-run"], expected=None):
            self.assertEqual(code, 3, err)
            self.assertIn("cannot be measured by one run", err)


class Lost(Ranks):
    def merge(self, *options, expected=0):
        done = support.run([support.RIDGE, "merge", *options], cwd=self.folder, check=False, env=support.environment())
        self.assertEqual(done.returncode, expected, done.stdout + done.stderr)
        return done

    def test_a_killed_program_is_kept(self):
        done = self.all_ranks(arguments=(str(TURNS), "kill", "2"), expected=None)
        self.assertEqual([code for code, _, _ in done], [0, 0, 128 + 9, 0])
        profile = self.stored()
        self.assertEqual(profile["program"]["signal"], 9)
        self.assertEqual(profile["parallel"]["measured"], 4)
        self.assertEqual(self.region(profile, "sweep")["flops"]["total"], 2 * SIZE * TURNS * 10)

    def test_a_rank_that_never_came_is_named(self):
        for rank in (0, 1, 3):
            process = self.start(rank, 4)
            out, err = process.communicate(timeout=support.TIMEOUT_SECONDS)
            self.assertEqual(process.returncode, 0, out + err)
        self.assertFalse((self.folder / "ridge-out" / "profile.json").exists())
        shown = self.merge("ridge-out").stdout
        self.assertIn("rank 2 left no record", shown)
        profile = self.stored()
        self.assertEqual(profile["parallel"]["lost"], [2])
        self.assertEqual(self.region(profile, "sweep")["flops"]["total"], 2 * SIZE * TURNS * (1 + 2 + 4))

    # Ranks one after the other in a file system of 2 MiB that only they see. Rank 1 fills it while it runs.
    IN_A_SMALL_FILE_SYSTEM = """
        mount -t tmpfs -o size=2m none small || exit 77
        cd small
        for rank in 0 1 2; do
          OMPI_COMM_WORLD_RANK=$rank "$@" fill 1 "$PWD/filler" > ../out$rank 2> ../err$rank
          echo $? > ../code$rank
          rm -f filler
        done
        cp -r ridge-out ..
        """

    def test_a_full_disk_loses_the_record_of_one_rank(self):
        (self.folder / "small").mkdir()
        namespace = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--map-root-user"])]
        command = [support.RIDGE, "run", "--machine", support.MACHINE, "--no-traffic", "--", self.program, TURNS]
        done = support.run([*namespace, "sh", "-c", self.IN_A_SMALL_FILE_SYSTEM, "sh", *command], cwd=self.folder,
                           env=rank_environment(0, 3, "1"), check=False)
        if done.returncode in (1, 77) and not (self.folder / "code0").exists():
            self.skipTest(f"no file system of our own here: {done.stderr}")
        self.assertEqual([int((self.folder / f"code{rank}").read_text()) for rank in range(3)], [0, 5, 0])
        said = (self.folder / "err1").read_text("utf-8")
        self.assertIn(f"{self.folder}/small/ridge-out/ranks/first/0000001: No space left on device", said)
        self.assertIn("ridge merge", said)
        shown = self.merge("ridge-out").stdout
        self.assertIn("(lost: 1)", shown)
        profile = self.stored()
        self.assertEqual(profile["parallel"]["lost"], [1])
        self.assertEqual(self.region(profile, "sweep")["flops"]["total"], 2 * SIZE * TURNS * (1 + 3))

    def test_a_damaged_record_is_left_out(self):
        self.all_ranks()
        record = self.folder / "ridge-out" / "ranks" / "first" / "0000001"
        record.write_bytes(record.read_bytes()[:-20])
        done = self.merge("ridge-out", "--json")
        self.assertIn("0000001 is damaged", done.stderr)
        self.assertEqual(json.loads(done.stdout)["parallel"]["lost"], [1])

    def test_what_is_no_result_is_refused(self):
        done = self.merge(self.folder, expected=3)
        self.assertIn("holds no ranks", done.stderr)
        self.merge(expected=2)

    def test_options_that_need_ranks(self):
        for options in (["--only-traffic"], ["--one-run"], ["--every", "2"], ["--into", "x"],
                        ["--into", "x", "--only-traffic"]):
            with self.subTest(options=options):
                done = support.ridge_run([self.program], options, cwd=self.folder, check=False)
                self.assertEqual(done.returncode, 2, done.stderr)

    def test_two_starts_at_once_in_two_folders_and_one(self):
        """Into one unnamed folder: the later moves the earlier aside, and nothing is lost."""
        running = [self.start(rank, 2, job=job) for job in ("a", "b") for rank in range(2)]
        for process in running:
            process.communicate(timeout=support.TIMEOUT_SECONDS)
        folders = [path for path in self.folder.iterdir() if path.name.startswith("ridge-out")]
        records = [path for folder in folders for path in (folder / "ranks" / "first").glob("000*")]
        self.assertEqual(len(records), 4)


if __name__ == "__main__":
    unittest.main()
