#include "execute/memory.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace ridge::execute {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kGuard = std::uint64_t{16} << 20U;
constexpr std::byte kMark{0xA5};

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t to) {
  return (bytes + to - 1) / to * to;
}

/// SplitMix64 (Steele, Lea and Flood 2014): the next of a sequence in which no branch predictor and
/// no cache sees a pattern.
std::uint64_t scrambled(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// Between 1 and 2, other ones in each array.
template <class T>
void fill_reals(const Array& array, T* to) {
  constexpr std::uint64_t kOne = 0x3ff0000000000000U;
  std::uint64_t state = 0;
  for (const char letter : array.name) {
    state = 31 * state + static_cast<unsigned char>(letter);
  }
  for (std::uint64_t i = 0; i < array.extent; ++i) {
    to[i] =
        static_cast<T>(array.reals.empty() ? std::bit_cast<double>(kOne | scrambled(state) >> 12U)
                                           : array.reals[i % array.reals.size()]);
  }
}

template <class T>
void fill_integers(const Array& array, T* to) {
  const std::uint64_t period = array.below > 0 ? static_cast<std::uint64_t>(array.below)
                                               : std::max<std::uint64_t>(1, array.extent);
  for (std::uint64_t i = 0; i < array.extent; ++i) {
    to[i] =
        static_cast<T>(array.integers.empty()
                           ? i % period
                           : static_cast<std::uint64_t>(array.integers[i % array.integers.size()]));
  }
}

template <class T>
bool holds_subnormal(const T* values, std::uint64_t extent) {
  constexpr std::uint64_t kMost = 1U << 20U;
  return std::any_of(values, values + std::min(extent, kMost),
                     [](T value) { return std::fpclassify(value) == FP_SUBNORMAL; });
}

}  // namespace

std::uint64_t bytes_of(Element element) {
  switch (element) {
    case Element::int8:
      return 1;
    case Element::int16:
      return 2;
    case Element::fp32:
    case Element::int32:
      return 4;
    case Element::fp64:
    case Element::int64:
      break;
  }
  return 8;
}

std::optional<std::uint64_t> bytes_of(const Array& array) {
  std::uint64_t bytes = 0;
  return __builtin_mul_overflow(array.extent, bytes_of(array.element), &bytes)
             ? std::nullopt
             : std::optional(bytes);
}

void fill(const Array& array, std::byte* to) {
  switch (array.element) {
    case Element::fp64:
      return fill_reals(array, reinterpret_cast<double*>(to));
    case Element::fp32:
      return fill_reals(array, reinterpret_cast<float*>(to));
    case Element::int8:
      return fill_integers(array, reinterpret_cast<std::int8_t*>(to));
    case Element::int16:
      return fill_integers(array, reinterpret_cast<std::int16_t*>(to));
    case Element::int32:
      return fill_integers(array, reinterpret_cast<std::int32_t*>(to));
    case Element::int64:
      return fill_integers(array, reinterpret_cast<std::int64_t*>(to));
  }
}

bool has_subnormal(const Array& array, const std::byte* at) {
  if (array.element == Element::fp64) {
    return holds_subnormal(reinterpret_cast<const double*>(at), array.extent);
  }
  return array.element == Element::fp32 &&
         holds_subnormal(reinterpret_cast<const float*>(at), array.extent);
}

std::vector<std::uint64_t> compact_offsets(const std::vector<std::uint64_t>& sizes) {
  std::vector<std::uint64_t> offsets;
  const std::uint64_t spread = kPage / std::max<std::uint64_t>(1, sizes.size()) / kLine * kLine;
  std::uint64_t end = 0;
  std::uint64_t phase = 0;
  for (const std::uint64_t bytes : sizes) {
    const std::uint64_t earliest = round_up(end + kLine, kLine);
    offsets.push_back(earliest + (kPage + phase - earliest % kPage) % kPage);
    end = offsets.back() + bytes;
    phase = (phase + spread) % kPage;
  }
  offsets.push_back(end + kPage);
  return offsets;
}

Result<ArrayMemory> ArrayMemory::compact(const std::vector<std::uint64_t>& sizes) {
  const std::vector<std::uint64_t> offsets = compact_offsets(sizes);
  auto buffer = platform::PageBuffer::allocate(offsets.back());
  if (!buffer) {
    return tl::make_unexpected(buffer.error());
  }
  ArrayMemory memory;
  memory.buffer_ = std::move(*buffer);
  std::byte* const start = memory.buffer_.data();
  std::byte* margin = start;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    std::byte* const array = start + offsets[i];
    memory.spans_.push_back({reinterpret_cast<std::uintptr_t>(array), sizes[i]});
    memory.margins_.push_back({i > 0 ? std::optional(i - 1) : std::nullopt, i, margin,
                               static_cast<std::uint64_t>(array - margin)});
    margin = array + sizes[i];
  }
  if (!sizes.empty()) {
    memory.margins_.push_back({sizes.size() - 1, std::nullopt, margin, kPage});
  }
  return memory;
}

Result<ArrayMemory> ArrayMemory::guarded(const std::vector<std::uint64_t>& sizes) {
  ArrayMemory memory;
  memory.mapping_bytes_ = kGuard;
  for (const std::uint64_t bytes : sizes) {
    memory.mapping_bytes_ += round_up(bytes, kPage) + kGuard;
  }
  void* const mapping = mmap(nullptr, memory.mapping_bytes_, PROT_NONE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  const auto refuse = [&] {
    return fail(ErrorCode::unavailable,
                fmt::format("cannot get {} MB of memory", memory.mapping_bytes_ / 1'000'000),
                "free some memory or raise the limit (ulimit -v)");
  };
  if (mapping == MAP_FAILED) {
    return refuse();
  }
  memory.mapping_ = mapping;
  std::byte* body = static_cast<std::byte*>(mapping) + kGuard;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::uint64_t body_bytes = round_up(sizes[i], kPage);
    if (mprotect(body, body_bytes, PROT_READ | PROT_WRITE) != 0) {
      return refuse();
    }
    const std::uint64_t in_front = body_bytes - round_up(sizes[i], kLine);
    std::byte* const array = body + in_front;
    memory.spans_.push_back({reinterpret_cast<std::uintptr_t>(array), sizes[i]});
    memory.margins_.push_back({std::nullopt, i, body, in_front});
    memory.margins_.push_back(
        {i, std::nullopt, array + sizes[i], round_up(sizes[i], kLine) - sizes[i]});
    body += body_bytes + kGuard;
  }
  return memory;
}

ArrayMemory::ArrayMemory(ArrayMemory&& other) noexcept {
  *this = std::move(other);
}

ArrayMemory& ArrayMemory::operator=(ArrayMemory&& other) noexcept {
  std::swap(spans_, other.spans_);
  std::swap(margins_, other.margins_);
  std::swap(buffer_, other.buffer_);
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_bytes_, other.mapping_bytes_);
  return *this;
}

ArrayMemory::~ArrayMemory() {
  if (mapping_ != nullptr) {
    munmap(mapping_, mapping_bytes_);
  }
}

void ArrayMemory::mark_margins() {
  for (const Margin& margin : margins_) {
    std::memset(margin.first, static_cast<int>(kMark), margin.bytes);
  }
}

std::optional<Damage> ArrayMemory::Margin::damage() const {
  const auto is_changed = [](std::byte value) { return value != kMark; };
  std::byte* const end = first + bytes;
  std::byte* const nearest_first = std::find_if(first, end, is_changed);
  if (nearest_first == end) {
    return std::nullopt;
  }
  std::byte* nearest_last = end - 1;
  while (!is_changed(*nearest_last)) {
    --nearest_last;
  }
  const auto behind = static_cast<std::uint64_t>(nearest_first - first);
  const auto in_front = static_cast<std::uint64_t>(end - 1 - nearest_last);
  return after && (!before || behind <= in_front) ? Damage{*after, true, behind}
                                                  : Damage{*before, false, in_front};
}

std::optional<Damage> ArrayMemory::damage() const {
  for (const Margin& margin : margins_) {
    if (const auto found = margin.damage()) {
      return found;
    }
  }
  return std::nullopt;
}

}  // namespace ridge::execute
