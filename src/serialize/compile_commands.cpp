#include "serialize/compile_commands.hpp"

#include <utility>

#include "serialize/json_document.hpp"
#include "serialize/json_reader.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kHint =
    "CMake writes such a file with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, Meson always";

CompileCommand command_from(const Reader& entry) {
  CompileCommand command{entry.at("directory").text(), entry.at("file").non_empty_text(), {}};
  const Reader arguments = entry.find("arguments");
  if (arguments.absent()) {
    command.arguments = words_of_command(entry.at("command").text());
  } else {
    command.arguments = list_from(arguments, &Reader::text);
  }
  return command;
}

}  // namespace

Result<std::vector<CompileCommand>> parse_compile_commands(std::string_view text,
                                                           std::string_view file_name) {
  const auto document = parse_document(text, file_name, JsonNull::kept);
  if (!document) {
    Error error = document.error();
    error.hint = error.hint.empty() ? std::string(kHint) : error.hint;
    return tl::make_unexpected(std::move(error));
  }
  Diagnostics diagnostics{std::string(file_name), std::string(kHint), {}};
  auto commands = list_from(Reader(*document, diagnostics, 0), &command_from);
  if (diagnostics.first) {
    return tl::make_unexpected(*diagnostics.first);
  }
  return commands;
}

std::vector<std::string> words_of_command(std::string_view command) {
  std::vector<std::string> words;
  bool is_in_word = false;
  char quote = '\0';
  const auto put = [&](char letter) {
    if (!std::exchange(is_in_word, true)) {
      words.emplace_back();
    }
    words.back() += letter;
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char letter = command[i];
    const bool has_next = i + 1 < command.size();
    if (quote == '\0' && (letter == ' ' || letter == '\t' || letter == '\n')) {
      is_in_word = false;
    } else if (letter == quote) {
      quote = '\0';
    } else if (quote == '\0' && (letter == '"' || letter == '\'')) {
      quote = letter;
      if (!std::exchange(is_in_word, true)) {
        words.emplace_back();  // "" is a word
      }
    } else if (letter == '\\' && quote != '\'' && has_next &&
               (quote == '\0' || command[i + 1] == '"' || command[i + 1] == '\\')) {
      put(command[++i]);
    } else {
      put(letter);
    }
  }
  return words;
}

}  // namespace ridge::serialize
