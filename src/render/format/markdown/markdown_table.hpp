// A table as GitHub shows it.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace ridge::render {

/// Rows of ready-made cells; the first row is the heading. Numbers stand at the right.
class MarkdownTable {
 public:
  /// `words`: columns from the left that hold words.
  MarkdownTable(const std::vector<std::string>& heading, std::size_t words) {
    add(heading);
    std::string rule = "|";
    for (std::size_t i = 0; i < heading.size(); ++i) {
      rule += i < words ? " --- |" : " ---: |";
    }
    text_ += rule + "\n";
  }
  void add(const std::vector<std::string>& cells) {
    text_ += "|";
    for (const std::string& cell : cells) {
      text_ += fmt::format(" {} |", cell);
    }
    text_ += "\n";
  }
  [[nodiscard]] std::string text() const { return text_ + "\n"; }

 private:
  std::string text_;
};

}  // namespace ridge::render
