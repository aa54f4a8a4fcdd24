#include "predict/onnx/wire_format.hpp"

#include <random>

#include <gtest/gtest.h>

#include "predict/onnx/models_for_tests.hpp"

namespace ridge::predict {
namespace {

TEST(WireFormat, DropsLargeDataAndKeepsSmallOnes) {
  ModelBuilder model;
  model.output(model.apply("MatMul", {model.input("x", {2, 3}), model.weight({3, 4})}));
  const std::string kept = model.integers({1, 2, 3});
  const std::string large = model.weight({100, 100});
  model.graph().mutable_initializer()->rbegin()->set_raw_data(std::string(40000, 'w'));
  const auto slim = without_weights(model.bytes(), "m");
  ASSERT_TRUE(slim);
  EXPECT_LT(slim->bytes.size(), 1000U);
  onnx::ModelProto parsed;
  ASSERT_TRUE(parsed.ParseFromString(slim->bytes));
  ASSERT_EQ(parsed.graph().initializer_size(), 3);
  EXPECT_EQ(parsed.graph().initializer(1).int64_data_size(), 3);
  EXPECT_EQ(parsed.graph().initializer(2).dims(0), 100);
  EXPECT_FALSE(parsed.graph().initializer(2).has_raw_data());
  EXPECT_EQ(parsed.graph().initializer(2).name(), large);
}

TEST(WireFormat, RandomBytesAreRefusedOrKept) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 20000; ++round) {
    std::string bytes(random() % 60, '\0');
    for (char& byte : bytes) {
      byte = static_cast<char>(random() % 3 == 0 ? random() : random() % 0x40);
    }
    const auto slim = without_weights(bytes, "m");
    if (slim) {
      EXPECT_LE(slim->bytes.size(), bytes.size() + 64);
    }
  }
}

}  // namespace
}  // namespace ridge::predict
