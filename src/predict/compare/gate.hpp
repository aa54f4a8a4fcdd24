// `--fail-on`: which changes a run in CI must not bring. What a gate lets pass and what not:
// docs/decisions/0133-gates.md, 0165-what-a-gate-cannot-judge.md, 0166-floors-of-gates.md.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/comparison.hpp"
#include "predict/compare/gate_rule.hpp"

namespace ridge::predict {

/// Whether a rule asks for a level or precision that no result has. Error: usage, naming those that
/// are there.
[[nodiscard]] Result<void> check_gate_rule(const GateRule& rule, const Comparison& comparison);

/// What makes two results no two runs of one program to their end. Each fails a gate unless it is
/// allowed by its word.
struct GateCondition {
  std::string_view word;  ///< of --allow
  std::string_view note;  ///< code in ComparedStep::notes
  std::string_view what;  ///< "another end"
};
inline constexpr std::array<GateCondition, 3> kGateConditions{
    {{"exit", "other-end", "another end"},
     {"partial", "partial-regions", "partial regions"},
     {"program", "other-program", "another program"}}};

/// Words of --allow, each once in the order of kGateConditions. Error: usage, naming them.
[[nodiscard]] Result<std::vector<std::string>> parse_gate_allowance(
    const std::vector<std::string>& words);

/// What broke a rule, or kept it from being judged.
struct GateFailure {
  std::optional<std::size_t> rule;     ///< absent: none of them can be judged
  const ComparedLoop* loop = nullptr;  ///< nullptr: no region of that name
  std::optional<FigureValue> before;
  std::optional<FigureValue> after;
  std::string unit;              ///< of both; empty: a number
  std::optional<double> change;  ///< relative; absent: not judged, or from 0
  std::string reason;            ///< why it could not be judged; empty: the rule is broken
  std::string allowance;         ///< word of --allow that lets it pass; empty: none does
};

/// Holds the step from the first to the last result against the rules; without rules there is no
/// gate. A value that is known on one side only, cannot be compared or is doubtful fails a rule
/// that asks for it: a gate never passes in silence. A change within the spread passes.
[[nodiscard]] std::vector<GateFailure> judge(const Comparison& comparison,
                                             const std::vector<GateRule>& rules,
                                             const std::vector<std::string>& allowed = {});

}  // namespace ridge::predict
