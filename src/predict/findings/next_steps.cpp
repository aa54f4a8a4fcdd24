#include "predict/findings/next_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "core/value/region_names.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/step_candidates.hpp"
#include "predict/findings/subject.hpp"
#include "predict/findings/waiting_words.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/program_time.hpp"

namespace ridge::predict {
namespace {

constexpr double kMentioned = 0.1;  // of the time
constexpr std::string_view kScaled =
    "regions run at the same time: their shares of the wall time are an estimate";

using Names = std::map<std::uint32_t, std::string>;

/// Seconds of the program.
struct Saved {
  double least = 0.0;
  double most = 0.0;

  [[nodiscard]] double middle() const { return (least + most) / 2.0; }
};

double saved_of(double seconds, double gain) {
  return seconds * (1.0 - 1.0 / gain);
}

/// What the steps before have left.
struct Left {
  double program = 0.0;
  std::vector<double> regions;
};

Saved saved_by(const PartOfStep& part, const Left& left) {
  const double seconds = left.regions[part.region];
  return {saved_of(seconds, part.least), saved_of(seconds, part.most)};
}

Saved saved_by(const StepCandidate& candidate, const Left& left) {
  Saved working;
  Saved waiting;
  for (const PartOfStep& part : candidate.parts) {
    const Saved own = saved_by(part, left);
    Saved& sum = part.is_waiting ? waiting : working;
    sum.least += own.least;
    sum.most += own.most;
  }
  return {std::min(std::max(working.least, waiting.least), left.program),
          std::min(std::max(working.most, waiting.most), left.program)};
}

bool is_worthwhile(const Saved& saved, double program) {
  const auto gain = speedup_of(program, saved.most);
  return !gain || *gain >= kWorthwhileGain;
}

class Ranking {
 public:
  Ranking(const Profile& profile, const Names& names, const TimeShares& shares)
      : profile_(profile), names_(names), shares_(shares), left_{shares.program, shares.regions} {}

  [[nodiscard]] std::vector<NextStep> of(std::vector<StepCandidate> candidates) {
    std::vector<NextStep> steps;
    while (steps.size() < kMostNextSteps) {
      std::erase_if(candidates, [&](const StepCandidate& candidate) {
        return !is_worthwhile(saved_by(candidate, left_), shares_.program);
      });
      if (candidates.empty()) {
        break;
      }
      std::vector<std::pair<bool, double>> saved;
      for (const StepCandidate& candidate : candidates) {
        saved.emplace_back(candidate.has_remedy, saved_by(candidate, left_).middle());
      }
      const auto best =
          candidates.begin() + (std::max_element(saved.begin(), saved.end()) - saved.begin());
      steps.push_back(take(*best));
      candidates.erase(best);
    }
    return steps;
  }

 private:
  NextStep take(StepCandidate& candidate) {
    const Saved saved = saved_by(candidate, left_);
    auto& parts = candidate.parts;
    std::stable_sort(parts.begin(), parts.end(), [&](const auto& a, const auto& b) {
      return saved_by(a, left_).middle() > saved_by(b, left_).middle();
    });
    NextStep step = std::move(candidate.step);
    const Region& first = profile_.regions[parts.front().region];
    if (step.region) {
      step.region = first.id;
      step.where = name_with_place(names_.at(first.id), first);
    }
    for (const PartOfStep& part : parts) {
      const Region& region = profile_.regions[part.region];
      if (region.kind != RegionKind::program) {
        step.regions.push_back(region.id);
      }
      left_.regions[part.region] -= saved_by(part, left_).middle();
    }
    set_gain(step, saved);
    left_.program -= saved.middle();
    return step;
  }

  void set_gain(NextStep& step, const Saved& saved) const {
    const auto low = speedup_of(shares_.program, saved.least);
    const auto high = speedup_of(shares_.program, saved.most);
    if (low && high) {
      step.gain_program = SpeedUp{*low, *high};
    }
    if (shares_.is_scaled) {
      step.is_bound = false;
      step.assumes =
          step.assumes ? fmt::format("{}; {}", *step.assumes, kScaled) : std::string(kScaled);
    }
  }

  const Profile& profile_;
  const Names& names_;
  const TimeShares& shares_;
  Left left_;
};

/// Its regions by wall time.
NextStep without_gain(const StepCandidate& candidate, const Profile& profile, const Names& names) {
  std::vector<const Region*> regions;
  for (const PartOfStep& part : candidate.parts) {
    regions.push_back(&profile.regions[part.region]);
  }
  std::stable_sort(regions.begin(), regions.end(), [](const Region* a, const Region* b) {
    return self_seconds(*a) > self_seconds(*b);
  });
  NextStep step = candidate.step;
  step.is_bound = false;
  step.region = regions.front()->id;
  step.where = name_with_place(names.at(regions.front()->id), *regions.front());
  step.reason = waiting_words(*regions.front(), profile).words.reason;
  for (const Region* region : regions) {
    step.regions.push_back(region->id);
  }
  return step;
}

/// Of waiting that is no fault of the program: what must change before it can be judged.
std::vector<NextStep> to_be_done_first(const std::vector<StepCandidate>& candidates,
                                       const Profile& profile, const TimeShares& shares,
                                       const Names& names) {
  std::vector<NextStep> steps;
  for (const StepCandidate& candidate : candidates) {
    const bool has_gain = std::any_of(candidate.parts.begin(), candidate.parts.end(),
                                      [](const PartOfStep& part) { return part.most > 1.0; });
    double seconds = 0.0;
    for (const PartOfStep& part : candidate.parts) {
      seconds += self_seconds(profile.regions[part.region]);
    }
    if (has_gain || seconds < kMentioned * shares.program) {
      continue;
    }
    steps.push_back(without_gain(candidate, profile, names));
  }
  return steps;
}

std::optional<NextStep> more_samples(const Profile& profile, const Prediction& prediction,
                                     const TimeShares& shares) {
  double seconds = 0.0;
  NextStep step;
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const auto& verdict = prediction.regions.at(i).verdict;
    if (verdict && verdict->kind == VerdictKind::few_samples && !is_sum(profile.regions[i]) &&
        !is_waiting(profile.regions[i])) {
      seconds += shares.regions[i];
      step.regions.push_back(profile.regions[i].id);
    }
  }
  if (shares.program <= 0.0 || seconds < kMentioned * shares.program) {
    return std::nullopt;
  }
  step.code = "few-samples";
  step.where = "the program";
  step.reason = fmt::format("{} of the time rests on too few samples for a verdict",
                            percent_text(seconds / shares.program));
  step.remedy = "give it more work, so that its loops run for longer";
  return step;
}

Names names_of(const Profile& profile) {
  std::vector<const Region*> regions;
  for (const Region& region : profile.regions) {
    regions.push_back(&region);
  }
  return distinct_names(regions);
}

}  // namespace

std::vector<NextStep> next_steps(const Profile& profile, const Prediction& prediction) {
  const TimeShares shares = time_shares(profile);
  if (shares.program <= 0.0) {
    return {};
  }
  const Names names = names_of(profile);
  const auto candidates = step_candidates(profile, prediction, names);
  std::vector<NextStep> steps = Ranking(profile, names, shares).of(candidates);
  for (NextStep& step : to_be_done_first(candidates, profile, shares, names)) {
    steps.push_back(std::move(step));
  }
  if (auto step = more_samples(profile, prediction, shares)) {
    steps.push_back(std::move(*step));
  }
  steps.resize(std::min(steps.size(), kMostNextSteps));
  return steps;
}

}  // namespace ridge::predict
