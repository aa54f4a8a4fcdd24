// What a characterisation adds to a machine beside its ceilings. All of it may be absent.
#pragma once

#include "core/value/machine.hpp"

namespace ridge::serialize {

class Reader;
class Writer;

/// Absent parts are not written: the file of a quick measurement stays as it was.
void write_characterisation_members(Writer& writer, const Machine& machine);
/// Sets the members of `machine` from what is there.
void read_characterisation_members(const Reader& object, Machine& machine);

}  // namespace ridge::serialize
