// A machine as a part of another file.
#pragma once

#include "core/value/machine.hpp"

namespace ridge::serialize {

class Reader;
class Writer;

inline constexpr const char* kMachineSchema = "ridge.machine/1";

/// The members of a machine object, the schema key included.
void write_machine_members(Writer& writer, const Machine& machine);
[[nodiscard]] Machine read_machine(const Reader& object);

}  // namespace ridge::serialize
