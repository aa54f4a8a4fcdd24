#include "render/document/spmv/sparse_study_table.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/spmv/study_entries.hpp"
#include "render/format/text/density_plot.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

template <class Cell>
TextColumn column(std::string title, int importance, bool left, std::size_t rows, Cell cell) {
  TextColumn result;
  result.title = std::move(title);
  result.importance = importance;
  result.left = left;
  for (std::size_t row = 0; row < rows; ++row) {
    result.cells.push_back(cell(row));
  }
  return result;
}

std::string table(std::vector<TextColumn> columns, const TextStyle& style) {
  return render_table(std::move(columns),
                      static_cast<std::size_t>(std::clamp(style.columns, 60, 200)), style);
}

/// Half of the 80 % interval over the median.
template <class Q>
std::string spread(const Estimate<Q>& estimate) {
  const double median = estimate.median.value();
  return median == 0 ? std::string(kUnknown)
                     : percent((estimate.high.value() - estimate.low.value()) / 2 / median);
}

std::string bytes_cell(double bytes) {
  return fmt::format("{:.2f}", bytes);
}

std::string facts_text(const SparseStudy& study, const TextStyle& style) {
  const SparseMatrixFacts& matrix = study.matrix;
  std::string kind = matrix.symmetric           ? "symmetric"
                     : matrix.symmetric_pattern ? "symmetric pattern"
                                                : "unsymmetric";
  if (matrix.block > 1) {
    kind += fmt::format(", dense blocks of {0} x {0}", matrix.block);
  }
  std::string text = fmt::format(
      "  {} ({})\n  {} x {}, {} entries, {} in a row ({} to {}), {}, bandwidth {}\n",
      clean(matrix.name, style.unicode), clean(matrix.origin, style.unicode), grouped(matrix.rows),
      grouped(matrix.columns), grouped(matrix.entries), number(matrix.mean_in_row),
      matrix.least_in_row, matrix.most_in_row, kind, grouped(matrix.bandwidth));
  if (matrix.empty_rows != 0) {
    text += fmt::format("  {} empty rows\n", grouped(matrix.empty_rows));
  }
  for (const PredictedAlpha& alpha : study.alphas) {
    text += fmt::format("  alpha from beyond {} of {}: {} (simulated{})\n", to_string(alpha.level),
                        binary_size(alpha.capacity.value()), number(alpha.alpha),
                        alpha.sampled ? ", sampled" : "");
  }
  if (study.measured_alpha) {
    text += fmt::format("  alpha from {} of traffic: {}\n", si(study.given_traffic->value(), "B"),
                        number(*study.measured_alpha));
  }
  return text;
}

std::string formats_table(const SparseStudy& study, const TextStyle& style) {
  const auto& formats = study.formats;
  const std::size_t rows = formats.size();
  const auto bytes = [&](const char* title, int importance, auto member) {
    TextColumn result = column(title, importance, false, rows,
                               [&](std::size_t row) { return bytes_cell(formats[row].*member); });
    result.group = "byte per entry";
    return result;
  };
  std::vector<TextColumn> columns;
  columns.push_back(
      column("format", 0, true, rows, [&](std::size_t row) { return formats[row].format; }));
  columns.push_back(bytes("values", 4, &SparseFormatFacts::value_bytes_per_entry));
  columns.push_back(bytes("indices", 4, &SparseFormatFacts::index_bytes_per_entry));
  columns.push_back(bytes("pointers", 2, &SparseFormatFacts::pointer_bytes_per_entry));
  columns.push_back(bytes("vectors", 3, &SparseFormatFacts::vector_bytes_per_entry));
  columns.push_back(column("byte/flop", 0, false, rows, [&](std::size_t row) {
    return bytes_cell(formats[row].least_code_balance);
  }));
  columns.push_back(column("stored", 1, false, rows, [&](std::size_t row) {
    return fmt::format("{:.3f}", formats[row].stored_per_entry);
  }));
  columns.push_back(column("no index", 1, false, rows,
                           [&](std::size_t row) { return percent(formats[row].without_index); }));
  columns.push_back(column("conversion", 1, false, rows, [&](std::size_t row) {
    return formats[row].conversion.value() == 0 ? std::string(kUnknown)
                                                : si(formats[row].conversion.value(), "s");
  }));
  return table(std::move(columns), style);
}

std::string timings_table(const SparseStudy& study, const TextStyle& style) {
  const auto& timings = study.timings;
  const std::size_t rows = timings.size();
  const auto cell = [&](std::string title, int importance, bool left, auto text) {
    return column(std::move(title), importance, left, rows,
                  [&](std::size_t row) { return std::string(text(timings[row])); });
  };
  std::vector<TextColumn> columns;
  columns.push_back(cell("format", 0, true, [](const SparseTiming& t) { return t.format; }));
  columns.push_back(
      cell("threads", 3, false, [](const SparseTiming& t) { return std::to_string(t.threads); }));
  columns.push_back(cell("schedule", 1, true, [](const SparseTiming& t) { return t.schedule; }));
  columns.push_back(cell("gather", 1, true, tuning_words));
  columns.push_back(cell("performance", 0, false, [](const SparseTiming& t) {
    return si(t.performance.median.value(), "Flop/s");
  }));
  columns.push_back(
      cell("+-", 4, false, [](const SparseTiming& t) { return spread(t.performance); }));
  columns.push_back(cell("b_S", 3, false, [](const SparseTiming& t) {
    return si(t.bandwidth.median.value(), "B/s");
  }));
  columns.push_back(cell("own roof", 0, false, [](const SparseTiming& t) {
    return percent(t.of_own_roof.median.value());
  }));
  columns.push_back(cell("CSR roof", 0, false, [](const SparseTiming& t) {
    return percent(t.of_csr_roof.median.value());
  }));
  columns.push_back(
      cell("speed-up", 5, false, [](const SparseTiming& t) { return speedup_words(t); }));
  columns.back().brief =
      cell("", 0, false, [](const SparseTiming& t) { return speedup_words(t, true); }).cells;
  columns.push_back(cell("costs", 2, false, [](const SparseTiming& t) {
    return t.conversion_products && *t.conversion_products > 0
               ? fmt::format("{:.0f} SpMV", std::ceil(*t.conversion_products))
               : std::string(kUnknown);
  }));
  columns.push_back(cell("pays from", 2, false, [](const SparseTiming& t) {
    return t.break_even && *t.break_even > 0 ? fmt::format("{:.0f} SpMV", *t.break_even)
                                             : std::string(kUnknown);
  }));
  const std::string legend = ratio_legend(study);
  return table(std::move(columns), style) + (legend.empty() ? "" : "\n  " + legend + "\n");
}

std::string others_text(const SparseStudy& study) {
  std::string text;
  for (const SparseReordering& reordering : study.reorderings) {
    text += fmt::format(
        "  {}: bandwidth {}, best {} with {}: {}, takes {}{}\n", reordering.method,
        grouped(reordering.bandwidth), si(reordering.best.performance.median.value(), "Flop/s"),
        reordering.best.format, ratio_words(reordering.paired_gain, reordering.gain),
        si(reordering.time.value(), "s"),
        reordering.break_even ? fmt::format(", pays from {:.0f} products", *reordering.break_even)
                              : "");
  }
  for (const SparseMultiple& multiple : study.multiples) {
    text +=
        fmt::format("  {} {} at once on {} thread{}: {} (+- {}), {}\n", multiple.count,
                    multiple.kind, multiple.threads, multiple.threads == 1 ? "" : "s",
                    si(multiple.performance.median.value(), "Flop/s"), spread(multiple.performance),
                    ratio_words(multiple.paired_gain, multiple.gain));
  }
  return text;
}

std::string sentences(const SparseStudy& study, const TextStyle& style) {
  std::string text;
  for (const SparseFinding& finding : study.findings) {
    text += fmt::format("  {}: {}\n", finding.code, clean(finding.text, style.unicode));
  }
  for (const Note& note : study.left_out) {
    text += fmt::format("  not {}: {}\n", note.code, clean(note.text, style.unicode));
  }
  for (const Note& note : study.notes) {
    text += fmt::format("  note: {}\n", clean(note.text, style.unicode));
  }
  return text;
}

/// Pictures are as fine as braille; a character of ASCII stands for all points of one of braille.
std::string picture_text(const SparsePicture& picture, const TextStyle& style) {
  if (picture.densities.empty()) {
    return {};
  }
  const DensityGrid fine{picture.width, picture.height, picture.densities};
  return density_plot(style.unicode ? fine : density_means(fine, 2, 4).grid(), style) + "\n";
}

}  // namespace

std::string sparse_study_text(const SparseStudy& study, const TextStyle& style) {
  std::string text = "\n" + facts_text(study, style) + "\n" + picture_text(study.picture, style);
  text += formats_table(study, style) + "\n" + timings_table(study, style);
  const std::string others = others_text(study);
  if (!others.empty()) {
    text += "\n" + others;
  }
  const std::string rest = sentences(study, style);
  if (!rest.empty()) {
    text += "\n" + rest;
  }
  return text;
}

}  // namespace ridge::render
