#include "serialize/sparse_study.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "serialize/estimate_value.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/sparse_study_value.hpp"

namespace ridge::serialize {
namespace {

void write_matrix(Writer& writer, const SparseMatrixFacts& matrix) {
  writer.member("name", matrix.name);
  writer.member("origin", matrix.origin);
  writer.member("rows", matrix.rows);
  writer.member("columns", matrix.columns);
  writer.member("entries", matrix.entries);
  writer.member("used_columns", matrix.used_columns);
  writer.member("empty_rows", matrix.empty_rows);
  writer.member("least_in_row", matrix.least_in_row);
  writer.member("most_in_row", matrix.most_in_row);
  writer.member("mean_in_row", matrix.mean_in_row);
  writer.member("row_variation", matrix.row_variation);
  writer.member("bandwidth", matrix.bandwidth);
  writer.member("square", matrix.square);
  writer.member("symmetric", matrix.symmetric);
  writer.member("symmetric_pattern", matrix.symmetric_pattern);
  writer.member("block", matrix.block);
  writer.member("index_bits", matrix.index_bits);
  writer.member("rows_imbalance", matrix.rows_imbalance);
}

void write_format(Writer& writer, const SparseFormatFacts& format) {
  writer.member("format", format.format);
  writer.member("stored_per_entry", format.stored_per_entry);
  writer.member("value_bytes_per_entry", format.value_bytes_per_entry);
  writer.member("index_bytes_per_entry", format.index_bytes_per_entry);
  writer.member("pointer_bytes_per_entry", format.pointer_bytes_per_entry);
  writer.member("vector_bytes_per_entry", format.vector_bytes_per_entry);
  writer.member("without_index", format.without_index);
  writer.member("least_code_balance", format.least_code_balance);
  writer.member("conversion_seconds", format.conversion.value());
}

/// `judged`: it is a ratio of speeds, and what it says stands beside it.
void write_interval(Writer& writer, std::string_view key,
                    const std::optional<MedianInterval>& interval, bool judged = true) {
  if (!interval) {
    return;
  }
  writer.object(key, [&] {
    writer.member("median", interval->median);
    writer.member("low", interval->low);
    writer.member("high", interval->high);
    writer.member("confidence", interval->confidence);
    writer.member("samples", interval->samples);
    if (judged) {
      writer.member("verdict", to_string(standing_of(*interval)));
    }
  });
}

void write_timing(Writer& writer, const SparseTiming& timing) {
  writer.member("format", timing.format);
  writer.member("threads", timing.threads);
  writer.member("schedule", timing.schedule);
  writer.member("gather", timing.gather);
  writer.member("stream_ahead", timing.stream_ahead);
  writer.member("x_ahead", timing.x_ahead);
  writer.member("streamed_y", timing.streamed_y);
  write_estimate(writer, "time", timing.time, "s");
  write_estimate(writer, "performance", timing.performance, "Flop/s");
  write_estimate(writer, "bandwidth", timing.bandwidth, "B/s");
  write_estimate(writer, "of_own_roof", timing.of_own_roof, "1");
  write_estimate(writer, "of_csr_roof", timing.of_csr_roof, "1");
  if (timing.speedup) {
    write_estimate(writer, "speedup", *timing.speedup, "1");
  }
  write_interval(writer, "paired_speedup", timing.paired_speedup);
  write_interval(writer, "against_fastest", timing.against_fastest);
  write_interval(writer, "own_roof_interval", timing.own_roof_interval, false);
  writer.member("conversion_products", timing.conversion_products);
  writer.member("break_even_products", timing.break_even);
  writer.member("code_balance_bound", timing.code_balance_bound);
}

void write_reordering(Writer& writer, const SparseReordering& reordering) {
  writer.member("method", reordering.method);
  writer.member("bandwidth", reordering.bandwidth);
  writer.member("seconds", reordering.time.value());
  writer.member("gain", reordering.gain);
  write_interval(writer, "paired_gain", reordering.paired_gain);
  writer.member("break_even_products", reordering.break_even);
  writer.object("best", [&] { write_timing(writer, reordering.best); });
}

void write_multiple(Writer& writer, const SparseMultiple& multiple) {
  writer.member("kind", multiple.kind);
  writer.member("count", multiple.count);
  writer.member("threads", multiple.threads);
  write_estimate(writer, "time", multiple.time, "s");
  write_estimate(writer, "performance", multiple.performance, "Flop/s");
  writer.member("gain", multiple.gain);
  write_interval(writer, "paired_gain", multiple.paired_gain);
}

void write_notes(Writer& writer, std::string_view key, const std::vector<Note>& notes) {
  writer.objects(key, notes, [&](const Note& note) {
    writer.member("code", note.code);
    writer.member("text", note.text);
  });
}

/// The ends of the scale in full, between them a digit for each part.
void write_picture(Writer& writer, const SparsePicture& picture) {
  const std::vector<int> shades = shades_of(picture.densities, kPictureShades);
  std::vector<std::string> rows(picture.height);
  for (std::size_t i = 0; i < shades.size(); ++i) {
    rows[i / picture.width] += shades[i] < 0 ? '.' : static_cast<char>('0' + shades[i]);
  }
  const DensityScale scale = density_scale(picture.densities);
  writer.member("least", scale.least);
  writer.member("most", scale.most);
  writer.strings("rows", rows);
}

}  // namespace

std::string write_sparse_study(const SparseStudy& study) {
  Writer writer;
  writer.member("schema", kSparseStudySchema);
  writer.member("date", study.date);
  writer.member("host", study.host);
  writer.member("cpu", study.cpu);
  writer.member("instruction_set", study.instruction_set);
  writer.member("last_level_cache", study.last_level_cache.value());
  writer.object("matrix", [&] { write_matrix(writer, study.matrix); });
  writer.objects("predicted_alpha", study.alphas, [&](const PredictedAlpha& alpha) {
    writer.member("level", alpha.level);
    writer.member("capacity", alpha.capacity.value());
    writer.member("alpha", alpha.alpha);
    writer.member("sampled", alpha.sampled);
    writer.member("origin", to_string(Origin::simulated));
  });
  if (study.given_traffic) {
    writer.member("given_traffic", study.given_traffic->value());
  }
  writer.member("measured_alpha", study.measured_alpha);
  if (std::any_of(study.picture.densities.begin(), study.picture.densities.end(),
                  [](double density) { return density > 0; })) {
    writer.object("picture", [&] { write_picture(writer, study.picture); });
  }
  writer.objects("formats", study.formats,
                 [&](const SparseFormatFacts& format) { write_format(writer, format); });
  write_notes(writer, "left_out", study.left_out);
  writer.objects("timings", study.timings,
                 [&](const SparseTiming& timing) { write_timing(writer, timing); });
  writer.objects("reorderings", study.reorderings,
                 [&](const SparseReordering& reordering) { write_reordering(writer, reordering); });
  writer.objects("multiples", study.multiples,
                 [&](const SparseMultiple& multiple) { write_multiple(writer, multiple); });
  writer.objects("findings", study.findings, [&](const SparseFinding& finding) {
    writer.member("code", finding.code);
    writer.member("text", finding.text);
    writer.member("gain", finding.gain);
  });
  write_notes(writer, "notes", study.notes);
  return writer.finish();
}

}  // namespace ridge::serialize
