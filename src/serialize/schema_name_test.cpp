#include "serialize/schema_name.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::serialize {
namespace {

using testing::HasSubstr;

TEST(SchemaName, IsWhatTheRootSays) {
  EXPECT_EQ(schema_name(R"({"a": 1, "schema": "ridge.machine/1"})", "f").value(),
            "ridge.machine/1");
}

TEST(SchemaName, WhatIsNoneIsAnErrorWithFileAndLine) {
  for (const char* text :
       {"", "[]", "{}", R"({"schema": 1})", R"({"schema": ""})", R"({"schema")", "3", "\xff"}) {
    const auto name = schema_name(text, "some.json");
    ASSERT_FALSE(name) << text;
    EXPECT_EQ(name.error().code, ErrorCode::bad_input);
    EXPECT_THAT(name.error().message, HasSubstr("some.json"));
    EXPECT_FALSE(name.error().hint.empty());
  }
}

}  // namespace
}  // namespace ridge::serialize
