#include "machine_code/loops.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "machine_code/dominance.hpp"

namespace ridge::machine_code {
namespace {

/// Blocks of all loops of a function together. Only code made for it nests deeper.
constexpr std::size_t kMostMembers = std::size_t{1} << 22;

/// Edges that lead back to a block on the way of a walk, which goes from every entry.
std::vector<std::pair<std::uint32_t, std::uint32_t>> retreating_edges(const Function& function) {
  enum class State : std::uint8_t { unseen, open, done };
  std::vector<State> states(function.blocks.size(), State::unseen);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t entry = 0; entry < function.blocks.size(); ++entry) {
    if (!function.blocks[entry].entered_from_elsewhere || states[entry] != State::unseen) {
      continue;
    }
    std::vector<std::pair<std::uint32_t, std::size_t>> path{{entry, 0}};
    states[entry] = State::open;
    while (!path.empty()) {
      auto& [block, next] = path.back();
      const auto& successors = function.blocks[block].successors;
      if (next == successors.size()) {
        states[block] = State::done;
        path.pop_back();
        continue;
      }
      const std::uint32_t to = successors[next++];
      if (states[to] == State::open) {
        edges.emplace_back(block, to);
      } else if (states[to] == State::unseen) {
        states[to] = State::open;
        path.emplace_back(to, 0);
      }
    }
  }
  return edges;
}

/// The header, and all that reaches a latch without passing it.
std::vector<std::uint32_t> body_of(const Function& function, const Dominance& dominance,
                                   std::uint32_t header,
                                   const std::vector<std::uint32_t>& latches) {
  std::vector<bool> inside(function.blocks.size(), false);
  inside[header] = true;
  std::vector<std::uint32_t> body{header};
  std::vector<std::uint32_t> open(latches);
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    // Padding that never runs falls into loops, too.
    if (inside[block] || !dominance.dominates(header, block)) {
      continue;
    }
    inside[block] = true;
    body.push_back(block);
    const auto& before = function.blocks[block].predecessors;
    open.insert(open.end(), before.begin(), before.end());
  }
  std::sort(body.begin(), body.end());
  return body;
}

/// Loops from the largest to the smallest: the last one that holds a block is its innermost, and
/// the one that held a header before is the parent.
void nest(Function& function) {
  auto& loops = function.loops;
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop& a, const Loop& b) { return a.blocks.size() > b.blocks.size(); });
  for (std::uint32_t i = 0; i < loops.size(); ++i) {
    Loop& loop = loops[i];
    loop.parent = function.blocks[loop.header].loop;
    loop.depth = loop.parent ? loops[*loop.parent].depth + 1 : 1;
    for (const std::uint32_t block : loop.blocks) {
      function.blocks[block].loop = i;
    }
  }
}

/// By depth, then header: an outer loop stands before those in it.
void order(Function& function) {
  std::vector<std::uint32_t> positions(function.loops.size());
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    positions[i] = i;
  }
  std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Loop& left = function.loops[a];
    const Loop& right = function.loops[b];
    return std::pair(left.depth, left.header) < std::pair(right.depth, right.header);
  });
  std::vector<std::uint32_t> moved(positions.size());
  std::vector<Loop> ordered;
  for (std::uint32_t i = 0; i < positions.size(); ++i) {
    moved[positions[i]] = i;
    ordered.push_back(std::move(function.loops[positions[i]]));
  }
  for (Loop& loop : ordered) {
    loop.parent = loop.parent ? std::optional(moved[*loop.parent]) : std::nullopt;
  }
  for (Block& block : function.blocks) {
    block.loop = block.loop ? std::optional(moved[*block.loop]) : std::nullopt;
  }
  function.loops = std::move(ordered);
}

}  // namespace

void add_loops(Function& function) {
  const auto edges = retreating_edges(function);
  if (edges.empty()) {
    return;
  }
  const Dominance dominance(function);
  std::map<std::uint32_t, std::vector<std::uint32_t>> latches;
  for (const auto& [from, to] : edges) {
    if (dominance.dominates(to, from)) {
      latches[to].push_back(from);
    } else {
      function.irreducible = true;
    }
  }
  std::size_t members = 0;
  for (auto& [header, ends] : latches) {
    std::sort(ends.begin(), ends.end());
    function.loops.push_back({header, body_of(function, dominance, header, ends), ends, {}, 1});
    members += function.loops.back().blocks.size();
    if (members > kMostMembers) {
      function.loops.clear();
      function.irreducible = true;
      return;
    }
  }
  nest(function);
  order(function);
}

}  // namespace ridge::machine_code
