#include "cli/common/machine_keeping.hpp"

#include <algorithm>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "bench/ceilings.hpp"
#include "bench/notes.hpp"

namespace ridge::cli {
namespace {

/// The quoted value as a rate: of a latency, accesses per second at its fast end.
double rate_of(const Ceiling& ceiling) {
  return ceiling.kind == CeilingKind::latency ? 1.0 / low_of(ceiling.value) : p90_of(ceiling.value);
}

/// Width of the 80 % interval relative to the median.
double scatter_of(const Ceiling& ceiling) {
  return std::visit(
      [](const auto& value) {
        return (value.high.value() - value.low.value()) / value.median.value();
      },
      ceiling.value);
}

bool is_shaky(const Ceiling& ceiling) {
  const auto& flags = ceiling.flags;
  return std::any_of(flags.begin(), flags.end(), [](const std::string& flag) {
    return flag == bench::flag::kDisturbed || flag == bench::flag::kUnsteady;
  });
}

/// Lower than it was, and not because the machine became slower.
bool is_worse(const Ceiling& kept, const Ceiling& next) {
  constexpr double kLower = 0.9;
  constexpr double kWider = 1.2;
  return rate_of(next) < kLower * rate_of(kept) &&
         (scatter_of(next) > kWider * scatter_of(kept) || (is_shaky(next) && !is_shaky(kept)));
}

std::string some_of(const std::vector<std::string>& ids) {
  constexpr std::size_t kNamed = 2;
  const std::size_t shown = std::min(ids.size(), kNamed);
  return fmt::format("{}{}", fmt::join(ids.begin(), ids.begin() + static_cast<long>(shown), ", "),
                     ids.size() > shown ? ", ..." : "");
}

}  // namespace

std::optional<std::string> why_unfit(const Machine& next) {
  if (next.incomplete) {
    return "it is incomplete";
  }
  const bool apart = std::any_of(next.notes.begin(), next.notes.end(), [](const Note& note) {
    return note.code == bench::kThreadsApart;
  });
  return apart ? std::optional<std::string>(
                     "ceilings are missing whose threads never ran at the same time")
               : std::nullopt;
}

std::optional<std::string> why_worse(const Machine& kept, const Machine& next) {
  constexpr double kFew = 0.05;
  std::vector<std::string> missing;
  std::vector<std::string> worse;
  std::size_t shared = 0;
  bool halved = false;
  for (const Ceiling& ceiling : kept.ceilings) {
    const Ceiling* again = find_ceiling(next, ceiling.id);
    if (again == nullptr) {
      missing.push_back(ceiling.id);
      continue;
    }
    ++shared;
    if (is_worse(ceiling, *again)) {
      worse.push_back(ceiling.id);
      halved = halved || rate_of(*again) < 0.5 * rate_of(ceiling);
    }
  }
  if (!missing.empty()) {
    return fmt::format("it lacks {} of the {} ceilings of the file of {} ({})", missing.size(),
                       kept.ceilings.size(), kept.date, some_of(missing));
  }
  if (halved || static_cast<double>(worse.size()) > kFew * static_cast<double>(shared)) {
    return fmt::format(
        "{} of {} ceilings are more than 10 % worse than in the file of {}, from samples that "
        "scatter more ({})",
        worse.size(), shared, kept.date, some_of(worse));
  }
  return std::nullopt;
}

}  // namespace ridge::cli
