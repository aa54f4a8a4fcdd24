#include "execute/entry.hpp"

#include <array>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::execute {
namespace {

template <class F>
void* address_of(F* function) {
  return reinterpret_cast<void*>(function);
}

std::vector<double> seen;

void keep_few(long a, double b, float c, int d) {
  seen = {static_cast<double>(a), b, c, static_cast<double>(d)};
}

// Integers and reals run out of registers at different places.
void keep_many(int a, float b, long c, double d, int e, float f, int g, double h, int i, double j,
               int k, double l, int m, float n, double o, float p, double q, long r, float s) {
  seen = {static_cast<double>(a),
          b,
          static_cast<double>(c),
          d,
          static_cast<double>(e),
          f,
          static_cast<double>(g),
          h,
          static_cast<double>(i),
          j,
          static_cast<double>(k),
          l,
          static_cast<double>(m),
          n,
          o,
          p,
          q,
          static_cast<double>(r),
          s};
}

void keep_reals(double a, float b, double c, float d, double e, float f, double g, float h,
                double i, float j) {
  seen = {a, b, c, d, e, f, g, h, i, j};
}

TEST(Words, ArgumentsInRegisters) {
  Words words;
  words.add_integer(static_cast<std::uint64_t>(-7));
  words.add_fp64(2.5);
  words.add_fp32(-0.125F);
  words.add_integer(9);
  words.call(address_of(keep_few));
  EXPECT_THAT(seen, testing::ElementsAre(-7.0, 2.5, -0.125, 9.0));
}

TEST(Words, ArgumentsInRegistersAndMemory) {
  Words words;
  words.add_integer(1);
  words.add_fp32(2.0F);
  words.add_integer(3);
  words.add_fp64(4.0);
  words.add_integer(5);
  words.add_fp32(6.0F);
  words.add_integer(7);
  words.add_fp64(8.0);
  words.add_integer(static_cast<std::uint64_t>(-9));
  words.add_fp64(10.0);
  words.add_integer(11);
  words.add_fp64(12.0);
  words.add_integer(static_cast<std::uint64_t>(-13));  // the seventh integer
  words.add_fp32(14.0F);
  words.add_fp64(15.0);
  words.add_fp32(-16.0F);  // the ninth real
  words.add_fp64(17.0);
  words.add_integer(static_cast<std::uint64_t>(-18));
  words.add_fp32(19.0F);
  EXPECT_FALSE(words.is_too_long());
  words.call(address_of(keep_many));
  EXPECT_THAT(seen, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, -9, 10, 11, 12, -13, 14, 15, -16,
                                         17, -18, 19));
}

TEST(Words, MoreRealsThanRegisters) {
  Words words;
  for (int i = 1; i <= 10; ++i) {
    if (i % 2 == 1) {
      words.add_fp64(i);
    } else {
      words.add_fp32(static_cast<float>(i));
    }
  }
  words.call(address_of(keep_reals));
  EXPECT_THAT(seen, testing::ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
}

TEST(Words, TooManyAreKnown) {
  Words words;
  for (int i = 0; i < 6 + 16; ++i) {
    words.add_integer(0);
  }
  EXPECT_FALSE(words.is_too_long());
  words.add_integer(0);
  EXPECT_TRUE(words.is_too_long());
}

}  // namespace
}  // namespace ridge::execute
