#include "render/document/spmv/study_tables.hpp"

#include <cmath>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/spmv/study_entries.hpp"

namespace ridge::render {
namespace {

std::string products(std::optional<double> count) {
  return count && *count > 0 ? fmt::format("{:.0f}", std::ceil(*count)) : std::string(kUnknown);
}

/// The 80 % interval: "4.02 GFlop/s (3.90 to 4.14)".
template <class Q>
std::string with_spread(const Estimate<Q>& estimate, std::string_view unit) {
  const double median = estimate.median.value();
  const double factor = median > 0.0 ? si_prefix(median).factor : 1.0;
  return fmt::format("{} ({} to {})", si(median, unit), number(estimate.low.value() / factor),
                     number(estimate.high.value() / factor));
}

StudyTable formats_table(const SparseStudy& study) {
  StudyTable table{"Formats: bytes for each entry of the matrix",
                   {"format", "values", "indices", "pointers", "vectors", "B_C [byte/flop]",
                    "stored", "no index", "conversion"},
                   1,
                   {}};
  for (const SparseFormatFacts& format : study.formats) {
    table.rows.push_back({clean(format.format), fmt::format("{:.2f}", format.value_bytes_per_entry),
                          fmt::format("{:.2f}", format.index_bytes_per_entry),
                          fmt::format("{:.2f}", format.pointer_bytes_per_entry),
                          fmt::format("{:.2f}", format.vector_bytes_per_entry),
                          fmt::format("{:.2f}", format.least_code_balance),
                          fmt::format("{:.3f}", format.stored_per_entry),
                          percent(format.without_index),
                          format.conversion.value() == 0 ? std::string(kUnknown)
                                                         : si(format.conversion.value(), "s")});
  }
  return table;
}

std::vector<std::string> timing_cells(const StudyEntry& entry, const SparseTiming& timing) {
  return {entry.name,
          timing.schedule,
          tuning_words(timing),
          std::to_string(entry.number),
          std::to_string(timing.threads),
          with_spread(timing.performance, "Flop/s"),
          with_spread(timing.bandwidth, "B/s"),
          percent(timing.of_own_roof.median.value()),
          percent(timing.of_csr_roof.median.value()),
          speedup_words(timing),
          products(timing.conversion_products),
          products(timing.break_even)};
}

StudyTable timings_table(const SparseStudy& study) {
  StudyTable table{
      "Timings",
      {"format", "schedule", "gather", "#", "threads", "performance", "b_S", "of own roof",
       "of CSR's roof", "speed-up", "conversion [products]", "pays from [products]"},
      3,
      {}};
  for (const StudyEntry& entry : entries_of(study)) {
    for (const SparseTiming* timing : entry.timings) {
      if (!entry.reordered) {
        table.rows.push_back(timing_cells(entry, *timing));
      }
    }
  }
  return table;
}

StudyTable orders_table(const SparseStudy& study) {
  StudyTable table{"Other orders of rows and columns",
                   {"order", "best format", "#", "threads", "bandwidth", "performance",
                    "of own roof", "of CSR's roof", "gain", "takes", "pays from [products]"},
                   2,
                   {}};
  const auto entries = entries_of(study);
  std::size_t next = entries.size() - study.reorderings.size();
  for (const SparseReordering& reordering : study.reorderings) {
    const SparseTiming& best = reordering.best;
    table.rows.push_back(
        {reordering.method == "rcm" ? "reverse Cuthill-McKee (rcm)" : "hubs first (hubs)",
         clean(best.format), std::to_string(entries[next++].number), std::to_string(best.threads),
         grouped(reordering.bandwidth), with_spread(best.performance, "Flop/s"),
         percent(best.of_own_roof.median.value()), percent(best.of_csr_roof.median.value()),
         ratio_words(reordering.paired_gain, reordering.gain), si(reordering.time.value(), "s"),
         products(reordering.break_even)});
  }
  return table;
}

StudyTable multiples_table(const SparseStudy& study) {
  StudyTable table{
      "Several products at once", {"what", "threads", "time of all", "performance", "gain"}, 1, {}};
  for (const SparseMultiple& multiple : study.multiples) {
    table.rows.push_back({fmt::format("{} {}", multiple.count, multiple.kind),
                          std::to_string(multiple.threads), with_spread(multiple.time, "s"),
                          with_spread(multiple.performance, "Flop/s"),
                          ratio_words(multiple.paired_gain, multiple.gain)});
  }
  return table;
}

std::string kind_of(const SparseMatrixFacts& matrix) {
  std::string kind = matrix.symmetric           ? "symmetric"
                     : matrix.symmetric_pattern ? "symmetric pattern"
                                                : "unsymmetric";
  return matrix.block > 1 ? kind + fmt::format(", dense blocks of {0} x {0}", matrix.block) : kind;
}

}  // namespace

std::string study_title(const SparseStudy& study, const std::string& title) {
  return clean(title.empty() ? fmt::format("SpMV of {}", study.matrix.name) : title);
}

StudyFacts matrix_facts(const SparseStudy& study) {
  const SparseMatrixFacts& matrix = study.matrix;
  StudyFacts facts{
      {"matrix", fmt::format("{} ({})", clean(matrix.name), clean(matrix.origin))},
      {"size", fmt::format("{} x {}, {} entries, {}", grouped(matrix.rows), grouped(matrix.columns),
                           grouped(matrix.entries), kind_of(matrix))},
      {"entries in a row",
       fmt::format("{} on average, {} to {}, {} empty rows, variation {}",
                   number(matrix.mean_in_row), matrix.least_in_row, matrix.most_in_row,
                   grouped(matrix.empty_rows), number(matrix.row_variation))},
      {"bandwidth", grouped(matrix.bandwidth)},
      {"columns with entries", grouped(matrix.used_columns)},
      {"indices", fmt::format("{} bit", matrix.index_bits)}};
  for (const PredictedAlpha& alpha : study.alphas) {
    facts.emplace_back(
        fmt::format("alpha from beyond {}", to_string(alpha.level)),
        fmt::format("{} (simulated{}; a cache of {})", number(alpha.alpha),
                    alpha.sampled ? ", sampled" : "", binary_size(alpha.capacity.value())));
  }
  if (study.measured_alpha && study.given_traffic) {
    facts.emplace_back("alpha from traffic",
                       fmt::format("{} (from {}, as given)", number(*study.measured_alpha),
                                   si(study.given_traffic->value(), "B")));
  }
  return facts;
}

StudyFacts provenance(const SparseStudy& study) {
  StudyFacts facts{{"processor", fmt::format("{}, kernels for {}", clean(study.cpu),
                                             clean(study.instruction_set))},
                   {"last cache", binary_size(study.last_level_cache.value())},
                   {"timed", clean(study.date)}};
  if (!study.host.empty()) {
    facts.emplace_back("host", clean(study.host));
  }
  for (const StudyBandwidth& one : bandwidths_of(study)) {
    facts.emplace_back(
        fmt::format("b_S, {} thread{}", one.threads, one.threads == 1 ? "" : "s"),
        fmt::format("{}, reading alone {}, beside each sample", interval_words(one),
                    from_cache(study) ? "from the cache, as the matrix fits" : "from memory"));
  }
  return facts;
}

std::vector<StudyTable> study_tables(const SparseStudy& study) {
  std::vector<StudyTable> tables;
  for (StudyTable& table : std::vector<StudyTable>{timings_table(study), orders_table(study),
                                                   multiples_table(study), formats_table(study)}) {
    if (!table.rows.empty()) {
      tables.push_back(std::move(table));
    }
  }
  return tables;
}

std::vector<std::string> study_legend(const SparseStudy& study) {
  std::vector<std::string> sentences{
      "Performance: useful flops, two for each entry; padding is no work. In brackets the 80 % "
      "interval; all are measured.",
      "Own roof: b_S over the format's least code balance B_C (each array once, each used element "
      "of x once); CSR's roof: the same of CSR, so a format that needs fewer bytes can be above "
      "100 %.",
      "Shares are medians over samples, each with the bandwidth beside it, and speed-ups over "
      "rounds; "
      "ratios of the medians in a row may differ.",
      "Conversion: in products of CSR; pays from: products until it has paid; none where it is not "
      "faster beyond the noise."};
  if (const std::string ratios = ratio_legend(study); !ratios.empty()) {
    sentences.push_back(ratios);
  }
  for (const SparseTiming& timing : study.timings) {
    if (timing.stream_ahead != 0 || timing.x_ahead != 0 || timing.streamed_y) {
      sentences.emplace_back(
          "+s, +x: with prefetch of the matrix, of x; +y: y is written past the caches, its own "
          "roof then without reading y.");
      break;
    }
  }
  return sentences;
}

std::vector<std::string> study_remarks(const SparseStudy& study) {
  std::vector<std::string> remarks;
  for (const Note& note : study.left_out) {
    remarks.push_back(fmt::format("not {}: {}", clean(note.code), clean(note.text)));
  }
  for (const Note& note : study.notes) {
    remarks.push_back(clean(note.text));
  }
  return remarks;
}

}  // namespace ridge::render
