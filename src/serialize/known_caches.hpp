// Caches of common machines: machines/caches.json, `ridge.caches/1`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/caches_elsewhere.hpp"

namespace ridge::serialize {

/// Refuses, besides malformed values: levels out of order or of different lines, sizes that are no
/// whole number of sets, caches that are not shared by a whole number of those above them, a name
/// or a machine that stands twice, and a row without a source.
[[nodiscard]] Result<std::vector<KnownCaches>> parse_known_caches(std::string_view text,
                                                                  std::string_view file_name);

[[nodiscard]] std::string write_known_caches(std::vector<KnownCaches> rows);

/// machines/caches.json as it was when Ridge was built: part of the program, read from no file.
[[nodiscard]] const std::vector<KnownCaches>& known_caches();

}  // namespace ridge::serialize
