#include "spmv/generate/generate.hpp"

#include <array>
#include <charconv>
#include <limits>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "platform/quota.hpp"
#include "spmv/generate/generators.hpp"

namespace ridge::spmv {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::int32_t>::max();

/// The numbers of a spec; each at most 2^31 - 1.
using Numbers = std::span<const std::uint64_t>;

/// Products that stay at the largest number instead of beginning anew at 0.
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? ~std::uint64_t{0} : product;
}

std::uint64_t power(std::uint64_t base, int exponent) {
  return exponent == 0 ? 1 : times(base, power(base, exponent - 1));
}

/// What a matrix will need, known before it is made.
struct Size {
  std::uint64_t rows;
  std::uint64_t entries;  ///< at most; for kkt what is expected and a fifth
  std::uint64_t extra_bytes_per_entry = 0;
  std::uint64_t extra_bytes_per_row = 0;
};

struct Generator {
  std::string_view name;
  std::string_view form;
  std::string_view example;
  std::string_view what;
  std::size_t least_numbers;
  std::size_t most_numbers;
  std::uint64_t least_first;
  Size (*size)(Numbers);
  GeneratedMatrix (*make)(Numbers, std::uint64_t seed);
};

std::int32_t at(Numbers numbers, std::size_t i) {
  return static_cast<std::int32_t>(numbers[i]);
}

std::uint64_t block_of(Numbers numbers) {
  return numbers.size() > 1 ? numbers[1] : 3;
}

/// Entries of a line of n nodes, each with its neighbours: the factor of each direction of a box
/// in which all neighbours count.
std::uint64_t line(std::uint64_t n) {
  return times(3, n) - 2;
}

constexpr std::array kGenerators = {
    Generator{"poisson2d", "poisson2d:N", "poisson2d:2200", "N x N grid, 5-point stencil", 1, 1, 1,
              [](Numbers n) {
                const std::uint64_t rows = power(n[0], 2);
                return Size{rows, times(5, rows) - (rows > kMost ? 0 : 4 * n[0])};
              },
              [](Numbers n, std::uint64_t seed) { return poisson2d(at(n, 0), seed); }},
    Generator{"poisson3d", "poisson3d:N", "poisson3d:150", "N x N x N grid, 7-point stencil", 1, 1,
              1,
              [](Numbers n) {
                const std::uint64_t rows = power(n[0], 3);
                return Size{rows, times(7, rows) - (rows > kMost ? 0 : 6 * n[0] * n[0])};
              },
              [](Numbers n, std::uint64_t seed) { return poisson3d(at(n, 0), seed); }},
    Generator{"hpcg", "hpcg:N", "hpcg:104", "N x N x N grid, 27-point stencil, as HPCG's", 1, 1, 1,
              [](Numbers n) { return Size{power(n[0], 3), power(line(n[0]), 3)}; },
              [](Numbers n, std::uint64_t seed) { return stencil27(at(n, 0), 1, seed); }},
    Generator{
        "band", "band:ROWS,HALFWIDTH,PER_ROW", "band:1500000,5000,16",
        "diagonal and random entries within HALFWIDTH of it, PER_ROW in all", 3, 3, 1,
        [](Numbers n) { return Size{n[0], times(n[0], n[2])}; },
        [](Numbers n, std::uint64_t seed) { return band(at(n, 0), at(n, 1), at(n, 2), seed); }},
    Generator{"uniform", "uniform:ROWS,PER_ROW", "uniform:3400000,7",
              "PER_ROW random entries anywhere in each row", 2, 2, 1,
              [](Numbers n) { return Size{n[0], times(n[0], n[1])}; },
              [](Numbers n, std::uint64_t seed) { return uniform(at(n, 0), at(n, 1), seed); }},
    Generator{"rmat", "rmat:SCALE,EDGES_PER_VERTEX", "rmat:20,16",
              "graph of 2^SCALE vertices with few hubs and many leaves, as Graph500's", 2, 2, 0,
              [](Numbers n) {
                const std::uint64_t rows = n[0] > 30 ? kMost + 1 : std::uint64_t{1} << n[0];
                return Size{rows, times(rows, n[1]), 16, 12};
              },
              [](Numbers n, std::uint64_t seed) { return rmat(at(n, 0), at(n, 1), seed); }},
    Generator{"fem", "fem:NODES_PER_SIDE[,BLOCK]", "fem:56,3",
              "27-point mesh of dense blocks, BLOCK x BLOCK (3)", 1, 2, 1,
              [](Numbers n) {
                const std::uint64_t b = block_of(n);
                return Size{times(power(n[0], 3), b), times(power(line(n[0]), 3), times(b, b))};
              },
              [](Numbers n, std::uint64_t seed) {
                return stencil27(at(n, 0), static_cast<std::int32_t>(block_of(n)), seed);
              }},
    Generator{"mesh", "mesh:ROWS", "mesh:3400000",
              "3-D mesh whose nodes were numbered in little order", 1, 1, 1,
              [](Numbers n) { return Size{n[0], times(7, n[0]), 0, 8}; },
              [](Numbers n, std::uint64_t seed) { return unordered_mesh(at(n, 0), seed); }},
    Generator{"kkt", "kkt:ROWS", "kkt:2063494",
              "optimality system [H A'; A 0] with local and far couplings", 1, 1, 1,
              [](Numbers n) { return Size{n[0], times(9, n[0]), 16, 12}; },
              [](Numbers n, std::uint64_t seed) { return kkt(at(n, 0), seed); }},
    Generator{"anderson", "anderson:N", "anderson:100",
              "electron in N x N x N random potentials, periodic: 7-point", 1, 1, 3,
              [](Numbers n) { return Size{power(n[0], 3), times(7, power(n[0], 3))}; },
              [](Numbers n, std::uint64_t seed) { return anderson(at(n, 0), seed); }},
};

std::string names() {
  std::string list;
  for (const Generator& generator : kGenerators) {
    list += (list.empty() ? "" : ", ") + std::string(generator.name);
  }
  return list;
}

/// What came from the command line, fit for a message.
std::string shown(std::string_view spec) {
  constexpr std::size_t kLongest = 60;
  std::string text;
  for (const char c : spec.substr(0, kLongest)) {
    text += c >= 0x20 && c < 0x7f ? c : '?';
  }
  return spec.size() > kLongest ? text + "..." : text;
}

tl::unexpected<Error> refuse(const Generator& generator, std::string_view spec,
                             const std::string& reason) {
  return fail(ErrorCode::usage, fmt::format("matrix '{}': {}", shown(spec), reason),
              fmt::format("Expected {}, for instance {}: {}.", generator.form, generator.example,
                          generator.what));
}

Result<std::vector<std::uint64_t>> parse_numbers(const Generator& generator, std::string_view spec,
                                                 std::string_view text) {
  std::vector<std::uint64_t> numbers;
  while (true) {
    const std::string_view word = text.substr(0, text.find(','));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error == std::errc::invalid_argument || end != word.data() + word.size()) {
      return refuse(generator, spec, fmt::format("'{}' is no whole number", shown(word)));
    }
    if (error == std::errc::result_out_of_range || number > kMost) {
      return refuse(generator, spec, fmt::format("{} is more than 2^31 - 1", shown(word)));
    }
    numbers.push_back(number);
    if (numbers.size() > generator.most_numbers) {
      return refuse(generator, spec, fmt::format("more than {} numbers", generator.most_numbers));
    }
    if (word.size() == text.size()) {
      return numbers;
    }
    text.remove_prefix(word.size() + 1);
  }
}

Result<void> check_numbers(const Generator& generator, std::string_view spec, Numbers numbers) {
  if (numbers.size() < generator.least_numbers) {
    return refuse(generator, spec,
                  fmt::format("{} numbers, not {}", generator.least_numbers, numbers.size()));
  }
  if (numbers[0] < generator.least_first) {
    return refuse(generator, spec,
                  fmt::format("the first number is at least {}", generator.least_first));
  }
  // A half-width may be 0, all other sizes are at least 1.
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] == 0 && !(generator.name == "band" && i == 1)) {
      return refuse(generator, spec, "an empty matrix");
    }
  }
  if (generator.name == "uniform" && numbers[1] > numbers[0]) {
    return refuse(generator, spec, fmt::format("a row has no more than {} columns", numbers[0]));
  }
  return {};
}

Result<void> check_size(const Generator& generator, std::string_view spec, const Size& size,
                        std::uint64_t available_bytes) {
  if (size.rows > kMost || size.entries > kMost) {
    return refuse(generator, spec,
                  "more rows or entries than 2^31 - 1, which is what indices of 32 bit count");
  }
  const std::uint64_t bytes =
      size.entries * (12 + size.extra_bytes_per_entry) + size.rows * (8 + size.extra_bytes_per_row);
  if (available_bytes != 0 && bytes > available_bytes) {
    return fail(
        ErrorCode::unavailable,
        fmt::format("matrix '{}' needs {:.3g} GB of memory, {:.3g} GB are available", shown(spec),
                    1e-9 * static_cast<double>(bytes), 1e-9 * static_cast<double>(available_bytes)),
        fmt::format("Ask for a smaller one: {}.", generator.form));
  }
  return {};
}

const Generator* find_generator(std::string_view name) {
  for (const Generator& generator : kGenerators) {
    if (generator.name == name) {
      return &generator;
    }
  }
  return nullptr;
}

}  // namespace

Result<CsrMatrix<double, std::int32_t>> generate(std::string_view spec, std::uint64_t seed,
                                                 std::optional<std::uint64_t> available_bytes) {
  const std::size_t colon = spec.find(':');
  const Generator* generator = find_generator(spec.substr(0, colon));
  if (generator == nullptr) {
    return fail(ErrorCode::usage,
                fmt::format("matrix '{}': there is no class '{}'", shown(spec),
                            shown(spec.substr(0, colon))),
                fmt::format("Expected CLASS:SIZES, for instance {}; classes: {}.",
                            kGenerators[1].example, names()));
  }
  if (colon == std::string_view::npos) {
    return refuse(*generator, spec, "its size is missing");
  }
  const auto numbers = parse_numbers(*generator, spec, spec.substr(colon + 1));
  if (!numbers) {
    return tl::make_unexpected(numbers.error());
  }
  if (auto checked = check_numbers(*generator, spec, *numbers); !checked) {
    return tl::make_unexpected(checked.error());
  }
  const std::uint64_t available =
      available_bytes ? *available_bytes : platform::available_memory_bytes();
  if (auto checked = check_size(*generator, spec, generator->size(*numbers), available); !checked) {
    return tl::make_unexpected(checked.error());
  }
  return generator->make(*numbers, seed);
}

std::string describe_generators() {
  std::string text;
  for (const Generator& generator : kGenerators) {
    text += fmt::format("{:<28} {} ({})\n", generator.form, generator.what, generator.example);
  }
  return text;
}

}  // namespace ridge::spmv
