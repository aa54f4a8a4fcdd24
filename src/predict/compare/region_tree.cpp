#include "predict/compare/region_tree.hpp"

#include <algorithm>
#include <cctype>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace ridge::predict {
namespace {

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

/// The digits from `at` on without leading zeros, and where they end.
std::string_view digits_at(std::string_view text, std::size_t& at) {
  while (at < text.size() && text[at] == '0') {
    ++at;
  }
  const std::size_t begin = at;
  while (at < text.size() && is_digit(text[at])) {
    ++at;
  }
  return text.substr(begin, at - begin);
}

std::string_view inlined_at(const Region& region) {
  for (const Note& note : region.notes) {
    if (note.code == "inlined-at") {
      return note.text;
    }
  }
  return {};
}

auto position_of(const Region& region) {
  return std::make_tuple(region.line.value_or(0), region.column.value_or(0));
}

auto content_of(const Region& region) {
  return std::make_tuple(static_cast<int>(region.kind), std::string_view(region.name),
                         std::string_view(region.function), known_work(region).total(),
                         region.bytes_loaded.value_or(0), region.bytes_stored.value_or(0),
                         region.entries.value_or(0), region.iterations.value_or(0), region.id);
}

/// Siblings in source order; what stands at one place by the place it was inlined at, then by what
/// it did. The id decides only between regions that nothing else tells apart.
bool stands_before(const RegionNode* a, const RegionNode* b) {
  const Region& first = *a->region;
  const Region& second = *b->region;
  if (position_of(first) != position_of(second)) {
    return position_of(first) < position_of(second);
  }
  if (inlined_at(first) != inlined_at(second)) {
    return natural_less(inlined_at(first), inlined_at(second));
  }
  return content_of(first) < content_of(second);
}

/// By rank where every process has one, else by order of appearance.
std::vector<std::string> process_names(const Profile& profile) {
  const auto& processes = profile.processes;
  const bool ranked = !processes.empty() &&
                      std::all_of(processes.begin(), processes.end(),
                                  [](const Process& process) { return process.rank.has_value(); });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < processes.size(); ++i) {
    names.push_back(ranked ? fmt::format("rank {}", *processes[i].rank)
                           : fmt::format("process {}", i));
  }
  return names;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (is_digit(a[i]) && is_digit(b[j])) {
      const std::string_view first = digits_at(a, i);
      const std::string_view second = digits_at(b, j);
      if (first != second) {
        return first.size() != second.size() ? first.size() < second.size() : first < second;
      }
    } else if (a[i] != b[j]) {
      return a[i] < b[j];
    } else {
      ++i;
      ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

RegionTree::RegionTree(const Profile& profile) : nodes_(profile.regions.size()) {
  const auto processes = process_names(profile);
  std::unordered_map<std::uint32_t, std::size_t> by_id;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Region& region = profile.regions[i];
    by_id.emplace(region.id, i);
    nodes_[i].index = i;
    nodes_[i].region = &region;
    nodes_[i].process = region.process < processes.size() ? processes[region.process] : "";
  }
  std::vector<std::size_t> roots;
  std::vector<std::vector<std::size_t>> children(nodes_.size());
  for (RegionNode& node : nodes_) {
    if (node.region->kind == RegionKind::program) {
      continue;
    }
    const auto parent = node.region->parent ? by_id.find(*node.region->parent) : by_id.end();
    if (parent == by_id.end() || nodes_[parent->second].region->kind == RegionKind::program) {
      roots.push_back(node.index);
    } else {
      node.parent = &nodes_[parent->second];
      children[parent->second].push_back(node.index);
    }
  }
  visit(std::move(roots), children);
  add_up();
}

void RegionTree::visit(std::vector<std::size_t> roots,
                       std::vector<std::vector<std::size_t>>& children) {
  const auto backwards = [&](std::size_t a, std::size_t b) {
    return stands_before(&nodes_[b], &nodes_[a]);
  };
  std::sort(roots.begin(), roots.end(), backwards);
  std::vector<std::size_t> stack = std::move(roots);
  while (!stack.empty()) {
    RegionNode& node = nodes_[stack.back()];
    stack.pop_back();
    order_.push_back(&node);
    const bool in_loop = node.parent != nullptr && node.parent->region->kind == RegionKind::loop;
    node.depth = node.parent != nullptr ? node.parent->depth + (in_loop ? 1U : 0U) : 0U;
    node.root = node.parent != nullptr ? node.parent->root : &node;
    auto& inner = children[node.index];
    std::sort(inner.begin(), inner.end(), backwards);
    stack.insert(stack.end(), inner.begin(), inner.end());
  }
}

void RegionTree::add_up() {
  for (RegionNode& node : nodes_) {
    node.flops = known_work(*node.region).total();
    node.bytes = bytes_accessed(*node.region).value_or(0);
  }
  for (auto at = order_.rbegin(); at != order_.rend(); ++at) {
    const RegionNode& node = **at;
    if (node.parent != nullptr) {
      const unsigned own = node.region->kind == RegionKind::loop ? 1 : 0;
      node.parent->height = std::max(node.parent->height, node.height + own);
      node.parent->flops += node.flops;
      node.parent->bytes += node.bytes;
    }
  }
}

}  // namespace ridge::predict
