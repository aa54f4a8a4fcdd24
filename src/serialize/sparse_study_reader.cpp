#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <utility>

#include "serialize/estimate_value.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/sparse_study.hpp"
#include "serialize/sparse_study_value.hpp"

namespace ridge::serialize {
namespace {

/// A name that Ridge gave.
std::string word(const Reader& value) {
  constexpr std::size_t kLongest = 64;
  std::string text = value.text();
  const bool fine = !text.empty() && text.size() <= kLongest &&
                    std::all_of(text.begin(), text.end(),
                                [](unsigned char c) { return std::isalnum(c) != 0 || c == '-'; });
  if (!fine && value.ok()) {
    value.fail("must be a word of letters, digits and dashes");
  }
  return fine ? text : std::string();
}

std::string one_of(const Reader& value, std::initializer_list<std::string_view> words) {
  std::string text = word(value);
  if (value.ok() && std::find(words.begin(), words.end(), text) == words.end()) {
    std::string all;
    for (const std::string_view known : words) {
      all += fmt::format("{}{}", all.empty() ? "" : ", ", known);
    }
    value.fail(fmt::format("must be one of {}, is {}", all, text));
  }
  return text;
}

int ahead(const Reader& value) {
  constexpr std::int64_t kMost = 1 << 30;
  return static_cast<int>(value.integer_between(0, kMost));
}

template <class Q>
Estimate<Q> estimate(const Reader& object, std::string_view key, std::string_view unit) {
  const Reader value = object.at(key);
  expect_unit(value, unit, key);
  return read_estimate<Q>(value, Zero::allowed);
}

SparseMatrixFacts read_matrix(const Reader& object) {
  SparseMatrixFacts matrix;
  matrix.name = object.at("name").text();
  matrix.origin = object.at("origin").text();
  matrix.rows = object.at("rows").count();
  matrix.columns = object.at("columns").count();
  matrix.entries = object.at("entries").count();
  matrix.used_columns = object.at("used_columns").count();
  matrix.empty_rows = object.at("empty_rows").count();
  matrix.least_in_row = object.at("least_in_row").count();
  matrix.most_in_row = object.at("most_in_row").count();
  matrix.mean_in_row = object.at("mean_in_row").non_negative_real();
  matrix.row_variation = object.at("row_variation").non_negative_real();
  matrix.bandwidth = object.at("bandwidth").count();
  matrix.square = object.at("square").flag();
  matrix.symmetric = object.at("symmetric").flag();
  matrix.symmetric_pattern = object.at("symmetric_pattern").flag();
  matrix.block = object.at("block").positive();
  matrix.index_bits = object.at("index_bits").positive();
  if (object.ok() && matrix.index_bits != 32 && matrix.index_bits != 64) {
    object.at("index_bits").fail("must be 32 or 64");
  }
  matrix.rows_imbalance = object.at("rows_imbalance").non_negative_real();
  return matrix;
}

PredictedAlpha read_alpha(const Reader& object) {
  return {word(object.at("level")), Bytes(object.at("capacity").non_negative_real()),
          object.at("alpha").non_negative_real(), object.at("sampled").flag()};
}

SparseFormatFacts read_format(const Reader& object) {
  SparseFormatFacts format;
  format.format = word(object.at("format"));
  format.stored_per_entry = object.at("stored_per_entry").non_negative_real();
  format.value_bytes_per_entry = object.at("value_bytes_per_entry").non_negative_real();
  format.index_bytes_per_entry = object.at("index_bytes_per_entry").non_negative_real();
  format.pointer_bytes_per_entry = object.at("pointer_bytes_per_entry").non_negative_real();
  format.vector_bytes_per_entry = object.at("vector_bytes_per_entry").non_negative_real();
  format.without_index = object.at("without_index").non_negative_real();
  format.least_code_balance = object.at("least_code_balance").non_negative_real();
  format.conversion = Seconds(object.at("conversion_seconds").non_negative_real());
  return format;
}

/// What it says follows from its ends: the file's own word for it is not read.
std::optional<MedianInterval> read_interval(const Reader& object) {
  if (object.absent()) {
    return std::nullopt;
  }
  MedianInterval interval;
  interval.median = object.at("median").non_negative_real();
  interval.low = object.at("low").non_negative_real();
  interval.high = object.at("high").non_negative_real();
  interval.confidence = object.at("confidence").non_negative_real();
  interval.samples = object.at("samples").count();
  if (object.ok() && (interval.low > interval.median || interval.median > interval.high)) {
    object.fail("must have low <= median <= high");
  }
  return interval;
}

SparseTiming read_timing(const Reader& object) {
  SparseTiming timing;
  timing.format = word(object.at("format"));
  timing.threads = object.at("threads").positive();
  timing.schedule = word(object.at("schedule"));
  timing.gather = word(object.at("gather"));
  timing.stream_ahead = ahead(object.at("stream_ahead"));
  timing.x_ahead = ahead(object.at("x_ahead"));
  timing.streamed_y = object.at("streamed_y").flag();
  timing.time = estimate<Seconds>(object, "time", "s");
  timing.performance = estimate<FlopsPerSecond>(object, "performance", "Flop/s");
  timing.bandwidth = estimate<BytesPerSecond>(object, "bandwidth", "B/s");
  timing.of_own_roof = estimate<Number>(object, "of_own_roof", "1");
  timing.of_csr_roof = estimate<Number>(object, "of_csr_roof", "1");
  if (!object.find("speedup").absent()) {
    timing.speedup = estimate<Number>(object, "speedup", "1");
  }
  timing.paired_speedup = read_interval(object.find("paired_speedup"));
  timing.against_fastest = read_interval(object.find("against_fastest"));
  timing.own_roof_interval = read_interval(object.find("own_roof_interval"));
  timing.conversion_products =
      optional_from(object.find("conversion_products"), &Reader::non_negative_real);
  timing.break_even = optional_from(object.find("break_even_products"), &Reader::non_negative_real);
  timing.code_balance_bound = object.at("code_balance_bound").non_negative_real();
  return timing;
}

SparseReordering read_reordering(const Reader& object) {
  SparseReordering reordering;
  reordering.method = one_of(object.at("method"), {"rcm", "hubs"});
  reordering.bandwidth = object.at("bandwidth").count();
  reordering.time = Seconds(object.at("seconds").non_negative_real());
  reordering.gain = object.at("gain").non_negative_real();
  reordering.paired_gain = read_interval(object.find("paired_gain"));
  reordering.break_even =
      optional_from(object.find("break_even_products"), &Reader::non_negative_real);
  reordering.best = read_timing(object.at("best"));
  return reordering;
}

SparseMultiple read_multiple(const Reader& object) {
  SparseMultiple multiple;
  multiple.kind = one_of(object.at("kind"), {"vectors", "powers"});
  multiple.count = object.at("count").positive();
  multiple.threads = object.at("threads").positive();
  multiple.time = estimate<Seconds>(object, "time", "s");
  multiple.performance = estimate<FlopsPerSecond>(object, "performance", "Flop/s");
  multiple.gain = object.at("gain").non_negative_real();
  multiple.paired_gain = read_interval(object.find("paired_gain"));
  return multiple;
}

SparseFinding read_finding(const Reader& object) {
  return {word(object.at("code")), object.at("text").text(),
          optional_from(object.find("gain"), &Reader::non_negative_real)};
}

Note read_note(const Reader& object) {
  return {word(object.at("code")), object.at("text").text()};
}

/// The density of a digit: the ends of the scale exactly, so that what is read is written alike.
double density_of(char digit, double least, double most) {
  constexpr int kLast = kPictureShades - 1;
  const int shade = digit - '0';
  return shade == kLast ? most
         : shade == 0   ? least
                        : least * std::pow(most / least, static_cast<double>(shade) / kLast);
}

SparsePicture read_picture(const Reader& object) {
  const double least = object.at("least").positive_real();
  const double most = object.at("most").positive_real();
  if (object.ok() && most < least) {
    object.fail("must have least <= most");
  }
  SparsePicture picture;
  for (const Reader& item : object.at("rows").items()) {
    const std::string row = item.text();
    if (picture.height == 0) {
      picture.width = row.size();
    }
    const bool fine = !row.empty() && row.size() == picture.width &&
                      std::all_of(row.begin(), row.end(),
                                  [](char c) { return c == '.' || (c >= '0' && c <= '9'); });
    if (!fine) {
      item.fail("must be as long as the first row, of digits and dots");
      return {};
    }
    for (const char c : row) {
      picture.densities.push_back(c == '.' ? 0.0 : density_of(c, least, most));
    }
    ++picture.height;
  }
  return picture;
}

SparseStudy read_study(const Reader& root) {
  SparseStudy study;
  study.date = root.at("date").text();
  study.host = root.at("host").text();
  study.cpu = root.at("cpu").text();
  study.instruction_set = one_of(root.at("instruction_set"),
                                 {"portable", to_string(Isa::avx2), to_string(Isa::avx512)});
  study.last_level_cache = Bytes(root.at("last_level_cache").non_negative_real());
  study.matrix = read_matrix(root.at("matrix"));
  study.alphas = list_from(root.at("predicted_alpha"), read_alpha);
  if (const auto traffic = optional_from(root.find("given_traffic"), &Reader::non_negative_real)) {
    study.given_traffic = Bytes(*traffic);
  }
  study.measured_alpha = optional_from(root.find("measured_alpha"), &Reader::non_negative_real);
  if (study.measured_alpha && !study.given_traffic) {
    root.at("measured_alpha").fail("needs given_traffic, which it was found from");
  }
  if (const Reader picture = root.find("picture"); !picture.absent()) {
    study.picture = read_picture(picture);
  }
  study.formats = list_from(root.at("formats"), read_format);
  study.left_out = list_from(root.at("left_out"), read_note);
  study.timings = list_from(root.at("timings"), read_timing);
  study.reorderings = list_from(root.at("reorderings"), read_reordering);
  study.multiples = list_from(root.at("multiples"), read_multiple);
  study.findings = list_from(root.at("findings"), read_finding);
  study.notes = list_from(root.at("notes"), read_note);
  return study;
}

}  // namespace

Result<SparseStudy> parse_sparse_study(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSparseStudySchema,
                   "It should be a study that `ridge spmv -o FILE.json` wrote.", read_study);
}

}  // namespace ridge::serialize
