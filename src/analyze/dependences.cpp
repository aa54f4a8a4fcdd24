#include "analyze/dependences.hpp"

#include <optional>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

constexpr std::int64_t kMostDistance = 8;

/// Iterations of the loop from the write to the read of the same place; nullopt: it does not come
/// there within the greatest distance that is looked at.
std::optional<std::int64_t> distance(const ArrayAccess& written, const ArrayAccess& read,
                                     const LoopLevel& loop, bool is_innermost) {
  const Polynomial step = written.offset->coefficient(loop.counter) * loop.step;
  const Polynomial apart = *written.offset - *read.offset;
  if (!step.is_valid() || !apart.is_valid() ||
      written.offset->coefficient(loop.counter) != read.offset->coefficient(loop.counter)) {
    return std::nullopt;
  }
  if (step.is_zero()) {
    return is_innermost && apart.is_zero() ? std::optional<std::int64_t>(1) : std::nullopt;
  }
  for (std::int64_t iterations = 1; iterations <= kMostDistance; ++iterations) {
    if (apart == step * iterations) {
      return iterations;
    }
  }
  return std::nullopt;
}

bool is_in_the_loop(const LoopNest& nest, const ArrayAccess& access) {
  return access.depth == nest.levels.size() && access.offset && access.offset->is_valid();
}

/// The nearest write that the read waits for.
std::optional<CarriedDependence> nearest(const LoopNest& nest, const ArrayAccess& read) {
  for (auto loop = nest.levels.rbegin(); loop != nest.levels.rend(); ++loop) {
    std::optional<CarriedDependence> found;
    for (const ArrayAccess& written : nest.accesses) {
      if (!written.is_write || written.array != read.array || !is_in_the_loop(nest, written)) {
        continue;
      }
      const auto apart = distance(written, read, *loop, loop == nest.levels.rbegin());
      if (apart && (!found || *apart < found->distance)) {
        found = CarriedDependence{&written, &read, loop->counter, *apart};
      }
    }
    if (found) {
      return found;
    }
  }
  return std::nullopt;
}

std::string in_line(const ArrayAccess& access) {
  return access.line == 0 ? access.text()
                          : fmt::format("{} in line {}", access.text(), access.line);
}

}  // namespace

std::vector<CarriedDependence> carried_dependences(const LoopNest& nest) {
  std::vector<CarriedDependence> found;
  for (const ArrayAccess& read : nest.accesses) {
    if (read.is_write || !is_in_the_loop(nest, read)) {
      continue;
    }
    if (const auto dependence = nearest(nest, read)) {
      found.push_back(*dependence);
    }
  }
  return found;
}

std::vector<Note> dependence_notes(const LoopNest& nest) {
  std::vector<Note> notes;
  for (const CarriedDependence& each : carried_dependences(nest)) {
    notes.push_back({"carried-dependence",
                     fmt::format("{} waits for {}, {} iteration{} of {} before",
                                 in_line(*each.read), in_line(*each.written), each.distance,
                                 each.distance == 1 ? "" : "s", each.loop)});
  }
  return notes;
}

}  // namespace ridge::analyze
