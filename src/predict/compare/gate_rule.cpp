#include "predict/compare/gate_rule.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "core/value/profile.hpp"
#include "predict/compare/figures.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSeparators = ",;";

std::string allowed() {
  return fmt::format(
      "QUANTITY[@LOOP]>LIMIT or <LIMIT, e.g. 'time>5%', 'traffic.DRAM@jacobi>2%+64KiB', 'flops>0', "
      "'performance<-5%'. Quantities: {}.",
      listed(quantity_names()));
}

tl::unexpected<Error> wrong(std::string_view text, std::string what) {
  return fail(ErrorCode::usage, fmt::format("--fail-on {}: {}", quoted(text), what), allowed());
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
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

/// How the amounts of some quantities are written.
struct Dimension {
  std::string_view families;  ///< each between blanks
  std::string_view unit;      ///< behind a prefix
  std::string_view other;     ///< another spelling
  bool binary;                ///< takes Ki, Mi ...
  bool small;                 ///< takes m, u, n and not k, M ...
  std::string_view example;
};
constexpr std::array<Dimension, 7> kDimensions{
    {{" time cpu_time ", "s", "s", false, true, "2ms"},
     {" flops ", "Flop", "flop", false, false, "1MFlop"},
     {" intops ", "op", "Op", false, false, "1Mop"},
     {" bytes loaded stored traffic ", "B", "byte", true, false, "64KiB"},
     {" performance ", "Flop/s", "flop/s", false, false, "1GFlop/s"},
     {" bandwidth ", "B/s", "byte/s", true, false, "1GB/s"},
     {" intensity ", "Flop/B", "flop/byte", false, false, "0.1Flop/B"}}};

struct Prefix {
  std::string_view text;
  double factor;
};
constexpr std::array<Prefix, 4> kSmall{{{"m", 1e-3}, {"u", 1e-6}, {"\u00B5", 1e-6}, {"n", 1e-9}}};
constexpr std::array<Prefix, 4> kLarge{{{"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}}};
constexpr std::array<Prefix, 4> kBinary{
    {{"Ki", 1024.0}, {"Mi", 0x1p20}, {"Gi", 0x1p30}, {"Ti", 0x1p40}}};

const Dimension* dimension_of(std::string_view quantity) {
  const std::string family = fmt::format(" {} ", family_of(quantity));
  const auto* found =
      std::find_if(kDimensions.begin(), kDimensions.end(), [&](const Dimension& dimension) {
        return dimension.families.find(family) != std::string_view::npos;
      });
  return found == kDimensions.end() ? nullptr : found;
}

std::optional<double> factor_of(std::string_view prefix, const Dimension& dimension) {
  if (prefix.empty()) {
    return 1.0;
  }
  const auto among = [&](const std::array<Prefix, 4>& prefixes) -> std::optional<double> {
    const auto* found = std::find_if(prefixes.begin(), prefixes.end(),
                                     [&](const Prefix& one) { return one.text == prefix; });
    return found == prefixes.end() ? std::nullopt : std::optional(found->factor);
  };
  const auto factor = among(dimension.small ? kSmall : kLarge);
  return factor || !dimension.binary ? factor : among(kBinary);
}

/// "64 KiB" in byte; nullopt: not an amount of this quantity.
std::optional<double> parse_amount(std::string_view text, std::string_view quantity) {
  const Dimension* dimension = dimension_of(quantity);
  const std::size_t digits = text.find_first_not_of("+0123456789.");
  if (dimension == nullptr || digits == std::string_view::npos) {
    return std::nullopt;
  }
  const auto value = plain_number(trimmed(text.substr(0, digits)));
  const std::string_view unit = trimmed(text.substr(digits));
  for (const std::string_view spelling : {dimension->unit, dimension->other}) {
    if (value && unit.ends_with(spelling)) {
      const auto factor = factor_of(unit.substr(0, unit.size() - spelling.size()), *dimension);
      return factor ? std::optional(*value * *factor) : std::nullopt;
    }
  }
  return std::nullopt;
}

/// "5 %", "0.05", "1.05x" as a relative change.
std::optional<double> parse_change(std::string_view text) {
  const char unit = text.empty() ? '\0' : text.back();
  if (unit == '%' || unit == 'x') {
    text.remove_suffix(1);
  }
  const auto value = plain_number(trimmed(text));
  if (!value) {
    return std::nullopt;
  }
  return unit == '%' ? *value / 100.0 : unit == 'x' ? *value - 1.0 : *value;
}

bool set_limit(GateRule& rule, std::string_view text) {
  if (const auto amount = parse_amount(text, rule.quantity)) {
    rule.floor = amount;
    return true;
  }
  const std::size_t plus = text.find('+', 1);  // one in front is a sign
  const auto change = parse_change(trimmed(text.substr(0, plus)));
  if (!change) {
    return false;
  }
  rule.limit = *change;
  if (plus == std::string_view::npos) {
    return true;
  }
  const std::string_view amount = trimmed(text.substr(plus + 1));
  rule.floor = amount.starts_with('+') ? std::nullopt : parse_amount(amount, rule.quantity);
  return rule.floor.has_value();
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

std::string amount_words(std::string_view quantity) {
  const Dimension* dimension = dimension_of(quantity);
  return dimension == nullptr
             ? fmt::format("; it is relative, such as 5%: {} has no unit", quantity)
             : fmt::format("; it is relative, such as 5%, or an amount, such as {}, or 5%+{}",
                           dimension->example, dimension->example);
}

Result<GateRule> parse_one(std::string_view given) {
  const std::string_view text = trimmed(given);
  // The last one: names of templates and operators have such characters too.
  const std::size_t sign = text.find_last_of("<>");
  if (sign == std::string_view::npos) {
    return wrong(given, "there is no < or >");
  }
  GateRule rule;
  rule.text = std::string(text);
  rule.below = text[sign] == '<';
  const std::string_view subject = text.substr(0, sign);
  const std::size_t at = subject.find('@');
  rule.quantity = std::string(trimmed(subject.substr(0, at)));
  if (!is_quantity(rule.quantity)) {
    return wrong(given, fmt::format("{} is no quantity", quoted(rule.quantity)));
  }
  if (at != std::string_view::npos) {
    rule.region = std::string(trimmed(subject.substr(at + 1)));
    if (rule.region->empty()) {
      return wrong(given, "no loop is named behind @");
    }
  }
  const std::string_view limit = trimmed(text.substr(sign + 1));
  if (limit.find('@') != std::string_view::npos) {
    return wrong(given, "@LOOP stands before the < or >, behind its quantity");
  }
  if (!set_limit(rule, limit)) {
    return wrong(given,
                 fmt::format("{} is no limit{}", quoted(limit), amount_words(rule.quantity)));
  }
  if (rule.limit < -1.0) {
    return wrong(given, "nothing falls by more than 100 %");
  }
  return rule;
}

/// Whether a rule begins here: a quantity, and behind it @ or a sign with a number.
bool begins_a_rule(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = text.find_first_of("@<>");
  if (end == std::string_view::npos || !is_quantity(trimmed(text.substr(0, end)))) {
    return false;
  }
  const std::string_view behind = trimmed(text.substr(end + 1));
  return text[end] == '@' ||
         behind.find_first_of("0123456789.+-") == 0;  // `f<1, time>>5%` is one name
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  std::string out;
  for (const char c : text.substr(0, kMost)) {
    const auto byte = static_cast<unsigned char>(c);
    out += byte < 0x20 || byte == 0x7f || byte >= 0x80 ? '?' : c;
  }
  return "'" + out + (text.size() > kMost ? "..." : "") + "'";
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : ", ") + word;
  }
  return text;
}

Result<std::vector<GateRule>> parse_gate_rules(std::string_view text) {
  constexpr std::size_t kLongest = 4096;
  if (text.size() > kLongest) {
    return wrong(text, "too long");
  }
  std::vector<GateRule> rules;
  // Names of templates have commas too: one parts two rules only where a whole rule stands before
  // it and another begins behind it.
  for (std::size_t at = text.find_first_of(kSeparators); at != std::string_view::npos;
       at = text.find_first_of(kSeparators, at + 1)) {
    if (!begins_a_rule(text.substr(at + 1))) {
      continue;
    }
    if (auto rule = parse_one(text.substr(0, at))) {
      rules.push_back(std::move(*rule));
      text.remove_prefix(at + 1);
      at = 0;
    }
  }
  auto last = parse_one(text);
  if (!last) {
    return tl::make_unexpected(last.error());
  }
  rules.push_back(std::move(*last));
  return rules;
}

Result<GateRule> parse_gate_rule(std::string_view text) {
  auto rules = parse_gate_rules(text);
  if (!rules) {
    return tl::make_unexpected(rules.error());
  }
  return rules->size() == 1 ? Result<GateRule>(std::move(rules->front()))
                            : wrong(text, "these are several rules");
}

}  // namespace ridge::predict
