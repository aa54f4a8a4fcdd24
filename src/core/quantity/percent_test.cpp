#include "core/quantity/percent.hpp"

#include <gtest/gtest.h>

namespace ridge {
namespace {

TEST(PercentText, TwoDigitsAndNoExponent) {
  EXPECT_EQ(percent_text(0.0), "0 %");
  EXPECT_EQ(percent_text(0.000123), "0.012 %");
  EXPECT_EQ(percent_text(0.055), "5.5 %");
  EXPECT_EQ(percent_text(0.0996), "10 %");
  EXPECT_EQ(percent_text(0.1234), "12 %");
  EXPECT_EQ(percent_text(0.999), "100 %") << "was 1e+02 %";
  EXPECT_EQ(percent_text(12.5), "1250 %");
  EXPECT_EQ(percent_text(-0.5), "-50 %");
  EXPECT_EQ(percent_text(1e-8), "0.000001 %");
}

}  // namespace
}  // namespace ridge
