#include "platform/pages.hpp"

#include <cstdint>
#include <sys/mman.h>
#include <utility>

#include <fmt/format.h>

#include "platform/conditions.hpp"

namespace ridge::platform {
namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20U;

}  // namespace

Result<PageBuffer> PageBuffer::allocate(std::size_t bytes, Pages pages) {
  PageBuffer buffer;
  buffer.size_ = bytes;
  buffer.mapping_size_ = bytes + kHugePage;
  const auto refuse = [&] {
    return fail(ErrorCode::unavailable, fmt::format("cannot get {} MB of memory", bytes / 1000000),
                "free some memory or raise the limit (ulimit -v)");
  };
  if (bytes == 0 || buffer.mapping_size_ < bytes) {
    return refuse();
  }
  void* mapping = mmap(nullptr, buffer.mapping_size_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    return refuse();
  }
  buffer.mapping_ = mapping;
  const auto address = reinterpret_cast<std::uintptr_t>(mapping);
  buffer.data_ = static_cast<std::byte*>(mapping) + (kHugePage - address % kHugePage) % kHugePage;
  if (pages == Pages::huge) {
    buffer.huge_pages_granted_ = madvise(buffer.data_, bytes, MADV_HUGEPAGE) == 0;
  } else {
    // Fails only where the kernel knows no huge pages: then these are small anyway.
    static_cast<void>(madvise(mapping, buffer.mapping_size_, MADV_NOHUGEPAGE));
  }
  return buffer;
}

PageBuffer::PageBuffer(PageBuffer&& other) noexcept {
  *this = std::move(other);
}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_size_, other.mapping_size_);
  std::swap(huge_pages_granted_, other.huge_pages_granted_);
  return *this;
}

PageBuffer::~PageBuffer() {
  if (mapping_ != nullptr) {
    munmap(mapping_, mapping_size_);
  }
}

void PageBuffer::fill() {
  auto* values = reinterpret_cast<double*>(data_);
  constexpr std::size_t kPeriod = 1021;  // prime: lines and pages differ from one another
  double value = 1.0;
  for (std::size_t i = 0, phase = 0; i < size_ / sizeof(double); ++i) {
    values[i] = value;
    value += 1.0 / 1024.0;
    if (++phase == kPeriod) {
      phase = 0;
      value = 1.0;
    }
  }
  // The system may agree and yet give small pages (switched off for the process, none left).
  constexpr std::size_t kTelling = 2 * kHugePage;
  if (huge_pages_granted_ && size_ >= kTelling) {
    constexpr double kMost = 0.5;
    const auto share = huge_page_share(reinterpret_cast<std::uintptr_t>(data_));
    huge_pages_granted_ = !share || *share >= kMost;
  }
}

}  // namespace ridge::platform
