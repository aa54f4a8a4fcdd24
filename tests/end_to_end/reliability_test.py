"""Programs that leave their functions in unusual ways, or run for very long: they compute the same bits as without Ridge,
and the counts are exact."""

import unittest

import support
from counts import whole_program


class Exact(unittest.TestCase):
    """A test in an empty working folder of its own."""

    def setUp(self):
        self.folder = support.own_folder(self)

    def measure(self, program, *words, options=("--no-traffic",)):
        """Output and profile of `ridge run`."""
        done = support.ridge_run([program, *words], [*options, "-o", "out", "--force", "--quiet"], cwd=self.folder)
        profile = support.parse_json((self.folder / "out" / "profile.json").read_text("utf-8"))
        return done.stdout.splitlines()[0], support.validated(profile)


class Bits(Exact):
    FLAGS = (["-O0"], ["-O1"], ["-O2", "-march=native"], ["-O3"], ["-O3", "-ffast-math", "-march=native"])

    def test_results_are_the_same_bits(self):
        for flags in self.FLAGS:
            flags = ["-std=c++20", *flags]
            with self.subTest(flags=flags):
                alone = support.run([support.compile_c("bits.cpp", flags, plain=True)]).stdout
                program = support.compile_c("bits.cpp", flags)
                self.assertEqual(support.run([program]).stdout, alone)
                file = self.folder / support.slug(flags)
                self.measure(program, file, options=["--traffic=exact"])
                # The run that counts, and the one that is simulated.
                self.assertEqual(file.read_text("utf-8"), 2 * alone)


class Coroutines(Exact):
    """C++20 coroutines: each part of one is a function of its own, with frames as any other."""

    TURNS = 14

    def expected(self):
        """By function that did the work, as the comments of the program say."""
        n = self.TURNS
        below = 3 * sum(turn % 5 for turn in range(n + 1))
        work = 6 * n + 8 * n + 4 * 20
        sums = 3 * (n * 15 + 1) + 2 * 10
        return {"work": work, "sums": sums + 3, "next_from_below": below, "chain": n, "nested": 1 + 2,
                "wanders": 4 * 201, "main": 3 * (n + 1) + 1 + n + 1 + 1 + 1 + 1}

    def test_counts(self):
        for level in ("-O0", "-O1", "-O2", "-O3"):
            flags = ["-std=c++20", level]
            alone = support.run([support.compile_c("coroutines.cpp", flags, plain=True, link=["-pthread"]), self.TURNS])
            program = support.compile_c("coroutines.cpp", flags, link=["-pthread"])
            self.assertEqual(support.run([program, self.TURNS]).stdout, alone.stdout)
            for options in (["--no-traffic"], ["--traffic=exact"]):
                with self.subTest(level=level, options=options):
                    output, profile = self.measure(program, self.TURNS, options=options)
                    self.assertEqual(output, alone.stdout.strip())
                    self.assertEqual(whole_program(profile).flops, sum(self.expected().values()))

    def test_work_belongs_to_the_coroutine_that_did_it(self):
        program = support.compile_c("coroutines.cpp", ["-std=c++20", "-O1"], link=["-pthread"])
        _, profile = self.measure(program, self.TURNS)
        flops = {}
        for region in profile["regions"]:
            if region["kind"] in ("function", "loop") and support.flops_of(region) > 0:
                name = region["function"].rpartition("::")[2]
                flops[name] = flops.get(name, 0) + support.flops_of(region)
        self.assertEqual(flops, self.expected())


class Signals(Exact):
    """Handlers run instrumented code in the midst of instrumented code of the same thread."""

    def test_a_handler_behind_every_instruction(self):
        """Wherever a handler comes between, also within the way into a region, no count is lost and no frame is left."""
        turns = 7
        for flags in (["-O0"], ["-O1"], ["-O2"], ["-O3", "-march=native"]):
            with self.subTest(flags=flags):
                program = support.compile_c("stepped.c", [*flags, "-mno-red-zone"])
                output, profile = self.measure(program, turns)
                _, handled, before, after = output.split()
                self.assertGreater(int(handled), 500)
                done = sum(2 * (turns + turn) + 1 for turn in range(turns))
                self.assertEqual(whole_program(profile).flops, 2 * 11 + done + 2 * 11 * int(handled))
                self.assertEqual(after, before)

    def check_alarms(self, how, alarms, options=("--no-traffic",)):
        for level in ("-O0", "-O2"):
            with self.subTest(how=how, level=level, options=options):
                output, profile = self.measure(support.compile_c("alarms.c", [level]), how, alarms, options=options)
                rounds, handled = map(int, output.split())
                self.assertGreaterEqual(handled, alarms)
                self.assertEqual(whole_program(profile).flops, 2 * 100 * rounds + 2 * 10 * handled)

    def test_a_timer_interrupts_the_loops_of_its_handler(self):
        self.check_alarms("within", 100)
        self.check_alarms("within", 30, ["--traffic=exact"])

    def test_the_timer_of_profilers_is_the_programs(self):
        self.check_alarms("prof", 30)

    def test_a_handler_on_its_own_stack(self):
        self.check_alarms("stack", 50)
        self.check_alarms("stack", 20, ["--traffic=exact"])

    def test_a_handler_that_jumps_out(self):
        self.check_alarms("jump", 50)
        self.check_alarms("jump", 20, ["--traffic=exact"])


class Waves(Exact):
    """64 threads, started and joined 50 times."""

    THREADS = 64
    WAVES = 50

    def test_counts_and_memory(self):
        program = support.compile_c("waves.c", ["-O2"], link=["-pthread"])
        for options in (["--no-traffic"], ["--traffic=exact"]):
            with self.subTest(options=options):
                output, profile = self.measure(program, self.THREADS, self.WAVES, options=options)
                self.assertEqual(whole_program(profile).flops, self.THREADS * self.WAVES * 2 * 100)
                (loop,) = [r for r in profile["regions"] if r["kind"] == "loop" and r["function"] == "work"
                           and support.flops_of(r) > 0]
                self.assertEqual(loop["entries"], self.THREADS * self.WAVES)
                self.assertLessEqual(len(loop["thread_work"]), self.THREADS)
                # A block of memory for each thread that began would be 2880 pages and more.
                self.assertLess(int(output), 500)


class LongRuns(Exact):
    def test_a_million_million_turns(self):
        """Counts go beyond 32 and 40 bits; a double holds them to 2^53. The loop is unrolled, and what remains of it comes
        behind: it has none here."""
        program = support.compile_c("endless.c", ["-O2"])
        for turns in (10**12, 2**53 - 64):
            with self.subTest(turns=turns):
                profile = support.profile_of([program, turns, "1.5"], cwd=self.folder)
                (loop,) = [r for r in profile["regions"] if r["function"] == "add_up" and support.flops_of(r) > 0]
                self.assertEqual(loop["flops"]["total"], turns)
                self.assertEqual(loop["iterations"], turns)
                self.assertTrue(loop["partial"])


if __name__ == "__main__":
    unittest.main()
