"""Loops over arrays in L1, as C. Each runs n times and is compiled by several compilers for several widths."""

DOUBLE = "double"
FLOAT = "float"

# name: (type of elements, body of the loop, what is returned, what is declared before the loop)
KERNELS = {
    # streams
    "copy": (DOUBLE, "a[i] = b[i];", "0", ""),
    "scale": (DOUBLE, "a[i] = 1.0001 * b[i];", "0", ""),
    "daxpy": (DOUBLE, "a[i] += 1e-9 * b[i];", "0", ""),
    "saxpy": (FLOAT, "a[i] += 1e-9f * b[i];", "0", ""),
    "triad": (DOUBLE, "a[i] = b[i] + 3.0 * c[i];", "0", ""),
    "schoenauer": (DOUBLE, "a[i] = b[i] + c[i] * d[i];", "0", ""),
    "add": (DOUBLE, "a[i] = b[i] + c[i];", "0", ""),
    "fill": (DOUBLE, "a[i] = 1.5;", "0", ""),
    "update": (DOUBLE, "a[i] = a[i] * 0.999 + 0.001;", "0", ""),
    # reductions
    "sum": (DOUBLE, "s += b[i];", "s", "double s = 0;"),
    "sum_float": (FLOAT, "s += b[i];", "s", "float s = 0;"),
    "dot": (DOUBLE, "s += b[i] * c[i];", "s", "double s = 0;"),
    "norm": (DOUBLE, "s += b[i] * b[i];", "s", "double s = 0;"),
    "dot3": (DOUBLE, "s += b[i] * c[i] * d[i];", "s", "double s = 0;"),
    "largest": (DOUBLE, "s = b[i] > s ? b[i] : s;", "s", "double s = 0;"),
    "sum_two": (DOUBLE, "s += b[i]; t += b[i] * c[i];", "s + t", "double s = 0, t = 0;"),
    "prefix": (DOUBLE, "s = s * 0.5 + b[i]; a[i] = s;", "s", "double s = 0;"),
    # stencils
    "stencil3": (DOUBLE, "a[i] = 0.25 * b[i - 1] + 0.5 * b[i] + 0.25 * b[i + 1];", "0", ""),
    "stencil5": (DOUBLE, "a[i] = b[i - 2] + b[i - 1] - 4.0 * b[i] + b[i + 1] + b[i + 2];", "0", ""),
    "jacobi": (DOUBLE, "a[i] = 0.25 * (b[i - 1] + b[i + 1] + c[i] + d[i]);", "0", ""),
    "stencil3_float": (FLOAT, "a[i] = 0.25f * b[i - 1] + 0.5f * b[i] + 0.25f * b[i + 1];", "0", ""),
    "seidel": (DOUBLE, "a[i] = 0.5 * (a[i - 1] + b[i]);", "0", ""),
    "tridiagonal": (DOUBLE, "a[i] = c[i] * (b[i] - a[i - 1]);", "0", ""),
    # polynomials
    "horner4": (DOUBLE, "a[i] = (((0.1 * b[i] + 0.2) * b[i] + 0.3) * b[i] + 0.4) * b[i] + 0.5;", "0", ""),
    "horner8": (
        DOUBLE,
        "double x = b[i]; a[i] = (((((((0.1 * x + 0.2) * x + 0.3) * x + 0.4) * x + 0.5) * x + 0.6) * x + 0.7) * x + 0.8) * x + 0.9;",
        "0",
        "",
    ),
    "powers": (DOUBLE, "double x = b[i], x2 = x * x, x4 = x2 * x2; a[i] = 0.1 + 0.2 * x + x2 * (0.3 + 0.4 * x) + x4 * (0.5 + 0.6 * x);", "0", ""),
    "complex_product": (DOUBLE, "a[i] = b[i] * c[i] - b[i + 8] * c[i + 8]; d[i] = b[i] * c[i + 8] + b[i + 8] * c[i];", "0", ""),
    # divisions and roots
    "divide": (DOUBLE, "a[i] = b[i] / c[i];", "0", ""),
    "divide_float": (FLOAT, "a[i] = b[i] / c[i];", "0", ""),
    "reciprocal": (DOUBLE, "a[i] = 1.0 / b[i];", "0", ""),
    "root": (DOUBLE, "a[i] = __builtin_sqrt(b[i]);", "0", ""),
    "root_float": (FLOAT, "a[i] = __builtin_sqrtf(b[i]);", "0", ""),
    "inverse_root": (DOUBLE, "a[i] = 1.0 / __builtin_sqrt(b[i]);", "0", ""),
    "distance": (DOUBLE, "double x = b[i] - 0.5, y = c[i] - 0.25; a[i] = __builtin_sqrt(x * x + y * y);", "0", ""),
    "rational": (DOUBLE, "a[i] = (b[i] * b[i] + 1.0) / (b[i] + 2.0);", "0", ""),
    "divide_sum": (DOUBLE, "s += b[i] / c[i];", "s", "double s = 0;"),
    # indirect
    "csr": (DOUBLE, "s += b[i] * c[idx[i]];", "s", "double s = 0;"),
    "gather": (DOUBLE, "a[i] = b[idx[i]];", "0", ""),
    "gather_float": (FLOAT, "a[i] = b[idx[i]] * 2.0f;", "0", ""),
    "scatter": (DOUBLE, "a[idx[i]] = b[i];", "0", ""),
    "strided": (DOUBLE, "a[i] = b[(i * 2) & 1023];", "0", ""),
    # masked and branches
    "masked": (DOUBLE, "if (b[i] > 1.5) a[i] = c[i];", "0", ""),
    "clip": (DOUBLE, "a[i] = b[i] > 1.5 ? 1.5 : b[i];", "0", ""),
    "select": (DOUBLE, "a[i] = b[i] > c[i] ? b[i] * 2.0 : c[i] + 1.0;", "0", ""),
    "count": (DOUBLE, "s += b[i] > 1.5;", "s", "long s = 0;"),
    "masked_sum": (DOUBLE, "if (b[i] > 1.25) s += c[i];", "s", "double s = 0;"),
    # integers
    "int_add": ("int", "a[i] = b[i] + c[i];", "0", ""),
    "int_sum": ("int", "s += b[i];", "s", "int s = 0;"),
    "int_mul": ("int", "a[i] = b[i] * c[i];", "0", ""),
    "long_mul": ("long", "a[i] = b[i] * c[i];", "0", ""),
    "shift_xor": ("int", "a[i] = (b[i] << 3) ^ (c[i] >> 2);", "0", ""),
    "hash": ("long", "h = (h ^ b[i]) * 1099511628211;", "h", "long h = 7;"),
    "bytes": ("unsigned char", "a[i] = (b[i] + c[i] + 1) >> 1;", "0", ""),
    "widen": ("int", "s += (long)b[i] * c[i];", "s", "long s = 0;"),
    # conversions and mixed
    "int_to_double": (DOUBLE, "a[i] = idx[i] * 0.5;", "0", ""),
    "float_from_double": (DOUBLE, "((float*)a)[i] = (float)b[i];", "0", ""),
    "mixed": (DOUBLE, "a[i] = b[i] * c[i] + d[i]; s += a[i];", "s", "double s = 0;"),
    "abs_difference": (DOUBLE, "a[i] = __builtin_fabs(b[i] - c[i]);", "0", ""),
    "lerp": (DOUBLE, "a[i] = b[i] + d[i] * (c[i] - b[i]);", "0", ""),
    "unroll4": (DOUBLE, "s += b[i] * 2; s += c[i] * 3; s += d[i] * 4; s += a[i];", "s", "double s = 0;"),
}

VARIANTS = {
    "gcc_O2": ("gcc", "-O2"),
    "gcc_O3_v3": ("gcc", "-O3 -march=x86-64-v3"),
    "gcc_O3_512": ("gcc", "-O3 -march=sapphirerapids -mprefer-vector-width=512 -ffast-math"),
    "clang_O2": ("clang", "-O2"),
    "clang_O3_v3": ("clang", "-O3 -march=x86-64-v3"),
    "clang_O3_256_fast": ("clang", "-O3 -march=sapphirerapids -ffast-math"),
    "clang_O3_512_fast": ("clang", "-O3 -march=sapphirerapids -mprefer-vector-width=512 -ffast-math"),
}


def source():
    """The C of all kernels. Pointers do not alias; a is written, b, c, d and idx are read."""
    text = []
    for name, (element, body, result, declared) in KERNELS.items():
        casts = "".join(
            f"  {element}* restrict {each} = ({element}*){each}_;\n" for each in "abcd" if f"{each}[" in body or f"){each})" in body
        )
        text.append(
            f"double k_{name}(double* a_, double* b_, double* c_, double* d_, int* restrict idx, long n) {{\n"
            f"{casts}  {declared}\n  for (long i = 0; i < n; ++i) {{ {body} }}\n  return (double)({result});\n}}\n"
        )
    return "\n".join(text)
