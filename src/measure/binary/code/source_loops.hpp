// Which loop of the source a loop of the machine code comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "machine_code/function.hpp"
#include "measure/binary/code/debug_info.hpp"

namespace ridge::measure::binary {

/// Texts are those of the debug information.
struct SourceLoop {
  std::uint32_t scope = 0;  ///< in which it is written
  std::string_view file;
  unsigned line = 0;  ///< 0: unknown
  std::vector<unsigned>
      lines;  ///< of its code, inner loops included, as `scope` has them; ascending
};

/// Like `function.loops`. `scopes`: nullptr where no function is described there.
[[nodiscard]] std::vector<SourceLoop> source_loops(const machine_code::Function& function,
                                                   const FunctionScopes* scopes,
                                                   const LineTable& lines);

/// Like `function.blocks`: the loop in whose source the block is, which need not be one that it
/// repeats in: of remainders and first iterations that were unrolled, the nearest one whose lines
/// it has. nullopt: the function's own.
[[nodiscard]] std::vector<std::optional<std::uint32_t>> loops_of_blocks(
    const machine_code::Function& function, const FunctionScopes* scopes, const LineTable& lines,
    const std::vector<SourceLoop>& loops);

/// Versions of one source loop among loops side by side (in the same loop and scope): a vector body
/// often shows lines of the loop's body only, where its remainder shows the loop's own. Each gets
/// the line of the loop whose lines its own is one of.
void join_versions(std::vector<SourceLoop*>& siblings);

}  // namespace ridge::measure::binary
