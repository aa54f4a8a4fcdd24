// Ceilings from rates that another tool measured.
#pragma once

#include <string>

#include "core/value/machine.hpp"

namespace ridge::imports {

/// Adds the ceiling of `key` with the rate `value` (flop/s or byte/s, positive), stated once. Of
/// two with one id the higher rate stays.
void add_roof(Machine& machine, const CeilingKey& key, double value,
              Origin origin = Origin::measured);

/// Names the memories by those levels of the bandwidths that are no cache, in their order.
void name_memories(Machine& machine);

}  // namespace ridge::imports
