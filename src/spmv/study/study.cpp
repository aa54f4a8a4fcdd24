#include "spmv/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "spmv/format/code_balance.hpp"
#include "spmv/format/many.hpp"
#include "spmv/format/powers.hpp"
#include "spmv/format/traffic.hpp"
#include "spmv/study/contender.hpp"
#include "spmv/study/figures.hpp"
#include "spmv/study/read_bandwidth.hpp"
#include "spmv/study/reorder.hpp"
#include "spmv/study/stopwatch.hpp"
#include "spmv/study/suitable_formats.hpp"
#include "spmv/study/tune.hpp"

namespace ridge::spmv {
namespace {

constexpr std::uint64_t kLargestBuffer = std::uint64_t{256} << 20;

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

struct Converted {
  std::unique_ptr<Product<double>> product;
  double seconds = 0;
};

std::string threads_words(int threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

/// What stands behind a timing of the study.
struct Timed {
  Product<double>* product = nullptr;
  Execution execution;  ///< tuned
  Samples samples;
};

Contender contender_of(const Timed& timed, Vectors& vectors) {
  Product<double>& product = *timed.product;
  return {
      .run = [&product, &vectors] { product.multiply(1, vectors.x.data(), 0, vectors.y.data()); },
      .prepare = [&product, execution = timed.execution] { product.set(execution); }};
}

template <class Index>
class Study {
 public:
  /// `rival`: timed in turn with all formats on the last number of threads.
  Study(const CsrMatrix<double, Index>& matrix, const StudyOptions& options,
        std::optional<Contender> rival = std::nullopt)
      : matrix_(matrix),
        options_(options),
        rival_(std::move(rival)),
        alpha_(matrix.entries() == 0
                   ? 0
                   : least_alpha(columns_used<Index>(pattern_of(matrix)), matrix.entries())) {}

  Result<SparseStudy> run() {
    std::vector<Format> formats =
        options_.formats.empty() ? suitable_formats(matrix_) : options_.formats;
    if (std::find(formats.begin(), formats.end(), Format{}) == formats.end()) {
      formats.insert(formats.begin(), Format{});  // everything is compared with CSR
    }
    for (const Format& format : formats) {
      if (auto converted = convert(format); !converted) {
        return tl::make_unexpected(converted.error());
      }
    }
    const auto schedules = static_cast<double>(options_.schedules.size());
    const double parts = static_cast<double>(options_.threads.size()) * schedules +
                         (options_.vectors.empty() && options_.powers.empty() ? 0 : 1);
    const Seconds budget = options_.budget / parts;
    for (const int threads : options_.threads) {
      time_all(threads, budget * schedules);
    }
    time_multiples(budget);
    if (matrix_.rows == matrix_.columns && matrix_.entries() != 0) {
      if (options_.orders.rcm) {
        reorder("rcm", [&] { return reverse_cuthill_mckee<Index>(pattern_of(matrix_)); }, budget);
      }
      if (options_.orders.hubs) {
        reorder(
            "hubs", [&] { return hub_order<Index>(pattern_of(matrix_), Hubs::sorted); }, budget);
      }
    }
    return std::move(study_);
  }

 private:
  Result<void> convert(const Format& format) {
    options_.progress(fmt::format("converting to {}", spmv::name_of(format)));
    const Stopwatch watch;
    // Nobody asked for a format that multiplies the matrix's memory.
    constexpr double kWorthTrying = 3;
    const bool asked = !options_.formats.empty();
    auto product = asked ? make_product<double>(matrix_, format, {})
                         : make_product<double>(matrix_, format, {}, kWorthTrying);
    const double seconds = watch.seconds();
    if (!product) {
      if (!asked) {
        study_.left_out.push_back({spmv::name_of(format), product.error().message});
        return {};
      }
      return tl::make_unexpected(product.error());
    }
    const Footprint& footprint = (*product)->footprint();
    const double entries = std::max(1.0, static_cast<double>(footprint.useful));
    SparseFormatFacts facts;
    facts.format = spmv::name_of((*product)->format());
    facts.stored_per_entry = static_cast<double>(footprint.stored) / entries;
    facts.value_bytes_per_entry = footprint.value_bytes / entries;
    facts.index_bytes_per_entry = (footprint.index_bytes + footprint.copied_bytes) / entries;
    facts.pointer_bytes_per_entry = footprint.pointer_bytes / entries;
    const double all = traffic(footprint);
    facts.vector_bytes_per_entry = (all - footprint.matrix_bytes()) / entries;
    facts.without_index = footprint.stored == 0 ? 0
                                                : static_cast<double>(footprint.without_index) /
                                                      static_cast<double>(footprint.stored);
    facts.least_code_balance = all / (2 * entries);
    facts.conversion = Seconds(format.kind == FormatKind::csr ? 0 : seconds);
    study_.formats.push_back(facts);
    products_.push_back({std::move(*product), facts.conversion.value()});
    return {};
  }

  /// `streamed_y`: stores of y bypass the caches.
  [[nodiscard]] double traffic(const Footprint& footprint, bool streamed_y = false) const {
    const auto balance = code_balance(footprint, std::int64_t{matrix_.rows}, alpha_,
                                      {.write_allocate = !streamed_y});
    return balance ? balance->bytes_per_entry() * static_cast<double>(footprint.useful) : 0;
  }

  /// From memory if the matrix does not fit the last cache, else from a cache of its size.
  [[nodiscard]] std::uint64_t buffer_bytes() const {
    const double matrix = products_.front().product->footprint().matrix_bytes();
    return static_cast<std::uint64_t>(matrix) <=
                   static_cast<std::uint64_t>(options_.last_level_cache.value())
               ? std::max<std::uint64_t>(static_cast<std::uint64_t>(matrix), 4096)
               : kLargestBuffer;
  }

  /// Every format with every schedule, in turn.
  void time_all(int threads, Seconds budget) {
    Vectors vectors(matrix_, threads);
    ReadBandwidth bandwidth(buffer_bytes(), threads, widest_isa());
    std::vector<Contender> contenders;
    if (rival_) {
      contenders.push_back(*rival_);
    }
    const std::size_t first = timed_.size();
    for (const Schedule schedule : options_.schedules) {
      for (Converted& converted : products_) {
        Product<double>& product = *converted.product;
        options_.progress(fmt::format("tuning {} on {}", spmv::name_of(product.format()),
                                      threads_words(threads)));
        product.set({threads, schedule, widest_isa(), {}});
        tune(product, vectors.x.data(), vectors.y.data());
        timed_.push_back({&product, product.execution(), {}});
        contenders.push_back(contender_of(timed_.back(), vectors));
      }
    }
    options_.progress(
        fmt::format("timing {} formats on {}", products_.size(), threads_words(threads)));
    auto samples = time_in_turn(contenders, bandwidth, budget, options_.progress);
    if (rival_) {
      rival_samples_ = std::move(samples.front());
    }
    for (std::size_t i = first; i < timed_.size(); ++i) {
      timed_[i].samples = std::move(samples[i - first + (rival_ ? 1 : 0)]);
      add_timing(timed_[i], timed_[first].samples, products_[(i - first) % products_.size()]);
    }
    compare_with_fastest(first, static_cast<unsigned>(threads));
  }

  void add_timing(const Timed& timed, const Samples& csr, const Converted& converted) {
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
                {2 * static_cast<double>(matrix_.entries()),
                 traffic(product.footprint(), timing.streamed_y),
                 traffic(products_.front().product->footprint()), converted.seconds});
    study_.timings.push_back(timing);
  }

  void compare_with_fastest(std::size_t first, unsigned threads) {
    const Samples& best = fastest_timed(threads).samples;
    for (std::size_t i = first; i < timed_.size(); ++i) {
      study_.timings[i].against_fastest = paired_ratio(best.seconds, timed_[i].samples.seconds);
    }
  }

  void time_multiples(Seconds budget) {
    if (options_.vectors.empty() && options_.powers.empty()) {
      return;
    }
    const int threads = options_.threads.back();
    const auto all = static_cast<std::size_t>(
        options_.vectors.empty()
            ? 1
            : *std::max_element(options_.vectors.begin(), options_.vectors.end()));
    Vectors vectors(matrix_, threads, all);
    ReadBandwidth bandwidth(buffer_bytes(), threads, widest_isa());
    // What they are compared with takes its turn with them.
    std::vector<Contender> contenders = {
        contender_of(fastest_timed(static_cast<unsigned>(threads)), vectors)};
    std::vector<std::pair<std::string, int>> kinds;
    Execution execution;
    execution.threads = threads;
    for (const int width : options_.vectors) {
      contenders.push_back({.run = [this, &vectors, execution, width] {
        multiply_many(matrix_, execution, width, 1.0, vectors.x.data(), 0.0, vectors.y.data());
      }});
      kinds.emplace_back("vectors", width);
    }
    add_powers(contenders, kinds, execution, vectors);
    options_.progress("timing several vectors and powers");
    const auto samples = time_in_turn(contenders, bandwidth, budget, options_.progress);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      add_multiple(samples[i + 1], samples.front(), kinds[i], threads);
    }
  }

  void add_powers(std::vector<Contender>& contenders,
                  std::vector<std::pair<std::string, int>>& kinds, const Execution& execution,
                  const Vectors& vectors) {
    if (options_.powers.empty()) {
      return;
    }
    if (matrix_.rows != matrix_.columns) {
      study_.notes.push_back({"no-powers", "the matrix is not square: it has no powers"});
      return;
    }
    sell_ = to_sell(matrix_, 32, 1);
    plan_ = *plan_powers(sell_);
    for (const int power : options_.powers) {
      while (results_.size() < static_cast<std::size_t>(power)) {
        results_.emplace_back(static_cast<std::size_t>(matrix_.rows), 0.0);
      }
      contenders.push_back({.run = [this, &vectors, execution, power] {
        std::vector<double*> places;
        for (int q = 0; q < power; ++q) {
          places.push_back(results_[static_cast<std::size_t>(q)].data());
        }
        multiply_powers(sell_, plan_, execution, vectors.x.data(), places);
      }});
      kinds.emplace_back("powers", power);
      const double bytes = plan_.entries_at_once(sell_.stored(), power) * 12;
      study_.notes.push_back(
          {"powers-at-once", fmt::format("{} powers keep {:.3g} MB of the matrix in use at a time",
                                         power, bytes / 1e6)});
    }
  }

  void add_multiple(const Samples& own, const Samples& best,
                    const std::pair<std::string, int>& kind, int threads) {
    SparseMultiple multiple;
    multiple.kind = kind.first;
    multiple.count = static_cast<unsigned>(kind.second);
    multiple.threads = static_cast<unsigned>(threads);
    multiple.time = *estimate_from<Seconds>(own.seconds);
    std::vector<double> performance;
    std::vector<double> one_by_one;
    for (std::size_t k = 0; k < own.seconds.size(); ++k) {
      performance.push_back(2 * static_cast<double>(matrix_.entries()) * kind.second /
                            own.seconds[k]);
      one_by_one.push_back(best.seconds[k] * kind.second);
    }
    multiple.performance = *estimate_from<FlopsPerSecond>(performance);
    multiple.paired_gain = paired_ratio(one_by_one, own.seconds);
    multiple.gain = multiple.paired_gain ? multiple.paired_gain->median : 1;
    study_.multiples.push_back(multiple);
  }

  /// Times the matrix in another order, in the formats that suit most.
  template <class Order>
  void reorder(const std::string& method, const Order& order, Seconds budget) {
    options_.progress("reordering: " + method);
    const Stopwatch watch;
    const auto ordered = order();
    if (!ordered) {
      study_.notes.push_back({"not-reordered", ordered.error().message});
      return;
    }
    const auto other = permuted<double, Index>(matrix_, std::span<const Index>(*ordered));
    if (!other) {
      study_.notes.push_back({"not-reordered", other.error().message});
      return;
    }
    SparseReordering result;
    result.method = method;
    result.time = Seconds(watch.seconds());
    result.bandwidth = static_cast<std::uint64_t>(bandwidth<Index>(pattern_of(*other)));
    time_order(*other, std::move(result), budget);
  }

  /// In turn with the best format of the given order.
  void time_order(const CsrMatrix<double, Index>& other, SparseReordering result, Seconds budget) {
    StudyOptions options = options_;
    options.orders = {};
    options.vectors.clear();
    options.powers.clear();
    options.threads = {options_.threads.back()};
    options.schedules = {options_.schedules.front()};
    options.budget = budget;
    options.formats = {{.kind = FormatKind::sell, .sigma = 256},
                       {.kind = FormatKind::pattern},
                       {.kind = FormatKind::gather_blocked, .sigma = 256}};
    const auto threads = static_cast<unsigned>(options.threads.front());
    Vectors vectors(matrix_, options.threads.front());
    Study<Index> study(other, options, contender_of(fastest_timed(threads), vectors));
    const auto timed = study.run();
    if (!timed) {
      study_.notes.push_back({"not-reordered", timed.error().message});
      return;
    }
    study.set_gain(*timed, result);
    study_.reorderings.push_back(std::move(result));
  }

  /// Of the timings of this study the one with the largest ratio to the rival's.
  void set_gain(const SparseStudy& study, SparseReordering& result) const {
    for (std::size_t i = 0; i < timed_.size(); ++i) {
      const auto gain = paired_ratio(rival_samples_.seconds, timed_[i].samples.seconds);
      if (i == 0 || (gain && result.paired_gain && gain->median > result.paired_gain->median)) {
        result.best = study.timings[i];
        result.paired_gain = gain;
      }
    }
    result.gain = result.paired_gain ? result.paired_gain->median : 1;
    if (result.paired_gain && standing_of(*result.paired_gain) == Standing::faster) {
      const double given = estimate_from<Seconds>(rival_samples_.seconds)->median.value();
      result.break_even = break_even(result.time.value() / given, result.gain);
    }
  }

  [[nodiscard]] const Timed& fastest_timed(unsigned threads) const {
    return timed_[static_cast<std::size_t>(fastest(study_, threads) - study_.timings.data())];
  }

  const CsrMatrix<double, Index>& matrix_;
  const StudyOptions& options_;
  std::optional<Contender> rival_;
  Samples rival_samples_;
  double alpha_;  ///< least: each column that is used comes once
  SparseStudy study_;
  std::vector<Converted> products_;
  std::vector<Timed> timed_;  ///< one for each timing
  SellMatrix<double, Index> sell_;
  PowerPlan plan_;
  std::vector<Array<double>> results_;
};

}  // namespace

template <class Index>
Result<SparseStudy> time_formats(const CsrMatrix<double, Index>& matrix,
                                 const StudyOptions& options) {
  return Study<Index>(matrix, options).run();
}

template Result<SparseStudy> time_formats(const CsrMatrix<double, std::int32_t>&,
                                          const StudyOptions&);
template Result<SparseStudy> time_formats(const CsrMatrix<double, std::int64_t>&,
                                          const StudyOptions&);

}  // namespace ridge::spmv
