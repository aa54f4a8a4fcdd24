#include "predict/compare/gate.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/value/profile.hpp"
#include "predict/compare/figures.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kProgram = "program";

bool named(const ComparedLoop& loop, const std::string& name) {
  return loop.label == name ||
         std::any_of(loop.places.begin(), loop.places.end(), [&](const Place& place) {
           const std::string brief = brief_name(place.name);
           return place.name == name || place.function == name || brief == name ||
                  brief_name(place.function) == name ||
                  (place.line && fmt::format("{}:{}", brief, *place.line) == name);
         });
}

bool depends_on_traffic(std::string_view family) {
  return family == "traffic" || family == "intensity" || family == "bandwidth";
}

/// Of the values that an interval holds, those that speak least for the change. A rule that asks
/// for an improvement wants it proven, every other one wants the failure proven. Times: that the
/// intervals do not overlap is proof enough (decision 0131).
struct Judged {
  double before = 0.0;
  double after = 0.0;
};
Judged judged_values(const FigureValue& before, const FigureValue& after, const GateRule& rule) {
  const std::string_view family = family_of(rule.quantity);
  if (family != "traffic" && family != "intensity") {
    return {before.value, after.value};
  }
  const bool low_after = rule.below == rule.asks_for_improvement();
  return low_after ? Judged{before.high.value_or(before.value), after.low.value_or(after.value)}
                   : Judged{before.low.value_or(before.value), after.high.value_or(after.value)};
}

/// Whether the change is beyond the limit. With a limit of 0 counts are compared exactly.
bool beyond(const FigureValue& before, const FigureValue& after, const GateRule& rule,
            double floor) {
  if (rule.limit == 0.0 && floor == 0.0 && before.exact && after.exact && before.count &&
      after.count) {
    return rule.below ? *after.count < *before.count : *after.count > *before.count;
  }
  const Judged values = judged_values(before, after, rule);
  const long double relative =
      static_cast<long double>(values.before) * (1.0L + static_cast<long double>(rule.limit));
  const long double allowed_value = rule.below ? relative - floor : relative + floor;
  // A limit given in decimals must not fail a change of exactly that size.
  const long double slack = std::fabs(allowed_value) * 1e-12L;
  return rule.below ? values.after < allowed_value - slack : values.after > allowed_value + slack;
}

class Judge {
 public:
  Judge(const Comparison& comparison, const std::vector<GateRule>& rules)
      : comparison_(comparison), rules_(rules), step_(comparison.steps.size() - 1) {}

  std::vector<GateFailure> run(const std::vector<std::string>& allowed) {
    if (rules_.empty()) {
      return {};
    }
    judge_runs(allowed);
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
      judge_rule(rule);
    }
    return std::move(failures_);
  }

 private:
  void judge_runs(const std::vector<std::string>& allowed) {
    for (const GateCondition& condition : kGateConditions) {
      if (std::find(allowed.begin(), allowed.end(), condition.word) != allowed.end()) {
        continue;
      }
      for (const Note& note : comparison_.steps[step_].notes) {
        if (note.code == condition.note) {
          GateFailure failure;
          failure.reason = note.text;
          failure.allowance = condition.word;
          failures_.push_back(std::move(failure));
        }
      }
    }
  }

  void judge_rule(std::size_t rule) {
    const auto& region = rules_[rule].region;
    judged_ = 0;
    if (comparison_.program && (!region || *region == kProgram)) {
      judge_loop(rule, *comparison_.program);
    }
    for (const ComparedLoop& loop : comparison_.loops) {
      if (!region || (*region != kProgram && named(loop, *region))) {
        judge_loop(rule, loop);
      }
    }
    if (judged_ == 0) {
      GateFailure failure;
      failure.rule = rule;
      failure.reason = region ? fmt::format("{} of {} is not known in both results",
                                            rules_[rule].quantity, quoted(*region))
                              : fmt::format("{} is not known in any result", rules_[rule].quantity);
      failures_.push_back(std::move(failure));
    }
  }

  void judge_loop(std::size_t rule, const ComparedLoop& loop) {
    const LoopStep* step = find_step(loop, step_);
    const Change* change = step != nullptr ? find_change(*step, rules_[rule].quantity) : nullptr;
    if (change == nullptr) {
      return;  // new, vanished, or a quantity that neither side knows
    }
    ++judged_;
    if (const char* reason = obstacle(*step, *change); reason != nullptr) {
      add(rule, loop, *change, reason);
    } else if (breaks(rules_[rule], *step, *change)) {
      add(rule, loop, *change,
          change->verdict == Verdict::doubtful
              ? fmt::format("beyond the limit, but doubtful ({})", doubt(*change))
              : "");
    }
  }

  /// Why the change cannot be judged; nullptr: it can.
  const char* obstacle(const LoopStep& step, const Change& change) const {
    if (change.verdict == Verdict::not_comparable) {
      return "not comparable: another machine or other caches";
    }
    return change.verdict == Verdict::unknown && !is_rate_of_unseen(step, change) &&
                   !is_of_lines_left(step, change)
               ? "known in one result only"
               : nullptr;
  }

  /// A loop too short for a sample in one result has no rate there. Its time says all that is
  /// known.
  static bool is_rate_of_unseen(const LoopStep& step, const Change& change) {
    const std::string_view family = family_of(change.quantity);
    const Change* time = find_change(step, "time");
    return (family == "performance" || family == "bandwidth") && time != nullptr &&
           is_settled(*time);
  }

  /// No traffic has no intensity; a few lines have one. The traffic says all that is known.
  bool is_of_lines_left(const LoopStep& step, const Change& change) const {
    const Change* traffic = traffic_of(step, change.quantity);
    return traffic != nullptr && traffic->before && traffic->after &&
           std::min(traffic->after->value, traffic->before->value) == 0.0 &&
           std::fabs(traffic->after->value - traffic->before->value) <=
               lines_of_a_cache(part_of(change.quantity));
  }

  static bool is_settled(const Change& change) {
    return change.verdict == Verdict::same || change.verdict == Verdict::within_spread;
  }

  /// Of an intensity or a bandwidth; else nullptr.
  static const Change* traffic_of(const LoopStep& step, std::string_view quantity) {
    const std::string_view family = family_of(quantity);
    return family == "intensity" || family == "bandwidth"
               ? find_change(step, "traffic." + std::string(part_of(quantity)))
               : nullptr;
  }

  /// Of traffic at a level: what it may differ by although nothing changed; 0 at the first one.
  [[nodiscard]] double lines_of_a_cache(std::string_view part) const {
    const auto level = parse_level(part);
    const auto& floors = comparison_.results.front().traffic_floors;
    const auto found = level ? floors.find(*level) : floors.end();
    return found == floors.end() ? 0.0 : static_cast<double>(found->second);
  }

  /// What simulated traffic may differ by although nothing changed. An improvement is asked for in
  /// full.
  [[nodiscard]] double floor_of(const GateRule& rule) const {
    return rule.floor ? *rule.floor
           : family_of(rule.quantity) == "traffic" && !rule.asks_for_improvement()
               ? lines_of_a_cache(part_of(rule.quantity))
               : 0.0;
  }

  /// With the traffic as much nearer to what it was as its floor allows.
  [[nodiscard]] FigureValue less_the_floor(const GateRule& rule, const LoopStep& step,
                                           const FigureValue& after) const {
    FigureValue moved = after;
    const Change* traffic = traffic_of(step, rule.quantity);
    if (traffic == nullptr || rule.floor || rule.asks_for_improvement() || !traffic->before ||
        !traffic->after || !(traffic->after->value > 0.0)) {
      return moved;
    }
    const double now = traffic->after->value;
    const double floor = lines_of_a_cache(part_of(rule.quantity));
    const double then = std::clamp(traffic->before->value, now - floor, now + floor);
    const double factor = family_of(rule.quantity) == "intensity" ? now / then : then / now;
    for (double* value :
         {&moved.value, moved.low ? &*moved.low : nullptr, moved.high ? &*moved.high : nullptr}) {
      if (value != nullptr && then > 0.0) {
        *value *= factor;
      }
    }
    return moved;
  }

  /// What is not proven to have changed has not: `time>-10%` then lacks its improvement.
  [[nodiscard]] bool breaks(const GateRule& rule, const LoopStep& step,
                            const Change& change) const {
    if (is_settled(change) || change.verdict == Verdict::unknown) {
      return rule.asks_for_improvement();
    }
    return beyond(*change.before, less_the_floor(rule, step, *change.after), rule, floor_of(rule));
  }

  static std::string doubt(const Change& change) {
    return change.after->doubtful.value_or(change.before->doubtful.value_or(""));
  }

  void add(std::size_t rule, const ComparedLoop& loop, const Change& change, std::string reason) {
    GateFailure failure;
    failure.rule = rule;
    failure.loop = &loop;
    failure.before = change.before;
    failure.after = change.after;
    failure.unit = change.unit;
    if (change.ratio) {
      failure.change = *change.ratio - 1.0;
    }
    failure.reason = std::move(reason);
    failures_.push_back(std::move(failure));
  }

  const Comparison& comparison_;
  const std::vector<GateRule>& rules_;
  std::size_t step_;
  std::size_t judged_ = 0;
  std::vector<GateFailure> failures_;
};

}  // namespace

Result<void> check_gate_rule(const GateRule& rule, const Comparison& comparison) {
  const std::string_view family = family_of(rule.quantity);
  if (!depends_on_traffic(family)) {
    return {};
  }
  std::vector<std::string> levels;
  for (const ComparedResult& result : comparison.results) {
    for (const Level level : result.levels) {
      if (std::find(levels.begin(), levels.end(), to_string(level)) == levels.end()) {
        levels.emplace_back(to_string(level));
      }
    }
  }
  const std::string_view part = part_of(rule.quantity);
  if (std::find(levels.begin(), levels.end(), part) == levels.end()) {
    return fail(
        ErrorCode::usage,
        fmt::format("--fail-on {}: no result has a level {}", quoted(rule.text), quoted(part)),
        fmt::format("Levels: {}.", listed(levels)));
  }
  return {};
}

Result<std::vector<std::string>> parse_gate_allowance(const std::vector<std::string>& words) {
  std::vector<std::string> known;
  std::vector<std::string> allowed;
  for (const GateCondition& condition : kGateConditions) {
    known.emplace_back(condition.word);
    if (std::find(words.begin(), words.end(), condition.word) != words.end()) {
      allowed.emplace_back(condition.word);
    }
  }
  for (const std::string& word : words) {
    if (std::find(known.begin(), known.end(), word) == known.end()) {
      return fail(ErrorCode::usage,
                  fmt::format("--allow {}: there is nothing of that name", quoted(word)),
                  fmt::format("It may be one or several of {}.", listed(known)));
    }
  }
  return allowed;
}

std::vector<GateFailure> judge(const Comparison& comparison, const std::vector<GateRule>& rules,
                               const std::vector<std::string>& allowed) {
  return Judge(comparison, rules).run(allowed);
}

}  // namespace ridge::predict
