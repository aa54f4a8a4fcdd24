#include "measure/binary/stacks/callers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/binary/profile/code_for_tests.hpp"
#include "measure/binary/profile/region_seconds.hpp"

namespace ridge::measure::binary {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// start -> main -> solve (with a loop) -> kernel (with a loop); thread_start -> work -> kernel
class CallersTest : public ::testing::Test {
 protected:
  void see(std::size_t times, const PlaceStack& stack) {
    stacks_.insert(stacks_.end(), times, stack);
  }
  [[nodiscard]] std::vector<std::vector<CallingRegion>> found() const {
    return callers(made_.code, region_stacks(made_.code, stacks_));
  }

  CodeForTests made_ = [] {
    CodeForTests made;
    made.file("/lib/libc.so.6");
    made.region("__libc_start_call_main", 1);
    made.region("start_thread", 1);
    made.file("/bin/program");
    return made;
  }();
  std::uint32_t start_ = 0;
  std::uint32_t thread_ = 1;
  std::uint32_t main_ = made_.region("main", 1);
  std::uint32_t solve_ = made_.region("solve", 1);
  std::uint32_t solve_loop_ = made_.region("solve, loop", 1, solve_);
  std::uint32_t kernel_ = made_.region("kernel", 1);
  std::uint32_t kernel_loop_ = made_.region("kernel, loop", 1, kernel_);
  std::uint32_t work_ = made_.region("work", 1);
  std::vector<PlaceStack> stacks_;
};

TEST_F(CallersTest, TheWayLeadsToMainAndNoFurther) {
  see(10, {kernel_loop_, solve_loop_, main_, start_});
  const std::vector<CallingRegion> way{{solve_loop_, 1.0}, {main_, 1.0}};
  EXPECT_EQ(found()[kernel_loop_], way);
  EXPECT_EQ(found()[kernel_], way) << "as the loop in it";
  EXPECT_THAT(found()[solve_], IsEmpty()) << "nobody was seen in it";
}

TEST_F(CallersTest, ThreadsBeginWhereTheirFunctionDoes) {
  see(10, {kernel_, work_, thread_});
  EXPECT_THAT(found()[kernel_], ElementsAre(CallingRegion{work_, 1.0}));
}

TEST_F(CallersTest, TheWayGoesAsFarAsHalfOfTheStacksAgree) {
  see(6, {kernel_, solve_, main_, start_});
  see(2, {kernel_, solve_loop_, main_, start_});
  see(2, {kernel_, work_, thread_});
  EXPECT_THAT(found()[kernel_], ElementsAre(CallingRegion{solve_, 0.8}, CallingRegion{main_, 0.8}));
  see(10, {kernel_, work_, thread_});
  EXPECT_THAT(found()[kernel_], ElementsAre(CallingRegion{work_, 0.6}));
  see(20, {kernel_, main_, start_});
  EXPECT_THAT(found()[kernel_], ElementsAre(CallingRegion{main_, 0.5}));
  see(4, {kernel_, solve_, main_, start_});
  EXPECT_THAT(found()[kernel_], IsEmpty());
}

TEST_F(CallersTest, RecursionIsOneCall) {
  see(10, {kernel_, solve_, solve_loop_, solve_, main_, start_});
  EXPECT_THAT(found()[kernel_], ElementsAre(CallingRegion{solve_, 1.0}, CallingRegion{main_, 1.0}));
}

TEST_F(CallersTest, FewStacksSayNothing) {
  see(7, {kernel_, main_, start_});
  EXPECT_THAT(found()[kernel_], IsEmpty());
  see(1, {kernel_, main_, start_});
  EXPECT_THAT(found()[kernel_], ElementsAre(CallingRegion{main_, 1.0}));
}

TEST_F(CallersTest, WhatIsInNoRegionIsLeftOut) {
  made_.code.region_of_place.push_back(kNoRegion);
  const auto nowhere = static_cast<std::uint32_t>(made_.code.region_of_place.size() - 1);
  see(10, {kernel_, nowhere, main_, start_});
  see(10, {nowhere, main_, start_});
  const auto stacks = region_stacks(made_.code, stacks_);
  EXPECT_THAT(stacks.front(), ElementsAre(kernel_, main_));
  EXPECT_THAT(stacks.back(), IsEmpty()) << "who was called is not known";
}

}  // namespace
}  // namespace ridge::measure::binary
