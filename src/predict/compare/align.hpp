// Two lists in order, put side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

namespace ridge::predict {

struct Alignment {
  /// Pairs that stand in every best alignment; ascending in both.
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  /// Items that some best alignments pair otherwise than others: not decided.
  std::vector<std::size_t> undecided_a;
  std::vector<std::size_t> undecided_b;
};

/// The alignment that keeps the order and has the largest sum of `score(i, j)` (0 or less: never
/// paired) over its pairs. Takes a * b steps and memory; beyond kMostCells lists of one length are
/// paired in order and others not at all. Swapping the lists swaps the answer.
[[nodiscard]] Alignment align(std::size_t a, std::size_t b,
                              const std::function<int(std::size_t, std::size_t)>& score);
inline constexpr std::size_t kMostCells = 4'000'000;

}  // namespace ridge::predict
