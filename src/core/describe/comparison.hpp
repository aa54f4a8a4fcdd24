// Fields of comparisons of results and of machines.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/value/comparison.hpp"

namespace ridge::describe {

template <>
struct Enumerators<Verdict> {
  static constexpr std::array values{
      Verdict::same,     Verdict::within_spread, Verdict::changed,       Verdict::one_run,
      Verdict::doubtful, Verdict::unknown,       Verdict::not_comparable};
};

template <>
struct Enumerators<MatchedBy> {
  static constexpr std::array values{MatchedBy::first, MatchedBy::position, MatchedBy::moved,
                                     MatchedBy::template_arguments, MatchedBy::renamed};
};

inline constexpr std::array<std::string_view, 8> kFigureUnits{
    "s", "flop", "op", "byte", "flop/s", "byte/s", "flop/byte", ""};
inline constexpr std::array<std::string_view, 4> kCeilingUnits{"flop/s", "op/s", "byte/s", "s"};
inline constexpr std::string_view kQuantities =
    "time, performance, flops, flops.fp64, intops, bytes, loaded, stored, entries, iterations, "
    "cpu_time, traffic.LEVEL, intensity.LEVEL, bandwidth.LEVEL";

template <>
struct Description<FigureValue> {
  static constexpr std::string_view name = "FigureValue";
  static constexpr std::string_view meaning = "the value of a quantity, with its spread";
  static ExactOrReal amount(const FigureValue& figure) {
    return figure.count ? ExactOrReal(*figure.count) : ExactOrReal(figure.value);
  }
  static constexpr auto fields = std::tuple{
      implied(&FigureValue::value),
      implied(&FigureValue::count),
      derived("value", &amount, "in unit", "counts are whole numbers", kNotNegative),
      field("low", &FigureValue::low, "in unit", "of the spread; absent: none, or not known",
            {.limits = kNotNegative}),
      field("high", &FigureValue::high, "in unit", "", {.limits = kNotNegative}),
      implied(&FigureValue::exact),
      field("origin", &FigureValue::origin, "", ""),
      field("doubtful", &FigureValue::doubtful, "", "why a change of it proves nothing")};
};
static_assert(is_complete<FigureValue>());

template <>
struct Description<RegionFigure> {
  static constexpr std::string_view name = "RegionFigure";
  static constexpr std::string_view meaning = "one quantity of a region";
  static constexpr auto fields =
      std::tuple{field("quantity", &RegionFigure::quantity, "", kQuantities, {.non_empty = true}),
                 field("unit", &RegionFigure::unit, "", "empty: a number", {.words = kFigureUnits}),
                 part<FigureValue>()};
};
static_assert(is_complete<RegionFigure>());

template <>
struct Description<Change> {
  static constexpr std::string_view name = "Change";
  static constexpr std::string_view meaning = "how one quantity of a loop changed";
  static constexpr auto fields = std::tuple{
      field("quantity", &Change::quantity, "", kQuantities, {.non_empty = true}),
      field("unit", &Change::unit, "", "of before and after", {.words = kFigureUnits}),
      field("before", &Change::before, "", ""),
      field("after", &Change::after, "", ""),
      field("ratio", &Change::ratio, "", "after / before", {.limits = kNotNegative}),
      field("verdict", &Change::verdict, "",
            "changed: by more than the spread; one-run: one measurement each, how far runs differ "
            "is not known")};
};
static_assert(is_complete<Change>());

template <>
struct Description<Place> {
  static constexpr std::string_view name = "Place";
  static constexpr std::string_view meaning = "a region of one result";
  static constexpr auto fields = std::tuple{
      field("result", &Place::result, "", "index into results", {.limits = kIndex}),
      field("region", &Place::region, "", "its id in that result"),
      field("name", &Place::name, "", ""),
      field("function", &Place::function, "", ""),
      field("file", &Place::file, "", ""),
      field("line", &Place::line, "", ""),
      field("threads", &Place::threads, "", "", {.limits = kAtLeastOne}),
      field("partial", &Place::partial, "",
            "it was cut midway: counts lag behind or run ahead of the end",
            {.absence = Absence::empty}),
      field("matched_by", &Place::matched_by, "", "how it was found from the place before"),
      field("limit", &Place::limit, "",
            "what bounds it by the roof of its code: compute, or a level"),
      field("ceiling", &Place::ceiling, "", "id of the ceiling that bounds it"),
      field("fraction", &Place::fraction, "", "of that bound", {.limits = kNotNegative}),
      field("figures", &Place::figures, "",
            "in a fixed order of quantities; what is unknown is "
            "absent")};
};
static_assert(is_complete<Place>());

template <>
struct Description<LoopStep> {
  static constexpr std::string_view name = "LoopStep";
  static constexpr std::string_view meaning = "the changes of a loop in one step";
  static constexpr auto fields =
      std::tuple{field("step", &LoopStep::step, "", "index into steps", {.limits = kIndex}),
                 field("changes", &LoopStep::changes, "", "")};
};
static_assert(is_complete<LoopStep>());

template <>
struct Description<ComparedLoop> {
  static constexpr std::string_view name = "ComparedLoop";
  static constexpr std::string_view meaning =
      "a loop, function, library or marker through all results that have it";
  static std::string last_name(const ComparedLoop& loop) { return loop.places.back().name; }
  static std::string last_function(const ComparedLoop& loop) { return loop.places.back().function; }
  static constexpr auto fields = std::tuple{
      field("kind", &ComparedLoop::kind, "", ""),
      derived("name", &last_name, "", "in the last result that has it"),
      field("label", &ComparedLoop::label, "",
            "unlike that of every other region of its kind: the brief name, where several have it "
            "with line and number",
            {.absence = Absence::empty}),
      derived("function", &last_function, "", "in the last result that has it"),
      field("places", &ComparedLoop::places, "", "a result in which it does not exist has no entry",
            {.least_items = 1}),
      field("steps", &ComparedLoop::steps, "", "those of which both ends have it")};
};
static_assert(is_complete<ComparedLoop>());

template <>
struct Description<ComparedResult> {
  static constexpr std::string_view name = "ComparedResult";
  static constexpr std::string_view meaning = "one of the results";
  static constexpr auto fields = std::tuple{
      field("label", &ComparedResult::label, "", "unique"),
      field("argv", &ComparedResult::argv, "", "of the program"),
      field("date", &ComparedResult::date, "", "ISO 8601, UTC"),
      field("machine", &ComparedResult::machine, "", "name"),
      field("host", &ComparedResult::host, "", ""),
      field("compiler", &ComparedResult::compiler, "", "and its flags"),
      field("processes", &ComparedResult::processes, "", "how many", {.limits = kIndex}),
      field("threads", &ComparedResult::threads, "", "most in a region", {.limits = kAtLeastOne}),
      field("seconds", &ComparedResult::seconds, "s", "wall time of the program",
            {.limits = kNotNegative}),
      field("exit_code", &ComparedResult::exit_code, "", "of the program"),
      field("signal", &ComparedResult::signal, "", "that ended the program", {.limits = kSignal}),
      field("levels", &ComparedResult::levels, "", "of its traffic, L1 outwards"),
      implied(&ComparedResult::traffic_floors)};
};
static_assert(is_complete<ComparedResult>());

template <>
struct Description<AmbiguousMatch> {
  static constexpr std::string_view name = "AmbiguousMatch";
  static constexpr std::string_view meaning =
      "regions that could be each other in more than one way: not compared";
  static constexpr auto fields =
      std::tuple{field("before", &AmbiguousMatch::before, "", "ids of regions"),
                 field("after", &AmbiguousMatch::after, "", "ids of regions"),
                 field("text", &AmbiguousMatch::text, "", "one sentence")};
};
static_assert(is_complete<AmbiguousMatch>());

template <>
struct Description<ComparedStep> {
  static constexpr std::string_view name = "ComparedStep";
  static constexpr std::string_view meaning = "from one result to another";
  static constexpr auto fields =
      std::tuple{field("from", &ComparedStep::from, "", "index into results", {.limits = kIndex}),
                 field("to", &ComparedStep::to, "", "index into results", {.limits = kIndex}),
                 field("times_comparable", &ComparedStep::times_comparable, "", "the same machine"),
                 field("traffic_comparable", &ComparedStep::traffic_comparable, "",
                       "simulated for the same caches"),
                 field("summary", &ComparedStep::summary, "", "one sentence"),
                 field("notes", &ComparedStep::notes, "", "other arguments, threads, machine ..."),
                 field("ambiguous", &ComparedStep::ambiguous, "", "")};
};
static_assert(is_complete<ComparedStep>());

template <>
struct Description<Comparison> {
  static constexpr std::string_view name = "Comparison";
  static constexpr std::string_view meaning = "what changed between results of one program";
  static constexpr auto fields = std::tuple{
      field("summary", &Comparison::summary, "", "one sentence, from the first to the last result"),
      field("results", &Comparison::results, "", "oldest first, as named on the command line",
            {.least_items = 2}),
      field("steps", &Comparison::steps, "",
            "from each result to the next; of more than two results also, as the last step, from "
            "the first to the last",
            {.least_items = 1}),
      field("program", &Comparison::program, "", "the whole program: the region of kind program"),
      field("loops", &Comparison::loops, "",
            "loops, functions, libraries and markers; longest time first")};
};
static_assert(is_complete<Comparison>());

template <>
struct Description<MachineComparison::Entry> {
  static constexpr std::string_view name = "ComparedMachine";
  static constexpr std::string_view meaning = "one of the machines";
  using Entry = MachineComparison::Entry;
  static constexpr auto fields = std::tuple{
      field("label", &Entry::label, "", "unique"),
      field("name", &Entry::name, "", ""),
      field("date", &Entry::date, "", "of the measurement: ISO 8601, UTC"),
      field("host", &Entry::host, "", ""),
      field("effort", &Entry::effort, "", "quick, standard or full"),
      field("cores", &Entry::cores, "", "", {.limits = kAtLeastOne}),
      field("threads", &Entry::threads, "", "hardware threads", {.limits = kAtLeastOne})};
};
static_assert(is_complete<MachineComparison::Entry>());

template <>
struct Description<ComparedCeiling::Value> {
  static constexpr std::string_view name = "CeilingValue";
  static constexpr std::string_view meaning = "a ceiling on one machine";
  using Value = ComparedCeiling::Value;
  static constexpr auto fields = std::tuple{
      field("machine", &Value::machine, "", "index into machines", {.limits = kIndex}),
      field("value", &Value::p90, "in unit", "p90 of the samples; of a latency the 10th percentile",
            {.limits = kPositive}),
      field("low", &Value::low, "in unit", "10th percentile", {.limits = kNotNegative}),
      field("high", &Value::high, "in unit", "90th percentile, or more", {.limits = kNotNegative}),
      field("samples", &Value::samples, "", ""),
      field("ratio", &Value::ratio, "", "to the first machine that has it, on which it is absent",
            {.limits = kPositive}),
      field("verdict", &Value::verdict, "", "of the ratio; there whenever that is", {},
            [](const Value& value) { return value.ratio.has_value(); })};
};
static_assert(is_complete<ComparedCeiling::Value>());

template <>
struct Description<ComparedCeiling> {
  static constexpr std::string_view name = "ComparedCeiling";
  static constexpr std::string_view meaning = "one ceiling on several machines";
  static constexpr auto fields = std::tuple{
      field("id", &ComparedCeiling::id, "", ""),
      field("unit", &ComparedCeiling::unit, "", "of value, low and high", {.words = kCeilingUnits}),
      field("values", &ComparedCeiling::values, "",
            "ascending machines; a machine without the ceiling has no entry", {.least_items = 1})};
};
static_assert(is_complete<ComparedCeiling>());

template <>
struct Description<MachineComparison> {
  static constexpr std::string_view name = "MachineComparison";
  static constexpr std::string_view meaning = "what machines reach, ceiling by ceiling";
  static constexpr auto fields =
      std::tuple{field("summary", &MachineComparison::summary, "", "one sentence"),
                 field("machines", &MachineComparison::machines, "", "", {.least_items = 2}),
                 field("ceilings", &MachineComparison::ceilings, "",
                       "in the order of the first machine that has them"),
                 field("notes", &MachineComparison::notes, "", "")};
};
static_assert(is_complete<MachineComparison>());

}  // namespace ridge::describe
