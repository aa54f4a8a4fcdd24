// Findings from the kinds and widths of operations.
#include <algorithm>
#include <array>
#include <string>

#include <fmt/core.h>

#include "predict/finding_rules.hpp"

namespace ridge::predict {
namespace {

constexpr double kMostlyScalar = 0.5;
constexpr double kUnfused = 0.5;
constexpr double kIdleLanes = 0.7;  // active share below which a finding is made
constexpr double kDivisions = 0.1;
constexpr double kCallsPerIteration = 0.1;
constexpr double kShortLoop = 8.0;
constexpr double kManyEntries = 1000.0;

double flops_of(const Region& region, OperationKind kind) {
  double sum = 0.0;
  for (const WorkTerm& term : region.flops.terms) {
    sum += term.kind == kind ? static_cast<double>(term.flops) : 0.0;
  }
  return sum;
}

double total_flops(const Region& region) {
  return static_cast<double>(region.flops.total());
}

/// Share of the flops done one lane at a time; nullopt without work.
std::optional<double> scalar_share(const Region& region) {
  double scalar = 0.0;
  for (const WorkTerm& term : region.flops.terms) {
    scalar += term.width_bits <= element_bits(term.precision) ? static_cast<double>(term.flops) : 0;
  }
  const double total = total_flops(region);
  return total > 0.0 ? std::optional(scalar / total) : std::nullopt;
}

/// Wider vectors or fewer operations cannot help a region that waits for a cache or memory.
bool arithmetic_matters(const Subject& subject) {
  return subject.region.kind == RegionKind::loop && bandwidth_bound(subject).empty();
}

struct Advice {
  std::string_view reason;  ///< part of the compiler's message
  std::string_view advice;
};
constexpr std::array kAdvice{
    Advice{"reorder floating-point",
           "-fassociative-math -fno-signed-zeros -fno-trapping-math (or a sum in several parts) "
           "allows it"},
    Advice{
        "cannot identify array bounds",
        "restrict pointers, or `#pragma clang loop vectorize(assume_safety)` if iterations never "
        "touch each other's data"},
    Advice{"unsafe dependent memory",
           "an iteration may need what an earlier one stores: split the "
           "loop, or restrict pointers if it never does"},
    Advice{"call instruction",
           "inline the callee, move the call out, or use a vector library "
           "(-fveclib=)"},
    Advice{"number of loop iterations", "make the end of the loop known before it starts"},
    Advice{"control flow", "make the body free of early exits and jumps"},
    Advice{"not beneficial", "unit strides and wider registers (-march=native) may change that"},
};

std::string_view advice_for(std::string_view reason) {
  const auto known = std::find_if(kAdvice.begin(), kAdvice.end(), [&](const Advice& entry) {
    return reason.find(entry.reason) != std::string_view::npos;
  });
  return known == kAdvice.end() ? std::string_view{} : known->advice;
}

bool is_math_call(std::string_view name) {
  constexpr std::array<std::string_view, 5> kOthers{"memcpy", "memmove", "memset", "atomicrmw",
                                                    "cmpxchg"};
  return std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end();
}

bool has_fma(const Machine& machine) {
  return std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [](const Ceiling& ceiling) {
    return ceiling.kind == CeilingKind::compute && ceiling.operation == "fma";
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
  if (const auto advice = advice_for(*region.not_vectorised); !advice.empty()) {
    text += fmt::format("; {}", advice);
  }
  return Finding{"not-vectorised", text, {{"scalar_share", *scalar}}, {}, subject.origins.flops};
}

std::optional<Finding> scalar_flops(const Subject& subject) {
  const auto scalar = scalar_share(subject.region);
  if (!scalar || *scalar < kMostlyScalar || !arithmetic_matters(subject)) {
    return std::nullopt;
  }
  return Finding{"scalar-flops",
                 fmt::format("{} of the flops are done one at a time instead of in vectors",
                             percent_text(*scalar)),
                 {{"scalar_share", *scalar}, {"flops", total_flops(subject.region)}},
                 {},
                 subject.origins.flops};
}

std::optional<Finding> unfused_multiply_add(const Subject& subject) {
  const Region& region = subject.region;
  const double fma = flops_of(region, OperationKind::fma);
  const double fusible =
      share_of(static_cast<double>(region.fusible_flops.value_or(0)), total_flops(region));
  if (!region.fusible_flops || fusible < kUnfused || !has_fma(subject.machine) ||
      !arithmetic_matters(subject)) {
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

std::optional<Finding> divisions(const Subject& subject) {
  const Region& region = subject.region;
  const double slow = flops_of(region, OperationKind::div) + flops_of(region, OperationKind::sqrt);
  const double share = share_of(slow, total_flops(region));
  if (share < kDivisions || !bandwidth_bound(subject).empty()) {
    return std::nullopt;
  }
  return Finding{"divisions",
                 fmt::format("{} of the flops are divisions or square roots, which take several "
                             "times as long as other operations: multiply by a reciprocal that is "
                             "computed once, where rounding allows",
                             percent_text(share)),
                 {{"share", share}, {"operations", slow}},
                 {},
                 subject.origins.flops};
}

std::optional<Finding> library_math(const Subject& subject) {
  const Region& region = subject.region;
  double calls = 0.0;
  std::string most;
  std::uint64_t most_calls = 0;
  for (const auto& [name, count] : region.calls) {
    if (is_math_call(name)) {
      calls += static_cast<double>(count);
      most = count > most_calls ? name : most;
      most_calls = std::max(most_calls, count);
    }
  }
  const double iterations = static_cast<double>(region.iterations.value_or(0));
  if (iterations <= 0.0 || calls < kCallsPerIteration * iterations) {
    return std::nullopt;
  }
  return Finding{"library-math",
                 fmt::format("{:.2g} calls of mathematical functions per iteration (most of them "
                             "{}), whose work is not in the flops: a vector library (-fveclib=) "
                             "computes several at a time",
                             calls / iterations, most),
                 {{"calls", calls}, {"calls_per_iteration", calls / iterations}},
                 {},
                 subject.origins.flops};
}

std::optional<Finding> short_loop(const Subject& subject) {
  const Region& region = subject.region;
  const auto entries = static_cast<double>(region.entries);
  if (region.kind != RegionKind::loop || !region.iterations || entries < kManyEntries) {
    return std::nullopt;
  }
  const double mean = static_cast<double>(*region.iterations) / entries;
  if (mean >= kShortLoop || mean <= 0.0) {
    return std::nullopt;
  }
  return Finding{"short-loop",
                 fmt::format("{:.2g} iterations on average each time the loop is entered: entering "
                             "and leaving it weighs as much as its work",
                             mean),
                 {{"mean_iterations", mean}, {"entries", entries}},
                 {},
                 subject.origins.flops};
}

}  // namespace ridge::predict
