"""Sums over the regions of a ridge.profile/2 that stand in one source file."""

from collections import Counter
from dataclasses import dataclass, field

import support


@dataclass
class Counts:
    flops: int = 0
    loaded: int = 0
    stored: int = 0
    terms: Counter = field(default_factory=Counter)  # (precision, kind, width_bits) -> flops
    traffic: Counter = field(default_factory=Counter)  # (level, "read" or "written") -> bytes
    regions: int = 0


def add_region(counts, region):
    counts.regions += 1
    bytes_ = region.get("bytes", {})  # nobody counts in libraries
    counts.flops += support.flops_of(region)
    counts.loaded += bytes_.get("loaded", 0)
    counts.stored += bytes_.get("stored", 0)
    for term in region.get("flops", {"terms": []})["terms"]:
        counts.terms[term["precision"], term["kind"], term["width_bits"]] += term["flops"]
    for level, bytes_ in region.get("traffic", {}).items():
        for direction in ("read", "written"):
            counts.traffic[level, direction] += bytes_[direction]


def in_file(profile, name):
    """Self values of all regions whose source file is called `name`."""
    counts = Counts()
    for region in profile["regions"]:
        if region["kind"] != "program" and region.get("file", "").split("/")[-1] == name:
            add_region(counts, region)
    return counts


def whole_program(profile):
    (program,) = [r for r in profile["regions"] if r["kind"] == "program"]
    counts = Counts()
    add_region(counts, program)
    return counts


def all_parts(profile):
    """What the program's region must equal."""
    counts = Counts()
    for region in profile["regions"]:
        if region["kind"] != "program":
            add_region(counts, region)
    return counts
