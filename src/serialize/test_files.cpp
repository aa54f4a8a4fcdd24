#include "serialize/test_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace ridge::serialize {

std::string read_fixture(std::string_view name) {
  const bool elsewhere = name.substr(0, 2) == "..";
  std::ifstream file((elsewhere ? "" : "testdata/") + std::string(name), std::ios::binary);
  EXPECT_TRUE(file.good()) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

std::string change(std::string_view from, std::string_view to) {
  return to.empty() ? fmt::format("without {}", from) : fmt::format("{} is {}", from, to);
}

std::size_t line_of(std::string_view text, std::string_view part) {
  const auto at = text.find(part);
  EXPECT_NE(at, std::string_view::npos) << part;
  const std::string_view before = text.substr(0, at);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

}  // namespace ridge::serialize
