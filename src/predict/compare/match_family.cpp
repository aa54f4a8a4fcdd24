#include "predict/compare/match_family.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "predict/compare/align.hpp"
#include "predict/compare/similarity.hpp"

namespace ridge::predict {
namespace {

/// Where the regions of a family stand: in which function, inlined where.
std::size_t contexts_of(const Nodes& nodes) {
  std::set<std::pair<std::string, std::string>> contexts;
  for (const RegionNode* node : nodes) {
    contexts.emplace(node->region->function, node->root->region->function);
  }
  return contexts.size();
}

/// Nothing moved within the function, and what its loops did is not the same in another order:
/// then another problem size may have made one loop do what another did before.
bool stands_as_before(const Candidates& family, const Pairing& pairing) {
  const auto& [a, b] = family;
  if (a.size() != b.size() || a.size() < 2 || contexts_of(a) > 1 || contexts_of(b) > 1) {
    return false;
  }
  std::multiset<std::optional<Fingerprint>> did_before;
  std::multiset<std::optional<Fingerprint>> did_after;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!pairing.is_open(Side::before, a[i]->index) || !pairing.is_open(Side::after, b[i]->index) ||
        !same_place(*a[i], *a[0], *b[i], *b[0])) {
      return false;
    }
    did_before.insert(fingerprint_of(*a[i]));
    did_after.insert(fingerprint_of(*b[i]));
  }
  return did_before != did_after;
}

/// What did exactly the same and is alone in that on both sides.
void match_by_fingerprint(const Candidates& family, MatchedBy by, Pairing& pairing) {
  std::map<Fingerprint, Candidates> alike;
  const auto add = [&](Side side, const Nodes& nodes, Nodes Candidates::* place) {
    for (const RegionNode* node : nodes) {
      if (const auto print =
              pairing.is_open(side, node->index) ? fingerprint_of(*node) : std::nullopt) {
        (alike[*print].*place).push_back(node);
      }
    }
  };
  add(Side::before, family.before, &Candidates::before);
  add(Side::after, family.after, &Candidates::after);
  for (const auto& [print, candidates] : alike) {
    if (candidates.one_each()) {
      pairing.settle(candidates.before[0]->index, candidates.after[0]->index, by);
    }
  }
}

Family still_open(const Nodes& nodes, Side side, const Pairing& pairing) {
  Family family;
  unsigned settled = 0;
  for (const RegionNode* node : nodes) {
    if (pairing.is_open(side, node->index)) {
      family.nodes.push_back(node);
      family.settled_before.push_back(settled);
    } else {
      settled += pairing.has_partner(side, node->index) ? 1U : 0U;
    }
  }
  return family;
}

bool parents_matched(const RegionNode& a, const RegionNode& b, const Pairing& pairing) {
  return a.parent != nullptr && b.parent != nullptr &&
         pairing.are_partners(a.parent->index, b.parent->index);
}

Nodes nodes_at(const std::vector<std::size_t>& positions, const Nodes& nodes) {
  Nodes chosen;
  for (const std::size_t position : positions) {
    chosen.push_back(nodes[position]);
  }
  return chosen;
}

/// In source order, by what speaks for two regions being the same.
void match_by_order(const Family& before, const Family& after, MatchedBy by, Pairing& pairing) {
  const Alignment alignment =
      align(before.nodes.size(), after.nodes.size(), [&](std::size_t i, std::size_t j) {
        return similarity(before, i, after, j,
                          parents_matched(*before.nodes[i], *after.nodes[j], pairing));
      });
  for (const auto& [i, j] : alignment.pairs) {
    pairing.settle(before.nodes[i]->index, after.nodes[j]->index, by);
  }
  if (!alignment.undecided_a.empty()) {
    pairing.leave({nodes_at(alignment.undecided_a, before.nodes),
                   nodes_at(alignment.undecided_b, after.nodes)});
  }
}

}  // namespace

void match_family(const Candidates& family, MatchedBy by, Pairing& pairing) {
  if (stands_as_before(family, pairing)) {
    for (std::size_t i = 0; i < family.before.size(); ++i) {
      pairing.settle(family.before[i]->index, family.after[i]->index, by);
    }
    return;
  }
  if (std::max(family.before.size(), family.after.size()) > 1) {
    match_by_fingerprint(family, by, pairing);
  }
  const Family before = still_open(family.before, Side::before, pairing);
  const Family after = still_open(family.after, Side::after, pairing);
  if (before.nodes.empty() || after.nodes.empty()) {
    return;
  }
  const bool of_one_context = contexts_of(before.nodes) == 1 && contexts_of(after.nodes) == 1;
  if (by == MatchedBy::position || of_one_context) {
    match_by_order(before, after, by, pairing);
  } else {
    pairing.leave({before.nodes, after.nodes});
  }
}

}  // namespace ridge::predict
