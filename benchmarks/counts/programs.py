"""The programs whose flops are compared: how each is compiled, and with which arguments it runs. Their sources are not
part of Ridge."""

import pathlib
import re
import shutil
import subprocess
import typing

# What the stepper can do in about a minute: one iteration, or a smaller problem.
SMALL_NPB = {"NITER_DEFAULT": 1, "NITER": 1, "ITMAX_DEFAULT": 1, "INORM_DEFAULT": 1, "NIT_DEFAULT": 1, "M": 16,
             "NX": 16, "NY": 16, "NZ": 16, "MAXDIM": 16, "NTOTAL": 4096}


class Choice(typing.NamedTuple):
    """How to compile."""

    compilers: pathlib.Path  # the folder of ridge-cc
    flags: list
    small: bool  # data sets for the stepper
    environment: dict


def compiled(choice, compiler, words, target):
    command = [choice.compilers / compiler, *choice.flags, *words, "-w", "-gdwarf-4", "-o", target, "-lm"]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, env=choice.environment)
    if done.returncode != 0:
        print(f"{target.name:24s} does not compile: {done.stderr.splitlines()[0] if done.stderr else ''}")
        return None
    return target


def polybench(folder, choice, target):
    data = "-DMINI_DATASET" if choice.small else "-DSMALL_DATASET"
    for line in (folder / "utilities/benchmark_list").read_text().split():
        source = folder / line
        yield source.stem, [], lambda s=source: compiled(
            choice, "ridge-cc", [data, "-I", folder / "utilities", "-I", s.parent, folder / "utilities/polybench.c", s], target / s.stem)


def shrink(parameters):
    text = parameters.read_text("utf-8")
    for name, value in SMALL_NPB.items():
        text = re.sub(rf"^(#define\s+{name}\s+)\d+$", rf"\g<1>{value}", text, flags=re.MULTILINE)
    parameters.write_text(text, "utf-8")


def npb(folder, choice, target):
    sources = target / "npb"
    shutil.copytree(folder, sources)
    setparams = target / "setparams"
    subprocess.run(["cc", "-w", "-o", setparams, sources / "sys/setparams.c"], check=True)
    common = [sources / "common" / name for name in ("c_print_results.c", "c_timers.c", "wtime.c", "c_randdp.c")]
    (sources / "config/make.def").touch()
    for name in ("BT", "CG", "EP", "FT", "LU", "MG", "SP"):
        subprocess.run([setparams, name.lower(), "S"], cwd=sources / name, check=True, capture_output=True)
        if choice.small:
            shrink(sources / name / "npbparams.h")
        yield f"npb {name.lower()}", [], lambda n=name: compiled(
            choice, "ridge-cc", ["-fcommon", "-I", sources / "common", "-I", sources / n, sources / n / f"{n.lower()}.c", *common], target / n)


def lulesh(folder, choice, target):
    arguments = ["-s", "6", "-i", "5"] if choice.small else ["-s", "10", "-i", "10"]
    yield "lulesh", arguments, lambda: compiled(choice, "ridge-c++", ["-DUSE_MPI=0", *sorted(folder.glob("*.cc"))], target / "lulesh")


def quicksilver(folder, choice, target):
    for name in ("git_hash.hh", "git_vers.hh"):
        (target / name).write_text('#define GIT_VERS "0"\n#define GIT_HASH "0"\n')
    arguments = ["-n", "20", "-N", "1"] if choice.small else ["-n", "1000", "-N", "3"]
    sources = sorted(source for source in (folder / "src").glob("*.cc") if source.name != "PhysicalConstants.cc")
    yield "quicksilver", arguments, lambda: compiled(
        choice, "ridge-c++", ["-std=c++11", "-I", target, "-include", "cstdint", *sources], target / "quicksilver")


SUITES = {"PolyBenchC-4.2.1": polybench, "NPB3.0-omp-C": npb, "LULESH": lulesh, "Quicksilver": quicksilver}


def all_programs(sources, choice, target):
    """Name, arguments and what compiles it (the path, or None), of the suites that are there."""
    for suite, programs in SUITES.items():
        folder = sources / suite
        if not folder.exists():
            print(f"{suite} is not in {sources}")
            continue
        place = target / suite
        place.mkdir()
        yield from programs(folder, choice, place)
