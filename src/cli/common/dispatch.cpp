#include "cli/common/dispatch.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/common/command.hpp"
#include "cli/common/help_texts.hpp"
#include "cli/common/nearest_names.hpp"
#include "cli/common/streams.hpp"

namespace ridge::cli {
namespace {

std::string overview() {
  std::string text = fmt::format("{}\nCommands:\n", embedded::ridge_help);
  for (const Command& command : commands()) {
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  return text + "\n`ridge help COMMAND` explains one, `ridge help ridge-cc` the compilers.\n";
}

tl::unexpected<Error> no_command(const std::string& word) {
  std::vector<std::string> names;
  const bool is_option = word.starts_with('-');
  if (is_option) {
    names = {"--help", "--version"};
  } else {
    std::transform(commands().begin(), commands().end(), std::back_inserter(names),
                   [](const Command& command) { return std::string(command.name); });
  }
  return fail(ErrorCode::usage,
              fmt::format("there is no {} `{}`", is_option ? "option" : "command", word),
              did_you_mean(word, names) + "`ridge --help` lists the commands.");
}

Result<int> shown(std::string_view text) {
  return print(text).map([] { return 0; });
}

Result<int> help_of(const std::string& name) {
  if (name == "ridge-cc" || name == "ridge-c++") {
    return shown(embedded::ridge_cc_help);
  }
  const Command* command = find_command(name);
  return command == nullptr ? Result<int>(no_command(name)) : command->run({"--help"});
}

}  // namespace

Result<int> dispatch(const std::vector<std::string>& words, std::string_view version) {
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    return words.size() > 1 && words[0] == "help" ? help_of(words[1]) : shown(overview());
  }
  if (words[0] == "--version" || words[0] == "-v" || words[0] == "version") {
    return shown(version);
  }
  const Command* command = find_command(words[0]);
  return command == nullptr ? Result<int>(no_command(words[0]))
                            : command->run({words.begin() + 1, words.end()});
}

}  // namespace ridge::cli
