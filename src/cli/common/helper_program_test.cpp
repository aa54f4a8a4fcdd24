#include "cli/common/helper_program.hpp"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(HelperProgram, StandsBesideThisOne) {
  const std::string path = helper_program_path("ridge-model");
  EXPECT_TRUE(path.ends_with("/lib/ridge/ridge-model")) << path;
  EXPECT_TRUE(path.starts_with("/"));
}

TEST(HelperProgram, ItsMessageAndHintAreOurs) {
  const Error error = error_of_helper("a.c does not compile\na.c:1: error: x\n  ^\n", 3, "it", "i");
  EXPECT_EQ(error.code, ErrorCode::bad_input);
  EXPECT_EQ(error.message, "a.c does not compile");
  EXPECT_EQ(error.hint, "a.c:1: error: x\n  ^");
}

TEST(HelperProgram, WhatEndsWithAnotherCodeHasNotStarted) {
  for (const int code : {1, 6, 127}) {
    const Error error = error_of_helper("libX.so: cannot open", code, "ridge-model", "install it");
    EXPECT_EQ(error.code, ErrorCode::unavailable) << code;
    EXPECT_EQ(error.message, "ridge-model does not start: libX.so: cannot open");
    EXPECT_EQ(error.hint, "install it");
  }
}

}  // namespace
}  // namespace ridge::cli
