// How compiled loops flow through one core, when all data are in L1.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/loop_model.hpp"
#include "core/value/loop_nest.hpp"

namespace ridge::analyze {

/// One innermost loop of machine code.
struct InCoreLoop {
  std::string function;         ///< symbol; empty: none (a stripped file)
  std::string source_function;  ///< its name in the source; the symbol without debug information
  std::string file;             ///< of most of its instructions; empty: unknown
  std::vector<unsigned> lines;  ///< of the file, that instructions come from, ascending
  std::uint64_t flops_per_pass = 0;
  std::uint64_t bytes_loaded_per_pass = 0;
  std::uint64_t bytes_stored_per_pass = 0;
  InCoreModel model;  ///< iterations_per_pass is 1: machine code does not tell
};

/// Every innermost loop of the file's functions, in their order. `object`: a relocatable or linked
/// ELF file; `name` for messages. `function`: symbol or name in the source; empty: all. `cpu`:
/// LLVM's name; empty: that of the CPU which this process runs on. Errors: `bad_input` for what is
/// no such file, for a function that it does not have (the hint names those that it has), and for
/// a CPU that LLVM does not know; `unavailable` for a CPU without a model.
[[nodiscard]] Result<std::vector<InCoreLoop>> in_core_loops(std::string_view object,
                                                            const std::string& name,
                                                            const std::string& function = {},
                                                            const std::string& cpu = {});

/// Of the loops, the one that does the innermost loop's work: by lines, then by most work a pass,
/// so the vector body and not its remainder. iterations_per_pass is the ratio of flops; of bytes
/// stored, then loaded, where there are none. nullopt: no loop comes from these lines.
[[nodiscard]] std::optional<InCoreModel> in_core_of(const LoopNest& nest,
                                                    std::span<const InCoreLoop> loops);

}  // namespace ridge::analyze
