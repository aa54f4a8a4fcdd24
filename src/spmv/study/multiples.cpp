#include "spmv/study/multiples.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "spmv/format/many.hpp"
#include "spmv/format/powers.hpp"
#include "spmv/study/contender.hpp"
#include "spmv/study/read_bandwidth.hpp"

namespace ridge::spmv {
namespace {

/// What takes its turn.
struct Multiple {
  std::string kind;  ///< "vectors", "powers"
  int count = 1;
  Contender contender;
};

template <class Index>
std::vector<Multiple> several_vectors(const CsrMatrix<double, Index>& matrix,
                                      const std::vector<int>& widths, const Execution& execution,
                                      Vectors& vectors) {
  std::vector<Multiple> all;
  for (const int width : widths) {
    all.push_back({"vectors", width, {.run = [&matrix, &vectors, execution, width] {
                     multiply_many(matrix, execution, width, 1.0, vectors.x.data(), 0.0,
                                   vectors.y.data());
                   }}});
  }
  return all;
}

/// The matrix as its powers are multiplied, and places for their results.
template <class Index>
struct PowerMatrix {
  SellMatrix<double, Index> sell;
  PowerPlan plan;
  std::vector<Array<double>> results;
};

/// Up to the `most`-th power. The matrix is square.
template <class Index>
PowerMatrix<Index> power_matrix(const CsrMatrix<double, Index>& matrix, int most) {
  PowerMatrix<Index> powers;
  powers.sell = to_sell(matrix, 32, 1);
  powers.plan = *plan_powers(powers.sell);
  for (int power = 0; power < most; ++power) {
    powers.results.emplace_back(static_cast<std::size_t>(matrix.rows), 0.0);
  }
  return powers;
}

/// `powers` and `vectors` outlive it.
template <class Index>
Multiple up_to_power(int power, PowerMatrix<Index>& powers, const Execution& execution,
                     const Vectors& vectors) {
  return {"powers", power, {.run = [&powers, &vectors, execution, power] {
            std::vector<double*> places;
            for (int q = 0; q < power; ++q) {
              places.push_back(powers.results[static_cast<std::size_t>(q)].data());
            }
            multiply_powers(powers.sell, powers.plan, execution, vectors.x.data(), places);
          }}};
}

template <class Index>
Note note_at_once(int power, const PowerMatrix<Index>& powers) {
  const double bytes = powers.plan.entries_at_once(powers.sell.stored(), power) * 12;
  return {"powers-at-once", fmt::format("{} powers keep {:.3g} MB of the matrix in use at a time",
                                        power, bytes / 1e6)};
}

/// `best`: of the fastest format in the same rounds. `entries`: of the matrix.
SparseMultiple figures_of(const Multiple& multiple, const Samples& own, const Samples& best,
                          std::size_t entries, int threads) {
  SparseMultiple result;
  result.kind = multiple.kind;
  result.count = static_cast<unsigned>(multiple.count);
  result.threads = static_cast<unsigned>(threads);
  result.time = *estimate_from<Seconds>(own.seconds);
  std::vector<double> performance;
  std::vector<double> one_by_one;
  for (std::size_t k = 0; k < own.seconds.size(); ++k) {
    performance.push_back(2 * static_cast<double>(entries) * multiple.count / own.seconds[k]);
    one_by_one.push_back(best.seconds[k] * multiple.count);
  }
  result.performance = *estimate_from<FlopsPerSecond>(performance);
  result.paired_gain = paired_ratio(one_by_one, own.seconds);
  result.gain = result.paired_gain ? result.paired_gain->median : 1;
  return result;
}

int most_of(const std::vector<int>& counts, int otherwise) {
  return counts.empty() ? otherwise : *std::max_element(counts.begin(), counts.end());
}

}  // namespace

template <class Index>
Multiples time_multiples(const CsrMatrix<double, Index>& matrix, const StudyOptions& options,
                         const TimedFormats& formats, Seconds budget) {
  Multiples result;
  if (options.vectors.empty() && options.powers.empty()) {
    return result;
  }
  const int threads = options.threads.back();
  Vectors vectors(matrix, threads, static_cast<std::size_t>(most_of(options.vectors, 1)));
  const double matrix_bytes = formats.converted.front().product->footprint().matrix_bytes();
  ReadBandwidth bandwidth(buffer_bytes(matrix_bytes, options.last_level_cache), threads,
                          widest_isa(), options.effort.read);
  Execution execution;
  execution.threads = threads;
  std::vector<Multiple> multiples = several_vectors(matrix, options.vectors, execution, vectors);
  PowerMatrix<Index> powers;
  if (!options.powers.empty() && matrix.rows != matrix.columns) {
    result.notes.push_back({"no-powers", "the matrix is not square: it has no powers"});
  } else if (!options.powers.empty()) {
    powers = power_matrix(matrix, most_of(options.powers, 0));
    for (const int power : options.powers) {
      multiples.push_back(up_to_power(power, powers, execution, vectors));
      result.notes.push_back(note_at_once(power, powers));
    }
  }
  // What they are compared with takes its turn with them.
  std::vector<Contender> contenders = {
      contender_of(fastest_timed(formats.timed, static_cast<unsigned>(threads)), vectors)};
  for (const Multiple& multiple : multiples) {
    contenders.push_back(multiple.contender);
  }
  options.progress("timing several vectors and powers");
  const auto samples =
      time_in_turn(contenders, bandwidth, options.effort, budget, options.progress);
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    result.timed.push_back(
        figures_of(multiples[i], samples[i + 1], samples.front(), matrix.entries(), threads));
  }
  return result;
}

template Multiples time_multiples(const CsrMatrix<double, std::int32_t>&, const StudyOptions&,
                                  const TimedFormats&, Seconds);
template Multiples time_multiples(const CsrMatrix<double, std::int64_t>&, const StudyOptions&,
                                  const TimedFormats&, Seconds);

}  // namespace ridge::spmv
