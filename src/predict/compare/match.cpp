#include "predict/compare/match.hpp"

#include <map>
#include <string>
#include <tuple>

#include "core/value/region_names.hpp"
#include "predict/compare/match_family.hpp"
#include "predict/compare/match_renamed.hpp"
#include "predict/compare/pairing.hpp"
#include "predict/compare/region_tree.hpp"

namespace ridge::predict {
namespace {

/// What regions must have in common to be looked at together: process, kind, then names.
using Key = std::tuple<std::string, RegionKind, std::string, std::string, std::string>;
using KeyOf = Key (*)(const RegionNode&);

/// What is called by its own name and not by its place.
std::string own_name(const Region& region) {
  return region.kind == RegionKind::library || region.kind == RegionKind::marker ? region.name
                                                                                 : std::string();
}

/// Older versions had one region of waiting for each caller, without saying what for.
std::string own_name_of_any_version(const Region& region) {
  return is_waiting(region) ? "waits" : own_name(region);
}

Key place_key(const RegionNode& node) {
  const Region& region = *node.region;
  return {node.process, region.kind, region.function, own_name(region),
          node.root->region->function};
}

Key function_key(const RegionNode& node) {
  const Region& region = *node.region;
  return {node.process, region.kind, region.function, own_name_of_any_version(region), ""};
}

Key brief_key(const RegionNode& node) {
  const Region& region = *node.region;
  const std::string whole = brief_name(region.function);
  return {node.process, region.kind, whole.substr(0, whole.find('(', 1)), own_name(region), ""};
}

void match_program(const Profile& before, const Profile& after, Pairing& pairing) {
  const Region* a = program_region(before);
  const Region* b = program_region(after);
  if (a == nullptr || b == nullptr) {
    return;
  }
  const auto i = static_cast<std::size_t>(a - before.regions.data());
  const auto j = static_cast<std::size_t>(b - after.regions.data());
  if (pairing.is_open(Side::before, i) && pairing.is_open(Side::after, j)) {
    pairing.settle(i, j, MatchedBy::position);
  }
}

/// Those that are open, and, since positions are relative to them, those that have their partner.
Nodes open_or_settled(const RegionTree& tree, Side side, const Pairing& pairing) {
  Nodes nodes;
  for (const RegionNode* node : tree.in_order()) {
    if (pairing.is_open(side, node->index) || pairing.has_partner(side, node->index)) {
      nodes.push_back(node);
    }
  }
  return nodes;
}

/// Functions before loops, loops before the libraries that they call.
void match_by(KeyOf key_of, MatchedBy by, const RegionTree& before, const RegionTree& after,
              Pairing& pairing) {
  std::map<Key, Candidates> families;
  for (const RegionNode* node : open_or_settled(before, Side::before, pairing)) {
    families[key_of(*node)].before.push_back(node);
  }
  for (const RegionNode* node : open_or_settled(after, Side::after, pairing)) {
    families[key_of(*node)].after.push_back(node);
  }
  for (const RegionKind kind : {RegionKind::function, RegionKind::loop, RegionKind::library,
                                RegionKind::marker, RegionKind::program}) {
    for (const auto& [key, family] : families) {
      if (std::get<RegionKind>(key) == kind && !family.before.empty() && !family.after.empty()) {
        match_family(family, by, pairing);
      }
    }
  }
}

}  // namespace

Matching match_regions(const Profile& before, const std::vector<bool>& open_before,
                       const Profile& after, const std::vector<bool>& open_after) {
  const RegionTree tree_before(before);
  const RegionTree tree_after(after);
  Pairing pairing(open_before, open_after);
  match_program(before, after, pairing);
  match_by(place_key, MatchedBy::position, tree_before, tree_after, pairing);
  match_by(function_key, MatchedBy::moved, tree_before, tree_after, pairing);
  match_by(brief_key, MatchedBy::template_arguments, tree_before, tree_after, pairing);
  match_renamed(tree_before, tree_after, pairing);
  return pairing.matching();
}

Matching match_regions(const Profile& before, const Profile& after) {
  return match_regions(before, std::vector<bool>(before.regions.size(), true), after,
                       std::vector<bool>(after.regions.size(), true));
}

}  // namespace ridge::predict
