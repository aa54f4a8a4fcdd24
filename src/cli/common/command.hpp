// The table of sub-commands. One more command = one file with its function, one line in
// command.cpp, one text in docs/cli/.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

/// A sub-command takes the words behind its name and returns the exit code; an Error is printed by
/// main with its hint and gives the exit code of its ErrorCode (docs/contracts.md, section 5).
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for `ridge --help`
  Result<int> (*run)(const std::vector<std::string>& arguments);
};

[[nodiscard]] std::span<const Command> commands();

/// nullptr when there is none of this name.
[[nodiscard]] const Command* find_command(std::string_view name);

// One function per sub-command, each in NAME_command.cpp.
[[nodiscard]] Result<int> run_bench(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_chart(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_compare(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_import(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_machines(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_merge(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_model(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_predict(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_spmv(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_report(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_serve(const std::vector<std::string>& arguments);
[[nodiscard]] Result<int> run_run(const std::vector<std::string>& arguments);

}  // namespace ridge::cli
