"""Flops of AVX-512, which valgrind does not run, against a stepper: how often each instruction ran, and with how many
lanes where a mask switches some off (benchmarks/counts/step.c)."""

import shutil
import sys
import unittest
from collections import Counter, defaultdict

import support
from binary_test import ENGINES
from closed_forms import SOURCE_OF
from counts import in_file

sys.path.insert(0, str(support.SOURCE / "benchmarks" / "counts"))
import truth  # shares no code with Ridge

SIZES = {"triad": 203, "dot": 203, "jacobi2d": 37, "stencil7": 15, "gemm_blocked": 21, "spmv_random": 67, "fft": 64}
REPEATS = 2
NEEDED = ("avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
PRECISIONS = {64: "fp64", 32: "fp32"}
V4 = ["-O3", "-march=x86-64-v4"]
N = 203


def missing_features():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        flags = next((line for line in file if line.startswith("flags")), "").split()
    return [name for name in NEEDED if name not in flags]


def stepped(program, arguments, folder):
    """The disassembled program and how often its instructions ran."""
    disassembled = truth.disassemble(program)
    environment = support.environment(OMP_NUM_THREADS="1")
    return disassembled, truth.by_step(disassembled, arguments, folder, env=environment, timeout=support.TIMEOUT_SECONDS)


class Stepping(unittest.TestCase):
    """Where programs can be followed."""

    @classmethod
    def setUpClass(cls):
        cls.folder = support.own_folder(cls)
        done, _ = truth.step(truth.build_stepper(cls.folder), truth.disassemble("/bin/true"), [], cls.folder)
        if "ptrace" in done.stderr or "/mem:" in done.stderr:
            raise unittest.SkipTest(f"no program can be followed here: {done.stderr.strip()}")

    def flops(self, program, *arguments):
        """By function: (precision, kind, width) -> flops that ran."""
        flops = truth.flops_of(*stepped(program, arguments, self.folder))
        return {function: Counter({(PRECISIONS[bits], kind, width): count for (kind, bits, width), count in terms.items()})
                for function, terms in flops.items()}


class Stepper(Stepping):
    """Itself against callgrind, on code that both can run."""

    def check(self, program, *arguments, functions=""):
        """Of functions whose name begins with `functions`: others may depend on the time, as the driver of the kernels does."""
        disassembled, steps = stepped(program, arguments, self.folder)
        environment = support.environment(OMP_NUM_THREADS="1")
        seen = truth.by_callgrind(disassembled, arguments, self.folder, env=environment)
        compared = [at for at, function in disassembled.text.items() if function.startswith(functions)]
        self.assertGreater(sum(seen.ran(at) for at in compared), 10_000)
        different = {hex(at): (steps.ran(at), seen.ran(at)) for at in compared if steps.ran(at) != seen.ran(at)}
        self.assertEqual(different, {}, "by address: executions stepped, seen by callgrind")

    def test_all_ways_back_into_the_program(self):
        for level in ("-O0", "-O2"):
            with self.subTest(level):
                self.check(support.compile_c("ways_back.cpp", [level, "-gdwarf-4"], plain=True))

    def test_instrumented_kernel(self):
        flags = ["-std=c++20", "-O2", "-gdwarf-4", "-Wno-source-uses-openmp"]
        program = support.compile_program(sorted(support.KERNELS.glob("*.cpp")), flags, "kernels_dwarf4", depends=[support.KERNELS / "kernels.hpp"])
        self.check(program, "fft", SIZES["fft"], REPEATS, functions="kernels::")


class Avx512(Stepping):
    @classmethod
    def setUpClass(cls):
        if missing := missing_features():
            raise unittest.SkipTest(f"this CPU has no {', '.join(missing)}")
        super().setUpClass()


class Kernels(Avx512):
    def check(self, program, kernel):
        ran = Counter()
        for function, terms in self.flops(program, kernel, SIZES[kernel], REPEATS).items():
            if function.startswith("kernels::"):
                ran += terms
        counted = in_file(support.profile_of([program, kernel, SIZES[kernel], REPEATS]), SOURCE_OF[kernel])
        self.assertEqual(counted.terms, ran)
        return ran

    def test_every_instruction(self):
        for width, flags in ((256, V4), (512, [*V4, "-mprefer-vector-width=512"])):
            program = support.compile_kernels(flags)
            for kernel in SIZES:
                with self.subTest(width=width, kernel=kernel):
                    ran = self.check(program, kernel)
                    if kernel == "triad":
                        self.assertEqual(max(key[2] for key in ran), width)


class Masks(Avx512):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.program = support.compile_c("masked.c", V4)

    def setUp(self):
        self.ran = self.flops(self.program, N)

    def test_lanes_that_the_stepper_saw(self):
        """By hand: lane i is on where i % 5 < 2."""
        on = [i % 5 < 2 for i in range(N)]
        whole, rest = N // 8 * 8, N % 8
        self.assertEqual(self.ran["remainder_fma"], {("fp64", "fma", 512): 2 * (whole + rest)})
        self.assertEqual(self.ran["masked_divide"], {("fp64", "div", 512): sum(on[:whole])})
        self.assertEqual(self.ran["masked_root"], {("fp32", "sqrt", 512): sum(on[:N // 16 * 16])})
        self.assertEqual(self.ran["masked_scalar"], {("fp64", "add", 64): sum(on)})
        self.assertEqual(self.ran["predicated"], {("fp64", "mul", 256): -(-N // 4) * 4})

    def counted(self, program=None):
        """By function: least, flops, most."""
        sums = {}
        for region in support.profile_of([program or self.program, N])["regions"]:
            if region["kind"] in ("function", "loop") and "flops" in region:
                total = region["flops"]["total"]
                interval = region.get("flops_interval", {"low": total, "high": total})
                before = sums.get(region["function"], (0, 0, 0))
                sums[region["function"]] = (before[0] + interval["low"], before[1] + total, before[2] + interval["high"])
        return sums

    def test_what_is_counted_holds_what_ran(self):
        counted = self.counted()
        for function in ("remainder_fma", "masked_divide", "masked_root", "masked_scalar", "if_converted", "predicated", "unmasked"):
            with self.subTest(function):
                low, _, high = counted[function]
                ran = sum(self.ran[function].values())
                self.assertLessEqual(low, ran)
                self.assertGreaterEqual(high, ran)

    def test_exact_without_masks_and_where_lanes_are_counted(self):
        counted = self.counted()
        for function in ("unmasked", "predicated", "masked_scalar", "remainder_fma", "masked_divide", "masked_root", "if_converted"):
            with self.subTest(function):
                ran = sum(self.ran[function].values())
                self.assertEqual(counted[function], (ran, ran, ran))

    def test_a_mask_that_the_compiler_knows_lends_its_lanes_to_nobody(self):
        """The compiler drops the mask of the one; that of the other comes from a select."""
        program = support.compile_c("masked.c", ["-O1", "-march=x86-64-v4"])
        ran = self.flops(program, N)["known_mask"]
        expected = N + sum(i % 5 < 2 for i in range(N))
        self.assertEqual(ran, {("fp64", "add", 64): expected})
        self.assertEqual(self.counted(program)["known_mask"], (expected, expected, expected))


class Engines(Avx512):
    """Of programs as they are, the engines that can run AVX-512: one counts the lanes of masks, the other says what they leave
    open."""

    def built(self, compiler, source, *flags):
        if not shutil.which(str(compiler)):
            self.skipTest(f"no {compiler}")
        program = self.folder / "program"
        support.run([compiler, "-g", *V4, *flags, "-Wl,--emit-relocs", support.PROGRAMS / source, "-o", program],
                    env=support.environment(plain=True), cwd=self.folder)
        return program

    def measured(self, engine, program, source):
        """By function as the symbols name it: least and most flops, terms. Lanes on, of all."""
        if engine not in ENGINES:
            self.skipTest(f"the engine {engine} is not here")
        bounds, terms, lanes = defaultdict(lambda: (0, 0)), defaultdict(Counter), Counter()
        profile = support.profile_of([program, N], options=("--no-traffic", "--source", "binary", "--engine", engine))
        for region in profile["regions"]:
            if region["kind"] == "program" or region.get("file", "").split("/")[-1] != source:
                continue
            module, _, function = region["function"].rpartition("::")
            name = f"__{module}_MOD_{function}" if module else function
            total = region["flops"]["total"]
            interval = region.get("flops_interval", {"low": total, "high": total})
            bounds[name] = tuple(sum(pair) for pair in zip(bounds[name], (interval["low"], interval["high"])))
            for term in region["flops"]["terms"]:
                terms[name][term["precision"], term["kind"], term["width_bits"]] += term["flops"]
            lanes.update({key: region.get("masked", {}).get(key, 0) for key in ("active_lanes", "lanes")})
        return bounds, terms, lanes

    def check_lanes_are_counted(self, *build):
        """All that the stepper saw and no more, nothing left open."""
        program = self.built(*build)
        bounds, terms, lanes = self.measured("dynamorio", program, build[1])
        self.assertLess(0, lanes["active_lanes"])
        self.assertLess(lanes["active_lanes"], lanes["lanes"])
        self.assertEqual({name: found for name, found in terms.items() if found}, self.flops(program, N))
        for name, found in terms.items():
            self.assertEqual(bounds[name], (sum(found.values()),) * 2, name)
        return terms

    def check_lanes_are_left_open(self, *build):
        program = self.built(*build)
        bounds, _, _ = self.measured("bolt", program, build[1])
        ran = {name: sum(terms.values()) for name, terms in self.flops(program, N).items()}
        for name, (low, high) in bounds.items():
            with self.subTest(build[0], function=name):
                self.assertLessEqual(low, ran.get(name, 0))
                self.assertGreaterEqual(high, ran.get(name, 0))
        self.assertLess(bounds["masked_divide"][0], ran["masked_divide"])

    def test_dynamorio_counts_lanes(self):
        on = sum(i % 5 < 2 for i in range(N // 8 * 8))
        terms = self.check_lanes_are_counted("gcc", "masked.c")
        self.assertEqual(terms["masked_divide"], {("fp64", "div", 512): on})
        self.check_lanes_are_counted(support.RIDGE_CC, "masked.c")

    def test_dynamorio_counts_lanes_of_fortran(self):
        terms = self.check_lanes_are_counted("gfortran", "masked.f90", "-fno-inline", "-mprefer-vector-width=512")
        for name, kind in (("add", "add"), ("divide", "div")):
            found = terms[f"__masked_MOD_where_{name}"]
            self.assertEqual({key[1] for key in found}, {kind})
            self.assertEqual(sum(found.values()), sum(i % 5 < 2 for i in range(N)))

    def test_bolt_leaves_them_open(self):
        self.check_lanes_are_left_open("gcc", "masked.c")
        self.check_lanes_are_left_open(support.RIDGE_CC, "masked.c")


if __name__ == "__main__":
    unittest.main()
