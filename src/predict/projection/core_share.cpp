#include "predict/projection/core_share.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "predict/projection/published_ceilings.hpp"
#include "predict/projection/target_machine.hpp"
#include "predict/roof/cache_geometry.hpp"
#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

/// Of what all cores do together, the part of so many, at their clock.
double share_of(const Specification& figures, unsigned cores) {
  const auto all = static_cast<unsigned>(figures.cores->value);
  const double part = cores / figures.cores->value;
  const auto own = published_clock(figures, cores);
  const auto together = published_clock(figures, all);
  const bool clocked = figures.kind == MachineKind::cpu && own && together;
  return part * (clocked ? *own / *together : 1.0);
}

void scale_published(TargetMachine& target, unsigned cores) {
  Specification& figures = target.figures;
  const double share = share_of(figures, cores);
  for (PublishedPeak& peak : figures.peaks) {
    peak.figure.value *= share;
    peak.figure.origin = Origin::modelled;
  }
  for (PublishedBandwidth& bandwidth : figures.bandwidths) {
    const PublishedCache* cache = cache_named(target, bandwidth.level);
    if (!bandwidth.cores && cache != nullptr && is_of_a_core(target, *cache)) {
      bandwidth.figure.value *= share;
      bandwidth.figure.origin = Origin::modelled;
    }
  }
}

}  // namespace

Result<void> run_on_cores(TargetMachine& target, unsigned cores) {
  Specification& figures = target.figures;
  if (!figures.cores) {
    return fail(ErrorCode::bad_input,
                fmt::format("--cores: how many cores {} has is not known", figures.key),
                "--on 'all,cores>=1' takes the machines of which it is known");
  }
  const double there = figures.cores->value;
  const char* words = figures.kind == MachineKind::gpu ? "multiprocessors" : "cores";
  if (cores >= there) {
    if (cores > there) {
      target.changes.push_back(
          fmt::format("all {:g} {} work: there are no {}", there, words, cores));
    }
    return {};
  }
  if (target.measured) {
    const auto choice = choose_threads(*target.measured, cores);
    target.threads = choice ? std::optional(choice->used) : std::nullopt;
    take_ceilings(figures, *target.measured, choice ? choice->used : cores);
  } else {
    scale_published(target, cores);
  }
  target.part_cores = there;
  figures.cores = Figure{static_cast<double>(cores), Origin::assumed, std::nullopt, true};
  target.changes.push_back(fmt::format("{} of {:g} {} work", cores, there, words));
  return {};
}

}  // namespace ridge::predict
