// Memory to measure in: page aligned, on huge pages where the system gives them.
#pragma once

#include <cstddef>

#include "core/result.hpp"

namespace ridge::platform {

/// What the system is asked for: huge pages, or pages of the usual 4 KiB and no others.
enum class Pages { huge, small };

/// Anonymous memory, aligned to 2 MiB. Pages come into being when
/// they are first written, on the NUMA node of the thread that does it: see `fill`.
class PageBuffer {
 public:
  PageBuffer() = default;
  /// Error: `unavailable` when the system has no such memory.
  [[nodiscard]] static Result<PageBuffer> allocate(std::size_t bytes, Pages pages = Pages::huge);

  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer();

  /// Writes every double to a normal number between 1 and 2 that changes from element to element:
  /// memory of zeros or of one repeated value can be faster than any other.
  void fill();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Whether the system agreed to huge pages and, after fill(), whether most of a buffer that is
  /// large enough to tell lies in such; false when it was not asked.
  [[nodiscard]] bool huge_pages_granted() const { return huge_pages_granted_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
  void* mapping_ = nullptr;
  std::size_t mapping_size_ = 0;
  bool huge_pages_granted_ = false;
};

}  // namespace ridge::platform
