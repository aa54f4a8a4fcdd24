#include "measure/instrumented/code/block_work.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "machine_code/decode.hpp"
#include "measure/instrumented/code/frame_slots.hpp"

namespace ridge::measure {
namespace {

using machine_code::Block;
using machine_code::Function;
using machine_code::Instruction;

/// Blocks without a count, one behind the other. Compilers make three.
constexpr unsigned kDeepest = 1000;

bool is_exchange(const Instruction& instruction) {
  return machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic)
      .starts_with("cmpxchg");
}

/// One block as this file sees it.
struct Place {
  ExecutionWork work;
  BlockCount count;
  bool exchanges = false;  ///< holds an instruction that stores only if nobody else did
};

class FunctionWork {
 public:
  FunctionWork(const Function& function, std::span<const Probe> probes, const ProbeLookup& lookup,
               const std::map<ProbeName, unsigned>& copies, const MathCalls& math_calls)
      : function_(function), ways_(function.blocks.size()) {
    std::vector<BlockCount> counts = count_blocks(function, probes, lookup, copies);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      Place place{{}, std::move(counts[i]), false};
      for (const Instruction& instruction : function.instructions_of(function.blocks[i])) {
        place.work += work_of(instruction);
        place.work.plain += math_calls.of(instruction, function.range);
        place.exchanges = place.exchanges || is_exchange(instruction);
      }
      places_.push_back(std::move(place));
    }
    add_frame();
  }

  /// False where operations remain that no count reaches.
  bool add_to(WorkByProbe& work) {
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if (places_[i].count.counted_by) {
        work.blocks[*places_[i].count.counted_by].push_back(from(i));
      }
      for (const ProbeName& probe : places_[i].count.also) {
        work.together.emplace_back(*places_[i].count.counted_by, probe);
      }
    }
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      const bool is_covered = places_[i].count.counted_by || places_[i].count.is_uncounted ||
                              !places_[i].work.computes() || (ways_[i] && !turns_unknown_times(i));
      all_covered_ = all_covered_ && is_covered;
    }
    return all_covered_;
  }

 private:
  void add_frame() {
    std::vector<bool> is_own;
    for (const Place& place : places_) {
      is_own.push_back(place.count.is_uncounted);
    }
    const FrameSlots slots(function_, is_own);
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      for (const Instruction& instruction : function_.instructions_of(function_.blocks[i])) {
        places_[i].work.frame += slots.moved_by(instruction);
      }
    }
  }

  [[nodiscard]] bool ends_ways(std::uint32_t block) const {
    return places_[block].count.ends_ways();
  }

  /// Without passing a count on the way.
  bool leads_to(std::uint32_t from, std::uint32_t to) const {
    std::vector<bool> seen(places_.size(), false);
    std::vector<std::uint32_t> pending{from};
    while (!pending.empty()) {
      const std::uint32_t at = pending.back();
      pending.pop_back();
      for (const std::uint32_t next : function_.blocks[at].successors) {
        if (next == to) {
          return true;
        }
        if (!ends_ways(next) && !seen[next]) {
          seen[next] = true;
          pending.push_back(next);
        }
      }
    }
    return false;
  }

  /// A cycle of blocks without a count: nobody knows how often it turns. One that the back end made
  /// of an atomic operation turns until nobody came between: it counts once, as the operation does.
  bool turns_unknown_times(std::uint32_t block) const {
    if (!leads_to(block, block)) {
      return false;
    }
    for (std::uint32_t i = 0; i < places_.size(); ++i) {
      if (places_[i].exchanges && !ends_ways(i) &&
          (i == block || (leads_to(block, i) && leads_to(i, block)))) {
        return false;
      }
    }
    return true;
  }

  /// What a block does, and what is done behind it until the next count.
  WorkRange from(std::uint32_t block) {
    WorkRange range = ways_behind(block);
    range += WorkRange{places_[block].work, places_[block].work};
    return range;
  }

  WorkRange ways_behind(std::uint32_t block) {
    std::optional<WorkRange> all;
    for (const std::uint32_t next : function_.blocks[block].successors) {
      const WorkRange way = ends_ways(next) ? WorkRange{} : way_through(next);
      if (all) {
        all->widen(way);
      } else {
        all = way;
      }
    }
    if (all && function_.blocks[block].leaves) {
      all->widen({});
    }
    return all.value_or(WorkRange{});
  }

  WorkRange way_through(std::uint32_t block) {
    if (!ways_[block] && depth_ >= kDeepest) {
      all_covered_ = false;
      return {};
    }
    if (!ways_[block]) {
      ways_[block] = WorkRange{};  // a way back to it adds nothing
      ++depth_;
      WorkRange range = ways_behind(block);
      --depth_;
      if (places_[block].work != ExecutionWork{} && !turns_unknown_times(block)) {
        range += WorkRange{places_[block].work, places_[block].work};
      }
      ways_[block] = range;
    }
    return *ways_[block];
  }

  const Function& function_;
  std::vector<Place> places_;
  std::vector<std::optional<WorkRange>> ways_;  ///< by block, of those without a count
  unsigned depth_ = 0;
  bool all_covered_ = true;
};

}  // namespace

bool add_block_work(const Function& function, std::span<const Probe> probes,
                    const ProbeLookup& lookup, const std::map<ProbeName, unsigned>& copies,
                    const MathCalls& math_calls, WorkByProbe& work) {
  return FunctionWork(function, probes, lookup, copies, math_calls).add_to(work);
}

}  // namespace ridge::measure
