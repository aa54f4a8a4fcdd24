// Caches elsewhere as a part of another file.
#pragma once

#include <vector>

#include "core/value/caches_elsewhere.hpp"

namespace ridge::serialize {

class Reader;
class Writer;

void write_caches_elsewhere(Writer& writer, const std::vector<CachesElsewhere>& caches);
/// Names are distinct.
[[nodiscard]] std::vector<CachesElsewhere> read_caches_elsewhere(const Reader& array);

/// Members `name`, `caches` and `memory` of an object.
[[nodiscard]] CachesElsewhere read_caches_members(const Reader& object);

}  // namespace ridge::serialize
