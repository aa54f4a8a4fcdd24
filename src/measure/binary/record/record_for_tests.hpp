// Records as engines write them, byte by byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "abi/record.h"

namespace ridge::measure::binary::tests {

/// Chunks stand in the order of the calls. Each call gives the builder back.
class RecordBuilder {
 public:
  explicit RecordBuilder(std::uint32_t flags = RIDGE_RECORD_BY_THREAD,
                         std::uint32_t engine = RIDGE_ENGINE_VALGRIND, std::uint32_t pid = 1) {
    put(ridge_record_header{RIDGE_RECORD_MAGIC, RIDGE_RECORD_VERSION, engine, pid, 0, flags});
  }

  /// Any content, of any kind.
  RecordBuilder& chunk(std::uint32_t kind, std::span<const std::byte> content) {
    put(ridge_record_chunk{kind, 0, content.size()});
    bytes_.insert(bytes_.end(), content.begin(), content.end());
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
    return *this;
  }
  RecordBuilder& text(std::uint32_t kind, std::string_view text) {
    return chunk(kind, std::as_bytes(std::span(text)));
  }
  template <class... Values>
  RecordBuilder& values(std::uint32_t kind, const Values&... values) {
    std::vector<std::byte> content;
    (append(content, values), ...);
    return chunk(kind, content);
  }

  /// Without a path: memory without a file.
  RecordBuilder& mapping(std::uint32_t number, std::uint64_t begin, std::uint64_t end,
                         std::uint64_t file_offset, std::string_view path) {
    std::vector<std::byte> content;
    append(content, ridge_record_mapping{begin, end, file_offset, number, path.empty() ? 0U : 1U});
    append_all(content, std::as_bytes(std::span(path)));
    return chunk(RIDGE_RECORD_MAPPING, content);
  }
  /// Numbered in the order of the calls.
  RecordBuilder& block(std::uint64_t address, std::uint32_t mapping,
                       std::span<const std::uint8_t> code) {
    std::vector<std::byte> content;
    append(content, ridge_record_block{address, blocks_++, mapping,
                                       static_cast<std::uint32_t>(code.size()), 0});
    append_all(content, std::as_bytes(code));
    return chunk(RIDGE_RECORD_BLOCK, content);
  }
  RecordBuilder& block(std::uint64_t address, std::uint32_t mapping,
                       std::initializer_list<std::uint8_t> code) {
    return block(address, mapping, std::span(code.begin(), code.size()));
  }
  using ByBlock = std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>;

  RecordBuilder& executions(std::uint32_t thread, ByBlock by_block) {
    return counts(RIDGE_RECORD_EXECUTIONS, thread, by_block);
  }
  RecordBuilder& turns(std::uint32_t thread, ByBlock by_block) {
    return counts(RIDGE_RECORD_TURNS, thread, by_block);
  }
  RecordBuilder& mask(std::uint32_t thread, std::uint64_t block, std::uint32_t offset,
                      std::uint64_t active_lanes) {
    return values(RIDGE_RECORD_MASKS, ridge_record_thread{thread, 0, 1},
                  ridge_record_mask{block, offset, 0, active_lanes});
  }
  /// Its registers hold `first_register`, the number behind that, and so on. `word_count` is what
  /// it says of itself.
  RecordBuilder& stack(std::uint32_t thread, std::uint64_t first_register,
                       std::span<const std::uint64_t> words, std::uint32_t word_count) {
    ridge_record_stack head{thread, word_count, {}};
    std::iota(std::begin(head.registers), std::end(head.registers), first_register);
    std::vector<std::byte> content;
    append(content, head);
    append_all(content, std::as_bytes(words));
    return chunk(RIDGE_RECORD_STACK, content);
  }
  RecordBuilder& end() { return chunk(RIDGE_RECORD_END, {}); }

  [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

 private:
  RecordBuilder& counts(std::uint32_t kind, std::uint32_t thread, ByBlock by_block) {
    std::vector<std::byte> content;
    append(content, ridge_record_thread{thread, 100 + thread, by_block.size()});
    for (const auto& [block, count] : by_block) {
      append(content, ridge_record_executions{block, count});
    }
    return chunk(kind, content);
  }
  static void append_all(std::vector<std::byte>& content, std::span<const std::byte> more) {
    content.insert(content.end(), more.begin(), more.end());
  }
  template <class Value>
  static void append(std::vector<std::byte>& content, const Value& value) {
    append_all(content, std::as_bytes(std::span(&value, 1)));
  }
  template <class Value>
  void put(const Value& value) {
    append(bytes_, value);
  }

  std::vector<std::byte> bytes_;
  std::uint32_t blocks_ = 0;
};

}  // namespace ridge::measure::binary::tests
