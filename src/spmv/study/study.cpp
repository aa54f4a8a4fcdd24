#include "spmv/study/study.hpp"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "spmv/study/contender.hpp"
#include "spmv/study/figures.hpp"
#include "spmv/study/multiples.hpp"
#include "spmv/study/reorder.hpp"
#include "spmv/study/stopwatch.hpp"
#include "spmv/study/timed_formats.hpp"

namespace ridge::spmv {
namespace {

/// The formats that suit a reordered matrix most, on the last number of threads.
StudyOptions options_of_order(const StudyOptions& given) {
  StudyOptions options = given;
  options.threads = {given.threads.back()};
  options.schedules = {given.schedules.front()};
  options.formats = {{.kind = FormatKind::sell, .sigma = 256},
                     {.kind = FormatKind::pattern},
                     {.kind = FormatKind::gather_blocked, .sigma = 256}};
  return options;
}

/// Of the timings the one with the largest ratio to the rival's, and what it gains.
void set_gain(const TimedFormats& formats, SparseReordering& result) {
  for (const Timed& timed : formats.timed) {
    const auto gain = paired_ratio(formats.rival.seconds, timed.samples.seconds);
    if (&timed == &formats.timed.front() ||
        (gain && result.paired_gain && gain->median > result.paired_gain->median)) {
      result.best = timed.timing;
      result.paired_gain = gain;
    }
  }
  result.gain = result.paired_gain ? result.paired_gain->median : 1;
  if (result.paired_gain && standing_of(*result.paired_gain) == Standing::faster) {
    const double given = estimate_from<Seconds>(formats.rival.seconds)->median.value();
    result.break_even = break_even(result.time.value() / given, result.gain);
  }
}

/// The matrix in another order, in turn with the best format of the given order. `order`: makes the
/// order. Error: there is none, or a format cannot be.
template <class Index, class Order>
Result<SparseReordering> time_order(const std::string& method, const Order& order,
                                    const CsrMatrix<double, Index>& matrix,
                                    const StudyOptions& given, const TimedFormats& formats,
                                    Seconds budget) {
  given.progress("reordering: " + method);
  const Stopwatch watch;
  const auto ordered = order();
  if (!ordered) {
    return tl::make_unexpected(ordered.error());
  }
  const auto other = permuted<double, Index>(matrix, std::span<const Index>(*ordered));
  if (!other) {
    return tl::make_unexpected(other.error());
  }
  SparseReordering result;
  result.method = method;
  result.time = Seconds(watch.seconds());
  result.bandwidth = static_cast<std::uint64_t>(bandwidth<Index>(pattern_of(*other)));
  const StudyOptions options = options_of_order(given);
  const int threads = options.threads.front();
  Vectors vectors(matrix, threads);
  const Timed& rival = fastest_timed(formats.timed, static_cast<unsigned>(threads));
  const auto timed = time_each_format(*other, options, budget, contender_of(rival, vectors));
  if (!timed) {
    return tl::make_unexpected(timed.error());
  }
  set_gain(*timed, result);
  return result;
}

template <class Index>
void add_orders(SparseStudy& study, const CsrMatrix<double, Index>& matrix,
                const StudyOptions& options, const TimedFormats& formats, Seconds budget) {
  if (matrix.rows != matrix.columns || matrix.entries() == 0) {
    return;
  }
  const auto add = [&](const std::string& method, const auto& order) {
    auto timed = time_order(method, order, matrix, options, formats, budget);
    if (timed) {
      study.reorderings.push_back(std::move(*timed));
    } else {
      study.notes.push_back({"not-reordered", timed.error().message});
    }
  };
  if (options.orders.rcm) {
    add("rcm", [&] { return reverse_cuthill_mckee<Index>(pattern_of(matrix)); });
  }
  if (options.orders.hubs) {
    add("hubs", [&] { return hub_order<Index>(pattern_of(matrix), Hubs::sorted); });
  }
}

}  // namespace

template <class Index>
Result<SparseStudy> time_formats(const CsrMatrix<double, Index>& matrix,
                                 const StudyOptions& options) {
  const double parts =
      static_cast<double>(options.threads.size()) * static_cast<double>(options.schedules.size()) +
      (options.vectors.empty() && options.powers.empty() ? 0 : 1);
  const Seconds budget = options.effort.budget / parts;
  auto formats = time_each_format(matrix, options, budget);
  if (!formats) {
    return tl::make_unexpected(formats.error());
  }
  SparseStudy study;
  Multiples multiples = time_multiples(matrix, options, *formats, budget);
  study.multiples = std::move(multiples.timed);
  study.notes = std::move(multiples.notes);
  add_orders(study, matrix, options, *formats, budget);
  for (Converted& converted : formats->converted) {
    study.formats.push_back(std::move(converted.facts));
  }
  for (Timed& timed : formats->timed) {
    study.timings.push_back(std::move(timed.timing));
  }
  study.left_out = std::move(formats->left_out);
  return study;
}

template Result<SparseStudy> time_formats(const CsrMatrix<double, std::int32_t>&,
                                          const StudyOptions&);
template Result<SparseStudy> time_formats(const CsrMatrix<double, std::int64_t>&,
                                          const StudyOptions&);

}  // namespace ridge::spmv
