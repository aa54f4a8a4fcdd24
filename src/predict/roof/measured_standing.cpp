#include "predict/roof/measured_standing.hpp"

#include <string>

#include <fmt/format.h>

#include "core/identity/level.hpp"
#include "core/quantity/percent.hpp"

namespace ridge::predict {
namespace {

constexpr double kNear = 0.8;       // of what is attainable
constexpr double kRounding = 1e-6;  // of figures that were written down

RoofStanding standing_of(double share, double seconds, double sum_seconds) {
  if (share > 1.0 + kRounding) {
    return RoofStanding::above_roof;
  }
  if (share >= kNear) {
    return RoofStanding::near_roof;
  }
  return seconds <= sum_seconds * (1.0 + kRounding) ? RoofStanding::in_interval
                                                    : RoofStanding::below;
}

std::string share_text(double share) {
  return share < 0.01 ? percent_text(share) : fmt::format("{:.1f} %", 100.0 * share);
}

std::string resource_words(const ResourceTime& resource) {
  return resource.resource == "compute"  ? "arithmetic"
         : resource.resource == "launch" ? "the latency of the launch"
                                         : fmt::format("{} bandwidth", resource.resource);
}

/// What can be wrong with a value above its roof.
std::string why_above(const ResourceTime& binding) {
  if (binding.resource == "launch") {
    return "the time is that of the kernel alone, without its launch (--launches 0)";
  }
  return binding.resource == "compute"
             ? "less work was done than counted, the clock is above that of the peak, or the peak "
               "is not a limit"
             : fmt::format(
                   "fewer bytes crossed than counted (a cache kept them), more work was counted "
                   "than done, or the {} rate is not a limit",
                   binding.resource);
}

/// Which share of which roof, and what follows from it.
std::string standing_sentence(const ResourcePrediction& prediction) {
  const ResourceTime& binding = prediction.resources[*prediction.binding];
  const std::string share = share_text(prediction.measured->share);
  switch (prediction.measured->standing) {
    case RoofStanding::above_roof:
      return fmt::format("above the roof, at {} of it: {}", share, why_above(binding));
    case RoofStanding::near_roof:
      return fmt::format("near the roof, at {} of it: {} binds; it becomes faster with {}", share,
                         resource_words(binding),
                         binding.resource == "compute"  ? "less work or a higher peak"
                         : binding.resource == "launch" ? "fewer launches"
                                                        : "fewer bytes or a higher bandwidth");
    case RoofStanding::in_interval:
      return fmt::format(
          "at {} of the roof, no longer than the resources take one after the other: they do not "
          "overlap fully",
          share);
    case RoofStanding::below:
      break;
  }
  return fmt::format(
      "at {} of the roof, and longer than the resources take one after the other: latency, "
      "imbalance, more traffic than counted, or a resource that is not in the model",
      share);
}

}  // namespace

void stand_against(ResourcePrediction& prediction, double seconds) {
  if (!prediction.seconds) {
    return;
  }
  const double share = *prediction.seconds / seconds;
  prediction.measured = MeasuredTime{seconds,
                                     prediction.work / seconds,
                                     share,
                                     standing_of(share, seconds, *prediction.sum_seconds),
                                     {}};
  prediction.measured->sentence = standing_sentence(prediction);
  for (ResourceTime& resource : prediction.resources) {
    resource.used = resource.amount > 0.0 ? (resource.seconds - resource.latency) / seconds : 0.0;
  }
}

std::optional<Solved> needed_rate(const ResourcePrediction& prediction, std::string_view resource,
                                  double seconds) {
  for (const ResourceTime& candidate : prediction.resources) {
    const bool compute = candidate.resource == "compute";
    const bool wanted = candidate.resource == resource || (resource == "peak" && compute) ||
                        (resource == "bandwidth" && names_memory_level(candidate.resource));
    if (wanted && candidate.amount > 0.0 && seconds > candidate.latency) {
      return Solved{compute ? "peak" : fmt::format("{} bandwidth", candidate.resource),
                    candidate.amount / (seconds - candidate.latency), candidate.unit + "/s"};
    }
  }
  return std::nullopt;
}

std::optional<Solved> time_at_share(const ResourcePrediction& prediction, double share) {
  return prediction.seconds ? std::optional(Solved{"time", *prediction.seconds / share, "s"})
                            : std::nullopt;
}

}  // namespace ridge::predict
