// Programs that tests read, compiled as `ridge model` has them compiled.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "analyze/loop_nests.hpp"

namespace ridge::analyze::testing_programs {

/// Of a file that the build made.
inline std::string file_bytes(const std::string& name) {
  std::ifstream file(std::string(RIDGE_TEST_PROGRAMS) + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline std::string program(const std::string& source) {
  return file_bytes(source + ".bc");
}

inline std::vector<LoopNest> nests(const std::string& source, const std::string& function = {}) {
  auto found = loop_nests(program(source), source, function);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<LoopNest>();
}

/// The only nest of a function.
inline LoopNest nest(const std::string& source, const std::string& function) {
  const auto found = nests(source, function);
  EXPECT_EQ(found.size(), 1U) << function;
  return found.empty() ? LoopNest() : found.front();
}

}  // namespace ridge::analyze::testing_programs
