#include "analyze/traffic/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analyze/traffic/layer_condition.hpp"
#include "analyze/traffic/serving_caches.hpp"
#include "core/quantity/words.hpp"

namespace ridge::analyze {
namespace {

constexpr double kDiffers = 0.05;

double total(const CrossingTraffic& crossing) {
  return crossing.read + crossing.written;
}

bool differ(double conditions, double simulation, double most) {
  return std::abs(conditions - simulation) > kDiffers * std::max(conditions, simulation) &&
         std::abs(conditions - simulation) > 0.01 * most;
}

/// The same sizes with up to 512 ways, as far as sets can be joined.
Machine with_more_ways(Machine machine) {
  constexpr std::uint64_t kMostWays = 512;
  for (Cache& cache : machine.caches) {
    const std::uint64_t ways = std::max(1U, cache.ways);
    const std::uint64_t sets =
        std::max<std::uint64_t>(1, cache.size_bytes / ways / cache.line_bytes);
    std::uint64_t joined = std::max<std::uint64_t>(1, kMostWays / ways);
    while (sets % joined != 0) {
      --joined;
    }
    cache.ways = static_cast<unsigned>(ways * joined);
  }
  return machine;
}

class Explaining {
 public:
  Explaining(const LoopNest& nest, const Polynomial::Values& values, const Machine& machine,
             unsigned cores, const SimulationOptions& options)
      : nest_(&nest),
        values_(&values),
        machine_(&machine),
        cores_(cores),
        options_(options),
        caches_(serving_caches(machine, cores)),
        walk_(walk_of(nest, values)),
        conditions_(layer_conditions(nest, values)) {
    options_.budget /= 8.0;
  }

  Note reason(std::size_t boundary, double conditions, double simulation) {
    const std::string where =
        fmt::format("{}: {:.3g} bytes per iteration by simulation, {:.3g} by layer conditions",
                    to_string(caches_[boundary].beyond), simulation, conditions);
    if (auto text = row_ends(conditions, simulation)) {
      return {"row-ends", where + *text};
    }
    if (auto text = conflicts(boundary, conditions, simulation)) {
      return {"set-conflicts", where + *text};
    }
    if (auto text = limit(boundary)) {
      return {"close-to-limit", where + *text};
    }
    if (auto text = outer_reuse()) {
      return {"outer-reuse", where + *text};
    }
    return {"unexplained-difference", where + ". Trust the simulation."};
  }

 private:
  /// Of rows of so many iterations, with the gaps to the next ones where they are less than a line.
  static double lines_over_bytes(const Stream& stream, double trips) {
    const auto line = static_cast<double>(kLineBytes);
    const double row = std::abs(static_cast<double>(stream.steps.back().value)) * trips;
    const double next = std::abs(static_cast<double>(stream.steps[stream.steps.size() - 2].value));
    if (row == 0.0) {
      return 1.0;
    }
    return (next >= row && next - row < line ? next : row - 8.0 + line) / row;
  }

  /// Of rows that are walked, lines beside the bytes: a row ends within a line.
  [[nodiscard]] std::optional<std::string> row_ends(double conditions, double simulation) const {
    if (!walk_ || walk_->loops.size() < 2) {
      return std::nullopt;
    }
    const double trips = walk_->loops.back().mean;
    double most = 1.0;
    for (const Stream& stream : walk_->streams) {
      most = std::max(most, lines_over_bytes(stream, trips));
    }
    const double expected = conditions * most;
    if (simulation <= conditions ||
        std::abs(simulation - expected) > 0.5 * std::abs(simulation - conditions)) {
      return std::nullopt;
    }
    return fmt::format(
        ". Rows of {:.4g} iterations end within lines: {:.0f} % more in lines than in "
        "elements.",
        trips, 100.0 * (most - 1.0));
  }

  [[nodiscard]] std::optional<std::string> conflicts(std::size_t boundary, double conditions,
                                                     double simulation) {
    if (simulation <= conditions) {
      return std::nullopt;
    }
    if (!more_ways_) {
      more_ways_ =
          traffic_by_simulation(*nest_, *values_, with_more_ways(*machine_), cores_, options_);
    }
    if (!*more_ways_ || (*more_ways_)->crossings.size() <= boundary) {
      return std::nullopt;
    }
    const double without = total((*more_ways_)->crossings[boundary]);
    if (without > simulation - 0.5 * (simulation - conditions)) {
      return std::nullopt;
    }
    return fmt::format(
        ". With many more ways it is {:.3g}: lines meet in the same sets. Make rows a line longer.",
        without);
  }

  /// A condition that is nearly true, or only just.
  [[nodiscard]] std::optional<std::string> limit(std::size_t boundary) const {
    if (!conditions_) {
      return std::nullopt;
    }
    const auto reach = static_cast<double>(caches_[boundary].reach_bytes);
    for (const ReuseOption& option : conditions_->options) {
      const auto needed = option.bytes ? option.bytes->evaluate(*values_) : std::nullopt;
      const double part = needed ? static_cast<double>(*needed) / reach : 0.0;
      if (part > 0.6 && part < 2.0) {
        return fmt::format(
            ". The condition {} <= {} needs {:.0f} % of the cache: near its limit it "
            "is true for some lines and not for others.",
            option.bytes->text(), binary_size(static_cast<double>(caches_[boundary].reach_bytes)),
            100.0 * part);
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> outer_reuse() const {
    if (!walk_) {
      return std::nullopt;
    }
    std::vector<std::string> arrays;
    for (const Stream& stream : walk_->streams) {
      const std::int64_t step = std::abs(stream.steps.back().value);
      const bool is_still =
          std::ranges::any_of(stream.steps, [](const Known& moved) { return moved.value == 0; });
      if ((is_still || step > kLineBytes) &&
          std::ranges::find(arrays, stream.array) == arrays.end()) {
        arrays.push_back(stream.array);
      }
    }
    if (arrays.empty()) {
      return std::nullopt;
    }
    return fmt::format(
        ". Loops around come back to lines of {}, of which layer conditions know only "
        "whole iterations.",
        fmt::join(arrays, ", "));
  }

  const LoopNest* nest_;
  const Polynomial::Values* values_;
  const Machine* machine_;
  unsigned cores_;
  SimulationOptions options_;
  std::vector<ServingCache> caches_;
  Result<Walk> walk_;
  Result<LayerConditions> conditions_;
  std::optional<Result<ModelledTraffic>> more_ways_;  ///< once it was asked for
};

}  // namespace

std::vector<Note> explain_differences(const LoopNest& nest, const Polynomial::Values& values,
                                      const Machine& machine, unsigned cores,
                                      const ModelledTraffic& by_conditions,
                                      const ModelledTraffic& by_simulation,
                                      const SimulationOptions& options) {
  std::vector<Note> notes;
  const std::size_t boundaries =
      std::min(by_conditions.crossings.size(), by_simulation.crossings.size());
  double most = 0.0;
  for (std::size_t i = 0; i < boundaries; ++i) {
    most = std::max({most, total(by_conditions.crossings[i]), total(by_simulation.crossings[i])});
  }
  Explaining explaining(nest, values, machine, cores, options);
  for (std::size_t i = 0; i < boundaries; ++i) {
    const double conditions = total(by_conditions.crossings[i]);
    const double simulation = total(by_simulation.crossings[i]);
    if (differ(conditions, simulation, most)) {
      notes.push_back(explaining.reason(i, conditions, simulation));
    }
  }
  return notes;
}

}  // namespace ridge::analyze
