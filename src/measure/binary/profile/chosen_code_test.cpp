#include "measure/binary/profile/chosen_code.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/binary/profile/code_for_tests.hpp"

namespace ridge::measure::binary {
namespace {

using ::testing::HasSubstr;

/// A library that takes other kernels under the engine than alone, and a program that calls it.
class ChosenCodeTest : public ::testing::Test {
 protected:
  void SetUp() override {
    made_.was_in(skylake_, 100);
    made_.was_in(skylake_loop_, 400);
    made_.was_in(main_, 50);
    timed_.assign(50, {skylake_loop_, driver_, dgemm_, main_});
    counted_.assign(50, {haswell_loop_, driver_, dgemm_, main_});
  }

  void join() { join_chosen_code(made_.code, made_.samples, timed_, counted_); }
  [[nodiscard]] bool is_joined() const { return made_.code.modules.size() > 2; }
  [[nodiscard]] const CodeModule& joined() const { return made_.code.modules.back(); }
  [[nodiscard]] const ModuleWork& work_of_region(std::uint32_t number) const {
    const CodeModule& module = module_of(made_.code, number);
    return module.work[number - module.first_region];
  }

  CodeForTests made_ = [] {
    CodeForTests made;
    made.file("/bin/program");
    return made;
  }();
  std::uint32_t main_ = made_.region("main", 1000);
  std::uint32_t helper_ = made_.region("helper", 500);
  std::uint32_t library_ = (made_.file("/lib/libblas.so"), made_.code.region_count);
  std::uint32_t dgemm_ = made_.region("dgemm_", 10);
  std::uint32_t driver_ = made_.region("driver", 20);
  std::uint32_t skylake_ = made_.region("kernel_skylake", 0);
  std::uint32_t skylake_loop_ = made_.region("kernel_skylake, loop", 0, skylake_);
  std::uint32_t haswell_ = made_.region("kernel_haswell", 100);
  std::uint32_t haswell_loop_ = made_.region("kernel_haswell, loop", 9000, haswell_);
  std::vector<RegionStack> timed_;
  std::vector<RegionStack> counted_;
};

TEST_F(ChosenCodeTest, TimeAndWorkMeetWhereTheLibraryWasEntered) {
  join();
  ASSERT_TRUE(is_joined());
  const std::uint32_t number = joined().first_region;
  EXPECT_EQ(joined().regions.regions[0].function, "dgemm_");
  EXPECT_EQ(joined().executed.path, "/lib/libblas.so");
  EXPECT_EQ(joined().work[0].instructions, 9100U);
  EXPECT_EQ(joined().work[0].work.flops->total(), 91'000U);
  EXPECT_EQ(made_.code.region_of_place[skylake_loop_], number);
  EXPECT_EQ(made_.code.region_of_place[skylake_], number);
  EXPECT_EQ(made_.code.stands_for[haswell_loop_], number);
  EXPECT_EQ(made_.code.region_of_place[main_], main_);
}

TEST_F(ChosenCodeTest, NothingIsCountedTwice) {
  join();
  EXPECT_EQ(work_of_region(haswell_loop_).instructions, 0U);
  EXPECT_FALSE(work_of_region(haswell_loop_).work.flops);
  EXPECT_EQ(work_of_region(driver_).instructions, 20U) << "ran in both";
}

TEST_F(ChosenCodeTest, TheNoteNamesBoth) {
  join();
  ASSERT_TRUE(is_joined());
  ASSERT_EQ(joined().work[0].notes.size(), 1U);
  EXPECT_EQ(joined().work[0].notes[0].code, "chosen-code");
  EXPECT_THAT(joined().work[0].notes[0].text, HasSubstr("kernel_skylake"));
  EXPECT_THAT(joined().work[0].notes[0].text, HasSubstr("kernel_haswell"));
  EXPECT_THAT(joined().work[0].notes[0].text, HasSubstr("dgemm_"));
}

TEST_F(ChosenCodeTest, WhatElseWasCalledFromThereIsNoCounterpart) {
  timed_.assign(50, {skylake_loop_, main_});
  counted_.assign(50, {helper_, main_});
  join();
  EXPECT_FALSE(is_joined()) << "the helper is in another file";
}

TEST_F(ChosenCodeTest, WithoutStacksOfBothRunsNothingMeets) {
  counted_.clear();
  join();
  EXPECT_FALSE(is_joined());
}

TEST_F(ChosenCodeTest, WhereMostStacksDoNotMeetNothingDoes) {
  counted_.insert(counted_.end(), 20, {haswell_loop_});
  join();
  EXPECT_FALSE(is_joined());
}

TEST_F(ChosenCodeTest, AFewSamplesAreNoCode) {
  made_.samples.moments.clear();
  made_.was_in(skylake_loop_, 19);
  join();
  EXPECT_FALSE(is_joined());
}

TEST_F(ChosenCodeTest, CodeThatRanInBothIsLeftAlone) {
  made_.was_in(haswell_loop_, 1);
  join();
  EXPECT_FALSE(is_joined());
}

TEST_F(ChosenCodeTest, FunctionsWithKernelsInCommonAreOne) {
  const std::uint32_t dsyrk = made_.region("dsyrk_", 10);
  timed_.insert(timed_.end(), 20, {skylake_loop_, driver_, dsyrk, main_});
  counted_.insert(counted_.end(), 20, {haswell_loop_, dsyrk, main_});
  join();
  ASSERT_TRUE(is_joined());
  EXPECT_THAT(joined().regions.regions[0].name, HasSubstr("dgemm_"));
  EXPECT_THAT(joined().regions.regions[0].name, HasSubstr("dsyrk_"));
}

// memcpy of libc: who called it is in another file.
TEST_F(ChosenCodeTest, AFunctionThatWasEnteredDirectlyMeetsAtItsCaller) {
  timed_.assign(50, {skylake_loop_, main_});
  counted_.assign(50, {haswell_loop_, main_});
  join();
  ASSERT_TRUE(is_joined());
  EXPECT_EQ(joined().regions.regions[0].function, "main");
}

}  // namespace
}  // namespace ridge::measure::binary
