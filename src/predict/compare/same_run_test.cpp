#include "predict/compare/same_run.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/compare/compare.hpp"
#include "predict/compare/profiles_for_tests.hpp"
#include "predict/sentences_for_tests.hpp"

namespace ridge::predict {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProfileBuilder;
using ::testing::StartsWith;

/// A program of these functions, a loop in each.
Profile program(const std::string& name, const std::vector<std::string>& functions) {
  ProfileBuilder builder;
  builder.profile.program.argv = {name};
  unsigned line = 1;
  for (const std::string& function : functions) {
    builder.loop(builder.function(function, line), function, line + 1, 1000 * line);
    line += 10;
  }
  return builder.profile;
}

Comparison compared(const Profile& a, const Profile& b) {
  return compare({{"old", &a, nullptr}, {"new", &b, nullptr}});
}

bool is_other_program(const Profile& a, const Profile& b) {
  return other_program(compared(a, b), 0).has_value();
}

TEST(SameProgram, OneNameAndOneFunctionInCommonIsTheSame) {
  const Profile before = program("old/heat2d", {"main", "step", "norm", "init"});
  EXPECT_FALSE(is_other_program(before, before));
  EXPECT_FALSE(is_other_program(before, program("/new/heat2d", {"main", "step"})));
  EXPECT_FALSE(is_other_program(before, program("heat2d", {"main", "v2::step<float>", "blocked"})));
}

TEST(SameProgram, OneNameWithoutAnyIsAnother) {
  const Profile before = program("./a.out", {"main", "step", "std::fill"});
  EXPECT_TRUE(is_other_program(before, program("./a.out", {"main", "CalcForce", "std::fill"})));
}

TEST(SameProgram, WithoutFunctionsTheNameDecides) {
  EXPECT_FALSE(is_other_program(program("x/stream", {"main"}), program("y/stream", {"main"})));
  EXPECT_TRUE(is_other_program(program("stream", {"main"}), program("triad", {"main"})));
}

TEST(SameProgram, AnotherNameNeedsHalfOfTheFunctions) {
  const Profile before = program("heat-v1", {"main", "step", "norm", "init"});
  EXPECT_FALSE(is_other_program(before, program("heat-v2", {"main", "step", "norm"})));
  EXPECT_TRUE(is_other_program(before, program("lulesh", {"main", "norm", "f", "g", "h"})));
  EXPECT_TRUE(is_other_program(before, program("lulesh", {"main", "norm"})));
}

TEST(SameProgram, ANameThatIsNotKnownSaysNothing) {
  const Profile before = program("heat2d", {"main", "step"});
  Profile redacted = before;
  redacted.program.argv.clear();
  EXPECT_FALSE(is_other_program(before, redacted));
  redacted = program("", {"main", "CalcForce"});
  redacted.program.argv.clear();
  EXPECT_TRUE(is_other_program(before, redacted));
}

Comparison of_two_programs() {
  const Profile before = program("heat2d", {"main", "step"});
  Profile after = program("lulesh2.0", {"main", "CalcForce"});
  after.program.argv.emplace_back("-s 30");
  after.program.wall_seconds = Seconds(0.4);
  return compared(before, after);
}

TEST(SameProgram, TwoProgramsAreNotFasterThanEachOther) {
  const Comparison comparison = of_two_programs();
  EXPECT_THAT(comparison.summary, HasSubstr("lulesh2.0 and heat2d before"));
  EXPECT_THAT(comparison.summary, Not(HasSubstr("faster")));
  EXPECT_THAT(comparison.summary, Not(HasSubstr("other arguments")));
}

TEST(SameEnd, ExitCodesAndSignalsAreCompared) {
  Profile done = program("a", {"f"});
  done.program.exit_code = 0;
  Profile other = done;
  EXPECT_FALSE(other_end(done, other));
  other.program.exit_code = 3;
  EXPECT_EQ(other_end(done, other)->code, "other-end");
  EXPECT_THAT(other_end(done, other)->text, AllOf(HasSubstr("0 before"), HasSubstr("3 after")));
  EXPECT_THAT(other_end(other, done)->text, AllOf(HasSubstr("3 before"), HasSubstr("0 after")));
  other.program.exit_code.reset();
  EXPECT_THAT(other_end(done, other)->text, HasSubstr("not known after"));
  other.program.signal = 6;
  EXPECT_THAT(other_end(done, other)->text, HasSubstr("signal 6 (SIGABRT) after"));
  EXPECT_FALSE(other_end(other, other));
}

TEST(SameEnd, ThoseOfAllProcessesAre) {
  Profile before = program("a", {"f"});
  before.processes = {{1, {"a"}, 0, {}, {}}, {2, {"a"}, 0, {}, {}}};
  Profile after = before;
  after.processes[1].exit_code.reset();
  after.processes[1].signal = 11;
  EXPECT_EQ(other_end(before, after)->code, "other-end");
  EXPECT_THAT(other_end(before, after)->text,
              AllOf(HasSubstr("processes"), HasSubstr("none before"),
                    HasSubstr("1 with signal 11 (SIGSEGV)")));
  after.processes[0] = after.processes[1];
  after.processes[1] = before.processes[1];
  EXPECT_TRUE(other_end(before, after));
  before = after;
  std::swap(before.processes[0], before.processes[1]);
  EXPECT_FALSE(other_end(before, after)) << "their order says nothing";
}

std::string summary_of_an_abort() {
  Profile before = program("a", {"f"});
  before.program.exit_code = 0;
  before.program.wall_seconds = Seconds(2.3);
  before.regions[0].time_seconds = {};
  Profile after = before;
  after.program.exit_code.reset();
  after.program.signal = 6;
  after.program.wall_seconds = Seconds(1.0);
  return compared(before, after).summary;
}

TEST(SameEnd, ARunThatEndedOtherwiseIsNotFaster) {
  EXPECT_THAT(summary_of_an_abort(),
              AllOf(HasSubstr("signal 6 (SIGABRT)"), HasSubstr("exit code 0 before"),
                    HasSubstr("(1.00 s, 2.30 s before"), Not(HasSubstr("faster"))));
}

Comparison with_cut_regions() {
  ProfileBuilder builder;
  const auto f = builder.function("f", 1);
  for (unsigned line = 2; line < 7; ++line) {
    builder[builder.loop(f, "loop" + std::to_string(line), line, 100)].partial = true;
  }
  return compared(program("a", {"f"}), builder.profile);
}

TEST(PartialRegions, AreNamed) {
  const Profile whole = program("a", {"f"});
  EXPECT_FALSE(partial_regions(compared(whole, whole), 0));
  const auto note = partial_regions(with_cut_regions(), 0);
  ASSERT_TRUE(note);
  EXPECT_EQ(note->code, "partial-regions");
  EXPECT_THAT(note->text, AllOf(StartsWith("new: 5 "), HasSubstr("(loop"), HasSubstr(", ...)")));
}

}  // namespace

void same_run_sentences(tests::Sentences& sentences) {
  sentences.add("comparison: two programs", of_two_programs().summary);
  sentences.add("note: two programs", other_program(of_two_programs(), 0).value().text);
  sentences.add("comparison: an abort", summary_of_an_abort());
  sentences.add("note: regions cut midway", partial_regions(with_cut_regions(), 0).value().text);
  Profile before = program("a", {"f"});
  before.program.exit_code = 0;
  Profile after = before;
  after.program.exit_code = 3;
  sentences.add("note: another exit code", other_end(before, after).value().text);
  after.program.exit_code.reset();
  sentences.add("note: an end that is not known", other_end(before, after).value().text);
  after = before;
  after.processes = {{1, {"a"}, {}, 11, {}}};
  sentences.add("note: processes that ended otherwise", other_end(before, after).value().text);
}

}  // namespace ridge::predict
