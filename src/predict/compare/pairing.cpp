#include "predict/compare/pairing.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace ridge::predict {

Pairing::Pairing(std::vector<bool> open_before, std::vector<bool> open_after) {
  before_.partner.assign(open_before.size(), kNone);
  after_.partner.assign(open_after.size(), kNone);
  before_.open = std::move(open_before);
  after_.open = std::move(open_after);
}

bool Pairing::is_open(Side side, std::size_t index) const {
  return of(side).open[index];
}

bool Pairing::has_partner(Side side, std::size_t index) const {
  return of(side).partner[index] != kNone;
}

bool Pairing::are_partners(std::size_t before, std::size_t after) const {
  return before_.partner[before] == after;
}

void Pairing::settle(std::size_t before, std::size_t after, MatchedBy by) {
  assert(before_.open[before] && after_.open[after]);
  found_.matches.push_back({before, after, by});
  before_.open[before] = false;
  after_.open[after] = false;
  before_.partner[before] = after;
  after_.partner[after] = before;
}

void Pairing::leave(const Candidates& ambiguous) {
  AmbiguousRegions regions;
  for (const RegionNode* node : ambiguous.before) {
    assert(before_.open[node->index]);
    before_.open[node->index] = false;
    regions.before.push_back(node->index);
  }
  for (const RegionNode* node : ambiguous.after) {
    assert(after_.open[node->index]);
    after_.open[node->index] = false;
    regions.after.push_back(node->index);
  }
  found_.ambiguous.push_back(std::move(regions));
}

Matching Pairing::matching() const {
  Matching sorted = found_;
  std::sort(sorted.matches.begin(), sorted.matches.end(),
            [](const RegionMatch& a, const RegionMatch& b) { return a.before < b.before; });
  return sorted;
}

}  // namespace ridge::predict
