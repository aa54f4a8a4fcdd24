// What could be: the bounds of every region of a profile on a machine. Derived values: recomputed
// whenever a profile is read, never trusted from a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity/units.hpp"
#include "core/value/profile.hpp"

namespace ridge {

/// Unit of a bound: regions with work are bounded in flop/s, regions without in byte/s or intop/s.
enum class BoundUnit { flops_per_second, bytes_per_second, intops_per_second };
[[nodiscard]] std::string_view to_string(BoundUnit unit);  ///< "flop/s", "byte/s", "intop/s"

/// One bound by the roof rule (docs/contracts.md, section 3).
struct Bound {
  std::string ceiling;  ///< id of the ceiling that binds
  BoundUnit unit = BoundUnit::flops_per_second;
  double attainable = 0.0;  ///< in `unit`
  /// Performance / attainable; above 1 is kept and explained. By CPU time where the verdict is.
  std::optional<double> fraction;
  std::optional<std::string> next;  ///< id of the ceiling that binds once this one is lifted
  std::optional<double> next_attainable;

  friend bool operator==(const Bound&, const Bound&) = default;
};

/// What explains the time of a region; from `no_traffic` on: why nothing is said of it.
enum class VerdictKind {
  arithmetic,   ///< it reaches 30 % of this roof, or more
  bandwidth,    ///< ... of a level
  latency,      ///< it runs, far below every roof
  calls,        ///< functions whose work is not in the counts
  library,      ///< it is one
  blocked,      ///< no thread of it runs for most of the time
  asleep,       ///< its threads were seen asleep for most of the time
  kernel,       ///< most of its CPU time is spent in the kernel
  no_traffic,   ///< memory may bind it, and its traffic is not known
  no_roof,      ///< no ceiling for what it does
  few_samples,  ///< of its time
  partial,      ///< cut midway: its counts are not those of its time
};
[[nodiscard]] std::string_view to_string(VerdictKind kind);  ///< "arithmetic", "no-traffic"
[[nodiscard]] bool is_withheld(VerdictKind kind);
/// The time is not that of the region's own instructions, so no roof speaks of it: asleep, kernel.
[[nodiscard]] bool is_outside_code(VerdictKind kind);

struct RegionVerdict {
  VerdictKind kind = VerdictKind::no_roof;
  std::string resource;  ///< of arithmetic: "compute"; of bandwidth: the level; else empty
  std::string text;      ///< one sentence
  /// Threads waited for a CPU: fraction and gain go by the CPU time of the busiest thread.
  bool by_cpu_time = false;

  friend bool operator==(const RegionVerdict&, const RegionVerdict&) = default;
};

/// docs/findings.md lists codes, keys of the evidence and thresholds.
struct Finding {
  std::string code;  ///< "scalar-flops"
  std::string text;  ///< one sentence
  std::map<std::string, double> evidence;
  /// How many times as fast the region becomes without this (1 = nothing is gained), where a model
  /// says so: the upper end of its interval.
  std::optional<double> gain;
  std::optional<Origin> origin = std::nullopt;  ///< of the weakest part of the evidence
  /// The lower end, with `gain` only; absent: the model gives one figure.
  std::optional<double> gain_least = std::nullopt;
  /// How many times as fast the whole program becomes (Amdahl) at the upper end, where that is
  /// known.
  std::optional<double> gain_program = std::nullopt;
  /// What `gain` assumes; without one, why there is none.
  std::optional<std::string> gain_note = std::nullopt;
  /// Nothing without this can be faster than `gain` says; else it is an estimate.
  bool gain_is_bound = false;

  friend bool operator==(const Finding&, const Finding&) = default;
};

struct RegionPrediction {
  std::uint32_t region = 0;      ///< Region::id
  std::optional<Bound> code;     ///< with its own mix of operations, widths and threads
  std::optional<Bound> machine;  ///< best ISA, balanced mix, all cores
  /// With the next lower and the next higher measured thread count, when the region's own thread
  /// count was not measured. Otherwise empty.
  std::vector<Bound> code_at_neighbouring_threads;
  std::vector<Note> notes;               ///< above its roof and why, model_contradiction, ...
  std::optional<RegionVerdict> verdict;  ///< nullopt: no time
  /// How many times as fast the whole program were if the region reached the roof of its code
  /// (Amdahl); nullopt where that roof or the time is not known well enough.
  std::optional<double> gain;
  std::vector<Finding> findings;  ///< what is in the way: doubt about the roof first, then by gain

  friend bool operator==(const RegionPrediction&, const RegionPrediction&) = default;
};

/// How many times as fast: between both.
struct SpeedUp {
  double low = 1.0;
  double high = 1.0;

  friend bool operator==(const SpeedUp&, const SpeedUp&) = default;
};

/// A change that is worth trying, over all regions that it helps.
struct NextStep {
  std::optional<std::uint32_t> region;  ///< that it helps most; nullopt: the program as a whole
  std::string code;    ///< of the finding behind it; docs/findings.md lists the others
  std::string where;   ///< "EvalEOSForElems (lulesh.cc:2239)"
  std::string reason;  ///< what is in the way: part of a sentence
  std::string remedy;  ///< what to do: part of a sentence
  /// Of the whole program, from this step alone, of the time that the steps before it leave;
  /// nullopt: not known.
  std::optional<SpeedUp> gain_program;
  bool is_bound = false;  ///< nothing can exceed `gain_program`; else it is an estimate
  std::optional<std::string> assumes;  ///< what `gain_program` holds under
  std::vector<std::uint32_t> regions;  ///< all that the same remedy helps, `region` first

  friend bool operator==(const NextStep&, const NextStep&) = default;
};

inline constexpr std::size_t kMostNextSteps = 5;

/// What the interconnect allows a program of several ranks. Messages are sends, and the collective
/// operations that ranks take part in.
struct CommunicationBound {
  std::uint64_t messages = 0;                 ///< of all ranks
  std::uint64_t bytes = 0;                    ///< that all ranks give to these
  std::optional<double> flops_per_byte;       ///< flops of all ranks over `bytes`
  BytesPerSecond bandwidth{};                 ///< of all ranks at once
  Seconds latency{};                          ///< of one message
  std::optional<FlopsPerSecond> roof;         ///< flops_per_byte x bandwidth
  std::optional<FlopsPerSecond> performance;  ///< of all ranks together
  Seconds least_seconds{};                    ///< that its messages take a rank, on average
  std::optional<Seconds> transfer_seconds;  ///< that a rank was in MPI and not waiting, on average
  bool partial = false;                     ///< of some calls the bytes are not known

  friend bool operator==(const CommunicationBound&, const CommunicationBound&) = default;
};

struct Prediction {
  std::vector<RegionPrediction> regions;  ///< one per region of the profile, same order
  /// What was in the way (a busy machine), what binds the program, what to look at next.
  std::string summary;
  /// The first part of `summary`: what was in the way, and what binds the program.
  std::string verdict;
  /// At most kMostNextSteps, by what the program gains.
  std::vector<NextStep> next_steps;
  std::optional<CommunicationBound> communication;  ///< absent: calls or interconnect are unknown

  friend bool operator==(const Prediction&, const Prediction&) = default;
};

/// None without a prediction.
[[nodiscard]] const std::vector<Finding>& findings_of(const RegionPrediction* prediction);

/// Whether its verdict says so; not without a prediction.
[[nodiscard]] bool is_outside_code(const RegionPrediction* prediction);

/// nullptr when there is none.
[[nodiscard]] const RegionPrediction* find_prediction(const Prediction& prediction,
                                                      std::uint32_t region);

}  // namespace ridge
