// Findings on calls and on entering loops.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

#include <fmt/core.h>

#include "predict/findings/finding_rules.hpp"
#include "predict/findings/vector_libraries.hpp"

namespace ridge::predict {
namespace {

constexpr double kCallsPerIteration = 0.1;
constexpr double kShortLoop = 8.0;
constexpr double kIsALoop = 1.5;  // one that hardly ever repeats costs a branch
constexpr double kDense = 1e-6;   // s of CPU time for each call
constexpr double kManyEntries = 1000.0;
constexpr double kManyCalls = 1e5;
constexpr std::string_view kCallInTheWay = "call instruction";
constexpr double kFewCycles = 20.0;  // a call, its prologue and its return cost some five

bool is_math_call(std::string_view name) {
  constexpr std::array<std::string_view, 5> kOthers{"memcpy", "memmove", "memset", "atomicrmw",
                                                    "cmpxchg"};
  return std::find(kOthers.begin(), kOthers.end(), name) == kOthers.end();
}

struct Named {
  double calls = 0.0;
  std::string most;
};

/// All of those that `fits` accepts, and the name of most of them.
template <class Fits>
Named sum_of(const std::map<std::string, std::uint64_t>& counts, const Fits& fits) {
  Named sum;
  std::uint64_t most = 0;
  for (const auto& [name, count] : counts) {
    if (fits(name)) {
      sum.calls += static_cast<double>(count);
      sum.most = count > most ? name : sum.most;
      most = std::max(most, count);
    }
  }
  return sum;
}

/// So many calls that they take part in the region's time; true where that is not known.
bool are_dense(const Region& region, double calls) {
  const auto seconds = cpu_seconds(region);
  return !seconds || *seconds <= kDense * calls;
}

bool is_any(std::string_view /*name*/) {
  return true;
}

/// So many in each iteration that they take part in the region's time.
bool take_time(const Region& region, double calls) {
  const double iterations = static_cast<double>(region.iterations.value_or(0));
  return iterations > 0.0 && calls >= kCallsPerIteration * iterations && are_dense(region, calls);
}

/// What stands in the way of a vector first, then the library.
std::string advice_on(const Region& region, std::string_view function) {
  const bool could_be_vector =
      !region.not_vectorised || region.not_vectorised->find(kCallInTheWay) != std::string::npos;
  return could_be_vector || vector_form(function) == VectorForm::none
             ? std::string(vector_advice(function))
             : fmt::format("a vector library helps only once the loop is one of vectors ({})",
                           *region.not_vectorised);
}

}  // namespace

bool has_uncounted_calls(const Region& region) {
  return take_time(region,
                   sum_of(region.calls, is_math_call).calls + sum_of(region.opaque, is_any).calls);
}

std::string most_called(const Region& region) {
  const Named math = sum_of(region.calls, is_math_call);
  const Named opaque = sum_of(region.opaque, is_any);
  return math.calls >= opaque.calls ? math.most : opaque.most;
}

std::optional<Finding> library_math(const Subject& subject) {
  const Region& region = subject.region;
  const auto [calls, most] = sum_of(region.calls, is_math_call);
  const double iterations = static_cast<double>(region.iterations.value_or(0));
  if (iterations <= 0.0 || calls < kCallsPerIteration * iterations || !are_dense(region, calls)) {
    return std::nullopt;
  }
  // What is a vector already is not made one.
  const bool wide = most.starts_with("_ZGV") || most.starts_with("__svml_");
  return Finding{
      "library-math",
      fmt::format("{:.2g} call{} of mathematical functions per iteration (most of them "
                  "{}), whose work is not in the flops{}{}",
                  calls / iterations, fmt::format("{:.2g}", calls / iterations) == "1" ? "" : "s",
                  most, wide ? "" : ": ", wide ? "" : advice_on(region, most)),
      {{"calls", calls}, {"calls_per_iteration", calls / iterations}},
      {},
      subject.origins.flops};
}

std::optional<Finding> opaque_calls(const Subject& subject) {
  const Region& region = subject.region;
  const auto [calls, most] = sum_of(region.opaque, [](std::string_view) { return true; });
  const auto iterations = static_cast<double>(region.iterations.value_or(0));
  if (iterations <= 0.0 || calls < kCallsPerIteration * iterations || !cpu_seconds(region) ||
      !are_dense(region, calls)) {
    return std::nullopt;
  }
  return Finding{
      "opaque-calls",
      fmt::format(
          "calls per iteration of code that Ridge cannot see: {:.2g} (most of them {}); its "
          "work is not counted here; compile it with ridge-cc too, or move it out of the loop",
          calls / iterations, most),
      {{"calls", calls}, {"calls_per_iteration", calls / iterations}},
      {},
      subject.origins.flops};
}

std::optional<Finding> small_function(const Subject& subject) {
  const Region& region = subject.region;
  const auto entries = static_cast<double>(region.entries.value_or(0));
  const auto& clock = subject.machine.clock.core;
  const auto& time =
      region.cpu_seconds.inclusive ? region.cpu_seconds.inclusive : region.cpu_seconds.self;
  constexpr std::uint64_t kEnoughSamples = 20;
  if (region.kind != RegionKind::function || entries < kManyCalls || !clock || !time ||
      time->samples < kEnoughSamples) {
    return std::nullopt;
  }
  const double cycles = time->value.value() * clock->p90.value() / entries;
  if (cycles > kFewCycles || cycles <= 0.0) {
    return std::nullopt;
  }
  return Finding{"small-function",
                 fmt::format("called {} times, {:.2g} cycles each: the call weighs as much as "
                             "its work, and loops around it are not vectorised; let the compiler "
                             "inline it (static, or defined in a header)",
                             count_text(entries), cycles),
                 {{"entries", entries}, {"cycles_per_entry", cycles}},
                 {},
                 subject.origins.time};
}

std::optional<Finding> short_loop(const Subject& subject) {
  const Region& region = subject.region;
  const auto entries = static_cast<double>(region.entries.value_or(0));
  if (region.kind != RegionKind::loop || !region.iterations || entries < kManyEntries) {
    return std::nullopt;
  }
  const double mean = static_cast<double>(*region.iterations) / entries;
  if (mean >= kShortLoop || mean < kIsALoop) {
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

std::optional<Gain> gain_without_overhead(const Subject& subject, const Finding& /*finding*/) {
  return gain_up_to_roof(subject, subject.region);
}

}  // namespace ridge::predict
