// The file that keeps the code which was counted for the run that simulates.
#pragma once

#include <string>
#include <string_view>

#include "core/result.hpp"
#include "core/value/counted_code.hpp"

namespace ridge::serialize {

[[nodiscard]] std::string write_counted_code(const CountedCode& code);

/// Errors: bad_input, with `file_name`: no such file, damaged, or of another version of Ridge.
[[nodiscard]] Result<CountedCode> parse_counted_code(std::string_view bytes,
                                                     std::string_view file_name);

}  // namespace ridge::serialize
