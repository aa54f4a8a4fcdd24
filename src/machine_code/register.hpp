// Registers by what holds a value of its own: the parts of one (al, eax, rax; xmm0, zmm0) are one
// register.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace ridge::machine_code {

/// With how many of each there are at most, in any architecture, in kRegisterCounts.
enum class RegisterClass : std::uint8_t {
  general,  ///< x86-64: rax rcx rdx rbx rsp rbp rsi rdi r8 ... r31, as encodings number them
  vector,
  mask,   ///< k0 ... k7; predicates
  flags,  ///< see Flag
  x87,    ///< the stack as a whole (0), and its status (1); MMX lies on it
  tile,
  other,  ///< control (mxcsr 0), segments, and what else programs rarely touch (1)
};

/// Flags that instructions write apart from one another.
enum class Flag : std::uint8_t { carry, overflow, zero_sign_parity, direction };

inline constexpr std::array<std::uint8_t, 7> kRegisterCounts{32, 32, 16, 4, 2, 8, 2};

/// Position of the first of a class among all.
[[nodiscard]] constexpr std::uint8_t first_of(RegisterClass wanted) {
  std::uint8_t first = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(wanted); ++i) {
    first = static_cast<std::uint8_t>(first + kRegisterCounts[i]);
  }
  return first;
}

class Register {
 public:
  constexpr Register() = default;  ///< none
  constexpr Register(RegisterClass kind, unsigned index)
      : position_(static_cast<std::uint8_t>(first_of(kind) + index)) {}
  static constexpr Register at(unsigned position) {
    Register found;
    found.position_ = static_cast<std::uint8_t>(position);
    return found;
  }

  [[nodiscard]] constexpr bool is_none() const { return position_ == kNone; }
  /// 0 ... kRegisters - 1; not of none.
  [[nodiscard]] constexpr unsigned position() const { return position_; }
  [[nodiscard]] constexpr RegisterClass kind() const {
    std::size_t kind = 0;
    for (unsigned left = position_;
         kind + 1 < kRegisterCounts.size() && left >= kRegisterCounts[kind]; ++kind) {
      left -= kRegisterCounts[kind];
    }
    return static_cast<RegisterClass>(kind);
  }
  [[nodiscard]] constexpr unsigned index() const { return position_ - first_of(kind()); }

  friend constexpr bool operator==(Register, Register) = default;

 private:
  static constexpr std::uint8_t kNone = 0xFF;
  std::uint8_t position_ = kNone;
};

inline constexpr unsigned kRegisters = first_of(RegisterClass::other) + kRegisterCounts.back();

/// x86-64: those that address the frame.
inline constexpr Register kStackPointer{RegisterClass::general, 4};
inline constexpr Register kFramePointer{RegisterClass::general, 5};

class RegisterSet {
 public:
  constexpr void add(Register one) {
    if (!one.is_none()) {
      words_[one.position() / 64] |= std::uint64_t{1} << (one.position() % 64);
    }
  }
  constexpr void remove(Register one) {
    if (!one.is_none()) {
      words_[one.position() / 64] &= ~(std::uint64_t{1} << (one.position() % 64));
    }
  }
  [[nodiscard]] constexpr bool contains(Register one) const {
    return !one.is_none() && ((words_[one.position() / 64] >> (one.position() % 64)) & 1U) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return words_[0] == 0 && words_[1] == 0; }
  [[nodiscard]] constexpr unsigned size() const {
    return static_cast<unsigned>(std::popcount(words_[0]) + std::popcount(words_[1]));
  }
  /// Calls `visit` with each, in the order of positions.
  template <class Visit>
  constexpr void for_each(Visit visit) const {
    for (unsigned half = 0; half < words_.size(); ++half) {
      for (std::uint64_t left = words_[half]; left != 0; left &= left - 1) {
        visit(Register::at(half * 64 + static_cast<unsigned>(std::countr_zero(left))));
      }
    }
  }

  friend constexpr bool operator==(const RegisterSet&, const RegisterSet&) = default;

 private:
  std::array<std::uint64_t, 2> words_{};
};

static_assert(kRegisters <= 128);

}  // namespace ridge::machine_code
