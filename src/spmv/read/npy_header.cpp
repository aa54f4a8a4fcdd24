#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "spmv/read/npz.hpp"

namespace ridge::spmv {
namespace {

/// Reads the dictionary from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool take(std::string_view word) {
    while (!text_.empty() && (text_[0] == ' ' || text_[0] == '\n')) {
      text_.remove_prefix(1);
    }
    const bool there = text_.substr(0, word.size()) == word;
    text_.remove_prefix(there ? word.size() : 0);
    return there;
  }

  bool take_string(std::string& value) {
    const char quote = take("'") ? '\'' : take("\"") ? '"' : '\0';
    const std::size_t end = quote == '\0' ? std::string_view::npos : text_.find(quote);
    if (end == std::string_view::npos || end > 20) {
      return false;
    }
    value = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return true;
  }

  /// (), (3,), (3, 4)
  bool take_shape(std::vector<std::uint64_t>& shape) {
    if (!take("(")) {
      return false;
    }
    while (!take(")")) {
      std::uint64_t number = 0;
      take("");  // blanks
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), number);
      if (error != std::errc() || shape.size() == 3) {
        return false;
      }
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(number);
      if (!take(",")) {
        return shape.size() > 1 && take(")");
      }
    }
    return true;
  }

  bool done() { return take("") && text_.empty(); }

 private:
  std::string_view text_;
};

}  // namespace

std::uint64_t NpyHeader::count() const {
  std::uint64_t product = 1;
  for (const std::uint64_t size : shape) {
    if (__builtin_mul_overflow(product, size, &product)) {
      return std::numeric_limits<std::uint64_t>::max();
    }
  }
  return product;
}

Result<NpyHeader> parse_npy_header(std::string_view text) {
  const auto bad = [&] {
    return fail(ErrorCode::bad_input,
                fmt::format("'{}' is no header of a .npy file", shown_text(text)));
  };
  Reader reader(text);
  NpyHeader header;
  bool type = false;
  bool order = false;
  bool shape = false;
  if (!reader.take("{")) {
    return bad();
  }
  while (!reader.take("}")) {
    std::string key;
    if (!reader.take_string(key) || !reader.take(":")) {
      return bad();
    }
    bool fine = false;
    if (key == "descr" && !type) {
      fine = type = reader.take_string(header.type);
    } else if (key == "fortran_order" && !order) {
      header.fortran_order = reader.take("True");
      fine = order = header.fortran_order || reader.take("False");
    } else if (key == "shape" && !shape) {
      fine = shape = reader.take_shape(header.shape);
    }
    if (!fine || (!reader.take(",") && !reader.take("}"))) {
      return bad();
    }
    if (type && order && shape && reader.done()) {
      return header;
    }
  }
  return type && order && shape && reader.done() ? Result<NpyHeader>(header) : bad();
}

}  // namespace ridge::spmv
