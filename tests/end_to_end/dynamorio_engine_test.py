"""The client of DynamoRIO, run by hand: its records say what ran, and the program behaves as alone."""

import collections
import os
import pathlib
import re
import shutil
import signal
import subprocess
import unittest
import unittest.mock

import engine_record
import support
from valgrind_engine_test import ELEMENTS, LINE_BYTES, Listing, callgrind, compiled, executions, plan

CLIENT = support.BUILD / "lib" / "ridge" / "libridge_dynamorio.so"
HOME = os.environ.get("DYNAMORIO_HOME")
DRRUN = str(pathlib.Path(HOME, "bin64", "drrun")) if HOME else shutil.which("drrun")
CPU = pathlib.Path("/proc/cpuinfo").read_text("utf-8")
AVX512 = all(re.search(rf"\b{name}\b", CPU) for name in ("avx512f", "avx512bw", "avx512dq", "avx512vl"))
# Where the linker puts what is not to be moved in memory: offset 0 of the file.
NO_PIE_BASE = 0x400000
MASKS = 500
LANES = {"vaddpd": 8, "vaddps": 16, "vsubpd": 4, "vsubps": 4, "vmulpd": 2, "vmulsd": 1, "vmulss": 1, "vfmadd231pd": 8,
         "vdivps": 8, "vpaddb": 64, "vpaddw": 32, "vpaddd": 8, "vpaddq": 2, "vcvtps2pd": 8, "vcvtpd2ps": 8,
         "vcvtudq2pd": 4, "vcvtsd2ss": 1, "vpmovqb": 8, "vpmovzxbd": 16, "vpunpcklbw": 64, "vpunpckldq": 16,
         "vextractf32x4": 4, "vinsertf64x4": 8, "vbroadcastss": 16, "vbroadcastsd": 8, "vshuff64x2": 8, "vpermt2ps": 16,
         "vmovddup": 8, "vpternlogd": 16, "vcmpltpd": 8, "vfpclassps": 16, "vpalignr": 64, "vgetexpsd": 1,
         "vpexpandd": 16, "vmovdqu16": 32, "vmovupd": 4}


@unittest.skipUnless(CLIENT.is_file(), "the client was not built: no DynamoRIO was found")
@unittest.skipUnless(DRRUN and os.access(DRRUN, os.X_OK), "no drrun: neither by DYNAMORIO_HOME nor in PATH")
class UnderClient(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)
        self.prefix = self.folder / "record"

    def command(self, *command, options=()):
        return [DRRUN, "-quiet", "-c", CLIENT, f"record={self.prefix}", *options, "--", *command]

    def under(self, *command, options=(), check=True):
        return support.run(self.command(*command, options=options), env=support.environment(), check=check)

    def records(self):
        records = engine_record.records(self.prefix)
        for record in records:
            self.assertTrue(record.whole)
            self.assertEqual(record.engine, 3)
            self.assertEqual(record.flags & (engine_record.BY_THREAD | engine_record.SERIAL), engine_record.BY_THREAD)
        return records

    def record(self, *command, code=3, options=()):
        """The record of one process, which ends with this code."""
        done = self.under(*command, options=options, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        (record,) = self.records()
        self.assertEqual(done.stderr, "")
        self.assertEqual(record.arguments, [str(part) for part in command])
        return record

    def forget_records(self):
        for path in self.folder.glob("record.*"):
            path.unlink()


def compiled_lanes():
    return support.compile_program([support.PROGRAMS / "engine_lanes.c"], ["-O2", "-no-pie"], "engine_lanes",
                                   compiler="gcc", plain=True)


class Counts(UnderClient):
    def check_against_callgrind(self, program, *arguments, functions=None):
        listing = Listing(program)
        mine = executions(self.record(program, *arguments), program, listing)
        theirs = callgrind(program, listing, arguments, self.folder / "callgrind.out")
        repeated = {at for at, text in listing.instructions.items() if text.startswith("rep")}
        self.assertGreater(len(theirs), 50)
        compared = set(mine) | set(theirs)
        if functions:
            compared = {at for name in functions for at in listing.functions[name]}
        wrong = {hex(at): (mine[at], theirs[at]) for at in compared - repeated if mine[at] != theirs[at]}
        self.assertEqual(wrong, {})
        return listing, mine

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_each_instruction_as_often_as_callgrind_says(self):
        program = compiled("engine_fixed", "-no-pie")
        listing, mine = self.check_against_callgrind(program)
        loop = [at for at in listing.functions["dot"] if "vfmadd" in listing.instructions[at]]
        self.assertEqual(sum(mine[at] for at in loop), 5 * ELEMENTS)

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_two_threads_at_once(self):
        program = compiled("engine_fixed", "-no-pie")
        listing, _ = self.check_against_callgrind(program, "threads")
        (record,) = self.records()
        first = listing.functions["dot"][0]
        # Which of two that were created at once comes first is the machine's business.
        calls = [executions(record, program, listing, thread)[first] for thread in (0, 1, 2)]
        self.assertEqual([calls[0], *sorted(calls[1:])], [0, 4, 5])
        self.assertEqual(len({tid for tid in record.tids.values() if tid}), 3)

    def test_many_threads_in_turn(self):
        program = compiled("engine_fixed", "-no-pie")
        record = self.record(program, "threads", "200")
        listing = Listing(program)
        self.assertEqual(executions(record, program, listing)[listing.functions["dot"][0]], 100 * 9)
        self.assertEqual(sorted(record.executions), list(range(201)))

    @unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
    def test_static_program(self):
        program = compiled("engine_static", "-static")
        # The start of the C library walks over the environment, where the two differ.
        _, mine = self.check_against_callgrind(program, functions=("main", "dot", "scale"))
        self.assertGreater(sum(mine.values()), 10 * ELEMENTS)

    def test_position_independent_program(self):
        program = compiled("engine_pie", "-pie", "-fPIE")
        record = self.record(program)
        first = Listing(program).functions["dot"][0]
        calls = sum(record.total(n) for n, block in record.blocks.items()
                    if record.path_of(n) == str(program) and record.file_offset(n) == first)
        self.assertEqual(calls, 5)

    def test_repeated_instructions_count_once_and_their_turns_apart(self):
        program = compiled("engine_fixed", "-no-pie")
        record = self.record(program, "repeated")
        listing = Listing(program)
        executed = executions(record, program, listing)
        turns = {record.blocks[n].address: count for n, count in record.turns[0].items()
                 if record.path_of(n) == str(program)}
        (move,) = [at for at in listing.functions["copy"] if "movs" in listing.instructions[at]]
        (scan,) = [at for at in listing.functions["length"] if "scas" in listing.instructions[at]]
        self.assertEqual((executed[move], turns[move]), (6, 5000))
        self.assertEqual((executed[scan], turns[scan]), (2, 1000 + 11))

    def test_code_that_is_written_over(self):
        record = self.record(compiled("engine_fixed", "-no-pie"), "rewrite")
        written = {block.code: record.total(n) for n, block in record.blocks.items()
                   if record.path_of(n) is None and block.code[:1] == b"\xb8"}
        self.assertEqual(written, {bytes([0xb8, v, 0, 0, 0, 0xc3]): v for v in (1, 2, 3)})

    @unittest.skipUnless(shutil.which("gfortran"), "gfortran is not installed")
    def test_a_fortran_program_with_openmp(self):
        program = support.compile_program([support.PROGRAMS / "engine_sum.f90"], ["-O2", "-fopenmp", "-no-pie"],
                                          "engine_sum", compiler="gfortran", plain=True)
        done = support.run(self.command(program), env=support.environment(OMP_NUM_THREADS="2", OMP_DYNAMIC="false"))
        self.assertEqual(done.stdout.split(), ["500500"])
        (record,) = self.records()
        listing = Listing(program)
        adds = [at for at, text in listing.instructions.items() if text.startswith("mulsd")]
        by_thread = [sum(executions(record, program, listing, thread)[at] for at in adds) for thread in (0, 1)]
        self.assertEqual(by_thread, [500, 500])


@unittest.skipUnless(AVX512, "the processor has no AVX-512 (F, BW, DQ, VL)")
class Masks(UnderClient):
    def test_active_lanes_of_each_kind_of_instruction(self):
        program = compiled_lanes()
        record = self.record(program, "masks", str(MASKS), code=0)
        listing = Listing(program)
        seen = {}
        for (block, offset), lanes in record.masks[0].items():
            if record.path_of(block) == str(program):
                seen[listing.instructions[record.blocks[block].address + offset].split()[0]] = lanes
        self.assertEqual(seen, {name: sum((mask & ((1 << lanes) - 1)).bit_count() for mask in shifted(MASKS))
                                for name, lanes in LANES.items()})

    def test_a_mask_without_lanes_is_known(self):
        program = compiled_lanes()
        record = self.record(program, "gather", "0", code=0)
        listing = Listing(program)
        seen = {listing.instructions[record.blocks[block].address + offset].split()[0]: lanes
                for (block, offset), lanes in record.masks[0].items() if record.path_of(block) == str(program)}
        self.assertEqual(seen, {"vgatherdpd": 0})


def shifted(count):
    """The masks of engine_lanes.c."""
    mask = 88172645463325252
    for _ in range(count):
        mask ^= mask << 13 & (1 << 64) - 1
        mask ^= mask >> 7
        mask ^= mask << 17 & (1 << 64) - 1
        yield mask


class Behaviour(UnderClient):
    def check_as_alone(self, *command):
        alone = support.run(command, check=False)
        under = self.under(*command, check=False)
        self.assertEqual((under.stdout, under.stderr, under.returncode), (alone.stdout, alone.stderr, alone.returncode))

    def test_results_to_the_last_bit(self):
        self.check_as_alone(compiled("engine_fixed", "-no-pie"), "fuse")

    def test_ends(self):
        program = compiled("engine_fixed", "-no-pie")
        for how in ("_exit", "abort", "terminate", "handler", "kernels", "trap"):
            with self.subTest(how):
                self.check_as_alone(program, how)
                record = self.records()[-1]
                self.assertGreater(sum(record.executions[0].values()), 1000)
                self.assertEqual(record.unknown, [])
                self.forget_records()

    def test_what_a_launcher_says_and_nothing_else_of_the_environment(self):
        with unittest.mock.patch.dict(os.environ, {"PMI_RANK": "3", "RIDGE_TEST_SECRET": "x"}):
            record = self.record(compiled("engine_fixed", "-no-pie"), "kernels")
        self.assertEqual(record.launched, ["PMI_RANK=3"])

    def test_an_unknown_instruction(self):
        done = self.under(compiled_lanes(), "unknown", "0", check=False)
        self.assertEqual(done.returncode, -signal.SIGILL)
        self.assertEqual(done.stderr, "")
        (record,) = self.records()
        ((_, _, code),) = record.unknown
        self.assertEqual(code, bytes([0x62, 0xf5, 0x7c, 0x48, 0x58, 0xc1]))

    def test_a_signal_from_outside(self):
        program = compiled_lanes()
        process = subprocess.Popen([str(part) for part in self.command(program, "forever", "0")],
                                           stdout=subprocess.PIPE)
        self.addCleanup(process.kill)
        self.assertTrue(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(support.TIMEOUT_SECONDS), -signal.SIGTERM)
        process.stdout.close()
        (record,) = self.records()
        self.assertGreater(len(record.executions[0]), 100)

    def check_family(self, program, function, command, expected):
        """(forked, arguments, executions): parent; child up to its exec, without what was before; what it became."""
        self.under(program, *command, check=False)
        records = self.records()
        listing = Listing(program)
        first = listing.functions[function][0]
        found = collections.Counter((bool(r.flags & engine_record.FORKED), len(r.arguments),
                                     executions(r, program, listing)[first]) for r in records)
        self.assertEqual(found, collections.Counter(expected))
        child = next(r for r in records if r.flags & engine_record.FORKED)
        parent = next(r for r in records if r.pid != child.pid)
        self.assertEqual(child.parent_pid, parent.pid)
        self.assertEqual(sorted(child.executions), [0])
        self.assertEqual(sorted(parent.executions), [0])

    def test_fork_and_exec(self):
        program = compiled("engine_fixed", "-no-pie")
        self.check_family(program, "dot", ["family", program], [(False, 3, 1), (True, 3, 3), (False, 1, 5)])

    def test_vfork_and_exec(self):
        self.check_family(compiled_lanes(), "thread_memory", ["spawn", "0"], [(False, 3, 1), (True, 3, 3), (False, 3, 1)])

    def test_refused_options(self):
        for options in (["record=relative"], ["what"], []):
            done = support.run([DRRUN, "-quiet", "-c", CLIENT, *options, "--", "/bin/true"], check=False)
            with self.subTest(options):
                self.assertNotEqual(done.returncode, 0)
                self.assertIn("ridge:", done.stderr)


class Traffic(UnderClient):
    LEVELS = [(4096, 8), (1 << 20, 16)]

    def simulated(self, program, *arguments, names, code, **asked):
        listing = Listing(program)
        base = NO_PIE_BASE if min(listing.instructions) >= NO_PIE_BASE else 0
        spans = sorted((min(listing.functions[name]), max(listing.functions[name]) + 1, name) for name in names)
        file = self.folder / "plan"
        file.write_bytes(plan(program, [(begin - base, end - base) for begin, end, _ in spans], self.LEVELS, **asked))
        record = self.record(program, *arguments, code=code, options=[f"plan={file}"])
        self.assertTrue(record.flags & engine_record.SIMULATED, record.notes)
        self.assertEqual(record.lost, 0)
        return record, {name: number for number, (_, _, name) in enumerate(spans, 1)}

    def kernels(self, *arguments, names=("dot", "scale"), **asked):
        return self.simulated(compiled("engine_pie", "-pie", "-fPIE"), *arguments, names=names, code=3, **asked)

    def test_lines_of_arrays_that_fit_into_the_second_level(self):
        record, number = self.kernels(elsewhere=[[(256, 4), (512, 8)]])
        lines = ELEMENTS * 8 // LINE_BYTES
        scale = record.traffic[number["scale"]]
        self.assertAlmostEqual(scale.crossed[0][0] / (5 * lines * LINE_BYTES), 1, delta=0.01)
        self.assertAlmostEqual(scale.least[1] / (lines * LINE_BYTES), 1, delta=0.01)
        dot = record.traffic[number["dot"]]
        self.assertAlmostEqual(dot.crossed[0][0] / (5 * 2 * lines * LINE_BYTES), 1, delta=0.01)
        self.assertLess(dot.crossed[1][0], 20 * LINE_BYTES, "it fits")
        self.assertEqual(record.elsewhere[0, number["dot"]].accesses, dot.accesses)
        self.assertIn(number["dot"], record.lines)

    def test_accesses_of_two_threads(self):
        one, number = self.kernels()
        self.forget_records()
        two, _ = self.kernels("threads")
        for region in number.values():
            self.assertEqual(two.traffic[region].accesses / 9, one.traffic[region].accesses / 5)

    def test_stores_past_the_caches(self):
        record, number = self.kernels("past", names=("pass_by",))
        traffic = record.traffic[number["pass_by"]]
        self.assertEqual(traffic.accesses, ELEMENTS + 1, "the address that it returns to is one more")
        self.assertEqual(traffic.crossed[1][1], ELEMENTS * 8)
        self.assertLess(traffic.crossed[1][0], LINE_BYTES)

    def test_sampled_lines_stand_for_all(self):
        exact, number = self.kernels()
        self.forget_records()
        sampled, _ = self.kernels(mode=1, mask=0x0101010101010101)
        self.assertEqual(sampled.traffic, {})
        for region in number.values():
            self.assertAlmostEqual(8 * sampled.sampled[region].crossed[0][0] / exact.traffic[region].crossed[0][0], 1,
                                   delta=0.05)

    def check_access(self, name, mask, accesses, lines_read, lines_written):
        """Of one call; the line of the stack that holds the address to return to is one more."""
        with self.subTest(name, mask=mask):
            self.forget_records()
            record, number = self.simulated(compiled_lanes(), name, hex(mask), names=(name,), code=0)
            traffic = record.traffic[number[name]]
            self.assertEqual(traffic.accesses, accesses + 1)
            self.assertEqual([b // LINE_BYTES for b in traffic.least], [lines_read + lines_written + 1, lines_written])

    def test_repeated_instructions_and_memory_of_the_thread(self):
        self.check_access("backwards", 0, 2, 2, 2)
        self.check_access("thread_memory", 0, 1, 1, 0)
        self.check_access("hints", 0, 0, 0, 0)

    @unittest.skipUnless(" avx2 " in CPU, "the processor has no AVX2")
    def test_lanes_by_mask_vectors(self):
        self.check_access("gather_vector", 0b1010, 4, 4, 0)
        self.check_access("store_vector", 0b0011, 2, 1, 1)
        self.check_access("store_vector", 0b1101, 3, 1, 2)

    @unittest.skipUnless(AVX512, "the processor has no AVX-512 (F, BW, DQ, VL)")
    def test_lanes_by_mask_registers(self):
        self.check_access("gather", 0x72d, 5, 5, 0)
        self.check_access("gather_wide", 0xff, 9, 9, 0)
        self.check_access("scatter", 0x05, 3, 1, 2)
        self.check_access("store_masked", 0xf0, 1, 0, 1)
        self.check_access("store_masked", 0x81, 2, 0, 2)
        self.check_access("store_masked", 0x100, 0, 0, 0)
        self.check_access("store_packed", 0x03, 1, 0, 1)
        self.check_access("store_packed", 0x0b, 1, 0, 2)
        self.check_access("load_shared", 0x02, 1, 1, 0)
        self.check_access("load_shared", 0x100, 0, 0, 0)

    def test_a_child_begins_anew(self):
        program = compiled("engine_pie", "-pie", "-fPIE")
        listing = Listing(program)
        addresses = listing.functions["dot"]
        file = self.folder / "plan"
        file.write_bytes(plan(program, [(min(addresses), max(addresses) + 1)], self.LEVELS))
        self.under(program, "family", options=[f"plan={file}"])
        accesses = {bool(r.flags & engine_record.FORKED): r.traffic[1].accesses for r in self.records()}
        self.assertEqual(accesses[True], 3 * accesses[False])

    def test_a_plan_that_is_none(self):
        file = self.folder / "plan"
        file.write_bytes(b"x" * 10000)
        record = self.record(compiled("engine_pie", "-pie", "-fPIE"), options=[f"plan={file}"])
        self.assertFalse(record.flags & engine_record.SIMULATED)
        self.assertIn("plan", record.notes[0])
        self.assertGreater(len(record.executions[0]), 100)


if __name__ == "__main__":
    unittest.main()
