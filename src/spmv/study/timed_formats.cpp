#include "spmv/study/timed_formats.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "spmv/format/code_balance.hpp"
#include "spmv/format/traffic.hpp"
#include "spmv/study/figures.hpp"
#include "spmv/study/read_bandwidth.hpp"
#include "spmv/study/stopwatch.hpp"
#include "spmv/study/suitable_formats.hpp"
#include "spmv/study/tune.hpp"

namespace ridge::spmv {
namespace {

std::string_view name_of(Gather gather) {
  switch (gather) {
    case Gather::scalar:
      return "scalar";
    case Gather::emulated:
      return "emulated";
    case Gather::hardware:
      break;
  }
  return "hardware";
}

std::string threads_words(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

/// What the traffic of its products follows from, besides the format.
struct Shape {
  std::int64_t rows = 0;
  std::size_t entries = 0;
  double alpha = 0;  ///< least: each column that is used comes once
};

template <class Index>
Shape shape_of(const CsrMatrix<double, Index>& matrix) {
  return {std::int64_t{matrix.rows}, matrix.entries(),
          matrix.entries() == 0
              ? 0
              : least_alpha(columns_used<Index>(pattern_of(matrix)), matrix.entries())};
}

/// Least bytes of one product. `streamed_y`: stores of y bypass the caches.
double traffic(const Footprint& footprint, const Shape& shape, bool streamed_y = false) {
  const auto balance =
      code_balance(footprint, shape.rows, shape.alpha, {.write_allocate = !streamed_y});
  return balance ? balance->bytes_per_entry() * static_cast<double>(footprint.useful) : 0;
}

SparseFormatFacts facts_of(const Product<double>& product, const Shape& shape) {
  const Footprint& footprint = product.footprint();
  const double entries = std::max(1.0, static_cast<double>(footprint.useful));
  SparseFormatFacts facts;
  facts.format = spmv::name_of(product.format());
  facts.stored_per_entry = static_cast<double>(footprint.stored) / entries;
  facts.value_bytes_per_entry = footprint.value_bytes / entries;
  facts.index_bytes_per_entry = (footprint.index_bytes + footprint.copied_bytes) / entries;
  facts.pointer_bytes_per_entry = footprint.pointer_bytes / entries;
  const double all = traffic(footprint, shape);
  facts.vector_bytes_per_entry = (all - footprint.matrix_bytes()) / entries;
  facts.without_index = footprint.stored == 0 ? 0
                                              : static_cast<double>(footprint.without_index) /
                                                    static_cast<double>(footprint.stored);
  facts.least_code_balance = all / (2 * entries);
  return facts;
}

/// Error: the matrix cannot have the format; unless `asked` also where that multiplies its memory.
template <class Index>
Result<Converted> convert(const CsrMatrix<double, Index>& matrix, const Format& format, bool asked,
                          const Shape& shape) {
  constexpr double kWorthTrying = 3;
  const Stopwatch watch;
  auto product = asked ? make_product<double>(matrix, format, {})
                       : make_product<double>(matrix, format, {}, kWorthTrying);
  const double seconds = watch.seconds();
  if (!product) {
    return tl::make_unexpected(product.error());
  }
  SparseFormatFacts facts = facts_of(**product, shape);
  facts.conversion = Seconds(format.kind == FormatKind::csr ? 0 : seconds);
  return Converted{std::move(*product), std::move(facts)};
}

/// Fills in what is converted and what is left out. Error: a format that was asked for and cannot
/// be.
template <class Index>
Result<void> convert_all(const CsrMatrix<double, Index>& matrix, const StudyOptions& options,
                         const Shape& shape, TimedFormats& result) {
  const bool asked = !options.formats.empty();
  std::vector<Format> formats = asked ? options.formats : suitable_formats(matrix);
  if (std::find(formats.begin(), formats.end(), Format{}) == formats.end()) {
    formats.insert(formats.begin(), Format{});  // everything is compared with CSR
  }
  for (const Format& format : formats) {
    options.progress(fmt::format("converting to {}", spmv::name_of(format)));
    auto converted = convert(matrix, format, asked, shape);
    if (converted) {
      result.converted.push_back(std::move(*converted));
    } else if (!asked) {
      result.left_out.push_back({spmv::name_of(format), converted.error().message});
    } else {
      return tl::make_unexpected(converted.error());
    }
  }
  return {};
}

/// Every format with every schedule, without samples.
std::vector<Timed> tune_all(const std::vector<Converted>& converted, const StudyOptions& options,
                            int threads, Vectors& vectors) {
  std::vector<Timed> tuned;
  for (const Schedule schedule : options.schedules) {
    for (const Converted& one : converted) {
      Product<double>& product = *one.product;
      options.progress(
          fmt::format("tuning {} on {}", spmv::name_of(product.format()), threads_words(threads)));
      product.set({threads, schedule, widest_isa(), {}});
      tune(product, vectors.x.data(), vectors.y.data());
      tuned.push_back({&product, product.execution(), {}, {}});
    }
  }
  return tuned;
}

SparseTiming timing_of(const Timed& timed, const Samples& csr, const Product<double>& csr_product,
                       Seconds conversion, const Shape& shape) {
  const Product<double>& product = *timed.product;
  const Tuning& tuning = timed.execution.tuning;
  SparseTiming timing;
  timing.format = spmv::name_of(product.format());
  timing.threads = static_cast<unsigned>(timed.execution.threads);
  timing.schedule = spmv::name_of(timed.execution.schedule);
  timing.gather = name_of(tuning.gather);
  timing.stream_ahead = tuning.stream_ahead;
  timing.x_ahead = tuning.x_ahead;
  timing.streamed_y = tuning.stream_y;
  set_figures(timing, timed.samples, csr,
              {2 * static_cast<double>(shape.entries),
               traffic(product.footprint(), shape, timing.streamed_y),
               traffic(csr_product.footprint(), shape), conversion.value()});
  return timing;
}

/// Adds every format with every schedule, timed in turn on so many threads.
template <class Index>
void time_on(int threads, const CsrMatrix<double, Index>& matrix, const Shape& shape,
             const StudyOptions& options, Seconds budget, const std::optional<Contender>& rival,
             TimedFormats& result) {
  const auto& converted = result.converted;
  const Product<double>& csr = *converted.front().product;
  Vectors vectors(matrix, threads);
  ReadBandwidth bandwidth(buffer_bytes(csr.footprint().matrix_bytes(), options.last_level_cache),
                          threads, widest_isa(), options.effort.read);
  std::vector<Timed> timed = tune_all(converted, options, threads, vectors);
  std::vector<Contender> contenders;
  for (const Timed& one : timed) {
    contenders.push_back(contender_of(one, vectors));
  }
  if (rival) {
    contenders.insert(contenders.begin(), *rival);
  }
  options.progress(
      fmt::format("timing {} formats on {}", converted.size(), threads_words(threads)));
  auto samples = time_in_turn(contenders, bandwidth, options.effort, budget, options.progress);
  if (rival) {
    result.rival = std::move(samples.front());
    samples.erase(samples.begin());
  }
  for (std::size_t i = 0; i < timed.size(); ++i) {
    timed[i].samples = std::move(samples[i]);
    timed[i].timing = timing_of(timed[i], timed.front().samples, csr,
                                converted[i % converted.size()].facts.conversion, shape);
  }
  const std::size_t first = result.timed.size();
  std::move(timed.begin(), timed.end(), std::back_inserter(result.timed));
  const Samples& best = fastest_timed(result.timed, static_cast<unsigned>(threads)).samples;
  for (std::size_t i = first; i < result.timed.size(); ++i) {
    Timed& one = result.timed[i];
    one.timing.against_fastest = paired_ratio(best.seconds, one.samples.seconds);
  }
}

}  // namespace

Contender contender_of(const Timed& timed, Vectors& vectors) {
  Product<double>& product = *timed.product;
  return {
      .run = [&product, &vectors] { product.multiply(1, vectors.x.data(), 0, vectors.y.data()); },
      .prepare = [&product, execution = timed.execution] { product.set(execution); }};
}

const Timed& fastest_timed(const std::vector<Timed>& timed, unsigned threads) {
  SparseStudy study;
  for (const Timed& one : timed) {
    study.timings.push_back(one.timing);
  }
  return timed[static_cast<std::size_t>(fastest(study, threads) - study.timings.data())];
}

std::uint64_t buffer_bytes(double matrix_bytes, Bytes last_level_cache) {
  constexpr std::uint64_t kLargestBuffer = std::uint64_t{256} << 20;
  const auto matrix = static_cast<std::uint64_t>(matrix_bytes);
  return matrix <= static_cast<std::uint64_t>(last_level_cache.value())
             ? std::max<std::uint64_t>(matrix, 4096)
             : kLargestBuffer;
}

template <class Index>
Result<TimedFormats> time_each_format(const CsrMatrix<double, Index>& matrix,
                                      const StudyOptions& options, Seconds budget,
                                      const std::optional<Contender>& rival) {
  const Shape shape = shape_of(matrix);
  TimedFormats result;
  if (auto converted = convert_all(matrix, options, shape, result); !converted) {
    return tl::make_unexpected(converted.error());
  }
  const auto schedules = static_cast<double>(options.schedules.size());
  for (const int threads : options.threads) {
    time_on(threads, matrix, shape, options, budget * schedules, rival, result);
  }
  return result;
}

template Result<TimedFormats> time_each_format(const CsrMatrix<double, std::int32_t>&,
                                               const StudyOptions&, Seconds,
                                               const std::optional<Contender>&);
template Result<TimedFormats> time_each_format(const CsrMatrix<double, std::int64_t>&,
                                               const StudyOptions&, Seconds,
                                               const std::optional<Contender>&);

}  // namespace ridge::spmv
