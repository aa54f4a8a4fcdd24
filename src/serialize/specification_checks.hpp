// What a published machine must not say: wrong units and contradictions. Part of the reader: each
// complaint names file, line and key.
#pragma once

#include <string_view>

#include "core/value/specification.hpp"
#include "serialize/json_reader.hpp"

namespace ridge::serialize {

/// "op/s" for integer precisions, else "flop/s".
[[nodiscard]] std::string_view rate_unit(std::string_view precision);

/// An error unless `object` says this unit and the value can be meant in it.
void check_unit(const Reader& object, double value, std::string_view unit);

/// Peaks against units x flop/cycle x clock, sustained against theoretical, fp32 against fp64,
/// sources that are not listed, nothing to build a roof from.
void check_consistency(const Reader& root, const Specification& machine);

}  // namespace ridge::serialize
