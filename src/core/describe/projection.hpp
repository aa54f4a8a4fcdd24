// Fields of a measured program on other machines.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/describe/region.hpp"
#include "core/value/projection.hpp"

namespace ridge::describe {

inline constexpr std::array<std::string_view, 4> kCountedPrecisions{"fp64", "fp32", "fp16", "bf16"};

template <>
struct Enumerators<CoresThere> {
  static constexpr std::array values{CoresThere::as_here, CoresThere::whole, CoresThere::chosen};
};

template <>
struct Description<DeviceTerms> {
  static constexpr std::string_view name = "DeviceTerms";
  static constexpr std::string_view meaning =
      "what a loop needs of a device beside the roof; parts of its times";
  static constexpr auto fields = std::tuple{
      field("iterations", &DeviceTerms::iterations, "",
            "independent ones of one kernel, if the whole nest is one", {.limits = kPositive}),
      field("lanes", &DeviceTerms::lanes, "",
            "of the device: fewer iterations leave some without work", {.limits = kPositive}),
      field("launches", &DeviceTerms::launches, "", "if the whole nest is one kernel",
            {.limits = kPositive}),
      field("launch_seconds", &DeviceTerms::launch_seconds, "s",
            "all of them; absent: no latency is known", {.limits = kNotNegative}),
      field("transfer_seconds", &DeviceTerms::transfer_seconds, "s",
            "of all lines of the loop over the link, once; absent: not known",
            {.limits = kNotNegative})};
};
static_assert(is_complete<DeviceTerms>());

template <>
struct Description<ProjectedRegion> {
  static constexpr std::string_view name = "ProjectedRegion";
  static constexpr std::string_view meaning = "a region on another machine";
  static constexpr auto fields = std::tuple{
      field("id", &ProjectedRegion::region, "", "as in the profile"),
      beside<std::string>("name", "", ""),
      beside<std::string>("function", "", ""),
      beside<std::optional<std::string>>("file", "", ""),
      beside<std::optional<unsigned>>("line", "", ""),
      beside<double>("seconds_here", "s", "of the region itself, where it was measured", kPositive),
      field("cores", &ProjectedRegion::cores, "", "that it runs on there", {.limits = kAtLeastOne}),
      field("traffic_simulated", &ProjectedRegion::simulated, "",
            "its traffic is that of the caches there, not of those here"),
      field("missing", &ProjectedRegion::missing, "", "why there is no time"),
      field("bound", &ProjectedRegion::bound, "", "there; without a fraction"),
      field("ideal_seconds", &ProjectedRegion::ideal_seconds, "s", "at that bound",
            {.limits = kPositive}),
      field("seconds", &ProjectedRegion::seconds, "s",
            "seconds_here x bound there / bound here, by the resources known on both",
            {.limits = kPositive}),
      field("low_seconds", &ProjectedRegion::low_seconds, "s",
            "of the interval; the machine's interval_of says what it spans", {.limits = kPositive}),
      field("high_seconds", &ProjectedRegion::high_seconds, "s", "absent: not known",
            {.limits = kPositive}),
      field("device", &ProjectedRegion::device, "", "of a GPU"),
      field("fraction", &ProjectedRegion::fraction, "", "of its bound here, by the same resources",
            {.limits = kPositive}),
      field("intensity", &ProjectedRegion::intensity, "flop/byte", "at the memory there",
            {.limits = kPositive}),
      field("notes", &ProjectedRegion::notes, "", "")};
};
static_assert(is_complete<ProjectedRegion>());

template <>
struct Description<MachineProjection> {
  static constexpr std::string_view name = "MachineProjection";
  static constexpr std::string_view meaning = "the program on one machine";
  static constexpr auto fields = std::tuple{
      field("machine", &MachineProjection::machine, "", "its key"),
      field("name", &MachineProjection::name, "", ""),
      field("published", &MachineProjection::published, "",
            "by published figures, not by measured ceilings"),
      field("cores_are", &MachineProjection::cores_are, "",
            "as_here: every loop on as many as it had threads here; whole: loops that had most "
            "threads on all; chosen: on --cores"),
      field("cores", &MachineProjection::cores, "core",
            "most that a loop uses there; multiprocessors of a GPU", {.limits = kAtLeastOne}),
      field("seconds", &MachineProjection::seconds, "s",
            "calibrated: every loop as far from its roof as here", {.limits = kPositive}),
      field("ideal_seconds", &MachineProjection::ideal_seconds, "s", "every loop at its roof",
            {.limits = kPositive}),
      field("low_seconds", &MachineProjection::low_seconds, "s",
            "sum of the loops' low ends and of what has no bound", {.limits = kPositive}),
      field("high_seconds", &MachineProjection::high_seconds, "s",
            "the same of the high ends; absent: one of them is not known", {.limits = kPositive}),
      field("interval_of", &MachineProjection::interval_of, "",
            "what the intervals span, a few words each"),
      field("projected_share", &MachineProjection::projected_share, "",
            "of the time here; the rest is taken to last as long", {.limits = kShare}),
      field("traffic_simulated", &MachineProjection::simulated, "",
            "all traffic is that of its caches, not of those here"),
      field("memory", &MachineProjection::memory, "", "level"),
      field("flops_per_second", &MachineProjection::flops_per_second, "flop/s",
            "peak with the most cores that a loop uses", {.limits = kPositive}),
      field("bytes_per_second", &MachineProjection::bytes_per_second, "byte/s",
            "of the memory, with as many cores", {.limits = kPositive}),
      field("regions", &MachineProjection::regions, "", "those with time"),
      field("notes", &MachineProjection::notes, "", "")};
};
static_assert(is_complete<MachineProjection>());

template <>
struct Description<Projection> {
  static constexpr std::string_view name = "Projection";
  static constexpr std::string_view meaning =
      "a measured program on other machines; docs/theory/projection.md says how times are modelled";
  static Origin origin(const Projection& /*projection*/) { return Origin::modelled; }
  static constexpr auto fields = std::tuple{
      beside<std::string>("ridge_version", "", "of the Ridge that measured"),
      beside<std::vector<std::string>>("argv", "", "of the program"),
      beside<std::string>("machine_here", "", "where the program was measured"),
      field("seconds_here", &Projection::seconds_here, "s", "wall time of the program there",
            {.limits = kNotNegative}),
      field("precision", &Projection::precision, "", "of most of its work; absent: no work",
            {.absence = Absence::empty, .words = kCountedPrecisions}),
      derived("origin", &origin, "", "of the times"),
      field("machines", &Projection::machines, "",
            "shortest calibrated time first, unknown ones last"),
      field("assumptions", &Projection::assumptions, "", "one sentence each")};
};
static_assert(is_complete<Projection>());

}  // namespace ridge::describe
