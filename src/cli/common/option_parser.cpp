#include "cli/common/option_parser.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "cli/common/nearest_names.hpp"
#include "cli/common/streams.hpp"

namespace ridge::cli {

struct OptionParser::Implementation {
  std::string command;
  std::string_view help;
  CLI::App app;
  std::vector<std::string> names{"--help", "-h"};

  CLI::Option* note(const std::string& of_option, CLI::Option* option) {
    for (std::size_t begin = 0; begin < of_option.size();) {
      const std::size_t end = std::min(of_option.find(',', begin), of_option.size());
      names.push_back(of_option.substr(begin, end - begin));
      begin = end + 1;
    }
    return option;
  }

  [[nodiscard]] tl::unexpected<Error> unexpected_word() const;
};

/// Of the words that nothing takes: the first that looks like an option, else the first.
tl::unexpected<Error> OptionParser::Implementation::unexpected_word() const {
  const std::vector<std::string> words = app.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
  });
  const std::string see = fmt::format("`ridge {} --help` lists the options.", command);
  if (option == words.end()) {
    return fail(
        ErrorCode::usage,
        fmt::format("{}: `{}` was not expected", command, words.empty() ? "" : words.front()), see);
  }
  const std::string name = option->substr(0, option->find('='));
  return fail(ErrorCode::usage, fmt::format("{}: there is no option {}", command, name),
              did_you_mean(name, names) + see);
}

OptionParser::OptionParser(std::string_view command, std::string_view help)
    : implementation_(std::make_unique<Implementation>()) {
  implementation_->command = command;
  implementation_->help = help;
  implementation_->app.set_help_flag();  // ours prints the text of docs/cli/
}

OptionParser::~OptionParser() = default;

void OptionParser::flag(const std::string& names, bool& target) {
  implementation_->note(names, implementation_->app.add_flag(names, target));
}

void OptionParser::flag(const std::string& names, bool& target, std::optional<std::string>& value) {
  const auto set = [&target, &value](const std::vector<std::string>& words) {
    const bool has_value = !words.empty() && !words[0].empty();
    target = !has_value;
    value = has_value ? std::optional(words[0]) : std::nullopt;
  };
  implementation_
      ->note(names, implementation_->app.add_option_function<std::vector<std::string>>(names, set))
      ->expected(0, 1);
}

void OptionParser::option(const std::string& names, std::optional<std::string>& target) {
  implementation_->note(names, implementation_->app.add_option(names, target));
}

void OptionParser::option(const std::string& names, std::optional<unsigned>& target) {
  implementation_->note(names, implementation_->app.add_option(names, target));
}

void OptionParser::option(const std::string& names, std::vector<unsigned>& target) {
  implementation_->note(names, implementation_->app.add_option(names, target))
      ->delimiter(',')
      ->allow_extra_args(false);
}

void OptionParser::option(const std::string& names, std::vector<std::string>& target) {
  implementation_->note(names, implementation_->app.add_option(names, target))
      ->delimiter(',')
      ->allow_extra_args(false);
}

void OptionParser::repeated(const std::string& names, std::vector<std::string>& target) {
  implementation_->note(names, implementation_->app.add_option(names, target))
      ->allow_extra_args(false);
}

void OptionParser::positional(const std::string& name, std::vector<std::string>& target) {
  implementation_->app.add_option(name, target);
}

Result<ParseOutcome> OptionParser::parse(const std::vector<std::string>& arguments) {
  const auto is_help = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (std::any_of(arguments.begin(), arguments.end(), is_help)) {
    return print(implementation_->help).map([] { return ParseOutcome::help_shown; });
  }
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    implementation_->app.parse(std::move(reversed));
  } catch (const CLI::ExtrasError&) {
    return implementation_->unexpected_word();
  } catch (const CLI::ParseError& error) {
    return fail(ErrorCode::usage, fmt::format("{}: {}", implementation_->command, error.what()),
                fmt::format("`ridge {} --help` lists the options.", implementation_->command));
  }
  return ParseOutcome::parsed;
}

}  // namespace ridge::cli
