"""Writes the machine files of this folder: fixed geometries with round, invented ceilings.

    python3 make_machines.py

small: caches small enough that arrays of a few MB lie well outside; tiny: layer conditions that
hold in `small` are broken here; two_levels: no L3. All non-inclusive with write-allocate, so that the traffic of a
sweep has a closed form."""

import json
import pathlib

KIB = 1024
HERE = pathlib.Path(__file__).resolve().parent
RATES = {"L1": 400e9, "L2": 200e9, "L3": 100e9, "DRAM": 30e9}  # byte/s of one thread


def sampled(value, unit):
    return {"median": value, "p90": value, "low": value, "high": value, "samples": 1,
            "unit": unit, "origin": "assumed"}


def cache(level, size, ways, threads):
    return {"level": level, "size_bytes": size, "ways": ways, "line_bytes": 64,
            "shared_by_threads": threads, "policy": "non-inclusive", "write_allocate": "always"}


def ceilings(levels):
    rates = {"scalar": 4e9, "sse": 8e9, "avx2": 16e9, "avx512": 32e9}
    for threads in (1, 2):
        for isa, rate in rates.items():
            for operation, factor in (("fma", 2), ("add", 1), ("mul", 1), ("fma+add", 2.4)):
                for precision, lanes in (("fp64", 1), ("fp32", 2)):
                    yield {"id": f"compute.{precision}.{isa}.{operation}.t{threads}",
                           "kind": "compute", "precision": precision, "isa": isa,
                           "operation": operation, "threads": threads, "flags": [],
                           "value": sampled(rate * factor * lanes * threads, "flop/s")}
        for level in levels:
            rate = RATES[level]
            for pattern, share in (("load", 1.0), ("store", 0.5), ("copy", 0.8), ("triad", 0.8)):
                yield {"id": f"bandwidth.{level}.{pattern}.avx512.t{threads}",
                       "kind": "bandwidth", "isa": "avx512", "level": level, "pattern": pattern,
                       "threads": threads, "flags": [],
                       "value": sampled(rate * share * threads, "byte/s"),
                       "traffic_value": sampled(rate * threads, "byte/s")}


def machine(name, caches):
    return {"schema": "ridge.machine/1", "ridge_version": "0.1.0", "name": name,
            "date": "2026-01-01T00:00:00Z",
            "cpu": {"vendor": "AuthenticAMD", "name": "a fixed machine for tests", "family": 25,
                    "model": 17, "stepping": 1},
            "topology": {"sockets": 1, "numa_nodes": 1, "cores": 2, "threads": 2},
            "caches": caches,
            "memories": [{"level": "DRAM"}],
            "clock": {},
            "ceilings": list(ceilings([c["level"] for c in caches] + ["DRAM"]))}


def three_levels(l1, l2, l3):
    return [cache("L1", l1, 8, 1), cache("L2", l2, 8, 1), cache("L3", l3, 16, 2)]


GEOMETRIES = {"small": three_levels(32 * KIB, 128 * KIB, 1024 * KIB),
              "tiny": three_levels(4 * KIB, 32 * KIB, 256 * KIB),
              "two_levels": [cache("L1", 48 * KIB, 12, 1), cache("L2", 256 * KIB, 64, 2)]}

for name_, caches_ in GEOMETRIES.items():
    text = json.dumps(machine(name_, caches_), indent=1) + "\n"
    (HERE / f"machine_{name_}.json").write_text(text, "utf-8")
