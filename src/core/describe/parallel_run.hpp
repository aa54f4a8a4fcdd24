// Fields of what a program of several ranks adds to its profile.
#pragma once

#include <tuple>

#include "core/describe/field.hpp"
#include "core/value/parallel_run.hpp"

namespace ridge::describe {

template <>
struct Description<RankSpread> {
  static constexpr std::string_view name = "RankSpread";
  static constexpr std::string_view meaning =
      "one figure over the ranks that have it, in the unit of its key";
  static constexpr auto fields = std::tuple{
      field("ranks", &RankSpread::ranks, "", "that have it", {.limits = kAtLeastOne}),
      field("least", &RankSpread::least, "", "", {.limits = kNotNegative}),
      field("least_rank", &RankSpread::least_rank, "", "the first that has the least",
            {.limits = kNotNegative}),
      field("median", &RankSpread::median, "", "", {.limits = kNotNegative}),
      field("most", &RankSpread::most, "", "", {.limits = kNotNegative}),
      field("most_rank", &RankSpread::most_rank, "", "the first that has the most",
            {.limits = kNotNegative}),
      field("mean", &RankSpread::mean, "", "", {.limits = kNotNegative}),
      field("bins", &RankSpread::bins, "",
            "ranks in as many equal steps from least to most; absent where ranks are listed one by "
            "one",
            {.absence = Absence::empty}),
      derived("max_over_mean", &imbalance_of, "",
              "1: even; the number of ranks: one had all; absent with one rank", kNotNegative)};
};
static_assert(is_complete<RankSpread>());

template <>
struct Description<RankWork> {
  static constexpr std::string_view name = "RankWork";
  static constexpr std::string_view meaning = "what one rank did in a region itself";
  static constexpr auto fields = std::tuple{
      field("rank", &RankWork::rank, "", "in MPI_COMM_WORLD", {.limits = kNotNegative}),
      field("time_seconds", &RankWork::time_seconds, "s",
            "wall time with one of its threads in the region", {.limits = kNotNegative}),
      field("cpu_seconds", &RankWork::cpu_seconds, "s", "of its threads", {.limits = kNotNegative}),
      field("flops", &RankWork::flops, "flop", ""),
      field("bytes", &RankWork::bytes, "byte", "loaded and stored")};
};
static_assert(is_complete<RankWork>());

template <>
struct Description<RegionRanks> {
  static constexpr std::string_view name = "RegionRanks";
  static constexpr std::string_view meaning = "how a region spreads over ranks";
  static constexpr auto fields =
      std::tuple{field("time_seconds", &RegionRanks::time_seconds, "s",
                       "wall time of the region itself on each rank"),
                 field("cpu_seconds", &RegionRanks::cpu_seconds, "s", ""),
                 field("flops", &RegionRanks::flops, "flop", ""),
                 field("bytes", &RegionRanks::bytes, "byte", "loaded and stored"),
                 field("by_rank", &RegionRanks::by_rank, "",
                       "in ascending order of the ranks; absent where they are too many to list",
                       {.absence = Absence::empty})};
};
static_assert(is_complete<RegionRanks>());

template <>
struct Description<RankHost> {
  static constexpr std::string_view name = "RankHost";
  static constexpr std::string_view meaning = "a machine on which ranks ran";
  static constexpr auto fields = std::tuple{
      field("name", &RankHost::name, "", "absent: left out by --redact",
            {.absence = Absence::empty}),
      field("ranks", &RankHost::ranks, "", "that ran there", {.limits = kAtLeastOne}),
      field("cpus", &RankHost::cpus, "",
            "hardware threads on which at least one of them may run; absent: unknown",
            {.absence = Absence::usual}),
      field("wall_seconds", &RankHost::wall_seconds, "s", "of the slowest of its ranks",
            {.limits = kNotNegative}),
      field("cpu_seconds", &RankHost::cpu_seconds, "s", "summed over its ranks",
            {.limits = kNotNegative}),
      field("mpi_seconds", &RankHost::mpi_seconds, "s",
            "in MPI, summed over its ranks; absent: nobody looked", {.limits = kNotNegative}),
      field("flops", &RankHost::flops, "flop", "of its ranks"),
      field("bytes", &RankHost::bytes, "byte", "loaded and stored by its ranks"),
      field("memory_bytes", &RankHost::memory_bytes, "byte",
            "of its ranks, between the last cache and memory")};
};
static_assert(is_complete<RankHost>());

template <>
struct Description<ParallelRun> {
  static constexpr std::string_view name = "ParallelRun";
  static constexpr std::string_view meaning = "the ranks of a parallel program";
  static constexpr auto fields = std::tuple{
      field("ranks", &ParallelRun::ranks, "",
            "in MPI_COMM_WORLD, whether they were measured or not", {.limits = kAtLeastOne}),
      field("measured", &ParallelRun::measured, "", "of them"),
      field("lost", &ParallelRun::lost, "", "should have been measured, and left no record",
            {.limits = kNotNegative, .absence = Absence::empty}),
      field("hosts", &ParallelRun::hosts, "", "", {.absence = Absence::empty}),
      field("oversubscribed", &ParallelRun::oversubscribed, "",
            "on some machine more ranks ran than there were CPUs for them: times are those of "
            "taking turns, so roofs and gains are left out",
            {.absence = Absence::empty})};
};
static_assert(is_complete<ParallelRun>());

template <>
struct Description<MpiCall> {
  static constexpr std::string_view name = "MpiCall";
  static constexpr std::string_view meaning = "calls of one MPI function, summed over ranks";
  static constexpr auto fields = std::tuple{
      field("name", &MpiCall::name, "", "of the function", {.non_empty = true}),
      field("region", &MpiCall::region, "", "id of the region that called it; absent: unknown"),
      field("calls", &MpiCall::calls, "", ""),
      field("bytes", &MpiCall::bytes, "byte",
            "that the ranks gave to it, as counts of elements times their size; absent: it moves "
            "none, or their size is unknown"),
      field("messages", &MpiCall::messages, "",
            "that these calls must send or receive, at least; absent: none",
            {.absence = Absence::usual}),
      field("moved_bytes", &MpiCall::moved_bytes, "byte",
            "that must travel between ranks for them, at least: not what goes to nobody or stays "
            "with its rank; absent: none",
            {.absence = Absence::usual}),
      field("seconds", &MpiCall::seconds, "s", "between call and return, summed over ranks",
            {.limits = kNotNegative}),
      field("waiting_seconds", &MpiCall::waiting_seconds, "s",
            "part of seconds in which ranks waited for others; absent: not told apart",
            {.limits = kNotNegative}),
      field("seconds_by_rank", &MpiCall::seconds_by_rank, "s", "")};
};
static_assert(is_complete<MpiCall>());

template <>
struct Description<LibraryCall> {
  static constexpr std::string_view name = "LibraryCall";
  static constexpr std::string_view meaning =
      "calls of one function of a numerical library with the same sizes, summed over threads and "
      "ranks";
  static constexpr auto fields = std::tuple{
      field("name", &LibraryCall::name, "", "as the library's interface has it",
            {.non_empty = true}),
      field("sizes", &LibraryCall::sizes, "", "absent: it has none", {.absence = Absence::empty}),
      field("region", &LibraryCall::region, "", "id of the region that called it; absent: unknown"),
      field("calls", &LibraryCall::calls, "", ""),
      field("flops", &LibraryCall::flops, "flop",
            "of the textbook's formula, of all calls: modelled"),
      field("bytes", &LibraryCall::bytes, "byte",
            "of its operands, each once, of all calls: modelled"),
      field("seconds", &LibraryCall::seconds, "s",
            "between call and return, summed over threads and ranks", {.limits = kNotNegative})};
};
static_assert(is_complete<LibraryCall>());

}  // namespace ridge::describe
