#include "predict/diagnose.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "predict/ceilings.hpp"
#include "predict/findings.hpp"
#include "predict/program_time.hpp"
#include "predict/subject.hpp"

namespace ridge::predict {
namespace {

constexpr double kPercent = 100.0;
// A speed-up smaller than this is not worth a recommendation.
constexpr double kWorthwhile = 1.05;
constexpr double kCovered = 0.95;   // of the time is looked at
constexpr double kMentioned = 0.1;  // unattributed or waiting shares above this are said
constexpr double kMost = 0.5;
constexpr std::string_view kLatency = "latency";
constexpr std::string_view kLibrary = "library";
constexpr std::string_view kNoRoof = "no roof";

/// A region with time, and what explains it.
struct Part {
  const Region* region = nullptr;
  const RegionPrediction* prediction = nullptr;
  double seconds = 0.0;
  std::string cause;  ///< name of a level, "compute", or one of the constants above
};

std::string cause_of(const Region& region, const RegionPrediction& prediction) {
  if (region.kind == RegionKind::library) {
    return std::string(kLibrary);
  }
  if (!prediction.code || !prediction.code->fraction) {
    return std::string(kNoRoof);
  }
  return *prediction.code->fraction < kFarBelowRoof ? std::string(kLatency)
                                                    : resource_of(prediction.code->ceiling);
}

/// All regions with time except the whole and waiting, most time first.
std::vector<Part> parts_of(const Profile& profile, const Prediction& prediction) {
  std::vector<Part> parts;
  const std::size_t count = std::min(profile.regions.size(), prediction.regions.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Region& region = profile.regions[i];
    const double seconds = self_seconds(region);
    if (region.kind != RegionKind::program && !is_waiting(region) && seconds > 0.0) {
      parts.push_back(
          {&region, &prediction.regions[i], seconds, cause_of(region, prediction.regions[i])});
    }
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const Part& a, const Part& b) { return a.seconds > b.seconds; });
  return parts;
}

double sum_of(const std::vector<Part>& parts) {
  double sum = 0.0;
  for (const Part& part : parts) {
    sum += part.seconds;
  }
  return sum;
}

/// Keeps the first parts that make up 95 % of the sum.
void keep_covered(std::vector<Part>& parts) {
  const double wanted = kCovered * sum_of(parts);
  double seen = 0.0;
  std::size_t kept = 0;
  while (kept < parts.size() && seen < wanted) {
    seen += parts[kept++].seconds;
  }
  parts.resize(kept);
}

/// What takes most of the time, in words.
std::string leading_cause(const std::vector<Part>& parts, double total) {
  std::map<std::string, double> by_cause;
  for (const Part& part : parts) {
    by_cause[part.cause] += part.seconds;
  }
  const auto top = std::max_element(by_cause.begin(), by_cause.end(),
                                    [](auto& a, auto& b) { return a.second < b.second; });
  const auto& cause = top->first;
  const double percent = kPercent * top->second / total;
  if (cause == "compute") {
    return fmt::format("{:.0f} % of the time is bound by arithmetic", percent);
  }
  if (cause == kLatency) {
    return fmt::format(
        "{:.0f} % of the time runs far below every roof (latency or dependencies bind it)",
        percent);
  }
  if (cause == kLibrary) {
    const auto first = std::find_if(parts.begin(), parts.end(),
                                    [](const Part& part) { return part.cause == kLibrary; });
    return fmt::format(
        "{:.0f} % of the time is spent in libraries whose work is not counted (most of it {})",
        percent, first->region->name);
  }
  if (cause == kNoRoof) {
    return fmt::format("{:.0f} % of the time is spent where no roof is known", percent);
  }
  return fmt::format("{:.0f} % of the time is bound by {} bandwidth", percent, cause);
}

std::string place_of(const Region& region) {
  std::string name = brief_name(region.name);
  if (!region.file) {
    return name;
  }
  const std::string file = region.file->substr(region.file->find_last_of('/') + 1);
  return region.line ? fmt::format("{} ({}:{})", name, file, *region.line)
                     : fmt::format("{} ({})", name, file);
}

/// Something that the machine can and the code does not use; empty when there is nothing.
std::string_view unused_capability(const Part& part, const Machine& machine) {
  if (!part.prediction->machine) {
    return {};
  }
  constexpr double kClearly = 1.2;
  const Bound& code = *part.prediction->code;
  const Bound& best = *part.prediction->machine;
  const Ceiling* own = find_ceiling(machine, code.ceiling);
  const Ceiling* other = find_ceiling(machine, best.ceiling);
  if (own == nullptr || other == nullptr || best.attainable < kClearly * code.attainable) {
    return {};
  }
  if (part.cause == "compute" && own->isa != other->isa) {
    return "wider SIMD and FMA";
  }
  if (part.region->threads < other->threads) {
    return "more threads";
  }
  return part.cause == "compute" ? "a better balance of additions and FMA" : "";
}

std::string advice_for(const Part& part, const Machine& machine) {
  const std::string_view unused = unused_capability(part, machine);
  const auto with_unused = [&](std::string_view advice) {
    return unused.empty() ? std::string(advice) : fmt::format("{}, or {}", advice, unused);
  };
  if (part.cause == kLatency) {
    return "more independent work in flight (several accumulators, unrolling, fewer indirections)";
  }
  if (part.cause == "compute") {
    return unused.empty() ? "fewer operations" : std::string(unused);
  }
  if (part.cause == "L1") {
    return with_unused("fewer loads and stores per operation (register blocking, wider vectors)");
  }
  return with_unused(is_memory(machine, part.cause)
                         ? "less traffic per update (blocking, fusing loops, smaller types)"
                         : "blocking, so that data stays one level further in");
}

/// The first finding that is worth a change, or whose worth is not known; nullptr when there is
/// none.
const Finding* leading_finding(const Region& region) {
  const auto found =
      std::find_if(region.findings.begin(), region.findings.end(), [](const Finding& finding) {
        return finding.code != "at-roof" && (!finding.gain || *finding.gain >= kWorthwhileGain);
      });
  return found == region.findings.end() ? nullptr : &*found;
}

/// What may be won: the way to the roof, or what the leading finding is worth.
double to_win(const Part& part) {
  const double below = std::max(1.0 - *part.prediction->code->fraction, 0.0);
  const Finding* finding = leading_finding(*part.region);
  const double gain = finding != nullptr && finding->gain ? 1.0 - 1.0 / *finding->gain : 0.0;
  return part.seconds * std::max(below, gain);
}

/// The part with most to win; nullptr when none has a bound.
const Part* most_to_win(const std::vector<Part>& parts) {
  const Part* best = nullptr;
  double most = -1.0;
  for (const Part& part : parts) {
    if (part.cause == kLibrary || part.cause == kNoRoof) {
      continue;
    }
    if (const double won = to_win(part); won > most) {
      most = won;
      best = &part;
    }
  }
  return best;
}

std::string roof_name(const Part& part) {
  const std::string resource = resource_of(part.prediction->code->ceiling);
  return resource == "compute" ? "arithmetic" : resource;
}

std::string times_text(double factor) {
  constexpr double kWholeNumbers = 10.0;
  return factor < kWholeNumbers ? fmt::format("{:.1f}x", factor) : fmt::format("{:.0f}x", factor);
}

std::string recommendation(const Part& part, const Profile& profile, double total) {
  const double fraction = *part.prediction->code->fraction;
  const std::string advice = advice_for(part, profile.machine);
  const auto speedup = speedup_at_roof(*part.region, profile, *part.prediction);
  const std::string where =
      fmt::format("{}: {:.0f} % of the time at {:.0f} % of its {} roof", place_of(*part.region),
                  kPercent * part.seconds / total, kPercent * fraction, roof_name(part));
  const Finding* finding = leading_finding(*part.region);
  // What is known of the loop itself says more than the general advice.
  if (finding != nullptr && finding->gain_program && *finding->gain_program >= kWorthwhile) {
    return fmt::format("look first at {}; there, {} (without it the program is at most {} as fast)",
                       where, finding->text, times_text(*finding->gain_program));
  }
  if (!speedup || *speedup < kWorthwhile) {
    return fmt::format("little is left below the roofs, the most at {}; to go beyond: {}", where,
                       advice);
  }
  const std::string text =
      fmt::format("look first at {}; reaching it would make the program {} faster", where,
                  times_text(*speedup));
  return finding == nullptr ? fmt::format("{}; try {}", text, advice)
                            : fmt::format("{}; there, {}", text, finding->text);
}

/// Share of the CPU time that waits in the OpenMP runtime. Wall time would not do: one waiting
/// thread is enough to count all of it.
double waiting_share(const Profile& profile) {
  double waiting = 0.0;
  double all = 0.0;
  for (const Region& region : profile.regions) {
    if (region.kind == RegionKind::program || !region.cpu_seconds.self) {
      continue;
    }
    const double seconds = std::max(region.cpu_seconds.self->value.value(), 0.0);
    all += seconds;
    waiting += is_waiting(region) ? seconds : 0.0;
  }
  return all > 0.0 ? waiting / all : 0.0;
}

std::string remarks(const Profile& profile) {
  std::string text;
  const double unattributed = profile.time.unattributed_fraction;
  if (unattributed > kMentioned && unattributed <= kMost) {
    text += fmt::format(" {:.0f} % of the time could not be attributed to a region.",
                        kPercent * unattributed);
  }
  if (const double waiting = waiting_share(profile); waiting > kMentioned) {
    text += fmt::format(
        " {:.0f} % of the CPU time waits in the OpenMP runtime (imbalance or serial parts).",
        kPercent * waiting);
  }
  return text;
}

std::string without_time(const Profile& profile) {
  for (const Note& note : profile.notes) {
    if (note.code == "not-attached") {
      return note.text + ".";
    }
  }
  const bool only_program =
      std::all_of(profile.regions.begin(), profile.regions.end(),
                  [](const Region& region) { return region.kind == RegionKind::program; });
  if (only_program) {
    return "No loop or function was seen: the program ran no code that was compiled with ridge-cc "
           "or ridge-c++.";
  }
  return "No time was measured in any loop or function: the program is too short to be sampled; "
         "give it more work.";
}

}  // namespace

std::optional<double> speedup_at_roof(const Region& region, const Profile& profile,
                                      const RegionPrediction& prediction) {
  const double own = self_seconds(region);
  if (own <= 0.0 || !prediction.code || !prediction.code->fraction) {
    return std::nullopt;
  }
  const double total = std::max(program_seconds(profile), own);
  const double fraction = std::min(*prediction.code->fraction, 1.0);
  const double remaining = total - own + own * fraction;
  return remaining > 0.0 ? std::optional(total / remaining) : std::nullopt;
}

std::string summarise(const Profile& profile, const Prediction& prediction) {
  std::vector<Part> parts = parts_of(profile, prediction);
  if (parts.empty()) {
    return without_time(profile) + remarks(profile);
  }
  const double total = std::max(program_seconds(profile), sum_of(parts));
  keep_covered(parts);
  std::string sentence = leading_cause(parts, total);
  if (const double unattributed = profile.time.unattributed_fraction; unattributed > kMost) {
    sentence = fmt::format("{:.0f} % of the time could not be attributed to any region; {}",
                           kPercent * unattributed, sentence);
  }
  if (const Part* part = most_to_win(parts); part != nullptr) {
    sentence += "; " + recommendation(*part, profile, total);
  }
  return sentence + "." + remarks(profile);
}

}  // namespace ridge::predict
