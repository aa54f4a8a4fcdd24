#include "predict/findings/cause_words.hpp"

#include <fmt/core.h>

#include "predict/findings/verdict.hpp"

namespace ridge::predict {
namespace {

/// Of what was spent elsewhere than in code that was counted.
std::string elsewhere_words(const Cause& cause, const std::string& percent) {
  switch (cause.kind) {
    case VerdictKind::calls:
      return fmt::format(
          "{} of the time is spent with calls of functions whose work is not counted (most of them "
          "{})",
          percent, cause.name);
    case VerdictKind::library:
      return fmt::format(
          "{} of the time is spent in libraries whose work is not counted (most of it {})", percent,
          cause.name);
    case VerdictKind::blocked:
      return fmt::format(
          "{} of the time is spent where no thread runs most of the time: it waits for input, "
          "locks "
          "or a CPU",
          percent);
    case VerdictKind::asleep:
      return fmt::format("{} of the time is spent asleep (most of it in {})", percent, cause.name);
    case VerdictKind::kernel:
      return fmt::format("{} of the time is spent in the kernel (most of it in {})", percent,
                         cause.name);
    default:
      return {};
  }
}

/// Of what nothing is said of.
std::string withheld_words(const Cause& cause, const std::string& percent) {
  switch (cause.kind) {
    case VerdictKind::no_traffic:
      return fmt::format(
          "{} of the time is spent where the memory traffic is not known, nor what binds: {}",
          percent, what_tells_traffic(cause.region));
    case VerdictKind::no_roof:
      return fmt::format("{} of the time is spent where no roof is known", percent);
    case VerdictKind::partial:
      return fmt::format(
          "{} of the time is spent where the program was cut midway, so that counts do not fit "
          "times: a "
          "run to its end tells",
          percent);
    case VerdictKind::few_samples:
      return fmt::format(
          "{} of the time rests on too few samples for a verdict: give the program more work",
          percent);
    default:
      return {};
  }
}

}  // namespace

std::string cause_words(const Cause& cause, const std::string& percent) {
  switch (cause.kind) {
    case VerdictKind::arithmetic:
      return fmt::format("{} of the time is bound by arithmetic", percent);
    case VerdictKind::bandwidth:
      return fmt::format("{} of the time is bound by {} bandwidth", percent, cause.resource);
    case VerdictKind::latency:
      return fmt::format(
          "{} of the time runs far below every roof (latency or dependencies bind it)", percent);
    default:
      return is_withheld(cause.kind) ? withheld_words(cause, percent)
                                     : elsewhere_words(cause, percent);
  }
}

}  // namespace ridge::predict
