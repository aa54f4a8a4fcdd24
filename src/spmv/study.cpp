#include "spmv/study.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "spmv/code_balance.hpp"
#include "spmv/many.hpp"
#include "spmv/powers.hpp"
#include "spmv/read_bandwidth.hpp"
#include "spmv/reorder.hpp"
#include "spmv/stopwatch.hpp"
#include "spmv/suitable_formats.hpp"
#include "spmv/traffic.hpp"
#include "spmv/tune.hpp"

namespace ridge::spmv {
namespace {

constexpr int kLeastRounds = 7;
constexpr int kMostRounds = 31;
constexpr double kSampleSeconds = 2e-3;
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

/// One thing that is timed: samples of its time, and of the bandwidth beside each.
struct Contender {
  std::function<void()> run;
  double flops = 0;
  int repetitions = 1;
  std::vector<double> seconds;
  std::vector<double> bandwidths;

  void sample(ReadBandwidth& bandwidth) {
    const double before = bandwidth.measure().value();
    const Stopwatch watch;
    for (int i = 0; i < repetitions; ++i) {
      run();
    }
    seconds.push_back(watch.seconds() / repetitions);
    // Of two rates over equal bytes, the mean in time is the harmonic one.
    bandwidths.push_back(2 / (1 / before + 1 / bandwidth.measure().value()));
  }
  void warm_up() {
    run();
    const Stopwatch watch;
    run();
    repetitions =
        static_cast<int>(std::clamp(std::ceil(kSampleSeconds / watch.seconds()), 1.0, 1e5));
  }
};

/// Samples in turn, until the budget is spent.
void take_turns(std::vector<Contender>& contenders, ReadBandwidth& bandwidth, Seconds budget) {
  for (Contender& contender : contenders) {
    contender.warm_up();
  }
  const Stopwatch watch;
  for (int round = 0; round < kMostRounds; ++round) {
    for (Contender& contender : contenders) {
      contender.sample(bandwidth);
    }
    if (round + 1 >= kLeastRounds && watch.seconds() > budget.value()) {
      return;
    }
  }
}

/// Vectors of one matrix, first touched as its rows are shared out.
struct Vectors {
  Array<double> x;
  Array<double> y;

  template <class Index>
  Vectors(const CsrMatrix<double, Index>& matrix, int threads, std::size_t width = 1)
      : x(static_cast<std::size_t>(matrix.columns) * width),
        y(static_cast<std::size_t>(matrix.rows) * width) {
    const auto touch = [threads](Array<double>& array, double value) {
      const auto work = Work::shared_out(static_cast<std::int64_t>(array.size()), threads,
                                         [](std::int64_t i) { return i; });
      run_parts(work, Schedule::entries, [&](std::int64_t first, std::int64_t last, int) {
        for (std::int64_t i = first; i < last; ++i) {
          array[static_cast<std::size_t>(i)] = value + 1e-3 * static_cast<double>(i % 997);
        }
      });
    };
    touch(x, 1);
    touch(y, 0);
  }
};

struct Converted {
  std::unique_ptr<Product<double>> product;
  double seconds = 0;
};

template <class Index>
class Study {
 public:
  Study(const CsrMatrix<double, Index>& matrix, const StudyOptions& options)
      : matrix_(matrix),
        options_(options),
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
    const double parts = static_cast<double>(options_.threads.size() * options_.schedules.size()) +
                         (options_.vectors.empty() && options_.powers.empty() ? 0 : 1);
    const Seconds budget = options_.budget / parts;
    for (const int threads : options_.threads) {
      for (const Schedule schedule : options_.schedules) {
        time_all(threads, schedule, budget);
      }
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

  void time_all(int threads, Schedule schedule, Seconds budget) {
    Vectors vectors(matrix_, threads);
    ReadBandwidth bandwidth(buffer_bytes(), threads, widest_isa());
    std::vector<Contender> contenders;
    for (Converted& converted : products_) {
      Product<double>& product = *converted.product;
      options_.progress(fmt::format("tuning {} on {} thread{}", spmv::name_of(product.format()),
                                    threads, threads == 1 ? "" : "s"));
      product.set({threads, schedule, widest_isa(), {}});
      tune(product, vectors.x.data(), vectors.y.data());
      Contender contender;
      contender.flops = 2 * static_cast<double>(matrix_.entries());
      contender.run = [&product, &vectors] {
        product.multiply(1, vectors.x.data(), 0, vectors.y.data());
      };
      contenders.push_back(std::move(contender));
    }
    options_.progress(fmt::format("timing {} formats on {} thread{}", contenders.size(), threads,
                                  threads == 1 ? "" : "s"));
    take_turns(contenders, bandwidth, budget);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      add_timing(contenders[i], contenders.front(), products_[i]);
    }
  }

  void add_timing(const Contender& contender, const Contender& csr, const Converted& converted) {
    const Product<double>& product = *converted.product;
    SparseTiming timing;
    timing.format = spmv::name_of(product.format());
    timing.threads = static_cast<unsigned>(product.execution().threads);
    timing.schedule = spmv::name_of(product.execution().schedule);
    timing.gather = name_of(product.execution().tuning.gather);
    timing.stream_ahead = product.execution().tuning.stream_ahead;
    timing.x_ahead = product.execution().tuning.x_ahead;
    timing.streamed_y = product.execution().tuning.stream_y;
    timing.time = *estimate_from<Seconds>(contender.seconds);
    timing.bandwidth = *estimate_from<BytesPerSecond>(contender.bandwidths);
    const double own = traffic(product.footprint(), timing.streamed_y);
    const double of_csr = traffic(products_.front().product->footprint());
    std::vector<double> performance;
    std::vector<double> own_share;
    std::vector<double> csr_share;
    for (std::size_t k = 0; k < contender.seconds.size(); ++k) {
      performance.push_back(contender.flops / contender.seconds[k]);
      own_share.push_back(own / contender.bandwidths[k] / contender.seconds[k]);
      csr_share.push_back(of_csr / contender.bandwidths[k] / contender.seconds[k]);
    }
    timing.performance = *estimate_from<FlopsPerSecond>(performance);
    timing.of_own_roof = *estimate_from<Number>(own_share);
    timing.of_csr_roof = *estimate_from<Number>(csr_share);
    const double reference = estimate_from<Seconds>(csr.seconds)->median.value();
    const double median = timing.time.median.value();
    std::vector<double> speedups;
    for (std::size_t k = 0; k < std::min(csr.seconds.size(), contender.seconds.size()); ++k) {
      speedups.push_back(csr.seconds[k] / contender.seconds[k]);
    }
    timing.speedup = estimate_from<Number>(speedups);
    timing.conversion_products = converted.seconds / reference;
    if (timing.speedup->low.value() > 1) {
      timing.break_even = std::ceil(*timing.conversion_products * timing.speedup->median.value() /
                                    (timing.speedup->median.value() - 1));
    }
    timing.code_balance_bound =
        contender.flops == 0 ? 0 : timing.bandwidth.median.value() * median / contender.flops;
    study_.timings.push_back(timing);
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
    std::vector<Contender> contenders;
    std::vector<std::pair<std::string, int>> kinds;
    Execution execution;
    execution.threads = threads;
    const double flops = 2 * static_cast<double>(matrix_.entries());
    for (const int width : options_.vectors) {
      Contender contender;
      contender.flops = flops * width;
      contender.run = [this, &vectors, execution, width] {
        multiply_many(matrix_, execution, width, 1.0, vectors.x.data(), 0.0, vectors.y.data());
      };
      contenders.push_back(std::move(contender));
      kinds.emplace_back("vectors", width);
    }
    add_powers(contenders, kinds, execution, vectors);
    options_.progress("timing several vectors and powers");
    take_turns(contenders, bandwidth, budget);
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      add_multiple(contenders[i], kinds[i].first, kinds[i].second, threads);
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
      Contender contender;
      contender.flops = 2 * static_cast<double>(matrix_.entries()) * power;
      while (results_.size() < static_cast<std::size_t>(power)) {
        results_.emplace_back(static_cast<std::size_t>(matrix_.rows), 0.0);
      }
      contender.run = [this, &vectors, execution, power] {
        std::vector<double*> places;
        for (int q = 0; q < power; ++q) {
          places.push_back(results_[static_cast<std::size_t>(q)].data());
        }
        multiply_powers(sell_, plan_, execution, vectors.x.data(), places);
      };
      contenders.push_back(std::move(contender));
      kinds.emplace_back("powers", power);
      const double bytes = plan_.entries_at_once(sell_.stored(), power) * 12;
      study_.notes.push_back(
          {"powers-at-once", fmt::format("{} powers keep {:.3g} MB of the matrix in use at a time",
                                         power, bytes / 1e6)});
    }
  }

  void add_multiple(const Contender& contender, const std::string& kind, int count, int threads) {
    SparseMultiple multiple;
    multiple.kind = kind;
    multiple.count = static_cast<unsigned>(count);
    multiple.threads = static_cast<unsigned>(threads);
    multiple.time = *estimate_from<Seconds>(contender.seconds);
    std::vector<double> performance;
    for (const double seconds : contender.seconds) {
      performance.push_back(contender.flops / seconds);
    }
    multiple.performance = *estimate_from<FlopsPerSecond>(performance);
    multiple.gain =
        best_of(multiple.threads).time.median.value() * count / multiple.time.median.value();
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
    Study<Index> study(*other, options);
    const auto timed = study.run();
    if (!timed) {
      study_.notes.push_back({"not-reordered", timed.error().message});
      return;
    }
    const auto threads = static_cast<unsigned>(options.threads.front());
    result.best = study.best_of_run(*timed, threads);
    const double given = best_of(threads).time.median.value();
    const double now = result.best.time.median.value();
    result.gain = given / now;
    if (now < given) {
      result.break_even = std::ceil(result.time.value() / (given - now));
    }
    study_.reorderings.push_back(std::move(result));
  }

  /// The fastest of the timings on so many threads.
  [[nodiscard]] static const SparseTiming& best_of_run(const SparseStudy& study, unsigned threads) {
    const SparseTiming* best = nullptr;
    for (const SparseTiming& timing : study.timings) {
      if (timing.threads == threads &&
          (best == nullptr || timing.time.median < best->time.median)) {
        best = &timing;
      }
    }
    return *best;
  }
  [[nodiscard]] const SparseTiming& best_of(unsigned threads) const {
    return best_of_run(study_, threads);
  }

  const CsrMatrix<double, Index>& matrix_;
  const StudyOptions& options_;
  double alpha_;  ///< least: each column that is used comes once
  SparseStudy study_;
  std::vector<Converted> products_;
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
