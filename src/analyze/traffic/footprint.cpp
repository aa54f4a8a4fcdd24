#include "analyze/traffic/footprint.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace ridge::analyze {
namespace {

/// One loop's part in a footprint.
struct Move {
  Polynomial step;
  std::int64_t step_value = 0;
  Known times;
};

Polynomial magnitude(const Polynomial& of, std::int64_t value) {
  return value < 0 ? of * -1 : of;
}

Known footprint_of(std::vector<Move> moves, const Cluster& cluster) {
  std::ranges::stable_sort(moves, {}, [](const Move& move) { return std::abs(move.step_value); });
  Known block{cluster.width, cluster.width_value};
  Known pieces{1, 1};
  for (const Move& move : moves) {
    const std::int64_t step = std::abs(move.step_value);
    if (step == 0 || move.times.value <= 1) {
      continue;
    }
    if (pieces.value == 1 && step - block.value < kLineBytes) {
      block.polynomial +=
          magnitude(move.step, move.step_value) * (move.times.polynomial - Polynomial(1));
      block.value += step * (move.times.value - 1);
    } else {
      pieces.polynomial *= move.times.polynomial;
      pieces.value *= move.times.value;
    }
  }
  if (pieces.value == 1) {
    return block;
  }
  if (block.value < kLineBytes) {
    block = {kLineBytes, kLineBytes};
  }
  return {pieces.polynomial * block.polynomial, pieces.value * block.value};
}

std::vector<Move> moves_from(const Walk& walk, const Cluster& cluster, std::size_t first) {
  std::vector<Move> moves;
  for (std::size_t i = first; i < walk.loops.size(); ++i) {
    const Known& step = cluster.stream->steps[i];
    moves.push_back({step.polynomial, step.value, walk.loops[i].trips});
  }
  return moves;
}

double mean_footprint(const Walk& walk, const Cluster& cluster, std::size_t first) {
  std::vector<Move> moves = moves_from(walk, cluster, first);
  for (std::size_t i = first; i < walk.loops.size(); ++i) {
    moves[i - first].times.value = std::max<std::int64_t>(1, std::llround(walk.loops[i].mean));
  }
  return static_cast<double>(std::max(footprint_of(moves, cluster).value, std::int64_t{1}));
}

/// The outermost loop inside which nothing new is touched, or the innermost one.
std::size_t first_loop(const Walk& walk, const Cluster& cluster) {
  return std::min<std::size_t>(cluster.stream->depth, walk.loops.size() - 1);
}

}  // namespace

Known footprint(const Walk& walk, const Cluster& cluster, std::size_t first, const Known& times) {
  std::vector<Move> moves = moves_from(walk, cluster, first);
  if (!moves.empty()) {
    moves.front().times = times;
  }
  return footprint_of(moves, cluster);
}

Known footprint(const Walk& walk, const Cluster& cluster, std::size_t first) {
  return footprint_of(moves_from(walk, cluster, first), cluster);
}

double base_traffic(const Walk& walk, const Cluster& cluster) {
  const auto step = static_cast<double>(std::abs(cluster.stream->steps.back().value));
  const auto width = static_cast<double>(cluster.width_value);
  const auto line = static_cast<double>(kLineBytes);
  if (step > 0.0 && step <= line) {
    return step;
  }
  // Wherever the piece begins: all lines that it may lie in, by how often it does.
  double bytes = step == 0.0 && width <= line ? line : width - std::min(width, 8.0) + line;
  for (std::size_t i = first_loop(walk, cluster); step == 0.0 && i < walk.loops.size(); ++i) {
    bytes /= std::max(1.0, walk.loops[i].mean);
  }
  return bytes;
}

std::vector<Rung> rungs_of(const Walk& walk, const Cluster& cluster, double base) {
  constexpr double kReuse = 0.9;  // less is what rows have in common at their ends
  const auto line = static_cast<double>(kLineBytes);
  std::vector<Rung> rungs;
  double inner = std::max(line, mean_footprint(walk, cluster, first_loop(walk, cluster)));
  double bytes = base;
  for (std::size_t i = first_loop(walk, cluster); i-- > 0;) {
    const double outer = std::max(line, mean_footprint(walk, cluster, i));
    const double apart = walk.loops[i].mean * inner;
    if (outer < kReuse * apart) {
      bytes *= outer / apart;
      rungs.push_back({i, bytes});
    }
    inner = outer;
  }
  return rungs;
}

}  // namespace ridge::analyze
