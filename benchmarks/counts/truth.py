"""Flops of a program by what its instructions are and how often each ran. Shares no code with Ridge: objdump says what
an instruction is, callgrind or step.c how often it ran and, of masked ones, with how many active lanes."""

import bisect
import collections
import pathlib
import re
import subprocess
import tempfile
import typing

HERE = pathlib.Path(__file__).resolve().parent

PACKED = re.compile(r"^v?(add|sub|mul|div|sqrt|hadd|hsub|addsub|f[n]?m(?:add|sub|addsub|subadd)(?:132|213|231))(pd|ps|sd|ss)$")
KINDS = {"add": "add", "sub": "add", "hadd": "add", "hsub": "add", "addsub": "add", "mul": "mul", "div": "div", "sqrt": "sqrt"}
CALLS = {"sqrt": ("sqrt", 64), "sqrtf": ("sqrt", 32), "fma": ("fma", 64), "fmaf": ("fma", 32)}
REGISTER_BITS = {"x": 128, "y": 256, "z": 512}

ROW = re.compile(r"^\s*([0-9a-f]+):\s+(?:(?:bnd|notrack|data16|lock|rep\w*|cs|ds|es|ss|addr32|\{\w+\})\s+)*(\S+)\s*(.*)$")
LEAVES = re.compile(r"^(j|call|ret|loop|syscall|sysenter|iret|hlt|ud[012]|int|xbegin|xabort)")
MASK = re.compile(r"\{%k([1-7])\}")


class Failure(Exception):
    """A tool did not do what it was asked for; the message says why."""


class Arithmetic(typing.NamedTuple):
    """What one execution of an instruction does by the rules of docs/contracts.md."""

    function: str
    kind: str
    bits: int  # of the element
    width: int  # bits of the operation
    mask: int  # number of the k register, 0 without a mask

    @property
    def lanes(self):
        return self.width // self.bits

    @property
    def flops_of_a_lane(self):
        return 2 if self.kind == "fma" else 1


class Program(typing.NamedTuple):
    path: str
    arithmetic: dict  # by address
    text: dict  # function by the address of each instruction of .text
    leaves: list  # addresses in .text of what may not lead to the next instruction


class Executions(typing.NamedTuple):
    ran: typing.Callable  # of an address
    active_lanes: dict  # by address of a masked instruction, over all executions


def arithmetic_of(function, mnemonic, operands):
    """None of what does no floating-point arithmetic."""
    if mnemonic in ("call", "callq", "jmp"):
        callee = re.search(r"<(\w+)@plt>", operands)
        if not callee or callee.group(1) not in CALLS:
            return None
        kind, bits = CALLS[callee.group(1)]
        return Arithmetic(function, kind, bits, bits, 0)
    found = PACKED.match(mnemonic)
    if not found:
        return None
    operation, form = found.groups()
    bits = 64 if form[1] == "d" else 32
    width = bits if form[0] == "s" else max(REGISTER_BITS[letter] for letter in re.findall(r"%([xyz])mm\d", operands))
    mask = MASK.search(operands)
    return Arithmetic(function, KINDS.get(operation, "fma"), bits, width, int(mask.group(1)) if mask else 0)


def plain_name(name):
    """A demangled name without template and other arguments, clones and namespaces of the compiler."""
    while "(" in name or "<" in name:
        shorter = re.sub(r"\([^()]*\)|<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    name = re.sub(r"\[.*?\]", "", name).strip().removesuffix(" const")
    return re.sub(r"\.\w+$|^.* ", "", name)


def disassemble(path):
    """Arithmetic of functions of traffic mode is left out: it is no work of the program."""
    text = subprocess.run(["objdump", "-d", "-C", "--no-show-raw-insn", "-w", path], capture_output=True, text=True, check=True).stdout
    function, section, arithmetic, instructions, leaves = "", "", {}, {}, []
    for line in text.splitlines():
        if head := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            function = head.group(1)
        elif head := re.match(r"^Disassembly of section (.*):$", line):
            section = head.group(1)
        elif row := ROW.match(line):
            address, mnemonic, operands = int(row.group(1), 16), row.group(2), row.group(3)
            if section == ".text":
                instructions[address] = function
            if section == ".text" and LEAVES.match(mnemonic):
                leaves.append(address)
            is_of_traffic = ".ridge.traffic" in function or "traffic]" in function
            if not is_of_traffic and (what := arithmetic_of(plain_name(function), mnemonic, operands)):
                arithmetic[address] = what
    return Program(str(path), arithmetic, instructions, leaves)


def executions_in(callgrind, program):
    """How often each address of the program ran."""
    counts, last, called, inside = collections.Counter(), 0, False, False
    with open(callgrind, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("ob="):
                inside = line.strip() == f"ob={program}"
            elif line.startswith("calls="):
                called = True
            elif row := re.match(r"^(0x[0-9a-f]+|[+-]\d+|\*) \S+ (\d+)$", line):
                place = row.group(1)
                last = last if place == "*" else last + int(place) if place[0] in "+-" else int(place, 16)
                if inside and not called:
                    counts[last] += int(row.group(2))
                called = False
    return counts


def by_callgrind(program, arguments, folder, **options):
    output = pathlib.Path(folder, "callgrind.out")
    output.unlink(missing_ok=True)
    done = subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--skip-plt=no", "--compress-pos=no", "--compress-strings=no",
                           f"--callgrind-out-file={output}", program.path, *map(str, arguments)], capture_output=True, text=True, cwd=folder, **options)
    if not output.exists() or done.returncode < 0:  # SIGILL: valgrind does not know AVX-512
        raise Failure(f"callgrind failed on {program.path}:\n{done.stderr[-2000:]}")
    counts = executions_in(output, program.path)
    return Executions(lambda address: counts[address], {})


def build_stepper(folder):
    target = pathlib.Path(folder, "step")
    subprocess.run(["cc", "-O2", "-o", target, HERE / "step.c"], check=True)
    return target


def step(stepper, program, arguments, folder, **options):
    """The finished process, and the file of its counts."""
    stops, output = pathlib.Path(folder, "stops"), pathlib.Path(folder, "stepped")
    masked = [(address, what) for address, what in program.arithmetic.items() if what.mask]
    lines = [f"{address:x} 0 0\n" for address in program.leaves]
    lines += [f"{address:x} {what.lanes} {what.mask}\n" for address, what in masked]
    stops.write_text("".join(lines), "utf-8")
    done = subprocess.run([stepper, stops, output, program.path, *map(str, arguments)], capture_output=True, text=True, cwd=folder, **options)
    return done, output


def read_steps(path):
    """Counts hold from an address to the next one that is named."""
    addresses, counts, active = [-1], [0], {}
    for line in pathlib.Path(path).read_text("utf-8").splitlines():
        word, address, count = line.split()
        if word == "lanes":
            active[int(address, 16)] = int(count)
        else:
            addresses.append(int(address, 16))
            counts.append(int(count))
    return Executions(lambda address: counts[bisect.bisect_right(addresses, address) - 1], active)


def by_step(program, arguments, folder, **options):
    done, output = step(build_stepper(folder), program, arguments, folder, **options)
    if "step: " in done.stderr or not output.exists():
        raise Failure(f"step failed on {program.path}:\n{done.stderr[-2000:]}")
    return read_steps(output)


def flops_of(program, executions):
    """By function, and there by (kind, bits of the element, width)."""
    flops = collections.defaultdict(collections.Counter)
    for address, what in program.arithmetic.items():
        lanes = executions.active_lanes[address] if what.mask else executions.ran(address) * what.lanes
        if lanes:
            flops[what.function][what.kind, what.bits, what.width] += lanes * what.flops_of_a_lane
    return flops


def truth_of(path, arguments, method, **options):
    """flops_of() a run of the program. `method`: callgrind or step."""
    program = disassemble(path)
    with tempfile.TemporaryDirectory() as folder:
        return flops_of(program, (by_step if method == "step" else by_callgrind)(program, arguments, folder, **options))
