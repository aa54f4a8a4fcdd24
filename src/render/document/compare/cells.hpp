// What table, Markdown and picture of a comparison share: texts of figures and changes, which loops
// are worth a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/comparison.hpp"

namespace ridge::render {

/// "1.20 s", "12.3 GFlop/s", "0.456" (flop/byte), "4.5 M"; "-" for null.
[[nodiscard]] std::string figure_text(const RegionFigure* figure);

/// "-48 %", "3.1x", "=" (equal), "~-3 %" (within the spread), "(-3 %)" (one run each), "-3 %?"
/// (doubtful), "n/c" (not comparable), "?" (known on one side only); "-" for null.
[[nodiscard]] std::string change_text(const Change* change, bool unicode = true);

/// What the marks among these texts mean, for a footer: only those that occur.
[[nodiscard]] std::vector<std::string> mark_explanations(const std::vector<std::string>& texts);

/// "DRAM", "compute"; "-" when unknown.
[[nodiscard]] std::string limit_text(const Place& place);

/// Name and place, in at most `width` columns. Clean.
[[nodiscard]] std::string place_text(const Place& place, std::size_t width, bool unicode = true);

/// The same with the number that its label has where name and place do not tell it from others.
[[nodiscard]] std::string loop_text(const ComparedLoop& loop, const Place& place, std::size_t width,
                                    bool unicode = true);

/// Levels beyond L1 of any result, outwards.
[[nodiscard]] std::vector<Level> compared_levels(const Comparison& comparison);

/// Loops with at least 1 % of the program's time in a result, or of its work where no time is
/// known; at most `most`, longest first.
[[nodiscard]] std::vector<const ComparedLoop*> notable_loops(const Comparison& comparison,
                                                             std::size_t most);
std::vector<const ComparedLoop*> notable_loops(Comparison&&, std::size_t) = delete;

/// Whether any count of it changed in a step.
[[nodiscard]] bool counts_changed(const ComparedLoop& loop);

/// Steps from each result to the next: without the one from the first to the last.
[[nodiscard]] std::size_t steps_one_by_one(const Comparison& comparison);

}  // namespace ridge::render
