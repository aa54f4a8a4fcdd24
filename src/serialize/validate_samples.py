#!/usr/bin/python3
"""Holds files against the JSON Schemas of docs/formats, and the schemas against the files.

usage: validate_samples.py SCHEMA_FOLDER WRITE_SAMPLES FILE...

Every FILE and everything that the program WRITE_SAMPLES writes must be valid. A schema that accepts
everything would pass that, so each FILE is also broken in many ways (a required key removed, an
unknown one added, a wrong type) and must then be refused.
"""

import copy
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

warnings.simplefilter("ignore", DeprecationWarning)  # RefResolver, in newer versions of jsonschema
import jsonschema


def validators(folder):
    schemas = {}
    for path in folder.glob("*.schema.json"):
        schema = json.loads(path.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[schema["$id"]] = schema
    made = {}
    for schema in schemas.values():
        resolver = jsonschema.RefResolver(schema["$id"], schema, store=schemas)
        name = schema["properties"]["schema"]["const"]
        made[name] = jsonschema.Draft202012Validator(schema, resolver=resolver)
    return made


def objects_in(value, path=()):
    """Paths of all objects; of a list only the first and the last item."""
    if isinstance(value, dict):
        yield path
        for key, item in value.items():
            yield from objects_in(item, path + (key,))
    elif isinstance(value, list) and value:
        for index in sorted({0, len(value) - 1}):
            yield from objects_in(value[index], path + (index,))


def shortened(value):
    """Lists with their first and last item only: the broken copies stay small."""
    if isinstance(value, dict):
        return {key: shortened(item) for key, item in value.items()}
    if isinstance(value, list):
        return [shortened(value[index]) for index in sorted({0, len(value) - 1}) if value]
    return value


# Objects with free keys: anything of the right type may be added or left out.
OPEN = {"calls", "opaque", "evidence", "traffic", "least_traffic", "traffic_at_share", "intensity",
        "traffic_elsewhere", "traffic_interval", "zen4",
        "sources"}
# Keys that the strict format allows to be absent.
OPTIONAL = set(
    "host precision isa operation level pattern device traffic_value limit limit_fraction source"
    " size_bytes core tsc_hertz exit_code signal compiler rank file line column parent partial overlaps"
    " iterations fp64 fp32 fp16 bf16 other intops opaque least_traffic traffic_at_share unbounded doubtful_traffic"
    " traffic_elsewhere traffic_interval caches_elsewhere microarchitecture"
    " performance bound gain notes summary self inclusive code machine next next_attainable fraction"
    " code_at_neighbouring_threads fma_units add_units mul_units fma_add_units load_bytes_per_cycle"
    " store_bytes_per_cycle copy_bytes_per_cycle read_bytes_per_cycle write_bytes_per_cycle"
    " unattributed_low unattributed_high clock_hertz modes effort incomplete measured_roofs greatest_shortfall saturation n_sat sustained"
    " siblings numa load latency cycles concurrency div_cycles sqrt_cycles latency_cycles"
    " add mul fma cpu topology".split()
)
# In some formats more may be unknown.
OPTIONAL_IN = {
    "ridge.specification/1": set(
        "kind cores clock boost_clock fp64_flops_per_cycle_and_core caches memories links sources"
        " origin verified pipes basis per generation"
        " year sockets line_size registers shared_memory latencies launch_latency thermal_design_power"
        " shared_by_cores lanes pinned pageable".split()
    ),
    "ridge.microarchitectures/1": {"matches", "overlap"},
    # What nobody counted, or another tool did not say.
    "ridge.profile/2": set("entries flops ir_flops flops_interval bytes loaded stored spilled origins device traffic_origins imports version wall_seconds pid".split()),
    "ridge.spmv/1": set(
        "picture given_traffic measured_alpha speedup paired_speedup against_fastest own_roof_interval paired_gain conversion_products break_even_products".split()
    ),
}


def broken_copies(document):
    optional = OPTIONAL | OPTIONAL_IN.get(document["schema"], set())
    for path in objects_in(document):
        if path and path[-1] in OPEN:
            continue
        where = "/".join(map(str, path))

        def changed(change):
            broken = copy.deepcopy(document)
            target = broken
            for step in path:
                target = target[step]
            change(target)
            return broken

        yield f"{where}: unknown key", changed(lambda t: t.update(no_such_key=1))
        at_path = document
        for step in path:
            at_path = at_path[step]
        for key in at_path:
            if key not in optional:
                yield f"{where}: without {key}", changed(lambda t, k=key: t.pop(k))
            yield f"{where}: {key} is null", changed(lambda t, k=key: t.update({k: None}))


# What no missing or unknown key shows: units that do not belong to their kind, too few, odd sizes.
WRONG = [
    ("ridge.machine/1", ("ceilings", 0, "value", "unit"), "Hz"),
    ("ridge.machine/1", ("effort",), "thorough"),
    ("ridge.machine/1", ("memories",), []),
    ("ridge.machine/1", ("clock", "core", "unit"), "byte/s"),
    ("ridge.machine/1", ("ceilings", 0, "isa"), "avx521"),
    ("ridge.profile/2", ("regions", 0, "thread_work"), [{"thread": 0, "flops": 1, "bytes": 1, "iterations": 1}]),
    ("ridge.profile/2", ("regions", 0, "flops", "terms", 0, "width_bits"), 100),
    ("ridge.profile/2", ("time", "unattributed_low"), 1.5),
    ("ridge.profile/2", ("regions", 0, "traffic_mode"), "guessed"),
    ("ridge.specification/1", ("cores", "unit"), "Hz"),
    ("ridge.specification/1", ("peaks", 0, "unit"), "op/s"),
    ("ridge.specification/1", ("peaks", 0, "origin"), "counted"),
    ("ridge.specification/1", ("bandwidths",), []),
    ("ridge.specification/1", ("notes",), [""]),
    ("ridge.microarchitectures/1", ("microarchitectures", 0, "pipe_groups", 0), []),
    ("ridge.microarchitectures/1", ("microarchitectures", 0, "matches", 0, "models"), [1, 1]),
    ("ridge.microarchitectures/1", ("microarchitectures", 0, "matches", 0, "models"), [256]),
    ("ridge.microarchitectures/1", ("microarchitectures", 0, "isas", 0, "isa"), "avx521"),
    ("ridge.microarchitectures/1", ("microarchitectures", 0, "isas", 0, "div_cycles"), {}),
    ("ridge.caches/1", ("caches", 0, "caches", 0, "level"), "L5"),
    ("ridge.caches/1", ("caches", 0, "sources"), []),
    ("ridge.spmv/1", ("timings", 0, "performance", "unit"), "flop/s"),
    ("ridge.spmv/1", ("timings", 0, "time", "samples"), 0),
    ("ridge.spmv/1", ("matrix", "index_bits"), 48),
    ("ridge.spmv/1", ("notes",), [{"code": "<a>", "text": ""}]),
    ("ridge.spmv/1", ("predicted_alpha", 0, "origin"), "measured"),
]


def wrong_copies(document):
    for schema, path, value in WRONG:
        if schema != document["schema"]:
            continue
        broken = copy.deepcopy(document)
        target = broken
        try:
            for step in path[:-1]:
                target = target[step]
        except (KeyError, IndexError):
            continue
        if isinstance(target, (dict, list)):
            target[path[-1]] = value
            yield f"{'/'.join(map(str, path))} is {value}", broken


def main():
    schemas = validators(pathlib.Path(sys.argv[1]))
    failures = []
    refused = 0

    def check(path):
        document = json.loads(path.read_text())
        validator = schemas[document["schema"]]
        for error in validator.iter_errors(document):
            failures.append(f"{path}: {'/'.join(map(str, error.absolute_path))}: {error.message}")
        return document, validator

    for name in sys.argv[3:]:
        document, validator = check(pathlib.Path(name))
        for what, broken in [*broken_copies(shortened(document)), *wrong_copies(document)]:
            if validator.is_valid(broken):
                failures.append(f"{name}: the schema accepts {what}")
            refused += 1
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[2], folder], check=True)
        written = sorted(pathlib.Path(folder).iterdir())
        for path in written:
            check(path)
    for failure in failures[:20]:
        print(failure[:400])
    print(f"{len(sys.argv) - 3} files, {len(written)} written samples, {refused} broken copies,"
          f" {len(failures)} failures")
    return 1 if failures or not written else 0


sys.exit(main())
