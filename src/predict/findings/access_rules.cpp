// Findings from patterns of accesses and from traffic.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/memory.hpp"

namespace ridge::predict {
namespace {

constexpr double kMuch = 0.25;  // of the bytes
constexpr std::uint32_t kSmallStride = 16;
constexpr double kUsedEnough = 0.5;  // of each line
constexpr double kGathers = 0.1;     // of the bytes
constexpr double kExcess = 1.5;
constexpr double kLeavesCache = 0.5;  // of what is stored, that far down
constexpr double kWorthSaving = 0.1;  // of the memory traffic
constexpr double kShareMatters = 1.2;
constexpr double kNotNegligible = 0.05;  // of the bytes loaded and stored

/// Share of the bytes accessed in loops; nullopt when the patterns are unknown.
std::optional<double> pattern_share(const Region& region, AccessPattern pattern) {
  double with = 0.0;
  double all = 0.0;
  for (const AccessTerm& term : region.accesses) {
    const auto bytes = static_cast<double>(term.bytes);
    all += bytes;
    with += term.pattern == pattern ? bytes : 0.0;
  }
  return all > 0.0 ? std::optional(with / all) : std::nullopt;
}

/// The stride that most bytes of pattern `constant` have; 0 = known at run time only.
std::uint32_t leading_stride(const Region& region) {
  std::map<std::uint32_t, double> by_stride;
  for (const AccessTerm& term : region.accesses) {
    if (term.pattern == AccessPattern::constant) {
      by_stride[term.stride_bytes.value_or(0)] += static_cast<double>(term.bytes);
    }
  }
  const auto most =
      std::max_element(by_stride.begin(), by_stride.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == by_stride.end() ? 0 : most->first;
}

double entries_of(const Region& region) {
  return std::max(1.0, static_cast<double>(region.entries.value_or(1)));
}

/// The outermost loop whose entries explain that the data come `ratio` times; nullptr: none does.
const Region* brings_anew(const Subject& subject, double ratio) {
  const auto& around = subject.around;
  const auto found = std::find_if(around.rbegin(), around.rend(), [&](const Region* region) {
    return ratio / entries_of(*region) < kExcess;
  });
  return found == around.rend() ? nullptr : *found;
}

/// Each entry of a loop around goes through all the data once: it cannot need less, and no order of
/// these loops brings less. (Where only a part comes anew, as in a product of matrices, it can.)
bool is_clean_pass(const Subject& subject, double ratio) {
  constexpr double kAllOfIt = 0.8;
  const Region* loop = brings_anew(subject, ratio);
  return loop != nullptr && ratio / entries_of(*loop) >= kAllOfIt;
}

std::string why_again(const Subject& subject, double ratio) {
  const Region* found = brings_anew(subject, ratio);
  if (found == nullptr) {
    return "lines leave before their reuse";
  }
  const Region& loop = *found;
  const bool is_other = &loop != &subject.region && loop.file && loop.line;
  return fmt::format(
      "some come anew at each of the {} entries of {}", count_text(entries_of(loop)),
      is_other ? fmt::format("the loop at {}:{}",
                             loop.file->substr(loop.file->find_last_of('/') + 1), *loop.line)
               : std::string("this loop"));
}

bool reads_before_writing(const Machine& machine) {
  return !machine.caches.empty() &&
         std::all_of(machine.caches.begin(), machine.caches.end(), [](const Cache& cache) {
           return cache.write_allocate == WriteAllocate::always;
         });
}

/// Next to nothing comes from beyond L1; false when unknown.
bool stays_in_first_level(const Subject& subject) {
  const auto levels = levels_of(subject.machine);
  const Traffic* next = levels.size() > 1 ? find_level(subject.region.traffic, levels[1]) : nullptr;
  return next != nullptr &&
         static_cast<double>(next->read) < kNotNegligible * asked_bytes(subject.region);
}

/// Steps of 16 bytes may leave out 4 or 12: the use of lines says it, unless computed addresses
/// have a part in it.
bool gaps_are_wide(const Subject& subject) {
  const auto computed = pattern_share(subject.region, AccessPattern::indirect);
  return subject.region.line_use.has_value() && computed.value_or(1.0) < kMuch;
}

/// With the measured rate of non-temporal copies, of stores for what is written beyond; nullopt
/// when not measured.
std::optional<double> non_temporal_seconds(const Subject& subject, Traffic traffic) {
  const unsigned threads = subject.region.threads;
  const Level level = memory_level(subject.machine);
  const auto rate = [&](Pattern pattern) {
    const Ceiling* ceiling =
        find_bandwidth(subject.ceilings, {level, pattern, kWidestIsa, threads}).ceiling;
    return ceiling == nullptr ? 0.0 : p90_of(ceiling->value);
  };
  const double copy = rate(Pattern::nt_copy);
  const double store = rate(Pattern::nt_store);
  const double load = rate(Pattern::load);
  if (copy <= 0.0 || store <= 0.0 || load <= 0.0) {
    return std::nullopt;
  }
  const auto read = static_cast<double>(traffic.read);
  const auto written = static_cast<double>(traffic.written);
  const double paired = std::min(read, written);
  return 2.0 * paired / copy + (read - paired) / load + (written - paired) / store;
}

/// Nothing comes more often than its data need, once per call of the function around.
Region at_least_traffic(const Subject& subject) {
  Region changed = subject.region;
  const double calls = entries_of(*subject.around.back());
  const auto fewer = [&](std::uint64_t now, std::uint64_t least) {
    return static_cast<std::uint64_t>(
        std::min(static_cast<double>(now), calls * static_cast<double>(least)));
  };
  for (auto& [level, traffic] : changed.traffic) {
    if (const Traffic* least = find_level(subject.region.least_traffic, level)) {
      traffic = {fewer(traffic.read, least->read), fewer(traffic.written, least->written)};
    }
  }
  return changed;
}

/// How many times the lines come that any order must bring once: the most of all levels beyond the
/// first; nullopt when not known.
std::optional<double> lines_over_least(const Subject& subject) {
  std::optional<double> most;
  const Region ordered = at_least_traffic(subject);
  for (const auto& [level, traffic] : subject.region.traffic) {
    const Traffic* least = find_level(subject.region.least_traffic, level);
    if (least != nullptr && level != Level::L1 && traffic.total() > 0) {
      const auto once = static_cast<double>(find_level(ordered.traffic, level)->total());
      most =
          std::max(most.value_or(1.0), static_cast<double>(traffic.total()) / std::max(once, 1.0));
    }
  }
  return most;
}

constexpr double kInOrder = 1.05;  // of lines_over_least

std::string_view consequence_of(const Subject& subject, const std::optional<double>& lines) {
  if (stays_in_first_level(subject)) {
    return "they stay in the first level, where order does not matter, but each is a load or store "
           "of its own instead of a part of a vector";
  }
  if (lines && *lines < kInOrder) {
    return "its data lie in a good order already, each line comes about once, but each access is a "
           "load or store of its own instead of a part of a vector";
  }
  return "neither the compiler nor a prefetcher knows what comes next; sort or renumber, so that "
         "neighbours stand together";
}

}  // namespace

std::optional<Finding> indirect_access(const Subject& subject) {
  const auto share = pattern_share(subject.region, AccessPattern::indirect);
  // A chain of loads says the same, and more.
  if (!share || *share < kMuch || pointer_chase(subject)) {
    return std::nullopt;
  }
  const auto lines = lines_over_least(subject);
  Finding finding{
      "indirect-access",
      fmt::format("{} of the bytes are accessed at addresses computed from loaded data: "
                  "{}",
                  percent_text(*share), consequence_of(subject, lines)),
      {{"share", *share}},
      {},
      subject.origins.bytes};
  if (lines) {
    finding.evidence["lines_over_least"] = *lines;
  }
  return finding;
}

std::optional<Gain> gain_of_order(const Subject& subject, const Finding& finding) {
  // How much order the data can have is not known: at best each line comes once, and what waits for
  // lines waits as many times less.
  const auto lines = finding.evidence.find("lines_over_least");
  if (lines == finding.evidence.end() || lines->second < kInOrder ||
      stays_in_first_level(subject)) {
    return std::nullopt;
  }
  const Region ordered = at_least_traffic(subject);
  const auto modelled = gain_with(subject, ordered);
  return modelled ? Gain{1.0, modelled->most} : gain_up_to_roof(subject, ordered, lines->second);
}

std::optional<Finding> strided_access(const Subject& subject) {
  const auto share = pattern_share(subject.region, AccessPattern::constant);
  // Gaps that leave most of each line in use are no loss.
  if (!share || *share < kMuch || subject.region.line_use.value_or(0.0) >= kUsedEnough) {
    return std::nullopt;
  }
  const std::uint32_t stride = leading_stride(subject.region);
  if (stride != 0 && stride <= kSmallStride && !gaps_are_wide(subject)) {
    return std::nullopt;
  }
  Finding finding{"strided-access", {}, {{"share", *share}}, {}, subject.origins.bytes};
  std::string step = "known at run time only";
  if (stride != 0) {
    finding.evidence["stride_bytes"] = stride;
    step = fmt::format("of {} B", stride);
  }
  finding.text = fmt::format(
      "{} of the bytes are accessed with gaps, a stride {}: exchange the loops or the layout of "
      "the data, so that neighbouring iterations touch neighbouring bytes",
      percent_text(*share), step);
  return finding;
}

std::optional<Gain> gain_of_unit_stride(const Subject& subject, const Finding& finding) {
  return subject.region.line_use ? gain_of_full_lines(subject, finding) : std::nullopt;
}

std::optional<Finding> gather_scatter(const Subject& subject) {
  const Region& region = subject.region;
  if (!region.gathered) {
    return std::nullopt;
  }
  const double share = share_of(bytes_of(*region.gathered), asked_bytes(region));
  if (share < kGathers) {
    return std::nullopt;
  }
  return Finding{"gather-scatter",
                 fmt::format("{} of the bytes move through gather and scatter instructions, which "
                             "access one lane after the other",
                             percent_text(share)),
                 {{"share", share}, {"bytes", bytes_of(*region.gathered)}},
                 {},
                 subject.origins.bytes};
}

std::optional<Gain> gain_without_gathers(const Subject& subject, const Finding& /*finding*/) {
  if (find_bandwidth(subject.ceilings,
                     {Level::L1, Pattern::gather, kWidestIsa, subject.region.threads})
          .ceiling == nullptr) {
    return std::nullopt;
  }
  Region changed = subject.region;
  changed.gathered.reset();
  return gain_with(subject, changed);
}

std::optional<Finding> excess_traffic(const Subject& subject) {
  const Region& region = subject.region;
  const Level level = bandwidth_bound(subject).value_or(memory_level(subject.machine));
  const Traffic* traffic = find_level(region.traffic, level);
  const Traffic* least = find_level(region.least_traffic, level);
  if (traffic == nullptr || least == nullptr || bytes_of(*least) <= 0.0 ||
      bytes_of(*traffic) < kNotNegligible * asked_bytes(region)) {
    return std::nullopt;
  }
  // Data that come again with each call of the function are no fault of the loop.
  const double calls = entries_of(*subject.around.back());
  const double ratio = bytes_of(*traffic) / bytes_of(*least);
  const double excess = ratio / calls;
  if (excess < kExcess || is_clean_pass(subject, ratio)) {
    return std::nullopt;
  }
  return Finding{"excess-traffic",
                 fmt::format("{} cross the boundary of {}, {}{} times its distinct data: {}; block "
                             "or exchange the loops",
                             amount_text(bytes_of(*traffic), "B"), to_string(level),
                             calls > 1.0 ? fmt::format("in each of {} calls ", count_text(calls))
                                         : std::string(),
                             factor_text(excess), why_again(subject, ratio)),
                 {{"traffic_bytes", bytes_of(*traffic)},
                  {"least_bytes", bytes_of(*least)},
                  {"calls", calls},
                  {"excess", excess}},
                 {},
                 subject.origins.traffic};
}

std::optional<Gain> gain_of_least_traffic(const Subject& subject, const Finding& finding) {
  const Level level = bandwidth_bound(subject).value_or(memory_level(subject.machine));
  Region changed = subject.region;
  Traffic& traffic = changed.traffic[level];
  const double less = 1.0 / finding.evidence.at("excess");
  traffic = {static_cast<std::uint64_t>(std::ceil(static_cast<double>(traffic.read) * less)),
             static_cast<std::uint64_t>(std::ceil(static_cast<double>(traffic.written) * less))};
  return gain_with(subject, changed);
}

std::optional<Finding> write_allocate(const Subject& subject) {
  const Region& region = subject.region;
  const Level level = memory_level(subject.machine);
  const Traffic* traffic = find_level(region.traffic, level);
  if (traffic == nullptr || !region.bytes_overwritten || region.bytes_stored.value_or(0) == 0 ||
      !reads_before_writing(subject.machine)) {
    return std::nullopt;
  }
  const auto stored = static_cast<double>(*region.bytes_stored);
  const auto written = static_cast<double>(traffic->written);
  const double saved = std::min(written * static_cast<double>(*region.bytes_overwritten) / stored,
                                static_cast<double>(traffic->read));
  const double share = share_of(saved, bytes_of(*traffic));
  if (share < kWorthSaving || written < kLeavesCache * stored) {
    return std::nullopt;
  }
  return Finding{"write-allocate",
                 fmt::format("{} of the {} traffic reads lines that are then overwritten in full: "
                             "non-temporal stores save it, if nothing reads the result soon",
                             percent_text(share), to_string(level)),
                 {{"saved_bytes", saved}, {"share", share}},
                 {},
                 subject.origins.traffic};
}

std::optional<Gain> gain_of_non_temporal_stores(const Subject& subject, const Finding& finding) {
  const Level level = memory_level(subject.machine);
  const auto saved = static_cast<std::uint64_t>(finding.evidence.at("saved_bytes"));
  Region changed = subject.region;
  for (auto& [crossed, traffic] : changed.traffic) {
    traffic.read -= crossed == Level::L1 ? 0 : std::min(traffic.read, saved);
  }
  Needs then = needs_of(subject, changed);
  // Such stores have rates of their own where they were measured; the ordinary ones stay a floor.
  const Traffic left = changed.traffic.at(level);
  const auto seconds = non_temporal_seconds(subject, left);
  if (!seconds) {
    return std::nullopt;
  }
  for (Limit& limit : then.data) {
    limit.seconds = limit.level == level ? std::max(limit.seconds, *seconds) : limit.seconds;
  }
  then.code_roof = std::max(then.code_roof, *seconds);
  return gain_between(subject, own_needs(subject), then);
}

std::optional<Finding> needs_last_level(const Subject& subject) {
  const Region& region = subject.region;
  const Traffic* full = find_level(region.traffic, memory_level(subject.machine));
  const auto half = region.traffic_at_share.find("1/2");
  if (full == nullptr || half == region.traffic_at_share.end()) {
    return std::nullopt;
  }
  const double before = bytes_of(*full);
  const double after = bytes_of(half->second);
  if (after < kShareMatters * before || after < kNotNegligible * asked_bytes(region) ||
      after <= 0.0) {
    return std::nullopt;
  }
  return Finding{"needs-last-level",
                 fmt::format("reuse hangs on the last cache: with half of it the {} traffic is "
                             "{} instead of {}; neighbours on the machine take their "
                             "share of it",
                             to_string(memory_level(subject.machine)), amount_text(after, "B"),
                             amount_text(before, "B")),
                 {{"traffic_bytes", before}, {"traffic_at_half_bytes", after}},
                 {},
                 subject.origins.traffic};
}

}  // namespace ridge::predict
