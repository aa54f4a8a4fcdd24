#include "predict/findings/step_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/core.h>

#include "predict/findings/subject.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kReorder =
    "-fassociative-math -fno-signed-zeros -fno-trapping-math, or partial sums";
constexpr std::string_view kNearPages =
    "let each thread touch its own part first, or numactl --interleave=all";

double of(const Finding& finding, const char* key) {
  const auto found = finding.evidence.find(key);
  return found == finding.evidence.end() ? 0.0 : found->second;
}

/// "1 line", "3 lines"
std::string lines(const Finding& finding, const char* key) {
  const double count = of(finding, key);
  return fmt::format("{:.2g} line{}", count, count == 1.0 ? "" : "s");
}

std::string share(const Finding& finding, const char* key, std::string_view what) {
  return fmt::format("{} of {}", percent_text(of(finding, key)), what);
}

/// Why the compiler made no vectors, in fewer words than its own.
struct Obstacle {
  std::string_view message;  ///< part of the compiler's
  std::string_view reason;
  std::string_view remedy;
};
constexpr std::array kObstacles{
    Obstacle{"reorder floating-point", "the compiler may not reorder its sums", kReorder},
    Obstacle{"cannot identify array bounds", "its pointers may overlap",
             "restrict pointers, or `#pragma clang loop vectorize(assume_safety)`"},
    Obstacle{"unsafe dependent memory", "an iteration may need what an earlier one stores",
             "split the loop, or restrict pointers if iterations share no data"},
    Obstacle{"number of loop iterations", "its end is not known when it starts",
             "make the end of the loop known before it starts"},
    Obstacle{"library call cannot be vectorized", "calls of the math library",
             "-fno-math-errno, with -fveclib=libmvec for exp, sin and the like"},
    Obstacle{"control flow", "its body jumps", "make the body free of early exits and jumps"},
    Obstacle{"not beneficial", "the compiler expects nothing from it",
             "unit strides; wider registers (-march=native)"},
};

const Obstacle* obstacle_in(const std::string& message) {
  const auto known = std::find_if(kObstacles.begin(), kObstacles.end(), [&](const Obstacle& entry) {
    return message.find(entry.message) != std::string::npos;
  });
  return known == kObstacles.end() ? nullptr : &*known;
}

constexpr std::string_view kSomeLoop = "give the compiler a loop that it can make vectors of";

/// What follows the compiler's message in the sentence of the finding.
std::string vector_remedy(const Finding& finding, const std::string& message) {
  if (const Obstacle* known = obstacle_in(message)) {
    return std::string(known->remedy);
  }
  const auto at = finding.text.find(message);
  const std::string rest =
      at == std::string::npos ? std::string() : finding.text.substr(at + message.size());
  if (rest.starts_with("; ")) {
    return rest.substr(2);
  }
  const auto hint = message.find(". ");
  return hint != std::string::npos ? message.substr(hint + 2) : std::string(kSomeLoop);
}

StepWords not_vectorised_words(const Finding& finding, const Region& region) {
  if (!region.not_vectorised) {
    return {finding.text, std::string(kSomeLoop), Reach::function, {}, true};
  }
  const std::string& message = *region.not_vectorised;
  const Obstacle* known = obstacle_in(message);
  StepWords words{
      fmt::format("not vectorised: {}", known != nullptr ? std::string(known->reason)
                                                         : message.substr(0, message.find(". "))),
      vector_remedy(finding, message)};
  const bool is_option = words.remedy.find("-f") != std::string::npos;
  words.reach = is_option ? Reach::program : Reach::function;
  words.is_vague = words.remedy == kSomeLoop;
  return words;
}

StepWords chain_words(const Finding& finding) {
  const bool is_sum = finding.text.find("several parts") != std::string::npos;
  const bool has_option = finding.text.find("-fassociative-math") != std::string::npos;
  StepWords words{fmt::format("each iteration waits for the one before ({} of its time)",
                              percent_text(std::min(of(finding, "share"), 1.0))),
                  "another algorithm, or independent work beside it"};
  if (has_option) {
    words.remedy = kReorder;
    words.reach = Reach::program;
  } else if (is_sum) {
    words.remedy = "sum in several parts (several accumulators)";
  }
  return words;
}

StepWords narrow_words(const Finding& finding) {
  constexpr double kWide = 512.0;
  constexpr double kMiddle = 256.0;
  const double best = of(finding, "best_width_bits");
  const double own = of(finding, "width_bits");
  return {fmt::format("vectors of {:.0f} bit, where {:.0f} bit do {} times as many flop/s", own,
                      best, factor_text(of(finding, "rate_ratio"))),
          best >= kWide && own == kMiddle ? "-mprefer-vector-width=512 with -march=native"
                                          : "-march=native, or the -march of where it will run",
          Reach::program};
}

StepWords thread_words(const Finding& finding) {
  return {fmt::format("{:.0f} thread{} draw{} {} at most, {:.0f} draw {}", of(finding, "threads"),
                      of(finding, "threads") == 1.0 ? "" : "s",
                      of(finding, "threads") == 1.0 ? "s" : "",
                      amount_text(of(finding, "bytes_per_second"), "B/s"),
                      of(finding, "threads_to_saturate"),
                      amount_text(of(finding, "most_bytes_per_second"), "B/s")),
          "share its iterations among threads, if they are independent"};
}

using Words = StepWords (*)(const Finding&);

struct Entry {
  std::string_view code;
  Words words;
};

/// In the order of the rules (findings.cpp): those that have a model of their gain.
constexpr std::array kWords{
    Entry{"pointer-chase",
          [](const Finding&) {
            return StepWords{"each load waits for the address that the one before loads",
                             "store what is visited in order, or follow several chains at once"};
          }},
    Entry{"dependency-chain", chain_words},
    Entry{"latency-bound",
          [](const Finding& finding) {
            return StepWords{
                fmt::format("{} on the way at a time, where a core keeps {:.2g}",
                            lines(finding, "lines_in_flight"), of(finding, "lines_possible")),
                "issue independent loads ahead: prefetch, unroll, several searches at once"};
          }},
    Entry{"false-sharing",
          [](const Finding& finding) {
            return StepWords{fmt::format("several cores write different words of {}",
                                         lines(finding, "false_lines")),
                             "give each thread lines of its own: padding, another schedule"};
          }},
    Entry{"shared-writes",
          [](const Finding& finding) {
            return StepWords{
                fmt::format("several cores write the same words of {}", lines(finding, "lines")),
                "let each thread sum for itself and join at the end"};
          }},
    Entry{"one-numa-node",
          [](const Finding& finding) {
            return StepWords{
                fmt::format("its pages probably lie on one of {:.0f} nodes", of(finding, "nodes")),
                std::string(kNearPages), Reach::program};
          }},
    Entry{"remote-memory",
          [](const Finding& finding) {
            return StepWords{share(finding, "remote_share", "its lines come from another node"),
                             std::string(kNearPages), Reach::program};
          }},
    Entry{"page-faults",
          [](const Finding& finding) {
            return StepWords{
                fmt::format("page faults: the kernel takes {} of its CPU time",
                            percent_text(of(finding, "share"))),
                "keep buffers instead of freeing them, touch them before, or huge pages",
                Reach::program};
          }},
    Entry{"load-imbalance",
          [](const Finding& finding) {
            return StepWords{fmt::format("the busiest of {:.0f} threads has {:.2f} times the mean",
                                         of(finding, "threads"), of(finding, "max_over_mean")),
                             "another schedule (dynamic, guided), or smaller pieces"};
          }},
    Entry{"rank-imbalance",
          [](const Finding& finding) {
            return StepWords{fmt::format("rank {:.0f} takes {:.2f} times the mean of {:.0f} ranks",
                                         of(finding, "slowest_rank"), of(finding, "max_over_mean"),
                                         of(finding, "ranks")),
                             "other parts of the problem for the ranks, or smaller ones",
                             Reach::program};
          }},
    Entry{"serial-part",
          [](const Finding& finding) {
            const double waiting = of(finding, "waiting_threads");
            return StepWords{fmt::format("one thread works while {:.{}f} others wait for it",
                                         waiting, waiting < 10.0 ? 1 : 0),
                             "share its work among threads; if it holds a lock, hold it for less"};
          }},
    Entry{"scalar-flops",
          [](const Finding& finding) {
            return StepWords{share(finding, "scalar_share", "its flops run one at a time"),
                             std::string(kSomeLoop),
                             Reach::function,
                             {},
                             true};
          }},
    Entry{"narrow-vectors", narrow_words},
    Entry{"few-threads", thread_words},
    Entry{"excess-traffic",
          [](const Finding& finding) {
            return StepWords{fmt::format("{} times the traffic that its data need",
                                         factor_text(of(finding, "excess"))),
                             "block or exchange the loops"};
          }},
    Entry{"reuse-just-misses",
          [](const Finding& finding) {
            return StepWords{fmt::format("its reuse needs {}, the cache has {}",
                                         size_text(of(finding, "capacity_bytes")),
                                         size_text(of(finding, "cache_bytes"))),
                             "smaller blocks or smaller types", Reach::function, "excess-traffic"};
          }},
    Entry{"strided-access",
          [](const Finding& finding) {
            return StepWords{
                share(finding, "share", "its bytes are accessed with gaps"),
                "exchange the loops or the layout, so that neighbours are used together"};
          }},
    Entry{"indirect-access",
          [](const Finding& finding) {
            StepWords words{share(finding, "share", "its bytes lie at computed addresses"),
                            "sort or renumber, so that neighbours stand together"};
            if (finding.text.find("sort or renumber") == std::string::npos) {
              words.remedy.clear();  // their order is good, or does not matter
            }
            return words;
          }},
    Entry{"poor-line-use",
          [](const Finding& finding) {
            return StepWords{share(finding, "line_use", "each cache line is used"),
                             "put together what is used together"};
          }},
    Entry{"write-allocate",
          [](const Finding& finding) {
            return StepWords{
                share(finding, "share", "its memory traffic reads lines that it overwrites"),
                "non-temporal stores, if nothing reads the result soon"};
          }},
    Entry{"divisions",
          [](const Finding& finding) {
            return StepWords{share(finding, "share", "its flops are divisions or square roots"),
                             "multiply by a reciprocal where rounding allows, or -mrecip"};
          }},
    Entry{"gather-scatter",
          [](const Finding& finding) {
            return StepWords{share(finding, "share", "its bytes are gathered or scattered"),
                             "lay the data out in the order of its use"};
          }},
    Entry{"idle-lanes",
          [](const Finding& finding) {
            return StepWords{
                fmt::format("masked operations use {:.1f} of {:.1f} lanes",
                            of(finding, "mean_active_lanes"), of(finding, "mean_lanes")),
                "fewer branches in its body, longer inner loops"};
          }},
    Entry{"short-loop",
          [](const Finding& finding) {
            return StepWords{fmt::format("{:.2g} iterations each time it is entered",
                                         of(finding, "mean_iterations")),
                             "exchange the loops, or let the compiler know how often it runs"};
          }},
    Entry{"unfused-multiply-add",
          [](const Finding& finding) {
            return StepWords{
                share(finding, "fusible_share", "its flops are products and sums done apart"),
                "-march=native -ffp-contract=fast", Reach::program};
          }},
};

}  // namespace

StepWords step_words(const Finding& finding, const Region& region) {
  if (finding.code == "not-vectorised") {
    return not_vectorised_words(finding, region);
  }
  const auto known = std::find_if(kWords.begin(), kWords.end(),
                                  [&](const Entry& entry) { return entry.code == finding.code; });
  return known != kWords.end() ? known->words(finding) : StepWords{finding.text, {}};
}

}  // namespace ridge::predict
