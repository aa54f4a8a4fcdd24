// How often loops and functions were entered, and how often loops turned: from executions of
// instructions, where these tell it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "machine_code/function.hpp"
#include "measure/binary/code/executions.hpp"

namespace ridge::measure::binary {

/// How often control went from one block to another; nullopt where the executions of blocks do not
/// tell. Blocks that call what does not come back make it an upper limit.
[[nodiscard]] std::optional<std::uint64_t> edge_executions(const ExecutedModule& executed,
                                                           const machine_code::Function& function,
                                                           std::uint32_t from, std::uint32_t to);

/// Control came from outside of the loop to its header.
[[nodiscard]] std::optional<std::uint64_t> loop_entries(const ExecutedModule& executed,
                                                        const machine_code::Function& function,
                                                        std::uint32_t loop);

/// Sum over the functions' first instructions. nullopt where one is also the header of a loop whose
/// turns are not known.
[[nodiscard]] std::optional<std::uint64_t> function_entries(
    const ExecutedModule& executed, std::span<const machine_code::Function> functions,
    std::span<const std::uint64_t> entries);

/// Executions of the header of a loop that tests at its end, so that each is one turn; nullopt for
/// others.
[[nodiscard]] std::optional<std::uint64_t> loop_turns(const ExecutedModule& executed,
                                                      const machine_code::Function& function,
                                                      std::uint32_t loop);

/// No other loop lies in it.
[[nodiscard]] bool is_innermost(const machine_code::Function& function, std::uint32_t loop);

}  // namespace ridge::measure::binary
