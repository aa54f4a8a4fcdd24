// Charts and tables that count integer operations.
#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/ceilings.hpp"
#include "render/chart/chart.hpp"
#include "render/document/run/loop_table.hpp"
#include "render/document/run/markdown_report.hpp"
#include "render/document/run/region_csv.hpp"
#include "render/document/run/results_chart.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double kGiga = 1e9;

void add_ceiling(Machine& machine, const std::string& precision, Isa isa, Operation operation,
                 double giga) {
  for (const unsigned threads : {1U, 2U}) {
    Ceiling ceiling = ceiling_of({ComputeKey{precision, isa, operation, threads}});
    const IntOpsPerSecond rate{giga * kGiga * threads};
    ceiling.value = Estimate<IntOpsPerSecond>{rate, rate, rate, rate, 200, Origin::measured};
    machine.ceilings.push_back(std::move(ceiling));
  }
}

void add_integer_ceilings(Machine& machine) {
  add_ceiling(machine, "int8", Isa::avx512, Operation::dot, 900.0);
  add_ceiling(machine, "int32", Isa::avx512, Operation::add, 118.0);
  add_ceiling(machine, "int32", Isa::avx512, Operation::mul, 59.0);
  add_ceiling(machine, "int64", Isa::avx512, Operation::add, 59.2);
  add_ceiling(machine, "int64", Isa::avx512, Operation::mul, 29.5);
  add_ceiling(machine, "int32", Isa::scalar, Operation::add, 14.9);
  add_ceiling(machine, "int64", Isa::scalar, Operation::add, 14.8);
  add_ceiling(machine, "int64", Isa::scalar, Operation::mul, 3.7);
}

void drop_integer_ceilings(Machine& machine) {
  std::erase_if(machine.ceilings, [](const Ceiling& ceiling) {
    return ceiling.precision && ceiling.precision->starts_with("int");
  });
}

Region& region_of(Profile& profile, std::size_t at) {
  return profile.regions.at(at);
}

/// One second of the region is 3 * 10^10 integer operations and 10^10 bytes at L1.
Profile with_integers() {
  Profile profile = fixture::profile();
  add_integer_ceilings(profile.machine);
  Region& hot = region_of(profile, 1);
  const double seconds = hot.time_seconds.self->value.value();
  hot.intops = static_cast<std::uint64_t>(30 * kGiga * seconds);
  hot.traffic[Level::L1] = {static_cast<std::uint64_t>(10 * kGiga * seconds), 0};
  return profile;
}

Chart integer_chart(const Profile& profile) {
  return chart_of(profile, fixture::prediction(profile), {}, CountedWork::intops);
}

TEST(IntegerChart, RoofsAreSumsAndProductsOfTheWidestAndThoseOfOneAtATime) {
  const Profile profile = with_integers();
  const CeilingChoice choice = choose_ceilings(profile, CountedWork::intops);
  std::vector<std::string> ids;
  for (const Ceiling* ceiling : choice.compute) {
    ids.push_back(ceiling->id);
  }
  // Of two within 10 % of each other one line is enough; dot products of bytes are another matter.
  EXPECT_THAT(ids, ElementsAre("compute.int32.avx512.add.t2", "compute.int64.avx512.add.t2",
                               "compute.int64.avx512.mul.t2", "compute.int64.scalar.add.t2",
                               "compute.int64.scalar.mul.t2"));
  EXPECT_EQ(choice.bandwidths.size(), 4U);
}

TEST(IntegerChart, CountsIntegersOnBothAxes) {
  const Chart chart = integer_chart(with_integers());
  EXPECT_THAT(chart.x_title(), HasSubstr("[intop/byte]"));
  EXPECT_EQ(chart.short_x_title(), "Intensity [intop/byte]");
  EXPECT_EQ(chart.y_title(), "Performance [Gintop/s]");
  ASSERT_EQ(chart.regions.size(), 1U) << "the others have no integer work";
  EXPECT_NEAR(chart.regions[0].flops_per_second, 30 * kGiga, 1.0);
  ASSERT_TRUE(chart.regions[0].dots.front().intensity);
  EXPECT_NEAR(*chart.regions[0].dots.front().intensity, 3.0, 1e-6);
  EXPECT_THAT(chart.regions[0].title, HasSubstr("30.0 Gintop/s"));
  ASSERT_TRUE(chart.roof);
  EXPECT_EQ(chart.roof->label, "AVX-512 ADD int32 236 Gintop/s");
  EXPECT_TRUE(chart.verdict.empty()) << "what binds is said of flops and bytes";
  EXPECT_TRUE(chart.measured.empty());
}

TEST(IntegerChart, IsNotThatOfFlops) {
  const Profile profile = with_integers();
  const Chart flops = chart_of(profile, fixture::prediction(profile));
  EXPECT_EQ(flops.regions.size(), 5U);
  EXPECT_EQ(flops.roof->words, "AVX-512 FMA+ADD");
  EXPECT_TRUE(flops.above_roofs.empty());
  for (const ComputeCeiling& ceiling : flops.lower_ceilings) {
    EXPECT_THAT(ceiling.words, Not(HasSubstr("int")));
  }
}

TEST(IntegerChart, WithoutTrafficBelowItALevelIsUnbounded) {
  Profile profile = with_integers();
  Region& hot = region_of(profile, 1);
  hot.bytes_loaded = hot.bytes_stored = 0;
  hot.traffic = {{Level::L1, {0, 0}}};
  const Chart chart = integer_chart(profile);
  ASSERT_EQ(chart.regions.size(), 1U);
  ASSERT_EQ(chart.regions[0].dots.size(), 1U);
  EXPECT_FALSE(chart.regions[0].dots[0].intensity);
}

TEST(IntegerChart, NeitherCutNorTimelessRegionsHaveARate) {
  Profile profile = with_integers();
  region_of(profile, 1).partial = true;
  EXPECT_TRUE(integer_chart(profile).regions.empty());
  region_of(profile, 1).partial = false;
  region_of(profile, 1).time_seconds.self.reset();
  EXPECT_TRUE(integer_chart(profile).regions.empty());
}

TEST(IntegerChart, SaysWhereCeilingsAreMissing) {
  Profile profile = with_integers();
  drop_integer_ceilings(profile.machine);
  const Chart chart = integer_chart(profile);
  EXPECT_FALSE(chart.roof);
  EXPECT_EQ(chart.roofs.size(), 4U);
  EXPECT_EQ(chart.regions.size(), 1U);
  ASSERT_EQ(chart.above_roofs.size(), 1U);
  EXPECT_THAT(chart.above_roofs[0], HasSubstr("ridge bench"));
}

TEST(IntegerChart, SaysWhereAddressesAreCounted) {
  Profile profile = with_integers();
  EXPECT_EQ(integer_chart(profile).above_roofs.size(), 1U);
  profile.notes.push_back({"engine", "counted by an engine"});
  const Chart chart = integer_chart(profile);
  ASSERT_EQ(chart.above_roofs.size(), 2U);
  EXPECT_THAT(chart.above_roofs[1], HasSubstr("addresses"));
}

TEST(IntegerChart, OfAMachineAloneHasItsIntegerRoofs) {
  Machine machine = fixture::characterised();
  add_integer_ceilings(machine);
  const Chart chart = chart_of(machine, CountedWork::intops);
  ASSERT_TRUE(chart.roof);
  EXPECT_EQ(chart.roof->words, "AVX-512 ADD int32");
  EXPECT_TRUE(chart.measured.empty()) << "those are of fma";
  EXPECT_THAT(roofs_chart(machine, {.columns = 100, .unicode = false}, CountedWork::intops),
              HasSubstr("Gintop/s"));
}

TEST(IntegerChart, OfTwoResultsKeepsWhatThereIsToKnow) {
  const Profile profile = with_integers();
  const Prediction prediction = fixture::prediction(profile);
  const std::vector<LabelledResult> both{{"a", &profile, &prediction, {}},
                                         {"b", &profile, &prediction, {}}};
  const Chart chart = chart_of(both, CountedWork::intops);
  EXPECT_EQ(chart.y_title(), "Performance [Gintop/s]");
  ASSERT_EQ(chart.regions.size(), 1U);
  EXPECT_EQ(chart.regions[0].dots.size(), 2U);
  EXPECT_EQ(chart.above_roofs.size(), 1U);
}

TEST(IntegerTable, HasRatesAndIntensitiesAndNoBoundsOfFlops) {
  const Profile profile = with_integers();
  const Prediction prediction = fixture::prediction(profile);
  const TextStyle style{.columns = 200, .unicode = false};
  const std::string text = loop_table(profile, prediction, style, {}, CountedWork::intops);
  EXPECT_THAT(text, HasSubstr("intop/s"));
  EXPECT_THAT(text, HasSubstr("intensity"));
  EXPECT_THAT(text, HasSubstr("30.0 G"));
  EXPECT_THAT(text, Not(HasSubstr("bound by")));
  EXPECT_THAT(loop_table(profile, prediction, style), HasSubstr("bound by"));
  const std::vector<LabelledResult> one{{"", &profile, &prediction, {}}};
  const std::string markdown = markdown_report(one, "", CountedWork::intops);
  EXPECT_THAT(markdown, HasSubstr("intop/s"));
  EXPECT_THAT(markdown, Not(HasSubstr("% of code's roof")));
  EXPECT_THAT(roofline_svg(profile, prediction, CountedWork::intops), HasSubstr("Gintop/s"));
}

std::string cell(const std::string& csv, std::string_view title, std::size_t row) {
  std::vector<std::string> lines;
  for (std::size_t from = 0; from < csv.size();) {
    const std::size_t to = std::min(csv.find('\n', from), csv.size());
    lines.push_back(csv.substr(from, to - from));
    from = to + 1;
  }
  const auto cells = [](const std::string& line) {
    std::vector<std::string> found(1);
    bool quoted = false;
    for (const char c : line) {
      quoted = c == '"' ? !quoted : quoted;
      if (c == ',' && !quoted) {
        found.emplace_back();
      } else {
        found.back() += c;
      }
    }
    return found;
  };
  const auto titles = cells(lines.at(0));
  const auto at = std::find(titles.begin(), titles.end(), title);
  return at == titles.end()
             ? "no such column"
             : cells(lines.at(row)).at(static_cast<std::size_t>(at - titles.begin()));
}

TEST(IntegerTable, EachRowOfACsvHasBoth) {
  const Profile profile = with_integers();
  const Prediction prediction = fixture::prediction(profile);
  const std::vector<LabelledResult> one{{"", &profile, &prediction, {profile.regions.at(1).id}}};
  const std::string csv = region_csv(one);
  EXPECT_NEAR(std::stod(cell(csv, "integer performance [intop/s]", 1)), 30 * kGiga, 1e4);
  EXPECT_NEAR(std::stod(cell(csv, "L1 integer intensity [intop/byte]", 1)), 3.0, 1e-6);
  EXPECT_GT(std::stod(cell(csv, "performance [flop/s]", 1)), 0.0);
  const std::vector<LabelledResult> other{{"", &profile, &prediction, {profile.regions.at(2).id}}};
  EXPECT_EQ(cell(region_csv(other), "integer performance [intop/s]", 1), "");
}

}  // namespace

void integer_sentences(tests::Sentences& sentences) {
  Profile profile = with_integers();
  profile.notes.push_back({"engine", "counted by an engine"});
  const auto said = integer_chart(profile).above_roofs;
  sentences.add("integers: what may stand above their ceilings", said.at(0));
  sentences.add("integers: those that an engine counts", said.at(1));
  drop_integer_ceilings(profile.machine);
  sentences.add("integers: no ceiling", integer_chart(profile).above_roofs.at(0));
}

}  // namespace ridge::render
