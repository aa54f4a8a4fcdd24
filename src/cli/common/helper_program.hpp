// Programs that stand beside `ridge` in lib/ridge, because of what they link.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"

namespace ridge::cli {

/// lib/ridge/NAME of this installation, whether it is there or not.
[[nodiscard]] std::string helper_program_path(std::string_view name);

/// Of a helper that has ended with `code`: `errors` has its message in the first line and the hint
/// behind it. Where the code is none of ours it has not started: `unavailable`, "WHAT does not
/// start: ...", with the hint `install`.
[[nodiscard]] Error error_of_helper(const std::string& errors, int code, std::string_view what,
                                    std::string_view install);

}  // namespace ridge::cli
