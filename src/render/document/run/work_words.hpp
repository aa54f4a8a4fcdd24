// Work and accesses of a region in words. Not clean: names come from the measured program.
#pragma once

#include <string>
#include <vector>

#include "core/value/profile.hpp"

namespace ridge::render {

/// Flops by kind and width, other operations, calls, chains; at least one line.
[[nodiscard]] std::vector<std::string> work_lines(const Region& region);

/// Bytes, patterns of their addresses, gathers, masks; at least one line.
[[nodiscard]] std::vector<std::string> access_lines(const Region& region);

/// "called from solve (solver.c:40; 97 % of the stacks seen), from main (main.c:12; 97 %)"; empty
/// when unknown.
[[nodiscard]] std::string caller_words(const Region& region);

/// Page faults and time in the kernel; empty when unknown.
[[nodiscard]] std::vector<std::string> page_words(const Region& region);

/// Use of fetched lines, reads by capacity, memory nodes, lines that several cores write; empty
/// when unknown.
[[nodiscard]] std::vector<std::string> line_words(const Region& region);

/// Of figures that cannot be added over ranks: " of rank 1", the one that was longest in the
/// region; empty where it ran on one rank, or in a program without ranks.
[[nodiscard]] std::string of_its_rank(const Region& region);

}  // namespace ridge::render
