#include "predict/findings/step_candidates.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/core.h>

#include "core/value/region_names.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/roof_words.hpp"
#include "predict/findings/step_words.hpp"
#include "predict/findings/subject.hpp"
#include "predict/findings/waiting_words.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

constexpr double kAll = std::numeric_limits<double>::infinity();

class Collector {
 public:
  Collector(const Profile& profile, const std::map<std::uint32_t, std::string>& names)
      : profile_(profile), names_(names) {}

  void add(std::size_t index, const Finding& finding) {
    const Region& region = profile_.regions[index];
    const StepWords words = step_words(finding, region);
    const std::string key = key_of(finding.code, words, region);
    StepCandidate& candidate = at(key, finding.code, words, region);
    add_part(candidate, {index, finding.gain_least.value_or(*finding.gain), *finding.gain});
    auto& step = candidate.step;
    step.is_bound = step.is_bound && finding.gain_is_bound;
    step.assumes = finding.gain_note && !finding.gain_is_bound ? finding.gain_note : step.assumes;
  }

  /// No rule says what a region gains that stays below its roof: between nothing and that roof.
  void add_below_roof(std::size_t index, const RegionPrediction& own) {
    const Region& region = profile_.regions[index];
    const double fraction = own.code->fraction.value_or(1.0);
    if (fraction <= 0.0 || fraction >= 1.0) {
      return;
    }
    StepWords words{fmt::format("at {} of its {}", percent_text(fraction),
                                roof_words(region, *own.code, profile_.machine)),
                    "what it waits for is not known"};
    bool is_known = false;
    for (const Finding& finding : own.findings) {
      const StepWords known = step_words(finding, region);
      if (!known.remedy.empty() && !known.is_vague) {
        words.remedy = known.remedy;
        is_known = true;
        break;
      }
    }
    StepCandidate& candidate =
        at(fmt::format("below-roof\n{}", region.id), "below-roof", words, region);
    candidate.has_remedy = is_known;
    candidate.step.is_bound = false;
    candidate.step.assumes = "if it reached that roof";
    candidate.parts.push_back({index, 1.0, 1.0 / fraction});
  }

  void add_waiting(std::size_t index) {
    const Region& region = profile_.regions[index];
    const WaitingWords waiting = waiting_words(region, profile_);
    const std::string key = key_of(waiting.code, waiting.words, region);
    StepCandidate& candidate = at(key, waiting.code, waiting.words, region);
    candidate.parts.push_back({index, 1.0, waiting.has_gain ? kAll : 1.0, true});
  }

  [[nodiscard]] std::vector<StepCandidate> take() { return std::move(candidates_); }

 private:
  [[nodiscard]] static std::string key_of(std::string_view code, const StepWords& words,
                                          const Region& region) {
    return words.reach == Reach::program
               ? words.remedy
               : fmt::format("{}\n{}\n{}", words.family.empty() ? code : words.family,
                             region.process, region.function);
  }

  /// Two findings of one region (they come in a row) with one remedy: what either was thought to
  /// gain.
  static void add_part(StepCandidate& candidate, const PartOfStep& part) {
    if (candidate.parts.empty() || candidate.parts.back().region != part.region) {
      candidate.parts.push_back(part);
      return;
    }
    PartOfStep& known = candidate.parts.back();
    known.least = std::min(known.least, part.least);
    known.most = std::max(known.most, part.most);
  }

  StepCandidate& at(const std::string& key, std::string_view code, const StepWords& words,
                    const Region& region) {
    const auto [found, fresh] = index_.try_emplace(key, candidates_.size());
    if (fresh) {
      NextStep step;
      step.region = region.kind == RegionKind::program ? std::nullopt : std::optional(region.id);
      step.code = code;
      step.where = step.region ? name_with_place(names_.at(region.id), region) : "the program";
      step.reason = words.reason;
      step.remedy = words.remedy;
      step.is_bound = true;
      candidates_.push_back({std::move(step), {}});
    }
    return candidates_[found->second];
  }

  const Profile& profile_;
  const std::map<std::uint32_t, std::string>& names_;
  std::map<std::string, std::size_t> index_;
  std::vector<StepCandidate> candidates_;
};

constexpr std::string_view kFaults = "page-faults";

bool program_has(const Prediction& prediction, const Profile& profile, std::string_view code) {
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const auto& findings = prediction.regions.at(i).findings;
    if (profile.regions[i].kind == RegionKind::program &&
        std::any_of(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.code == code && finding.gain; })) {
      return true;
    }
  }
  return false;
}

}  // namespace

TimeShares time_shares(const Profile& profile) {
  const auto in_turn = seconds_in_turn(profile);
  const double program = in_turn.value_or(undisturbed_seconds(profile));
  const double threads = threads_of(profile);
  TimeShares shares{program, {}, !in_turn};
  double working = 0.0;
  double waiting = 0.0;
  for (const Region& region : profile.regions) {
    const bool is_program = region.kind == RegionKind::program;
    const bool waits = is_waiting(region);
    const double seconds = is_program ? program
                           : waits    ? spread_seconds(region, threads)
                                      : judged_share(region);
    shares.regions.push_back(seconds);
    (waits ? waiting : working) += is_sum(region) ? 0.0 : seconds;
  }
  // One thread at least is at work.
  const double most_waiting = program * (1.0 - 1.0 / threads);
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const bool waits = is_waiting(profile.regions[i]);
    const double sum = waits ? waiting : working;
    const double most = waits ? most_waiting : program;
    if (!is_sum(profile.regions[i]) && sum > most) {
      shares.regions[i] *= most / sum;
    }
  }
  return shares;
}

std::vector<StepCandidate> step_candidates(const Profile& profile, const Prediction& prediction,
                                           const std::map<std::uint32_t, std::string>& names) {
  Collector collector(profile, names);
  std::vector<std::size_t> waiting;
  const bool program_has_faults = program_has(prediction, profile, kFaults);
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const Region& region = profile.regions[i];
    if (is_waiting(region)) {
      waiting.push_back(i);
      continue;
    }
    const RegionPrediction& own = prediction.regions.at(i);
    bool has_gain = is_sum(region);  // no place to begin
    for (const Finding& finding : own.findings) {
      // Sums over the regions are not said twice. Faults count inner visits, whose time is not the
      // region's own, and may lie with no region: the program's are all.
      const bool is_of_program = region.kind == RegionKind::program;
      const bool is_own =
          finding.code != kFaults ? !is_of_program : is_of_program || !program_has_faults;
      if (finding.gain && *finding.gain > 1.0 && is_own) {
        collector.add(i, finding);
        has_gain = true;
      }
    }
    if (!has_gain && own.gain && *own.gain >= kWorthwhileGain && own.code) {
      collector.add_below_roof(i, own);
    }
  }
  for (const std::size_t i : times_hold(profile) ? waiting : std::vector<std::size_t>()) {
    collector.add_waiting(i);
  }
  return collector.take();
}

}  // namespace ridge::predict
