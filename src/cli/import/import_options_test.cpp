#include "cli/import/import_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using ::testing::ElementsAre;

ImportOptions parsed(const std::vector<std::string>& arguments) {
  return parse_import_options(arguments).value().value();
}

ErrorCode refused(const std::vector<std::string>& arguments) {
  return parse_import_options(arguments).error().code;
}

TEST(ImportOptions, Words) {
  const ImportOptions options = parsed({"a.csv", "b.csv", "--from", "ncu", "-o", "x.json", "--into",
                                        "ridge-out", "--force", "--json"});
  EXPECT_THAT(options.files, ElementsAre("a.csv", "b.csv"));
  EXPECT_EQ(options.from, "ncu");
  EXPECT_EQ(options.output, "x.json");
  EXPECT_EQ(options.into, "ridge-out");
  EXPECT_TRUE(options.force && options.json && !options.list && !options.ascii);
}

TEST(ImportOptions, ListNeedsNoFile) {
  EXPECT_TRUE(parsed({"--from", "list"}).list);
}

TEST(ImportOptions, UsageErrors) {
  EXPECT_EQ(refused({}), ErrorCode::usage);
  EXPECT_EQ(refused({"--from", "ncu"}), ErrorCode::usage);
  EXPECT_EQ(refused({"a.csv", "-o", "x.svg"}), ErrorCode::usage);
  EXPECT_EQ(refused({"a.csv", "--into", "r", "--machine", "m.json"}), ErrorCode::usage);
}

}  // namespace
}  // namespace ridge::cli
