#include "bench/traversal.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "platform/timing_loop.hpp"

namespace ridge::bench {
namespace {

constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kTurnLines =
    64;  ///< the most that a turn of any kernel covers; others: a part
constexpr std::uint64_t kDoublesPerLine = kLine / sizeof(double);

/// Where in a line the element lies that is read: not always at its beginning.
std::uint64_t element_in(std::uint64_t line) {
  return line * 5 % kDoublesPerLine;
}

std::vector<std::uint32_t> shuffled(std::uint64_t count) {
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 random(count);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

/// Pointers and indices in the same random order.
void fill_in(std::byte* data, std::uint32_t* indices, std::uint64_t lines) {
  const std::vector<std::uint32_t> order = shuffled(lines);
  const auto element = [&](std::uint64_t at) {
    const std::uint64_t line = order[at % lines];
    return line * kDoublesPerLine + element_in(line);
  };
  for (std::uint64_t i = 0; i < lines; ++i) {
    std::byte* const next = data + element(i + 1) * sizeof(double);
    std::memcpy(data + element(i) * sizeof(double), &next, sizeof next);
    indices[i] = static_cast<std::uint32_t>(element(i));
  }
}

}  // namespace

Result<TraversalMemory> TraversalMemory::make(const std::vector<unsigned>& cpus,
                                              std::uint64_t set_bytes, platform::Pages pages) {
  TraversalMemory made;
  made.lines_ = std::max(set_bytes / kLine / kTurnLines, std::uint64_t{2}) * kTurnLines;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    auto buffer =
        platform::PageBuffer::allocate(made.lines_ * (kLine + sizeof(std::uint32_t)), pages);
    if (!buffer) {
      return tl::make_unexpected(buffer.error());
    }
    made.buffers_.push_back(std::move(*buffer));
  }
  auto filled = platform::run_pinned(cpus, [&](unsigned thread) {
    made.buffers_.at(thread).fill();
    fill_in(made.data(thread), made.indices(thread), made.lines_);
  });
  if (!filled) {
    return tl::make_unexpected(filled.error());
  }
  return made;
}

std::uint32_t* TraversalMemory::indices(unsigned thread) const {
  return reinterpret_cast<std::uint32_t*>(data(thread) + lines_ * kLine);
}

bool TraversalMemory::huge_pages_granted() const {
  return std::all_of(buffers_.begin(), buffers_.end(),
                     [](const auto& buffer) { return buffer.huge_pages_granted(); });
}

std::uint64_t circle_of(std::uint64_t lines, unsigned stride_lines) {
  // 7 * 7 and 3 * 3 are one more than a multiple of 16 and 8.
  const std::uint64_t shift = stride_lines >= 16 ? 7 : stride_lines == 8 ? 3 : 1;
  return lines / kTurnLines * kTurnLines - kTurnLines - shift;
}

Traversal::Traversal(const Kernel& kernel, const JitKernel& code,
                     std::shared_ptr<const TraversalMemory> memory)
    : code_(code),
      order_(kernel.order),
      memory_(std::move(memory)),
      circle_lines_(order_ == Order::strided ? circle_of(memory_->lines(), kernel.stride_lines)
                                             : memory_->lines()),
      turns_per_pass_(std::max<std::uint64_t>(1, circle_lines_ * kLine / code.bytes_per_turn())),
      places_(memory_->threads()) {
  for (unsigned thread = 0; thread < memory_->threads(); ++thread) {
    places_[thread].next = begin(thread);
  }
}

/// Of what the position moves through. The chain of pointers is entered at its element of line 0.
std::byte* Traversal::begin(unsigned thread) const {
  return order_ == Order::gather ? reinterpret_cast<std::byte*>(memory_->indices(thread))
                                 : memory_->data(thread) + element_in(0) * sizeof(double);
}

void Traversal::run(unsigned thread, std::uint64_t turns) {
  KernelArguments arguments;
  arguments.arrays[0] = memory_->data(thread);
  arguments.arrays[1] = reinterpret_cast<std::byte*>(&places_[thread].next);
  arguments.arrays[2] = reinterpret_cast<std::byte*>(memory_->indices(thread));
  arguments.iterations = turns;
  arguments.end = order_ == Order::gather
                      ? arguments.arrays[2] + memory_->lines() * sizeof(std::uint32_t)
                      : arguments.arrays[0] + circle_lines_ * kLine;
  code_.run(arguments);
}

void Traversal::touch(unsigned thread) const {
  const auto* data = reinterpret_cast<const volatile std::uint64_t*>(memory_->data(thread));
  for (std::uint64_t line = 0; line < memory_->lines(); ++line) {
    static_cast<void>(data[line * kDoublesPerLine]);
  }
}

std::uint64_t Traversal::position(unsigned thread) const {
  if (order_ == Order::gather) {
    const auto* next = reinterpret_cast<const std::uint32_t*>(places_[thread].next);
    return static_cast<std::uint64_t>(next - memory_->indices(thread));
  }
  return static_cast<std::uint64_t>(places_[thread].next - memory_->data(thread)) / kLine;
}

}  // namespace ridge::bench
