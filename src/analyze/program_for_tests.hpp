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

/// Programs of Fortran are only there where flang is.
inline bool is_there(const std::string& source) {
  return !program(source).empty();
}

inline std::vector<LoopNest> nests(const std::string& source, const std::string& function = {}) {
  auto found = loop_nests(program(source), source, function);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : std::vector<LoopNest>();
}

/// Loops, "for i from n - 1 by -1: n", then accesses, "read a[i]".
inline std::vector<std::string> lines(const LoopNest& of) {
  std::vector<std::string> all;
  for (const LoopLevel& level : of.levels) {
    all.push_back("for " + level.counter + " from " + level.first.text() +
                  (level.step == 1 ? "" : " by " + std::to_string(level.step)) + ": " +
                  (level.trips ? level.trips->text() : "?") + (level.ends_early ? " at most" : "") +
                  (level.is_conditional ? " sometimes" : "") +
                  (level.is_work_shared ? " shared" : ""));
  }
  for (const ArrayAccess& access : of.accesses) {
    all.push_back(access.text() + (access.is_conditional ? " sometimes" : ""));
  }
  return all;
}

/// Of all nests of a function.
inline std::vector<std::string> lines(const std::string& source, const std::string& function) {
  std::vector<std::string> all;
  for (const LoopNest& each : nests(source, function)) {
    const auto more = lines(each);
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

/// The only nest of a function.
inline LoopNest nest(const std::string& source, const std::string& function) {
  const auto found = nests(source, function);
  EXPECT_EQ(found.size(), 1U) << function;
  return found.empty() ? LoopNest() : found.front();
}

}  // namespace ridge::analyze::testing_programs
