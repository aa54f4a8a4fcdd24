// The language of `--fail-on`. Grammar and meaning: docs/decisions/0133-gates.md, 0165.
//
//   RULES  = RULE { ("," | ";") RULE }
//   RULE   = QUANTITY [ "@" REGION ] ( "<" | ">" ) LIMIT      blanks anywhere between
//   LIMIT  = CHANGE [ "+" AMOUNT ] | AMOUNT
//   CHANGE = NUMBER ( "%" | "x" | "" )     5% and 0.05: relative change; 1.05x: after / before
//   AMOUNT = NUMBER UNIT                   64KiB, 2ms, 1MFlop: in the unit of the quantity
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::predict {

struct GateRule {
  std::string text;                   ///< this rule alone, as given
  std::string quantity;               ///< "time", "traffic.DRAM"
  std::optional<std::string> region;  ///< name, function or label; "program": the whole program
  bool below = false;                 ///< "<": a fall beyond the limit fails
  double limit = 0.0;                 ///< (after - before) / before
  /// What a change may be beyond that, in the base unit of the quantity; absent: not given.
  std::optional<double> floor = std::nullopt;

  /// `time>-10%`: what is asked for is a change, and it must be proven.
  [[nodiscard]] bool asks_for_improvement() const { return below ? limit > 0.0 : limit < 0.0; }
};

/// One or several rules. Error: usage, naming the quantities.
[[nodiscard]] Result<std::vector<GateRule>> parse_gate_rules(std::string_view text);

/// Exactly one rule.
[[nodiscard]] Result<GateRule> parse_gate_rule(std::string_view text);

/// For messages: no control characters, nothing outside ASCII, not endless.
[[nodiscard]] std::string quoted(std::string_view text);

/// "a, b".
[[nodiscard]] std::string listed(const std::vector<std::string>& words);

}  // namespace ridge::predict
