#include "render/html/page.hpp"

#include <cassert>

namespace ridge::embedded {
extern const std::string_view report_template;
}  // namespace ridge::embedded

namespace ridge::render {
namespace {

/// Where the data go; web/index.html holds it once.
constexpr std::string_view kPlaceholder = "RIDGE_PAGE_DATA";

/// U+2028 and U+2029 end a line in JavaScript, not in JSON: they differ in their last byte.
constexpr std::string_view kSeparatorLead = "\xE2\x80";

/// "\u2028" or "\u2029" when one of them begins at `at`, else empty.
std::string_view separator_escape(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) != kSeparatorLead || at + 2 >= text.size()) {
    return {};
  }
  return text[at + 2] == '\xA8' ? "\\u2028" : text[at + 2] == '\xA9' ? "\\u2029" : "";
}

/// The escape of a character that means something to HTML; empty when it means nothing.
std::string_view markup_escape(char c) {
  return c == '<' ? "\\u003c" : c == '>' ? "\\u003e" : c == '&' ? "\\u0026" : "";
}

/// JSON that may stand in a <script> element: outside of strings JSON has none of these characters.
void append_embeddable(std::string& out, std::string_view json) {
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (!in_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) {
      continue;
    }
    if (const auto escape = markup_escape(c); !escape.empty()) {
      out += escape;
    } else if (const auto separator = separator_escape(json, at); !separator.empty()) {
      out += separator;
      at += 2;
    } else {
      out += c;
      if (in_string && c == '\\' && at + 1 < json.size()) {
        out += json[++at];
      } else if (c == '"') {
        in_string = !in_string;
      }
    }
  }
}

}  // namespace

std::string html_page(std::string_view page_json) {
  const std::string_view page = embedded::report_template;
  const auto place = page.find(kPlaceholder);
  assert(place != std::string_view::npos);
  std::string out;
  out.reserve(page.size() + page_json.size() + page_json.size() / 16);
  out += page.substr(0, place);
  append_embeddable(out, page_json);
  out += page.substr(place + kPlaceholder.size());
  return out;
}

}  // namespace ridge::render
