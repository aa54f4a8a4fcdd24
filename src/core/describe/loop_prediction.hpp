// Fields of how fast a loop can be before it has run.
#pragma once

#include <array>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/describe/overlap_rule.hpp"
#include "core/value/loop_prediction.hpp"

namespace ridge::describe {

template <>
struct Description<LoopLimit> {
  static constexpr std::string_view name = "LoopLimit";
  static constexpr std::string_view meaning =
      "the least time that one resource needs for an iteration";
  static constexpr auto fields =
      std::tuple{field("resource", &LoopLimit::resource, "",
                       "arithmetic, in-core, or the level whose bandwidth it is"),
                 field("ceiling", &LoopLimit::ceiling, "",
                       "id of the ceiling that says so; absent: the in-core model",
                       {.absence = Absence::empty}),
                 field("seconds", &LoopLimit::seconds, "s", "per iteration, all threads together",
                       {.limits = kPositive})};
};
static_assert(is_complete<LoopLimit>());

template <>
struct Description<LoopRoofline> {
  static constexpr std::string_view name = "LoopRoofline";
  static constexpr std::string_view meaning = "all resources at once: the slowest binds";
  static constexpr auto fields = std::tuple{
      field("binds", &LoopRoofline::binds, "", "resource of the limit that takes longest"),
      field("seconds", &LoopRoofline::seconds, "s", "per iteration, all threads together",
            {.limits = kPositive}),
      field("performance", &LoopRoofline::performance, "flop/s", "absent: the loop has no flops",
            {.limits = kPositive}),
      field("limits", &LoopRoofline::limits, "",
            "core first, then levels from the innermost outwards", {.least_items = 1})};
};
static_assert(is_complete<LoopRoofline>());

template <>
struct Description<EcmTransfer> {
  static constexpr std::string_view name = "EcmTransfer";
  static constexpr std::string_view meaning =
      "time of the lines that cross the boundary through which a level serves the one before it";
  static constexpr auto fields = std::tuple{
      field("level", &EcmTransfer::level, "", ""),
      field("cycles", &EcmTransfer::cycles, "cycle", "per iteration", {.limits = kNotNegative}),
      field("ceiling", &EcmTransfer::ceiling, "",
            "id of the ceiling nearest to its mix of reads and writes",
            {.absence = Absence::empty}),
      field("missing", &EcmTransfer::missing, "", "why it is not known",
            {.absence = Absence::empty})};
};
static_assert(is_complete<EcmTransfer>());

template <>
struct Description<EcmLevel> {
  static constexpr std::string_view name = "EcmLevel";
  static constexpr std::string_view meaning = "one core whose data come from this level";
  static constexpr auto fields = std::tuple{
      field("level", &EcmLevel::level, "", ""),
      field("cycles", &EcmLevel::cycles, "cycle", "per iteration", {.limits = kNotNegative}),
      field("performance", &EcmLevel::performance, "flop/s", "absent: the loop has no flops",
            {.limits = kPositive})};
};
static_assert(is_complete<EcmLevel>());

template <>
struct Description<EcmScaling> {
  static constexpr std::string_view name = "EcmScaling";
  static constexpr std::string_view meaning =
      "so many threads, each on a core of its own, with data from the outermost level";
  static constexpr auto fields =
      std::tuple{field("threads", &EcmScaling::threads, "", "", {.limits = kAtLeastOne}),
                 field("iterations_per_second", &EcmScaling::iterations_per_second, "1/s",
                       "of all of them", {.limits = kPositive}),
                 field("performance", &EcmScaling::performance, "flop/s",
                       "absent: the loop has no flops", {.limits = kPositive})};
};
static_assert(is_complete<EcmScaling>());

template <>
struct Description<EcmModel> {
  static constexpr std::string_view name = "EcmModel";
  static constexpr std::string_view meaning =
      "execution, caches and memory of one core; cycles are those of an iteration";
  static constexpr auto fields = std::tuple{
      field("overlap", &EcmModel::overlap, "", "which parts pass at the same time"),
      field("overlapping_cycles", &EcmModel::overlapping_cycles, "cycle",
            "T_OL: what works while lines are transferred", {.limits = kNotNegative}),
      field("transferring_cycles", &EcmModel::transferring_cycles, "cycle",
            "T_nOL: loads and stores between L1 and registers", {.limits = kNotNegative}),
      field("transfers", &EcmModel::transfers, "", "L2 first", {.absence = Absence::empty}),
      field("levels", &EcmModel::levels, "", "L1 first, up to the first transfer that is not known",
            {.least_items = 1}),
      field("saturated_cycles", &EcmModel::saturated_cycles, "cycle",
            "of the outermost transfer at the bandwidth that all cores draw together",
            {.limits = kPositive}),
      field("saturating_threads", &EcmModel::saturating_threads, "",
            "n_sat: the fewest that draw that bandwidth", {.limits = kAtLeastOne}),
      field("scaling", &EcmModel::scaling, "", "ascending thread counts",
            {.absence = Absence::empty})};
};
static_assert(is_complete<EcmModel>());

template <>
struct Description<LoopPrediction> {
  static constexpr std::string_view name = "LoopPrediction";
  static constexpr std::string_view meaning =
      "how fast the loop can be on a machine, by measured ceilings";
  static constexpr auto fields = std::tuple{
      field("machine", &LoopPrediction::machine, "", ""),
      field("threads", &LoopPrediction::threads, "", "of the rooflines", {.limits = kAtLeastOne}),
      field("clock", &LoopPrediction::clock, "Hz", "of a core", {.limits = kPositive}),
      field("iterations_per_line", &LoopPrediction::iterations_per_line, "",
            "iterations of the source that walk through one cache line", {.limits = kPositive}),
      field("naive", &LoopPrediction::naive, "",
            "roofline of the best arithmetic and the main memory alone"),
      field("hierarchical", &LoopPrediction::hierarchical, "",
            "roofline of the loop's own core time and every level"),
      field("ecm", &LoopPrediction::ecm, "", "absent: no in-core model, or no clock"),
      field("notes", &LoopPrediction::notes, "", "", {.absence = Absence::empty})};
};
static_assert(is_complete<LoopPrediction>());

}  // namespace ridge::describe
