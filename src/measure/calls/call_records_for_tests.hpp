// Memory of calls as layers leave it, for tests and fuzzers.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include "abi/call_record.h"

namespace ridge::measure {

class CallMemoryBuilder {
 public:
  CallMemoryBuilder() {
    ridge_calls header{};
    header.magic = RIDGE_CALLS_MAGIC;
    header.version = RIDGE_CALLS_VERSION;
    append(header);
  }

  /// Returns the offset of the process, which is the newest.
  std::uint64_t process(std::uint32_t pid, std::uint32_t rank = 0, std::uint32_t ranks = 0,
                        ridge_call_layer layer = RIDGE_LAYER_MPI) {
    ridge_call_process record{};
    record.pid = pid;
    record.layer = layer;
    record.rank = rank;
    record.ranks = ranks;
    record.next = at<ridge_calls>(0).processes;
    const std::uint64_t offset = append(record);
    at<ridge_calls>(0).processes = offset;
    return offset;
  }

  std::uint64_t module(std::uint64_t process, std::string_view path) {
    ridge_call_module record{};
    record.next = at<ridge_call_process>(process).modules;
    record.path_bytes = path.size();
    const std::uint64_t offset = append(record);
    const std::size_t begin = bytes_.size();
    bytes_.resize((begin + path.size() + 63) / 64 * 64);
    std::memcpy(bytes_.data() + begin, path.data(), path.size());
    at<ridge_call_process>(process).modules = offset;
    return offset;
  }

  std::uint64_t table(std::uint64_t process, const std::vector<ridge_call_entry>& entries) {
    ridge_call_table record{};
    record.next = at<ridge_call_process>(process).tables;
    record.capacity = static_cast<std::uint32_t>(entries.size());
    const std::uint64_t offset = append(record);
    for (const ridge_call_entry& entry : entries) {
      append(entry);
    }
    at<ridge_call_process>(process).tables = offset;
    return offset;
  }

  static ridge_call_entry entry(std::string_view name, std::uint64_t calls,
                                std::uint64_t nanoseconds, std::uint64_t module = 0,
                                std::uint64_t file_offset = 0) {
    ridge_call_entry made{};
    std::memcpy(made.name, name.data(), std::min<std::size_t>(name.size(), sizeof(made.name)));
    made.calls = calls;
    made.nanoseconds = nanoseconds;
    made.module = module;
    made.file_offset = file_offset;
    return made;
  }

  template <class T>
  T& at(std::uint64_t offset) {
    return *reinterpret_cast<T*>(bytes_.data() + offset);
  }
  [[nodiscard]] std::vector<std::byte>& storage() { return bytes_; }
  [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }

 private:
  template <class T>
  std::uint64_t append(const T& record) {
    const std::uint64_t offset = bytes_.size();
    bytes_.resize(offset + sizeof(T));
    std::memcpy(bytes_.data() + offset, &record, sizeof(T));
    return offset;
  }

  std::vector<std::byte> bytes_;
};

}  // namespace ridge::measure
