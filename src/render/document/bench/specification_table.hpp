// The machine data base in a terminal: one line per machine, or one machine with all its sources.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/specification.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Key, name, theoretical vector and matrix peak of `precision`, bandwidth of the main memory
/// (theoretical and sustained), the ridge point of each kind of pipes, and a letter for each figure
/// that the machine lacks. What is not known is "-". The letters are explained below, with the
/// share of figures that nobody has looked up.
[[nodiscard]] std::string specification_list(const std::vector<Specification>& machines,
                                             std::string_view precision, const TextStyle& style);

/// Every number with basis, origin and source; machine balance; bytes in flight (Little's law) of
/// the levels whose latency is known; what is not known; notes; the sources spelt out.
[[nodiscard]] std::string specification_details(const Specification& machine,
                                                const TextStyle& style);

/// One figure that was computed, and how.
struct ArithmeticLine {
  std::string quantity;
  std::string arithmetic;
  double value = 0.0;
  std::string unit;  ///< "flop/s", "byte/s"
};

/// The arithmetic, then the details.
[[nodiscard]] std::string derived_specification(const Specification& machine,
                                                const std::vector<ArithmeticLine>& arithmetic,
                                                const TextStyle& style);

}  // namespace ridge::render
