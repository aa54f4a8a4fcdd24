// What the child says, in memory that it shares with us. A child that has been overwritten may say
// anything: nothing in it is followed as an address.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include "core/result.hpp"
#include "execute/memory.hpp"

namespace ridge::execute {

inline constexpr std::size_t kMostArrays = 64;
inline constexpr std::size_t kMostSamples = 8192;

/// What the child was doing when it was last heard of.
enum class Stage : std::uint32_t { loading, preparing, first_call, timing, done, refused };

template <std::size_t N>
struct Text {
  std::array<char, N> characters{};

  void set(std::string_view text) {
    const std::size_t length = std::min(text.size(), N - 1);
    std::copy_n(text.data(), length, characters.data());
    characters[length] = '\0';
  }
  [[nodiscard]] std::string_view view() const {
    const std::string_view all(characters.data(), N - 1);
    return all.substr(0, all.find('\0'));
  }
};

/// A signal that the function brought upon itself.
struct Fault {
  int signal = 0;  ///< 0: none
  std::uintptr_t address = 0;
  bool has_address = false;  ///< of memory that may not be touched
  bool is_write = false;
  bool is_on_stack = false;  ///< the stack is full
};

struct Sample {
  double seconds = 0.0;         ///< of all calls of the sample
  double seconds_on_cpu = 0.0;  ///< less where others had the CPU in the meantime

  /// What the calls took. The clock of the process is asked inside of what is timed.
  [[nodiscard]] double own_seconds() const { return std::min(seconds, seconds_on_cpu); }
  double hertz = 0.0;  ///< of the core
  double burst_cycles = 0.0;
};

struct Report {
  std::atomic<Stage> stage{Stage::loading};
  ErrorCode code = ErrorCode::bad_input;  ///< with refused
  Text<1024> message;
  Text<512> hint;
  Fault fault;
  bool has_exited = false;  ///< by exit(), with the code
  int exit_code = 0;
  std::uint32_t arrays = 0;
  std::array<Span, kMostArrays> spans;
  double first_call_seconds = 0.0;
  bool has_damage = false;
  Damage damage;
  std::int32_t subnormal = -1;  ///< an array that holds such numbers at the end
  bool has_small_pages = false;
  std::uint64_t calls_per_sample = 1;
  std::uint32_t samples = 0;
  std::array<Sample, kMostSamples> sample;
};
static_assert(std::atomic<Stage>::is_always_lock_free);
static_assert(std::is_trivially_destructible_v<Report>);

}  // namespace ridge::execute
