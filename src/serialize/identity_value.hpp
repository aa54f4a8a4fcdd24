// Identities as files spell them.
#pragma once

#include "core/identity/isa.hpp"
#include "core/identity/operation.hpp"
#include "core/identity/pattern.hpp"

namespace ridge::serialize {

class Reader;

/// Any that is known; the error names them all.
[[nodiscard]] Isa read_isa(const Reader& value);
[[nodiscard]] Operation read_operation(const Reader& value);
[[nodiscard]] Pattern read_pattern(const Reader& value);

}  // namespace ridge::serialize
