"""A program of recipes.py alone and measured by `ridge run`: what the test and benchmarks/measured_programs share."""

import dataclasses
import json
import os
import re
import shutil
import subprocess
import time

LIMIT_SECONDS = 1500


@dataclasses.dataclass
class Measured:
    alone: list  # completed processes, at least two
    seconds_alone: list
    cpu_seconds_alone: list
    runs: list  # of Ridge: one, or of ranks one for times and one for counts
    seconds: float
    profile: dict | None


def missing(recipe):
    """What has to be installed before the recipe can be run, or None."""
    if not shutil.which(recipe.command[0]):
        return recipe.package
    if recipe.package == "python3-numpy":
        done = subprocess.run([recipe.command[0], "-c", "import numpy"], capture_output=True, check=False)
        if done.returncode:
            return recipe.package
    if recipe.ranks > 1 and not shutil.which("mpirun"):
        return "openmpi-bin"
    return None


def environment():
    """One thread each, and Open MPI as root: containers have no other user."""
    return os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                         "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def run(command, folder):
    """The completed process, its wall time and the CPU time of it and all that it started."""
    before = os.times()
    begin = time.monotonic()
    done = subprocess.run([str(part) for part in command], cwd=folder, env=environment(), capture_output=True,
                          stdin=subprocess.DEVNULL, check=False, timeout=LIMIT_SECONDS)
    wall = time.monotonic() - begin
    after = os.times()
    return done, wall, after.children_user + after.children_system - before.children_user - before.children_system


def launcher(recipe):
    return [] if recipe.ranks == 1 else ["mpirun", "--oversubscribe", "-n", str(recipe.ranks)]


def ridge_commands(ridge, recipe, machine):
    """One run, or of ranks two, since a rank cannot be started a second time by Ridge."""
    options = ["-q", *(["--machine", str(machine)] if machine else [])]
    program = ["--", *recipe.command]
    if recipe.ranks == 1:
        return [[ridge, "run", *options, "--no-traffic", "--same-code", "--force", "-o", "out", *program]]
    front = [*launcher(recipe), ridge, "run", *options]
    return [[*front, "--same-code", "-o", "out", *program], [*front, "--same-code", "--into", "out", "--only-counts", *program]]


def measure(ridge, recipe, folder, machine=None, times_alone=2):
    if recipe.file:
        (folder / recipe.file[0]).write_text(recipe.file[1], "utf-8")
    alone = [run([*launcher(recipe), *recipe.command], folder) for _ in range(times_alone)]
    runs = [run(command, folder) for command in ridge_commands(ridge, recipe, machine)]
    stored = folder / "out" / "profile.json"
    profile = json.loads(stored.read_text("utf-8")) if stored.exists() else None
    return Measured([one[0] for one in alone], [one[1] for one in alone], [one[2] for one in alone], [one[0] for one in runs],
                    sum(one[1] for one in runs), profile)


def steady(alone, times=""):
    """Lines that two runs of the program alone have in common, without those that match `times`: these hold a time, and may be
    equal by chance."""
    first, second = ([line for line in done.stdout.decode(errors="replace").splitlines() if not times or not re.search(times, line)]
                     for done in alone[:2])
    return [line for line in first if line in second]


def lost_lines(measured, times=""):
    """Lines that the program writes each time and did not write under Ridge."""
    kept = set(measured.runs[0].stdout.decode(errors="replace").splitlines())
    return [line for line in steady(measured.alone, times) if line not in kept]


def work(region):
    return region.get("flops", {}).get("total", 0)


def program_of(profile):
    return next(region for region in profile["regions"] if region["kind"] == "program")


def regions_of(profile):
    return [region for region in profile["regions"] if region["kind"] != "program"]
