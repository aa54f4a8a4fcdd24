// Texts out of records, which may hold any bytes, for people to read.
#pragma once

#include <string>
#include <string_view>

namespace ridge::measure::binary {

/// Other bytes than UTF-8 and control characters become '?'.
[[nodiscard]] std::string clean_text(std::string_view text);

}  // namespace ridge::measure::binary
