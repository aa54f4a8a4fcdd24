// What changed between results of a program, loop by loop, and between machines, ceiling by
// ceiling.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity/level.hpp"
#include "core/quantity/estimate.hpp"
#include "core/value/note.hpp"
#include "core/value/profile.hpp"

namespace ridge {

/// The value of a quantity. What its spread is: docs/decisions/0131-spread-of-a-change.md.
struct FigureValue {
  Origin origin = Origin::counted;
  double value = 0.0;
  std::optional<std::uint64_t> count;  ///< of integers: exact, also beyond 2^53
  /// Interval of the spread; absent: none (counts), or not known (one measurement).
  std::optional<double> low;
  std::optional<double> high;
  bool exact = false;                   ///< without spread: any change is one
  std::optional<std::string> doubtful;  ///< why it proves nothing: "sampled-edge", "partial" ...

  friend bool operator==(const FigureValue&, const FigureValue&) = default;
};

/// One quantity of a region.
struct RegionFigure : FigureValue {
  std::string quantity;  ///< "time", "flops", "flops.fp64", "traffic.DRAM", "intensity.L2" ...
  std::string unit;      ///< "s", "flop", "byte", "flop/s", "flop/byte"; empty: a number

  friend bool operator==(const RegionFigure&, const RegionFigure&) = default;
};

enum class Verdict {
  same,            ///< equal
  within_spread,   ///< the intervals overlap
  changed,         ///< more than the spread
  one_run,         ///< differs, but is one measurement each: how far runs differ is not known
  doubtful,        ///< differs, but one of the two may be wrong by more: FigureValue::doubtful
  unknown,         ///< known on one side only
  not_comparable,  ///< other machine (times), other caches (traffic)
};
/// "same", "within-spread", "changed", "one-run", "doubtful", "unknown", "not-comparable".
[[nodiscard]] std::string_view to_string(Verdict verdict);

struct Change {
  std::string quantity;
  std::string unit;
  std::optional<FigureValue> before;
  std::optional<FigureValue> after;
  /// after / before; absent where one is unknown or not comparable, or `before` is 0.
  std::optional<double> ratio;
  Verdict verdict = Verdict::unknown;

  friend bool operator==(const Change&, const Change&) = default;
};

/// How a place was found from the one before it.
enum class MatchedBy {
  first,               ///< nothing before it
  position,            ///< function, name and order within it
  moved,               ///< the same function, inlined elsewhere
  template_arguments,  ///< the function but for template arguments and parameters
  renamed,             ///< another function with loops of the same shape or with exactly its work
};
/// "first", "position", "moved", "template-arguments", "renamed".
[[nodiscard]] std::string_view to_string(MatchedBy how);

/// A region of one result.
struct Place {
  std::size_t result = 0;    ///< index into Comparison::results
  std::uint32_t region = 0;  ///< Region::id there
  std::string name;
  std::string function;
  std::optional<std::string> file;
  std::optional<unsigned> line;
  unsigned threads = 1;
  bool partial = false;  ///< Region::partial
  MatchedBy matched_by = MatchedBy::first;
  /// What bounds it by the roof of its code: "compute", or the name of a level; absent: unknown.
  std::optional<std::string> limit;
  std::optional<std::string> ceiling;
  std::optional<double> fraction;     ///< of that bound
  std::vector<RegionFigure> figures;  ///< in a fixed order of quantities; unknown ones are absent

  friend bool operator==(const Place&, const Place&) = default;
};
[[nodiscard]] const RegionFigure* find_figure(const Place& place, std::string_view quantity);

/// The changes of a loop in one step.
struct LoopStep {
  std::size_t step = 0;  ///< index into Comparison::steps
  std::vector<Change> changes;

  friend bool operator==(const LoopStep&, const LoopStep&) = default;
};

/// One loop (function, library, marker) through all results that have it.
struct ComparedLoop {
  RegionKind kind = RegionKind::loop;
  /// Unlike that of every other one of its kind: the brief name where it stands last; where several
  /// have that name "name:line", and where that is not enough "name:line#1".
  std::string label = {};
  std::vector<Place> places;  ///< ascending results, at most one each, at least one in all
  std::vector<LoopStep> steps;

  friend bool operator==(const ComparedLoop&, const ComparedLoop&) = default;
};
/// nullptr: the loop is not in this result.
[[nodiscard]] const Place* find_place(const ComparedLoop& loop, std::size_t result);
/// nullptr: one end of the step has no such loop.
[[nodiscard]] const LoopStep* find_step(const ComparedLoop& loop, std::size_t step);
[[nodiscard]] const Change* find_change(const LoopStep& step, std::string_view quantity);

struct ComparedResult {
  std::string label;  ///< unique
  std::vector<std::string> argv;
  std::string date;
  std::string machine;
  std::optional<std::string> host;
  std::optional<std::string> compiler;
  std::size_t processes = 0;
  unsigned threads = 1;           ///< most in a region
  std::optional<double> seconds;  ///< wall time of the program
  std::vector<Level> levels;      ///< of its traffic, L1 outwards
  std::optional<int> exit_code = std::nullopt;
  std::optional<int> signal = std::nullopt;
  /// By level, of traffic below the first one: what it may differ by although nothing changed
  /// (docs/decisions/0166-floors-of-gates.md); a level that is not there: unknown.
  std::map<Level, std::uint64_t> traffic_floors = {};

  friend bool operator==(const ComparedResult&, const ComparedResult&) = default;
};

/// Regions that could be each other in more than one way: not compared.
struct AmbiguousMatch {
  std::vector<std::uint32_t> before;  ///< Region::id
  std::vector<std::uint32_t> after;
  std::string text;

  friend bool operator==(const AmbiguousMatch&, const AmbiguousMatch&) = default;
};

/// From one result to another: the next one, or from the first to the last.
struct ComparedStep {
  std::size_t from = 0;
  std::size_t to = 1;
  bool times_comparable = true;    ///< the same machine
  bool traffic_comparable = true;  ///< the same caches
  std::string summary;             ///< one sentence
  std::vector<Note> notes;         ///< other arguments, threads, machine ...
  std::vector<AmbiguousMatch> ambiguous;

  friend bool operator==(const ComparedStep&, const ComparedStep&) = default;
};

struct Comparison {
  std::vector<ComparedResult> results;  ///< at least two, oldest first
  /// From each result to the next; of more than two results also from the first to the last.
  std::vector<ComparedStep> steps;
  std::optional<ComparedLoop> program;  ///< the region of kind `program`
  std::vector<ComparedLoop> loops;      ///< longest time first
  std::string summary;                  ///< of the step from the first to the last

  friend bool operator==(const Comparison&, const Comparison&) = default;
};
/// The step from the first to the last result: the last one.
[[nodiscard]] const ComparedStep& overall_step(const Comparison& comparison);

/// Loops that only one end of a step has, and those that could not be told apart.
struct LoopLists {
  std::vector<const ComparedLoop*> added;
  std::vector<const ComparedLoop*> vanished;
  std::vector<const ComparedLoop*> ambiguous;  ///< of either end
};
[[nodiscard]] LoopLists lists_of(const Comparison& comparison, std::size_t step);
LoopLists lists_of(Comparison&&, std::size_t) = delete;  // it points into it

/// One ceiling on several machines.
struct ComparedCeiling {
  struct Value {
    std::size_t machine = 0;
    double p90 = 0.0;  ///< of a latency the low
    double low = 0.0;
    double high = 0.0;
    std::uint64_t samples = 0;
    std::optional<double> ratio;      ///< to the first machine that has it; absent on that one
    Verdict verdict = Verdict::same;  ///< of that ratio; same on the first

    friend bool operator==(const Value&, const Value&) = default;
  };
  std::string id;
  std::string unit;
  std::vector<Value> values;  ///< ascending machines; a machine without the ceiling has no entry

  friend bool operator==(const ComparedCeiling&, const ComparedCeiling&) = default;
};

struct MachineComparison {
  struct Entry {
    std::string label;  ///< unique
    std::string name;
    std::string date;
    std::optional<std::string> host;
    std::optional<std::string> effort;
    std::optional<unsigned> cores;
    std::optional<unsigned> threads;

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  std::vector<Entry> machines;
  std::vector<ComparedCeiling> ceilings;  ///< in the order of the first machine that has them
  std::vector<Note> notes;
  std::string summary;

  friend bool operator==(const MachineComparison&, const MachineComparison&) = default;
};

}  // namespace ridge
