#include "cli/common/build_facts.hpp"

#include <fmt/format.h>

#include "abi/version.h"

namespace ridge::cli {
namespace {

constexpr std::size_t kColumns = 80;

/// Words of `text` in lines of at most kColumns, each behind an indentation of two.
std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t column = kColumns;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (word.empty()) {
      continue;
    }
    if (column + 1 + word.size() > kColumns) {
      out += out.empty() ? "  " : "\n  ";
      column = 2;
    } else {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

}  // namespace

std::string version_text(const BuildFacts& facts) {
  std::string text = fmt::format("ridge {}", ridge_version_text);
  if (!facts.commit.empty()) {
    text += fmt::format(" (commit {}{})", facts.commit, facts.modified ? ", modified" : "");
  }
  return text + fmt::format("\ninterface of instrumented programs: {}\nfile formats:\n{}\n",
                            static_cast<int>(RIDGE_ABI_VERSION), wrapped(facts.formats));
}

}  // namespace ridge::cli
