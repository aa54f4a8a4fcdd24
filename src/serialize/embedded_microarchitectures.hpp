#pragma once

#include <string_view>

namespace ridge::serialize {

/// Text of machines/microarchitectures.json. Defined in a source file that the build generates
/// from it (embedded_microarchitectures.cpp.in).
extern const std::string_view kEmbeddedMicroarchitectures;

}  // namespace ridge::serialize
