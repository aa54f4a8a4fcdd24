// Published machines: machines/KEY.json, `ridge.specification/1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/specification.hpp"

namespace ridge::serialize {

/// Refuses, besides malformed values: no peak, no bandwidth of a memory, a source that is not
/// listed, a unit that is not the base unit, numbers that look as if they were given in G or T of
/// it, and numbers that contradict each other (peak against units x flop/cycle x clock, sustained
/// above theoretical, fp32 below fp64).
[[nodiscard]] Result<Specification> parse_specification(std::string_view text,
                                                        std::string_view file_name,
                                                        std::string_view key);

[[nodiscard]] std::string write_specification(const Specification& machine);

/// {"schema": "ridge.machines/1", "machines": [...]}: each with its key and its ridge points.
[[nodiscard]] std::string write_specifications(const std::vector<Specification>& machines);

/// machines/*.json as they were when Ridge was built, by key: part of the program, read from no
/// file.
[[nodiscard]] const std::vector<Specification>& known_specifications();

}  // namespace ridge::serialize
