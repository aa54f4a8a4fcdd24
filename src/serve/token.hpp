// The secret part of the address that `ridge serve` prints.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::serve {

/// 256 random bits from the kernel as 64 hexadecimal digits. Error: `unavailable`.
[[nodiscard]] Result<std::string> random_token();

/// Takes the same time wherever the first difference is; only the length of `expected` shows.
[[nodiscard]] bool equal_in_constant_time(std::string_view given, std::string_view expected);

}  // namespace ridge::serve
