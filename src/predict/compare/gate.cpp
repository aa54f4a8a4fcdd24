#include "predict/compare/gate.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "core/profile.hpp"
#include "predict/compare/figures.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kProgram = "program";

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

std::string allowed() {
  return fmt::format(
      "QUANTITY[@LOOP]>LIMIT or <LIMIT, e.g. 'time>5%', 'traffic.DRAM@jacobi>2%', 'flops>0', "
      "'performance<-5%'. Quantities: {}.",
      join(quantity_names()));
}

/// For messages: no control characters, not endless.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f || byte >= 0x80 ? '?' : c;
  }
  return "'" + out + (text.size() > kMost ? "..." : "") + "'";
}

tl::unexpected<Error> wrong(std::string_view text, std::string what) {
  return fail(ErrorCode::usage, fmt::format("--fail-on {}: {}", quoted(text), what), allowed());
}

/// Digits with a sign and a point; nothing else that from_chars would take ("inf", "1e3", hex).
std::optional<double> plain_number(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  constexpr std::size_t kLongest = 30;
  if (text.empty() || text.size() > kLongest ||
      text.find_first_not_of("0123456789.-") != std::string_view::npos ||
      text.find_first_of("0123456789") == std::string_view::npos) {
    return std::nullopt;
  }
  double value = 0.0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

std::optional<double> parse_limit(std::string_view text) {
  const char unit = text.empty() ? '\0' : text.back();
  if (unit == '%' || unit == 'x') {
    text.remove_suffix(1);
  }
  const auto value = plain_number(text);
  if (!value) {
    return std::nullopt;
  }
  return unit == '%' ? *value / 100.0 : unit == 'x' ? *value - 1.0 : *value;
}

/// Whether the quantity is one of quantity_names(), with a part exactly where one belongs.
bool is_quantity(std::string_view quantity) {
  const std::string_view family = family_of(quantity);
  const bool dotted = quantity.find('.') != std::string_view::npos;
  const std::string_view part = part_of(quantity);
  for (const std::string& name : quantity_names()) {
    const bool wants_part = name.find('.') != std::string::npos;
    if (family_of(name) == family && wants_part == dotted && wants_part == !part.empty()) {
      return family != "flops" || !dotted || parse_precision(part).has_value();
    }
  }
  return false;
}

bool named(const ComparedLoop& loop, const std::string& name) {
  return std::any_of(loop.places.begin(), loop.places.end(), [&](const Place& place) {
    return place.name == name || place.function == name || brief_name(place.name) == name ||
           brief_name(place.function) == name;
  });
}

/// Whether `change` is beyond the limit. With a limit of 0 counts are compared exactly.
bool beyond(const RegionFigure& before, const RegionFigure& after, const GateRule& rule) {
  if (rule.limit == 0.0 && before.count && after.count) {
    return rule.below ? *after.count < *before.count : *after.count > *before.count;
  }
  const long double allowed_value =
      static_cast<long double>(before.value) * (1.0L + static_cast<long double>(rule.limit));
  // A limit given in decimals must not fail a change of exactly that size.
  const long double slack = std::fabs(allowed_value) * 1e-12L;
  return rule.below ? after.value < allowed_value - slack : after.value > allowed_value + slack;
}

class Judge {
 public:
  Judge(const Comparison& comparison, const std::vector<GateRule>& rules)
      : comparison_(comparison), rules_(rules), step_(comparison.steps.size() - 1) {}

  std::vector<GateFailure> run() {
    for (std::size_t rule = 0; rule < rules_.size(); ++rule) {
      judge_rule(rule);
    }
    return std::move(failures_);
  }

 private:
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
    } else if (breaks(rules_[rule], *change)) {
      add(rule, loop, *change,
          change->verdict == Verdict::doubtful
              ? fmt::format("beyond the limit, but doubtful ({})", doubt(*change))
              : "");
    }
  }

  /// Why the change cannot be judged; nullptr: it can.
  static const char* obstacle(const LoopStep& step, const Change& change) {
    if (change.verdict == Verdict::not_comparable) {
      return "not comparable: another machine or other caches";
    }
    return change.verdict == Verdict::unknown && !is_rate_of_unseen(step, change)
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

  static bool is_settled(const Change& change) {
    return change.verdict == Verdict::same || change.verdict == Verdict::within_spread;
  }

  /// What is not proven to have changed has not: `time>-10%` then lacks its improvement.
  static bool breaks(const GateRule& rule, const Change& change) {
    if (is_settled(change) || change.verdict == Verdict::unknown) {
      return rule.below ? rule.limit > 0.0 : rule.limit < 0.0;
    }
    return beyond(*change.before, *change.after, rule);
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

Result<GateRule> parse_gate_rule(std::string_view text) {
  constexpr std::size_t kLongest = 4096;
  if (text.size() > kLongest) {
    return wrong(text, "too long");
  }
  // The last one: names of templates and operators have such characters too.
  const std::size_t sign = text.find_last_of("<>");
  if (sign == std::string_view::npos) {
    return wrong(text, "there is no < or >");
  }
  GateRule rule;
  rule.text = std::string(text);
  rule.below = text[sign] == '<';
  const auto limit = parse_limit(text.substr(sign + 1));
  if (!limit) {
    return wrong(text, fmt::format("{} is no limit", quoted(text.substr(sign + 1))));
  }
  if (*limit < -1.0) {
    return wrong(text, "nothing falls by more than 100 %");
  }
  rule.limit = *limit;
  const std::string_view subject = text.substr(0, sign);
  const std::size_t at = subject.find('@');
  rule.quantity = std::string(subject.substr(0, at));
  if (at != std::string_view::npos) {
    rule.region = std::string(subject.substr(at + 1));
    if (rule.region->empty()) {
      return wrong(text, "no loop is named behind @");
    }
  }
  if (!is_quantity(rule.quantity)) {
    return wrong(text, fmt::format("{} is no quantity", quoted(rule.quantity)));
  }
  return rule;
}

Result<void> check_gate_rule(const GateRule& rule, const Comparison& comparison) {
  const std::string_view family = family_of(rule.quantity);
  if (family != "traffic" && family != "intensity" && family != "bandwidth") {
    return {};
  }
  std::vector<std::string> levels;
  for (const ComparedResult& result : comparison.results) {
    for (const std::string& level : result.levels) {
      if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
        levels.push_back(level);
      }
    }
  }
  const std::string_view part = part_of(rule.quantity);
  if (std::find(levels.begin(), levels.end(), part) == levels.end()) {
    return fail(
        ErrorCode::usage,
        fmt::format("--fail-on {}: no result has a level {}", quoted(rule.text), quoted(part)),
        fmt::format("Levels: {}.", join(levels)));
  }
  return {};
}

std::vector<GateFailure> judge(const Comparison& comparison, const std::vector<GateRule>& rules) {
  return Judge(comparison, rules).run();
}

}  // namespace ridge::predict
