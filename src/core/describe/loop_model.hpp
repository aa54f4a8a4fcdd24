// Fields of what is known of a loop before it runs.
#pragma once

#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/loop_prediction.hpp"
#include "core/describe/note.hpp"
#include "core/value/loop_model.hpp"

namespace ridge::describe {

template <>
struct Enumerators<TrafficMethod> {
  static constexpr std::array values =
      values_of(kTrafficMethodTable, &std::pair<TrafficMethod, std::string_view>::first);
};

template <>
struct Description<ModelledLoop> {
  static constexpr std::string_view name = "ModelledLoop";
  static constexpr std::string_view meaning = "one loop of a nest";
  static constexpr auto fields = std::tuple{
      field("counter", &ModelledLoop::counter, "", "variable of the source"),
      field("first", &ModelledLoop::first, "", "first value of the counter"),
      field("step", &ModelledLoop::step, "", "of the counter"),
      field("trips", &ModelledLoop::trips, "",
            "iterations each time that it is entered, in parameters; absent: not known before "
            "it runs",
            {.absence = Absence::empty}),
      field("iterations", &ModelledLoop::iterations, "", "the same with the values"),
      field("line", &ModelledLoop::line, "", "absent: unknown", {.absence = Absence::usual})};
};
static_assert(is_complete<ModelledLoop>());

template <>
struct Description<ModelledAccess> {
  static constexpr std::string_view name = "ModelledAccess";
  static constexpr std::string_view meaning = "one load or store of an iteration";
  static constexpr auto fields = std::tuple{
      field("text", &ModelledAccess::text, "", "read a[N*j + i - 1]"),
      field("array", &ModelledAccess::array, "", "variable of the source"),
      field("bytes", &ModelledAccess::bytes, "byte", "of one element"),
      field("is_write", &ModelledAccess::is_write, "", ""),
      field("is_indirect", &ModelledAccess::is_indirect, "",
            "its address depends on what the loop reads", {.absence = Absence::usual}),
      field("is_conditional", &ModelledAccess::is_conditional, "", "not in every iteration",
            {.absence = Absence::usual}),
      field("line", &ModelledAccess::line, "", "absent: unknown", {.absence = Absence::usual})};
};
static_assert(is_complete<ModelledAccess>());

template <>
struct Description<ModelledOperation> {
  static constexpr std::string_view name = "ModelledOperation";
  static constexpr std::string_view meaning = "what an iteration of the innermost loop computes";
  static constexpr auto fields =
      std::tuple{field("what", &ModelledOperation::what, "",
                       "add, mul, fma, div, sqrt, or the function that is called"),
                 field("precision", &ModelledOperation::precision, "", "absent: of a call",
                       {.absence = Absence::empty}),
                 field("count", &ModelledOperation::count, "", "of an iteration"),
                 field("is_conditional", &ModelledOperation::is_conditional, "",
                       "not in every iteration", {.absence = Absence::usual})};
};
static_assert(is_complete<ModelledOperation>());

template <>
struct Description<ReuseCondition> {
  static constexpr std::string_view name = "ReuseCondition";
  static constexpr std::string_view meaning =
      "a layer condition: which reuse a cache can hold; of a level the first that holds counts";
  static constexpr auto fields = std::tuple{
      field("level", &ReuseCondition::level, "", ""),
      field("condition", &ReuseCondition::condition, "", "absent: nothing need be held",
            {.absence = Absence::empty}),
      field("holds", &ReuseCondition::holds, "", "with the values of the parameters"),
      field("hits", &ReuseCondition::hits, "", "accesses that the level serves where it holds"),
      field("misses", &ReuseCondition::misses, "", "accesses whose line comes from beyond"),
      field("symbol", &ReuseCondition::symbol, "", "of the size that decides"),
      field("up_to", &ReuseCondition::up_to, "",
            "greatest value of the symbol for which the condition is true")};
};
static_assert(is_complete<ReuseCondition>());

template <>
struct Description<CrossingTraffic> {
  static constexpr std::string_view name = "CrossingTraffic";
  static constexpr std::string_view meaning =
      "what crosses the boundary through which a level serves the one before it, per iteration";
  static constexpr auto fields = std::tuple{
      field("level", &CrossingTraffic::level, "", ""),
      field("read", &CrossingTraffic::read, "byte", "towards the core", {.limits = kNotNegative}),
      field("written", &CrossingTraffic::written, "byte", "away from it",
            {.limits = kNotNegative})};
};
static_assert(is_complete<CrossingTraffic>());

template <>
struct Description<ModelledTraffic> {
  static constexpr std::string_view name = "ModelledTraffic";
  static constexpr std::string_view meaning = "traffic between the levels, by one method";
  static constexpr auto fields = std::tuple{
      field("method", &ModelledTraffic::method, "", ""),
      field("crossings", &ModelledTraffic::crossings, "", "L2 first"),
      field("relative_error", &ModelledTraffic::relative_error, "",
            "of a simulation that looked at a part of the iterations", {.limits = kNotNegative}),
      field("notes", &ModelledTraffic::notes, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<ModelledTraffic>());

template <>
struct Description<BlockingAdvice> {
  static constexpr std::string_view name = "BlockingAdvice";
  static constexpr std::string_view meaning =
      "a block size that makes a broken layer condition true again";
  static constexpr auto fields = std::tuple{
      field("level", &BlockingAdvice::level, "", "whose condition it restores"),
      field("loop", &BlockingAdvice::loop, "", "counter of the loop to be cut into blocks"),
      field("block", &BlockingAdvice::block, "", "iterations of a block, at most"),
      field("bytes_saved", &BlockingAdvice::bytes_saved, "byte",
            "per iteration, across the boundary below the level", {.limits = kNotNegative})};
};
static_assert(is_complete<BlockingAdvice>());

template <>
struct Description<PortUse> {
  static constexpr std::string_view name = "PortUse";
  static constexpr std::string_view meaning = "how long a port is busy for one pass of the loop";
  static constexpr auto fields =
      std::tuple{field("port", &PortUse::port, "", "as the model of the processor calls it"),
                 field("cycles", &PortUse::cycles, "cycle", "", {.limits = kNotNegative})};
};
static_assert(is_complete<PortUse>());

template <>
struct Description<InCoreModel> {
  static constexpr std::string_view name = "InCoreModel";
  static constexpr std::string_view meaning =
      "how the compiled loop flows through one core with all data in L1; cycles are those of one "
      "pass of the machine loop";
  static constexpr auto fields = std::tuple{
      field("microarchitecture", &InCoreModel::microarchitecture, "", "whose data were taken"),
      field("compiler", &InCoreModel::compiler, "", "with flags, or the file that holds the code"),
      field("address", &InCoreModel::address, "", "of the loop in its file"),
      field("instructions", &InCoreModel::instructions, "", "of a pass"),
      field("iterations_per_pass", &InCoreModel::iterations_per_pass, "",
            "iterations of the source that a pass does", {.limits = kPositive}),
      field("cycles", &InCoreModel::cycles, "cycle", "all limits together",
            {.limits = kNotNegative}),
      field("port_cycles", &InCoreModel::port_cycles, "cycle", "of the busiest port",
            {.limits = kNotNegative}),
      field("chain_cycles", &InCoreModel::chain_cycles, "cycle",
            "of the longest chain from one pass to the next", {.limits = kNotNegative}),
      field("front_end_cycles", &InCoreModel::front_end_cycles, "cycle", "to decode and rename",
            {.limits = kNotNegative}),
      field("overlapping_cycles", &InCoreModel::overlapping_cycles, "cycle",
            "T_OL: what works while lines are transferred", {.limits = kNotNegative}),
      field("transferring_cycles", &InCoreModel::transferring_cycles, "cycle",
            "T_nOL: loads and stores between L1 and registers", {.limits = kNotNegative}),
      field("ports", &InCoreModel::ports, "", ""),
      field("unknown", &InCoreModel::unknown, "", "instructions that nothing is known of",
            {.absence = Absence::empty}),
      field("notes", &InCoreModel::notes, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<InCoreModel>());

template <>
struct Description<LoopMeasurement> {
  static constexpr std::string_view name = "LoopMeasurement";
  static constexpr std::string_view meaning =
      "what the loop's function took when it ran, again and again, with arrays of these sizes";
  static constexpr auto fields = std::tuple{
      field("iterations", &LoopMeasurement::iterations, "", "of the innermost loop, in a call"),
      field("seconds", &LoopMeasurement::seconds, "s", "of a call"),
      field("cycles", &LoopMeasurement::cycles, "cycle", "of a call"),
      field("notes", &LoopMeasurement::notes, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<LoopMeasurement>());

template <>
struct Description<LoopModel> {
  static constexpr std::string_view name = "LoopModel";
  static constexpr std::string_view meaning =
      "one nest at one size; all figures per iteration of the innermost loop";
  static constexpr auto fields =
      std::tuple{field("function", &LoopModel::function, "", ""),
                 field("file", &LoopModel::file, "", ""),
                 field("loops", &LoopModel::loops, "", "outermost first", {.least_items = 1}),
                 field("accesses", &LoopModel::accesses, "", ""),
                 field("operations", &LoopModel::operations, "", ""),
                 field("values", &LoopModel::values, "", "of the parameters"),
                 field("conditions", &LoopModel::conditions, "",
                       "level by level, fewest misses first", {.absence = Absence::empty}),
                 field("traffic", &LoopModel::traffic, "", "one of each method that was asked for",
                       {.absence = Absence::empty}),
                 field("blocking", &LoopModel::blocking, "", "", {.absence = Absence::empty}),
                 field("in_core", &LoopModel::in_core, "", ""),
                 field("predictions", &LoopModel::predictions, "", "one for each machine",
                       {.absence = Absence::empty}),
                 field("measured", &LoopModel::measured, "", "with --run"),
                 field("notes", &LoopModel::notes, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<LoopModel>());

template <>
struct Description<LoopModels> {
  static constexpr std::string_view name = "LoopModels";
  static constexpr std::string_view meaning = "what ridge model knows of the loops of a file";
  static constexpr auto fields =
      std::tuple{field("ridge_version", &LoopModels::ridge_version, "", ""),
                 field("date", &LoopModels::date, "", "ISO 8601, UTC"),
                 field("source", &LoopModels::source, "", "file"),
                 field("machine", &LoopModels::machine, "", "whose caches were taken"),
                 field("models", &LoopModels::models, "", "nest by nest, size by size")};
};
static_assert(is_complete<LoopModels>());

}  // namespace ridge::describe
