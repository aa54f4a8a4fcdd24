#include "predict/compare/match.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "predict/compare/align.hpp"
#include "predict/compare/region_tree.hpp"
#include "predict/compare/similarity.hpp"

namespace ridge::predict {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

/// What regions must have in common to be looked at together: process, kind, then names.
using Key = std::tuple<std::string, RegionKind, std::string, std::string, std::string>;
using Nodes = std::vector<const RegionNode*>;
using Families = std::map<Key, std::pair<Nodes, Nodes>>;

/// What is called by its own name and not by its place.
std::string own_name(const Region& region) {
  return region.kind == RegionKind::library || region.kind == RegionKind::marker ? region.name
                                                                                 : std::string();
}

Key place_key(const RegionNode& node) {
  const Region& region = *node.region;
  return {node.process, region.kind, region.function, own_name(region),
          node.root->region->function};
}

Key function_key(const RegionNode& node) {
  const Region& region = *node.region;
  return {node.process, region.kind, region.function, own_name(region), ""};
}

Key brief_key(const RegionNode& node) {
  const Region& region = *node.region;
  const std::string whole = brief_name(region.function);
  return {node.process, region.kind, whole.substr(0, whole.find('(', 1)), own_name(region), ""};
}

/// Where the regions of a family stand: in which function, inlined where.
std::size_t contexts_of(const Nodes& nodes) {
  std::set<std::pair<std::string, std::string>> contexts;
  for (const RegionNode* node : nodes) {
    contexts.emplace(node->region->function, node->root->region->function);
  }
  return contexts.size();
}

class Matcher {
 public:
  Matcher(const Profile& before, const std::vector<bool>& open_before, const Profile& after,
          const std::vector<bool>& open_after)
      : before_(before),
        after_(after),
        open_before_(open_before),
        open_after_(open_after),
        settled_before_(before.regions.size(), false),
        settled_after_(after.regions.size(), false),
        partner_(before.regions.size(), kNone) {
    match_program(before, after);
  }

  Matching run() {
    match_by(place_key, MatchedBy::position);
    match_by(function_key, MatchedBy::moved);
    match_by(brief_key, MatchedBy::template_arguments);
    match_renamed();
    std::sort(result_.matches.begin(), result_.matches.end(),
              [](const RegionMatch& a, const RegionMatch& b) { return a.before < b.before; });
    return std::move(result_);
  }

 private:
  void match_program(const Profile& before, const Profile& after) {
    const Region* a = program_region(before);
    const Region* b = program_region(after);
    const std::size_t i = a != nullptr ? static_cast<std::size_t>(a - before.regions.data()) : 0;
    const std::size_t j = b != nullptr ? static_cast<std::size_t>(b - after.regions.data()) : 0;
    if (a != nullptr && b != nullptr && open_before_[i] && open_after_[j]) {
      settle(i, j, MatchedBy::position);
    }
  }

  void settle(std::size_t i, std::size_t j, MatchedBy by) {
    result_.matches.push_back({i, j, by});
    partner_[i] = j;
    open_before_[i] = false;
    open_after_[j] = false;
    settled_before_[i] = true;
    settled_after_[j] = true;
  }

  [[nodiscard]] bool parents_matched(const RegionNode& a, const RegionNode& b) const {
    return a.parent != nullptr && b.parent != nullptr &&
           partner_[a.parent->index] == b.parent->index;
  }

  template <class KeyOf>
  [[nodiscard]] Families families_by(KeyOf key_of) const {
    Families families;
    for (const RegionNode* node : before_.in_order()) {
      if (open_before_[node->index] || settled_before_[node->index]) {
        families[key_of(*node)].first.push_back(node);
      }
    }
    for (const RegionNode* node : after_.in_order()) {
      if (open_after_[node->index] || settled_after_[node->index]) {
        families[key_of(*node)].second.push_back(node);
      }
    }
    return families;
  }

  /// Functions before loops, loops before the libraries that they call.
  template <class KeyOf>
  void match_by(KeyOf key_of, MatchedBy by) {
    const Families families = families_by(key_of);
    for (const RegionKind kind : {RegionKind::function, RegionKind::loop, RegionKind::library,
                                  RegionKind::marker, RegionKind::program}) {
      for (const auto& [key, sides] : families) {
        if (std::get<RegionKind>(key) == kind && !sides.first.empty() && !sides.second.empty()) {
          match_family(sides.first, sides.second, by);
        }
      }
    }
  }

  void match_family(const Nodes& a, const Nodes& b, MatchedBy by) {
    if (stands_as_before(a, b)) {
      for (std::size_t i = 0; i < a.size(); ++i) {
        settle(a[i]->index, b[i]->index, by);
      }
      return;
    }
    if (std::max(a.size(), b.size()) > 1) {
      match_by_fingerprint(a, b, by);
    }
    const Family before = still_open(a, open_before_, settled_before_);
    const Family after = still_open(b, open_after_, settled_after_);
    if (before.nodes.empty() || after.nodes.empty()) {
      return;
    }
    if (by != MatchedBy::position &&
        (contexts_of(before.nodes) > 1 || contexts_of(after.nodes) > 1)) {
      leave(before.nodes, after.nodes);
      return;
    }
    const Alignment alignment =
        align(before.nodes.size(), after.nodes.size(), [&](std::size_t i, std::size_t j) {
          return similarity(before, i, after, j,
                            parents_matched(*before.nodes[i], *after.nodes[j]));
        });
    Nodes undecided_before;
    Nodes undecided_after;
    for (const std::size_t i : alignment.undecided_a) {
      undecided_before.push_back(before.nodes[i]);
    }
    for (const std::size_t j : alignment.undecided_b) {
      undecided_after.push_back(after.nodes[j]);
    }
    for (const auto& [i, j] : alignment.pairs) {
      settle(before.nodes[i]->index, after.nodes[j]->index, by);
    }
    if (!undecided_before.empty()) {
      leave(undecided_before, undecided_after);
    }
  }

  /// Nothing moved within the function, and what its loops did is not the same in another order:
  /// then another problem size may have made one loop do what another did before.
  [[nodiscard]] bool stands_as_before(const Nodes& a, const Nodes& b) const {
    if (a.size() != b.size() || a.size() < 2 || contexts_of(a) > 1 || contexts_of(b) > 1) {
      return false;
    }
    std::multiset<std::optional<Fingerprint>> did_before;
    std::multiset<std::optional<Fingerprint>> did_after;
    for (std::size_t i = 0; i < a.size(); ++i) {
      if (!open_before_[a[i]->index] || !open_after_[b[i]->index] ||
          !same_place(*a[i], *a[0], *b[i], *b[0])) {
        return false;
      }
      did_before.insert(fingerprint_of(*a[i]));
      did_after.insert(fingerprint_of(*b[i]));
    }
    return did_before != did_after;
  }

  static Family still_open(const Nodes& nodes, const std::vector<bool>& open,
                           const std::vector<bool>& settled_nodes) {
    Family family;
    unsigned settled = 0;
    for (const RegionNode* node : nodes) {
      if (open[node->index]) {
        family.nodes.push_back(node);
        family.settled_before.push_back(settled);
      } else {
        settled += settled_nodes[node->index] ? 1U : 0U;
      }
    }
    return family;
  }

  /// What did exactly the same and is alone in that on both sides.
  void match_by_fingerprint(const Nodes& a, const Nodes& b, MatchedBy by) {
    std::map<Fingerprint, std::pair<Nodes, Nodes>> alike;
    for (const RegionNode* node : a) {
      if (const auto print = open_before_[node->index] ? fingerprint_of(*node) : std::nullopt) {
        alike[*print].first.push_back(node);
      }
    }
    for (const RegionNode* node : b) {
      if (const auto print = open_after_[node->index] ? fingerprint_of(*node) : std::nullopt) {
        alike[*print].second.push_back(node);
      }
    }
    for (const auto& [print, sides] : alike) {
      if (sides.first.size() == 1 && sides.second.size() == 1) {
        settle(sides.first[0]->index, sides.second[0]->index, by);
      }
    }
  }

  /// Not compared, and not looked at again.
  void leave(const Nodes& a, const Nodes& b) {
    AmbiguousRegions ambiguous;
    for (const RegionNode* node : a) {
      open_before_[node->index] = false;
      ambiguous.before.push_back(node->index);
    }
    for (const RegionNode* node : b) {
      open_after_[node->index] = false;
      ambiguous.after.push_back(node->index);
    }
    result_.ambiguous.push_back(std::move(ambiguous));
  }

  /// A function that exists on one side only, with all of its regions.
  struct Function {
    Nodes regions;
    std::uint64_t flops = 0;
    std::uint64_t bytes = 0;
    std::vector<std::pair<unsigned, unsigned>> shape;  ///< depth and height of its loops

    [[nodiscard]] const std::string& process() const { return regions.front()->process; }
  };
  using Functions = std::map<std::pair<std::string, std::string>, Function>;

  static Functions functions_of(const RegionTree& tree, const std::vector<bool>& open) {
    Functions functions;
    std::set<std::pair<std::string, std::string>> known;
    for (const RegionNode* node : tree.in_order()) {
      const auto key = std::make_pair(node->process, node->region->function);
      if (!open[node->index]) {
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

  /// Functions that do exactly the same work, alone in that on both sides: first those with loops
  /// of the same shape.
  void match_renamed() {
    constexpr std::uint64_t kEnough = 1000;  // flop: fewer may be the same by chance
    pair_functions([](const Function& function) {
      return function.flops >= kEnough || (function.bytes >= kEnough && !function.shape.empty())
                 ? std::optional(std::make_tuple(function.process(), function.flops, function.bytes,
                                                 function.shape))
                 : std::nullopt;
    });
    pair_functions([](const Function& function) {
      return function.flops >= kEnough
                 ? std::optional(std::make_tuple(function.process(), function.flops))
                 : std::nullopt;
    });
  }

  template <class Evidence>
  void pair_functions(Evidence evidence_of) {
    const Functions before = functions_of(before_, open_before_);
    const Functions after = functions_of(after_, open_after_);
    using Value = typename decltype(evidence_of(before.begin()->second))::value_type;
    using Side = std::vector<const Function*>;
    std::map<Value, std::pair<Side, Side>> alike;
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
        match_function(*sides.first[0], *sides.second[0]);
      }
    }
  }

  void match_function(const Function& before, const Function& after) {
    for (const RegionKind kind :
         {RegionKind::function, RegionKind::loop, RegionKind::library, RegionKind::marker}) {
      const auto of_kind = [kind](const Nodes& nodes) {
        Nodes found;
        std::copy_if(nodes.begin(), nodes.end(), std::back_inserter(found),
                     [kind](const RegionNode* node) { return node->region->kind == kind; });
        return found;
      };
      const Nodes a = of_kind(before.regions);
      const Nodes b = of_kind(after.regions);
      if (!a.empty() && !b.empty()) {
        match_family(a, b, MatchedBy::renamed);
      }
    }
  }

  RegionTree before_;
  RegionTree after_;
  std::vector<bool> open_before_;
  std::vector<bool> open_after_;
  std::vector<bool> settled_before_;  ///< has its partner
  std::vector<bool> settled_after_;
  std::vector<std::size_t> partner_;  ///< by index before
  Matching result_;
};

}  // namespace

Matching match_regions(const Profile& before, const std::vector<bool>& open_before,
                       const Profile& after, const std::vector<bool>& open_after) {
  return Matcher(before, open_before, after, open_after).run();
}

Matching match_regions(const Profile& before, const Profile& after) {
  return match_regions(before, std::vector<bool>(before.regions.size(), true), after,
                       std::vector<bool>(after.regions.size(), true));
}

}  // namespace ridge::predict
