#include "core/value/polynomial.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace ridge {
namespace {

const Polynomial i = Polynomial::symbol("i");
const Polynomial j = Polynomial::symbol("j");
const Polynomial n = Polynomial::symbol("N");

TEST(Polynomial, ReadsAsPeopleWriteAddresses) {
  EXPECT_EQ((n * j + i - 1).text(), "N*j + i - 1");
  EXPECT_EQ(((n + 2) * (j - 1) + i).text(), "N*j - N + i + 2*j - 2");
  EXPECT_EQ((Polynomial(0) - i * i * 3).text(), "-3*i^2");
  EXPECT_EQ((i - i).text(), "0");
  EXPECT_TRUE((i - i).is_zero());
}

TEST(Polynomial, TakesPartsOut) {
  const Polynomial address = n * j * 8 + i * 8 - 16;
  EXPECT_EQ(address.coefficient("j"), n * 8);
  EXPECT_EQ(address.coefficient("i"), Polynomial(8));
  EXPECT_EQ(address.without("j"), i * 8 - 16);
  EXPECT_EQ(address.divided_by(8), n * j + i - 2);
  EXPECT_EQ(address.divided_by(16), std::nullopt);
  EXPECT_EQ(address.divided_by(0), std::nullopt);
  EXPECT_EQ((i * i + i).degree("i"), 2U);
  EXPECT_EQ(address.symbols(), (std::set<std::string>{"N", "i", "j"}));
}

TEST(Polynomial, PutsValuesAndPolynomialsIn) {
  const Polynomial address = n * j + i * i;
  EXPECT_EQ(address.with("i", j + 1), n * j + j * j + j * 2 + 1);
  EXPECT_EQ(address.evaluate({{"N", 100}, {"i", 3}, {"j", 2}}), 209);
  EXPECT_EQ(address.evaluate({{"N", 100}}), std::nullopt);
  EXPECT_EQ(address.with("N", 5).with("j", 2).with("i", -1).constant(), 11);
  EXPECT_EQ(address.constant(), std::nullopt);
  EXPECT_EQ(Polynomial().constant(), 0);
}

TEST(Polynomial, NumbersThatDoNotFitAreInvalidAndNeverWrong) {
  const Polynomial most(std::numeric_limits<std::int64_t>::max());
  EXPECT_FALSE((most + 1).is_valid());
  EXPECT_FALSE((most * i * 2).is_valid());
  EXPECT_FALSE((most * i * 2 - i).is_valid());
  EXPECT_EQ((most + 1).text(), "?");
  EXPECT_EQ((most + 1).constant(), std::nullopt);
  EXPECT_EQ((i * i).evaluate({{"i", std::int64_t{1} << 40U}}), std::nullopt);
  EXPECT_EQ(Polynomial(std::numeric_limits<std::int64_t>::min()).divided_by(-1), std::nullopt);
}

/// Values of random polynomials in random points: sums and products of values.
TEST(Polynomial, ComputesAsItsValuesDo) {
  std::mt19937 random(7);
  const auto number = [&](int most) {
    return static_cast<std::int64_t>(random() % (2U * static_cast<unsigned>(most) + 1)) - most;
  };
  const auto made = [&] {
    Polynomial sum;
    for (int term = 0; term < 4; ++term) {
      sum += Polynomial(number(9)) * (random() % 2 != 0 ? i : n) * (random() % 2 != 0 ? j : 1);
    }
    return sum;
  };
  for (int turn = 0; turn < 500; ++turn) {
    const Polynomial a = made();
    const Polynomial b = made();
    const Polynomial::Values at{{"i", number(50)}, {"j", number(50)}, {"N", number(50)}};
    const auto value = [&](const Polynomial& of) { return *of.evaluate(at); };
    EXPECT_EQ(value(a + b), value(a) + value(b));
    EXPECT_EQ(value(a - b), value(a) - value(b));
    EXPECT_EQ(value(a * b), value(a) * value(b));
    EXPECT_EQ(value(a.with("i", b)),
              *a.evaluate({{"i", value(b)}, {"j", at.at("j")}, {"N", at.at("N")}}));
  }
}

}  // namespace
}  // namespace ridge
