// The machines that a name on the command line can mean: the data base or a user's own file.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/specification.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::cli {

/// A key of the data base, or the path of a ridge.specification/1 file (with a slash, or ending in
/// ".json"); the file's key is its name without the ending. Errors: `bad_input`; an unknown key
/// with the nearest ones.
[[nodiscard]] Result<Specification> find_specification(std::string_view name);

/// The target of a published machine with what is known of its cores: the one place that joins
/// machines with microarchitectures. That which `figures` name; where they name
/// none, that of the table of caches for their key. Errors: `bad_input` for a name that
/// machines/microarchitectures.json does not have, with the nearest ones.
[[nodiscard]] Result<TargetMachine> published_target(Specification figures);

}  // namespace ridge::cli
