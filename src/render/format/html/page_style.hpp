// How the interactive page presents itself.
#pragma once

#include <string>

namespace ridge::render {

/// `page`, which html_page() wrote, as one for a lecture: the verdict, the chart, at most three
/// steps, in large type (web/src/components/Slide.svelte).
[[nodiscard]] std::string as_slide(std::string page);

}  // namespace ridge::render
