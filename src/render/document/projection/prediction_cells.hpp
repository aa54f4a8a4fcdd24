// Cells and lines that predictions of one machine and of several have in common.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/value/resource_prediction.hpp"
#include "render/chart/style.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {

[[nodiscard]] std::string amount_unit(std::string_view unit);

/// "17.5 GFlop/s"
[[nodiscard]] std::string rate_of(std::optional<double> value, std::string_view unit);

/// "L1, L2": what may bind although no rate of it is known.
[[nodiscard]] std::string unbounded_words(const ResourcePrediction& prediction);

/// Text after a head, the following lines indented like it.
[[nodiscard]] std::string wrapped(std::string_view head, std::string_view text,
                                  const TextStyle& style);

template <class Cell>
TextColumn column(std::string title, int importance, bool left, std::size_t rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.importance = importance;
  result.left = left;
  for (std::size_t row = 0; row < rows; ++row) {
    result.cells.push_back(cell(row));
  }
  return result;
}

/// One line under a table with ranks: which resources they go without; empty when all machines
/// bound all that they use.
[[nodiscard]] std::string rank_line(const std::vector<ResourcePrediction>& machines,
                                    const TextStyle& style);

}  // namespace ridge::render
