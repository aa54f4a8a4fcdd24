"""Programs under Open MPI and MPICH, for the tests that are called with the one or the other."""

import shutil
import unittest

import support


class Implementation:
    """What MPI the commands with this ending are of."""

    def __init__(self, ending, oversubscribe):
        self.ending = ending
        self.oversubscribe = oversubscribe

    def command(self, name):
        return shutil.which(f"{name}.{self.ending}")

    def mpirun(self, program, *words):
        return [self.command("mpirun"), *self.oversubscribe, "-n", "2", program, *words]


IMPLEMENTATIONS = {"openmpi": Implementation("openmpi", ["--oversubscribe"]), "mpich": Implementation("mpich", [])}


def environment(**more):
    """Open MPI runs as root only when told, and its ranks take turns where they have few CPUs."""
    return support.environment(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                               OMPI_MCA_mpi_yield_when_idle="1", **more)


def need_an_engine(test):
    """What counts programs as they are."""
    if not (support.BUILD / "lib" / "ridge" / "valgrind" / "ridge-amd64-linux").is_file():
        test.skipTest("no tool for Valgrind in this build")


class UnderMpi(unittest.TestCase):
    """Each test in a folder of its own, with programs that the implementation's compiler command builds."""

    mpi = IMPLEMENTATIONS["openmpi"]

    @classmethod
    def setUpClass(cls):
        for name in ("mpirun", "mpicc", "mpifort"):
            if cls.mpi.command(name) is None:
                raise unittest.SkipTest(f"no {name}.{cls.mpi.ending} here (scripts/install-deps --tests)")
        if not (support.BUILD / "lib" / "ridge" / "libridge_mpi.so").is_file():
            raise unittest.SkipTest("this build has no layer for MPI")

    def setUp(self):
        self.folder = support.own_folder(self)

    def compiled(self, source, *flags, compiler="gcc"):
        """By the implementation's compiler command, which puts `compiler` to work."""
        target = self.folder / source.partition(".")[0]
        is_fortran = source.endswith(".f90")
        command = self.mpi.command("mpifort" if is_fortran else "mpicc")
        language = "FC" if is_fortran else "CC"
        chosen = {} if is_fortran and compiler == "gcc" else {f"{mpi}_{language}": str(compiler) for mpi in ("OMPI", "MPICH")}
        env = environment(**chosen)
        support.run([command, "-w", "-g", "-O1", *flags, support.PROGRAMS / source, "-o", target], env=env,
                    cwd=self.folder)
        return target
