#include "machine_code/dominance.hpp"

#include <algorithm>
#include <utility>

namespace ridge::machine_code {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

using Edges = std::vector<std::vector<std::uint32_t>>;

/// Positions of nodes as a walk from the root leaves them, children first.
std::vector<std::uint32_t> post_order(const Edges& successors, std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(successors.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
  seen[root] = true;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == successors[node].size()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::uint32_t child = successors[node][next++];
    if (!seen[child]) {
      seen[child] = true;
      path.emplace_back(child, 0);
    }
  }
  return order;
}

Edges reversed(const Edges& edges) {
  Edges back(edges.size());
  for (std::uint32_t from = 0; from < edges.size(); ++from) {
    for (const std::uint32_t to : edges[from]) {
      back[to].push_back(from);
    }
  }
  return back;
}

std::uint32_t common_parent(std::uint32_t a, std::uint32_t b,
                            const std::vector<std::uint32_t>& parent,
                            const std::vector<std::uint32_t>& rank) {
  while (a != b) {
    (rank[a] < rank[b] ? a : b) = parent[rank[a] < rank[b] ? a : b];
  }
  return a;
}

/// Immediate dominators; kNone for what is not reached. The root's is itself.
std::vector<std::uint32_t> immediate_dominators(const Edges& successors, std::uint32_t root) {
  const auto order = post_order(successors, root);
  std::vector<std::uint32_t> rank(successors.size(), 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
  }
  const Edges predecessors = reversed(successors);
  std::vector<std::uint32_t> parent(successors.size(), kNone);
  parent[root] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin() + 1; node != order.rend(); ++node) {
      std::uint32_t found = kNone;
      for (const std::uint32_t before : predecessors[*node]) {
        if (parent[before] != kNone) {
          found = found == kNone ? before : common_parent(before, found, parent, rank);
        }
      }
      changed = changed || parent[*node] != found;
      parent[*node] = found;
    }
  }
  return parent;
}

}  // namespace

Dominance::Tree Dominance::build(std::size_t blocks, const Edges& successors) {
  const auto root = static_cast<std::uint32_t>(blocks);
  Tree tree;
  tree.parent = immediate_dominators(successors, root);
  Edges children(blocks + 1);
  for (std::uint32_t i = 0; i < blocks; ++i) {
    if (tree.parent[i] != kNone) {
      children[tree.parent[i]].push_back(i);
    }
  }
  tree.enter.assign(blocks + 1, 0);
  tree.leave.assign(blocks + 1, 0);
  std::uint32_t time = 0;
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
  tree.enter[root] = ++time;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    if (next == children[node].size()) {
      tree.leave[node] = ++time;
      path.pop_back();
      continue;
    }
    const std::uint32_t child = children[node][next++];
    tree.enter[child] = ++time;
    path.emplace_back(child, 0);
  }
  return tree;
}

Dominance::Dominance(const Function& function)
    : structure_known_(!function.has_unknown_jumps && !function.irreducible) {
  const std::size_t count = function.blocks.size();
  successors_.reserve(count);
  Edges forward(count + 1);
  Edges backward(count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    const Block& block = function.blocks[i];
    successors_.push_back(block.successors);
    forward[i] = block.successors;
    backward[i] = block.predecessors;
    if (block.entered_from_elsewhere) {
      forward[count].push_back(i);
    }
    if (block.leaves) {
      backward[count].push_back(i);
    }
    loop_.push_back(block.loop);
  }
  forward_ = build(count, forward);
  backward_ = build(count, backward);
}

bool Dominance::is_above(const Tree& tree, std::uint32_t above, std::uint32_t below) {
  const bool reached = tree.enter.at(above) != 0 && tree.enter.at(below) != 0;
  return reached && tree.enter[above] <= tree.enter[below] &&
         tree.leave[below] <= tree.leave[above];
}

std::optional<std::uint32_t> Dominance::parent_of(const Tree& tree, std::uint32_t block) {
  const std::uint32_t parent = tree.parent.at(block);
  const bool is_block = parent != kNone && parent + 1 < tree.parent.size();
  return is_block ? std::optional(parent) : std::nullopt;
}

bool Dominance::dominates(std::uint32_t earlier, std::uint32_t later) const {
  return is_above(forward_, earlier, later);
}

bool Dominance::post_dominates(std::uint32_t later, std::uint32_t earlier) const {
  return is_above(backward_, later, earlier);
}

std::optional<std::uint32_t> Dominance::immediate_dominator(std::uint32_t block) const {
  return parent_of(forward_, block);
}

std::optional<std::uint32_t> Dominance::immediate_post_dominator(std::uint32_t block) const {
  return parent_of(backward_, block);
}

bool Dominance::has_cycle(std::uint32_t through, std::uint32_t past) const {
  std::vector<bool> seen(successors_.size(), false);
  std::vector<std::uint32_t> open{through};
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    for (const std::uint32_t next : successors_[block]) {
      if (next == through) {
        return true;
      }
      if (next != past && !seen[next]) {
        seen[next] = true;
        open.push_back(next);
      }
    }
  }
  return false;
}

bool Dominance::run_equally_often(std::uint32_t a, std::uint32_t b) const {
  if (a == b) {
    return true;
  }
  const bool either =
      (dominates(a, b) && post_dominates(b, a)) || (dominates(b, a) && post_dominates(a, b));
  if (!structure_known_ || !either || loop_.at(a) != loop_.at(b)) {
    return false;
  }
  return !loop_[a] || (!has_cycle(a, b) && !has_cycle(b, a));
}

}  // namespace ridge::machine_code
