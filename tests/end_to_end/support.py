"""What the end-to-end tests share: the built tools, building with them, running `ridge run`.

RIDGE_BUILD_DIR names the build tree whose bin/ holds the tools."""

import contextlib
import fcntl
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = pathlib.Path(os.environ.get("RIDGE_BUILD_DIR", SOURCE / "build-dev")).resolve()
RIDGE = BUILD / "bin" / "ridge"
RIDGE_CC = BUILD / "bin" / "ridge-cc"
RIDGE_CXX = BUILD / "bin" / "ridge-c++"
WORK = BUILD / "tests" / "end_to_end" / "work"
DATA = pathlib.Path(__file__).resolve().parent / "testdata"
PROGRAMS = pathlib.Path(__file__).resolve().parent / "programs"
MACHINE = DATA / "machine_small.json"
KERNELS = SOURCE / "examples" / "kernels"

sys.path.insert(0, str(KERNELS))
sys.dont_write_bytecode = True

TIMEOUT_SECONDS = 300


def run(command, check=True, **options):
    """Runs a command with captured text output; with `check`, a failure shows its output."""
    options.setdefault("capture_output", True)
    options.setdefault("text", True)
    options.setdefault("timeout", TIMEOUT_SECONDS)
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run([str(part) for part in command], **options)
    if check and done.returncode != 0:
        raise AssertionError(f"exit {done.returncode}: {command}\n{done.stdout}\n{done.stderr}")
    return done


def environment(plain=False, **extra):
    """The environment without anything of the outside that would change the result."""
    dropped = ("RIDGE_", "OMP_", "KMP_", "GOMP_")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(dropped)}
    kept["XDG_CACHE_HOME"] = str(WORK / "cache")
    if plain:
        kept["RIDGE_PLAIN"] = "1"
    kept.update(extra)
    return kept


def slug(flags):
    return re.sub(r"[^A-Za-z0-9]+", "_", " ".join(flags)).strip("_") or "default"


def own_folder(owner):
    """An empty folder that no other test has; it goes with `owner`, a test or a class of tests."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ridge-test-"))
    clean_up = owner.addCleanup if isinstance(owner, unittest.TestCase) else owner.addClassCleanup
    clean_up(shutil.rmtree, folder, ignore_errors=True)
    return folder


@contextlib.contextmanager
def locked(path):
    """One builder at a time: tests run in parallel and share what they build."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def newest(paths):
    return max((p.stat().st_mtime for p in paths if p.is_file()), default=0.0)


@functools.lru_cache
def tools_time():
    return newest([*(BUILD / "bin").iterdir(), *(BUILD / "lib" / "ridge").rglob("*")])


def compile_program(sources, flags, name, plain=False, compiler=RIDGE_CXX, depends=()):
    """Compiles and links into WORK unless that is newer than sources and tools; the path."""
    target = WORK / f"{name}-{slug(flags)}{'-plain' if plain else ''}"
    with locked(target.with_name(target.name + ".lock")):
        fresh = newest([pathlib.Path(s) for s in [*sources, *depends]])
        if not target.is_file() or target.stat().st_mtime < max(fresh, tools_time()):
            partial = target.with_name(target.name + ".new")
            run([compiler, *flags, *sources, "-o", partial], env=environment(plain))
            partial.rename(target)
    return target


def compile_kernels(flags, plain=False):
    """The kernels with these flags. The driver, whose work is not looked at, is compiled once."""
    driver = KERNELS / "main.cpp"
    headers = [KERNELS / "kernels.hpp"]
    standard = ["-std=c++20", "-Wno-source-uses-openmp"]
    driver_object = compile_program([driver], ["-std=c++20", "-O1", "-c"], "kernels_driver", plain,
                                    depends=headers)
    # The linker must see an object by its suffix.
    named = driver_object.with_name(driver_object.name + ".o")
    with locked(named.with_name(named.name + ".lock")):
        if not named.is_file() or named.stat().st_mtime < driver_object.stat().st_mtime:
            partial = named.with_name(named.name + ".new")
            partial.write_bytes(driver_object.read_bytes())
            partial.rename(named)
    sources = sorted(p for p in KERNELS.glob("*.cpp") if p != driver)
    return compile_program([*sources, named], [*standard, *flags], "kernels", plain,
                           depends=headers)


def compile_c(name, flags=("-O2",), plain=False, link=()):
    """tests/end_to_end/programs/NAME (.c or .cpp) with the matching wrapper."""
    source = PROGRAMS / name
    compiler = RIDGE_CC if source.suffix == ".c" else RIDGE_CXX
    return compile_program([source], [*flags, *link], source.stem, plain, compiler)


@functools.lru_cache
def validator(name):
    """Of docs/formats/NAME.schema.json; the schemas there may refer to each other."""
    import jsonschema  # only here: the message of a missing module names this test

    texts = (SOURCE / "docs" / "formats").glob("*.schema.json")
    schemas = {schema["$id"]: schema for schema in (json.loads(p.read_text("utf-8")) for p in texts)}
    wanted = schemas[f"{name}.schema.json"]
    jsonschema.Draft202012Validator.check_schema(wanted)
    resolver = jsonschema.RefResolver(wanted["$id"], wanted, store=schemas)
    return jsonschema.Draft202012Validator(wanted, resolver=resolver)


def no_duplicate_keys(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise AssertionError(f"duplicate keys in {keys}")
    return dict(pairs)


def parse_json(text):
    """JSON as the contract wants it: no duplicate key, no null, no NaN."""

    def refuse(constant):
        raise AssertionError(f"{constant} in the output")

    assert not re.search(r":\s*null\b", text), "null in the output"
    return json.loads(text, object_pairs_hook=no_duplicate_keys, parse_constant=refuse)


def flops_of(region):
    """Counted; 0 where nobody counted, as in libraries."""
    return region.get("flops", {"total": 0})["total"]


def validated(profile):
    validator("ridge.profile-2").validate(profile)
    return profile


def ridge_run(program, options=(), machine=MACHINE, **run_options):
    """`ridge run` with a fixed machine file; the finished process."""
    run_options.setdefault("env", environment())
    run_options.setdefault("cwd", WORK)
    machine_options = ["--machine", machine] if machine else []
    return run([RIDGE, "run", *machine_options, *options, "--", *program], **run_options)


def profile_of(program, options=("--no-traffic",), threads=1, **run_options):
    """The validated ridge.profile/2 of one run."""
    env = environment(OMP_NUM_THREADS=str(threads), OMP_DYNAMIC="false")
    done = ridge_run(program, ["--json", *options], env=env, **run_options)
    try:
        return validated(parse_json(done.stdout))
    except ValueError as error:
        raise AssertionError(f"no JSON: {error}\n{done.stdout[:2000]}\n{done.stderr}") from error


def profile_without_code(program, **run_options):
    """As profile_of, of a copy of the program that is gone when its machine code would be read: the counts of the IR."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(program[0], folder)
        launcher = ["sh", "-c", '"$0" "$@"; status=$?; rm "$0"; exit $status', copy, *program[1:]]
        profile = profile_of(launcher, options=("--no-traffic", "--launcher"), **run_options)
    assert "ir-counts" in [note["code"] for note in profile["notes"]], "the machine code was read"
    return profile
