// Findings from the kinds and widths of operations.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/findings/vector_libraries.hpp"
#include "predict/roof/ceilings.hpp"

namespace ridge::predict {
namespace {

constexpr double kMostlyScalar = 0.5;
constexpr double kUnfused = 0.5;
constexpr double kIdleLanes = 0.7;  // active share below which a finding is made
constexpr double kDivisions = 0.1;
constexpr double kMostlyNarrow = 0.5;
constexpr double kWiderPays = 1.2;

double flops_of(const Region& region, OperationKind kind) {
  double sum = 0.0;
  for (const WorkTerm& term : known_work(region).terms) {
    sum += term.kind == kind ? static_cast<double>(term.flops) : 0.0;
  }
  return sum;
}

double total_flops(const Region& region) {
  return static_cast<double>(known_work(region).total());
}

/// Share of the flops done one lane at a time; nullopt without work.
std::optional<double> scalar_share(const Region& region) {
  double scalar = 0.0;
  for (const WorkTerm& term : known_work(region).terms) {
    scalar += term.width_bits <= element_bits(term.precision) ? static_cast<double>(term.flops) : 0;
  }
  const double total = total_flops(region);
  return total > 0.0 ? std::optional(scalar / total) : std::nullopt;
}

/// Wider vectors or fewer operations cannot help a region that waits for a cache or memory.
bool arithmetic_may_help(const Subject& subject) {
  constexpr double kBehind = 0.5;  // of what a level beyond L1 needs
  if (subject.region.kind != RegionKind::loop || bandwidth_bound(subject)) {
    return false;
  }
  const Needs& needs = own_needs(subject);
  return std::none_of(needs.data.begin(), needs.data.end(), [&](const Limit& limit) {
    return limit.level != Level::L1 && needs.in_core < kBehind * limit.seconds;
  });
}

constexpr std::string_view kReorder = "reorder floating-point";
constexpr std::string_view kCall = "call instruction";

struct Advice {
  std::string_view reason;  ///< part of the compiler's message
  std::string_view advice;
};
constexpr std::array kAdvice{
    Advice{kReorder,
           "-fassociative-math -fno-signed-zeros -fno-trapping-math (or a sum in several parts) "
           "allows it"},
    Advice{
        "cannot identify array bounds",
        "restrict pointers, or `#pragma clang loop vectorize(assume_safety)` if iterations never "
        "touch each other's data"},
    Advice{"unsafe dependent memory",
           "an iteration may need what an earlier one stores: split the "
           "loop, or restrict pointers if it never does"},
    Advice{"call instruction", "inline the callee, or move the call out"},
    Advice{"number of loop iterations", "make the end of the loop known before it starts"},
    Advice{"control flow", "make the body free of early exits and jumps"},
    Advice{"not beneficial", "unit strides and wider registers (-march=native) may change that"},
};

/// Reordered sums over gathered data were measured 0.93 to 0.96 times as fast: a gather loads one
/// lane after the other, and shuffles them into a vector.
bool gathers(const Region& region) {
  constexpr double kMuch = 0.25;
  double computed = 0.0;
  double all = 0.0;
  for (const AccessTerm& term : region.accesses) {
    computed += term.pattern == AccessPattern::indirect ? static_cast<double>(term.bytes) : 0.0;
    all += static_cast<double>(term.bytes);
  }
  return share_of(computed, all) >= kMuch;
}

std::string_view advice_for(const Region& region) {
  const std::string& reason = *region.not_vectorised;
  if (reason.find(kReorder) != std::string::npos && gathers(region)) {
    return "with computed addresses a vector of it gains nothing: it would gather one lane after "
           "the other";
  }
  if (const std::string called = most_called(region); reason.find(kCall) != std::string::npos &&
                                                      has_uncounted_calls(region) &&
                                                      region.opaque.empty()) {
    return vector_advice(called);
  }
  const auto known = std::find_if(kAdvice.begin(), kAdvice.end(), [&](const Advice& entry) {
    return reason.find(entry.reason) != std::string_view::npos;
  });
  return known == kAdvice.end() ? std::string_view{} : known->advice;
}

/// Of most flops; nullopt without work.
std::optional<Precision> leading_precision(const Region& region) {
  std::map<Precision, double> flops;
  for (const WorkTerm& term : known_work(region).terms) {
    flops[term.precision] += static_cast<double>(term.flops);
  }
  const auto most = std::max_element(flops.begin(), flops.end(),
                                     [](auto& a, auto& b) { return a.second < b.second; });
  return most == flops.end() || most->second <= 0.0 ? std::nullopt : std::optional(most->first);
}

/// Flops a second with `wide` bits over those with `narrow` bits, of the same mix; nullopt when not
/// measured.
std::optional<double> rate_ratio(const Subject& subject, Precision precision, unsigned narrow,
                                 unsigned wide) {
  const auto rate = [&](unsigned bits, Operation mix) {
    const Match match = find_compute(
        subject.ceilings,
        compute_key(precision, isa_of_width(precision, bits), mix, subject.region.threads));
    return match.ceiling != nullptr && match.same_isa ? p90_of(match.ceiling->value) : 0.0;
  };
  std::optional<double> ratio;
  for (const Operation mix : kMixes) {
    const double own = rate(narrow, mix);
    const double other = rate(wide, mix);
    if (own > 0.0 && other > 0.0) {
      ratio = std::max(ratio.value_or(0.0), other / own);
    }
  }
  return ratio;
}

/// Products and sums of one chain become one operation each.
void fuse_chain(Region& region) {
  const auto find = [&](ChainOperation operation) {
    return std::find_if(region.chain.begin(), region.chain.end(),
                        [&](const ChainTerm& term) { return term.operation == operation; });
  };
  const auto product = find(ChainOperation::mul);
  const auto sum = find(ChainOperation::add);
  if (product == region.chain.end() || sum == region.chain.end()) {
    return;
  }
  const std::uint64_t pairs = std::min(product->operations, sum->operations);
  product->operations -= pairs;
  sum->operations -= pairs;
  region.chain.push_back({ChainOperation::fma, product->precision, false, pairs});
}

/// Half of the fusible flops are products, half sums: taken from each width in proportion.
Region fused(Region region) {
  const double each = static_cast<double>(region.fusible_flops.value_or(0)) / 2.0;
  const double products = flops_of(region, OperationKind::mul);
  const double sums = flops_of(region, OperationKind::add);
  const double pairs = std::min({each, products, sums});
  Work work;
  work.other = known_work(region).other;
  for (const WorkTerm& term : known_work(region).terms) {
    const bool product = term.kind == OperationKind::mul;
    const double of_kind = product ? products : sums;
    if ((!product && term.kind != OperationKind::add) || of_kind <= 0.0) {
      work.add(term.precision, term.kind, term.width_bits, term.flops);
      continue;
    }
    const auto taken =
        static_cast<std::uint64_t>(static_cast<double>(term.flops) * pairs / of_kind);
    work.add(term.precision, term.kind, term.width_bits, term.flops - std::min(taken, term.flops));
    work.add(term.precision, OperationKind::fma, term.width_bits, std::min(taken, term.flops));
  }
  region.flops = std::move(work);
  fuse_chain(region);
  return region;
}

/// Some of the chain must keep its order.
bool is_recurrence(const Region& region) {
  return std::any_of(region.chain.begin(), region.chain.end(), [](const ChainTerm& term) {
    return term.operation != ChainOperation::load && !term.reduction;
  });
}

bool has_fma(const Machine& machine) {
  return std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::compute && ceiling.operation == Operation::fma;
  });
}

}  // namespace

std::optional<Finding> not_vectorised(const Subject& subject) {
  const Region& region = subject.region;
  const auto scalar = scalar_share(region);
  if (!region.not_vectorised || !scalar || *scalar < kMostlyScalar) {
    return std::nullopt;
  }
  std::string text =
      fmt::format("the compiler did not vectorise this loop: {}", *region.not_vectorised);
  if (const auto advice = advice_for(region); !advice.empty()) {
    text += fmt::format("; {}", advice);
  }
  return Finding{"not-vectorised", text, {{"scalar_share", *scalar}}, {}, subject.origins.flops};
}

std::optional<Finding> scalar_flops(const Subject& subject) {
  const auto scalar = scalar_share(subject.region);
  // Where the compiler said why, `not-vectorised` says it.
  if (!scalar || *scalar < kMostlyScalar || !arithmetic_may_help(subject) ||
      subject.region.not_vectorised) {
    return std::nullopt;
  }
  return Finding{"scalar-flops",
                 fmt::format("{} of the flops are done one at a time instead of in vectors",
                             percent_text(*scalar)),
                 {{"scalar_share", *scalar}, {"flops", total_flops(subject.region)}},
                 {},
                 subject.origins.flops};
}

std::optional<Gain> gain_of_vectors(const Subject& subject, const Finding& /*finding*/) {
  const Region& region = subject.region;
  const auto precision = leading_precision(region);
  const auto bits =
      precision ? fastest_width(subject.ceilings, *precision, region.threads) : std::nullopt;
  if (!bits) {
    return std::nullopt;
  }
  // What waits for the iteration before cannot be done several at a time, nor what is gathered.
  if (gathers(region)) {
    return Gain{};
  }
  if (dependency_chain(subject) && is_recurrence(region)) {
    return Gain{};
  }
  // Without another -march vectors of 128 bit are what the compiler may use.
  constexpr unsigned kBaseline = 128;
  return both(gain_with(subject, widened(region, kBaseline)),
              gain_with(subject, widened(region, *bits)));
}

std::optional<Finding> narrow_vectors(const Subject& subject) {
  const Region& region = subject.region;
  const auto precision = leading_precision(region);
  const auto best =
      precision ? fastest_width(subject.ceilings, *precision, region.threads) : std::nullopt;
  if (!best || !arithmetic_may_help(subject)) {
    return std::nullopt;
  }
  double narrow = 0.0;
  std::map<unsigned, double> by_width;
  for (const WorkTerm& term : known_work(region).terms) {
    if (term.width_bits > element_bits(term.precision) && term.width_bits < *best) {
      narrow += static_cast<double>(term.flops);
      by_width[term.width_bits] += static_cast<double>(term.flops);
    }
  }
  const double share = share_of(narrow, total_flops(region));
  if (share < kMostlyNarrow) {
    return std::nullopt;
  }
  const auto width = std::max_element(by_width.begin(), by_width.end(), [](auto& a, auto& b) {
                       return a.second < b.second;
                     })->first;
  const auto wider = rate_ratio(subject, *precision, width, *best);
  if (!wider || *wider < kWiderPays) {
    return std::nullopt;
  }
  const std::string_view how = *best > 256 && width == 256
                                   ? "-mprefer-vector-width=512 with -march=native"
                                   : "-march=native, or the -march of where it will run";
  return Finding{
      "narrow-vectors",
      fmt::format("{} of the flops are done in vectors of {} bit at most; with {} bit "
                  "this machine does {} times as many a second ({})",
                  percent_text(share), by_width.rbegin()->first, *best, factor_text(*wider), how),
      {{"narrow_share", share},
       {"width_bits", static_cast<double>(width)},
       {"best_width_bits", static_cast<double>(*best)},
       {"rate_ratio", *wider}},
      {},
      subject.origins.flops};
}

std::optional<Gain> gain_of_wider_vectors(const Subject& subject, const Finding& finding) {
  return gain_with(subject, widened(subject.region,
                                    static_cast<unsigned>(finding.evidence.at("best_width_bits"))));
}

std::optional<Finding> unfused_multiply_add(const Subject& subject) {
  const Region& region = subject.region;
  const double fma = flops_of(region, OperationKind::fma);
  const double fusible =
      share_of(static_cast<double>(region.fusible_flops.value_or(0)), total_flops(region));
  if (!region.fusible_flops || fusible < kUnfused || !has_fma(subject.machine) ||
      !arithmetic_may_help(subject)) {
    return std::nullopt;
  }
  return Finding{"unfused-multiply-add",
                 fmt::format("{} of the flops are products and the sums they feed, done apart; "
                             "this machine does both in one FMA (-march=native, "
                             "-ffp-contract=fast)",
                             percent_text(fusible)),
                 {{"fusible_share", fusible}, {"fma_share", share_of(fma, total_flops(region))}},
                 {},
                 subject.origins.flops};
}

std::optional<Gain> gain_of_fusing(const Subject& subject, const Finding& /*finding*/) {
  return gain_with(subject, fused(subject.region));
}

std::optional<Finding> idle_lanes(const Subject& subject) {
  const auto& masked = subject.region.masked;
  if (!masked || masked->operations == 0 || masked->lanes == 0) {
    return std::nullopt;
  }
  const auto operations = static_cast<double>(masked->operations);
  const double lanes = static_cast<double>(masked->lanes) / operations;
  const double active = static_cast<double>(masked->active_lanes) / operations;
  if (active >= kIdleLanes * lanes) {
    return std::nullopt;
  }
  return Finding{
      "idle-lanes",
      fmt::format("operations under a mask use {:.1f} of {:.1f} lanes on average: "
                  "branches or short inner loops leave the others idle",
                  active, lanes),
      {{"mean_active_lanes", active}, {"mean_lanes", lanes}, {"masked_operations", operations}},
      {},
      subject.origins.flops};
}

std::optional<Gain> gain_of_all_lanes(const Subject& subject, const Finding& /*finding*/) {
  Region changed = subject.region;
  changed.masked.reset();
  auto gain = gain_with(subject, changed);
  if (gain) {
    gain->least = 1.0;  // how much of the arithmetic stands under the mask is not known
  }
  return gain;
}

std::optional<Finding> divisions(const Subject& subject) {
  const Region& region = subject.region;
  const double slow = flops_of(region, OperationKind::div) + flops_of(region, OperationKind::sqrt);
  const double share = share_of(slow, total_flops(region));
  if (share < kDivisions || bandwidth_bound(subject)) {
    return std::nullopt;
  }
  return Finding{"divisions",
                 fmt::format("{} of the flops are divisions or square roots, which take several "
                             "times as long as other operations: multiply by a reciprocal where "
                             "rounding allows (computed once if the divisor does not change, else "
                             "-mrecip)",
                             percent_text(share)),
                 {{"share", share}, {"operations", slow}},
                 {},
                 subject.origins.flops};
}

std::optional<Gain> gain_without_divisions(const Subject& subject, const Finding& /*finding*/) {
  Region changed = subject.region;
  Work work;
  work.other = known_work(changed).other;
  for (const WorkTerm& term : known_work(changed).terms) {
    const bool divides = term.kind == OperationKind::div;
    work.add(term.precision, divides ? OperationKind::mul : term.kind, term.width_bits, term.flops);
  }
  changed.flops = std::move(work);
  for (ChainTerm& term : changed.chain) {
    term.operation = term.operation == ChainOperation::div ? ChainOperation::mul : term.operation;
  }
  return gain_with(subject, changed);
}

}  // namespace ridge::predict
