"""Work, CPU time and wall time of regions that several threads share."""

import pathlib
import re
import shutil
import tempfile
import unittest

import support

SIZE = 2_000


def loops_with_flops(profile):
    return [r for r in profile["regions"] if r["kind"] == "loop" and r["flops"]["total"] > 0]


def main_loop(profile):
    return max(loops_with_flops(profile), key=lambda r: r["flops"]["total"])


def flops_by_thread(region):
    return sorted(t["flops"] for t in region["thread_work"])


def triangle_program(kind):
    flags, link = {"omp": (["-fopenmp"], []), "std": (["-DSTD_THREAD"], ["-pthread"]),
                   "tbb": (["-DUSE_TBB"], ["-ltbb"])}[kind]
    return support.compile_c("triangle.cpp", ("-O1", "-std=c++20", *flags), link=link)


class Imbalance(unittest.TestCase):
    """Row i of the triangle has i + 1 additions; each of two threads has half of the rows."""

    def check(self, kind, repeats=3):
        profile = support.profile_of([triangle_program(kind), SIZE, repeats], threads=2)
        loop = main_loop(profile)
        half = SIZE // 2
        first = repeats * half * (half + 1) // 2
        whole = repeats * SIZE * (SIZE + 1) // 2
        # The outer loop adds each sum to its place, whatever region that belongs to.
        self.assertEqual(loop["flops"]["total"], whole)
        self.assertEqual(flops_by_thread(loop), [first, whole - first])
        self.assertEqual(loop["imbalance"]["work"]["quantity"], "flops")
        self.assertAlmostEqual(loop["imbalance"]["work"]["max_over_mean"],
                               2 * (whole - first) / whole, places=12)
        for region in profile["regions"]:
            for member in ("flops",):
                if "thread_work" in region:
                    self.assertEqual(sum(t[member] for t in region["thread_work"]),
                                     region[member]["total"])

    def test_openmp(self):
        self.check("omp")

    def test_trip_counts_are_those_of_all_threads(self):
        program = triangle_program("omp")
        self.assertNotIn("trip_counts", main_loop(support.profile_of([program, SIZE, 1], threads=2)))
        profile = support.profile_of([program, SIZE, 1], options=("--traffic=exact",), threads=2)
        self.assertEqual(main_loop(profile)["trip_counts"], {"shortest": 1, "longest": SIZE})

    def test_std_thread(self):
        # Created again for each call: threads that follow one another share a number, and which of
        # two gets which depends on who ends first, so only one call has a closed form.
        self.check("std", repeats=1)

    def test_tbb(self):
        if not pathlib.Path("/usr/include/tbb/parallel_for.h").exists():
            self.skipTest("no TBB here: install libtbb-dev")
        profile = support.profile_of([triangle_program("tbb"), SIZE, 40], threads=2)
        loop = main_loop(profile)
        # Who takes which half is TBB's choice; what all took is not.
        self.assertEqual(loop["flops"]["total"], 40 * SIZE * (SIZE + 1) // 2)
        if "thread_work" in loop:
            self.assertEqual(sum(flops_by_thread(loop)), loop["flops"]["total"])
            self.assertLessEqual(loop["imbalance"]["work"]["max_over_mean"], 2.0)

    def test_one_thread_has_no_balance(self):
        program = support.compile_c("triangle.cpp", ("-O1", "-std=c++20"))
        for region in support.profile_of([program, SIZE, 1])["regions"]:
            self.assertNotIn("thread_work", region)


class Times(unittest.TestCase):
    """Wall time is the time with at least one thread in a region, CPU time adds threads."""

    def test_wall_and_cpu_time_of_two_threads(self):
        profile = support.profile_of([triangle_program("omp"), 4_000, 150], threads=2)
        loop = main_loop(profile)
        wall = loop["time_seconds"]["self"]["value"]
        cpu = loop["cpu_seconds"]["self"]["value"]
        by_thread = [t["cpu_seconds"]["value"] for t in loop["thread_work"]]
        self.assertEqual(len(by_thread), 2)
        self.assertAlmostEqual(sum(by_thread), cpu, delta=1e-6 * cpu)
        # Neither thread can use more CPU time than there was wall time with somebody inside (5 % for
        # clocks that tick), and both together no more than twice that.
        self.assertLessEqual(max(by_thread), 1.05 * wall)
        self.assertLessEqual(cpu, 2 * 1.05 * wall)
        (program,) = [r for r in profile["regions"] if r["kind"] == "program"]
        self.assertLessEqual(wall, 1.001 * program["time_seconds"]["self"]["value"])
        waits = [r for r in profile["regions"] if r.get("wait") == "join"]
        self.assertTrue(waits, "the thread with the short half waits for the other")


class Crowd(unittest.TestCase):
    """64 threads on however few cores: sums are exact, and no thread waits for another one."""

    THREADS = 64
    ENTRIES = 20_000
    ADDITIONS = 7

    def program(self):
        return support.compile_c("crowd.c", ("-O1",), link=["-pthread"])

    def check_sums(self, profile, entries):
        (loop,) = [r for r in loops_with_flops(profile) if r["name"].startswith("add_up")]
        each = self.ADDITIONS * entries
        self.assertEqual(loop["flops"]["total"], self.THREADS * each)
        self.assertEqual(flops_by_thread(loop), [each] * self.THREADS)
        self.assertEqual(loop["imbalance"]["work"],
                         {"quantity": "flops", "max_over_mean": 1, "threads": self.THREADS})

    def test_counting(self):
        folder = support.own_folder(self) / "crowd"
        done = support.ridge_run([self.program(), self.THREADS, self.ENTRIES],
                                 ["--no-traffic", "-o", folder])
        profile = support.validated(support.parse_json((folder / "profile.json").read_text("utf-8")))
        self.check_sums(profile, self.ENTRIES)
        waits, total = map(float, re.search(r"^(\d+) (\d+)$", done.stdout, re.M).groups())
        self.assertEqual(total, self.THREADS * self.ENTRIES * self.ADDITIONS)
        # One lock in a path that all 64 take 20 000 times would give thousands.
        self.assertLess(waits, self.THREADS)

    def test_traffic(self):
        profile = support.profile_of([self.program(), self.THREADS, 200], options=("--traffic=exact",))
        self.check_sums(profile, 200)


class ForkAmongThreads(unittest.TestCase):
    """A fork finds no lock of the simulation taken: the child's threads need all of them."""

    def test_traffic(self):
        program = support.compile_c("fork_among_threads.c", ("-O1",), link=["-pthread"])
        profile = support.profile_of([program], options=("--traffic=exact",))
        of_child = 3 * 60 * (1 << 13)
        additions = [10 * of_child] + 8 * [of_child]
        loops = loops_with_flops(profile)
        self.assertEqual([r["flops"]["total"] for r in loops], additions)
        self.assertEqual([r["traffic"]["L1"]["read"] for r in loops], [8 * n for n in additions])


class LoadAmongThreads(unittest.TestCase):
    """Libraries come and go while threads fill the simulation: tables grow under them."""

    def test_traffic(self):
        library = support.compile_c("plugin.c", flags=("-O2", "-fPIC", "-shared"))
        program = support.compile_c("load_among_threads.c", ("-O1",), link=["-pthread", "-ldl"])
        with tempfile.TemporaryDirectory(dir=support.WORK) as folder:
            copies = [pathlib.Path(folder, f"plugin{i}.so") for i in range(40)]
            for copy in copies:
                shutil.copy(library, copy)
            profile = support.profile_of([program, *copies], options=("--traffic=exact",))
        (work,) = [r for r in loops_with_flops(profile) if r["function"] == "work"]
        self.assertEqual(work["flops"]["total"], len(copies) * 2 * 500)
        self.assertEqual(work["traffic"]["L1"]["read"], work["bytes"]["loaded"])


class ExitAmongThreads(unittest.TestCase):
    """Whoever exits waits for nobody who fills the simulation, and takes its own results along."""

    def test_traffic(self):
        program = support.compile_c("exit_among_threads.c", ("-O1",), link=["-pthread"])
        done = support.ridge_run([program], ["--json", "--traffic=exact"], check=False)
        self.assertEqual(done.returncode, 7, done.stderr)
        profile = support.validated(support.parse_json(done.stdout))
        (loop,) = [r for r in loops_with_flops(profile) if r["function"] == "sum_and_leave"]
        self.assertEqual(loop["flops"]["total"], 100 * (1 << 13))
        self.assertEqual(loop["traffic"]["L1"]["read"], 8 * loop["flops"]["total"])


class UninstrumentedThreads(unittest.TestCase):
    """A library linked with libgomp brings threads that the runtime never sees."""

    def test_a_library_with_libgomp(self):
        if not shutil.which("gcc"):
            self.skipTest("no gcc here")
        library = support.compile_program([support.PROGRAMS / "gomp_part.c"],
                                          ["-O1", "-fopenmp", "-fPIC", "-shared"], "libgomppart",
                                          compiler="gcc")
        program = support.compile_c(
            "gomp_host.c", ("-O1",), link=[str(library), f"-Wl,-rpath,{library.parent}"])
        profile = support.profile_of([program], options=("--traffic=exact",), threads=2)
        flops = sum(r["flops"]["total"] for r in loops_with_flops(profile))
        self.assertEqual(flops, 2 * 200_000, "one mul and one add an element, none of the library's")
        called = [r for r in profile["regions"] if "gomp_sum" in r.get("opaque", {})]
        self.assertEqual([r["opaque"]["gomp_sum"] for r in called if r["kind"] != "program"], [1])
        for region in profile["regions"]:
            self.assertNotIn("thread_work", region, "only one thread runs instrumented code")


if __name__ == "__main__":
    unittest.main()
