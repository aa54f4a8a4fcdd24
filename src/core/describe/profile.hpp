// Fields of a profile.
#pragma once

#include <tuple>

#include "core/describe/field.hpp"
#include "core/describe/region.hpp"
#include "core/value/profile.hpp"

namespace ridge::describe {

inline constexpr Limits kSignal{.least = 1.0, .most = 1023.0};

template <>
struct Description<Process> {
  static constexpr std::string_view name = "Process";
  static constexpr std::string_view meaning = "one process that was measured";
  static constexpr auto fields = std::tuple{
      field("pid", &Process::pid, "", "of the operating system", {.limits = kNotNegative}),
      field("argv", &Process::argv, "", ""), field("exit_code", &Process::exit_code, "", ""),
      field("signal", &Process::signal, "", "that ended it", {.limits = kSignal}),
      field("rank", &Process::rank, "", "in MPI_COMM_WORLD", {.limits = kNotNegative})};
};
static_assert(is_complete<Process>());

template <>
struct Description<Profile::Program> {
  static constexpr std::string_view name = "Program";
  static constexpr std::string_view meaning = "what was run, and how it ended";
  static constexpr auto fields = std::tuple{
      field("argv", &Profile::Program::argv, "", "as given; empty: left out by --redact"),
      field("exit_code", &Profile::Program::exit_code, "", ""),
      field("signal", &Profile::Program::signal, "", "that ended it", {.limits = kSignal}),
      field("wall_seconds", &Profile::Program::wall_seconds, "s", "of the first run",
            {.limits = kNotNegative}),
      field("compiler", &Profile::Program::compiler, "",
            "compiler and flags of the instrumented build")};
};
static_assert(is_complete<Profile::Program>());

template <>
struct Description<Profile::Time> {
  static constexpr std::string_view name = "SampledShare";
  static constexpr std::string_view meaning = "how much of the run the samples explain";
  static constexpr auto fields = std::tuple{
      field("sampled_seconds", &Profile::Time::sampled_seconds, "s", "", {.limits = kNotNegative}),
      field("unattributed_fraction", &Profile::Time::unattributed_fraction, "",
            "of the samples: saw no region", {.limits = kShare}),
      beside<std::optional<double>>("unattributed_low", "", "its 80 % interval", kShare),
      beside<std::optional<double>>("unattributed_high", "", "", kShare)};
};
static_assert(is_complete<Profile::Time>());

template <>
struct Description<Profile> {
  static constexpr std::string_view name = "Profile";
  static constexpr std::string_view meaning = "what a program did, region by region";
  static constexpr auto fields = std::tuple{
      field("ridge_version", &Profile::ridge_version, "", "of the Ridge that measured"),
      field("date", &Profile::date, "", "ISO 8601, UTC"),
      field("program", &Profile::program, "", ""),
      field("machine", &Profile::machine, "", "on which it ran"),
      field("processes", &Profile::processes, "", ""),
      field("time", &Profile::time, "", ""),
      field("origins", &Profile::origins, "", ""),
      field("caches_elsewhere", &Profile::caches_elsewhere, "",
            "caches of other machines on which traffic was simulated in the same run; names are "
            "distinct",
            {.absence = Absence::empty}),
      field("regions", &Profile::regions, "", "ids are distinct; at most one is the program"),
      field("notes", &Profile::notes, "", "of the whole run", {.absence = Absence::not_in_past}),
      beside<std::optional<std::string>>("summary", "", "what binds the program")};
};
static_assert(is_complete<Profile>());

}  // namespace ridge::describe
