#pragma once

#include <string_view>

namespace ridge::serialize {

/// Text of machines/caches.json. Defined in a source file that the build generates
/// from it (embedded_caches.cpp.in).
extern const std::string_view kEmbeddedCaches;

}  // namespace ridge::serialize
