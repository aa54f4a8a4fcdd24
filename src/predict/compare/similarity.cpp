#include "predict/compare/similarity.hpp"

#include <cstdint>

namespace ridge::predict {
namespace {

/// Known and equal on both sides.
template <class T>
bool agree(const std::optional<T>& a, const std::optional<T>& b) {
  return a && b && *a == *b;
}

bool agree_and_count(std::uint64_t a, std::uint64_t b) {
  return a == b && a > 0;
}

std::optional<long> distance(std::optional<unsigned> from, std::optional<unsigned> to) {
  return from && to ? std::optional(static_cast<long>(*to) - static_cast<long>(*from))
                    : std::nullopt;
}

/// From the line of the function that the region stands in, where both are in one file.
std::optional<long> from_function(const RegionNode& node) {
  const Region& root = *node.root->region;
  const bool same_file = root.kind == RegionKind::function && root.file && node.region->file &&
                         *root.file == *node.region->file && root.function == node.region->function;
  return same_file ? distance(root.line, node.region->line) : std::nullopt;
}

bool works(const Region& region) {
  return known_work(region).total() > 0 || bytes_accessed(region).value_or(0) > 0;
}

bool same_work_per_iteration(const Region& a, const Region& b) {
  const std::uint64_t flops_a = known_work(a).total();
  const std::uint64_t flops_b = known_work(b).total();
  if (flops_a == 0 || flops_b == 0 || !a.iterations || !b.iterations) {
    return false;
  }
  return static_cast<long double>(flops_a) * static_cast<long double>(*b.iterations) ==
         static_cast<long double>(flops_b) * static_cast<long double>(*a.iterations);
}

}  // namespace

std::optional<unsigned> Family::first_line() const {
  return nodes.empty() ? std::nullopt : nodes.front()->region->line;
}

std::optional<unsigned> Family::last_line() const {
  return nodes.empty() ? std::nullopt : nodes.back()->region->line;
}

std::optional<Fingerprint> fingerprint_of(const RegionNode& node) {
  if (node.flops == 0 && node.bytes == 0) {
    return std::nullopt;
  }
  return Fingerprint{static_cast<int>(node.region->kind),
                     node.height,
                     node.flops,
                     node.bytes,
                     node.region->entries.value_or(0),
                     node.region->iterations.value_or(0)};
}

bool same_place(const RegionNode& a, const RegionNode& first_of_a, const RegionNode& b,
                const RegionNode& first_of_b) {
  return a.height == b.height && a.depth == b.depth && a.region->column == b.region->column &&
         agree(distance(first_of_a.region->line, a.region->line),
               distance(first_of_b.region->line, b.region->line));
}

int similarity(const Family& a, std::size_t i, const Family& b, std::size_t j,
               bool parents_matched) {
  const RegionNode& first = *a.nodes[i];
  const RegionNode& second = *b.nodes[j];
  const Region& before = *first.region;
  const Region& after = *second.region;
  const bool same_work = agree_and_count(known_work(before).total(), known_work(after).total());
  const bool same_bytes =
      agree_and_count(bytes_accessed(before).value_or(0), bytes_accessed(after).value_or(0));
  // On the other side of a loop that has its partner: only what did the same can have moved there.
  if (a.settled_before[i] != b.settled_before[j] && !same_work && !same_bytes) {
    return 0;
  }
  int sum = 1;
  sum += agree(from_function(first), from_function(second)) ? 2 : 0;
  sum += agree(distance(a.first_line(), before.line), distance(b.first_line(), after.line)) ? 1 : 0;
  sum += agree(distance(before.line, a.last_line()), distance(after.line, b.last_line())) ? 1 : 0;
  sum += agree(before.column, after.column) ? 1 : 0;
  sum += first.height == second.height ? 2 : 0;
  sum += first.depth == second.depth ? 1 : 0;
  sum += works(before) == works(after) ? 1 : 0;
  sum += same_work ? 3 : 0;
  sum += same_bytes ? 2 : 0;
  sum += same_work_per_iteration(before, after) ? 2 : 0;
  sum += agree_and_count(before.iterations.value_or(0), after.iterations.value_or(0)) ? 1 : 0;
  sum += agree_and_count(before.entries.value_or(0), after.entries.value_or(0)) ? 1 : 0;
  sum += a.settled_before[i] == b.settled_before[j] ? 2 : 0;
  return sum + (parents_matched ? 2 : 0);
}

}  // namespace ridge::predict
