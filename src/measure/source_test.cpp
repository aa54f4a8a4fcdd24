#include "measure/source.hpp"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/fake_sources_for_tests.hpp"
#include "measure/run/program_check.hpp"
#include "measure/sentences_for_tests.hpp"
#include "measure/sources.hpp"

namespace ridge::measure {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ChoiceOfSource : public ::testing::Test {
 protected:
  ChoiceOfSource() { reset_fake_sources(); }

  static std::string chosen(const Request& request) {
    const auto source = choose_source(fake_sources(), request);
    return source ? std::string((*source)->name) : "none";
  }

  static Error refused(const Request& request) {
    const auto source = choose_source(fake_sources(), request);
    if (source) {
      ADD_FAILURE() << (*source)->name << " was chosen";
      return {};
    }
    return source.error();
  }

  FakeSource& whole_ = fake_source<0>();
  FakeSource& sampling_ = fake_source<1>();
};

TEST_F(ChoiceOfSource, TheFirstThatCanIsChosenAndNoOtherIsAsked) {
  EXPECT_EQ(chosen({}), "whole");
  EXPECT_THAT(whole_.checked, SizeIs(1));
  EXPECT_THAT(sampling_.checked, IsEmpty());
  whole_.check_answer = fail(ErrorCode::bad_input, "not instrumented");
  EXPECT_EQ(chosen({}), "sampling");
}

TEST_F(ChoiceOfSource, NothingIsMeasuredByChoosing) {
  (void)chosen({});
  EXPECT_THAT(whole_.measured, IsEmpty());
  EXPECT_THAT(sampling_.measured, IsEmpty());
}

TEST_F(ChoiceOfSource, WhatMustSimulateIsNotLeftToASourceThatCannot) {
  whole_.check_answer = fail(ErrorCode::bad_input, "not instrumented", "Build it.");
  Request request;
  request.needs_simulation = true;
  const Error error = refused(request);
  EXPECT_EQ(error.code, ErrorCode::bad_input);
  EXPECT_EQ(error.message, "not instrumented");
  EXPECT_THAT(sampling_.checked, IsEmpty());
  const auto alone = check_source(fake_sources()[1], request);
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().code, ErrorCode::usage);
  EXPECT_THAT(alone.error().message, HasSubstr("sampling"));
  EXPECT_TRUE(check_source(fake_sources()[1], {}));
}

TEST_F(ChoiceOfSource, TheErrorIsThatOfTheSourceThatComesClosest) {
  whole_.check_answer = fail(ErrorCode::bad_input, "not instrumented", "Build it.");
  sampling_.check_answer = fail(ErrorCode::unavailable, "no counters here", "Allow them.");
  const Error error = refused({});
  EXPECT_EQ(error.code, ErrorCode::unavailable);
  EXPECT_EQ(error.message, "no counters here");
  EXPECT_THAT(error.hint, StartsWith("Allow them. "));
  EXPECT_THAT(error.hint, HasSubstr("whole: not instrumented"));
}

TEST_F(ChoiceOfSource, OfEquallyCloseOnesTheFirstSpeaks) {
  whole_.check_answer = fail(ErrorCode::bad_input, "not instrumented");
  sampling_.check_answer = fail(ErrorCode::bad_input, "not for this CPU", "Take another.");
  const Error error = refused({});
  EXPECT_EQ(error.message, "not instrumented");
  EXPECT_THAT(error.hint, HasSubstr("sampling: not for this CPU"));
  EXPECT_THAT(error.hint, Not(HasSubstr("Take another.")));
}

TEST_F(ChoiceOfSource, WhatAllSourcesSayIsSaidOnce) {
  whole_.check_answer = fail(ErrorCode::bad_input, "no program", "Is it?");
  sampling_.check_answer = whole_.check_answer;
  EXPECT_EQ(refused({}).hint, "Is it?");
}

TEST_F(ChoiceOfSource, TheErrorOfAnOnlySourceComesAsItIs) {
  whole_.check_answer = fail(ErrorCode::bad_input, "p is not instrumented", "Build it so.");
  const auto source = choose_source(fake_sources().first(1), {});
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::bad_input);
  EXPECT_EQ(source.error().message, "p is not instrumented");
  EXPECT_EQ(source.error().hint, "Build it so.");
}

TEST_F(ChoiceOfSource, NamesAreFoundWhole) {
  EXPECT_EQ(find_source(fake_sources(), "sampling"), &fake_sources()[1]);
  EXPECT_EQ(find_source(fake_sources(), "samp"), nullptr);
  EXPECT_EQ(find_source(fake_sources(), ""), nullptr);
}

TEST(Sources, EachHasANameOfItsOwnAndSaysWhatItIs) {
  std::set<std::string_view> names{"list"};  // what --source list means
  ASSERT_FALSE(sources().empty());
  for (const Source& source : sources()) {
    EXPECT_TRUE(names.insert(source.name).second) << source.name;
    EXPECT_THAT(std::string(source.summary), Not(IsEmpty()));
    EXPECT_THAT(std::string(source.needs), Not(IsEmpty()));
    EXPECT_FALSE(source.capabilities == Capabilities()) << source.name << " can nothing";
    EXPECT_NE(source.check, nullptr);
    EXPECT_NE(source.measure, nullptr);
  }
}

TEST(Sources, AProgramThatIsNotThereIsRefusedBeforeAnythingRuns) {
  Request request;
  request.arguments = {"/no/such/program"};
  const auto chosen = choose_source(sources(), request);
  ASSERT_FALSE(chosen);
  EXPECT_EQ(chosen.error().code, ErrorCode::bad_input);
  EXPECT_THAT(chosen.error().message, HasSubstr("/no/such/program"));
}

// With one source nothing is added to its words.
TEST(Sources, AProgramThatIsNotInstrumentedHearsHowToBuildIt) {
  Request request;
  request.arguments = {"/bin/true"};
  const auto refused = check_source(*find_source(sources(), "instrumented"), request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::bad_input);
  EXPECT_EQ(refused.error().message, check_program("/bin/true").error().message);
}

TEST(Sources, AProgramAsItIsNeedsAnEngineAndNothingElse) {
  Request request;
  request.arguments = {"/bin/true"};
  const auto chosen = choose_source(sources(), request);
  if (chosen) {
    EXPECT_EQ((*chosen)->name, "binary");
  } else {
    EXPECT_EQ(chosen.error().code, ErrorCode::unavailable);
  }
}

}  // namespace

void source_sentences(tests::Sentences& sentences) {
  reset_fake_sources();
  fake_source<0>().check_answer = fail(ErrorCode::bad_input, "not instrumented", "Build it.");
  sentences.add("sources, the second does not simulate",
                check_source(fake_sources()[1], {.needs_simulation = true}));
  fake_source<1>().check_answer = fail(ErrorCode::unavailable, "no counters here", "Allow them.");
  sentences.add("sources, the second comes closest", choose_source(fake_sources(), {}));
  fake_source<1>().check_answer = fail(ErrorCode::bad_input, "not for this CPU", "Take another.");
  sentences.add("sources, both come equally close", choose_source(fake_sources(), {}));
  reset_fake_sources();
}

}  // namespace ridge::measure
