// What the interactive report shows, as `ridge.page/1` (docs/formats/ridge.page.md).
#pragma once

#include <string>

#include "core/value/page.hpp"

namespace ridge::serialize {

/// One JSON document; profiles are whole, with their derived values.
[[nodiscard]] std::string write_page(const Page& page);

}  // namespace ridge::serialize
