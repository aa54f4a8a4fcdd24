// Parses the command line down to the sub-command, prints errors, and holds the only catch of all.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/core.h>

#include "abi/version.h"
#include "cli/command.hpp"
#include "cli/help_texts.hpp"
#include "cli/initial_affinity.hpp"

namespace ridge::cli {
namespace {

constexpr int kInternalError = 70;  // EX_SOFTWARE: a bug of ours, not in the contract's table

int print_overview() {
  fmt::print("{}\nCommands:\n", embedded::ridge_help);
  for (const Command& command : commands()) {
    fmt::print("  {:<10} {}\n", command.name, command.summary);
  }
  fmt::print("\n`ridge COMMAND --help` explains one.\n");
  return 0;
}

int report(const Error& error) {
  fmt::print(stderr, "ridge: {}\n", error.message);
  if (!error.hint.empty()) {
    fmt::print(stderr, "       {}\n", error.hint);
  }
  return error.exit_code();
}

int dispatch(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    return print_overview();
  }
  if (words[0] == "--version") {
    fmt::print("ridge {}\n", ridge_version_text);
    return 0;
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) {
    return report({ErrorCode::usage, fmt::format("there is no command `{}`", words[0]),
                   "`ridge --help` lists the commands."});
  }
  const Result<int> code = command->run({words.begin() + 1, words.end()});
  return code ? *code : report(code.error());
}

}  // namespace
}  // namespace ridge::cli

int main(int argc, char** argv) {
  ridge::cli::restore_initial_affinity();
  try {
    return ridge::cli::dispatch({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    std::fputs("ridge: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridge: internal error: %s\n       Please report it with this line.\n",
                 error.what());
  }
  return ridge::cli::kInternalError;
}
