// Fields of the times of a region.
#pragma once

#include <tuple>

#include "core/describe/evidence.hpp"
#include "core/describe/field.hpp"
#include "core/value/region.hpp"

namespace ridge::describe {

template <>
struct Description<SelfAndInclusive> {
  static constexpr std::string_view name = "Times";
  static constexpr std::string_view meaning =
      "of the region itself, and with inner and called ones";
  static constexpr auto fields =
      std::tuple{field("self", &SelfAndInclusive::self, "s", "without inner and called regions"),
                 field("inclusive", &SelfAndInclusive::inclusive, "s", "with them")};
};
static_assert(is_complete<SelfAndInclusive>());

template <>
struct Description<WaitCauses> {
  static constexpr std::string_view name = "WaitCauses";
  static constexpr std::string_view meaning = "why threads waited, summed over those that did";
  static constexpr auto fields =
      std::tuple{field("imbalance", &WaitCauses::imbalance, "s",
                       "others were at work on the same parallel region", {.limits = kNotNegative}),
                 field("serial", &WaitCauses::serial, "s",
                       "one thread worked, on what is not parallel", {.limits = kNotNegative}),
                 field("oversubscribed", &WaitCauses::oversubscribed, "s",
                       "a thread that is waited for had no CPU: more threads than CPUs",
                       {.limits = kNotNegative}),
                 field("busy", &WaitCauses::busy, "s",
                       "a thread that is waited for had no CPU: other programs had it",
                       {.limits = kNotNegative}),
                 field("unexplained", &WaitCauses::unexplained, "s", "", {.limits = kNotNegative})};
};
static_assert(is_complete<WaitCauses>());

template <>
struct Description<Caller> {
  static constexpr std::string_view name = "Caller";
  static constexpr std::string_view meaning = "a function on the way by which a region is reached";
  static constexpr auto fields =
      std::tuple{field("function", &Caller::function, "", "with the library that it is in"),
                 field("file", &Caller::file, "", "of the function or loop that has the call"),
                 field("line", &Caller::line, "", "where it begins"),
                 field("share", &Caller::share, "", "of the region's stacks that came by this way",
                       {.limits = kNotNegative})};
};
static_assert(is_complete<Caller>());

template <>
struct Description<RegionTime> {
  static constexpr std::string_view name = "RegionTime";
  static constexpr std::string_view meaning = "how long a region took";
  static constexpr auto fields = std::tuple{
      field("time_seconds", &RegionTime::time_seconds, "s",
            "wall time with at least one thread in the region"),
      field("cpu_seconds", &RegionTime::cpu_seconds, "s", "sum over threads"),
      field(
          "waited_seconds", &RegionTime::waited_seconds, "s",
          "of the region itself, sum over threads: ready to run, while others had the CPU; absent "
          "where the kernel does not tell",
          {.limits = kNotNegative}),
      field("asleep_seconds", &RegionTime::asleep_seconds, "s",
            "part of the wall time of the region itself: threads slept in it, and none was awake; "
            "absent where nobody looked",
            {.limits = kNotNegative, .since = 2}),
      field("kernel_seconds", &RegionTime::kernel_seconds, "s",
            "part of the CPU time of the region itself: in system calls and page faults; absent "
            "where the kernel may not be looked at",
            {.limits = kNotNegative, .since = 2}),
      field("page_faults", &RegionTime::page_faults, "",
            "with those of inner and called regions whose entries are too short to tell apart; "
            "absent where the region's own are"),
      field("wait_causes", &RegionTime::wait_causes, "s", "of a region that waits", {.since = 2}),
      field("caused_wait_seconds", &RegionTime::caused_wait_seconds, "s",
            "summed over the threads that waited for this region",
            {.limits = kNotNegative, .since = 2}),
      field("share_seconds", &RegionTime::share_seconds, "s",
            "wall time of the program that is this region's: of each moment an equal part for each "
            "thread at work; over all regions it sums to the wall time",
            {.limits = kNotNegative, .since = 2}),
      field("callers", &RegionTime::callers, "",
            "from the direct caller outwards, as far as half of the region's stacks agree; from "
            "stacks that were sampled with its time; absent where there are too few",
            {.absence = Absence::empty, .since = 2})};
};
static_assert(is_complete<RegionTime>());

}  // namespace ridge::describe
