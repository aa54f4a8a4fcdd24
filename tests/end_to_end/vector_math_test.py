"""Findings advise a vector library for just those functions that the installed clang makes vectors of."""

import re
import tempfile
import unittest
from pathlib import Path

import support

ONE_ARGUMENT = ("acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 lgamma "
                "log log10 log1p log2 sin sinh tan tanh tgamma").split()
TWO_ARGUMENTS = "atan2 fdim fmod hypot nextafter pow remainder".split()
LIBRARIES = {"glibc": "-fveclib=libmvec", "intel": "-fveclib=SVML"}
VECTOR_CALL = re.compile(r"\b(?:callq?|jmp)\s+\*?(?:_ZGV|__svml_)")


def compiler(*arguments):
    """The clang that ridge-cc calls, without the plugin."""
    return support.run([support.RIDGE_CC, *arguments], env=support.environment(plain=True))


def source():
    """A loop over each function, in its forms of double and float."""
    lines = ["#define _GNU_SOURCE", "#include <math.h>"]
    for type_, suffix in (("double", ""), ("float", "f")):
        for name in ONE_ARGUMENT:
            lines.append(f"void k_{name}{suffix}({type_} *restrict y, const {type_} *restrict x, int n)"
                         f" {{ for (int i = 0; i < n; i++) y[i] = {name}{suffix}(x[i]); }}")
        for name in TWO_ARGUMENTS:
            lines.append(f"void k_{name}{suffix}({type_} *restrict y, const {type_} *restrict x, "
                         f"const {type_} *restrict z, int n)"
                         f" {{ for (int i = 0; i < n; i++) y[i] = {name}{suffix}(x[i], z[i]); }}")
    return "\n".join(lines) + "\n"


def vectorised(folder, flags):
    """Functions whose loop calls a vector form, compiled with `flags`."""
    path = Path(folder) / "loops.c"
    path.write_text(source(), "utf-8")
    assembly = compiler("-O3", *flags, "-S", "-o", "-", path).stdout
    found, function = set(), None
    for line in assembly.splitlines():
        label = re.match(r"k_(\w+):", line)
        function = label.group(1) if label else function
        if VECTOR_CALL.search(line):
            found.add(function)
    return found


def table():
    """What src/predict/findings/vector_libraries.cpp says: form by function."""
    text = (support.SOURCE / "src/predict/findings/vector_libraries.cpp").read_text("utf-8")
    return dict(re.findall(r'Entry\{"(\w+)", VectorForm::(\w+)\}', text))


def with_float_forms(functions):
    return set(functions) | {f"{name}f" for name in functions}


class VectorMath(unittest.TestCase):
    def compiled(self, flags):
        with tempfile.TemporaryDirectory() as folder:
            return vectorised(folder, flags)

    def test_the_table_is_what_the_compiler_does(self):
        known = table()
        self.assertGreater(len(known), 5)
        glibc = {name for name, form in known.items() if form == "glibc"}
        expected = {"glibc": with_float_forms(glibc), "intel": with_float_forms(known)}
        for form, flag in LIBRARIES.items():
            for march in ((), ("-march=x86-64-v3",)):
                with self.subTest(library=form, march=march):
                    self.assertEqual(self.compiled((flag, "-fno-math-errno", *march)),
                                     expected[form])

    def test_the_library_alone_does_nothing(self):
        # errno is why the advice names -fno-math-errno, too.
        for flag in LIBRARIES.values():
            self.assertEqual(self.compiled((flag,)), set())

    def test_what_is_advised_links_and_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "sum.c"
            path.write_text("#include <math.h>\n#include <stdio.h>\n"
                            "int main(int n, char **a) { (void)a; double y[64]; for (int i = 0; i < 64; i++)"
                            " y[i] = exp(i * n * 0.01); printf(\"%.3f\\n\", y[63]); }\n", "utf-8")
            program = Path(folder) / "sum"
            compiler("-O3", "-fveclib=libmvec", "-fno-math-errno", path, "-o", program, "-lm")
            self.assertIn("_ZGV", support.run(["nm", "-D", program]).stdout)
            self.assertEqual(support.run([program]).stdout, "1.878\n")


if __name__ == "__main__":
    unittest.main()
