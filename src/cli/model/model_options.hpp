// The command line of `ridge model`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/modelling/sizes.hpp"
#include "core/result.hpp"

namespace ridge::cli {

struct ModelOptions {
  std::string file;  ///< source, object or program
  std::optional<std::string> function;
  std::optional<unsigned> line;
  std::vector<Sizes> sizes;                        ///< at least one set
  std::map<std::string, std::string> index_files;  ///< by index array
  std::optional<std::string> commands;             ///< compile_commands.json, whose flags are taken
  std::optional<std::string> machine;              ///< machine file; absent: this machine
  std::optional<std::string> cpu;      ///< as LLVM names it; absent: that of the flags, or ours
  std::optional<std::string> traffic;  ///< "conditions", "simulation" or "both"
  unsigned cores = 1;                  ///< that run the loop at once
  std::vector<std::string> flags;      ///< for the compiler
  bool run = false;                    ///< the loops too, to hold the models against it
  std::optional<std::string> output;
  bool force = false;
  bool json = false;
  bool ascii = false;
};

/// nullopt when `--help` was asked for and printed. Error: usage.
[[nodiscard]] Result<std::optional<ModelOptions>> parse_model_options(
    const std::vector<std::string>& arguments);

}  // namespace ridge::cli
