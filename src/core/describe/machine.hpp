// Fields of a machine.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/interconnect.hpp"
#include "core/describe/note.hpp"
#include "core/value/derived.hpp"
#include "core/value/machine.hpp"

namespace ridge::describe {

inline constexpr std::array<std::string_view, 3> kEfforts{"quick", "standard", "full"};

template <>
struct Description<CpuIdentity> {
  static constexpr std::string_view name = "Cpu";
  static constexpr std::string_view meaning = "what CPUID says";
  static constexpr auto fields = std::tuple{
      field("vendor", &CpuIdentity::vendor, "", "as CPUID leaf 0 spells it"),
      field("name", &CpuIdentity::name, "", "brand string"),
      field("family", &CpuIdentity::family, "", ""), field("model", &CpuIdentity::model, "", ""),
      field("stepping", &CpuIdentity::stepping, "", "")};
};
static_assert(is_complete<CpuIdentity>());

template <>
struct Description<Topology> {
  static constexpr std::string_view name = "Topology";
  static constexpr std::string_view meaning = "how many of what";
  static constexpr auto fields =
      std::tuple{field("sockets", &Topology::sockets, "", "", {.limits = kAtLeastOne}),
                 field("numa_nodes", &Topology::numa_nodes, "", "", {.limits = kAtLeastOne}),
                 field("cores", &Topology::cores, "", "", {.limits = kAtLeastOne}),
                 field("threads", &Topology::threads, "",
                       "hardware threads this process may run on", {.limits = kAtLeastOne})};
};
static_assert(is_complete<Topology>());

template <>
struct Description<Cache> {
  static constexpr std::string_view name = "Cache";
  static constexpr std::string_view meaning = "one level";
  static constexpr auto fields = std::tuple{
      field("level", &Cache::level, "", ""),
      field("size_bytes", &Cache::size_bytes, "byte", "at least ways * line_bytes",
            {.limits = kAtLeastOne}),
      field("ways", &Cache::ways, "", "", {.limits = kAtLeastOne}),
      field("line_bytes", &Cache::line_bytes, "byte", "", {.limits = kAtLeastOne}),
      field("shared_by_threads", &Cache::shared_by_threads, "", "", {.limits = kAtLeastOne}),
      field("policy", &Cache::policy, "",
            "what the level holds in relation to the one nearer to the core"),
      field("write_allocate", &Cache::write_allocate, "",
            "whether a store that misses reads the line first")};
};
static_assert(is_complete<Cache>());

template <>
struct Description<MemoryNode> {
  static constexpr std::string_view name = "Memory";
  static constexpr std::string_view meaning = "memory of one kind";
  static constexpr auto fields =
      std::tuple{field("level", &MemoryNode::level, "", ""),
                 field("size_bytes", &MemoryNode::size_bytes, "byte", "", {.limits = kAtLeastOne})};
};
static_assert(is_complete<MemoryNode>());

template <>
struct Description<Mode> {
  static constexpr std::string_view name = "Mode";
  static constexpr std::string_view meaning = "a rate that samples gather around";
  static constexpr auto fields = std::tuple{
      field("value", &Mode::value, "in value.unit", "median of its samples", {.limits = kPositive}),
      field("share", &Mode::share, "", "of the samples", {.limits = kPositive})};
};
static_assert(is_complete<Mode>());

template <>
struct Description<Ceiling> {
  static constexpr std::string_view name = "Ceiling";
  static constexpr std::string_view meaning =
      "one upper limit; the unit of its rates follows the kind: flop/s or op/s, byte/s, s";
  static constexpr auto fields = std::tuple{
      field("id", &Ceiling::id, "", "distinct in the file", {.non_empty = true}),
      field("kind", &Ceiling::kind, "", ""),
      field("precision", &Ceiling::precision, "", "fp64, fp32, int8 ...", {.non_empty = true}),
      field("isa", &Ceiling::isa, "", "instruction set"),
      field("operation", &Ceiling::operation, "", "of compute"),
      field("level", &Ceiling::level, "", "of bandwidth and latency"),
      field("pattern", &Ceiling::pattern, "", "way through memory"),
      field("threads", &Ceiling::threads, "", "", {.limits = kAtLeastOne}),
      field("device", &Ceiling::device, "", "absent: the CPU"),
      field("value", &Ceiling::value, "", "the rate that the kernel asked for"),
      field("traffic_value", &Ceiling::traffic_value, "",
            "the rate across the boundary, write-allocate included"),
      field("limit", &Ceiling::limit, "in value.unit", "theoretical", {.limits = kPositive}),
      field("limit_fraction", &Ceiling::limit_fraction, "", "p90 / limit; there whenever limit is",
            {.limits = kPositive}),
      field("source", &Ceiling::source, "", "of the limit"),
      field("flags", &Ceiling::flags, "", "above-limit, disturbed, bimodal ..."),
      field("clock_hertz", &Ceiling::clock, "Hz",
            "of the core during the samples that the p90 stands for", {.limits = kPositive}),
      field("cycles", &Ceiling::cycles, "cycle",
            "of latency: of one access, each sample at the clock beside it"),
      field("modes", &Ceiling::modes, "",
            "rates that the samples gather around, where it is more than one",
            {.absence = Absence::empty})};
};
static_assert(is_complete<Ceiling>());

template <>
struct Description<Clock> {
  static constexpr std::string_view name = "Clock";
  static constexpr std::string_view meaning = "clocks seen while measuring";
  static constexpr auto fields = std::tuple{
      field("core", &Clock::core, "Hz", "of a core"),
      field("tsc_hertz", &Clock::tsc_hertz, "Hz", "of the time stamp counter: not the core's",
            {.limits = kPositive}),
      field("uncertainty", &Clock::uncertainty, "",
            "of one probe of the core's clock, relative; absent: an earlier version, or not "
            "measured",
            {.limits = kNotNegative})};
};
static_assert(is_complete<Clock>());

template <>
struct Description<RoofPoint> {
  static constexpr std::string_view name = "RoofPoint";
  static constexpr std::string_view meaning = "loads with so much work per byte ran at this rate";
  static constexpr auto fields = std::tuple{
      field("intensity", &RoofPoint::intensity, "flop/byte", "", {.limits = kPositive}),
      field("value", &RoofPoint::value, "flop/s", ""),
      field("fraction", &RoofPoint::fraction, "",
            "p90 over min(P_max, I b), both at the clock of this point", {.limits = kPositive})};
};
static_assert(is_complete<RoofPoint>());

template <>
struct Description<Shortfall> {
  static constexpr std::string_view name = "Shortfall";
  static constexpr std::string_view meaning = "the point that falls furthest below the roof";
  static constexpr auto fields = std::tuple{
      field("intensity", &Shortfall::intensity, "flop/byte", "", {.limits = kPositive}),
      field("fraction", &Shortfall::fraction, "", "of that point", {.limits = kPositive})};
};
static_assert(is_complete<Shortfall>());

template <>
struct Description<MeasuredRoof> {
  static constexpr std::string_view name = "MeasuredRoof";
  static constexpr std::string_view meaning =
      "the roof of one level as a loop of loads and fma reaches it";
  static constexpr auto fields = std::tuple{
      field("level", &MeasuredRoof::level, "", ""),
      field("precision", &MeasuredRoof::precision, "", "", {.non_empty = true}),
      field("isa", &MeasuredRoof::isa, "", ""),
      field("threads", &MeasuredRoof::threads, "", "", {.limits = kAtLeastOne}),
      field("compute", &MeasuredRoof::compute, "", "id of the ceiling that P_max is",
            {.non_empty = true}),
      field("bandwidth", &MeasuredRoof::bandwidth, "", "id of the ceiling that b is",
            {.non_empty = true}),
      field("points", &MeasuredRoof::points, "", "in ascending intensity"),
      derived("greatest_shortfall", &shortfall_of, "", "the point with the least fraction")};
};
static_assert(is_complete<MeasuredRoof>());

template <>
struct Description<Saturation::Point> {
  static constexpr std::string_view name = "SaturationPoint";
  static constexpr std::string_view meaning = "bandwidth with one number of threads";
  static constexpr auto fields =
      std::tuple{field("threads", &Saturation::Point::threads, "", "", {.limits = kAtLeastOne}),
                 field("p90", &Saturation::Point::p90, "byte/s", "", {.limits = kPositive}),
                 implied(&Saturation::Point::low)};
};
static_assert(is_complete<Saturation::Point>());

template <>
struct Description<Saturation> {
  static constexpr std::string_view name = "Saturation";
  static constexpr std::string_view meaning = "bandwidth over the number of threads";
  static constexpr auto fields = std::tuple{
      field("level", &Saturation::level, "", ""),
      field("pattern", &Saturation::pattern, "", ""),
      field("isa", &Saturation::isa, "", ""),
      field("points", &Saturation::points, "", "in ascending numbers of threads"),
      field("n_sat", &Saturation::threads, "",
            "fewest threads that reach 95 % of the highest; absent when more threads than measured "
            "might add to it, or when intervals that overlap are too wide to rank the points",
            {.limits = kAtLeastOne}),
      implied(&Saturation::too_noisy)};
};
static_assert(is_complete<Saturation>());

template <>
struct Description<Concurrency> {
  static constexpr std::string_view name = "Concurrency";
  static constexpr std::string_view meaning =
      "lines that one core has on their way while it streams from a level: p90 of the bandwidth "
      "times low (10th percentile) of the latency over the size of a line";
  static Origin origin(const Concurrency& /*all*/) { return Origin::modelled; }
  static constexpr auto fields = std::tuple{
      field("level", &Concurrency::level, "", ""),
      field("lines", &Concurrency::lines, "", "", {.limits = kPositive}),
      derived("origin", &origin, "", ""),
      field("bandwidth", &Concurrency::bandwidth, "", "id of the ceiling", {.non_empty = true}),
      field("latency", &Concurrency::latency, "", "id of the ceiling", {.non_empty = true})};
};
static_assert(is_complete<Concurrency>());

template <>
struct Description<Sustained> {
  static constexpr std::string_view name = "Sustained";
  static constexpr std::string_view meaning =
      "what is left of a ceiling when it is asked of all cores for seconds: power limits act by "
      "then";
  static constexpr auto fields = std::tuple{
      field("ceiling", &Sustained::ceiling, "", "id of the ceiling from short samples",
            {.non_empty = true}),
      field("seconds", &Sustained::duration, "s", "how long it was held", {.limits = kPositive}),
      field("value", &Sustained::value, "", "over slices of the second half of that time"),
      field("clock", &Sustained::clock, "Hz", "of a core in the same slices"),
      field("clock_at_start_hertz", &Sustained::clock_at_start, "Hz",
            "median over the first tenth of the time", {.limits = kPositive})};
};
static_assert(is_complete<Sustained>());

template <>
struct Description<Siblings> {
  static constexpr std::string_view name = "Siblings";
  static constexpr std::string_view meaning = "all hyperthreads of one core together";
  static constexpr auto fields =
      std::tuple{field("ceiling", &Siblings::ceiling, "", "id of the ceiling of one thread",
                       {.non_empty = true}),
                 field("threads", &Siblings::threads, "", "", {.limits = kAtLeastOne}),
                 field("value", &Siblings::value, "", "")};
};
static_assert(is_complete<Siblings>());

template <>
struct Description<NumaEntry> {
  static constexpr std::string_view name = "NumaEntry";
  static constexpr std::string_view meaning =
      "memory of one node seen from the cores of another, or the same; nodes as the operating "
      "system counts them";
  static constexpr auto fields =
      std::tuple{field("cpu_node", &NumaEntry::cpu_node, "", ""),
                 field("memory_node", &NumaEntry::memory_node, "", ""),
                 field("memory", &NumaEntry::memory, "", ""),
                 field("threads", &NumaEntry::threads, "",
                       "of the bandwidth; the latency is that of one", {.limits = kAtLeastOne}),
                 field("load", &NumaEntry::load, "byte/s", ""),
                 field("latency", &NumaEntry::latency, "s", "")};
};
static_assert(is_complete<NumaEntry>());

template <>
struct Description<Machine> {
  static constexpr std::string_view name = "Machine";
  static constexpr std::string_view meaning =
      "what is known of a machine: topology, memory levels, ceilings";
  static constexpr auto fields = std::tuple{
      field("ridge_version", &Machine::ridge_version, "", "of the Ridge that measured"),
      field("name", &Machine::name, "", ""),
      field("date", &Machine::date, "", "ISO 8601, UTC"),
      field("host", &Machine::host, "", ""),
      field("cpu", &Machine::cpu, "", ""),
      field("topology", &Machine::topology, "", ""),
      field("caches", &Machine::caches, "", "innermost first; levels are distinct"),
      field("memories", &Machine::memories, "", "at least one", {.least_items = 1}),
      field("clock", &Machine::clock, "", ""),
      field("ceilings", &Machine::ceilings, "", "ids are distinct"),
      field("effort", &Machine::effort, "",
            "of ridge bench; absent: an earlier version, or not measured",
            {.non_empty = true, .words = kEfforts}),
      field("incomplete", &Machine::incomplete, "",
            "stopped (SIGINT, SIGTERM) before everything planned was measured",
            {.absence = Absence::empty}),
      field("measured_roofs", &Machine::measured_roofs, "",
            "loops of loads and fma, from few to many fma per load, beside min(P_max, I b)",
            {.absence = Absence::empty}),
      beside<std::optional<std::vector<Saturation>>>("saturation", "", "of the ceilings of memory"),
      derived("concurrency", &concurrency_of, "", "of levels with both ceilings", kAny, true),
      field("sustained", &Machine::sustained, "", "the same loop held on all cores for seconds",
            {.absence = Absence::empty}),
      field("siblings", &Machine::siblings, "", "", {.absence = Absence::empty}),
      field("numa", &Machine::numa, "", "one entry for each pair of nodes",
            {.absence = Absence::empty}),
      field("interconnect", &Machine::interconnect, "",
            "how fast ranks exchange messages; absent: not measured"),
      field("notes", &Machine::notes, "",
            "what was in the way of measuring: quota, steal time, affinity, drift of the clock ...",
            {.absence = Absence::empty})};
};
static_assert(is_complete<Machine>());

}  // namespace ridge::describe
