// From the words of the command line to the sub-command.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace ridge::cli {

/// Runs the sub-command that `words` (without argv[0]) name, or prints help or `version`. Returns
/// its exit code. Errors: those of the sub-command; ErrorCode::usage with the nearest name when
/// there is no such command.
[[nodiscard]] Result<int> dispatch(const std::vector<std::string>& words, std::string_view version);

}  // namespace ridge::cli
