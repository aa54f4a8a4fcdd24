#include "serialize/json_reader.hpp"

#include <cmath>

#include <fmt/core.h>

#include "serialize/utf8.hpp"

namespace ridge::serialize {
namespace {

/// "a, b or c".
std::string alternatives(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += i == 0 ? "" : i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text;
}

constexpr double kLargestExactInteger = 9007199254740992.0;  // 2^53

}  // namespace

Reader Reader::at(std::string_view key) const {
  const Reader value = find(key);
  if (value.absent() && !absent()) {
    fail(fmt::format("has no key \"{}\"", key));
  }
  return value;
}

Reader Reader::find(std::string_view key) const {
  const auto index = expect(JsonKind::object) ? document_->member(node_, key) : Document::kNone;
  return {*document_, *diagnostics_, index};
}

std::vector<Reader> Reader::items() const {
  std::vector<Reader> readers;
  if (expect(JsonKind::array)) {
    for (auto child = document_->node(node_).first_child; child != Document::kNone;
         child = document_->node(child).next_sibling) {
      readers.emplace_back(*document_, *diagnostics_, child);
    }
  }
  return readers;
}

std::vector<std::pair<std::string, Reader>> Reader::members() const {
  std::vector<std::pair<std::string, Reader>> readers;
  if (expect(JsonKind::object)) {
    for (auto child = document_->node(node_).first_child; child != Document::kNone;
         child = document_->node(child).next_sibling) {
      readers.emplace_back(document_->key(child), Reader(*document_, *diagnostics_, child));
    }
  }
  return readers;
}

std::string Reader::text() const {
  return expect(JsonKind::string) ? std::string(document_->text(node_)) : std::string();
}

std::string Reader::non_empty_text() const {
  std::string value = text();
  if (value.empty()) {
    fail("must not be empty");
  }
  return value;
}

bool Reader::flag() const {
  return expect(JsonKind::boolean) && document_->node(node_).boolean;
}

std::uint64_t Reader::count() const {
  return count_between(0, std::numeric_limits<std::uint64_t>::max());
}

std::uint64_t Reader::count_between(std::uint64_t least, std::uint64_t most) const {
  if (!expect_number()) {
    return least;
  }
  const Document::Node& node = document_->node(node_);
  std::uint64_t value = 0;
  if (node.kind == JsonKind::natural) {
    value = node.natural;
  } else if (node.kind == JsonKind::negative_integer || node.real < 0.0) {
    fail(fmt::format("must {}, is {}", least == 0 ? "not be negative" : "be positive", spelled()));
    return least;
  } else if (node.real != std::floor(node.real) || node.real > kLargestExactInteger) {
    fail(fmt::format("must be a whole number of at most {}, is {}", most, spelled()));
    return least;
  } else {
    value = static_cast<std::uint64_t>(node.real);
  }
  if (value == 0 && least == 1) {
    fail("must be positive, is 0");
    return least;
  }
  if (value < least || value > most) {
    fail(fmt::format("must be {} to {}, is {}", least, most, value));
    return least;
  }
  return value;
}

unsigned Reader::natural() const {
  return static_cast<unsigned>(count_between(0, std::numeric_limits<unsigned>::max()));
}

unsigned Reader::positive() const {
  return static_cast<unsigned>(count_between(1, std::numeric_limits<unsigned>::max()));
}

std::int64_t Reader::integer_between(std::int64_t least, std::int64_t most) const {
  if (!expect_number()) {
    return least;
  }
  const Document::Node& node = document_->node(node_);
  const auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  std::optional<std::int64_t> value;
  if (node.kind == JsonKind::negative_integer) {
    value = node.negative_integer;
  } else if (node.kind == JsonKind::natural && node.natural <= largest) {
    value = static_cast<std::int64_t>(node.natural);
  }
  if (!value || *value < least || *value > most) {
    fail(fmt::format("must be a whole number from {} to {}, is {}", least, most, spelled()));
    return least;
  }
  return *value;
}

double Reader::real() const {
  if (!expect_number()) {
    return 0.0;
  }
  const Document::Node& node = document_->node(node_);
  switch (node.kind) {
    case JsonKind::natural:
      return static_cast<double>(node.natural);
    case JsonKind::negative_integer:
      return static_cast<double>(node.negative_integer);
    default:
      return node.real;
  }
}

double Reader::non_negative_real() const {
  const double value = real();
  if (value < 0.0) {
    fail(fmt::format("must not be negative, is {}", spelled()));
  }
  return value;
}

double Reader::positive_real() const {
  const double value = real();
  if (value <= 0.0) {
    fail(fmt::format("must be positive, is {}", spelled()));
  }
  return value;
}

void Reader::fail(std::string_view what, std::string_view hint) const {
  if (absent() || !ok()) {
    return;
  }
  const std::string path = document_->path(node_);
  diagnostics_->first =
      Error{ErrorCode::bad_input,
            fmt::format("{}:{}: {} {}", diagnostics_->file_name, document_->node(node_).line,
                        path.empty() ? "the file" : path, what),
            hint.empty() ? diagnostics_->hint : std::string(hint)};
}

bool Reader::expect(JsonKind kind) const {
  if (absent() || !ok()) {
    return false;
  }
  const JsonKind found = document_->node(node_).kind;
  if (found != kind) {
    fail(fmt::format("must be {}, is {}", describe(kind), describe(found)));
    return false;
  }
  return true;
}

bool Reader::expect_number() const {
  if (absent() || !ok()) {
    return false;
  }
  const JsonKind found = document_->node(node_).kind;
  const bool number =
      found == JsonKind::natural || found == JsonKind::negative_integer || found == JsonKind::real;
  if (!number) {
    fail(fmt::format("must be a number, is {}", describe(found)));
  }
  return number;
}

std::string Reader::spelled() const {
  if (absent()) {
    return "";
  }
  const Document::Node& node = document_->node(node_);
  switch (node.kind) {
    case JsonKind::natural:
      return fmt::format("{}", node.natural);
    case JsonKind::negative_integer:
      return fmt::format("{}", node.negative_integer);
    case JsonKind::real:
      return fmt::format("{}", node.real);
    case JsonKind::string:
      return quote_for_message(document_->text(node_));
    default:
      return std::string(describe(node.kind));
  }
}

void Reader::fail_choice(const std::vector<std::string_view>& allowed) const {
  if (!absent()) {
    fail(fmt::format("must be {}, is {}", alternatives(allowed), spelled()));
  }
}

void Reader::fail_key_choice(const std::vector<std::string_view>& allowed) const {
  fail(fmt::format("is no known key: it must be {}", alternatives(allowed)));
}

Result<Document> parse_document_of(std::string_view text, std::string_view file_name,
                                   std::string_view hint) {
  auto document = parse_document(text, file_name);
  if (!document && document.error().hint.empty()) {
    document.error().hint = hint;
  }
  return document;
}

void check_schema(const Reader& object, std::string_view schema, std::string_view older) {
  const Reader value = object.at("schema");
  const std::string found = value.text();
  if (found == schema || (found == older && !older.empty()) || value.absent()) {
    return;
  }
  const std::string_view kind = schema.substr(0, schema.find('/') + 1);
  const bool other_version = found.substr(0, kind.size()) == kind;
  value.fail(fmt::format("is {}, expected {}",
                         escape_for_message(std::string_view(found).substr(0, 60)), schema),
             other_version ? "another version of Ridge wrote this file: use that version, or "
                             "measure again with this one"
                           : "");
}

}  // namespace ridge::serialize
