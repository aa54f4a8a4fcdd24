#include "measure/run/process_identity.hpp"

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace ridge::measure {
namespace {

/// In the order in which they are trusted: Slurm's is set in a batch script too.
constexpr std::array<std::string_view, 5> kRankVariables = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};

/// Calls `visit` with each part that NUL ends.
template <class Visit>
void for_each_part(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const auto end = text.find('\0');
    visit(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::optional<int> number_of(std::string_view environment, std::string_view name) {
  std::optional<int> found;
  for_each_part(environment, [&](std::string_view variable) {
    if (!variable.starts_with(name) || variable.substr(name.size()).substr(0, 1) != "=") {
      return;
    }
    const std::string_view value = variable.substr(name.size() + 1);
    int number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error == std::errc() && end == value.data() + value.size() && number >= 0) {
      found = number;
    }
  });
  return found;
}

std::optional<std::string> file_of(pid_t pid, std::string_view name) {
  std::ifstream file(fmt::format("/proc/{}/{}", pid, name), std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

std::optional<int> rank_in(std::string_view environment) {
  for (const std::string_view name : kRankVariables) {
    const auto rank = number_of(environment, name);
    const bool is_alone =
        name == "SLURM_PROCID" && number_of(environment, "SLURM_NTASKS").value_or(1) < 2;
    if (rank && !is_alone) {
      return rank;
    }
  }
  return std::nullopt;
}

std::optional<ProcessIdentity> read_process_identity(pid_t pid) {
  const auto arguments = file_of(pid, "cmdline");
  const auto environment = file_of(pid, "environ");
  if (!arguments || arguments->empty()) {
    return std::nullopt;  // a zombie has none
  }
  ProcessIdentity identity;
  for_each_part(*arguments, [&](std::string_view word) { identity.argv.emplace_back(word); });
  identity.rank = rank_in(environment.value_or(std::string()));
  return identity;
}

}  // namespace ridge::measure
