#include "predict/findings/findings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/findings/verdict.hpp"
#include "predict/findings/waiting_words.hpp"
#include "predict/findings/whole_program.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/memory.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

/// One rule. `find` holds the condition on profile and machine, the evidence and the sentence.
struct Row {
  std::string_view code;
  Rule find;
  Matter matters;            ///< nullptr: always
  GainModel gain;            ///< nullptr: no model exists, and `without` says what is missing
  std::string_view without;  ///< why there is no gain where the time would allow one
  std::string_view assumes;  ///< what the gain holds under; empty: it is a bound
};

constexpr std::string_view kAsManyLines = "if as many lines are on their way as a core here keeps";
constexpr std::string_view kTransfers =
    "if a line of another core costs what one of the last cache does";
constexpr std::string_view kVectors = "if loads and stores keep up with the vectors";
constexpr std::string_view kOnlyUsed =
    "if only the bytes that are used cross; vectors and prefetching may add to it";
constexpr std::string_view kCalls = "what a call costs is not in the model";

/// Equal gains, and findings without one, stand in this order: what takes the time itself, then
/// what makes it so, then properties.
constexpr std::array<Row, 32> kRules{{
    {"above-roof", above_roof, nullptr, nullptr, "an assumption of the roof does not hold", {}},
    {"pointer-chase", pointer_chase, nullptr, gain_of_lines_in_flight,
     "latencies, or the traffic by level, are not known", kAsManyLines},
    {"dependency-chain", dependency_chain, nullptr, gain_without_chain,
     "the order of these operations cannot be changed", "if nothing else takes its place"},
    {"latency-bound", waits_for_loads, nullptr, gain_of_lines_in_flight, {}, kAsManyLines},
    {"false-sharing", false_sharing, nullptr, gain_without_sharing, {}, kTransfers},
    {"shared-writes", shared_writes, nullptr, gain_without_sharing, {}, kTransfers},
    {"one-numa-node", one_node, nullptr, gain_of_nodes, {}, "if all memories give as much"},
    {"remote-memory", remote_memory, memory_matters, gain_of_near_memory,
     "the bandwidth between the nodes was not measured", "if near memory gives what was measured"},
    {"page-faults", page_faults, nullptr, gain_without_faults,
     "the kernel's time is all of it, as far as can be told",
     "if the pages are there before, and nothing but the kernel's time goes"},
    {"load-imbalance", load_imbalance, nullptr, gain_of_balance, {}, "if time follows the work"},
    {"rank-imbalance",
     rank_imbalance,
     nullptr,
     gain_of_even_ranks,
     {},
     "if the ranks share its time evenly"},
    {"serial-part",
     serial_part,
     nullptr,
     gain_of_sharing_out,
     {},
     "if its work can be shared evenly"},
    {"not-vectorised", not_vectorised, nullptr, gain_of_vectors, {}, kVectors},
    {"scalar-flops", scalar_flops, arithmetic_matters, gain_of_vectors, {}, kVectors},
    {"narrow-vectors", narrow_vectors, arithmetic_matters, gain_of_wider_vectors, {}, kVectors},
    {"few-threads",
     few_threads,
     nullptr,
     gain_of_threads,
     {},
     "if the threads share the work evenly"},
    {"excess-traffic",
     excess_traffic,
     data_matters,
     gain_of_least_traffic,
     {},
     "if each line comes once"},
    {"reuse-just-misses",
     reuse_just_misses,
     data_matters,
     gain_of_reuse,
     {},
     "if the smaller block costs nothing"},
    {"strided-access", strided_access, nullptr, gain_of_unit_stride,
     "how much of each line is used is not known", kOnlyUsed},
    {"indirect-access", indirect_access, nullptr, gain_of_order,
     "what order its data could have is not known", "if the data can be put in order"},
    {"poor-line-use", poor_line_use, data_matters, gain_of_full_lines, {}, kOnlyUsed},
    {"write-allocate", write_allocate, memory_matters, gain_of_non_temporal_stores,
     "the rates of non-temporal stores were not measured (ridge bench)",
     "if non-temporal stores reach their measured rates beside the loads"},
    {"divisions",
     divisions,
     arithmetic_matters,
     gain_without_divisions,
     {},
     "if products do instead"},
    {"library-math", library_math, nullptr, nullptr, kCalls, {}},
    {"opaque-calls", opaque_calls, nullptr, nullptr, kCalls, {}},
    {"small-function", small_function, nullptr, nullptr, kCalls, {}},
    {"gather-scatter",
     gather_scatter,
     nullptr,
     gain_without_gathers,
     {},
     "if the data can lie in order"},
    {"idle-lanes",
     idle_lanes,
     nullptr,
     gain_of_all_lanes,
     {},
     "if all arithmetic stands under the mask"},
    {"short-loop", short_loop, nullptr, gain_without_overhead, {}, {}},
    {"unfused-multiply-add",
     unfused_multiply_add,
     arithmetic_matters,
     gain_of_fusing,
     {},
     kVectors},
    {"needs-last-level", needs_last_level, memory_matters, nullptr, "a risk, not a loss", {}},
    {"at-roof", at_roof, nullptr, nullptr, "nothing is left below this roof", {}},
}};

using RegionById = std::map<std::uint32_t, const Region*>;

/// Up to the function: what starts the body of a parallel region is not around its loops. Readers
/// refuse cycles; a profile in memory may have none either.
std::vector<const Region*> around(const Region& region, const RegionById& by_id) {
  std::vector<const Region*> chain{&region};
  while (chain.back()->kind != RegionKind::function && chain.back()->parent &&
         chain.size() <= by_id.size()) {
    const auto parent = by_id.find(*chain.back()->parent);
    if (parent == by_id.end() || parent->second->kind == RegionKind::program) {
      break;
    }
    chain.push_back(parent->second);
  }
  return chain;
}

/// What the rules know of the whole profile.
struct Whole {
  const Profile& profile;
  const CeilingIndex& ceilings;
  RegionById by_id;
  std::optional<double> seconds;  ///< see seconds_in_turn
  double share_above_roof = 0.0;
  bool times_hold = true;
  bool ranks_are_whole = true;
};

/// Far above: more than a ceiling that was measured in a slow moment explains.
double share_above_roof(const Profile& profile, const Prediction& prediction) {
  constexpr double kFarAbove = 1.25;
  double above = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < profile.regions.size() && i < prediction.regions.size(); ++i) {
    const auto& bound = prediction.regions[i].code;
    if (is_sum(profile.regions[i]) || !bound || !bound->fraction) {
      continue;
    }
    const double seconds = self_seconds(profile.regions[i]);
    all += seconds;
    above += *bound->fraction > kFarAbove ? seconds : 0.0;
  }
  return share_of(above, all);
}

Whole whole_of(const Profile& profile, const Prediction& prediction, const CeilingIndex& ceilings) {
  Whole whole{profile,
              ceilings,
              {},
              seconds_in_turn(profile),
              share_above_roof(profile, prediction),
              times_hold(profile),
              std::ranges::none_of(profile.notes,
                                   [](const Note& note) { return note.code == "rank-cut-short"; })};
  for (const Region& region : profile.regions) {
    whole.by_id.emplace(region.id, &region);
  }
  return whole;
}

/// The first thing that the model lacks.
std::string why_no_gain(const Row& row, const Subject& subject) {
  const auto seconds = measured_seconds(subject.region);
  if (row.gain == nullptr || !seconds) {
    return row.gain == nullptr ? std::string(row.without) : "too few samples of its time";
  }
  const Needs& needs = own_needs(subject);
  if (needs.floor() <= 0.0 || !row.without.empty()) {
    return needs.floor() <= 0.0 ? "no roof is known" : std::string(row.without);
  }
  const double explained = needs.overlapped() / *seconds;
  return explained < kFarBelowRoof
             ? fmt::format("what it needs of each resource explains at most {} of its time",
                           percent_text(explained))
             : "an input of the model is not known";
}

void set_gain(Finding& finding, const Row& row, const Subject& subject,
              const std::optional<double>& program) {
  if (is_outside_code(subject.prediction) && finding.code != "page-faults") {
    finding.gain_note = "most of its time is spent asleep or in the kernel";
    return;
  }
  if (!subject.times_hold) {
    finding.gain_note = "its time is that of a run in which the caches were simulated (--one-run)";
    return;
  }
  if (memory_may_bind(subject.region, subject.ceilings, subject.microarchitecture)) {
    finding.gain_note =
        fmt::format("its traffic beyond L1 is not known: {}", what_tells_traffic(subject.region));
    return;
  }
  if (subject.region.partial) {
    finding.gain_note = "it was cut midway: its counts are not those of its time";
    return;
  }
  const auto gain = row.gain == nullptr ? std::nullopt : row.gain(subject, finding);
  if (!gain) {
    finding.gain_note = why_no_gain(row, subject);
    return;
  }
  finding.gain_is_bound = row.assumes.empty();
  if (!row.assumes.empty()) {
    finding.gain_note = row.assumes;
  }
  finding.gain = gain->most;
  if (gain->least < gain->most) {
    finding.gain_least = gain->least;
  }
  const double seconds = judged_share(subject.region);
  if (program && seconds > 0.0) {
    finding.gain_program = speedup_of(*program, saved_seconds(finding, seconds));
  }
}

/// The middle of what may be saved, as a share of the region's time.
double saved_share(const Finding& finding) {
  const double most = *finding.gain;
  const double least = finding.gain_least.value_or(most);
  return 1.0 - (1.0 / most + 1.0 / least) / 2.0;
}

/// Doubt first, then what is worth most, then what takes the time though nothing is known to spare
/// it, then what no model speaks of, last what gains nothing.
int standing(const Finding& finding) {
  constexpr std::array<std::string_view, 3> kTakesTheTime{"dependency-chain", "pointer-chase",
                                                          "latency-bound"};
  if (finding.code == "above-roof") {
    return 0;
  }
  if (!finding.gain) {
    const bool takes =
        std::find(kTakesTheTime.begin(), kTakesTheTime.end(), finding.code) != kTakesTheTime.end();
    return takes ? 2 : 3;
  }
  return *finding.gain >= kWorthwhileGain ? 1 : 4;
}

void sort_by_gain(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    const int first = standing(a);
    const int second = standing(b);
    return first != second ? first < second : first == 1 && saved_share(a) > saved_share(b);
  });
}

/// Findings that the same change heals; the first one names the cause.
struct OneRemedy {
  std::string_view cause;
  std::string_view effect;
  std::string_view only_if;  ///< part of the effect's sentence
};
constexpr std::array kOneRemedy{
    OneRemedy{"dependency-chain", "not-vectorised", "-fassociative-math"},
    OneRemedy{"library-math", "not-vectorised", "-fveclib="},
    OneRemedy{"library-math", "not-vectorised", "no vector form"},
    OneRemedy{"strided-access", "excess-traffic", ""},
    OneRemedy{"indirect-access", "gather-scatter", ""},
    OneRemedy{"narrow-vectors", "unfused-multiply-add", ""},
};

/// The cause stands for both: its gain holds what either was thought to gain.
void join_remedies(std::vector<Finding>& findings) {
  const auto find = [&](std::string_view code) {
    return std::find_if(findings.begin(), findings.end(),
                        [&](const Finding& finding) { return finding.code == code; });
  };
  for (const OneRemedy& pair : kOneRemedy) {
    const auto cause = find(pair.cause);
    const auto effect = find(pair.effect);
    if (cause == findings.end() || effect == findings.end() ||
        effect->text.find(pair.only_if) == std::string::npos) {
      continue;
    }
    if (effect->gain && cause->gain) {
      const double least = std::min(cause->gain_least.value_or(*cause->gain),
                                    effect->gain_least.value_or(*effect->gain));
      cause->gain = std::max(*cause->gain, *effect->gain);
      cause->gain_least = least < *cause->gain ? std::optional(least) : std::nullopt;
      cause->gain_program = std::max(cause->gain_program, effect->gain_program);
    } else if (effect->gain) {
      cause->gain = effect->gain;
      cause->gain_least = effect->gain_least;
      cause->gain_program = effect->gain_program;
      cause->gain_note = effect->gain_note;
      cause->gain_is_bound = effect->gain_is_bound;
    }
    findings.erase(effect);
  }
}

std::vector<Finding> findings_of(const Subject& subject, const std::optional<double>& program) {
  std::vector<Finding> findings;
  const RegionKind kind = subject.region.kind;
  if (kind == RegionKind::library || subject.region.overlaps) {
    return findings;
  }
  for (const Row& row : kRules) {
    // Faults may lie with a region that no table shows; the rest is for the regions themselves.
    if (kind == RegionKind::program && row.code != "page-faults") {
      continue;
    }
    const auto finding = row.find(subject);
    if (finding && (row.matters == nullptr || row.matters(subject))) {
      findings.push_back(*finding);
      set_gain(findings.back(), row, subject, program);
    }
  }
  join_remedies(findings);
  sort_by_gain(findings);
  return findings;
}

Subject subject_of(const Region& region, const Whole& whole, const RegionPrediction* prediction,
                   const Microarchitecture* cpu) {
  return {region,
          whole.profile.machine,
          whole.ceilings,
          cpu,
          prediction,
          origins_of(region, whole.profile),
          around(region, whole.by_id),
          whole.share_above_roof,
          whole.times_hold,
          whole.ranks_are_whole};
}

}  // namespace

double saved_seconds(const Finding& finding, double seconds) {
  return finding.gain && *finding.gain > 1.0 ? seconds * (1.0 - 1.0 / *finding.gain) : 0.0;
}

std::vector<std::string_view> finding_codes() {
  std::vector<std::string_view> codes;
  for (const Row& row : kRules) {
    codes.push_back(row.code);
  }
  return codes;
}

std::vector<Finding> find_all(const Region& region, const Profile& profile,
                              const Prediction& prediction,
                              const Microarchitecture* microarchitecture) {
  const CeilingIndex ceilings(profile.machine);
  const Whole whole = whole_of(profile, prediction, ceilings);
  return findings_of(
      subject_of(region, whole, find_prediction(prediction, region.id), microarchitecture),
      whole.seconds);
}

void set_findings(Prediction& prediction, const Profile& profile, const CeilingIndex& ceilings,
                  const Microarchitecture* microarchitecture) {
  const Whole whole = whole_of(profile, prediction, ceilings);
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    RegionPrediction& own = prediction.regions.at(i);
    const Region& region = profile.regions[i];
    own.findings =
        is_waiting(region)
            ? std::vector<Finding>{waiting_finding(region, profile)}
            : findings_of(subject_of(region, whole, &own, microarchitecture), whole.seconds);
  }
  set_program_findings(prediction, profile);
}

}  // namespace ridge::predict
