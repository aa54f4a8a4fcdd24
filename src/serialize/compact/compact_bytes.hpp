// Whole numbers, reals and texts as bytes: small numbers take one, a text that comes again two or
// three. Every read is held against what is there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ridge::serialize {

class CompactWriter {
 public:
  /// LEB128: seven bits a byte, the lowest first.
  void whole(std::uint64_t number);
  /// Eight bytes, the lowest first.
  void real(double number);
  /// Its bytes where it is new, else the number of the earlier one.
  void text(std::string_view text);

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::unordered_map<std::string, std::uint64_t> known_;
};

/// After the first damage everything reads as 0 or empty, and `failed` says so.
class CompactReader {
 public:
  explicit CompactReader(std::string_view bytes) : bytes_(bytes) {}

  [[nodiscard]] std::uint64_t whole();
  [[nodiscard]] double real();
  [[nodiscard]] std::string text();
  /// A number of items of which each takes at least one byte.
  [[nodiscard]] std::size_t item_count();

  void fail() { failed_ = true; }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }

 private:
  [[nodiscard]] std::size_t left() const { return bytes_.size() - at_; }

  std::string_view bytes_;
  std::size_t at_ = 0;
  bool failed_ = false;
  std::vector<std::string_view> known_;
};

}  // namespace ridge::serialize
