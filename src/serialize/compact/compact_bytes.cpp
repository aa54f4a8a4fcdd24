#include "serialize/compact/compact_bytes.hpp"

#include <bit>
#include <cmath>

namespace ridge::serialize {
namespace {

constexpr unsigned kBitsOfByte = 7;
constexpr std::uint64_t kMore = 0x80;
constexpr unsigned kRealBytes = 8;

}  // namespace

void CompactWriter::whole(std::uint64_t number) {
  while (number >= kMore) {
    bytes_.push_back(static_cast<char>(number | kMore));
    number >>= kBitsOfByte;
  }
  bytes_.push_back(static_cast<char>(number));
}

void CompactWriter::real(double number) {
  auto bits = std::bit_cast<std::uint64_t>(number);
  for (unsigned i = 0; i < kRealBytes; ++i) {
    bytes_.push_back(static_cast<char>(bits));
    bits >>= 8U;
  }
}

void CompactWriter::text(std::string_view text) {
  const auto [found, is_new] = known_.try_emplace(std::string(text), known_.size() + 1);
  whole(is_new ? 0 : found->second);
  if (is_new) {
    whole(text.size());
    bytes_ += text;
  }
}

std::uint64_t CompactReader::whole() {
  std::uint64_t number = 0;
  for (unsigned shift = 0; shift < 64 && at_ < bytes_.size() && !failed_; shift += kBitsOfByte) {
    const auto byte = static_cast<unsigned char>(bytes_[at_++]);
    const std::uint64_t bits = byte & (kMore - 1);
    if (((bits << shift) >> shift) != bits) {
      break;  // beyond 64 bits
    }
    number |= bits << shift;
    if (byte < kMore) {
      return number;
    }
  }
  fail();
  return 0;
}

double CompactReader::real() {
  if (left() < kRealBytes || failed_) {
    fail();
    return 0.0;
  }
  std::uint64_t bits = 0;
  for (unsigned i = 0; i < kRealBytes; ++i) {
    bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[at_++])) << (8U * i);
  }
  const auto number = std::bit_cast<double>(bits);
  if (!std::isfinite(number)) {
    fail();
    return 0.0;
  }
  return number;
}

std::string CompactReader::text() {
  const std::uint64_t earlier = whole();
  if (earlier > 0) {
    if (earlier > known_.size()) {
      fail();
      return {};
    }
    return std::string(known_[earlier - 1]);
  }
  const std::uint64_t size = whole();
  if (failed_ || size > left()) {
    fail();
    return {};
  }
  known_.push_back(bytes_.substr(at_, size));
  at_ += size;
  return std::string(known_.back());
}

std::size_t CompactReader::item_count() {
  const std::uint64_t count = whole();
  if (count > left()) {
    fail();
    return 0;
  }
  return count;
}

}  // namespace ridge::serialize
