#include "spmv/matrix/array.hpp"

#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace ridge::spmv::detail {

void* allocate_pages(std::size_t bytes) {
  constexpr std::size_t kLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const bool huge = bytes >= 2 * kHugePage;
  const std::size_t alignment = huge ? kHugePage : kLine;
  if (bytes > SIZE_MAX - kHugePage) {
    throw std::bad_alloc();
  }
  // Never of size 0, so that data() is always a place.
  const std::size_t whole = (bytes / alignment + 1) * alignment;
  void* memory = std::aligned_alloc(alignment, whole);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
  if (huge) {
    madvise(memory, whole, MADV_HUGEPAGE);  // a wish: where it is refused, small pages serve
  }
  return memory;
}

void free_pages(void* memory) noexcept {
  std::free(memory);  // NOLINT(*-no-malloc,*-owning-memory): from aligned_alloc
}

}  // namespace ridge::spmv::detail
