#include "serialize/compile_commands.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::serialize {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(CompileCommands, ListsAndCommandLines) {
  const auto commands = parse_compile_commands(R"([
    {"directory": "/b", "file": "a.c", "arguments": ["cc", "-DX=a b", "a.c"], "output": "a.o"},
    {"directory": "/b", "file": "b.c", "command": "cc -I 'in clude' -c b.c"}])",
                                               "c.json");
  ASSERT_TRUE(commands) << commands.error().message;
  ASSERT_EQ(commands->size(), 2U);
  EXPECT_EQ(commands->at(0).directory, "/b");
  EXPECT_THAT(commands->at(0).arguments, ElementsAre("cc", "-DX=a b", "a.c"));
  EXPECT_THAT(commands->at(1).arguments, ElementsAre("cc", "-I", "in clude", "-c", "b.c"));
}

TEST(CompileCommands, WordsAsAShellSplitsThem) {
  EXPECT_THAT(words_of_command("  cc  a\tb\n"), ElementsAre("cc", "a", "b"));
  EXPECT_THAT(words_of_command(R"(-DS="\"x y\"" '' 'a\b')"),
              ElementsAre(R"(-DS="x y")", "", R"(a\b)"));
  EXPECT_THAT(words_of_command(R"(a\ b "c\d" \)"), ElementsAre("a b", R"(c\d)", R"(\)"));
  EXPECT_THAT(words_of_command(""), IsEmpty());
}

TEST(CompileCommands, WhatIsNoSuchListIsRefused) {
  for (const char* text :
       {"", "{}", "[1]", R"([{"file": "a.c"}])", R"([{"directory": "/", "file": ""}])",
        R"([{"directory": "/", "file": "a.c"}])",
        R"([{"directory": "/", "file": "a.c", "arguments": "cc"}])"}) {
    const auto commands = parse_compile_commands(text, "c.json");
    ASSERT_FALSE(commands) << text;
    EXPECT_THAT(commands.error().message, HasSubstr("c.json"));
    EXPECT_THAT(commands.error().hint, HasSubstr("CMAKE_EXPORT_COMPILE_COMMANDS"));
  }
}

}  // namespace
}  // namespace ridge::serialize
