// The value type Machine as `ridge.machine/1` (docs/formats/ridge.machine.md).
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "serialize/json_document.hpp"

namespace ridge::serialize {

/// Refuses what does not make sense, with file, line and key in the message. Keys that this version
/// does not know are ignored. `file_name` only serves the messages.
[[nodiscard]] Result<Machine> parse_machine(std::string_view text, std::string_view file_name);
/// The same of a text that is parsed already.
[[nodiscard]] Result<Machine> machine_from(const Document& document, std::string_view file_name);

/// Pretty, keys always in the same order; parse_machine gives back the same value.
[[nodiscard]] std::string write_machine(const Machine& machine);

}  // namespace ridge::serialize
