#include "measure/binary/code/function_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace ridge::measure::binary {
namespace {

constexpr std::array<std::string_view, 5> kOutlined{"._omp_", ".omp_outlined", ".extracted",
                                                    ".DIR.OMP", ".omp_task"};

/// Of ICC: L_f_12__par_region0_2_4, with the line and what it was made from.
std::string_view of_icc(std::string_view symbol) {
  const auto tail = symbol.find("__par_");
  if (!symbol.starts_with("L_") || tail == std::string_view::npos || tail <= 2) {
    return {};
  }
  const std::string_view name_and_line = symbol.substr(2, tail - 2);
  const auto line = name_and_line.rfind('_');
  const bool has_line = line != std::string_view::npos && line != 0 &&
                        std::ranges::all_of(name_and_line.substr(line + 1),
                                            [](unsigned char c) { return std::isdigit(c) != 0; });
  return has_line ? name_and_line.substr(0, line) : std::string_view{};
}

}  // namespace

FunctionPart function_part(std::string_view symbol) {
  if (const auto name = of_icc(symbol); !name.empty()) {
    return {name, true, true};
  }
  FunctionPart part{symbol, false, true};
  for (const std::string_view mark : kOutlined) {
    part.outlined = part.outlined || symbol.find(mark) != std::string_view::npos;
  }
  part.entered = symbol.find(".cold") == std::string_view::npos;
  // A dot begins what compilers add, but not as the first character (".omp_outlined.").
  part.function = symbol.substr(0, symbol.find('.', 1));
  return part;
}

}  // namespace ridge::measure::binary
