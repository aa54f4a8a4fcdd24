#include "predict/compare/match_renamed.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "predict/compare/match_family.hpp"

namespace ridge::predict {
namespace {

/// With all of its regions, all of them open.
struct Function {
  Nodes regions;
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;                           ///< loaded and stored
  std::vector<std::pair<unsigned, unsigned>> shape;  ///< depth and height of its loops

  [[nodiscard]] const std::string& process() const { return regions.front()->process; }
};
using Functions = std::map<std::pair<std::string, std::string>, Function>;  ///< by process and name

/// Those that have no region that is matched or left already.
Functions open_functions(const RegionTree& tree, Side side, const Pairing& pairing) {
  Functions functions;
  std::set<std::pair<std::string, std::string>> known;
  for (const RegionNode* node : tree.in_order()) {
    const auto key = std::make_pair(node->process, node->region->function);
    if (!pairing.is_open(side, node->index)) {
      known.insert(key);
      continue;
    }
    Function& function = functions[key];
    function.regions.push_back(node);
    function.flops += known_work(*node->region).total();
    function.bytes += bytes_accessed(*node->region).value_or(0);
    if (node->region->kind == RegionKind::loop) {
      function.shape.emplace_back(node->depth, node->height);
    }
  }
  std::erase_if(functions, [&](const auto& entry) { return known.contains(entry.first); });
  return functions;
}

void match_function(const Function& before, const Function& after, Pairing& pairing) {
  for (const RegionKind kind :
       {RegionKind::function, RegionKind::loop, RegionKind::library, RegionKind::marker}) {
    const auto of_kind = [kind](const Nodes& nodes) {
      Nodes found;
      std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(found),
                   [kind](const RegionNode* node) { return node->region->kind == kind; });
      return found;
    };
    const Candidates family{of_kind(before.regions), of_kind(after.regions)};
    if (!family.before.empty() && !family.after.empty()) {
      match_family(family, MatchedBy::renamed, pairing);
    }
  }
}

/// `evidence_of` a function is what two must have in common; nullopt: too little to tell.
template <class Evidence>
void pair_functions(const RegionTree& tree_before, const RegionTree& tree_after, Pairing& pairing,
                    Evidence evidence_of) {
  const Functions before = open_functions(tree_before, Side::before, pairing);
  const Functions after = open_functions(tree_after, Side::after, pairing);
  using Value = typename decltype(evidence_of(before.begin()->second))::value_type;
  using Alike = std::vector<const Function*>;
  std::map<Value, std::pair<Alike, Alike>> alike;
  for (const auto& [key, function] : before) {
    if (const auto evidence = evidence_of(function); evidence && !after.contains(key)) {
      alike[*evidence].first.push_back(&function);
    }
  }
  for (const auto& [key, function] : after) {
    if (const auto evidence = evidence_of(function); evidence && !before.contains(key)) {
      alike[*evidence].second.push_back(&function);
    }
  }
  for (const auto& [value, sides] : alike) {
    if (sides.first.size() == 1 && sides.second.size() == 1) {
      match_function(*sides.first[0], *sides.second[0], pairing);
    }
  }
}

}  // namespace

void match_renamed(const RegionTree& before, const RegionTree& after, Pairing& pairing) {
  constexpr std::uint64_t kEnough = 1000;  // flop: fewer may be the same by chance
  pair_functions(before, after, pairing, [](const Function& function) {
    return function.flops >= kEnough || (function.bytes >= kEnough && !function.shape.empty())
               ? std::optional(std::make_tuple(function.process(), function.flops, function.bytes,
                                               function.shape))
               : std::nullopt;
  });
  pair_functions(before, after, pairing, [](const Function& function) {
    return function.flops >= kEnough
               ? std::optional(std::make_tuple(function.process(), function.flops))
               : std::nullopt;
  });
}

}  // namespace ridge::predict
