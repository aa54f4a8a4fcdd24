#include "bench/roof.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace ridge::bench {
namespace {

constexpr double kReach = 16.0;
constexpr int kPointsBesideKnee = 7;
constexpr unsigned kMostFmas = 256;  ///< the loop has to stay in the cache of decoded instructions

double ratio_of(const Mix& mix) {
  return static_cast<double>(mix.fmas) / mix.loads;
}

/// The nearest mix to a ratio, in the shortest loop.
Mix nearest(double ratio) {
  Mix best{8, 1};
  for (const unsigned loads : {1U, 2U, 4U, 8U}) {
    const double fmas = std::clamp(std::round(ratio * loads), 1.0, double{kMostFmas});
    const Mix mix{loads, static_cast<unsigned>(fmas)};
    const auto error = [&](const Mix& m) { return std::abs(std::log(ratio_of(m) / ratio)); };
    // Longer loops only where they come nearer by more than rounding.
    if (error(mix) < error(best) - 1e-9 ||
        (error(mix) <= error(best) + 1e-9 && mix.loads < best.loads)) {
      best = mix;
    }
  }
  return best;
}

bool is_of(const PlannedKernel& planned, std::variant<Operation, Pattern> what, Isa isa) {
  return planned.kernel->is(what) && planned.isa == isa && planned.precision == Precision::fp64;
}

}  // namespace

std::vector<RoofPlan> roofs_of(const std::vector<PlannedKernel>& planned, Isa widest) {
  std::vector<RoofPlan> roofs;
  for (const PlannedKernel& load : planned) {
    if (!is_of(load, Pattern::load, widest)) {
      continue;
    }
    const auto fma = std::find_if(planned.begin(), planned.end(), [&](const auto& candidate) {
      return is_of(candidate, Operation::fma, widest) && candidate.threads == load.threads;
    });
    if (fma != planned.end()) {
      roofs.push_back({*fma, load});
    }
  }
  return roofs;
}

std::vector<Mix> mixes_around(double knee) {
  const double low = std::max(knee / kReach, 1.0 / 8.0);
  const double high = std::min(knee * kReach, double{kMostFmas});
  std::vector<Mix> mixes;
  const auto add = [&](double ratio) {
    const Mix mix = nearest(ratio);
    if (mixes.empty() || ratio_of(mix) > ratio_of(mixes.back()) * 1.001) {
      mixes.push_back(mix);
    }
  };
  for (int i = 0; i < kPointsBesideKnee && low < knee; ++i) {
    add(low * std::pow(knee / low, static_cast<double>(i) / kPointsBesideKnee));
  }
  add(std::clamp(knee, 1.0 / 8.0, double{kMostFmas}));
  for (int i = 1; i <= kPointsBesideKnee && high > knee; ++i) {
    add(knee * std::pow(high / knee, static_cast<double>(i) / kPointsBesideKnee));
  }
  return mixes;
}

PlannedKernel roof_point(const RoofPlan& roof, const Kernel& kernel) {
  PlannedKernel point = roof.bandwidth;
  point.kernel = &kernel;
  point.id = fmt::format("roof.{}.{}.{}.t{}.{}-{}", ridge::to_string(*point.level),
                         ridge::to_string(point.precision), to_string(point.isa), point.threads,
                         kernel.mix.fmas, kernel.mix.loads);
  return point;
}

double ideal_roof(double compute, double bandwidth, double intensity) {
  return std::min(compute, intensity * bandwidth);
}

}  // namespace ridge::bench
