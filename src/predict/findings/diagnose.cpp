#include "predict/findings/diagnose.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "predict/findings/cause_words.hpp"
#include "predict/findings/finding_rules.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/roof_words.hpp"
#include "predict/findings/subject.hpp"
#include "predict/findings/verdict.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/memory.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

constexpr double kPercent = 100.0;
// A speed-up smaller than this is not worth a recommendation.
constexpr double kWorthwhile = 1.05;
constexpr double kCovered = 0.95;   // of the time is looked at
constexpr double kMentioned = 0.1;  // unattributed or waiting shares above this are said
constexpr double kMost = 0.5;

/// A region with time, and what explains it.
struct Part {
  const Region* region = nullptr;
  const RegionPrediction* prediction = nullptr;
  double seconds = 0.0;
  VerdictKind kind = VerdictKind::no_roof;
  std::string cause;  ///< of bandwidth and arithmetic: the resource; else the kind's name

  /// How far it is below which roof is known.
  [[nodiscard]] bool has_roof() const {
    return kind == VerdictKind::arithmetic || kind == VerdictKind::bandwidth ||
           kind == VerdictKind::latency;
  }
};

Part part_of(const Region& region, const RegionPrediction& prediction, double seconds) {
  const RegionVerdict verdict = prediction.verdict.value_or(RegionVerdict{});
  return {&region, &prediction, seconds, verdict.kind,
          verdict.resource.empty() ? std::string(to_string(verdict.kind)) : verdict.resource};
}

/// All regions with time except the whole and waiting, most time first.
std::vector<Part> parts_of(const Profile& profile, const Prediction& prediction) {
  std::vector<Part> parts;
  const std::size_t count = std::min(profile.regions.size(), prediction.regions.size());
  for (std::size_t i = 0; i < count; ++i) {
    const Region& region = profile.regions[i];
    const double seconds = share_of_program(region);
    if (!is_sum(region) && !is_waiting(region) && seconds > 0.0) {
      parts.push_back(part_of(region, prediction.regions[i], seconds));
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

std::map<std::string, double> seconds_by_cause(const std::vector<Part>& parts) {
  std::map<std::string, double> by_cause;
  for (const Part& part : parts) {
    by_cause[part.cause] += part.seconds;
  }
  return by_cause;
}

std::string share_with_cause(const std::vector<Part>& parts, const std::string& cause,
                             double share) {
  const auto first = std::find_if(parts.begin(), parts.end(),
                                  [&](const Part& part) { return part.cause == cause; });
  const std::string name =
      first->kind == VerdictKind::calls ? most_called(*first->region) : first->region->name;
  return cause_words({first->kind, *first->region, first->cause, name},
                     fmt::format("{:.0f} %", kPercent * share));
}

/// What takes most of the time, in words; then how much of it is spent asleep or in the kernel.
std::string leading_cause(const std::vector<Part>& parts, double total) {
  const auto by_cause = seconds_by_cause(parts);
  const auto top = std::max_element(by_cause.begin(), by_cause.end(),
                                    [](auto& a, auto& b) { return a.second < b.second; });
  std::string words = share_with_cause(parts, top->first, top->second / total);
  for (const VerdictKind kind : {VerdictKind::asleep, VerdictKind::kernel}) {
    const auto other = by_cause.find(std::string(to_string(kind)));
    if (other != by_cause.end() && other != top && other->second > kMentioned * total) {
      words += ", " + share_with_cause(parts, other->first, other->second / total);
    }
  }
  return words;
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

/// What is known to be waited for; empty: nothing is.
std::string_view latency_advice(const Region& region) {
  constexpr double kMuch = 0.25;  // of the bytes in loops
  const bool sums = std::any_of(region.chain.begin(), region.chain.end(),
                                [](const ChainTerm& term) { return term.reduction; });
  if (sums) {
    return "sums in several parts (several accumulators)";
  }
  double unforeseen = 0.0;
  double all = 0.0;
  for (const AccessTerm& term : region.accesses) {
    const bool computed =
        term.pattern == AccessPattern::indirect || term.pattern == AccessPattern::unknown;
    all += static_cast<double>(term.bytes);
    unforeseen += computed ? static_cast<double>(term.bytes) : 0.0;
  }
  return share_of(unforeseen, all) >= kMuch
             ? "more independent loads on their way (unrolling, prefetching, fewer indirections)"
             : "";
}

/// Empty: nothing that is known to help.
std::string advice_for(const Part& part, const Machine& machine) {
  const std::string_view unused = unused_capability(part, machine);
  const auto with_unused = [&](std::string_view advice) {
    return unused.empty() ? std::string(advice) : fmt::format("{}, or {}", advice, unused);
  };
  if (part.kind == VerdictKind::latency) {
    return std::string(latency_advice(*part.region));
  }
  if (part.cause == "compute") {
    return unused.empty() ? "fewer operations" : std::string(unused);
  }
  if (part.cause == to_string(Level::L1)) {
    return with_unused("fewer loads and stores per operation (register blocking, wider vectors)");
  }
  const auto level = parse_level(part.cause);
  return with_unused(level && is_memory(machine, *level)
                         ? "less traffic per update (blocking, fusing loops, smaller types)"
                         : "blocking, so that data stays one level further in");
}

/// The first finding that is worth a change, or whose worth is not known; nullptr when there is
/// none.
const Finding* leading_finding(const RegionPrediction& prediction) {
  const auto& all = prediction.findings;
  const auto found = std::find_if(all.begin(), all.end(), [](const Finding& finding) {
    return finding.code != "at-roof" && (!finding.gain || *finding.gain >= kWorthwhileGain);
  });
  return found == all.end() ? nullptr : &*found;
}

/// What may be won: the way to the roof, or what the leading finding is worth.
double to_win(const Part& part) {
  const double below = std::max(1.0 - *part.prediction->code->fraction, 0.0);
  const Finding* finding = leading_finding(*part.prediction);
  const double gain = finding != nullptr && finding->gain ? 1.0 - 1.0 / *finding->gain : 0.0;
  return part.seconds * std::max(below, gain);
}

/// The part with most to win; nullptr when none has a bound.
const Part* most_to_win(const std::vector<Part>& parts) {
  const Part* best = nullptr;
  double most = -1.0;
  for (const Part& part : parts) {
    if (!part.has_roof()) {
      continue;
    }
    if (const double won = to_win(part); won > most) {
      most = won;
      best = &part;
    }
  }
  return best;
}

std::string times_text(double factor) {
  constexpr double kWholeNumbers = 10.0;
  return factor < kWholeNumbers ? fmt::format("{:.1f}x", factor) : fmt::format("{:.0f}x", factor);
}

std::string recommendation(const Part& part, const Profile& profile, double total) {
  const double fraction = *part.prediction->code->fraction;
  const std::string advice = advice_for(part, profile.machine);
  const auto& gain = part.prediction->gain;
  const std::string where =
      fmt::format("{}: {:.0f} % of the time at {:.0f} % of its {}", place_of(*part.region),
                  kPercent * part.seconds / total, kPercent * fraction,
                  roof_words(*part.region, *part.prediction->code, profile.machine));
  const Finding* finding = leading_finding(*part.prediction);
  // What is known of the loop itself says more than the general advice.
  if (finding != nullptr && finding->gain_program && *finding->gain_program >= kWorthwhile) {
    return fmt::format("look first at {}; there, {} (without it the program is {} {} as fast)",
                       where, finding->text, finding->gain_is_bound ? "at most" : "about",
                       times_text(*finding->gain_program));
  }
  if (!gain || *gain < kWorthwhile) {
    const std::string text = fmt::format("little is left below the roofs, the most at {}", where);
    return advice.empty() ? text : fmt::format("{}; to go beyond: {}", text, advice);
  }
  const std::string text = fmt::format(
      "look first at {}; reaching it would make the program {} faster", where, times_text(*gain));
  if (finding != nullptr) {
    return fmt::format("{}; there, {}", text, finding->text);
  }
  return advice.empty() ? fmt::format("{}; what it waits for is not known", text)
                        : fmt::format("{}; try {}", text, advice);
}

/// Share of the CPU time that waits in the OpenMP runtime. Wall time would not do: one waiting
/// thread is enough to count all of it.
double waiting_share(const Profile& profile) {
  double waiting = 0.0;
  double all = 0.0;
  for (const Region& region : profile.regions) {
    if (is_sum(region) || !region.cpu_seconds.self) {
      continue;
    }
    const double seconds = std::max(region.cpu_seconds.self->value.value(), 0.0);
    all += seconds;
    waiting += is_waiting(region) ? seconds : 0.0;
  }
  return all > 0.0 ? waiting / all : 0.0;
}

/// "40 % (38 to 42 %)"; nullopt without samples.
struct Unattributed {
  std::string text;
  double low = 0.0;
};

Unattributed unattributed(const Profile& profile) {
  const double fraction = profile.time.unattributed_fraction;
  const auto interval = unattributed_interval(profile);
  if (!interval) {
    return {fmt::format("{:.0f} %", kPercent * fraction), fraction};
  }
  return {fmt::format("{:.0f} % ({:.0f} to {:.0f} %)", kPercent * fraction,
                      kPercent * interval->low, kPercent * interval->high),
          interval->low};
}

/// The machine, when its load tells more than the program; empty else.
std::string busy_words(const Profile& profile) {
  const Region* program = program_region(profile);
  const double waited = program != nullptr ? waited_share(*program) : 0.0;
  return waited < kBusy ? std::string()
                        : fmt::format(
                              "The machine was busy: threads that were ready to run waited "
                              "{} of their time for a CPU, so loops that did are judged by "
                              "CPU time. ",
                              percent_text(waited));
}

std::string remarks(const Profile& profile) {
  std::string text;
  const Unattributed none = unattributed(profile);
  if (none.low > kMentioned && none.low <= kMost) {
    text += fmt::format(" {} of the time could not be attributed to a region.", none.text);
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
  const bool is_imported = std::any_of(profile.notes.begin(), profile.notes.end(),
                                       [](const Note& note) { return note.code == "imported"; });
  if (only_program && is_imported) {
    return "No loop or function: what was imported holds figures of the whole program alone.";
  }
  if (is_imported) {
    return "No time of a loop or function: what was imported holds none.";
  }
  if (only_program) {
    return "No loop or function was seen: the program ran no code that was compiled with ridge-cc "
           "or ridge-c++.";
  }
  return "No time was measured in any loop or function: the program is too short to be sampled; "
         "give it more work.";
}

}  // namespace

std::optional<double> speedup_at_roof(const Region& region, double program_seconds,
                                      const RegionPrediction& prediction) {
  const double own = judged_share(region);
  const Part part = part_of(region, prediction, own);
  if (own <= 0.0 || !part.has_roof() || !prediction.code || !prediction.code->fraction) {
    return std::nullopt;
  }
  const double total = std::max(program_seconds, own);
  const double fraction = std::min(*prediction.code->fraction, 1.0);
  return speedup_of(total, own * (1.0 - fraction));
}

namespace {

/// What takes most of the time of `parts`, and how much belongs to no region.
std::string cause_of(const Profile& profile, const std::vector<Part>& parts, double total) {
  const std::string sentence = leading_cause(parts, total);
  const Unattributed none = unattributed(profile);
  return none.low > kMost ? fmt::format("{} of the time could not be attributed to any region; {}",
                                        none.text, sentence)
                          : sentence;
}

}  // namespace

std::string program_verdict(const Profile& profile, const Prediction& prediction) {
  std::vector<Part> parts = parts_of(profile, prediction);
  if (parts.empty()) {
    return busy_words(profile) + without_time(profile);
  }
  const double total = std::max(program_seconds(profile), sum_of(parts));
  keep_covered(parts);
  // What the work is bound by says little where there is more waiting than work.
  const double waiting = waiting_share(profile);
  const std::string waits =
      waiting < kMost ? std::string()
                      : fmt::format("{:.0f} % of the CPU time waits in the OpenMP runtime; ",
                                    kPercent * waiting);
  return busy_words(profile) + waits + cause_of(profile, parts, total) + ".";
}

std::string summarise(const Profile& profile, const Prediction& prediction) {
  std::vector<Part> parts = parts_of(profile, prediction);
  if (parts.empty()) {
    return busy_words(profile) + without_time(profile) + remarks(profile);
  }
  const double total = std::max(program_seconds(profile), sum_of(parts));
  keep_covered(parts);
  std::string sentence = cause_of(profile, parts, total);
  const Part* part = most_to_win(parts);
  if (!times_hold(profile)) {
    sentence +=
        "; what a change would gain cannot be told from times of a run that simulated "
        "the caches (--one-run)";
  } else if (part != nullptr) {
    sentence += "; " + recommendation(*part, profile, total);
  }
  return busy_words(profile) + sentence + "." + remarks(profile);
}

}  // namespace ridge::predict
