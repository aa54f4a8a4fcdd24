"""Work and data of the kernels of this folder in closed form (the table is in closed_forms.md).

For one call: CLOSED_FORMS[name](size) gives flops, and the bytes that the source text loads and
stores, each variable of a loop nest read where it is written (what a compiler makes of it at -O1).
"""

from dataclasses import dataclass

GEMM_BLOCK = 48  # kGemmBlock in kernels.hpp
RANDOM_PER_ROW = 16


@dataclass(frozen=True)
class Closed:
    flops: int
    loaded: int
    stored: int
    # Whether an OpenMP reduction adds one flop for each thread.
    reduces: bool = False


def triad(n):
    return Closed(2 * n, 16 * n, 8 * n)


def dot(n):
    return Closed(2 * n, 16 * n, 0, reduces=True)


def jacobi2d(n):
    points = max(n - 2, 0) ** 2
    return Closed(4 * points, 32 * points, 8 * points)


def stencil7(n):
    points = max(n - 2, 0) ** 3
    return Closed(8 * points, 56 * points, 8 * points)


def gemm_naive(n):
    return Closed(2 * n**3, 16 * n**3, 8 * n**2)


def gemm_blocked(n):
    column_blocks = -(-n // GEMM_BLOCK)
    return Closed(2 * n**3, 16 * n**3 + 8 * n**2 * column_blocks, 8 * n**3)


def spmv(rows, nonzeros):
    return Closed(2 * nonzeros, 20 * nonzeros + 8 * rows, 8 * rows)


def fft(n):
    stages = n.bit_length() - 1
    return Closed(5 * n * stages, 16 * n * stages + 16 * (n - 1), 16 * n * stages)


CLOSED_FORMS = {
    "triad": triad,
    "daxpy": triad,
    "dot": dot,
    "jacobi2d": jacobi2d,
    "stencil7": stencil7,
    "gemm_naive": gemm_naive,
    "gemm_blocked": gemm_blocked,
    "spmv_stencil": lambda n: spmv(n * n, 5 * n * n - 4 * n),
    "spmv_random": lambda n: spmv(n, RANDOM_PER_ROW * n),
    "fft": fft,
}

# The source file that holds each kernel.
SOURCE_OF = {
    "triad": "triad.cpp",
    "daxpy": "daxpy.cpp",
    "dot": "dot.cpp",
    "jacobi2d": "jacobi2d.cpp",
    "stencil7": "stencil7.cpp",
    "gemm_naive": "gemm.cpp",
    "gemm_blocked": "gemm.cpp",
    "spmv_stencil": "spmv.cpp",
    "spmv_random": "spmv.cpp",
    "fft": "fft.cpp",
}
