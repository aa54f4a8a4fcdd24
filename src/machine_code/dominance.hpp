// Which blocks of a function must run before or after one another.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "machine_code/function.hpp"

namespace ridge::machine_code {

/// Dominators and post-dominators (iterative, after Cooper, Harvey and Kennedy: A Simple, Fast
/// Dominance Algorithm, 2001). All blocks that are entered from elsewhere hang below one entry in
/// front of the function, all that leave it above one exit behind it.
class Dominance {
 public:
  explicit Dominance(const Function& function);

  /// Every way from an entry to `later` leads through `earlier`. A block dominates itself.
  [[nodiscard]] bool dominates(std::uint32_t earlier, std::uint32_t later) const;
  /// Every way from `earlier` out of the function leads through `later`. False where no way leads
  /// out.
  [[nodiscard]] bool post_dominates(std::uint32_t later, std::uint32_t earlier) const;
  /// nullopt for a block that several entries, or none but the function's own, lead to.
  [[nodiscard]] std::optional<std::uint32_t> immediate_dominator(std::uint32_t block) const;
  [[nodiscard]] std::optional<std::uint32_t> immediate_post_dominator(std::uint32_t block) const;
  /// One dominates the other, which post-dominates it, and no way leads from one of them back to it
  /// past the other: then both alternate in every run, and one counter serves both. The same
  /// innermost loop is not enough: a way back may lead through a loop around it. Takes for granted
  /// that calls come back and raise no exception, that the run does not end in between, and that no
  /// unknown jump leads in or out: false in a function that has_unknown_jumps or is irreducible,
  /// unless a == b. Takes the time of a walk through the function where both are in a loop.
  [[nodiscard]] bool run_equally_often(std::uint32_t a, std::uint32_t b) const;

 private:
  /// A forest over blocks and a root: parents, and when a walk enters and leaves each.
  struct Tree {
    std::vector<std::uint32_t> parent;  ///< the root's position is the number of blocks
    std::vector<std::uint32_t> enter;   ///< 0: not reached
    std::vector<std::uint32_t> leave;
  };

  static Tree build(std::size_t blocks, const std::vector<std::vector<std::uint32_t>>& successors);
  [[nodiscard]] static bool is_above(const Tree& tree, std::uint32_t above, std::uint32_t below);
  [[nodiscard]] static std::optional<std::uint32_t> parent_of(const Tree& tree,
                                                              std::uint32_t block);

  /// Whether a cycle holds `through`, but not `past`.
  [[nodiscard]] bool has_cycle(std::uint32_t through, std::uint32_t past) const;

  std::vector<std::vector<std::uint32_t>> successors_;
  Tree forward_;
  Tree backward_;
  std::vector<std::optional<std::uint32_t>> loop_;
  bool structure_known_ = true;
};

}  // namespace ridge::machine_code
