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
/// (theoretical and sustained) and the ridge point of each kind of pipes. What is not known is "-".
[[nodiscard]] std::string specification_list(const std::vector<Specification>& machines,
                                             std::string_view precision, const TextStyle& style);

/// Every number with basis, origin and source; ridge points; notes; the sources spelt out.
[[nodiscard]] std::string specification_details(const Specification& machine,
                                                const TextStyle& style);

}  // namespace ridge::render
