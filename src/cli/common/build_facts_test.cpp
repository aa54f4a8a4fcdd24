#include "cli/common/build_facts.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abi/version.h"

namespace ridge::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kStart = std::string("ridge ") + ridge_version_text;

TEST(VersionText, NamesVersionCommitInterfaceAndFormats) {
  const std::string text = version_text({"0123456789ab", false, "ridge.a/1 ridge.b/2"});
  EXPECT_THAT(text, StartsWith(kStart + " (commit 0123456789ab)\n"));
  EXPECT_THAT(text, HasSubstr(": " + std::to_string(RIDGE_ABI_VERSION) + "\n"));
  EXPECT_THAT(text, HasSubstr("\n  ridge.a/1 ridge.b/2\n"));
}

TEST(VersionText, SaysThatTheSourcesWereModified) {
  EXPECT_THAT(version_text({"0123456789ab", true, ""}), HasSubstr("0123456789ab, modified)"));
}

TEST(VersionText, WhatIsNotKnownIsNotNamed) {
  EXPECT_THAT(version_text({"", true, ""}), StartsWith(kStart + "\n"));
  EXPECT_THAT(version_text({"", true, ""}), Not(HasSubstr("commit")));
}

TEST(VersionText, KeepsEveryFormatInLinesOf80Columns) {
  std::string formats;
  for (int i = 100; i < 130; ++i) {
    formats += (formats.empty() ? "ridge.format/" : " ridge.format/") + std::to_string(i);
  }
  std::istringstream text(version_text({"c", false, formats}));
  std::size_t found = 0;
  for (std::string line; std::getline(text, line);) {
    EXPECT_LE(line.size(), 80U);
    for (auto at = line.find("ridge.format/"); at != std::string::npos;
         at = line.find("ridge.format/", at + 1)) {
      ++found;
    }
  }
  EXPECT_EQ(found, 30U);
}

}  // namespace
}  // namespace ridge::cli
