// Helpers of the tests: fixtures, and fixtures with one thing changed.
#pragma once

#include <string>
#include <string_view>

namespace ridge::serialize {

/// The file under testdata/, or elsewhere with a path from the module's folder.
[[nodiscard]] std::string read_fixture(std::string_view name);

/// `text` with the first `from` replaced by `to`; fails the test when there is none.
[[nodiscard]] std::string replaced(std::string text, std::string_view from, std::string_view to);

/// In words, for the name of a case.
[[nodiscard]] std::string change(std::string_view from, std::string_view to);

/// Number of the line that holds the first `part`, from 1.
[[nodiscard]] std::size_t line_of(std::string_view text, std::string_view part);

}  // namespace ridge::serialize
