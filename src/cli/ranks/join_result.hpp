// The records of a folder become one profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/ranks/rank_folder.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "core/value/profile.hpp"

namespace ridge::cli {

/// All records that can be read; what cannot is said on standard error and named as lost. With the
/// runs that were added later, paired by rank. `machine`: in place of the one that the ranks left.
/// Errors: bad_input when there is no record at all, or no machine.
[[nodiscard]] Result<Profile> join_result(const RankFolder& folder,
                                          const std::optional<Machine>& machine);

/// Whether the record of this rank in the first run is of the same program, by the name of its
/// file; also where there is no record. Errors: usage.
[[nodiscard]] Result<void> check_program(const RankFolder& folder, unsigned rank,
                                         const std::vector<std::string>& program);

}  // namespace ridge::cli
