// Members of a ResourcePrediction, shared by the formats that hold one.
#pragma once

#include "core/value/demand.hpp"
#include "core/value/resource_prediction.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {

void write_members(Writer& writer, const ResourcePrediction& prediction);
/// "work", "traffic" and "intensity".
void write_members(Writer& writer, const Demand& demand);

}  // namespace ridge::serialize
