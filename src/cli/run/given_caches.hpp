// The caches of --cache in place of the machine's.
#pragma once

#include "cli/run/run_options.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"

namespace ridge::cli {

/// The machine with the caches that `--cache` gives; without it as it is. Its ceilings stay those
/// of the real one, and what the file and the report say of the caches carries the note. Errors:
/// usage.
[[nodiscard]] Result<Machine> with_given_caches(Machine machine, const RunOptions& options);

/// What a reader of the traffic has to know stands with the result too.
void copy_note_of_caches(Profile& profile);

}  // namespace ridge::cli
