// Parses the command line down to the sub-command, prints errors, and holds the catch of what
// nobody expected.
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "abi/version.h"
#include "cli/common/command.hpp"
#include "cli/common/help_texts.hpp"
#include "cli/common/initial_affinity.hpp"
#include "cli/common/streams.hpp"

namespace ridge::cli {
namespace {

constexpr int kInternalError = 70;  // EX_SOFTWARE: a bug of ours, not in the contract's table

std::string overview() {
  std::string text = fmt::format("{}\nCommands:\n", embedded::ridge_help);
  for (const Command& command : commands()) {
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  return text + "\n`ridge COMMAND --help` explains one.\n";
}

Result<int> dispatch(const std::vector<std::string>& words) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    return print(overview()).map([] { return 0; });
  }
  if (words[0] == "--version") {
    return print(fmt::format("ridge {}\n", ridge_version_text)).map([] { return 0; });
  }
  const Command* command = find_command(words[0]);
  if (command == nullptr) {
    return fail(ErrorCode::usage, fmt::format("there is no command `{}`", words[0]),
                "`ridge --help` lists the commands.");
  }
  return command->run({words.begin() + 1, words.end()});
}

}  // namespace
}  // namespace ridge::cli

int main(int argc, char** argv) {
  ridge::cli::guard_standard_streams();
  ridge::cli::restore_initial_affinity();
  try {
    const auto code = ridge::cli::dispatch({argv + 1, argv + argc});
    return code ? *code : ridge::cli::say_error(code.error());
  } catch (const std::bad_alloc&) {
    std::fputs("ridge: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridge: internal error: %s\n       Please report it with this line.\n",
                 error.what());
  }
  return ridge::cli::kInternalError;
}
