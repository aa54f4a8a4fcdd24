// Fields of how a region did its work: accesses, chains, lines, threads.
#pragma once

#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/value/derived.hpp"
#include "core/value/line_behaviour.hpp"
#include "core/value/profile.hpp"
#include "core/value/thread_work.hpp"

namespace ridge::describe {

template <>
struct Description<SampledTime> {
  static constexpr std::string_view name = "SampledTime";
  static constexpr std::string_view meaning =
      "a sampled time: low <= value <= high, its 80 % interval";
  static constexpr auto fields =
      std::tuple{field("value", &SampledTime::value, "s", "", {.limits = kNotNegative}),
                 field("low", &SampledTime::low, "s", "", {.limits = kNotNegative}),
                 field("high", &SampledTime::high, "s", "", {.limits = kNotNegative}),
                 field("samples", &SampledTime::samples, "",
                       "that saw it; 0: measured as a whole, not sampled")};
};
static_assert(is_complete<SampledTime>());

template <>
struct Description<Imbalance> {
  static constexpr std::string_view name = "Imbalance";
  static constexpr std::string_view meaning = "how unevenly threads share a region";
  static constexpr auto fields =
      std::tuple{field("quantity", &Imbalance::quantity, "", "what is shared"),
                 field("max_over_mean", &Imbalance::max_over_mean, "",
                       "1: even; the number of threads: one did all", {.limits = kAtLeastOne}),
                 field("threads", &Imbalance::threads, "", "", {.limits = kAtLeastOne})};
};
static_assert(is_complete<Imbalance>());

template <>
struct Description<RegionImbalance> {
  static constexpr std::string_view name = "RegionImbalance";
  static constexpr std::string_view meaning = "of the work and of the CPU time of thread_work";
  static constexpr auto fields =
      std::tuple{field("work", &RegionImbalance::work, "", "of flops, else bytes, else iterations"),
                 field("cpu", &RegionImbalance::cpu, "", "of the CPU time")};
};
static_assert(is_complete<RegionImbalance>());

template <>
struct Description<ThreadWork> {
  static constexpr std::string_view name = "ThreadWork";
  static constexpr std::string_view meaning =
      "what one thread did in the region itself, without inner ones";
  static constexpr auto fields = std::tuple{
      field("thread", &ThreadWork::thread, "",
            "in order of creation, from 0; threads that follow one another may share a number"),
      field("flops", &ThreadWork::flops, "flop", ""),
      field("bytes", &ThreadWork::bytes, "byte", "loaded and stored"),
      field("iterations", &ThreadWork::iterations, "", "of a loop, else 0"),
      field("cpu_seconds", &ThreadWork::cpu_seconds, "s", "")};
};
static_assert(is_complete<ThreadWork>());

template <>
struct Description<MissCurvePoint> {
  static constexpr std::string_view name = "MissCurvePoint";
  static constexpr std::string_view meaning = "what one capacity would leave to read from below";
  static constexpr auto fields =
      std::tuple{field("capacity_bytes", &MissCurvePoint::capacity_bytes, "byte", ""),
                 field("misses_bytes", &MissCurvePoint::misses_bytes, "byte", "")};
};
static_assert(is_complete<MissCurvePoint>());

template <>
struct Description<LineSharing> {
  static constexpr std::string_view name = "LineSharing";
  static constexpr std::string_view meaning =
      "lines that two or more cores write within the region at about the same time";
  static constexpr auto fields = std::tuple{
      field("lines", &LineSharing::lines, "", ""),
      field("falsely", &LineSharing::falsely, "",
            "of these: only different words were seen written"),
      field("truly", &LineSharing::truly, "", "of these: the same word was seen written"),
      field("invalidations", &LineSharing::invalidations, "",
            "writes that took away a copy that another core had taken shortly before"),
      field("turns", &LineSharing::turns, "",
            "of the simulated cores in the region, while lines were watched: a line changes hands "
            "at most once in each")};
};
static_assert(is_complete<LineSharing>());

template <>
struct Description<AccessTerm> {
  static constexpr std::string_view name = "AccessTerm";
  static constexpr std::string_view meaning =
      "bytes loaded or stored with one pattern of addresses";
  static constexpr auto fields = std::tuple{
      field("pattern", &AccessTerm::pattern, "",
            "unit: no gaps; constant: equal steps with gaps; indirect: computed from something "
            "loaded in the loop"),
      field("write", &AccessTerm::write, "", "stores, else loads"),
      field("stride_bytes", &AccessTerm::stride_bytes, "byte",
            "of constant: from one access to the next; absent: known at run time only",
            {.limits = kAtLeastOne}),
      field("bytes", &AccessTerm::bytes, "byte", "")};
};
static_assert(is_complete<AccessTerm>());

template <>
struct Description<MaskedOperations> {
  static constexpr std::string_view name = "MaskedOperations";
  static constexpr std::string_view meaning = "vector operations that leave out lanes by a mask";
  static constexpr auto fields =
      std::tuple{field("operations", &MaskedOperations::operations, "", ""),
                 field("lanes", &MaskedOperations::lanes, "", "of all operations together"),
                 field("active_lanes", &MaskedOperations::active_lanes, "", "")};
};
static_assert(is_complete<MaskedOperations>());

template <>
struct Description<ChainTerm> {
  static constexpr std::string_view name = "ChainTerm";
  static constexpr std::string_view meaning =
      "instructions of one kind in the longest chain in which each waits for the one before";
  static constexpr auto fields = std::tuple{
      field("operation", &ChainTerm::operation, "", ""),
      field("precision", &ChainTerm::precision, "", "of add, mul, fma, div and sqrt",
            {.absence = Absence::not_in_past},
            [](const ChainTerm& term) { return term.operation <= ChainOperation::sqrt; }),
      field("reduction", &ChainTerm::reduction, "", "sums or products: their order may be changed"),
      field("operations", &ChainTerm::operations, "", "summed over iterations and threads")};
};
static_assert(is_complete<ChainTerm>());

template <>
struct Description<PageFaults> {
  static constexpr std::string_view name = "PageFaults";
  static constexpr std::string_view meaning =
      "of the kernel's counts, shared out by samples: low between samples that saw this region "
      "only, high between any that saw it";
  static constexpr auto fields =
      std::tuple{field("value", &PageFaults::value, "", "minor and major"),
                 field("low", &PageFaults::low, "", ""), field("high", &PageFaults::high, "", ""),
                 field("major", &PageFaults::major, "", "of value: waited for a disk"),
                 field("kernel_seconds", &PageFaults::kernel_seconds, "s",
                       "CPU time in the kernel, shared out in the same way, for whatever reason",
                       {.limits = kNotNegative})};
};
static_assert(is_complete<PageFaults>());

template <>
struct Description<TripCounts> {
  static constexpr std::string_view name = "TripCounts";
  static constexpr std::string_view meaning = "iterations each time a loop was entered";
  static constexpr auto fields = std::tuple{field("shortest", &TripCounts::shortest, "", ""),
                                            field("longest", &TripCounts::longest, "", "")};
};
static_assert(is_complete<TripCounts>());

template <>
struct Description<NodeLines> {
  static constexpr std::string_view name = "NodeLines";
  static constexpr std::string_view meaning =
      "sampled lines from memory by the node that asked and the one that has the page";
  static constexpr auto fields =
      std::tuple{field("thread_node", &NodeLines::thread_node, "", "on which the thread ran"),
                 field("memory_node", &NodeLines::memory_node, "", "that has the page"),
                 field("samples", &NodeLines::samples, "", "")};
};
static_assert(is_complete<NodeLines>());

}  // namespace ridge::describe
