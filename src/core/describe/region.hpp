// Fields of a region of a profile.
#pragma once

#include <tuple>

#include "core/describe/evidence.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/describe/parallel_run.hpp"
#include "core/describe/region_code.hpp"
#include "core/describe/region_time.hpp"
#include "core/value/derived.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::describe {

template <>
struct Description<WorkTerm> {
  static constexpr std::string_view name = "WorkTerm";
  static constexpr std::string_view meaning = "work of one precision, kind and SIMD width";
  static constexpr auto fields = std::tuple{
      field("precision", &WorkTerm::precision, "", ""), field("kind", &WorkTerm::kind, "", ""),
      field("width_bits", &WorkTerm::width_bits, "bit",
            "a scalar operation has the width of its element",
            {.limits = kAtLeastOne, .multiple_of = 16}),
      field("flops", &WorkTerm::flops, "flop", "one fma is 2 for each active lane")};
};
static_assert(is_complete<WorkTerm>());

template <>
struct Description<Work> {
  static constexpr std::string_view name = "Work";
  static constexpr std::string_view meaning =
      "the terms add up to total, and those of each precision to its own";
  template <Precision precision>
  static std::optional<std::uint64_t> of(const Work& work) {
    return work.total(precision);
  }
  static std::uint64_t total(const Work& work) { return work.total(); }
  static constexpr auto fields =
      std::tuple{derived("total", &total, "flop", "of all terms"),
                 derived("fp64", &of<Precision::fp64>, "flop", "of the terms in fp64"),
                 derived("fp32", &of<Precision::fp32>, "flop", "of the terms in fp32"),
                 derived("fp16", &of<Precision::fp16>, "flop", "of the terms in fp16"),
                 derived("bf16", &of<Precision::bf16>, "flop", "of the terms in bf16"),
                 field("terms", &Work::terms, "flop", "one for each precision, kind and width"),
                 field("other", &Work::other, "",
                       "lanes of operations that are no flop: min, compare, convert",
                       {.absence = Absence::not_in_past})};
};
static_assert(is_complete<Work>());

template <>
struct Description<Traffic> {
  static constexpr std::string_view name = "Traffic";
  static constexpr std::string_view meaning = "bytes that cross one boundary";
  static constexpr auto fields = std::tuple{field("read", &Traffic::read, "byte", ""),
                                            field("written", &Traffic::written, "byte", "")};
};
static_assert(is_complete<Traffic>());

template <>
struct Description<TrafficInterval> {
  static constexpr std::string_view name = "TrafficInterval";
  static constexpr std::string_view meaning = "bytes read and written together";
  static constexpr auto fields = std::tuple{field("low", &TrafficInterval::low, "byte", ""),
                                            field("high", &TrafficInterval::high, "byte", "")};
};
static_assert(is_complete<TrafficInterval>());

template <>
struct Description<WorkInterval> {
  static constexpr std::string_view name = "WorkInterval";
  static constexpr std::string_view meaning = "between which flops lie";
  static constexpr auto fields = std::tuple{field("low", &WorkInterval::low, "flop", ""),
                                            field("high", &WorkInterval::high, "flop", "")};
};
static_assert(is_complete<WorkInterval>());

template <>
struct Description<Finding> {
  static constexpr std::string_view name = "Finding";
  static constexpr std::string_view meaning = "something that is in the way, and its evidence";
  static constexpr auto fields = std::tuple{
      field("code", &Finding::code, "", "docs/findings.md lists them"),
      field("text", &Finding::text, "", "one sentence"),
      field("evidence", &Finding::evidence, "",
            "figures by name; docs/findings.md has their units"),
      field("speed_up", &Finding::gain, "",
            "how many times as fast the region itself becomes without this (1: nothing is gained), "
            "from the model, the upper end; of the program region: the program; absent: no model, "
            "or its inputs are unknown",
            {.limits = kAtLeastOne, .formerly = "gain"}),
      field("speed_up_least", &Finding::gain_least, "",
            "the lower end, where the model gives an interval",
            {.limits = kAtLeastOne, .formerly = "gain_least"}),
      field("speed_up_is_bound", &Finding::gain_is_bound, "",
            "nothing without this can be faster than speed_up says; absent: an estimate",
            {.absence = Absence::empty}),
      field("speed_up_note", &Finding::gain_note, "",
            "what speed_up assumes; without one, why there is none", {.formerly = "gain_note"}),
      field("gain_program", &Finding::gain_program, "",
            "how many times as fast the whole program becomes at the upper end; absent where "
            "regions run at the same time",
            {.limits = kAtLeastOne}),
      field("origin", &Finding::origin, "", "of the weakest part of the evidence")};
};
static_assert(is_complete<Finding>());

template <>
struct Description<SpeedUp> {
  static constexpr std::string_view name = "SpeedUp";
  static constexpr std::string_view meaning = "how many times as fast: between both";
  static constexpr auto fields =
      std::tuple{field("low", &SpeedUp::low, "", "", {.limits = kAtLeastOne}),
                 field("high", &SpeedUp::high, "", "", {.limits = kAtLeastOne})};
};
static_assert(is_complete<SpeedUp>());

template <>
struct Description<CommunicationBound> {
  static constexpr std::string_view name = "CommunicationBound";
  static constexpr std::string_view meaning =
      "what the interconnect allows a program of several ranks";
  static constexpr auto fields = std::tuple{
      field("messages", &CommunicationBound::messages, "",
            "sends, and collective operations that ranks take part in; of all ranks"),
      field("bytes", &CommunicationBound::bytes, "byte", "that all ranks give to these"),
      field("flops_per_byte", &CommunicationBound::flops_per_byte, "flop/byte",
            "flops of all ranks over bytes; absent: no work or no bytes", {.limits = kPositive}),
      field("bandwidth", &CommunicationBound::bandwidth, "byte/s", "of all ranks at once",
            {.limits = kPositive}),
      field("latency", &CommunicationBound::latency, "s", "of one message",
            {.limits = kNotNegative}),
      field("roof", &CommunicationBound::roof, "flop/s", "flops_per_byte * bandwidth",
            {.limits = kPositive}),
      field("performance", &CommunicationBound::performance, "flop/s", "of all ranks together",
            {.limits = kPositive}),
      field("least_seconds", &CommunicationBound::least_seconds, "s",
            "that its messages take a rank, on average", {.limits = kNotNegative}),
      field("transfer_seconds", &CommunicationBound::transfer_seconds, "s",
            "that a rank spent in calls that send, receive or wait for messages, on average",
            {.limits = kNotNegative}),
      field("partial", &CommunicationBound::partial, "", "of some calls the bytes are not known",
            {.absence = Absence::empty})};
};
static_assert(is_complete<CommunicationBound>());

template <>
struct Description<NextStep> {
  static constexpr std::string_view name = "NextStep";
  static constexpr std::string_view meaning =
      "a change that is worth trying, over all regions that it helps";
  static constexpr auto fields = std::tuple{
      field("region", &NextStep::region, "",
            "id of the region that it helps most; absent: the program as a whole"),
      field("code", &NextStep::code, "", "of the finding behind it; docs/findings.md lists others"),
      field("where", &NextStep::where, "", "name and place of that region"),
      field("reason", &NextStep::reason, "", "what is in the way"),
      field("remedy", &NextStep::remedy, "", "what to do"),
      field("gain_program", &NextStep::gain_program, "",
            "of the whole program, by this step alone, from the time that the steps before it "
            "leave; absent: not known"),
      field("bound", &NextStep::is_bound, "",
            "nothing can exceed gain_program; absent: an estimate", {.absence = Absence::empty}),
      field("assumes", &NextStep::assumes, "", "what gain_program holds under"),
      field("regions", &NextStep::regions, "", "ids of all regions that the same remedy helps")};
};
static_assert(is_complete<NextStep>());

template <>
struct Description<Bound> {
  static constexpr std::string_view name = "Bound";
  static constexpr std::string_view meaning = "a roof over a region";
  static constexpr auto fields = std::tuple{
      field("ceiling", &Bound::ceiling, "", "id of the ceiling that binds"),
      field("unit", &Bound::unit, "", "of attainable"),
      field("attainable", &Bound::attainable, "in unit", "", {.limits = kNotNegative}),
      field("fraction", &Bound::fraction, "",
            "performance / attainable; by CPU time where the verdict is", {.limits = kNotNegative}),
      field("next", &Bound::next, "", "id of the ceiling that binds once this one is lifted"),
      field("next_attainable", &Bound::next_attainable, "in unit", "", {.limits = kNotNegative})};
};
static_assert(is_complete<Bound>());

template <>
struct Description<RegionVerdict> {
  static constexpr std::string_view name = "Verdict";
  static constexpr std::string_view meaning = "what explains the time of the region";
  static constexpr auto fields = std::tuple{
      field("code", &RegionVerdict::kind, "", "from no-traffic on: why nothing is said"),
      field("resource", &RegionVerdict::resource, "",
            "of bandwidth: the level; of arithmetic: compute", {.absence = Absence::empty}),
      field("text", &RegionVerdict::text, "", "one sentence"),
      field("by_cpu_time", &RegionVerdict::by_cpu_time, "",
            "threads waited for a CPU: fraction and gain go by the CPU time of the busiest thread",
            {.absence = Absence::empty})};
};
static_assert(is_complete<RegionVerdict>());

template <>
struct Description<RegionPrediction> {
  static constexpr std::string_view name = "RegionBound";
  static constexpr std::string_view meaning = "how fast the region could be, and what explains it";
  static constexpr auto fields = std::tuple{
      implied(&RegionPrediction::region),
      field("code", &RegionPrediction::code, "", "with its own operations, widths and threads"),
      field("machine", &RegionPrediction::machine, "",
            "with the best instruction set, a balanced mix and all cores"),
      field("code_at_neighbouring_threads", &RegionPrediction::code_at_neighbouring_threads, "",
            "with the next lower and higher number of threads that was measured, where the "
            "region's own was not",
            {.absence = Absence::empty}),
      field("gain", &RegionPrediction::gain, "",
            "how many times as fast the whole program were if the region reached the roof of its "
            "code",
            {.limits = kAtLeastOne}),
      field("verdict", &RegionPrediction::verdict, "", "absent without a time"),
      field("notes", &RegionPrediction::notes, "", "", {.absence = Absence::empty}),
      implied(&RegionPrediction::findings)};
};
static_assert(is_complete<RegionPrediction>());

template <>
struct Description<Origins> {
  static constexpr std::string_view name = "Origins";
  static constexpr std::string_view meaning = "where figures come from";
  static constexpr auto fields = std::tuple{
      field("flops", &Origins::flops, "", ""), field("bytes", &Origins::bytes, "", ""),
      field("traffic", &Origins::traffic, "", ""), field("time", &Origins::time, "", "")};
};
static_assert(is_complete<Origins>());

template <>
struct Description<RegionIdentity> {
  static constexpr std::string_view name = "RegionIdentity";
  static constexpr std::string_view meaning = "where the code of a region stands";
  static constexpr auto fields = std::tuple{
      field("id", &RegionIdentity::id, "", "distinct in the file"),
      field("process", &RegionIdentity::process, "", "index into processes"),
      field("kind", &RegionIdentity::kind, "", "the one of kind program is the sum of all"),
      field("name", &RegionIdentity::name, "", "as the table calls it"),
      field("function", &RegionIdentity::function, "",
            "demangled and qualified, without return type"),
      field("file", &RegionIdentity::file, "", ""),
      field("line", &RegionIdentity::line, "", ""),
      field("column", &RegionIdentity::column, "", ""),
      field("parent", &RegionIdentity::parent, "",
            "id of the enclosing region; of a library: the caller"),
      field("device", &RegionIdentity::device, "", "that ran it; absent: the CPU", {.since = 2}),
      field("partial", &RegionIdentity::partial, "",
            "cut midway: counts lag behind or run ahead of the end", {.absence = Absence::empty}),
      field("overlaps", &RegionIdentity::overlaps, "",
            "all its figures contain those of other regions, so it stands in no sum: a marker "
            "holds what ran between its start and its stop",
            {.absence = Absence::empty, .since = 2}),
      field("wait", &RegionIdentity::wait, "",
            "the region is time in the OpenMP runtime: what its threads wait for", {.since = 2})};
};
static_assert(is_complete<RegionIdentity>());

template <>
struct Description<RegionWork> {
  static constexpr std::string_view name = "RegionWork";
  static constexpr std::string_view meaning = "what a region executed";
  static constexpr auto fields = std::tuple{
      field("entries", &RegionWork::entries, "", "how many times it was entered"),
      field("iterations", &RegionWork::iterations, "", "of the source loop, before vectorisation"),
      field("trip_counts", &RegionWork::trip_counts, "",
            "where known on entering; counted in the run that simulates traffic"),
      field("flops", &RegionWork::flops, "flop", ""),
      field("ir_flops", &RegionWork::ir_flops, "flop",
            "of the compiler's optimised code, before it became machine code; absent where flops "
            "are the same, or no machine code could be read",
            {.since = 2}),
      field("flops_interval", &RegionWork::flops_interval, "",
            "contains flops; absent where they are exact", {.since = 2}),
      field("fusible_flops", &RegionWork::fusible_flops, "flop",
            "part of the flops: products that feed one sum, done apart although one FMA could do "
            "both"),
      field("intops", &RegionWork::intops, "intop", "integer operations"),
      field("calls", &RegionWork::calls, "",
            "by name: calls of the mathematical library and others"),
      field("opaque", &RegionWork::opaque, "",
            "by name: calls into code that is not instrumented, inline assembly",
            {.absence = Absence::empty}),
      group("bytes", "that the region's instructions load and store",
            field("loaded", &RegionWork::bytes_loaded, "byte", ""),
            field("stored", &RegionWork::bytes_stored, "byte", ""),
            field("non_temporal", &RegionWork::bytes_non_temporal, "byte", "part of stored"),
            field("overwritten", &RegionWork::bytes_overwritten, "byte",
                  "part of stored: in loops, without gaps, to objects that the loop loads nothing "
                  "from, with ordinary stores"),
            field("spilled", &RegionWork::bytes_spilled, "byte",
                  "registers that the machine code fetches back from the stack (read) and puts "
                  "aside there (written); no part of loaded and stored; absent where no machine "
                  "code could be read",
                  {.since = 2}))};
};
static_assert(is_complete<RegionWork>());

template <>
struct Description<RegionEvidence> {
  static constexpr std::string_view name = "RegionEvidence";
  static constexpr std::string_view meaning = "how the work was done";
  static constexpr auto fields = std::tuple{
      field(
          "accesses", &RegionEvidence::accesses, "byte",
          "loaded and stored in loops by how the address moves from iteration to iteration of the "
          "innermost loop",
          {.absence = Absence::empty}),
      field("gathered", &RegionEvidence::gathered, "byte",
            "that gather (read) and scatter (written) instructions moved"),
      field("masked", &RegionEvidence::masked, "", ""),
      field("chain", &RegionEvidence::chain, "",
            "of loops: the longest chain of instructions in which each waits for the one before",
            {.absence = Absence::empty}),
      field("not_vectorised", &RegionEvidence::not_vectorised, "",
            "why, in the compiler's own words")};
};
static_assert(is_complete<RegionEvidence>());

template <>
struct Description<RegionTraffic> {
  static constexpr std::string_view name = "RegionTraffic";
  static constexpr std::string_view meaning = "what crosses the boundaries of the memory hierarchy";
  static constexpr auto fields = std::tuple{
      field("traffic", &RegionTraffic::traffic, "byte",
            "by level: L1 is what registers and L1 exchange, L2 what L1 and L2 do, and so on"),
      field("traffic_interval", &RegionTraffic::traffic_interval, "byte",
            "by level: between what runs of the same program can lie, where the traffic depends on "
            "how its threads take turns; a level that is absent repeats",
            {.absence = Absence::empty}),
      field("least_traffic", &RegionTraffic::least_traffic, "byte",
            "by level: what any cache would have to move", {.absence = Absence::empty}),
      field("traffic_at_share", &RegionTraffic::traffic_at_share, "byte",
            "of memory, when only this share of the last cache (1/2, 1/4) is ours",
            {.absence = Absence::empty}),
      field("traffic_elsewhere", &RegionTraffic::traffic_elsewhere, "byte",
            "by name in caches_elsewhere, then by level below the first: on other machines' caches",
            {.absence = Absence::empty}),
      field(
          "traffic_mode", &RegionTraffic::traffic_mode, "",
          "whether the cache simulation saw all lines, or in a part of the run 8 of 64 classes of "
          "them, each for 8; of the program: of any region; absent: exact, or there is none"),
      field("traffic_origins", &RegionTraffic::traffic_origins, "",
            "by level, where it is not that of the region or the profile",
            {.absence = Absence::empty, .since = 2}),
      field("line_use", &RegionTraffic::line_use, "",
            "bytes used of each line while it is in the first level, over its size; simulated on a "
            "sample of lines",
            {.limits = kNotNegative}),
      field("miss_curve", &RegionTraffic::miss_curve, "byte",
            "that the region would read from below a fully associative LRU cache of each capacity, "
            "fed with what the first levels miss; between two points the earlier one holds; "
            "simulated on a sample of lines",
            {.absence = Absence::empty}),
      field("memory_nodes", &RegionTraffic::memory_nodes, "",
            "sampled in the run that simulates traffic; absent on machines with one node",
            {.absence = Absence::empty}),
      field("sharing", &RegionTraffic::sharing, "", "simulated")};
};
static_assert(is_complete<RegionTraffic>());

template <>
struct Description<RegionThreads> {
  static constexpr std::string_view name = "RegionThreads";
  static constexpr std::string_view meaning = "how threads shared a region";
  static constexpr auto fields = std::tuple{
      field("threads", &RegionThreads::threads, "", "most that were seen in it at once",
            {.limits = kAtLeastOne}),
      field("thread_work", &RegionThreads::thread_work, "", "where two or more threads took part",
            {.absence = Absence::empty, .least_items = 2})};
};
static_assert(is_complete<RegionThreads>());

template <>
struct Description<Region> {
  static constexpr std::string_view name = "Region";
  static constexpr std::string_view meaning =
      "a function, loop, library or marker; work, traffic and time without inner and called "
      "regions, unless they are named inclusive or it overlaps";
  static constexpr auto fields = std::tuple{
      part<RegionIdentity>(),
      part<RegionTime>(),
      part<RegionWork>(),
      part<RegionEvidence>(),
      part<RegionTraffic>(),
      part<RegionThreads>(),
      part<RegionCode>(),
      field("origins", &Region::origins, "", "where they are not those of the profile",
            {.since = 2}),
      field("ranks", &Region::ranks, "", "of a program of several ranks", {.since = 2}),
      derived("imbalance", &imbalance, "", "of thread_work"),
      derived("intensity", &intensities, "flop/byte", "at each level with traffic", kNotNegative),
      derived("unbounded", &unbounded_levels, "", "levels with work and no traffic", kAny, true),
      beside<std::optional<std::vector<Level>>>(
          "doubtful_traffic", "",
          "levels whose traffic comes from sampled lines that may not speak for all; tables print "
          "it, and what follows from it, with the mark ?"),
      derived("performance", &performance, "flop/s",
              "flops over the wall time of the region itself", kNotNegative),
      beside<std::optional<RegionPrediction>>("bound", "", ""),
      beside<std::vector<Finding>>("findings", "", "what is in the way, most important first"),
      field("notes", &Region::notes, "", "")};
};
static_assert(is_complete<Region>());

}  // namespace ridge::describe
