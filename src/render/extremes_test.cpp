// Files may hold any double. Whatever stands in them, every renderer ends, keeps its size and
// writes numbers.
#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "render/chart/extent.hpp"
#include "render/document/bench/bench_summary.hpp"
#include "render/document/bench/ceiling_csv.hpp"
#include "render/document/bench/machine_table.hpp"
#include "render/document/compare/comparison_for_tests.hpp"
#include "render/document/compare/comparison_svg.hpp"
#include "render/document/compare/comparison_table.hpp"
#include "render/document/compare/text_formats.hpp"
#include "render/document/projection/projection_svg.hpp"
#include "render/document/projection/projection_table.hpp"
#include "render/document/run/loop_table.hpp"
#include "render/document/run/markdown_report.hpp"
#include "render/document/run/region_csv.hpp"
#include "render/document/run/results_chart.hpp"
#include "render/document/run/run_summary.hpp"
#include "render/document/spmv/sparse_study_table.hpp"
#include "render/document/spmv/study_chart.hpp"
#include "render/document/spmv/study_for_tests.hpp"
#include "render/document/spmv/study_page.hpp"
#include "render/document/spmv/study_svg.hpp"
#include "render/document/spmv/text_formats.hpp"
#include "render/fixture_for_tests.hpp"
#include "render/format/gnuplot/gnuplot_script.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "render/format/text/roofline_chart.hpp"
#include "render/format/tikz/tikz_picture.hpp"

namespace ridge::render {
namespace {

constexpr std::array kExtremes{0.0, -0.0, 5e-324, DBL_MIN, 1e-300, 1e-31,  1e-9,
                               1.0, 1e9,  1e31,   1e300,   1e308,  DBL_MAX};
constexpr std::size_t kMostBytes = 2'000'000;
constexpr std::size_t kMostTicks = 700;

/// Whole words: "info" and "nano" are none.
bool has_no_number(const std::string& text) {
  for (const std::string word : {"nan", "inf", "-nan", "-inf"}) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const auto letter = [&](std::size_t i) {
        return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i])) != 0;
      };
      if ((at == 0 || !letter(at - 1)) && !letter(at + word.size())) {
        return true;
      }
    }
  }
  return false;
}

void expect_sound(const std::string& text, const std::string& where) {
  EXPECT_LT(text.size(), kMostBytes) << where;
  EXPECT_FALSE(has_no_number(text)) << where;
}

std::vector<TextStyle> styles() {
  std::vector<TextStyle> all(2);
  all[0].columns = 80;
  all[1].columns = 140;
  all[1].unicode = true;
  return all;
}

void expect_sound(const Chart& chart, const std::string& where) {
  for (const LogScale& scale : {chart.x, chart.y}) {
    EXPECT_GE(scale.low, kLeastDrawn) << where;
    EXPECT_GT(scale.high, scale.low) << where;
    EXPECT_LE(scale.high, kMostDrawn * 100.0) << where;
  }
  for (const bool paper : {false, true}) {
    expect_sound(chart_svg(chart, paper ? paper_look() : screen_look()), where + " svg");
    expect_sound(gnuplot_script(chart, paper), where + " gnuplot");
    expect_sound(tikz_picture(chart, paper), where + " tikz");
  }
  for (const TextStyle& style : styles()) {
    expect_sound(chart_text(chart, style), where + " terminal");
  }
}

TEST(Scales, AreSoundWhateverTheirEnds) {
  for (const double low : kExtremes) {
    for (const double high : kExtremes) {
      for (const double sign : {1.0, -1.0}) {
        for (const LogScale& scale :
             {scale_between(low, sign * high), scale_around(low, sign * high),
              scale_between(low, low), scale_between(std::nan(""), high),
              scale_around(low, INFINITY), scale_around(-INFINITY, high)}) {
          ASSERT_GE(scale.low, kLeastDrawn);
          ASSERT_GT(scale.high, scale.low);
          ASSERT_LE(scale.high, kMostDrawn * 100.0);
          for (const double unit : {1e-24, 1.0, 1e24}) {
            const auto found = ticks(scale, unit, 4.0);
            EXPECT_FALSE(found.empty()) << scale.low << " " << scale.high;
            EXPECT_LT(found.size(), kMostTicks) << scale.low << " " << scale.high;
            for (const Tick& tick : found) {
              EXPECT_GT(tick.value, scale.low * 0.999);
              EXPECT_LT(tick.value, scale.high * 1.001);
            }
          }
        }
      }
    }
  }
}

TEST(Scales, AxesThatAreNoneStillEnd) {
  for (const double low : kExtremes) {
    for (const double high : {low, std::nextafter(low, 2.0), 0.0, -1.0, std::nan("")}) {
      EXPECT_LT(ticks(LogScale{low, high}, 1.0, 4.0).size(), kMostTicks) << low << " " << high;
    }
  }
}

TEST(Scales, PositionsAreFinite) {
  const LogScale scale = scale_around(1.0, 100.0);
  for (const double value : kExtremes) {
    EXPECT_TRUE(std::isfinite(scale.position(value))) << value;
    EXPECT_TRUE(std::isfinite(scale.position(-value))) << value;
  }
  EXPECT_TRUE(std::isfinite(scale.position(INFINITY)));
  EXPECT_TRUE(std::isfinite(scale.position(std::nan(""))));
}

using StudyField = std::function<void(SparseStudy&, double)>;

template <class Q>
void set(Estimate<Q>& estimate, double value) {
  estimate.median = estimate.p90 = estimate.low = estimate.high = Q(value);
}

std::vector<StudyField> study_fields() {
  return {
      [](SparseStudy& s, double v) { s.timings[0].performance.median = FlopsPerSecond(v); },
      [](SparseStudy& s, double v) { s.timings[0].performance.low = FlopsPerSecond(v); },
      [](SparseStudy& s, double v) { s.timings[1].performance.high = FlopsPerSecond(v); },
      [](SparseStudy& s, double v) { set(s.timings[0].performance, v); },
      [](SparseStudy& s, double v) { set(s.timings[0].time, v); },
      [](SparseStudy& s, double v) { set(s.timings[0].bandwidth, v); },
      [](SparseStudy& s, double v) { s.timings[0].bandwidth.low = BytesPerSecond(v); },
      [](SparseStudy& s, double v) { set(s.timings[0].of_own_roof, v); },
      [](SparseStudy& s, double v) { s.timings[0].code_balance_bound = v; },
      [](SparseStudy& s, double v) { s.timings[0].break_even = v; },
      [](SparseStudy& s, double v) {
        for (SparseTiming& timing : s.timings) {
          set(timing.performance, v);
          set(timing.bandwidth, v);
          set(timing.time, v);
        }
      },
      [](SparseStudy& s, double v) {
        for (SparseFormatFacts& format : s.formats) {
          format.least_code_balance = v;
        }
      },
      [](SparseStudy& s, double v) { s.formats[0].stored_per_entry = v; },
      [](SparseStudy& s, double v) { s.formats[0].conversion = Seconds(v); },
      [](SparseStudy& s, double v) { s.alphas[0].alpha = v; },
      [](SparseStudy& s, double v) { s.alphas[0].capacity = Bytes(v); },
      [](SparseStudy& s, double v) { s.measured_alpha = v; },
      [](SparseStudy& s, double v) { s.last_level_cache = Bytes(v); },
      [](SparseStudy& s, double v) { s.picture.densities[0] = v; },
      [](SparseStudy& s, double v) {
        std::fill(s.picture.densities.begin(), s.picture.densities.end(), v);
      },
      [](SparseStudy& s, double v) { s.reorderings[0].gain = v; },
      [](SparseStudy& s, double v) { s.reorderings[0].time = Seconds(v); },
      [](SparseStudy& s, double v) { s.multiples[0].gain = v; },
      [](SparseStudy& s, double v) { s.matrix.mean_in_row = s.matrix.row_variation = v; },
  };
}

TEST(ExtremeStudies, AreShown) {
  const auto fields = study_fields();
  for (std::size_t field = 0; field < fields.size(); ++field) {
    for (const double value : kExtremes) {
      SparseStudy study = StudyForTests::make();
      fields[field](study, value);
      const std::string where = "field " + std::to_string(field) + " = " + fmt::format("{}", value);
      expect_sound(chart_of(study), where);
      expect_sound(study_svg(study), where);
      expect_sound(study_svg(study, paper_look()), where);
      expect_sound(study_page(study), where);
      EXPECT_LT(study_csv(study).size(), kMostBytes) << where;
      EXPECT_LT(study_markdown(study).size(), kMostBytes) << where;
      for (const TextStyle& style : styles()) {
        EXPECT_LT(sparse_study_text(study, style).size(), kMostBytes) << where;
      }
    }
  }
}

void set(CeilingEstimate& value, double number) {
  std::visit([&](auto& estimate) { set(estimate, number); }, value);
}

void set(SampledTime& time, double value) {
  time.value = time.low = time.high = Seconds(value);
}

using ProfileField = std::function<void(Profile&, double)>;

std::vector<ProfileField> profile_fields() {
  return {
      [](Profile& p, double v) { set(*p.regions.at(2).time_seconds.self, v); },
      [](Profile& p, double v) { p.regions.at(2).time_seconds.self->value = Seconds(v); },
      [](Profile& p, double v) { p.regions.at(2).time_seconds.self->low = Seconds(v); },
      [](Profile& p, double v) { p.regions.at(2).time_seconds.self->high = Seconds(v); },
      [](Profile& p, double v) { set(*p.regions.at(2).time_seconds.inclusive, v); },
      [](Profile& p, double v) { p.program.wall_seconds = Seconds(v); },
      [](Profile& p, double v) { p.time.unattributed_fraction = v; },
      [](Profile& p, double v) { p.time.sampled_seconds = Seconds(v); },
      [](Profile& p, double v) {
        for (Ceiling& ceiling : p.machine.ceilings) {
          set(ceiling.value, v);
        }
      },
      [](Profile& p, double v) { set(p.machine.ceilings.at(0).value, v); },
      [](Profile& p, double v) { set(p.machine.ceilings.back().value, v); },
      [](Profile& p, double v) {
        for (Ceiling& ceiling : p.machine.ceilings) {
          ceiling.limit = ceiling.limit_fraction = v;
        }
      },
      [](Profile& p, double v) { p.regions.at(2).line_use = v; },
  };
}

TEST(ExtremeProfiles, AreShown) {
  const auto fields = profile_fields();
  for (std::size_t field = 0; field < fields.size(); ++field) {
    for (const double value : kExtremes) {
      Profile profile = fixture::profile();
      fields[field](profile, value);
      const Prediction prediction = fixture::prediction(fixture::profile());
      const std::string where = "field " + std::to_string(field) + " = " + fmt::format("{}", value);
      const std::vector<LabelledResult> results{{"a", &profile, &prediction, {}},
                                                {"b", &profile, &prediction, {}}};
      expect_sound(chart_of(profile, prediction), where);
      expect_sound(chart_of(results), where + " results");
      expect_sound(chart_of(profile.machine), where + " roofs");
      EXPECT_LT(region_csv(results).size(), kMostBytes) << where;
      EXPECT_LT(ceiling_csv(profile.machine).size(), kMostBytes) << where;
      EXPECT_LT(markdown_report(results, "").size(), kMostBytes) << where;
      for (const TextStyle& style : styles()) {
        EXPECT_LT(run_summary(profile, prediction, style).size(), kMostBytes) << where;
        EXPECT_LT(bench_summary(profile.machine, style).size(), kMostBytes) << where;
        EXPECT_LT(machine_table(profile.machine, style).size(), kMostBytes) << where;
      }
    }
  }
}

TEST(ExtremeComparisons, AreShown) {
  const Profile profile = fixture::profile();
  for (const double value : kExtremes) {
    for (const char* quantity : {"time", "performance", "intensity.DRAM", "traffic.DRAM"}) {
      Comparison comparison = fixture::comparison(3);
      for (ComparedLoop& loop : comparison.loops) {
        for (RegionFigure& figure : loop.places.back().figures) {
          if (figure.quantity == quantity) {
            figure.value = value;
            figure.low = figure.high = value;
          }
        }
        for (LoopStep& step : loop.steps) {
          for (Change& change : step.changes) {
            change.ratio = value;
          }
        }
      }
      const std::string where = std::string(quantity) + " = " + fmt::format("{}", value);
      expect_sound(comparison_svg(comparison, {&profile, &profile, &profile}), where);
      EXPECT_LT(comparison_csv(comparison).size(), kMostBytes) << where;
      EXPECT_LT(comparison_markdown(comparison).size(), kMostBytes) << where;
      for (const TextStyle& style : styles()) {
        EXPECT_LT(comparison_table(comparison, style).size(), kMostBytes) << where;
      }
    }
  }
}

using ProjectionField = std::function<void(MachineProjection&, double)>;

TEST(ExtremeProjections, AreShown) {
  const std::vector<ProjectionField> fields{
      [](MachineProjection& m, double v) { m.flops_per_second = v; },
      [](MachineProjection& m, double v) { m.bytes_per_second = v; },
      [](MachineProjection& m, double v) { m.seconds = v; },
      [](MachineProjection& m, double v) { m.regions[0].seconds = v; },
      [](MachineProjection& m, double v) { m.regions[0].intensity = v; },
      [](MachineProjection& m, double v) { m.regions[0].fraction = v; }};
  const Profile profile = fixture::profile();
  for (std::size_t field = 0; field < fields.size(); ++field) {
    for (const double value : kExtremes) {
      Projection projection;
      projection.seconds_here = 1.0;
      projection.precision = "fp64";
      MachineProjection machine;
      machine.machine = "m";
      machine.name = "Machine";
      machine.memory = Level::DRAM;
      machine.seconds = 0.5;
      machine.flops_per_second = 1e12;
      machine.bytes_per_second = 4e11;
      for (const Region& region : profile.regions) {
        if (known_work(region).total() > 0 && region.kind != RegionKind::program) {
          ProjectedRegion projected;
          projected.region = region.id;
          projected.seconds = 0.1;
          projected.intensity = 0.2;
          machine.regions.push_back(projected);
        }
      }
      fields[field](machine, value);
      projection.machines = {machine};
      const std::string where = "field " + std::to_string(field) + " = " + fmt::format("{}", value);
      expect_sound(projection_chart(profile, projection), where);
      for (const TextStyle& style : styles()) {
        EXPECT_LT(projection_table(profile, projection, style).size(), kMostBytes) << where;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::render
