// Identities as files spell them.
#pragma once

#include "core/identity/isa.hpp"

namespace ridge::serialize {

class Reader;

/// Any that is known; the error names them all.
[[nodiscard]] Isa read_isa(const Reader& value);

}  // namespace ridge::serialize
