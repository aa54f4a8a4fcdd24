// Bytes as a file of them: what it is, how long they are, and they themselves, packed by zlib.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridge::serialize {

[[nodiscard]] std::string packed_file(std::string_view magic, const std::string& bytes);

/// nullopt where `file`, which begins with `magic`, is not one that was written whole.
[[nodiscard]] std::optional<std::string> unpacked_file(std::string_view magic,
                                                       std::string_view file);

}  // namespace ridge::serialize
