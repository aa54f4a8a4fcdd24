#include "spmv/advice.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::spmv {
namespace {

unsigned most_threads(const SparseStudy& study) {
  unsigned threads = 1;
  for (const SparseTiming& timing : study.timings) {
    threads = std::max(threads, timing.threads);
  }
  return threads;
}

const SparseTiming* find(const SparseStudy& study, unsigned threads, std::string_view format) {
  for (const SparseTiming& timing : study.timings) {
    if (timing.threads == threads && timing.format == format) {
      return &timing;
    }
  }
  return nullptr;
}

const SparseTiming* fastest(const SparseStudy& study, unsigned threads) {
  const SparseTiming* best = nullptr;
  for (const SparseTiming& timing : study.timings) {
    if (timing.threads == threads && (best == nullptr || timing.time.median < best->time.median)) {
      best = &timing;
    }
  }
  return best;
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

SparseFinding what_limits(const SparseStudy& study, const SparseTiming& best) {
  constexpr double kNearRoof = 0.8;
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
                        best.format, percent(reached), outer->alpha / least, outer->level,
                        outer->alpha, least),
            std::nullopt};
  }
  return {"latency-or-instructions",
          fmt::format("{} reaches {} of its roof, though x comes about once from {}: it waits for "
                      "accesses to x one by one, or for instructions.",
                      best.format, percent(reached), where),
          std::nullopt};
}

SparseFinding which_format(const SparseTiming& best, const SparseTiming& csr) {
  if (best.format == csr.format) {
    return {"keep-csr", "CSR is the fastest format here.", std::nullopt};
  }
  const double gain = best.speedup ? best.speedup->median.value() : 1;
  if (!best.break_even) {
    return {"no-format-gains",
            fmt::format("{} is fastest, {:.2f}x, but no more than the spread: CSR will do.",
                        best.format, gain),
            gain};
  }
  return {"use-format",
          fmt::format("{} is {:.2f}x as fast as CSR; its conversion costs {:.0f} products and pays "
                      "from {:.0f} products on.",
                      best.format, gain, best.conversion_products.value_or(0),
                      best.break_even.value_or(0)),
          gain};
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

void add_reorderings(const SparseStudy& study, std::vector<SparseFinding>& findings) {
  constexpr double kWorthSaying = 1.05;
  for (const SparseReordering& reordering : study.reorderings) {
    const std::string name = reordering.method == "rcm" ? "Reverse Cuthill-McKee" : "Hub sorting";
    if (reordering.gain < kWorthSaying || !reordering.break_even) {
      findings.push_back({"order-" + reordering.method,
                          fmt::format("{} gains nothing ({:.2f}x).", name, reordering.gain),
                          reordering.gain});
      continue;
    }
    findings.push_back(
        {"order-" + reordering.method,
         fmt::format("{} makes it {:.2f}x as fast, with {}; it pays from {:.0f} products on.", name,
                     reordering.gain, reordering.best.format, *reordering.break_even),
         reordering.gain});
  }
}

void add_multiples(const SparseStudy& study, const SparseTiming& best,
                   std::vector<SparseFinding>& findings) {
  for (const SparseMultiple& multiple : study.multiples) {
    findings.push_back(
        {"several-" + multiple.kind,
         fmt::format("{} {} at once take the time of {:.1f} products: {:.2f}x.", multiple.count,
                     multiple.kind, multiple.count / multiple.gain, multiple.gain),
         multiple.gain});
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
  const SparseTiming* csr = find(study, threads, "csr");
  if (best == nullptr || csr == nullptr || study.matrix.entries == 0) {
    return findings;
  }
  findings.push_back(what_limits(study, *best));
  findings.push_back(which_format(*best, *csr));
  add_partition(study, threads, findings);
  add_reorderings(study, findings);
  add_multiples(study, *best, findings);
  return findings;
}

}  // namespace ridge::spmv
