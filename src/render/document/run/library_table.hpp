// Calls of numerical libraries, by function and sizes: how fast they were against the compute roof.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Calls of one function with the same sizes from wherever.
struct LibraryFunction {
  std::string name;  ///< "dgemm 4096 x 4096 x 256"
  std::uint64_t calls = 0;
  double seconds = 0.0;
  std::optional<double> flops_per_second;  ///< modelled work per second of the calls
  /// Of the fastest compute ceiling of its precision with the program's threads; nullopt: there is
  /// none, or no work.
  std::optional<double> of_roof;
  std::string callers;  ///< "solve (lu.c:12), main (lu.c:80)"
};

/// The most time first.
[[nodiscard]] std::vector<LibraryFunction> library_functions(const Profile& profile);

/// Empty where no calls were recorded.
[[nodiscard]] std::string library_table(const Profile& profile, const TextStyle& style);
[[nodiscard]] std::string library_markdown(const Profile& profile);

}  // namespace ridge::render
