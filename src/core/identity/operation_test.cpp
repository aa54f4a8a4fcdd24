#include "core/identity/operation.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(Operation, EveryTextParsesBackAndNoneStandsTwice) {
  std::set<std::string_view> texts;
  for (std::size_t i = 0; i < kOperationTable.size(); ++i) {
    const Operation operation = kOperationTable.at(i).first;
    EXPECT_EQ(static_cast<std::size_t>(operation), i) << "the table follows the enumerators";
    EXPECT_EQ(parse_operation(to_string(operation)), operation);
    EXPECT_TRUE(texts.insert(to_string(operation)).second) << to_string(operation);
  }
}

TEST(Operation, TextsAreThoseOfTheFiles) {
  EXPECT_EQ(to_string(Operation::add), "add");
  EXPECT_EQ(to_string(Operation::mul), "mul");
  EXPECT_EQ(to_string(Operation::fma), "fma");
  EXPECT_EQ(to_string(Operation::div), "div");
  EXPECT_EQ(to_string(Operation::sqrt), "sqrt");
  EXPECT_EQ(to_string(Operation::fma_add), "fma+add");
  EXPECT_EQ(to_string(Operation::mul_add), "mul+add");
  EXPECT_EQ(to_string(Operation::fma_chain), "fma-chain");
  EXPECT_EQ(to_string(Operation::add_chain), "add-chain");
  EXPECT_EQ(to_string(Operation::dot), "dot");
}

TEST(Operation, OtherTextIsNone) {
  for (const char* text : {"", "FMA", "fma_add", "fma+", "load"}) {
    EXPECT_FALSE(parse_operation(text)) << text;
  }
}

}  // namespace
}  // namespace ridge
