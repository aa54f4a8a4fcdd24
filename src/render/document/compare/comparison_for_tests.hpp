// A comparison made by hand: a loop that became faster, one that did not change, one of each end.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "core/value/comparison.hpp"

namespace ridge::render::fixture {

inline RegionFigure exact(const std::string& quantity, const std::string& unit,
                          std::uint64_t value) {
  RegionFigure figure;
  figure.quantity = quantity;
  figure.unit = unit;
  figure.value = static_cast<double>(value);
  figure.count = value;
  figure.exact = true;
  return figure;
}

inline RegionFigure real(const std::string& quantity, const std::string& unit, double value,
                         double spread = 0.0) {
  RegionFigure figure;
  figure.quantity = quantity;
  figure.unit = unit;
  figure.value = value;
  figure.origin = Origin::measured;
  if (spread > 0.0) {
    figure.low = value * (1.0 - spread);
    figure.high = value * (1.0 + spread);
  }
  return figure;
}

inline Place place(std::size_t result, const std::string& name, unsigned line, double seconds,
                   std::uint64_t flops, std::uint64_t dram, const std::string& limit) {
  Place made;
  made.result = result;
  made.region = line;
  made.name = name;
  made.function = name;
  made.file = "heat.cpp";
  made.line = line;
  made.limit = limit;
  made.fraction = 0.5;
  made.matched_by = result == 0 ? MatchedBy::first : MatchedBy::position;
  made.figures = {
      real("time", "s", seconds, 0.05),
      real("performance", "flop/s", static_cast<double>(flops) / seconds, 0.05),
      exact("flops", "flop", flops),
      exact("bytes", "byte", 8 * flops),
      exact("traffic.L2", "byte", 6 * flops),
      exact("traffic.DRAM", "byte", dram),
      real("intensity.DRAM", "flop/byte", static_cast<double>(flops) / static_cast<double>(dram))};
  return made;
}

inline Change change(const RegionFigure& before, const RegionFigure& after) {
  Change made;
  made.quantity = before.quantity;
  made.unit = before.unit;
  made.before = before;
  made.after = after;
  made.ratio = after.value / before.value;
  const bool apart = before.low && (after.high < before.low || before.high < after.low);
  made.verdict = before.value == after.value ? Verdict::same
                 : before.low && !apart      ? Verdict::within_spread
                                             : Verdict::changed;
  return made;
}

inline LoopStep step(std::size_t index, const Place& before, const Place& after) {
  LoopStep made;
  made.step = index;
  for (std::size_t i = 0; i < before.figures.size(); ++i) {
    made.changes.push_back(change(before.figures[i], after.figures[i]));
  }
  return made;
}

/// A name with markup and control characters: it comes from a measured program.
inline constexpr const char* kHostileName = "</script><b>|`x`\x1b[31m=1+1";

/// `results`: 2 or 3. In the third nothing changes.
inline Comparison comparison(std::size_t results = 2) {
  Comparison made;
  for (const char* label : {"before", "after", "later"}) {
    if (made.results.size() < results) {
      made.results.push_back({label,
                              {"./heat"},
                              "2026-01-31T12:00:00Z",
                              "Zen 4",
                              {},
                              {},
                              1,
                              2,
                              2.0,
                              {"L1", "L2", "DRAM"}});
    }
  }
  for (std::size_t i = 0; i + 1 < results; ++i) {
    made.steps.push_back(
        {i, i + 1, true, true, "1.9x faster", {{"other-threads", "1 against 2"}}, {}});
  }
  if (results > 2) {
    made.steps.push_back({0, results - 1, true, true, "1.9x faster in all", {}, {}});
  }
  const auto with_steps = [&](ComparedLoop loop) {
    for (std::size_t i = 0; i < made.steps.size(); ++i) {
      const Place* before = find_place(loop, made.steps[i].from);
      const Place* after = find_place(loop, made.steps[i].to);
      if (before != nullptr && after != nullptr) {
        loop.steps.push_back(step(i, *before, *after));
      }
    }
    return loop;
  };
  ComparedLoop sweep;
  sweep.places = {place(0, "sweep", 36, 1.9, 10'000'000'000, 40'000'000'000, "DRAM"),
                  place(1, "sweep", 38, 1.0, 10'000'000'000, 20'800'000'000, "L2")};
  ComparedLoop norm;
  norm.places = {place(0, "norm", 60, 0.10, 1'000'000'000, 800'000'000, "DRAM"),
                 place(1, "norm", 64, 0.102, 1'000'000'000, 800'000'000, "DRAM")};
  if (results > 2) {
    sweep.places.push_back(sweep.places[1]);
    sweep.places.back().result = 2;
    norm.places.push_back(norm.places[1]);
    norm.places.back().result = 2;
  }
  ComparedLoop gone;
  gone.places = {place(0, "old_loop", 70, 0.05, 5'000'000, 1'000'000, "L2")};
  ComparedLoop added;
  added.places = {place(1, kHostileName, 80, 0.04, 5'000'000, 1'000'000, "compute")};
  made.program = with_steps(sweep);
  made.program->kind = RegionKind::program;
  made.loops = {with_steps(sweep), with_steps(norm), with_steps(gone), with_steps(added)};
  made.summary =
      "1.9x faster (1.00 s, 1.90 s before): sweep moved from DRAM-bound to L2-bound, takes 47 % "
      "less time; its traffic at DRAM fell by 48 %";
  return made;
}

inline MachineComparison machine_comparison() {
  MachineComparison made;
  made.machines = {{"one", "Zen 4", "2026-01-31T12:00:00Z", {}, "quick", 2, 2},
                   {"two", "Zen 5", "2026-01-31T12:00:00Z", {}, "quick", 2, 2}};
  made.ceilings = {{"bandwidth.DRAM.load.avx512.t2",
                    "byte/s",
                    {{0, 4e10, 3.9e10, 4e10, 9, {}, Verdict::same},
                     {1, 6e10, 5.9e10, 6e10, 9, 1.5, Verdict::changed}}},
                   {"latency.L2.chase.t1", "s", {{1, 3e-9, 3e-9, 4e-9, 9, {}, Verdict::same}}}};
  made.notes = {{"missing", "one lacks 1 of 2 ceilings"}};
  made.summary = "two against one: 1 ceilings in common";
  return made;
}

}  // namespace ridge::render::fixture
