// What files a command can write: a table of formats for each kind of content, chosen by the ending
// of the file's name.
#pragma once

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "core/result.hpp"

namespace ridge::cli {

template <class Content>
struct OutputFormat {
  std::string_view ending;  ///< ".svg"
  std::string_view what;    ///< "a picture with real text", for messages
  /// The bytes of the file. Errors: `usage` for what this format cannot show, `unavailable` where
  /// the library behind it is missing.
  Result<std::string> (*make)(const Content& content);
  // Options that say something about it: of --only, --title and --style.
  bool takes_only = true;
  bool takes_title = true;
  bool takes_style = true;
};

/// By the ending of the name, in any case. Error: `usage`, listing the endings; `complaint` is what
/// the ending of that name does not do, after "the ending of NAME ".
template <class Content>
[[nodiscard]] Result<const OutputFormat<Content>*> find_format(
    std::span<const OutputFormat<Content>> formats, std::string_view command,
    std::string_view file_name, std::string_view complaint = "says no format") {
  std::string name(file_name);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  std::string endings;
  for (const OutputFormat<Content>& format : formats) {
    if (name.ends_with(format.ending)) {
      return &format;
    }
    endings += fmt::format("{}{} ({})", endings.empty() ? "" : ", ", format.ending, format.what);
  }
  return fail(ErrorCode::usage,
              fmt::format("{}: the ending of {} {}", command, file_name, complaint),
              fmt::format("It may be one of {}.", endings));
}

}  // namespace ridge::cli
