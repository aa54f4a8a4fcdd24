#include "render/format/html/page.hpp"

#include <array>
#include <cassert>
#include <utility>

#include "render/format/html/packed.hpp"

namespace ridge::embedded {
extern const std::string_view report_template;
}  // namespace ridge::embedded

namespace ridge::render {
namespace {

/// Where the data go, before and behind the script; web/index.html holds each once.
constexpr std::string_view kPlaceholder = "RIDGE_PAGE_DATA";
constexpr std::string_view kRestPlaceholder = "RIDGE_PAGE_REST";

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

bool is_of_number(char c) {
  return (c >= '0' && c <= '9') || c == '.' || c == '-';
}

/// Where the copying of a string has to look twice.
constexpr std::array<bool, 256> kSpecialInStrings = [] {
  std::array<bool, 256> special{};
  for (const char c : std::string_view("\"\\<>&\xE2")) {
    special[static_cast<unsigned char>(c)] = true;
  }
  return special;
}();

/// Copies JSON into two texts that may stand in <script> elements. Outside of strings JSON has none
/// of the characters that mean something to HTML, and no blanks are left there: a line break in a
/// text is a mark of ours. What needs no change is copied in long runs.
class Splitter {
 public:
  Splitter(std::string_view json, const LaterRegions& later) : json_(json), later_(later) {}

  /// The document without the later regions, a line break in place of each; then these, one a line,
  /// each with the comma before it.
  std::pair<std::string, std::string> split() {
    const std::size_t escapes = json_.size() / 16;
    (later_.empty() ? first_ : rest_).reserve(json_.size() + escapes);
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '"') {
        pass_string();
      } else if (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        replace(1, {});
      } else {
        pass_token(c);
      }
    }
    flush();
    end_later_region();
    return {std::move(first_), std::move(rest_)};
  }

 private:
  /// Depths of the arrays of results and regions: {"results":[{"profile":{"regions":[
  static constexpr std::size_t kInResults = 2;
  static constexpr std::size_t kInRegions = 5;

  std::string& out() { return in_rest_ ? rest_ : first_; }

  /// Copies what was passed.
  void flush() {
    out().append(json_, copied_, at_ - copied_);
    copied_ = at_;
  }

  /// `text` in place of the next `length` bytes.
  void replace(std::size_t length, std::string_view text) {
    flush();
    out() += text;
    at_ += length;
    copied_ = at_;
  }

  bool in_results() const { return depth_ == kInResults && keys_[1] == "results"; }
  bool in_regions() const {
    return depth_ == kInRegions && keys_[1] == "results" && keys_[3] == "profile" &&
           keys_[4] == "regions";
  }

  void end_later_region() {
    if (in_rest_) {
      rest_ += '\n';
      in_rest_ = false;
    }
  }

  void next_region() {
    flush();
    end_later_region();
    ++region_;
    in_rest_ =
        result_ < later_.size() && region_ < later_[result_].size() && later_[result_][region_];
    first_ += in_rest_ ? "\n" : "";
  }

  void pass_token(char c) {
    if (c == ',' && in_regions()) {
      next_region();
    } else if (c == ',' && in_results()) {
      ++result_;
    } else if (c == ':' && depth_ < keys_.size()) {
      keys_[depth_] = last_string_;
    } else if (c == '{' || c == '[') {
      ++depth_;
      region_ = in_regions() ? 0 : region_;
    } else if (c == '}' || c == ']') {
      if (in_regions()) {
        flush();
        end_later_region();
      }
      depth_ -= depth_ > 0 ? 1 : 0;
    }
    pass_character();
    while (at_ < json_.size() && is_of_number(json_[at_])) {
      ++at_;
    }
  }

  /// From its opening quote to its closing one, or to the end of a document that is cut off.
  void pass_string() {
    const std::size_t begin = ++at_;
    while (at_ < json_.size() && json_[at_] != '"') {
      if (!kSpecialInStrings[static_cast<unsigned char>(json_[at_])]) {
        ++at_;
      } else if (json_[at_] == '\\' && at_ + 1 < json_.size() &&
                 (json_[at_ + 1] == '"' || json_[at_ + 1] == '\\')) {
        at_ += 2;
      } else {
        pass_character();
      }
    }
    if (at_ < json_.size()) {
      last_string_ = json_.substr(begin, at_ - begin);
      ++at_;
    }
  }

  /// One that may need an escape.
  void pass_character() {
    if (const auto escape = markup_escape(json_[at_]); !escape.empty()) {
      replace(1, escape);
    } else if (const auto separator = separator_escape(json_, at_); !separator.empty()) {
      replace(3, separator);
    } else {
      ++at_;
    }
  }

  std::string_view json_;
  const LaterRegions& later_;
  std::string first_;
  std::string rest_;
  bool in_rest_ = false;
  std::size_t at_ = 0;
  std::size_t copied_ = 0;  ///< what stands before it has its place
  std::size_t depth_ = 0;
  std::size_t result_ = 0;
  std::size_t region_ = 0;
  std::string_view last_string_;
  std::array<std::string_view, kInRegions> keys_{};  ///< the last key at each depth
};

}  // namespace

std::string html_page(std::string_view page_json, const LaterRegions& later) {
  const std::string_view page = embedded::report_template;
  const auto place = page.find(kPlaceholder);
  const auto rest_place = page.find(kRestPlaceholder, place);
  assert(place != std::string_view::npos && rest_place != std::string_view::npos);
  const auto [first, rest] = Splitter(page_json, later).split();
  const auto after = place + kPlaceholder.size();
  std::string out;
  const std::string packed_rest = rest.empty() ? std::string() : packed(rest);
  out.reserve(page.size() + first.size() + packed_rest.size());
  out += page.substr(0, place);
  out += first;
  out += page.substr(after, rest_place - after);
  out += packed_rest;
  out += page.substr(rest_place + kRestPlaceholder.size());
  return out;
}

}  // namespace ridge::render
