// Memory of the kernels that do not go straight through it (Order in kernel_table.hpp), and how
// they go on from call to call.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "bench/jit.hpp"
#include "bench/kernel_table.hpp"
#include "core/result.hpp"
#include "platform/pages.hpp"

namespace ridge::bench {

/// For all such kernels at once, one piece for each thread: lines of data, each of which holds a
/// pointer to the next one in random order, round through all of them; and 32-bit indices that name
/// that element of each line, in random order as well.
class TraversalMemory {
 public:
  /// `set_bytes` of data for each of `cpus`, rounded to whole turns of a kernel's loop but at least
  /// 8 KiB; the indices take 1/16 of that beside it. Each piece is made by a thread on its CPU.
  /// Errors: no memory; a thread that cannot be started or pinned.
  [[nodiscard]] static Result<TraversalMemory> make(const std::vector<unsigned>& cpus,
                                                    std::uint64_t set_bytes, platform::Pages pages);

  [[nodiscard]] std::byte* data(unsigned thread) const { return buffers_.at(thread).data(); }
  [[nodiscard]] std::uint32_t* indices(unsigned thread) const;
  [[nodiscard]] std::uint64_t lines() const { return lines_; }
  [[nodiscard]] unsigned threads() const { return static_cast<unsigned>(buffers_.size()); }
  [[nodiscard]] bool huge_pages_granted() const;

 private:
  std::uint64_t lines_ = 0;
  std::vector<platform::PageBuffer> buffers_;
};

/// One kernel on its way through such memory. Strided: lines in a circle. Each round begins a few
/// lines after the one before, so that in the end every line was touched, and as often as any
/// other; see circle_of().
class Traversal {
 public:
  Traversal(const Kernel& kernel, const JitKernel& code,
            std::shared_ptr<const TraversalMemory> memory);

  /// Runs `turns` turns of the kernel's loop from where this thread stood before.
  void run(unsigned thread, std::uint64_t turns);
  /// Reads every line once, in order: the quick way to bring the set into a cache.
  void touch(unsigned thread) const;

  /// After so many every line was touched.
  [[nodiscard]] std::uint64_t turns_per_pass() const { return turns_per_pass_; }
  /// Line (gather: index) that comes next.
  [[nodiscard]] std::uint64_t position(unsigned thread) const;

 private:
  struct alignas(64) Place {
    std::byte* next = nullptr;
  };

  [[nodiscard]] std::byte* begin(unsigned thread) const;

  JitKernel code_;
  Order order_;
  std::shared_ptr<const TraversalMemory> memory_;
  std::uint64_t circle_lines_;
  std::uint64_t turns_per_pass_;
  std::vector<Place> places_;
};

/// Lines in the circle of a strided kernel in a set of so many lines: 64 n - s with the greatest n
/// that leaves room for one more turn; each round begins s lines further on. What a prefetcher
/// brought in beside a line should be gone when its turn comes, as it is for a program that never
/// comes back for it: s is chosen so that a line's neighbours come as many rounds later as possible
/// (stride 16: 7, stride 8: 3, else 1).
[[nodiscard]] std::uint64_t circle_of(std::uint64_t lines, unsigned stride_lines);

}  // namespace ridge::bench
