// `ridge run` over any table of sources.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "measure/source.hpp"

namespace ridge::cli {

/// run_run() of cli/common/command.hpp with these sources in place of Ridge's own, in order of
/// preference; not empty.
[[nodiscard]] Result<int> run_run(const std::vector<std::string>& arguments,
                                  std::span<const measure::Source> sources);

}  // namespace ridge::cli
