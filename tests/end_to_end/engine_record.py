"""Reads a record (abi/record.h) that an engine wrote about a process."""

import collections
import struct

MAGIC = 0x43455252
FORKED, SIMULATED, BY_THREAD, SERIAL = 1, 2, 4, 8
(ARGUMENTS, MAPPING, BLOCK, EXECUTIONS, MASKS, TRAFFIC, LINES, PILOT, LOST, NOTE, UNKNOWN, ELSEWHERE, UNCOUNTED,
 SAMPLED, END, TURNS, STACK, LAUNCHED) = range(1, 19)
LEVELS = 4
REGISTERS = 17

Mapping = collections.namedtuple("Mapping", "begin end file_offset path")
Block = collections.namedtuple("Block", "address mapping code")
Traffic = collections.namedtuple("Traffic", "crossed memory_at_half memory_at_quarter least accesses")
Stack = collections.namedtuple("Stack", "thread registers words")


class Record:
    """What one file says. executions and turns: thread -> {block: count};
    masks: thread -> {(block, offset): active lanes}."""

    def __init__(self, path):
        data = path.read_bytes()
        magic, version, self.engine, self.pid, self.parent_pid, self.flags = struct.unpack_from("<6I", data)
        assert (magic, version) == (MAGIC, 1), "no record"
        self.arguments = []
        self.launched = []
        self.mappings = {}
        self.blocks = {}
        self.executions = collections.defaultdict(collections.Counter)
        self.turns = collections.defaultdict(collections.Counter)
        self.masks = collections.defaultdict(dict)
        self.tids = {}
        self.traffic = {}
        self.sampled = {}
        self.elsewhere = {}
        self.lines = {}
        self.lost = 0
        self.notes = []
        self.unknown = []
        self.stacks = []
        self.whole = False
        self._read(data)

    def _read(self, data):
        at = 24
        while at < len(data):
            assert not self.whole, "something follows the end"
            kind, _, size = struct.unpack_from("<IIQ", data, at)
            body = data[at + 16:at + 16 + size]
            assert len(body) == size, "a chunk is cut"
            self._take(kind, body)
            at += 16 + (size + 7) // 8 * 8

    def _take(self, kind, body):
        if kind == ARGUMENTS:
            self.arguments = body.decode().split("\0")[:-1]
        elif kind == LAUNCHED:
            self.launched = body.decode().split("\0")[:-1]
        elif kind == MAPPING:
            begin, end, offset, number, has_file = struct.unpack_from("<3Q2I", body)
            path = body[32:].rstrip(b"\0").decode() if has_file else None
            self.mappings[number] = Mapping(begin, end, offset, path)
        elif kind == BLOCK:
            address, number, mapping, size, _ = struct.unpack_from("<Q4I", body)
            self.blocks[number] = Block(address, mapping, body[24:24 + size])
        elif kind in (EXECUTIONS, TURNS):
            self._take_counts(self.executions if kind == EXECUTIONS else self.turns, body)
        elif kind == MASKS:
            self._take_masks(body)
        elif kind in (TRAFFIC, SAMPLED, ELSEWHERE):
            self._take_traffic(kind, body)
        elif kind == LINES:
            self.lines[struct.unpack_from("<Q", body)[0]] = struct.unpack_from("<2Q", body, 8)
        elif kind == LOST:
            self.lost += struct.unpack("<Q", body)[0]
        elif kind == NOTE:
            self.notes.append(body.decode())
        elif kind == UNKNOWN:
            address, mapping, size = struct.unpack_from("<Q2I", body)
            self.unknown.append((address, mapping, body[16:16 + size]))
        elif kind == STACK:
            thread, count, *values = struct.unpack(f"<2I{(len(body) - 8) // 8}Q", body)
            assert len(values) == REGISTERS + count
            self.stacks.append(Stack(thread, values[:REGISTERS], values[REGISTERS:]))
        elif kind == END:
            self.whole = True

    def _take_counts(self, into, body):
        thread, tid, count = struct.unpack_from("<2IQ", body)
        self.tids[thread] = tid
        assert len(body) == 16 + 16 * count
        for block, executions in struct.iter_unpack("<2Q", body[16:]):
            assert executions != 0
            into[thread][block] += executions

    def _take_masks(self, body):
        thread, _, count = struct.unpack_from("<2IQ", body)
        assert len(body) == 16 + 24 * count
        for block, offset, _, lanes in struct.iter_unpack("<Q2IQ", body[16:]):
            self.masks[thread][block, offset] = lanes

    def _take_traffic(self, kind, body):
        region, caches, *values = struct.unpack(f"<2I{2 * (LEVELS + 3) + 1}Q", body)
        pairs = list(zip(values[:-1:2], values[1:-1:2]))
        traffic = Traffic(pairs[:LEVELS], *pairs[LEVELS:], values[-1])
        if kind == ELSEWHERE:
            self.elsewhere[caches, region] = traffic
        else:
            (self.traffic if kind == TRAFFIC else self.sampled)[region] = traffic

    def path_of(self, block):
        mapping = self.mappings[self.blocks[block].mapping]
        return mapping.path

    def file_offset(self, block):
        mapping = self.mappings[self.blocks[block].mapping]
        return self.blocks[block].address - mapping.begin + mapping.file_offset

    def total(self, block):
        return sum(counts[block] for counts in self.executions.values())


def records(prefix):
    """Of all processes that wrote one, in order of their files' names."""
    return [Record(p) for p in sorted(prefix.parent.glob(prefix.name + ".*.*"))]
