// Text that comes from outside (arguments of measured programs, symbol names) may hold any bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ridge::serialize {

/// Bytes of the valid sequence at the start of `text`, 0 when there is none (RFC 3629, section 4:
/// no overlong forms, no surrogates, nothing above U+10FFFF).
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text);

/// Valid UTF-8 (RFC 3629): every byte that belongs to no valid sequence becomes U+FFFD. Valid text
/// comes back unchanged.
[[nodiscard]] std::string replace_invalid_utf8(std::string_view text);

/// Appends `text` as the inside of a JSON string: escaped, invalid UTF-8 replaced.
void append_json_escaped(std::string& out, std::string_view text);

/// As inside a JSON string, for messages on a terminal.
[[nodiscard]] std::string escape_for_message(std::string_view text);

}  // namespace ridge::serialize
