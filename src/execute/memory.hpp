// Where the arrays of a call lie, what they hold, and what was written beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/result.hpp"
#include "execute/call.hpp"
#include "platform/pages.hpp"

namespace ridge::execute {

/// Where an array lies.
struct Span {
  std::uintptr_t first = 0;
  std::uint64_t bytes = 0;

  /// In the process that has it. An address, since the other process is told of it as well.
  [[nodiscard]] std::byte* data() const {
    return reinterpret_cast<std::byte*>(first);  // NOLINT(performance-no-int-to-ptr)
  }
};

/// nullopt: it does not fit 64 bits.
[[nodiscard]] std::optional<std::uint64_t> bytes_of(const Array& array);

/// Writes the contents of an array.
void fill(const Array& array, std::byte* to);

/// Whether one of its first million elements is a subnormal number: arithmetic on those takes many
/// times as long on some processors.
[[nodiscard]] bool has_subnormal(const Array& array, const std::byte* at);

/// What was written outside of an array.
struct Damage {
  std::size_t array = 0;
  bool is_behind = false;  ///< its end; else in front of it
  std::uint64_t distance =
      0;  ///< bytes from its edge to the nearest byte that changed; 0: the next

  friend bool operator==(const Damage&, const Damage&) = default;
};

/// Memory of all arrays of a call, one behind the other in their order.
class ArrayMemory {
 public:
  /// For the first call: each array ends less than 64 bytes before a page that nobody may touch,
  /// and 16 MiB of such pages lie on both sides. Errors: no memory.
  [[nodiscard]] static Result<ArrayMemory> guarded(const std::vector<std::uint64_t>& sizes);
  /// For timing: on huge pages where there are such, with the beginnings spread over a page, since
  /// at equal offsets a load can be taken to depend on an earlier store. At least 64 bytes and less
  /// than two pages lie between two arrays. Errors: no memory.
  [[nodiscard]] static Result<ArrayMemory> compact(const std::vector<std::uint64_t>& sizes);

  ArrayMemory(ArrayMemory&& other) noexcept;
  ArrayMemory& operator=(ArrayMemory&& other) noexcept;
  ArrayMemory(const ArrayMemory&) = delete;
  ArrayMemory& operator=(const ArrayMemory&) = delete;
  ~ArrayMemory();

  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  /// Writes what `damage` looks for into what lies between arrays.
  void mark_margins();
  /// The first array beside which something was written since mark_margins(): the nearer one
  /// where two have a margin in common.
  [[nodiscard]] std::optional<Damage> damage() const;

 private:
  struct Margin {
    std::optional<std::size_t> after;   ///< the array that ends where it begins
    std::optional<std::size_t> before;  ///< the array that begins where it ends
    std::byte* first = nullptr;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::optional<Damage> damage() const;
  };

  ArrayMemory() = default;

  std::vector<Span> spans_;
  std::vector<Margin> margins_;
  platform::PageBuffer buffer_;  ///< of compact()
  void* mapping_ = nullptr;      ///< of guarded()
  std::uint64_t mapping_bytes_ = 0;
};

/// Of compact(): where each array begins; the last is the size of all.
[[nodiscard]] std::vector<std::uint64_t> compact_offsets(const std::vector<std::uint64_t>& sizes);

}  // namespace ridge::execute
