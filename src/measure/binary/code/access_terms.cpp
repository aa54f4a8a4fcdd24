#include "measure/binary/code/access_terms.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "core/quantity/saturating.hpp"
#include "measure/binary/code/register_steps.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Instruction;
using machine_code::MemoryOperand;
using Kind = RegisterStep::Kind;

/// Bytes of an element of an ordinary type.
constexpr std::uint64_t kWidestElement = 8;

/// Accesses of one direction through the same registers: neighbours, if anything.
struct Group {
  unsigned base = 0;
  unsigned index = 0;
  unsigned scale = 1;
  bool write = false;

  friend auto operator<=>(const Group&, const Group&) = default;
};

struct Access {
  std::int64_t displacement = 0;
  std::uint16_t bytes_once = 0;
  bool always = false;
  std::uint64_t bytes = 0;  ///< over all turns
};

struct GroupAccesses {
  RegisterStep step;
  std::vector<Access> accesses;
};

unsigned number_of(machine_code::Register one) {
  return one.is_none() ? machine_code::kRegisters : one.position();
}

bool is_gather(const MemoryOperand& operand) {
  return !operand.index.is_none() && operand.index.kind() == machine_code::RegisterClass::vector;
}

std::uint64_t magnitude(std::int64_t step) {
  return step < 0 ? 0 - static_cast<std::uint64_t>(step) : static_cast<std::uint64_t>(step);
}

/// Begin and end of an access within one step, from 0.
using Piece = std::pair<std::uint64_t, std::uint64_t>;

/// Of those that run in each turn, in order.
std::vector<Piece> pieces_of(const std::vector<Access>& accesses, std::uint64_t step) {
  std::vector<Piece> pieces;
  for (const Access& access : accesses) {
    if (access.always) {
      const std::uint64_t at = magnitude(access.displacement) % step;
      const std::uint64_t begin = access.displacement < 0 ? (step - at) % step : at;
      pieces.emplace_back(begin, begin + access.bytes_once);
    }
  }
  std::ranges::sort(pieces);
  return pieces;
}

/// They leave no gap between one step and the next.
bool cover(const std::vector<Piece>& pieces, std::uint64_t step) {
  if (pieces.empty()) {
    return false;
  }
  std::uint64_t covered = pieces.front().first;
  std::uint64_t end = pieces.front().second;
  for (const Piece& piece : pieces) {
    if (piece.first > end) {
      return false;
    }
    end = std::max(end, piece.second);
    covered = std::min(covered, piece.first);
  }
  return end - covered >= step;
}

/// From one access to the next: a part of the step where they lie at equal distances.
std::uint64_t stride_of(const std::vector<Piece>& pieces, std::uint64_t step) {
  std::vector<std::uint64_t> begins;
  for (const Piece& piece : pieces) {
    if (begins.empty() || begins.back() != piece.first) {
      begins.push_back(piece.first);
    }
  }
  if (begins.empty() || step % begins.size() != 0) {
    return step;
  }
  const std::uint64_t gap = step / begins.size();
  for (std::size_t i = 1; i < begins.size(); ++i) {
    if (begins[i] - begins[i - 1] != gap) {
      return step;
    }
  }
  return gap;
}

class Accesses {
 public:
  explicit Accesses(const LoopCode& loop) : loop_(loop), steps_(loop) {
    for (const LoopInstruction& one : loop.instructions) {
      const auto operands = one.instruction.memory();
      for (std::size_t i = 0; i < operands.size(); ++i) {
        if (!operands[i].prefetch && !operands[i].implicit && !is_frame(loop, operands[i])) {
          add(one, operands[i], one.totals.operands[i]);
        }
      }
    }
    for (const auto& [group, accesses] : groups_) {
      add_group(group, accesses);
    }
  }

  [[nodiscard]] std::optional<LoopAccesses> finish() {
    if (static_cast<double>(unseen_) > kMostUnseen * static_cast<double>(all_)) {
      return std::nullopt;
    }
    for (const auto& [key, bytes] : bytes_) {
      const auto& [pattern, write, stride] = key;
      made_.terms.push_back({pattern, write, stride, bytes});
    }
    return std::move(made_);
  }

 private:
  using Key = std::tuple<AccessPattern, bool, std::optional<std::uint32_t>>;

  void add(const LoopInstruction& one, const MemoryOperand& operand, const Traffic& moved) {
    all_ = saturating_add(all_, saturating_add(moved.read, moved.written));
    for (const bool write : {false, true}) {
      const std::uint64_t bytes = write ? moved.written : moved.read;
      if (bytes == 0) {
        continue;
      }
      if (is_gather(operand)) {
        add_term({AccessPattern::indirect, write, std::nullopt}, bytes);
        continue;
      }
      const Group group{number_of(operand.base), number_of(operand.index), operand.scale, write};
      GroupAccesses& known = groups_[group];
      known.step = step_of(operand);
      known.accesses.push_back(
          {operand.displacement, operand.bytes, loop_.runs_always(one), bytes});
    }
  }

  RegisterStep step_of(const MemoryOperand& operand) {
    if (operand.rip_relative) {
      return {Kind::constant, 0};
    }
    const RegisterStep base = steps_.of(operand.base);
    const RegisterStep index = steps_.of(operand.index);
    if (base.kind == Kind::loaded || index.kind == Kind::loaded) {
      return {Kind::loaded, 0};
    }
    RegisterStep sum{Kind::constant, 0};
    std::int64_t scaled = 0;
    const bool is_known =
        base.kind == Kind::constant && index.kind == Kind::constant &&
        !__builtin_mul_overflow(index.step, std::int64_t{operand.scale}, &scaled) &&
        !__builtin_add_overflow(base.step, scaled, &sum.step);
    return is_known ? sum : RegisterStep{};
  }

  void add_group(const Group& group, const GroupAccesses& known) {
    std::uint64_t bytes = 0;
    for (const Access& access : known.accesses) {
      bytes = saturating_add(bytes, access.bytes);
    }
    if (known.step.kind == Kind::unknown) {
      unseen_ = saturating_add(unseen_, bytes);
    } else if (known.step.kind == Kind::loaded) {
      add_term({AccessPattern::indirect, group.write, std::nullopt}, bytes);
    } else if (known.step.step == 0) {
      add_term({AccessPattern::invariant, group.write, std::nullopt}, bytes);
    } else {
      add_steps(group, known, magnitude(known.step.step));
    }
  }

  void add_steps(const Group& group, const GroupAccesses& known, std::uint64_t step) {
    const std::vector<Piece> pieces = pieces_of(known.accesses, step);
    const bool leaves_no_gap = cover(pieces, step);
    const std::uint64_t stride = stride_of(pieces, step);
    for (const Access& access : known.accesses) {
      if (leaves_no_gap || access.bytes_once >= step) {
        add_term({AccessPattern::unit, group.write, std::nullopt}, access.bytes);
      } else {
        const bool fits = stride <= std::numeric_limits<std::uint32_t>::max();
        add_term({AccessPattern::constant, group.write,
                  fits ? std::optional(static_cast<std::uint32_t>(stride)) : std::nullopt},
                 access.bytes);
      }
      made_.steps_by_one_element =
          made_.steps_by_one_element ||
          (access.always && access.bytes_once == step && step <= kWidestElement);
    }
  }

  void add_term(const Key& key, std::uint64_t bytes) {
    bytes_[key] = saturating_add(bytes_[key], bytes);
  }

  const LoopCode& loop_;
  RegisterSteps steps_;
  std::map<Group, GroupAccesses> groups_;
  std::map<Key, std::uint64_t> bytes_;
  std::uint64_t all_ = 0;
  std::uint64_t unseen_ = 0;
  LoopAccesses made_;
};

}  // namespace

std::optional<LoopAccesses> loop_accesses(const LoopCode& loop) {
  return Accesses(loop).finish();
}

}  // namespace ridge::measure::binary
