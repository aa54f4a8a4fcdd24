#include "serialize/loop_model.hpp"

#include <gtest/gtest.h>

#include "serialize/random_values.hpp"

namespace ridge::serialize {
namespace {

TEST(LoopModel, EveryRandomOneIsReadAsItWasWritten) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) {
    const LoopModels models = random_loop_models(random);
    const auto again = parse_loop_models(write_loop_models(models), "m.json");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*again, models);
  }
}

TEST(LoopModel, ANestWithoutLoopsIsRefused) {
  std::mt19937_64 random(8);
  LoopModels models = random_loop_models(random);
  models.models = {LoopModel()};
  const auto refused = parse_loop_models(write_loop_models(models), "m.json");
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("models[0].loops is empty"), std::string::npos)
      << refused.error().message;
}

}  // namespace
}  // namespace ridge::serialize
