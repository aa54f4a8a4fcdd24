// The caches that `ridge run --also` names.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/caches_elsewhere.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

/// Caches by the name of a microarchitecture ("zen4") or the key of a published machine
/// ("spr-8480p"). Error: bad_input, with the nearest names.
[[nodiscard]] Result<CachesElsewhere> find_caches_elsewhere(std::string_view name);

/// `machine`: where the program runs; what a given geometry leaves open is as there. Errors: usage,
/// bad_input.
[[nodiscard]] Result<std::vector<CachesElsewhere>> also_caches(const std::vector<AlsoItem>& items,
                                                               const Machine& machine);

}  // namespace ridge::cli
