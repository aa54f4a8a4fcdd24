#include "measure/calls/library_work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

using Sizes = std::array<std::uint64_t, RIDGE_CALL_SIZES>;

constexpr std::uint64_t kRight = 2;  ///< the side of a product with a triangle or symmetric matrix

struct Operations {
  double multiplications = 0.0;
  double additions = 0.0;
  double elements = 0.0;  ///< of all operands
};

/// m, n and k of the routine; `side` is the order of the square operand of a routine with a side.
struct Shape {
  double m = 0.0;
  double n = 0.0;
  double k = 0.0;
};

double triangle(double n) {
  return n * (n + 1.0) / 2.0;
}

Operations gemm(Shape s) {
  return {s.m * s.n * s.k, s.m * s.n * s.k, s.m * s.k + s.k * s.n + s.m * s.n};
}
/// `k`: order of the square operand, m or n.
Operations symm(Shape s) {
  return {s.m * s.n * s.k, s.m * s.n * s.k, triangle(s.k) + 2.0 * s.m * s.n};
}
Operations trmm(Shape s) {
  return {s.m * s.n * (s.k + 1.0) / 2.0, s.m * s.n * (s.k - 1.0) / 2.0, triangle(s.k) + s.m * s.n};
}
/// m is n, n is k of the routine.
Operations syrk(Shape s) {
  return {s.n * triangle(s.m), s.n * triangle(s.m), s.m * s.n + triangle(s.m)};
}
Operations syr2k(Shape s) {
  return {s.n * s.m * s.m, s.n * s.m * s.m + s.m, 2.0 * s.m * s.n + triangle(s.m)};
}
Operations gemv(Shape s) {
  return {s.m * s.n, s.m * s.n, s.m * s.n + s.m + s.n};
}
Operations symv(Shape s) {
  return {s.m * s.m, s.m * s.m, triangle(s.m) + 2.0 * s.m};
}
Operations trmv(Shape s) {
  return {triangle(s.m), s.m * (s.m - 1.0) / 2.0, triangle(s.m) + s.m};
}
Operations syr(Shape s) {
  return {triangle(s.m), triangle(s.m), triangle(s.m) + s.m};
}
Operations syr2(Shape s) {
  return {2.0 * triangle(s.m), 2.0 * triangle(s.m), triangle(s.m) + 2.0 * s.m};
}
Operations axpy(Shape s) {
  return {s.m, s.m, 2.0 * s.m};
}
Operations scal(Shape s) {
  return {s.m, 0.0, s.m};
}
Operations asum(Shape s) {
  return {0.0, s.m, s.m};
}
Operations nrm2(Shape s) {
  return {s.m, s.m, s.m};
}
Operations rot(Shape s) {
  return {4.0 * s.m, 2.0 * s.m, 2.0 * s.m};
}
Operations copy(Shape s) {
  return {0.0, 0.0, 2.0 * s.m};
}
Operations getrf(Shape s) {
  const double m = std::max(s.m, s.n);
  const double n = std::min(s.m, s.n);
  return {0.5 * n * (n * (m - n / 3.0 - 1.0) + m) + 2.0 * n / 3.0,
          0.5 * n * (n * (m - n / 3.0) - m) + n / 6.0, s.m * s.n};
}
Operations potrf(Shape s) {
  return {s.m * ((s.m / 6.0 + 0.5) * s.m + 1.0 / 3.0), s.m * (s.m / 6.0 * s.m - 1.0 / 6.0),
          triangle(s.m)};
}
Operations geqrf(Shape s) {
  const auto [m, n, k] = s;
  if (m > n) {
    return {n * (n * (0.5 - n / 3.0 + m) + m + 23.0 / 6.0),
            n * (n * (0.5 - n / 3.0 + m) + 5.0 / 6.0), m * n};
  }
  return {m * (m * (-0.5 - m / 3.0 + n) + 2.0 * n + 23.0 / 6.0),
          m * (m * (-0.5 - m / 3.0 + n) + n + 5.0 / 6.0), m * n};
}

struct Routine {
  std::string_view name;  ///< without the letter of its type
  std::size_t sizes;      ///< how many
  bool has_side;
  Operations (*operations)(Shape);
};

constexpr std::array kRoutines{
    Routine{"gemm", 3, false, gemm},   Routine{"symm", 2, true, symm},
    Routine{"hemm", 2, true, symm},    Routine{"trmm", 2, true, trmm},
    Routine{"trsm", 2, true, trmm},    Routine{"syrk", 2, false, syrk},
    Routine{"herk", 2, false, syrk},   Routine{"syr2k", 2, false, syr2k},
    Routine{"her2k", 2, false, syr2k}, Routine{"gemv", 2, false, gemv},
    Routine{"symv", 1, false, symv},   Routine{"hemv", 1, false, symv},
    Routine{"trmv", 1, false, trmv},   Routine{"trsv", 1, false, trmv},
    Routine{"ger", 2, false, gemv},    Routine{"geru", 2, false, gemv},
    Routine{"gerc", 2, false, gemv},   Routine{"syr", 1, false, syr},
    Routine{"her", 1, false, syr},     Routine{"syr2", 1, false, syr2},
    Routine{"her2", 1, false, syr2},   Routine{"axpy", 1, false, axpy},
    Routine{"dot", 1, false, axpy},    Routine{"dotu", 1, false, axpy},
    Routine{"dotc", 1, false, axpy},   Routine{"scal", 1, false, scal},
    Routine{"asum", 1, false, asum},   Routine{"nrm2", 1, false, nrm2},
    Routine{"rot", 1, false, rot},     Routine{"copy", 1, false, copy},
    Routine{"swap", 1, false, copy},   Routine{"getrf", 2, false, getrf},
    Routine{"potrf", 1, false, potrf}, Routine{"geqrf", 2, false, geqrf}};

/// Routines on complex vectors whose arithmetic is that of twice as many real numbers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kOfParts{
    {{"scasum", "sasum"},
     {"dzasum", "dasum"},
     {"scnrm2", "snrm2"},
     {"dznrm2", "dnrm2"},
     {"csscal", "sscal"},
     {"zdscal", "dscal"}}};

std::string joined(const Sizes& sizes, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count && (i == 0 || sizes[i] > 0); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : " x ", sizes[i]);
  }
  return text;
}

LibraryWork transform(const Sizes& sizes) {
  const bool is_real = (sizes[3] & RIDGE_CALL_REAL) != 0;
  const std::uint64_t many = sizes[3] & ~RIDGE_CALL_REAL;
  if (sizes[0] == 0 || many == 0) {
    return {};  // a plan that nobody saw being made
  }
  LibraryWork work;
  work.sizes = joined(sizes, 3);
  work.sizes += many > 1 ? fmt::format(", {} at once", many) : std::string();
  work.sizes += is_real ? ", real" : "";
  double points = 1.0;
  for (std::size_t i = 0; i < 3 && sizes[i] > 0; ++i) {
    points *= static_cast<double>(sizes[i]);
  }
  work.flops = (is_real ? 2.5 : 5.0) * points * std::log2(points) * static_cast<double>(many);
  return work;
}

/// `type`: its letter.
LibraryWork work_of(const Routine& routine, char type, const Sizes& sizes) {
  Shape shape{static_cast<double>(sizes[0]), static_cast<double>(sizes[1]),
              static_cast<double>(sizes[2])};
  LibraryWork work{joined(sizes, routine.sizes), std::nullopt, std::nullopt};
  if (routine.has_side) {
    const bool is_right = sizes[2] == kRight;
    shape.k = is_right ? shape.n : shape.m;
    work.sizes += is_right ? ", right" : ", left";
  }
  const Operations done = routine.operations(shape);
  const bool is_complex = type == 'c' || type == 'z';
  const double number_bytes = type == 's' || type == 'c' ? 4.0 : 8.0;
  work.flops = is_complex ? 6.0 * done.multiplications + 2.0 * done.additions
                          : done.multiplications + done.additions;
  work.bytes = done.elements * number_bytes * (is_complex ? 2.0 : 1.0);
  return work;
}

}  // namespace

LibraryWork library_work(std::string_view name, const Sizes& sizes) {
  if (name == "fftw_execute" || name == "fftwf_execute") {
    return transform(sizes);
  }
  if (name == "fftw_plan" || name == "fftwf_plan") {
    return {transform(sizes).sizes, std::nullopt, std::nullopt};
  }
  if (const auto* parts = std::ranges::find(kOfParts, name, &decltype(kOfParts)::value_type::first);
      parts != kOfParts.end()) {
    LibraryWork work = library_work(parts->second, {2 * sizes[0], 0, 0, 0});
    work.sizes = joined(sizes, 1);
    return work;
  }
  const char type = name.empty() ? ' ' : name.front();
  const auto* routine =
      std::ranges::find(kRoutines, name.substr(name.empty() ? 0 : 1), &Routine::name);
  if (routine == kRoutines.end() || std::string_view("sdcz").find(type) == std::string_view::npos) {
    return {};
  }
  return work_of(*routine, type, sizes);
}

}  // namespace ridge::measure
