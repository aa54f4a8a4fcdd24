"""The tool `ridge` of Valgrind, run by hand: its records say what ran, and the program behaves as alone."""

import collections
import os
import re
import shutil
import signal
import struct
import subprocess
import unittest
import unittest.mock

import engine_record
import support

FOLDER = support.BUILD / "lib" / "ridge" / "valgrind"
TOOL = FOLDER / "ridge-amd64-linux"
FLAGS = ["-O2", "-march=x86-64-v3", "-fno-math-errno", "-frounding-math", "-pthread"]
LINE_BYTES = 64
ELEMENTS = 3000
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(?:[0-9a-f]{2} )+\s*(\S.*)?$")
SYMBOL = re.compile(r"^([0-9a-f]+) <([^>]+)>:$")


def compiled(name, *flags, source="engine_work.c"):
    return support.compile_program([support.PROGRAMS / source], [*FLAGS, *flags], name, compiler="gcc", plain=True)


class Listing:
    """The disassembly of a program: address -> text, function -> addresses."""

    def __init__(self, program):
        self.instructions = {}
        self.functions = collections.defaultdict(list)
        function = None
        listing = support.run(["objdump", "-d", "-w", program]).stdout
        for line in listing.splitlines():
            symbol = SYMBOL.match(line)
            found = INSTRUCTION.match(line)
            if symbol:
                function = symbol[2]
            elif found and found[2]:
                address = int(found[1], 16)
                self.instructions[address] = found[2]
                self.functions[function].append(address)


@unittest.skipUnless(TOOL.is_file(), "the tool for Valgrind was not built: its headers were not found")
@unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed")
class UnderTool(unittest.TestCase):
    def setUp(self):
        self.folder = support.own_folder(self)
        self.prefix = self.folder / "record"

    def valgrind(self, *command, options=(), check=True):
        return support.run(["valgrind", "-q", "--tool=ridge", "--log-file=/dev/null", f"--record={self.prefix}", *options, *command],
                           env=support.environment(VALGRIND_LIB=str(FOLDER)), check=check)

    def records(self):
        records = engine_record.records(self.prefix)
        for record in records:
            self.assertTrue(record.whole)
            self.assertEqual(record.engine, 1)
            self.assertEqual(record.flags & (engine_record.BY_THREAD | engine_record.SERIAL),
                             engine_record.BY_THREAD | engine_record.SERIAL)
        return records

    def record(self, *command, code=3, options=()):
        """The record of one process, which ends with this code."""
        done = self.valgrind(*command, options=options, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        records = self.records()
        self.assertEqual(len(records), 1)
        self.assertEqual(done.stderr, "")
        self.assertEqual(records[0].arguments, [str(part) for part in command])
        return records[0]


def executions(record, program, listing, thread=None):
    """address -> executions of the instructions of a program that is not moved in memory."""
    executed = collections.Counter()
    for number, block in record.blocks.items():
        if record.path_of(number) != str(program):
            continue
        count = record.total(number) if thread is None else record.executions[thread][number]
        for address in range(block.address, block.address + len(block.code)):
            if address in listing.instructions:
                executed[address] += count
    return executed


def callgrind(program, listing, arguments, out):
    """address -> instructions executed there, turns of repeated ones included."""
    support.run(["valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--skip-plt=no", "--compress-strings=no",
                 "--compress-pos=no", f"--callgrind-out-file={out}", program, *arguments], check=False)
    executed = collections.Counter()
    in_program = skip = False
    for line in out.read_text("utf-8").splitlines():
        if line.startswith("ob="):
            in_program = line == f"ob={program}"
        elif line.startswith("fn=0x"):  # without a name, as the stubs of calls to libraries: no object stands there
            in_program = int(line[3:].split()[0], 16) in listing.instructions
        elif line.startswith("calls="):
            skip = True
        elif line.startswith("0x"):
            address, _, count = line.split()[:3]
            if in_program and not skip:
                executed[int(address, 16)] += int(count)
            skip = False
    return executed


class Counts(UnderTool):
    def check_against_callgrind(self, program, *arguments, functions=None):
        """All instructions of the program, or those of these functions."""
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

    def test_each_instruction_as_often_as_callgrind_says(self):
        program = compiled("engine_fixed", "-no-pie")
        listing, mine = self.check_against_callgrind(program)
        loop = [at for at in listing.functions["dot"] if "vfmadd" in listing.instructions[at]]
        self.assertEqual(sum(mine[at] for at in loop), 5 * ELEMENTS)

    def test_two_threads(self):
        program = compiled("engine_fixed", "-no-pie")
        listing, _ = self.check_against_callgrind(program, "threads")
        record = self.records()[0]
        first = listing.functions["dot"][0]
        calls = [executions(record, program, listing, thread)[first] for thread in (0, 1, 2)]
        self.assertEqual(calls, [0, 4, 5])
        self.assertEqual(len({tid for tid in record.tids.values() if tid}), 3)

    def test_static_program(self):
        program = compiled("engine_static", "-static")
        # The start of the C library walks over the environment, where the two differ.
        _, mine = self.check_against_callgrind(program, functions=("main", "dot", "scale"))
        self.assertGreater(sum(mine.values()), 10 * ELEMENTS)

    def test_position_independent_program(self):
        program = compiled("engine_pie", "-pie", "-fPIE")
        record = self.record(program)
        listing = Listing(program)
        first = listing.functions["dot"][0]
        calls = sum(record.total(n) for n, block in record.blocks.items()
                    if record.path_of(n) == str(program) and record.file_offset(n) == first)
        self.assertEqual(calls, 5)

    def test_the_same_twice(self):
        program = compiled("engine_fixed", "-no-pie")
        self.valgrind(program, check=False)
        self.valgrind(program, check=False)
        one, other = self.records()
        def counts(record):
            return collections.Counter({(b.address, b.code): record.total(n) for n, b in record.blocks.items()
                                        if record.path_of(n) == str(program)})
        self.assertEqual(counts(one), counts(other))

    def test_many_short_threads(self):
        program = compiled("engine_fixed", "-no-pie")
        record = self.record(program, "threads", "1200")
        listing = Listing(program)
        self.assertEqual(executions(record, program, listing)[listing.functions["dot"][0]], 600 * 9)
        self.assertEqual(max(record.executions), 1024)
        self.assertTrue(any("1024" in note for note in record.notes))

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


class Behaviour(UnderTool):
    def check_as_alone(self, *command):
        alone = support.run(command, check=False)
        under = self.valgrind(*command, check=False)
        self.assertEqual(under.stdout, alone.stdout)
        self.assertEqual(under.stderr, alone.stderr)
        self.assertEqual(under.returncode, alone.returncode)
        return under

    def test_fused_multiply_and_add_to_the_last_bit(self):
        self.check_as_alone(compiled("engine_fixed", "-no-pie"), "fuse")

    def test_ends(self):
        program = compiled("engine_fixed", "-no-pie")
        for how in ("_exit", "abort", "terminate", "handler", "kernels", "trap"):
            with self.subTest(how):
                self.check_as_alone(program, how)
                record = self.records()[-1]
                self.assertGreater(sum(record.executions[0].values()), 1000)
                self.assertEqual(record.unknown, [])
                for path in self.folder.glob("record.*"):
                    path.unlink()

    def test_what_a_launcher_says_and_nothing_else_of_the_environment(self):
        with unittest.mock.patch.dict(os.environ, {"PMI_RANK": "3", "RIDGE_TEST_SECRET": "x"}):
            record = self.record(compiled("engine_fixed", "-no-pie"), "kernels")
        self.assertEqual(record.launched, ["PMI_RANK=3"])

    def test_an_unknown_instruction(self):
        done = self.valgrind(compiled("engine_fixed", "-no-pie"), "wide", check=False)
        self.assertEqual(done.returncode, -signal.SIGILL)
        self.assertEqual(done.stderr, "")
        (record,) = self.records()
        ((_, _, code),) = record.unknown
        self.assertEqual(code[:6], bytes([0x62, 0xf1, 0xfd, 0x48, 0x58, 0xc0]))

    def test_fork_and_exec(self):
        program = compiled("engine_fixed", "-no-pie")
        self.valgrind(program, "family", program, options=["--trace-children=yes"], check=False)
        records = self.records()
        listing = Listing(program)
        first = listing.functions["dot"][0]
        found = {(bool(r.flags & engine_record.FORKED), len(r.arguments), executions(r, program, listing)[first])
                 for r in records}
        # Parent; child up to its exec, without what was before the fork; what it became.
        self.assertEqual(found, {(False, 3, 1), (True, 3, 3), (False, 1, 5)})
        self.assertEqual(len(records), 3)
        child = next(r for r in records if r.flags & engine_record.FORKED)
        parent = next(r for r in records if len(r.arguments) == 3 and not r.flags & engine_record.FORKED)
        self.assertEqual(child.parent_pid, parent.pid)

    def test_no_record_is_asked_for(self):
        done = support.run(["valgrind", "-q", "--tool=ridge", compiled("engine_fixed", "-no-pie")], check=False,
                           env=support.environment(VALGRIND_LIB=str(FOLDER)), cwd=self.folder)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(list(self.folder.iterdir()), [])


def plan(program, regions, levels, mode=0, mask=0, elsewhere=()):
    """A plan file: regions = [(begin, end)] by offset in the file, the first is number 1; levels = [(bytes, ways)]."""
    def caches(levels):
        packed = b"".join(struct.pack("<Q6I", size, ways, LINE_BYTES, 1, 0, 1, 0) for size, ways in levels)
        return packed.ljust(4 * 32, b"\0")

    text = str(program).encode() + b"\0"
    data = struct.pack("<4I2Q", 0x4E4C5052, 1, len(regions) + 1, 1, len(regions), len(text))
    data += struct.pack("<2I", len(levels), 2) + caches(levels) + struct.pack("<I", 0) + bytes(4 * 1024) + bytes(4)
    data += struct.pack("<2IQ", mode, len(elsewhere), mask)
    for index in range(8):
        others = elsewhere[index] if index < len(elsewhere) else ()
        data += struct.pack("<2I", len(others), 0) + caches(others)
    data += struct.pack("<3Q", 0, 0, len(regions))
    for number, (begin, end) in enumerate(regions, 1):
        data += struct.pack("<2Q2I", begin, end, number, 0)
    return data + text


class Stacks(UnderTool):
    INTERVAL = 100000  # blocks, of the first samples
    PER_BLOCK = 4      # turns of a loop that Valgrind makes one block of

    def setUp(self):
        super().setUp()
        self.program = compiled("engine_stacks", "-no-pie", source="engine_stacks.c")
        self.functions = Listing(self.program).functions

    def turns(self, samples):
        return str(samples * self.INTERVAL * self.PER_BLOCK)

    def is_in(self, function, address):
        return self.functions[function][0] <= address <= self.functions[function][-1]

    def share(self, record, function):
        return sum(self.is_in(function, stack.registers[16]) for stack in record.stacks) / len(record.stacks)

    def test_who_called_is_on_the_stack(self):
        record = self.record(self.program, "chain", self.turns(40), code=0)
        self.assertGreater(len(record.stacks), 30)
        self.assertLess(len(record.stacks), 50)
        # Although what the thread does whenever it stops is in main.
        self.assertGreater(self.share(record, "inner"), 0.9)
        (mapping,) = [m for m in record.mappings.values() if m.path == str(self.program)]
        for stack in record.stacks:
            self.assertEqual(stack.thread, 0)
            if not self.is_in("inner", stack.registers[16]):
                continue
            self.assertTrue(mapping.begin <= stack.registers[16] < mapping.end)
            outer = [i for i, word in enumerate(stack.words) if self.is_in("outer", word)]
            main = [i for i, word in enumerate(stack.words) if self.is_in("main", word)]
            self.assertLess(outer[0], main[0])

    def test_registers_are_those_of_dwarf(self):
        record = self.record(self.program, "chain", self.turns(2), code=0)
        registers = next(s.registers for s in record.stacks if self.is_in("inner", s.registers[16]))
        marked = [number for number in range(16) if number not in (2, 7)]  # the count, the stack
        self.assertEqual([registers[number] for number in marked], [100 + number for number in marked])
        self.assertEqual(registers[7] % 8, 0)
        self.assertNotIn(registers[7], range(200))

    def test_thinned_samples_stand_for_equal_numbers_of_blocks(self):
        record = self.record(self.program, "threads", self.turns(350), code=0, options=["--fair-sched=yes"])
        samples = len(record.stacks)
        self.assertGreater(samples, 300)
        self.assertLess(samples, 400, "1400 would be too many to keep")
        threads = collections.Counter(stack.thread for stack in record.stacks)
        self.assertEqual(set(threads), {0, 1, 2})
        # Two that take turns, then one, which does as much as both.
        self.assertAlmostEqual(threads[0] / samples, 0.5, delta=0.05)
        self.assertAlmostEqual(threads[1] / samples, 0.25, delta=0.08)

    def test_a_child_begins_anew(self):
        self.valgrind(self.program, "fork", self.turns(5))
        parent, child = sorted(self.records(), key=lambda record: record.flags & engine_record.FORKED)
        self.assertEqual(self.share(parent, "other"), 1)
        self.assertEqual(self.share(child, "inner"), 1)
        self.assertGreater(len(child.stacks), 3)

    def test_the_same_twice(self):
        for _ in range(2):
            self.valgrind(self.program, "chain", self.turns(5))
        one, other = self.records()
        self.assertGreater(len(one.stacks), 3)
        # What the kernel put on the stack differs: seeds, addresses.
        self.assertEqual(*([(stack.thread, stack.registers) for stack in record.stacks] for record in (one, other)))

    def test_none_where_traffic_is_simulated(self):
        file = self.folder / "plan"
        span = (self.functions["inner"][0], self.functions["inner"][-1])
        file.write_bytes(plan(self.program, [span], Traffic.LEVELS))
        record = self.record(self.program, "chain", self.turns(5), code=0, options=[f"--plan={file}"])
        self.assertTrue(record.flags & engine_record.SIMULATED, record.notes)
        self.assertEqual(record.stacks, [])


class Traffic(UnderTool):
    LEVELS = [(4096, 8), (1 << 20, 16)]

    def simulated(self, *arguments, names=("dot", "scale"), code=3, options=(), **asked):
        program = compiled("engine_pie", "-pie", "-fPIE")
        listing = Listing(program)
        spans = sorted((min(listing.functions[name]), max(listing.functions[name]) + 1, name) for name in names)
        file = self.folder / "plan"
        file.write_bytes(plan(program, [span[:2] for span in spans], self.LEVELS, **asked))
        record = self.record(program, *arguments, code=code, options=[f"--plan={file}", *options])
        self.assertTrue(record.flags & engine_record.SIMULATED, record.notes)
        self.assertEqual(record.lost, 0)
        return record, {name: number for number, (_, _, name) in enumerate(spans, 1)}

    def test_lines_of_arrays_that_fit_into_the_second_level(self):
        record, number = self.simulated(elsewhere=[[(256, 4), (512, 8)]])
        lines = ELEMENTS * 8 // LINE_BYTES
        scale = record.traffic[number["scale"]]
        # A load and a store of each element, 4 kernels and one of end_by; one line more at the edges.
        self.assertAlmostEqual(scale.crossed[0][0] / (5 * lines * LINE_BYTES), 1, delta=0.01)
        self.assertAlmostEqual(scale.least[1] / (lines * LINE_BYTES), 1, delta=0.01)
        dot = record.traffic[number["dot"]]
        self.assertAlmostEqual(dot.crossed[0][0] / (5 * 2 * lines * LINE_BYTES), 1, delta=0.01)
        self.assertLess(dot.crossed[1][0], 20 * LINE_BYTES, "it fits")
        self.assertEqual(record.elsewhere[0, number["dot"]].accesses, dot.accesses)
        self.assertGreater(record.elsewhere[0, number["dot"]].crossed[1][0], 0.99 * 5 * 2 * lines * LINE_BYTES)
        self.assertIn(number["dot"], record.lines)

    def test_as_many_accesses_as_lackey_sees(self):
        record, number = self.simulated()
        program = compiled("engine_pie", "-pie", "-fPIE")
        done = support.run(["valgrind", "--tool=lackey", "--trace-mem=yes", program], check=False)
        listing = Listing(program)
        seen = collections.Counter()
        (base,) = {m.begin - m.file_offset for m in record.mappings.values() if m.path == str(program)}
        name = None
        names = {at: function for function in number for at in listing.functions[function]}
        for line in done.stderr.splitlines():
            if line.startswith("I "):
                address = int(line[3:].partition(",")[0], 16)
                name = names.get(address - base)
            elif line[:2] in (" L", " S", " M"):
                seen[name] += 2 if line[1] == "M" else 1
        self.assertEqual({n: record.traffic[number[n]].accesses for n in number}, {n: seen[n] for n in number})

    def test_stores_past_the_caches(self):
        record, number = self.simulated("past", names=("pass_by",))
        traffic = record.traffic[number["pass_by"]]
        self.assertEqual(traffic.accesses, ELEMENTS + 1, "the address that it returns to is one more")
        self.assertEqual(traffic.crossed[1][1], ELEMENTS * 8)
        self.assertLess(traffic.crossed[1][0], LINE_BYTES)

    def test_sampled_lines_stand_for_all(self):
        exact, number = self.simulated()
        for path in self.folder.glob("record.*"):
            path.unlink()
        sampled, _ = self.simulated(mode=1, mask=0x0101010101010101)
        self.assertEqual(sampled.traffic, {})
        for region in number.values():
            self.assertAlmostEqual(8 * sampled.sampled[region].crossed[0][0] / exact.traffic[region].crossed[0][0], 1,
                                   delta=0.05)

    def test_two_threads_access_as_much_as_one(self):
        one, number = self.simulated()
        for path in self.folder.glob("record.*"):
            path.unlink()
        two, _ = self.simulated("threads", options=["--fair-sched=yes"])
        for region in number.values():
            self.assertEqual(two.traffic[region].accesses / 9, one.traffic[region].accesses / 5)

    def test_a_plan_that_is_none(self):
        file = self.folder / "plan"
        file.write_bytes(b"x" * 10000)
        record = self.record(compiled("engine_pie", "-pie", "-fPIE"), options=[f"--plan={file}"])
        self.assertFalse(record.flags & engine_record.SIMULATED)
        self.assertIn("plan", record.notes[0])
        self.assertGreater(len(record.executions[0]), 100)


if __name__ == "__main__":
    unittest.main()
