// Golden files under testdata/. RIDGE_UPDATE_GOLDEN=1 in the environment writes them anew; look at
// the difference before committing it.
#pragma once

#include <string>
#include <vector>

namespace ridge::render {

/// Fails the running test when `text` differs from testdata/`name`.
void expect_golden(const std::string& name, const std::string& text);

/// Without the line ends; a text that ends in one has an empty last line.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// Hostile text in every string of a profile: markup, control characters, broken UTF-8.
inline constexpr const char* kHostile =
    "</script><img src=x onerror=alert(1)>\"'&\x01\x1b[31m\x7f\xff\xc3(\xed\xa0\x80\xe2\x80\xae "
    "evil";

}  // namespace ridge::render
