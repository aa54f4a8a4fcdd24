// Which source measures: `--source`.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/result.hpp"
#include "measure/source.hpp"

namespace ridge::cli {

/// The source called `name`, else the first that can measure what is asked for. Errors: usage when
/// there is none of this name, with the nearest names; those of measure::check_source() and
/// measure::choose_source().
[[nodiscard]] Result<const measure::Source*> source_for(const std::optional<std::string>& name,
                                                        std::span<const measure::Source> sources,
                                                        const measure::Request& request);

/// What `--source list` prints: each with what it can and what it needs.
[[nodiscard]] std::string source_list(std::span<const measure::Source> sources);

}  // namespace ridge::cli
