// `--fail-on`: which changes a run in CI must not bring. Grammar and meaning:
// docs/decisions/0133-gates.md.
//
//   RULE   = QUANTITY [ "@" REGION ] ( "<" | ">" ) LIMIT
//   LIMIT  = NUMBER ( "%" | "x" | "" )     5% and 0.05: relative change; 1.05x: after / before
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison.hpp"
#include "core/result.hpp"

namespace ridge::predict {

struct GateRule {
  std::string text;                   ///< as given
  std::string quantity;               ///< "time", "traffic.DRAM"
  std::optional<std::string> region;  ///< name or function; "program": the whole program alone
  bool below = false;                 ///< "<": a fall beyond the limit fails
  double limit = 0.0;                 ///< (after - before) / before
};

/// Error: usage, naming the quantities.
[[nodiscard]] Result<GateRule> parse_gate_rule(std::string_view text);

/// Whether a rule asks for a level or precision that no result has. Error: usage, naming those that
/// are there.
[[nodiscard]] Result<void> check_gate_rule(const GateRule& rule, const Comparison& comparison);

/// What broke a rule, or kept it from being judged.
struct GateFailure {
  std::size_t rule = 0;
  const ComparedLoop* loop = nullptr;  ///< nullptr: no region of that name
  std::optional<RegionFigure> before;
  std::optional<RegionFigure> after;
  std::optional<double> change;  ///< relative; absent: not judged, or from 0
  std::string reason;            ///< why it could not be judged; empty: the rule is broken
};

/// Holds the step from the first to the last result against the rules. A value that is known on one
/// side only, cannot be compared or is doubtful fails a rule that asks for it: a gate never passes
/// in silence. A change within the spread passes.
[[nodiscard]] std::vector<GateFailure> judge(const Comparison& comparison,
                                             const std::vector<GateRule>& rules);

}  // namespace ridge::predict
