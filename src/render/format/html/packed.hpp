// Text that a page carries packed and unpacks itself.
#pragma once

#include <string>
#include <string_view>

namespace ridge::render {

/// The text as a zlib stream (RFC 1950) in base64 (RFC 4648, section 4), on one line: nothing in it
/// means anything to HTML. The page takes it apart with DecompressionStream("deflate").
[[nodiscard]] std::string packed(std::string_view text);

}  // namespace ridge::render
