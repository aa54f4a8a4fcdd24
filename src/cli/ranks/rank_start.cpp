// Which ranks take part in a start, and the file that says so.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/ranks/rank_folder.hpp"

namespace ridge::cli {
namespace {

constexpr std::string_view kJob = "job ";
constexpr std::string_view kRanks = "ranks ";
constexpr std::string_view kMeasured = "measured ";
constexpr unsigned kMostRanks = 10'000'000;

std::string_view take_line(std::string_view& text, std::string_view key) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(text.size(), line.size() + 1));
  return line.starts_with(key) ? line.substr(key.size()) : std::string_view();
}

std::optional<unsigned> number(std::string_view text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value < kMostRanks
             ? std::optional(value)
             : std::nullopt;
}

/// "0,4,8" in ascending order.
std::optional<std::vector<unsigned>> numbers(std::string_view text) {
  std::vector<unsigned> values;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    const auto value = number(word);
    if (!value || (!values.empty() && *value <= values.back())) {
      return std::nullopt;
    }
    values.push_back(*value);
  }
  return values;
}

}  // namespace

std::string_view to_string(RankRun run) {
  switch (run) {
    case RankRun::first:
      return "first";
    case RankRun::counts:
      return "counts";
    case RankRun::traffic:
      break;
  }
  return "traffic";
}

bool RankChoice::contains(unsigned rank) const {
  return ranks.empty() ? rank % every == 0 : std::ranges::binary_search(ranks, rank);
}

std::vector<unsigned> RankChoice::all(unsigned count) const {
  std::vector<unsigned> chosen;
  for (unsigned rank = 0; rank < count; ++rank) {
    if (contains(rank)) {
      chosen.push_back(rank);
    }
  }
  return chosen;
}

std::string write_rank_start(const RankStart& start) {
  return fmt::format("{}{}\n{}{}\n{}{}\n", kJob, start.job, kRanks, start.ranks, kMeasured,
                     fmt::join(start.expected, ","));
}

Result<RankStart> parse_rank_start(std::string_view text, std::string_view file_name) {
  RankStart start;
  start.job = take_line(text, kJob);
  const auto ranks = number(take_line(text, kRanks));
  const auto measured = numbers(take_line(text, kMeasured));
  if (!ranks || !measured || (!measured->empty() && measured->back() >= *ranks)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} does not say which ranks were measured", file_name),
                "`mpirun -n N ridge run -- PROGRAM` writes it. Measure again.");
  }
  start.ranks = *ranks;
  start.expected = *measured;
  return start;
}

}  // namespace ridge::cli
