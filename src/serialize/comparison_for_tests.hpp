// Small comparisons with every key that can be there.
#pragma once

#include "core/value/comparison.hpp"

namespace ridge::serialize {

/// Two results; one loop with one change, of 2^53 + 1 flop.
[[nodiscard]] inline Comparison comparison_for_tests() {
  constexpr std::uint64_t kOdd = 9007199254740993ULL;
  RegionFigure flops;
  flops.quantity = "flops";
  flops.unit = "flop";
  flops.value = 9007199254740993.0;
  flops.count = kOdd;
  flops.exact = true;
  flops.doubtful = "partial";
  const RegionFigure time{{Origin::measured, 0.5, {}, 0.4, 0.6, false, {}}, "time", "s"};
  Place place{0,
              7,
              "sweep",
              "sweep(int)",
              "a.cpp",
              12U,
              2,
              true,
              MatchedBy::first,
              "DRAM",
              "bandwidth.DRAM.load.avx512.t2",
              0.5,
              {flops, time}};
  ComparedLoop loop{RegionKind::loop, "sweep", {place, place}, {}};
  loop.places[1].result = 1;
  loop.places[1].matched_by = MatchedBy::position;
  loop.steps.push_back({0, {{"flops", "flop", flops, flops, 1.0, Verdict::same}}});
  Comparison comparison;
  const ComparedResult result{"a", {"./a", "1"}, "2026-01-31T12:00:00Z", "m", "h", "clang", 1,
                              2,   1.5,          {"L1", "DRAM"}};
  comparison.results = {result, result};
  comparison.results[1].label = "b";
  comparison.steps.push_back({0, 1, true, true, "as fast", {{"threads", "2"}}, {{{1}, {2}, "?"}}});
  comparison.program = loop;
  comparison.program->kind = RegionKind::program;
  comparison.loops = {loop};
  comparison.summary = "as fast";
  return comparison;
}

/// Two machines; a ceiling of both, half as fast again on the second, and one of the second alone.
[[nodiscard]] inline MachineComparison machine_comparison_for_tests() {
  MachineComparison comparison;
  comparison.machines = {{"a", "A", "2026-01-31T12:00:00Z", "h", "quick", 2, 4},
                         {"b", "B", "2026-01-31T12:00:00Z", {}, {}, 2, 4}};
  comparison.ceilings = {
      {"bandwidth.L2.load.avx2.t1",
       "byte/s",
       {{0, 2e9, 1e9, 3e9, 5, {}, Verdict::same}, {1, 3e9, 2e9, 4e9, 5, 1.5, Verdict::changed}}},
      {"latency.L2.chase.t1", "s", {{1, 3e-9, 2e-9, 4e-9, 5, {}, Verdict::same}}}};
  comparison.notes = {{"host", "other hosts"}};
  comparison.summary = "1.5x";
  return comparison;
}

}  // namespace ridge::serialize
