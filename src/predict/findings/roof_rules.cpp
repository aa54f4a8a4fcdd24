// Findings from the roof: reached, exceeded, or lower than it need be.
#include <algorithm>
#include <string>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/findings/roof_words.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/judged_time.hpp"
#include "predict/roof/memory.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

constexpr double kMorePays = 1.2;
constexpr double kWorthSharing = 1e-5;  // s per entry: a parallel region costs some microseconds
constexpr double kSaturated = 0.95;
constexpr double kMostOfProgram = 0.5;

std::string reason_of(const Subject& subject) {
  for (const Note& note : subject.prediction->notes) {
    if (note.code == "above-roof") {
      return note.text;
    }
  }
  return {};
}

/// Work of half the precision would lie below its roof.
bool lower_precision_fits(const Subject& subject) {
  Region lower = subject.region;
  for (WorkTerm& term : work_of(lower).terms) {
    if (term.precision != Precision::fp64) {
      return false;
    }
    term.precision = Precision::fp32;
  }
  const auto other = roof_of(lower, subject.ceilings, subject.microarchitecture).prediction;
  return other.code && other.code->fraction && *other.code->fraction <= 1.0 &&
         find_compute(subject.ceilings,
                      {"fp32", kWidestIsa, Operation::fma, subject.region.threads})
                 .ceiling != nullptr;
}

/// What lifts the roof of this level; absent: of arithmetic.
std::string what_raises(const Subject& subject, std::optional<Level> level) {
  if (!level) {
    return "only fewer or cheaper operations raise it";
  }
  if (level == Level::L1) {
    return "only fewer loads and stores per operation raise it (register blocking)";
  }
  return is_memory(subject.machine, *level)
             ? "only less traffic raises it (blocking, fusing loops, smaller types)"
             : fmt::format(
                   "only less {} traffic raises it (blocking, so that data stay one level "
                   "further in)",
                   to_string(*level));
}

/// What else the machine has that this code leaves unused; empty: nothing of weight.
std::string unused_by(const Subject& subject) {
  const auto& best = subject.prediction->machine;
  const Bound& code = *subject.prediction->code;
  if (!best || best->attainable < kMorePays * code.attainable) {
    return {};
  }
  const Ceiling* own = find_ceiling(subject.machine, code.ceiling);
  const Ceiling* other = find_ceiling(subject.machine, best->ceiling);
  if (own == nullptr || other == nullptr) {
    return {};
  }
  const std::string ratio =
      fmt::format("{} times the roof", factor_text(best->attainable / code.attainable));
  if (subject.region.threads < other->threads) {
    return fmt::format("more threads (up to {}, with the best instructions {})", other->threads,
                       ratio);
  }
  return own->isa != other->isa ? fmt::format("wider vectors and FMA ({})", ratio) : std::string();
}

/// Bytes a second of this traffic with so many threads; nullopt when not measured.
std::optional<double> rate_with(const Subject& subject, Level level, unsigned threads) {
  std::vector<Note> unused;
  const Traffic traffic = boundary_traffic(subject.region, level, subject.machine);
  const auto limit = boundary_limit(traffic, level, subject.ceilings, threads, unused);
  return limit ? std::optional(bytes_of(traffic) / limit->seconds) : std::nullopt;
}

struct Scaling {
  double here = 0.0;     ///< byte/s with the region's threads
  double most = 0.0;     ///< with the thread count that reaches most
  unsigned threads = 0;  ///< the fewest that reach 95 % of it
};

std::optional<Scaling> scaling_of(const Subject& subject, Level level) {
  const auto here = rate_with(subject, level, subject.region.threads);
  if (!here) {
    return std::nullopt;
  }
  Scaling scaling{*here, *here, subject.region.threads};
  const auto& counts = subject.ceilings.threads();
  for (const unsigned threads : counts) {
    scaling.most = std::max(scaling.most, rate_with(subject, level, threads).value_or(0.0));
  }
  for (auto threads = counts.rbegin(); threads != counts.rend(); ++threads) {
    const bool reaches =
        rate_with(subject, level, *threads).value_or(0.0) >= kSaturated * scaling.most;
    scaling.threads = reaches && *threads > subject.region.threads ? *threads : scaling.threads;
  }
  return scaling;
}

}  // namespace

std::optional<Finding> above_roof(const Subject& subject) {
  const auto fraction = roof_fraction(subject);
  const auto seconds = measured_seconds(subject.region);
  // At the upper end of the time, too: otherwise the time alone may be the reason.
  if (!fraction || *fraction <= kAboveRoof || !seconds ||
      *fraction * *seconds <= kAboveRoof * judged_time(subject.region)->time.high.value()) {
    return std::nullopt;
  }
  std::string text = reason_of(subject);
  if (subject.share_above_roof >= kMostOfProgram) {
    text = fmt::format(
        "{} of its {}, like most of this program: the machine file ({}) is "
        "probably that of another machine or of a slow moment; measure it anew with "
        "ridge bench",
        percent_text(*fraction),
        roof_words(subject.region, *subject.prediction->code, subject.machine),
        subject.machine.name);
  } else if (!binding_level(subject) && subject.origins.flops != Origin::counted &&
             lower_precision_fits(subject)) {
    text = fmt::format(
        "{} of its arithmetic roof as fp64, below that of fp32: the precision of "
        "its flops is probably given wrongly",
        percent_text(*fraction));
  }
  return Finding{"above-roof",
                 text,
                 {{"fraction", *fraction}, {"share_of_time_above", subject.share_above_roof}},
                 {},
                 Origin::modelled};
}

std::optional<Finding> at_roof(const Subject& subject) {
  const auto fraction = roof_fraction(subject);
  if (!fraction || *fraction < kAtRoof || *fraction > kAboveRoof ||
      !measured_seconds(subject.region)) {
    return std::nullopt;
  }
  const std::string unused = unused_by(subject);
  const Bound& bound = *subject.prediction->code;
  Finding finding{"at-roof",
                  fmt::format("at {} of its {}: {}{}", percent_text(*fraction),
                              roof_words(subject.region, bound, subject.machine),
                              what_raises(subject, binding_level(subject)),
                              unused.empty() ? "" : fmt::format(", or {}", unused)),
                  {{"fraction", *fraction}},
                  {},
                  Origin::modelled};
  if (bound.next_attainable) {
    finding.evidence["next_roof_over_roof"] = *bound.next_attainable / bound.attainable;
  }
  return finding;
}

std::optional<Finding> few_threads(const Subject& subject) {
  const Region& region = subject.region;
  const auto level = bandwidth_bound(subject);
  const auto seconds = measured_seconds(region);
  if (!level || !seconds || region.kind != RegionKind::loop || region.entries.value_or(0) == 0) {
    return std::nullopt;
  }
  const double each = *seconds / static_cast<double>(*region.entries);
  const auto scaling = scaling_of(subject, *level);
  if (!scaling || scaling->threads <= region.threads || scaling->most < kMorePays * scaling->here ||
      each < kWorthSharing) {
    return std::nullopt;
  }
  return Finding{
      "few-threads",
      fmt::format("{} thread{} can draw at most {} from {} with this mix of reads and "
                  "writes, {} threads {}: share the iterations, if they are independent",
                  region.threads, region.threads == 1 ? "" : "s", amount_text(scaling->here, "B/s"),
                  to_string(*level), scaling->threads, amount_text(scaling->most, "B/s")),
      {{"threads", static_cast<double>(region.threads)},
       {"threads_to_saturate", static_cast<double>(scaling->threads)},
       {"bytes_per_second", scaling->here},
       {"most_bytes_per_second", scaling->most},
       {"seconds_per_entry", each}},
      {},
      Origin::modelled};
}

std::optional<Gain> gain_of_threads(const Subject& subject, const Finding& finding) {
  Region changed = subject.region;
  changed.threads = static_cast<unsigned>(finding.evidence.at("threads_to_saturate"));
  return gain_with(subject, changed);
}

}  // namespace ridge::predict
