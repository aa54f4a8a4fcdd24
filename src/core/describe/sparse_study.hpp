// Fields of a study of the sparse matrix-vector product.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "core/describe/enumerators.hpp"
#include "core/describe/field.hpp"
#include "core/describe/note.hpp"
#include "core/value/sparse_study.hpp"

namespace ridge::describe {

inline constexpr std::array<std::string_view, 3> kSparseInstructionSets{
    "portable", to_string(Isa::avx2), to_string(Isa::avx512)};
inline constexpr std::array<std::string_view, 4> kSparseSchedules{"rows", "entries", "block-cyclic",
                                                                  "dynamic"};
inline constexpr std::array<std::string_view, 3> kSparseGathers{"scalar", "emulated", "hardware"};
inline constexpr std::array<std::string_view, 2> kSparseOrders{"rcm", "hubs"};
inline constexpr std::array<std::string_view, 2> kSparseMultiples{"vectors", "powers"};
/// Entries that a prefetch runs ahead.
inline constexpr Limits kAhead{.least = 0.0, .most = 1073741824.0};

template <>
struct Description<SparseMatrixFacts> {
  static constexpr std::string_view name = "Matrix";
  static constexpr std::string_view meaning = "the matrix as the product sees it";
  static constexpr auto fields = std::tuple{
      field("name", &SparseMatrixFacts::name, "", "file or generator"),
      field("origin", &SparseMatrixFacts::origin, "", ""),
      field("rows", &SparseMatrixFacts::rows, "", ""),
      field("columns", &SparseMatrixFacts::columns, "", ""),
      field("entries", &SparseMatrixFacts::entries, "", "nonzeros"),
      field("used_columns", &SparseMatrixFacts::used_columns, "", "columns with an entry"),
      field("empty_rows", &SparseMatrixFacts::empty_rows, "", ""),
      field("least_in_row", &SparseMatrixFacts::least_in_row, "", "entries"),
      field("most_in_row", &SparseMatrixFacts::most_in_row, "", "entries"),
      field("mean_in_row", &SparseMatrixFacts::mean_in_row, "", "entries",
            {.limits = kNotNegative}),
      field("row_variation", &SparseMatrixFacts::row_variation, "",
            "standard deviation of the row lengths over their mean", {.limits = kNotNegative}),
      field("bandwidth", &SparseMatrixFacts::bandwidth, "", "the largest |row - column|"),
      field("square", &SparseMatrixFacts::square, "", ""),
      field("symmetric", &SparseMatrixFacts::symmetric, "", ""),
      field("symmetric_pattern", &SparseMatrixFacts::symmetric_pattern, "", ""),
      field("block", &SparseMatrixFacts::block, "", "rows of a dense block",
            {.limits = kAtLeastOne}),
      field("index_bits", &SparseMatrixFacts::index_bits, "bit", "32 or 64",
            {.limits = kAtLeastOne, .multiple_of = 32}),
      field("rows_imbalance", &SparseMatrixFacts::rows_imbalance, "",
            "entries of the thread with most, over the mean, each with as many rows",
            {.limits = kNotNegative})};
};
static_assert(is_complete<SparseMatrixFacts>());

template <>
struct Description<PredictedAlpha> {
  static constexpr std::string_view name = "PredictedAlpha";
  static constexpr std::string_view meaning =
      "how often x comes from beyond a cache: alpha of the code balance";
  static Origin origin(const PredictedAlpha& /*all*/) { return Origin::simulated; }
  static constexpr auto fields =
      std::tuple{field("level", &PredictedAlpha::level, "", ""),
                 field("capacity", &PredictedAlpha::capacity, "byte", "", {.limits = kNotNegative}),
                 field("alpha", &PredictedAlpha::alpha, "", "elements of x for each entry",
                       {.limits = kNotNegative}),
                 field("sampled", &PredictedAlpha::sampled, "", "found from a part of the matrix"),
                 derived("origin", &origin, "", "")};
};
static_assert(is_complete<PredictedAlpha>());

template <>
struct Description<SparseFormatFacts> {
  static constexpr std::string_view name = "StorageFormat";
  static constexpr std::string_view meaning = "a storage format as the matrix has it";
  static constexpr auto fields = std::tuple{
      field("format", &SparseFormatFacts::format, "", "csr, sell-32-256 ...", {.word = true}),
      field("stored_per_entry", &SparseFormatFacts::stored_per_entry, "",
            "values with padding, for each entry", {.limits = kNotNegative}),
      field("value_bytes_per_entry", &SparseFormatFacts::value_bytes_per_entry, "byte", "",
            {.limits = kNotNegative}),
      field("index_bytes_per_entry", &SparseFormatFacts::index_bytes_per_entry, "byte", "",
            {.limits = kNotNegative}),
      field("pointer_bytes_per_entry", &SparseFormatFacts::pointer_bytes_per_entry, "byte", "",
            {.limits = kNotNegative}),
      field("vector_bytes_per_entry", &SparseFormatFacts::vector_bytes_per_entry, "byte",
            "x once; y written, and read before for the allocation", {.limits = kNotNegative}),
      field("without_index", &SparseFormatFacts::without_index, "",
            "share of the stored values that need none", {.limits = kShare}),
      field("least_code_balance", &SparseFormatFacts::least_code_balance, "byte/flop",
            "each array once, x as often as its columns are used", {.limits = kNotNegative}),
      field("conversion_seconds", &SparseFormatFacts::conversion, "s", "from CSR, one sample",
            {.limits = kNotNegative})};
};
static_assert(is_complete<SparseFormatFacts>());

template <>
struct Enumerators<Standing> {
  static constexpr std::array values{Standing::faster, Standing::slower, Standing::no_difference,
                                     Standing::too_noisy};
};

template <>
struct Description<MedianInterval> {
  static constexpr std::string_view name = "MedianInterval";
  static constexpr std::string_view meaning =
      "a median with its confidence interval by order statistics (docs/spmv.md)";
  static constexpr auto fields =
      std::tuple{field("median", &MedianInterval::median, "", "", {.limits = kNotNegative}),
                 field("low", &MedianInterval::low, "", "", {.limits = kNotNegative}),
                 field("high", &MedianInterval::high, "", "", {.limits = kNotNegative}),
                 field("confidence", &MedianInterval::confidence, "", "", {.limits = kShare}),
                 field("samples", &MedianInterval::samples, "", "", {.limits = kAtLeastOne})};
};
static_assert(is_complete<MedianInterval>());

/// The interval of a ratio of speeds: files say what it says.
struct PairedRatio : MedianInterval {};

template <>
struct Description<PairedRatio> {
  static constexpr std::string_view name = "PairedRatio";
  static constexpr std::string_view meaning =
      "the median of ratios of speed, each of one round, with its confidence interval";
  static Standing verdict(const PairedRatio& ratio) { return standing_of(ratio); }
  static constexpr auto fields = std::tuple{
      part<MedianInterval>(), derived("verdict", &verdict, "", "what the interval says against 1")};
};
static_assert(is_complete<PairedRatio>());

[[nodiscard]] inline std::optional<PairedRatio> judged(
    const std::optional<MedianInterval>& interval) {
  return interval ? std::optional(PairedRatio{*interval}) : std::nullopt;
}
[[nodiscard]] inline std::optional<MedianInterval> interval_of(const PairedRatio& ratio) {
  return ratio;
}

template <>
struct Description<SparseTiming> {
  static constexpr std::string_view name = "Timing";
  static constexpr std::string_view meaning =
      "a format on so many threads; two flops for each entry of the matrix, padding excluded";
  static constexpr auto fields = std::tuple{
      field("format", &SparseTiming::format, "", "", {.word = true}),
      field("threads", &SparseTiming::threads, "", "", {.limits = kAtLeastOne}),
      field("schedule", &SparseTiming::schedule, "", "", {.word = true, .words = kSparseSchedules}),
      field("gather", &SparseTiming::gather, "", "", {.word = true, .words = kSparseGathers}),
      field("stream_ahead", &SparseTiming::stream_ahead, "",
            "entries that the arrays are fetched "
            "ahead",
            {.limits = kAhead}),
      field("x_ahead", &SparseTiming::x_ahead, "", "entries that x is fetched ahead",
            {.limits = kAhead}),
      field("streamed_y", &SparseTiming::streamed_y, "", "y bypasses the caches"),
      field("time", &SparseTiming::time, "s", "of one product", {.limits = kNotNegative}),
      field("performance", &SparseTiming::performance, "Flop/s", "", {.limits = kNotNegative}),
      field("bandwidth", &SparseTiming::bandwidth, "B/s", "b_S: loads alone, interleaved",
            {.limits = kNotNegative}),
      field("of_own_roof", &SparseTiming::of_own_roof, "1", "", {.limits = kNotNegative}),
      field("of_csr_roof", &SparseTiming::of_csr_roof, "1", "", {.limits = kNotNegative}),
      field("speedup", &SparseTiming::speedup, "1",
            "over CSR with the first schedule on as many threads, round by round",
            {.limits = kNotNegative}),
      stored_as("paired_speedup", &SparseTiming::paired_speedup, &judged, &interval_of, "",
                "the median of the same ratios: what formats are ranked by"),
      stored_as("against_fastest", &SparseTiming::against_fastest, &judged, &interval_of, "",
                "the same over the fastest format on as many threads"),
      field("own_roof_interval", &SparseTiming::own_roof_interval, "",
            "of the median of of_own_roof"),
      field("conversion_products", &SparseTiming::conversion_products, "",
            "time of the conversion over that of a CSR product", {.limits = kNotNegative}),
      field("break_even_products", &SparseTiming::break_even, "",
            "products from which the conversion pays; absent: never, or not beyond the noise",
            {.limits = kNotNegative}),
      field("code_balance_bound", &SparseTiming::code_balance_bound, "byte/flop",
            "b_S time / flops: the code balance if memory were the limit",
            {.limits = kNotNegative})};
};
static_assert(is_complete<SparseTiming>());

template <>
struct Description<SparseReordering> {
  static constexpr std::string_view name = "Reordering";
  static constexpr std::string_view meaning = "the matrix in another order";
  static constexpr auto fields = std::tuple{
      field("method", &SparseReordering::method, "", "", {.word = true, .only = kSparseOrders}),
      field("bandwidth", &SparseReordering::bandwidth, "", "the largest |row - column|"),
      field("seconds", &SparseReordering::time, "s", "ordering and permuting",
            {.limits = kNotNegative}),
      field("gain", &SparseReordering::gain, "", "factor over the best of the given order",
            {.limits = kNotNegative}),
      stored_as("paired_gain", &SparseReordering::paired_gain, &judged, &interval_of, "",
                "the same, round by round"),
      field("break_even_products", &SparseReordering::break_even, "",
            "products from which it pays, where it is faster beyond the noise",
            {.limits = kNotNegative}),
      field("best", &SparseReordering::best, "", "the fastest format in this order")};
};
static_assert(is_complete<SparseReordering>());

template <>
struct Description<SparseMultiple> {
  static constexpr std::string_view name = "Multiple";
  static constexpr std::string_view meaning = "several vectors at once, or several powers";
  static constexpr auto fields = std::tuple{
      field("kind", &SparseMultiple::kind, "", "", {.word = true, .only = kSparseMultiples}),
      field("count", &SparseMultiple::count, "", "", {.limits = kAtLeastOne}),
      field("threads", &SparseMultiple::threads, "", "", {.limits = kAtLeastOne}),
      field("time", &SparseMultiple::time, "s", "of all together", {.limits = kNotNegative}),
      field("performance", &SparseMultiple::performance, "Flop/s", "", {.limits = kNotNegative}),
      field("gain", &SparseMultiple::gain, "",
            "factor over count products of the best format, one after the other",
            {.limits = kNotNegative}),
      stored_as("paired_gain", &SparseMultiple::paired_gain, &judged, &interval_of, "",
                "the same, round by round")};
};
static_assert(is_complete<SparseMultiple>());

template <>
struct Description<SparseFinding> {
  static constexpr std::string_view name = "StudyFinding";
  static constexpr std::string_view meaning = "what the study says";
  static constexpr auto fields =
      std::tuple{field("code", &SparseFinding::code, "", "for programs", {.word = true}),
                 field("text", &SparseFinding::text, "", "for people"),
                 field("gain", &SparseFinding::gain, "", "factor in the time of a product",
                       {.limits = kNotNegative})};
};
static_assert(is_complete<SparseFinding>());

template <>
struct Description<ShadedPicture> {
  static constexpr std::string_view name = "Picture";
  static constexpr std::string_view meaning =
      "where entries lie: the matrix in equal parts, by rows from the top. '.': no entry; '0' to "
      "'9': entries per place of the matrix, least * (most / least)^(digit / 9)";
  static constexpr auto fields = std::tuple{
      field("least", &ShadedPicture::least, "", "what 0 stands for", {.limits = kPositive}),
      field("most", &ShadedPicture::most, "", "what 9 stands for", {.limits = kPositive}),
      field("rows", &ShadedPicture::rows, "", "of equal length", {.least_items = 1})};
};
static_assert(is_complete<ShadedPicture>());

template <>
struct Description<SparseStudy> {
  static constexpr std::string_view name = "SparseStudy";
  static constexpr std::string_view meaning =
      "the product of one matrix with vectors, on one machine";
  static constexpr auto fields = std::tuple{
      field("date", &SparseStudy::date, "", "ISO 8601, UTC"),
      field("host", &SparseStudy::host, "", ""),
      field("cpu", &SparseStudy::cpu, "", ""),
      field("instruction_set", &SparseStudy::instruction_set, "", "",
            {.word = true, .only = kSparseInstructionSets}),
      field("last_level_cache", &SparseStudy::last_level_cache, "byte", "",
            {.limits = kNotNegative}),
      field("matrix", &SparseStudy::matrix, "", ""),
      field("predicted_alpha", &SparseStudy::alphas, "", "for each cache"),
      field("given_traffic", &SparseStudy::given_traffic, "byte",
            "of one product, as given with --traffic", {.limits = kNotNegative}),
      field("measured_alpha", &SparseStudy::measured_alpha, "", "alpha that explains given_traffic",
            {.limits = kNotNegative}),
      stored_as("picture", &SparseStudy::picture, &shaded, &unshaded, "", ""),
      field("formats", &SparseStudy::formats, "", "as converted"),
      field("left_out", &SparseStudy::left_out, "", "formats that the matrix cannot have, and why"),
      field("timings", &SparseStudy::timings, "", ""),
      field("reorderings", &SparseStudy::reorderings, "", ""),
      field("multiples", &SparseStudy::multiples, "", ""),
      field("findings", &SparseStudy::findings, "", ""),
      field("notes", &SparseStudy::notes, "", "")};
};
static_assert(is_complete<SparseStudy>());

}  // namespace ridge::describe
