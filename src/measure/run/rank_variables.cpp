#include "measure/run/rank_variables.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

/// In the order in which they are trusted: Slurm's is set in a batch script too.
constexpr std::array<std::string_view, 5> kRanks = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                                    "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
/// SLURM_NTASKS is none of them: a batch script has that of its job, and is no rank.
constexpr std::array<std::string_view, 4> kSizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                                    "MV2_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
constexpr std::array<std::string_view, 4> kLocalSizes = {
    "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", "MV2_COMM_WORLD_LOCAL_SIZE", "PMI_LOCAL_SIZE"};
/// Of Slurm: ranks of each node in turn, "4(x2),3".
constexpr std::string_view kOfEachNode = "SLURM_STEP_TASKS_PER_NODE";
constexpr std::string_view kNode = "SLURM_NODEID";
/// One for each start by mpirun or srun.
constexpr std::array<std::string_view, 4> kJobs = {"PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid",
                                                   "PMI_JOBID", "PALS_APID"};

std::optional<std::string_view> value_of(std::string_view environment, std::string_view name) {
  std::optional<std::string_view> found;
  while (!environment.empty()) {
    const auto end = environment.find('\0');
    const std::string_view variable = environment.substr(0, end);
    environment.remove_prefix(end == std::string_view::npos ? environment.size() : end + 1);
    if (variable.starts_with(name) && variable.substr(name.size()).starts_with('=')) {
      found = variable.substr(name.size() + 1);
    }
  }
  return found;
}

std::optional<int> number_of(std::string_view environment, std::string_view name) {
  const auto value = value_of(environment, name);
  int number = 0;
  if (!value) {
    return std::nullopt;
  }
  const auto [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
  const bool is_number = error == std::errc() && end == value->data() + value->size();
  return is_number && number >= 0 ? std::optional(number) : std::nullopt;
}

template <std::size_t N>
std::optional<int> first_number(std::string_view environment,
                                const std::array<std::string_view, N>& names) {
  for (const std::string_view name : names) {
    if (const auto number = number_of(environment, name)) {
      return number;
    }
  }
  return std::nullopt;
}

std::optional<unsigned> leading_number(std::string_view& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

/// The number of the node in a list like "4(x2),3"; nullopt: the list is malformed or too short.
std::optional<unsigned> tasks_of_node(std::string_view list, unsigned node) {
  while (!list.empty()) {
    const auto tasks = leading_number(list);
    unsigned nodes = 1;
    if (list.starts_with("(x")) {
      list.remove_prefix(2);
      nodes = leading_number(list).value_or(0);
      list.remove_prefix(list.starts_with(')') ? 1 : 0);
    }
    if (!tasks || nodes == 0 || (!list.empty() && list.front() != ',')) {
      return std::nullopt;
    }
    if (node < nodes) {
      return tasks;
    }
    node -= nodes;
    list.remove_prefix(list.empty() ? 0 : 1);
  }
  return std::nullopt;
}

std::optional<unsigned> local_ranks_in(std::string_view environment) {
  if (const auto local = first_number(environment, kLocalSizes); local && *local > 0) {
    return static_cast<unsigned>(*local);
  }
  const auto list = value_of(environment, kOfEachNode);
  const auto node = number_of(environment, kNode);
  const auto tasks =
      list && node ? tasks_of_node(*list, static_cast<unsigned>(*node)) : std::nullopt;
  return tasks && *tasks > 0 ? tasks : std::nullopt;
}

std::string job_in(std::string_view environment) {
  for (const std::string_view name : kJobs) {
    if (const auto value = value_of(environment, name); value && !value->empty()) {
      return std::string(*value);
    }
  }
  const auto job = value_of(environment, "SLURM_JOB_ID");
  const auto step = value_of(environment, "SLURM_STEP_ID");
  return job && step ? fmt::format("{}.{}", *job, *step) : std::string();
}

}  // namespace

std::optional<std::string> start_of_proxy(std::string_view command_line) {
  const std::string_view program = command_line.substr(0, command_line.find('\0'));
  if (!program.substr(program.find_last_of('/') + 1).starts_with("hydra_")) {  // npos + 1 is 0
    return std::nullopt;
  }
  std::string start;
  std::string_view option;
  for (std::string_view rest = command_line; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find('\0'));
    rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    if (option == "--control-port") {
      start = fmt::format("{}{}", word, start);
    } else if (option == "--pgid") {  // ranks that a program spawns are another start
      start += fmt::format("-{}", word);
    }
    option = word;
  }
  return start.empty() || start.front() == '-' ? std::nullopt : std::optional(start);
}

std::optional<int> rank_in(std::string_view environment) {
  for (const std::string_view name : kRanks) {
    const auto rank = number_of(environment, name);
    const bool is_alone =
        name == "SLURM_PROCID" && number_of(environment, "SLURM_NTASKS").value_or(1) < 2;
    if (rank && !is_alone) {
      return rank;
    }
  }
  return std::nullopt;
}

std::optional<RankPlace> rank_place_in(std::string_view environment) {
  const auto rank = rank_in(environment);
  const auto ranks = first_number(environment, kSizes);
  if (!rank || !ranks || *ranks < 2 || *rank >= *ranks) {
    return std::nullopt;
  }
  RankPlace place;
  place.rank = static_cast<unsigned>(*rank);
  place.ranks = static_cast<unsigned>(*ranks);
  place.local_ranks = local_ranks_in(environment);
  place.job = job_in(environment);
  return place;
}

}  // namespace ridge::measure
