// Fields of a profile.
#pragma once

#include <tuple>

#include "core/describe/field.hpp"
#include "core/describe/known_caches.hpp"
#include "core/describe/parallel_run.hpp"
#include "core/describe/region.hpp"
#include "core/value/profile.hpp"

namespace ridge::describe {

template <>
struct Description<Process> {
  static constexpr std::string_view name = "Process";
  static constexpr std::string_view meaning = "one process that was measured";
  static bool is_known(const Process& process) { return process.pid > 0; }
  static constexpr auto fields = std::tuple{
      field("pid", &Process::pid, "",
            "of the operating system; absent: unknown, as of imported files",
            {.limits = kNotNegative, .absence = Absence::not_in_past}, &is_known),
      field("argv", &Process::argv, "", ""),
      field("exit_code", &Process::exit_code, "", ""),
      field("signal", &Process::signal, "", "that ended it", {.limits = kSignal}),
      field("rank", &Process::rank, "", "in MPI_COMM_WORLD", {.limits = kNotNegative}),
      field("cpu_seconds", &Process::cpu_seconds, "s",
            "of all its threads, sampled; of several processes of a program as it is",
            {.limits = kNotNegative, .since = 2}),
      field("flops", &Process::flops, "flop",
            "of several processes of a program as it is; absent where a process of one run cannot "
            "be told to be one of the other",
            {.since = 2}),
      field("bytes", &Process::bytes, "byte", "loaded and stored, known where flops are",
            {.since = 2}),
      field("host", &Process::host, "", "of a rank: that it ran on",
            {.absence = Absence::empty, .since = 2}),
      field("wall_seconds", &Process::wall_seconds, "s", "of a rank: from its start to its end",
            {.limits = kNotNegative, .since = 2}),
      field("mpi_seconds", &Process::mpi_seconds, "s", "of a rank: in MPI; absent: nobody looked",
            {.limits = kNotNegative, .since = 2})};
};
static_assert(is_complete<Process>());

template <>
struct Description<Profile::Program> {
  static constexpr std::string_view name = "Program";
  static constexpr std::string_view meaning = "what was run, and how it ended";
  static bool is_timed(const Profile::Program& program) {
    return program.wall_seconds > Seconds(0.0);
  }
  static constexpr auto fields = std::tuple{
      field("argv", &Profile::Program::argv, "", "as given; empty: left out by --redact"),
      field("exit_code", &Profile::Program::exit_code, "", ""),
      field("signal", &Profile::Program::signal, "", "that ended it", {.limits = kSignal}),
      field("wall_seconds", &Profile::Program::wall_seconds, "s",
            "of the first run; absent: unknown, as of imported files",
            {.limits = kNotNegative, .absence = Absence::not_in_past}, &is_timed),
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
struct Description<Import> {
  static constexpr std::string_view name = "Import";
  static constexpr std::string_view meaning =
      "a file of another tool whose figures stand in the profile";
  static constexpr auto fields =
      std::tuple{field("tool", &Import::tool, "", "as its makers call it", {.non_empty = true}),
                 field("version", &Import::version, "", "of the tool, where its file says it"),
                 field("file", &Import::file, "", "as it was named")};
};
static_assert(is_complete<Import>());

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
      field("parallel", &Profile::parallel, "",
            "of a program of several ranks, whose figures are summed", {.since = 2}),
      field("time", &Profile::time, "", ""),
      field("origins", &Profile::origins, "", ""),
      field("imports", &Profile::imports, "",
            "files of other tools whose figures stand here; absent: Ridge measured all of it",
            {.absence = Absence::empty, .since = 2}),
      field("caches_elsewhere", &Profile::caches_elsewhere, "",
            "caches of other machines on which traffic was simulated in the same run; names are "
            "distinct",
            {.absence = Absence::empty}),
      field("regions", &Profile::regions, "", "ids are distinct; at most one is the program"),
      field("mpi_calls", &Profile::mpi_calls, "", "by function and calling region",
            {.absence = Absence::empty, .since = 2}),
      field("library_calls", &Profile::library_calls, "", "by function, sizes and calling region",
            {.absence = Absence::empty, .since = 2}),
      field("notes", &Profile::notes, "", "of the whole run", {.absence = Absence::not_in_past}),
      beside<std::optional<std::string>>("summary", "", "what binds the program"),
      beside<std::optional<CommunicationBound>>("communication", "",
                                                "what the interconnect allows; absent: calls of "
                                                "MPI or the interconnect were not measured"),
      beside<std::optional<std::vector<NextStep>>>("next_steps", "",
                                                   "what to do next, by what the program gains; at "
                                                   "most five; absent: nothing is known to be "
                                                   "worth it")};
};
static_assert(is_complete<Profile>());

}  // namespace ridge::describe
