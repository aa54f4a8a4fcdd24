#include "render/chart/balance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

ThreadWork worker(std::uint64_t flops, std::uint64_t samples) {
  const Seconds seconds(1e-3 * static_cast<double>(samples));
  return {0, flops, 0, 0, SampledTime{seconds, seconds, seconds, samples}};
}

Region of_two(const ThreadWork& first, const ThreadWork& second) {
  Region region;
  region.thread_work = {first, second};
  return region;
}

TEST(Balance, SaysWorkAndTime) {
  const Region region = of_two(worker(300, 500), worker(100, 300));
  EXPECT_THAT(balance_words(region, false),
              AllOf(HasSubstr("2 threads"), HasSubstr("1.50x the mean flops"),
                    HasSubstr("1.25x the mean CPU")));
  EXPECT_TRUE(is_uneven(region));
}

TEST(Balance, SaysWhatIsKnown) {
  Region region;
  EXPECT_EQ(balance_words(region), "");
  EXPECT_FALSE(is_uneven(region));
  region = of_two(worker(105, 0), worker(95, 0));
  EXPECT_THAT(balance_words(region),
              AllOf(HasSubstr("1.05\u00D7 the mean flops"), Not(HasSubstr("CPU"))));
  EXPECT_FALSE(is_uneven(region)) << "hardly";
}

}  // namespace

void balance_sentences(tests::Sentences& sentences) {
  sentences.add("balance of work and time",
                balance_words(of_two(worker(300, 500), worker(100, 300)), false));
  sentences.add("balance of work", balance_words(of_two(worker(105, 0), worker(95, 0))));
}

}  // namespace ridge::render
