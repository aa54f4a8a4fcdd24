#include "execute/outcome.hpp"

#include <csignal>
#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "execute/objects_for_tests.hpp"
#include "execute/sentences_for_tests.hpp"

namespace ridge::execute {
namespace {

using testing::HasSubstr;
using testing_objects::array;
using testing_objects::call;

constexpr std::uintptr_t kFirst = 0x10000000;

Call two_arrays() {
  Call made = call("f", {array("a", 100), array("b", 10, Element::fp32)});
  made.object = "f.so";
  made.limit = std::chrono::seconds(10);
  return made;
}

std::unique_ptr<Report> report() {
  auto made = std::make_unique<Report>();
  made->stage = Stage::done;
  made->arrays = 2;
  made->spans[0] = {kFirst, 800};
  made->spans[1] = {kFirst + 0x4000000, 40};
  return made;
}

std::unique_ptr<Report> faulted(const Fault& fault) {
  auto made = report();
  made->stage = Stage::first_call;
  made->fault = fault;
  return made;
}

Ended exited(int code) {
  return {{code, std::nullopt}, false, {}};
}

std::string message(const Report& of, const Ended& ended = exited(1)) {
  const auto outcome = outcome_of(two_arrays(), of, ended);
  EXPECT_FALSE(outcome);
  return outcome ? "" : outcome.error().message;
}

Fault at(std::uintptr_t address, bool is_write = false) {
  return {SIGSEGV, address, true, is_write, false};
}

TEST(Outcome, TheArrayOfAFaultIsTheNearest) {
  EXPECT_THAT(message(*faulted(at(kFirst + 800))),
              HasSubstr("reads 1 element behind the end of a"));
  EXPECT_THAT(message(*faulted(at(kFirst + 4096, true))), HasSubstr("writes 413 elements behind"));
  EXPECT_THAT(message(*faulted(at(kFirst - 8))), HasSubstr("1 element in front of a"));
  EXPECT_THAT(message(*faulted(at(kFirst + 0x4000000 - 9))), HasSubstr("3 elements in front of b"));
  EXPECT_THAT(message(*faulted(at(8))), HasSubstr("null pointer"));
  EXPECT_THAT(message(*faulted(at(0x70000000))), HasSubstr("not its own"));
  EXPECT_THAT(message(*faulted({SIGSEGV, 0, false, false, false})), HasSubstr("not its own"));
  EXPECT_THAT(message(*faulted({SIGSEGV, 0x7000000, true, true, true})), HasSubstr("stack"));
}

TEST(Outcome, AReportThatWasOverwrittenIsNotFollowed) {
  auto made = report();
  made->arrays = 4'000'000'000;
  made->samples = 4'000'000'000;
  made->subnormal = 1'000'000;
  made->calls_per_sample = 0;
  made->message.characters.fill('x');
  EXPECT_TRUE(outcome_of(two_arrays(), *made, exited(0)));
  made->stage = Stage::refused;
  EXPECT_EQ(message(*made).size(), 1023U);
  EXPECT_THAT(message(*faulted(at(kFirst + 800))), HasSubstr("element"));
  auto damaged = report();
  damaged->has_damage = true;
  damaged->damage.array = 1'000'000;
  EXPECT_THAT(message(*damaged), HasSubstr("not its own"));
}

TEST(Outcome, TimesAreThoseOfOneCall) {
  auto made = report();
  made->calls_per_sample = 4;
  made->samples = 5;
  for (std::size_t i = 0; i < 5; ++i) {
    const double seconds = 4e-6 * static_cast<double>(i + 1);
    made->sample[i] = {i % 2 == 0 ? seconds : 1.0, i % 2 == 0 ? 1.0 : seconds, 2e9, 1000.0};
  }
  const auto measured = outcome_of(two_arrays(), *made, exited(0));
  ASSERT_TRUE(measured);
  EXPECT_DOUBLE_EQ(measured->seconds.median.value(), 3e-6);
  EXPECT_DOUBLE_EQ(measured->seconds.low.value(), 1.4e-6);
  EXPECT_DOUBLE_EQ(measured->seconds.p90.value(), 4.6e-6);
  EXPECT_EQ(measured->seconds.samples, 5U);
  EXPECT_EQ(measured->seconds.origin, Origin::measured);
  ASSERT_TRUE(measured->cycles);
  EXPECT_DOUBLE_EQ(measured->cycles->median.value(), 6000.0);
  EXPECT_EQ(measured->calls_per_sample, 4U);
  EXPECT_THAT(measured->notes, testing::IsEmpty());
}

TEST(Outcome, ACallThatWasTimedAsItWasFirstMadeHasNoCycles) {
  auto made = report();
  made->first_call_seconds = 7.5;
  const auto measured = outcome_of(two_arrays(), *made, exited(0));
  ASSERT_TRUE(measured);
  EXPECT_EQ(measured->seconds.median.value(), 7.5);
  EXPECT_EQ(measured->seconds.samples, 1U);
  EXPECT_EQ(measured->cycles, std::nullopt);
  ASSERT_EQ(measured->notes.size(), 1U);
  EXPECT_EQ(measured->notes[0].code, "few-calls");
}

}  // namespace

void outcome_sentences(tests::Sentences& sentences) {
  const auto add = [&](const char* name, const Report& of, const Ended& ended = exited(1)) {
    sentences.add(name, outcome_of(two_arrays(), of, ended));
  };
  add("reads behind an array", *faulted(at(kFirst + 800)));
  add("writes in front of an array", *faulted(at(kFirst - 16, true)));
  add("reads through a null pointer", *faulted(at(8)));
  add("touches memory of nobody", *faulted(at(0x70000000)));
  add("fills its stack", *faulted({SIGSEGV, 1, true, true, true}));
  add("meets an unknown instruction", *faulted({SIGILL, 0, false, false, false}));
  add("divides by zero", *faulted({SIGFPE, 0, false, false, false}));
  Ended with_errors = exited(1);
  with_errors.errors = "\nf.c:3: f: Assertion `n > 0' failed.\nmore\n";
  add("aborts", *faulted({SIGABRT, 0, false, false, false}), with_errors);
  auto made = report();
  made->stage = Stage::first_call;
  made->has_exited = true;
  made->exit_code = 3;
  add("exits", *made);
  add("is killed", *made, {{std::nullopt, SIGKILL}, false, {}});
  add("is ended by another signal", *made, {{std::nullopt, SIGALRM}, false, {}});
  add("does not return", *made, {{}, true, {}});
  made->stage = Stage::loading;
  add("is not loaded", *made, {{}, true, {}});
  made->stage = Stage::timing;
  add("is not timed", *made, {{}, true, {}});
  made = report();
  made->has_damage = true;
  made->damage = {1, false, 3};
  add("wrote in front of an array", *made);
  made->damage = {0, true, 17};
  add("wrote behind an array", *made);
  made = report();
  made->samples = 1;
  made->first_call_seconds = 2.5;
  made->has_small_pages = true;
  made->subnormal = 1;
  const auto measured = outcome_of(two_arrays(), *made, exited(0));
  ASSERT_TRUE(measured);
  for (const Note& note : measured->notes) {
    sentences.add("note " + note.code, note.text);
  }
  made->samples = 100;
  for (std::size_t i = 0; i < 100; ++i) {
    made->sample[i] = {1.0, 1.0, 1e9, 1000.0 + 100.0 * static_cast<double>(i)};
  }
  made->has_small_pages = false;
  made->subnormal = -1;
  const auto disturbed = outcome_of(two_arrays(), *made, exited(0));
  ASSERT_TRUE(disturbed);
  for (const Note& note : disturbed->notes) {
    sentences.add("note " + note.code, note.text);
  }
}

}  // namespace ridge::execute
