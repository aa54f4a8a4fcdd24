#!/usr/bin/env python3
"""Holds runs of bench_raw_samples against the targets of `ridge bench --quick`.

usage: evaluate.py RUN.json.gz...

Prints a summary as JSON on standard output and the verdicts on standard error. Targets, one thread:
the best instruction set's fp64 FMA at least 97 % and its L1 load at least 93 % of the sourced limit at
the probed clock in every run; in-core and L1 ceilings agree within 3 % in flop or byte per cycle; a
run takes at most 15 s. Exit code 1 when one is missed."""

import gzip
import json
import sys

ISAS = ["scalar", "sse", "avx2", "avx512"]


def load(path):
    with gzip.open(path, "rt") as file:
        return json.load(file)


def spread(values):
    return (max(values) - min(values)) / max(values)


def summarise(runs):
    ceilings = []
    for ceiling in runs[0]["ceilings"]:
        same = [next(c for c in run["ceilings"] if c["id"] == ceiling["id"]) for run in runs]
        entry = {
            "id": ceiling["id"],
            "per_cycle": [c["per_cycle"] for c in same],
            "spread": round(spread([c["per_cycle"] for c in same]), 5),
            "p90": [c["p90"] for c in same],
            "samples_taken": [c["samples_taken"] for c in same],
            "samples_kept": [c["samples_kept"] for c in same],
            "flags": sorted({flag for c in same for flag in c["flags"]}),
        }
        if "limit_fraction" in ceiling:
            entry["limit_fraction"] = [c["limit_fraction"] for c in same]
        ceilings.append(entry)
    return ceilings


def best(ceilings, template):
    by_id = {ceiling["id"]: ceiling for ceiling in ceilings}
    for isa in reversed(ISAS):
        found = by_id.get(template.format(isa))
        if found and "limit_fraction" in found:
            return found
    return None


def verdicts(runs, ceilings):
    for template, least in (("compute.fp64.{}.fma.t1", 0.97), ("bandwidth.L1.load.{}.t1", 0.93)):
        ceiling = best(ceilings, template)
        if ceiling is None:
            yield False, f"{template}: no limit known for this CPU"
            continue
        lowest = min(ceiling["limit_fraction"])
        yield lowest >= least, f"{ceiling['id']}: {lowest:.4f} of the limit (at least {least})"
    core = [c for c in ceilings
            if c["id"].endswith(".t1") and c["id"].startswith(("compute.", "bandwidth.L1."))]
    apart = [c for c in core if c["spread"] > 0.03]
    worst = max(core, key=lambda c: c["spread"])
    yield not apart, (f"{len(core) - len(apart)} of {len(core)} in-core and L1 ceilings of one thread "
                      f"agree within 3 % (worst: {worst['id']}, {100 * worst['spread']:.2f} %)")
    longest = max(run["seconds"] for run in runs)
    yield longest <= 15.0, f"longest run {longest:.1f} s (at most 15 s)"


def main(paths):
    runs = [load(path) for path in paths]
    ceilings = summarise(runs)
    results = list(verdicts(runs, ceilings))
    for met, text in results:
        print("met   " if met else "MISSED", text, file=sys.stderr)
    summary = {
        "cpu": runs[0]["cpu"],
        "dates": [run["date"] for run in runs],
        "seconds": [run["seconds"] for run in runs],
        "targets": [{"met": met, "text": text} for met, text in results],
        "ceilings": ceilings,
    }
    json.dump(summary, sys.stdout, indent=1)
    print()
    return 0 if all(met for met, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
