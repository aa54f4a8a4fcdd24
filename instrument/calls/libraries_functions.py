#!/usr/bin/env python3
"""The functions of BLAS, LAPACK and FFTW that the layer stands in front of, and the C file with their wrappers.

    libraries_functions.py OUTPUT.c

What the arguments mean is a row here; which work that is, src/measure/calls/library_work.cpp knows by the name. Wrappers have no
types: on x86-64 integers and pointers go one way and floating-point numbers another, each in the order in which they stand."""

import sys

REAL = "sd"
COMPLEX = "cz"
ALL = REAL + COMPLEX

# A row: name without the letter of its type; letters; arguments of Fortran's form, hidden lengths of texts among them; where its
# sizes stand there ("S0": argument 0 is the side, 1 for left and 2 for right).
# Then, unless LAPACK: integer and pointer arguments of the form of CBLAS and the same sizes there. Scalars of real types are
# floating-point arguments and are not counted. "workspace 6": where argument 6 is -1 the call only asks how much room it needs.
BLAS = """
gemm  sdcz  15  2 3 4    cblas 12 14  3 4 5
symm  sdcz  14  2 3 S0   cblas 11 13  3 4 S1
hemm  cz    14  2 3 S0   cblas 11 13  3 4 S1
syrk  sdcz  12  2 3      cblas  9 11  3 4
herk  cz    12  2 3      cblas  9  9  3 4
syr2k sdcz  14  2 3      cblas 11 13  3 4
her2k cz    14  2 3      cblas 11 12  3 4
trmm  sdcz  15  4 5 S0   cblas 11 12  5 6 S1
trsm  sdcz  15  4 5 S0   cblas 11 12  5 6 S1
gemv  sdcz  12  1 2      cblas 10 12  2 3
symv  sd    11  1        cblas  9  9  2
hemv  cz    11  1        cblas 11 11  2
trmv  sdcz  11  3        cblas  9  9  4
trsv  sdcz  11  3        cblas  9  9  4
ger   sd     9  0 1      cblas  9  9  1 2
geru  cz     9  0 1      cblas 10 10  1 2
gerc  cz     9  0 1      cblas 10 10  1 2
syr   sd     8  1        cblas  7  7  2
syr2  sd    10  1        cblas  9  9  2
her   cz     8  1        cblas  7  7  2
her2  cz    10  1        cblas 10 10  2
axpy  sdcz   6  0        cblas  5  6  0
dot   sd     5  0        cblas  5  5  0
dotu  cz     6  0        -
dotc  cz     6  0        -
dotu_sub cz  -  -        cblas  6  6  0
dotc_sub cz  -  -        cblas  6  6  0
scal  sdcz   4  0        cblas  3  4  0
copy  sdcz   5  0        cblas  5  5  0
swap  sdcz   5  0        cblas  5  5  0
asum  sd     3  0        cblas  3  3  0
nrm2  sd     3  0        cblas  3  3  0
rot   sd     7  0        cblas  5  5  0
getrf sdcz   6  0 1      -
potrf sdcz   6  1        -
geqrf sdcz   8  0 1      -    workspace 6
"""

# Names that are put together otherwise: cblas_NAME or NAME_, arguments, sizes.
OTHERS = """
scasum scasum 3 0
dzasum dzasum 3 0
scnrm2 scnrm2 3 0
dznrm2 dznrm2 3 0
csscal csscal 4 0
zdscal zdscal 4 0
"""

# Planners of FFTW: name behind fftw_plan_, arguments, rank (0: argument 0 is it, argument 1 the sizes), whether argument 2 is how many.
PLANNERS = """
dft_1d 5 1 complex
dft_2d 6 2 complex
dft_3d 7 3 complex
dft 6 0 complex
many_dft 13 0 complex many
dft_r2c_1d 4 1 real
dft_r2c_2d 5 2 real
dft_r2c_3d 6 3 real
dft_r2c 5 0 real
many_dft_r2c 12 0 real many
dft_c2r_1d 4 1 real
dft_c2r_2d 5 2 real
dft_c2r_3d 6 3 real
dft_c2r 5 0 real
many_dft_c2r 12 0 real many
"""
EXECUTIONS = {"execute": 1, "execute_dft": 3, "execute_dft_r2c": 3, "execute_dft_c2r": 3, "execute_split_dft": 5,
              "execute_split_dft_r2c": 4, "execute_split_dft_c2r": 4}


def places(words):
    """(place + 1, is a side) of each size."""
    return [(int(word.lstrip("S")) + 1, word.startswith("S")) for word in words]


class Function:
    def __init__(self, symbol, name, arguments, sizes, by_value, kind="KIND_WORK", more=""):
        self.symbol, self.name, self.arguments = symbol, name, arguments
        self.sizes, self.by_value, self.kind, self.more = sizes, by_value, kind, more

    def row(self):
        members = [f'.symbol = "{self.symbol}"', f'.name = "{self.name}"', f".kind = {self.kind}"]
        if self.sizes:
            members.append(".sizes = {" + ", ".join(str(place) for place, _ in self.sizes) + "}")
            sides = [i for i, (_, is_side) in enumerate(self.sizes) if is_side]
            members += [f".side = {sides[0] + 1}"] if sides else []
        members += [".by_value = 1"] if self.by_value else []
        return "    {" + ", ".join(members) + self.more + "},\n"

    def wrapper(self, number):
        words = ", ".join(f"word a{i}" for i in range(self.arguments))
        values = ", ".join(f"a{i}" for i in range(self.arguments))
        returns = "struct pair" if self.name in ("zdotu", "zdotc") else "struct both"
        call = "library_call_pair" if returns == "struct pair" else "library_call"
        head = f"{returns} {self.symbol}({words}, double x, double y)"
        return (f"{head};\n__attribute__((visibility(\"default\"))) {head} {{\n"
                f"  const word words[WORDS] = {{{values}}};\n"
                f"  return {call}({number}, words, x, y, __builtin_return_address(0));\n}}\n")


def blas_functions():
    for line in BLAS.splitlines():
        if not line.strip():
            continue
        name, letters, arguments, *rest = line.split()
        workspace = f", .workspace = {int(rest[-1]) + 1}" if "workspace" in rest else ""
        rest = rest[:rest.index("workspace")] if workspace else rest
        behind = rest.index("cblas") if "cblas" in rest else len(rest)
        fortran = [word for word in rest[:behind] if word != "-"]
        for letter in letters:
            if arguments != "-":
                yield Function(f"{letter}{name}_", letter + name, int(arguments), places(fortran), False, more=workspace)
            if behind < len(rest):
                reals, complexes, *sizes = rest[behind + 1:]
                count = int(complexes if letter in COMPLEX else reals)
                plain = name.removesuffix("_sub")
                yield Function(f"cblas_{letter}{name}", letter + plain, count, places(sizes), True)


def other_functions():
    for line in OTHERS.splitlines():
        if line.strip():
            name, symbol, arguments, size = line.split()
            yield Function(f"{symbol}_", symbol, int(arguments), places([size]), False)
            yield Function(f"cblas_{symbol}", symbol, int(arguments), places([size]), True)


def fftw_functions():
    for prefix, letter in (("fftw", "d"), ("fftwf", "s")):
        for line in PLANNERS.splitlines():
            if line.strip():
                name, arguments, rank, domain, *many = line.split()
                more = f", .rank = {rank}, .is_real = {int(domain == 'real')}, .has_many = {int(bool(many))}"
                yield Function(f"{prefix}_plan_{name}", f"{prefix}_plan", int(arguments), [], True, "KIND_PLAN", more)
        for name, arguments in EXECUTIONS.items():
            yield Function(f"{prefix}_{name}", f"{prefix}_execute", arguments, [], True, "KIND_EXECUTE")
            # FFTW's older interface for Fortran: it plans through the functions above and executes past them.
            yield Function(f"{letter}fftw_{name}_", f"{prefix}_execute", arguments, [], False, "KIND_EXECUTE")
        for name, kind in (("destroy_plan", "KIND_DESTROY"), ("cleanup", "KIND_CLEANUP")):
            yield Function(f"{prefix}_{name}", f"{prefix}_{name}", 1, [], True, kind)
            yield Function(f"{letter}fftw_{name}_", f"{prefix}_{name}", 1, [], False, kind)


def main():
    functions = [*blas_functions(), *other_functions(), *fftw_functions()]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("/* Made by instrument/calls/libraries_functions.py. */\n")
        file.write('#include "instrument/calls/libraries_layer.h"\n\nconst struct library_function library_functions[] = {\n')
        file.writelines(function.row() for function in functions)
        file.write("};\n" + f"void* library_real[{len(functions)}];\n")
        file.writelines(function.wrapper(number) for number, function in enumerate(functions))


if __name__ == "__main__":
    main()
