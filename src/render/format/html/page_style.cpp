#include "render/format/html/page_style.hpp"

#include <cassert>
#include <string_view>

namespace ridge::render {

std::string as_slide(std::string page) {
  // Of web/index.html: the first element, before anything that a result could have written.
  constexpr std::string_view kElement = "<html ";
  const std::size_t at = page.find(kElement);
  assert(at != std::string::npos);
  page.insert(at + kElement.size(), "data-style=\"slide\" ");
  return page;
}

}  // namespace ridge::render
