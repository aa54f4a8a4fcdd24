"""Floating-point arithmetic of a binary's kernels as the disassembler shows it."""

import re
from collections import Counter

import support

INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(?:\{\w+\}\s+)?(\S+)\s*(.*)$")
SYMBOL = re.compile(r"^[0-9a-f]+ <(.+)>:$")
ARITHMETIC = re.compile(r"^v?(addsub|add|sub|mul|div|sqrt|fn?m(?:addsub|subadd|add|sub)(?:132|213|231))"
                        r"([sp])([sdh])$")
PRECISIONS = {"d": ("fp64", 64), "s": ("fp32", 32), "h": ("fp16", 16)}
KINDS = {"add": "add", "sub": "add", "addsub": "add", "mul": "mul", "div": "div", "sqrt": "sqrt"}
REGISTER_BITS = {"x": 128, "y": 256, "z": 512}


def classify(mnemonic, operands):
    """(precision, kind, width_bits, flop) of one instruction; None when it is no arithmetic."""
    found = ARITHMETIC.match(mnemonic)
    if not found:
        return None
    operation, packed, letter = found.groups()
    precision, element = PRECISIONS[letter]
    kind = KINDS.get(operation, "fma")
    width = element
    if packed == "p":
        width = max(REGISTER_BITS[r] for r in re.findall(r"%([xyz])mm\d", operands))
    return precision, kind, width, width // element * (2 if kind == "fma" else 1)


def arithmetic(program, names):
    """address -> (precision, kind, width_bits, flop), in functions whose name has one of `names`."""
    listing = support.run(["objdump", "-d", "-C", "--no-show-raw-insn", program]).stdout
    found = {}
    inside = False
    for line in listing.splitlines():
        symbol = SYMBOL.match(line)
        if symbol:
            inside = any(name in symbol[1] for name in names)
            continue
        match = INSTRUCTION.match(line) if inside else None
        if match:
            what = classify(match[2], match[3])
            if what:
                found[int(match[1], 16)] = what
    return found


def executed_terms(arithmetic_at, executed):
    """(precision, kind, width_bits) -> flop, weighted by executions."""
    terms = Counter()
    for address, (precision, kind, width, flop) in arithmetic_at.items():
        terms[precision, kind, width] += flop * executed.get(address, 0)
    return Counter({key: flop for key, flop in terms.items() if flop})
