#include "predict/findings.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include <fmt/core.h>

#include "predict/ceilings.hpp"
#include "predict/finding_rules.hpp"

namespace ridge::predict {
namespace {

/// Most telling first: what is the bound itself, then what makes it so, then properties.
constexpr std::array<Rule, 19> kRules{
    pointer_chase,  dependency_chain,     shared_lines,    load_imbalance,
    not_vectorised, scalar_flops,         excess_traffic,  reuse_just_misses,
    strided_access, indirect_access,      poor_line_use,   write_allocate,
    divisions,      library_math,         gather_scatter,  idle_lanes,
    short_loop,     unfused_multiply_add, needs_last_level};

/// Below this share of the lowest roof no roof explains the time (decision 0043).
constexpr double kFarBelowRoof = 0.3;

using RegionById = std::map<std::uint32_t, const Region*>;

/// Readers refuse cycles; a profile in memory may have none either.
std::vector<const Region*> around(const Region& region, const RegionById& by_id) {
  std::vector<const Region*> chain{&region};
  while (chain.back()->parent && chain.size() <= by_id.size()) {
    const auto parent = by_id.find(*chain.back()->parent);
    if (parent == by_id.end() || parent->second->kind == RegionKind::program) {
      break;
    }
    chain.push_back(parent->second);
  }
  return chain;
}

RegionById index_of(const Profile& profile) {
  RegionById by_id;
  for (const Region& region : profile.regions) {
    by_id.emplace(region.id, &region);
  }
  return by_id;
}

std::vector<Finding> apply(const Subject& subject) {
  std::vector<Finding> findings;
  const RegionKind kind = subject.region.kind;
  if (kind == RegionKind::program || kind == RegionKind::library) {
    return findings;
  }
  for (const Rule rule : kRules) {
    if (auto finding = rule(subject)) {
      findings.push_back(std::move(*finding));
    }
  }
  return findings;
}

}  // namespace

double share_of(double part, double whole) {
  return whole > 0.0 ? part / whole : 0.0;
}

std::string bandwidth_bound(const Subject& subject) {
  if (subject.prediction == nullptr || !subject.prediction->code) {
    return {};
  }
  const Bound& bound = *subject.prediction->code;
  const std::string resource = resource_of(bound.ceiling);
  const bool explains = bound.fraction && *bound.fraction >= kFarBelowRoof;
  return explains && resource != "compute" && resource != "L1" ? resource : std::string();
}

std::optional<double> gain_from(const Subject& subject, double factor) {
  if (subject.prediction == nullptr || !subject.prediction->code || factor <= 1.0) {
    return std::nullopt;
  }
  const Bound& bound = *subject.prediction->code;
  double lifted = factor * bound.attainable;
  if (bound.next_attainable) {
    lifted = std::min(lifted, *bound.next_attainable);
  }
  const double gain = lifted / bound.attainable;
  return gain > 1.0 ? std::optional(gain) : std::nullopt;
}

std::string percent_text(double share) {
  constexpr double kPercent = 100.0;
  constexpr double kWhole = 0.01;
  return share < kWhole ? fmt::format("{:.2g} %", kPercent * share)
                        : fmt::format("{:.0f} %", kPercent * share);
}

std::vector<Finding> find_all(const Region& region, const Profile& profile,
                              const RegionPrediction* prediction,
                              const Microarchitecture* microarchitecture) {
  return apply({region, profile.machine, microarchitecture, prediction, profile.origins,
                around(region, index_of(profile))});
}

void set_findings(Profile& profile, const Prediction& prediction,
                  const Microarchitecture* microarchitecture) {
  const RegionById by_id = index_of(profile);
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const Region& region = profile.regions[i];
    const RegionPrediction* own = i < prediction.regions.size() ? &prediction.regions[i] : nullptr;
    profile.regions[i].findings = apply(
        {region, profile.machine, microarchitecture, own, profile.origins, around(region, by_id)});
  }
}

}  // namespace ridge::predict
