// A comparison as a part of another file.
#pragma once

#include "core/value/comparison.hpp"

namespace ridge::serialize {

class Writer;

/// The members of a comparison object, the schema key included.
void write_comparison_members(Writer& writer, const Comparison& comparison);

}  // namespace ridge::serialize
