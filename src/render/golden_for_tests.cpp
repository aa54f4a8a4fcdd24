#include "render/golden_for_tests.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace ridge::render {
namespace {

std::size_t line_of_difference(const std::string& a, const std::string& b) {
  std::size_t line = 1;
  for (std::size_t i = 0; i < a.size() && i < b.size() && a[i] == b[i]; ++i) {
    line += a[i] == '\n' ? 1 : 0;
  }
  return line;
}

}  // namespace

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = "testdata/" + name;
  const char* update = std::getenv("RIDGE_UPDATE_GOLDEN");
  if (update != nullptr && std::string(update) == "1") {
    std::ofstream(path, std::ios::binary) << text;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing; write it with RIDGE_UPDATE_GOLDEN=1";
  std::ostringstream wanted;
  wanted << file.rdbuf();
  EXPECT_TRUE(wanted.str() == text)
      << path << " differs from line " << line_of_difference(wanted.str(), text)
      << " on; if that is wanted, run with RIDGE_UPDATE_GOLDEN=1 and look at the change";
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n') {
      lines.emplace_back();
    } else {
      lines.back() += c;
    }
  }
  return lines;
}

}  // namespace ridge::render
