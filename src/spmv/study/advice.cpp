#include "spmv/study/advice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "spmv/study/figures.hpp"

namespace ridge::spmv {
namespace {

unsigned most_threads(const SparseStudy& study) {
  unsigned threads = 1;
  for (const SparseTiming& timing : study.timings) {
    threads = std::max(threads, timing.threads);
  }
  return threads;
}

const SparseFormatFacts* facts_of(const SparseStudy& study, std::string_view format) {
  for (const SparseFormatFacts& facts : study.formats) {
    if (facts.format == format) {
      return &facts;
    }
  }
  return nullptr;
}

std::string percent(double fraction) {
  return fmt::format("{:.0f} %", 100 * fraction);
}

/// "1.75x (1.70 to 1.80)": the median of the paired ratios with its interval.
std::string times(const MedianInterval& ratio) {
  return fmt::format("{:.2f}x ({:.2f} to {:.2f})", ratio.median, ratio.low, ratio.high);
}

/// "a, b and c"
std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  }
  return text;
}

constexpr double kNearRoof = 0.8;

/// Whether the share of the roof may as well lie on the other side of what decides the verdict.
bool roof_is_uncertain(const SparseTiming& timing) {
  const auto& share = timing.own_roof_interval;
  return share && share->low < kNearRoof && share->high > kNearRoof &&
         share->high > kTooWide * share->low;
}

SparseFinding what_limits(const SparseStudy& study, const SparseTiming& best) {
  if (roof_is_uncertain(best)) {
    return {"too-noisy-to-say",
            fmt::format("{} reaches {} to {} of its roof: the machine was too busy to say what "
                        "limits it. Measure again when it is quiet.",
                        best.format, percent(best.own_roof_interval->low),
                        percent(best.own_roof_interval->high)),
            std::nullopt};
  }
  const double reached = best.of_own_roof.median.value();
  const SparseFormatFacts* facts = facts_of(study, best.format);
  const bool from_memory =
      facts == nullptr || (facts->value_bytes_per_entry + facts->index_bytes_per_entry) *
                                  static_cast<double>(study.matrix.entries) >
                              study.last_level_cache.value();
  const std::string where = from_memory ? "memory" : "the last cache";
  if (reached >= kNearRoof) {
    return {"bandwidth-bound",
            fmt::format("{} reaches {} of its roof: it waits for {}. Only fewer bytes make it "
                        "faster: smaller indices or values, several vectors at once, powers.",
                        best.format, percent(reached), where),
            std::nullopt};
  }
  const SparseFormatFacts* csr = facts_of(study, "csr");
  if (best.format == "binned" && facts != nullptr && csr != nullptr) {
    return {"two-passes",
            fmt::format("{} reaches {} of its roof: it moves {:.0f} byte for each entry where CSR "
                        "needs {:.0f} at least, and in return waits for no element of x by itself. "
                        "Another order of rows and columns may spare it the second pass.",
                        best.format, percent(reached), 2 * facts->least_code_balance,
                        2 * csr->least_code_balance),
            std::nullopt};
  }
  const double least = study.matrix.entries == 0 ? 0
                                                 : static_cast<double>(study.matrix.used_columns) /
                                                       static_cast<double>(study.matrix.entries);
  const PredictedAlpha* outer = study.alphas.empty() ? nullptr : &study.alphas.back();
  if (outer != nullptr && outer->alpha > 1.5 * least) {
    return {"x-traffic",
            fmt::format("{} reaches {} of its roof: x is read {:.1f} times as often from beyond "
                        "{} as it would have to be (alpha {:.2f} in place of {:.2f}). Another "
                        "order of rows and columns can bring that down.",
                        best.format, percent(reached), outer->alpha / least,
                        to_string(outer->level), outer->alpha, least),
            std::nullopt};
  }
  return {"latency-or-instructions",
          fmt::format("{} reaches {} of its roof, though x comes about once from {}: it waits for "
                      "accesses to x one by one, or for instructions.",
                      best.format, percent(reached), where),
          std::nullopt};
}

/// Formats on so many threads whose ratio to CSR says this.
std::vector<std::string> formats_that_are(Standing standing, const SparseStudy& study,
                                          unsigned threads) {
  std::vector<std::string> names;
  for (const SparseTiming& timing : study.timings) {
    const bool listed_already = std::find(names.begin(), names.end(), timing.format) != names.end();
    if (timing.threads == threads && timing.format != "csr" && timing.paired_speedup &&
        standing_of(*timing.paired_speedup) == standing && !listed_already) {
      names.push_back(timing.format);
    }
  }
  return names;
}

/// What cannot be told from the fastest, as far as it is faster than CSR itself.
std::string as_fast_as(const SparseTiming& best, const SparseStudy& study) {
  std::vector<std::string> same;
  std::vector<std::string> noisy;
  for (const SparseTiming& timing : study.timings) {
    if (timing.threads != best.threads || timing.format == best.format || !timing.break_even ||
        !timing.against_fastest) {
      continue;
    }
    const Standing standing = standing_of(*timing.against_fastest);
    if (standing == Standing::no_difference) {
      same.push_back(fmt::format("{} (pays from {:.0f} on)", timing.format, *timing.break_even));
    } else if (standing == Standing::too_noisy) {
      noisy.push_back(timing.format);
    }
  }
  return (same.empty() ? "" : fmt::format(" No difference beyond the noise to {}.", listed(same))) +
         (noisy.empty() ? "" : fmt::format(" Too noisy to rank against {}.", listed(noisy)));
}

std::string too_noisy(const std::vector<std::string>& names) {
  return names.empty()
             ? ""
             : fmt::format(" Too noisy to rank: {}. Measure again when the machine is quiet.",
                           listed(names));
}

SparseFinding use_format(const SparseStudy& study, const SparseTiming& best) {
  const MedianInterval& ratio = *best.paired_speedup;
  const double products = best.conversion_products.value_or(0);
  const double pays = best.break_even.value_or(0);
  const double at_least = break_even(products, ratio.high).value_or(pays);
  const double at_most = break_even(products, ratio.low).value_or(pays);
  return {"use-format",
          fmt::format("{} is {} as fast as CSR; its conversion costs {:.0f} products and pays from "
                      "{:.0f} products on ({:.0f} to {:.0f}).{}{}",
                      best.format, times(ratio), products, pays, at_least, at_most,
                      as_fast_as(best, study),
                      too_noisy(formats_that_are(Standing::too_noisy, study, best.threads))),
          ratio.median};
}

SparseFinding which_format(const SparseStudy& study, const SparseTiming& best) {
  if (best.format != "csr") {
    return use_format(study, best);
  }
  const auto noisy = formats_that_are(Standing::too_noisy, study, best.threads);
  const auto same = formats_that_are(Standing::no_difference, study, best.threads);
  if (!noisy.empty()) {
    return {"too-noisy-to-rank",
            fmt::format("The machine was too noisy to rank {} against CSR{}. Measure again when "
                        "the machine is quiet.",
                        listed(noisy),
                        same.empty() ? ""
                                     : fmt::format("; no difference beyond the noise between CSR "
                                                   "and {}",
                                                   listed(same))),
            std::nullopt};
  }
  if (!same.empty()) {
    return {"no-format-gains",
            fmt::format("No difference beyond the noise between CSR and {}, and no format is "
                        "faster: CSR will do.",
                        listed(same)),
            std::nullopt};
  }
  return {"keep-csr", "CSR is the fastest format here.", std::nullopt};
}

/// Static rows against equal entries: what partitioning spares, at no cost of conversion.
void add_partition(const SparseStudy& study, unsigned threads,
                   std::vector<SparseFinding>& findings) {
  constexpr double kUneven = 1.1;
  const double imbalance = study.matrix.rows_imbalance;
  if (threads < 2 || imbalance < kUneven) {
    return;
  }
  findings.push_back(
      {"partition-entries",
       fmt::format(
           "With equal numbers of rows, one of {} threads would have {:.2f} times the mean "
           "of the entries. Sharing out entries (the default) is up to {:.2f}x as fast, from the "
           "first product on (modelled; --schedules rows,entries measures it).",
           threads, imbalance, imbalance),
       imbalance});
}

SparseFinding order_finding(const SparseReordering& reordering) {
  constexpr double kWorthSaying = 1.05;
  const std::string name = reordering.method == "rcm" ? "Reverse Cuthill-McKee" : "Hub sorting";
  SparseFinding finding{"order-" + reordering.method, {}, std::nullopt};
  const Standing standing =
      reordering.paired_gain ? standing_of(*reordering.paired_gain) : Standing::too_noisy;
  if (standing == Standing::too_noisy) {
    finding.text = fmt::format("{}: too noisy to rank against the order as given{}.", name,
                               reordering.paired_gain ? ", " + times(*reordering.paired_gain) : "");
    return finding;
  }
  const std::string gain = times(*reordering.paired_gain);
  if (standing == Standing::no_difference) {
    finding.text = fmt::format("{} makes no difference beyond the noise, {}.", name, gain);
    return finding;
  }
  finding.gain = reordering.gain;
  if (reordering.gain < kWorthSaying || !reordering.break_even) {
    finding.text = fmt::format("{} gains nothing worth its time: {}.", name, gain);
    return finding;
  }
  finding.text = fmt::format("{} makes it {} as fast, with {}; it pays from {:.0f} products on.",
                             name, gain, reordering.best.format, *reordering.break_even);
  return finding;
}

SparseFinding multiple_finding(const SparseMultiple& multiple) {
  SparseFinding finding{"several-" + multiple.kind, {}, std::nullopt};
  const std::string what = fmt::format("{} {} at once", multiple.count, multiple.kind);
  const Standing standing =
      multiple.paired_gain ? standing_of(*multiple.paired_gain) : Standing::too_noisy;
  if (standing == Standing::too_noisy) {
    finding.text = what + ": too noisy to rank against one after the other.";
    return finding;
  }
  finding.text = fmt::format("{} take the time of {:.1f} products: {}{}.", what,
                             multiple.count / multiple.gain, times(*multiple.paired_gain),
                             standing == Standing::no_difference
                                 ? ", no difference beyond the noise to one after the other"
                                 : "");
  if (standing != Standing::no_difference) {
    finding.gain = multiple.gain;
  }
  return finding;
}

void add_multiples(const SparseStudy& study, const SparseTiming& best,
                   std::vector<SparseFinding>& findings) {
  for (const SparseMultiple& multiple : study.multiples) {
    findings.push_back(multiple_finding(multiple));
  }
  if (!study.multiples.empty()) {
    return;
  }
  const SparseFormatFacts* facts = facts_of(study, best.format);
  if (facts == nullptr) {
    return;
  }
  // The matrix once, the vectors four times.
  const double matrix = 2 * facts->least_code_balance - facts->vector_bytes_per_entry;
  const double gain =
      4 * (matrix + facts->vector_bytes_per_entry) / (matrix + 4 * facts->vector_bytes_per_entry);
  findings.push_back(
      {"several-vectors",
       fmt::format("If four vectors were multiplied at once, at most {:.1f}x (modelled; --rhs 4 "
                   "measures it).",
                   gain),
       gain});
}

}  // namespace

std::vector<SparseFinding> advice(const SparseStudy& study) {
  std::vector<SparseFinding> findings;
  const unsigned threads = most_threads(study);
  const SparseTiming* best = fastest(study, threads);
  if (best == nullptr || study.matrix.entries == 0) {
    return findings;
  }
  findings.push_back(what_limits(study, *best));
  findings.push_back(which_format(study, *best));
  add_partition(study, threads, findings);
  for (const SparseReordering& reordering : study.reorderings) {
    findings.push_back(order_finding(reordering));
  }
  add_multiples(study, *best, findings);
  return findings;
}

}  // namespace ridge::spmv
