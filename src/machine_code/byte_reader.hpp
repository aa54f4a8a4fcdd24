// Numbers out of bytes that nobody vouches for: what lies beyond the end is absent. Little endian.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <type_traits>

namespace ridge::machine_code {

using Bytes = std::span<const std::uint8_t>;

/// [offset, offset + size) of `bytes`; nullopt where it does not lie inside.
[[nodiscard]] inline std::optional<Bytes> part_of(Bytes bytes, std::uint64_t offset,
                                                  std::uint64_t size) {
  if (offset > bytes.size() || size > bytes.size() - offset) {
    return std::nullopt;
  }
  return bytes.subspan(offset, size);
}

/// A plain struct or number at `offset`.
template <class T>
[[nodiscard]] std::optional<T> value_at(Bytes bytes, std::uint64_t offset) {
  static_assert(std::is_trivially_copyable_v<T>);
  const auto found = part_of(bytes, offset, sizeof(T));
  if (!found) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, found->data(), sizeof value);
  return value;
}

/// Reads one value behind the other. After the first that is not there, all are 0 and `failed()` is
/// true.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, std::uint64_t at = 0) : bytes_(bytes), at_(at) {}

  [[nodiscard]] std::uint64_t at() const { return at_; }
  [[nodiscard]] bool failed() const { return failed_; }
  void skip(std::uint64_t count) {
    failed_ = failed_ || !part_of(bytes_, at_, count);
    at_ += failed_ ? 0 : count;
  }

  template <class T>
  T take() {
    const auto value = failed_ ? std::nullopt : value_at<T>(bytes_, at_);
    failed_ = !value;
    at_ += value ? sizeof(T) : 0;
    return value.value_or(T{});
  }
  /// LEB128, seven bits in each byte (DWARF 5, section 7.6). Bits beyond 64 are lost.
  std::uint64_t take_uleb() { return take_leb(false); }
  std::int64_t take_sleb() { return static_cast<std::int64_t>(take_leb(true)); }

 private:
  std::uint64_t take_leb(bool is_signed) {
    std::uint64_t value = 0;
    std::uint8_t byte = 0x80;
    unsigned shift = 0;
    for (; (byte & 0x80U) != 0 && !failed_; shift += 7) {
      byte = take<std::uint8_t>();
      value |= shift < 64 ? std::uint64_t{byte & 0x7FU} << shift : 0;
    }
    if (is_signed && shift < 64 && (byte & 0x40U) != 0) {
      value |= ~std::uint64_t{0} << shift;
    }
    return value;
  }

  Bytes bytes_;
  std::uint64_t at_ = 0;
  bool failed_ = false;
};

}  // namespace ridge::machine_code
