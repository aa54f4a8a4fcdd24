// Google Benchmark's JSON reporter. Times and rates of an entry are per iteration and per second;
// times `iterations` they are those of the whole run, which is what a region holds. Rates are over
// CPU time, and over real time where the benchmark asked for it, which only its name says.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/quantity/estimate.hpp"
#include "import/formula.hpp"
#include "import/lines.hpp"
#include "import/tool/json_file.hpp"
#include "import/tool/readers.hpp"

namespace ridge::imports {
namespace {

using serialize::Reader;

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array kTimeUnits{TimeUnit{"ns", 1e-9}, TimeUnit{"us", 1e-6}, TimeUnit{"ms", 1e-3},
                                TimeUnit{"s", 1.0}};

/// User counters whose name says what they count, as rates (Counter::kIsRate).
struct RateCounter {
  std::string_view name;
  double flops;  ///< that one of it is, each second
};
constexpr std::array kFlopRates{
    RateCounter{"FLOPS", 1.0},   RateCounter{"FLOP/s", 1.0},  RateCounter{"FLOPs/s", 1.0},
    RateCounter{"flop/s", 1.0},  RateCounter{"flops/s", 1.0}, RateCounter{"Flop/s", 1.0},
    RateCounter{"flops", 1.0},   RateCounter{"MFLOPS", 1e6},  RateCounter{"MFLOP/s", 1e6},
    RateCounter{"GFLOPS", 1e9},  RateCounter{"GFLOP/s", 1e9}, RateCounter{"GFlop/s", 1e9},
    RateCounter{"GFlops/s", 1e9}};

/// Keys of the format itself: whatever else is a number is a user counter.
constexpr std::array<std::string_view, 19> kOwnKeys{"name",
                                                    "family_index",
                                                    "per_family_instance_index",
                                                    "run_name",
                                                    "run_type",
                                                    "repetitions",
                                                    "repetition_index",
                                                    "threads",
                                                    "iterations",
                                                    "real_time",
                                                    "cpu_time",
                                                    "time_unit",
                                                    "label",
                                                    "error_occurred",
                                                    "error_message",
                                                    "aggregate_name",
                                                    "aggregate_unit",
                                                    "bytes_per_second",
                                                    "items_per_second"};

/// One entry of "benchmarks" that is a run, or the mean of several.
struct Entry {
  double iterations = 1.0;
  double real = 0.0;  ///< s, of one iteration
  double cpu = 0.0;   ///< s, of one iteration, over all threads
  std::optional<double> bytes_per_second;
  std::optional<double> items_per_second;
  std::optional<double> flops_per_second;
};

/// All repetitions of one benchmark.
struct Benchmark {
  std::string name;
  unsigned threads = 1;
  std::vector<Entry> runs;
  std::map<std::string, Entry> aggregates;  ///< by name: mean, median, stddev
  std::uint64_t repetitions = 1;            ///< that the aggregates are of
  std::optional<std::string> failure;
};

/// Reads one file.
class BenchmarkFile {
 public:
  explicit BenchmarkFile(const Reader& root) : root_(root) {}

  Imported read() {
    Imported imported;
    read_context(imported);
    for (const Reader& item : root_.at("benchmarks").items()) {
      read_entry(item);
      if (!root_.ok()) {
        return imported;
      }
    }
    for (const std::string& name : order_) {
      add_region(imported, benchmarks_[name]);
    }
    imported.origins = {Origin::modelled, Origin::modelled, Origin::modelled, Origin::measured};
    if (!unused_.empty()) {
      add_note(imported.notes, "not-used",
               fmt::format("counters whose meaning their name does not tell: {}", unused_));
    }
    return imported;
  }

 private:
  void read_context(Imported& imported) const {
    const Reader context = root_.at("context");
    imported.date = optional_from(context.find("date"), &Reader::text).value_or("");
    imported.version = optional_from(context.find("library_version"), &Reader::text);
    if (const auto program = optional_from(context.find("executable"), &Reader::text)) {
      imported.argv = {*program};
    }
    if (const auto host = optional_from(context.find("host_name"), &Reader::text)) {
      imported.machine.host = host;
    }
  }

  void read_entry(const Reader& item) {
    const std::string type =
        optional_from(item.find("run_type"), &Reader::text).value_or("iteration");
    const std::string name = item.find("run_name").absent() ? item.at("name").non_empty_text()
                                                            : item.at("run_name").non_empty_text();
    if (!item.find("cpu_coefficient").absent() || !item.find("rms").absent()) {
      return;  // a fit over several sizes is no measurement of one
    }
    if (!benchmarks_.contains(name)) {
      order_.push_back(name);
    }
    Benchmark& benchmark = benchmarks_[name];
    benchmark.name = name;
    benchmark.threads = item.find("threads").absent() ? 1U : item.at("threads").positive();
    if (optional_from(item.find("error_occurred"), &Reader::flag).value_or(false)) {
      benchmark.failure =
          optional_from(item.find("error_message"), &Reader::text).value_or("no reason given");
      return;
    }
    if (type == "iteration") {
      benchmark.runs.push_back(entry_of(item, item.at("iterations").positive_real()));
      return;
    }
    const std::string aggregate = item.at("aggregate_name").non_empty_text();
    if (aggregate == "mean" || aggregate == "median" || aggregate == "stddev") {
      benchmark.aggregates[aggregate] = entry_of(item, 1.0);
      benchmark.repetitions = item.find("repetitions").absent() ? item.at("iterations").count()
                                                                : item.at("repetitions").count();
    }
  }

  Entry entry_of(const Reader& item, double iterations) {
    Entry entry;
    entry.iterations = iterations;
    const double unit = seconds_of(item.at("time_unit"));
    entry.real = item.at("real_time").non_negative_real() * unit;
    entry.cpu = item.at("cpu_time").non_negative_real() * unit;
    // Longer than any run, with room for intervals of several deviations.
    constexpr double kMostSeconds = 1e18;
    if (!(std::max(entry.real, entry.cpu) * iterations <= kMostSeconds)) {
      item.fail("has times that no run can take");
    }
    entry.bytes_per_second =
        optional_from(item.find("bytes_per_second"), &Reader::non_negative_real);
    entry.items_per_second =
        optional_from(item.find("items_per_second"), &Reader::non_negative_real);
    for (const auto& [key, value] : item.members()) {
      const auto rate = std::find_if(kFlopRates.begin(), kFlopRates.end(),
                                     [&](const RateCounter& known) { return known.name == key; });
      if (rate != kFlopRates.end()) {
        entry.flops_per_second = value.non_negative_real() * rate->flops;
      } else if (std::find(kOwnKeys.begin(), kOwnKeys.end(), key) == kOwnKeys.end()) {
        note_unused(key);
      }
    }
    return entry;
  }

  static double seconds_of(const Reader& unit) {
    const std::string name = unit.text();
    const auto found = std::find_if(kTimeUnits.begin(), kTimeUnits.end(),
                                    [&](const TimeUnit& known) { return known.name == name; });
    if (found == kTimeUnits.end()) {
      unit.fail(fmt::format("is the unit {}, which is no time", quoted(name)));
      return 0.0;
    }
    return found->seconds;
  }

  void note_unused(const std::string& key) {
    constexpr std::size_t kMost = 400;
    if (unused_.size() < kMost && !unused_keys_.contains(key)) {
      unused_ += (unused_.empty() ? "" : ", ") + key;
    }
    unused_keys_[key] = true;
  }

  void add_region(Imported& imported, const Benchmark& benchmark) const {
    if (benchmark.failure) {
      add_note(imported.notes, "benchmark-failed",
               fmt::format("{}: {}", benchmark.name, *benchmark.failure));
    }
    if (benchmark.runs.empty() && benchmark.aggregates.empty()) {
      return;
    }
    Region region;
    region.kind = RegionKind::function;
    region.name = benchmark.name;
    region.function = benchmark.name.substr(0, benchmark.name.find('/'));
    region.threads = benchmark.threads;
    if (benchmark.runs.empty()) {
      put_aggregates(region, benchmark);
    } else {
      put_runs(region, benchmark);
    }
    imported.regions.push_back(std::move(region));
  }

  /// Repetitions run the same code: their median is the region, their spread its interval.
  void put_runs(Region& region, const Benchmark& benchmark) const {
    std::vector<double> real;
    std::vector<double> cpu;
    for (const Entry& run : benchmark.runs) {
      real.push_back(run.real);
      cpu.push_back(run.cpu);
    }
    std::vector<Entry> by_time = benchmark.runs;
    std::sort(by_time.begin(), by_time.end(),
              [](const Entry& a, const Entry& b) { return a.real < b.real; });
    const Entry& middle = by_time[(by_time.size() - 1) / 2];
    region.time_seconds.self = spread_of(std::move(real), middle.iterations);
    region.cpu_seconds.self = spread_of(std::move(cpu), middle.iterations);
    region.entries = count_of(middle.iterations);
    if (by_time.size() > 1) {
      add_note(region.notes, "repetitions",
               fmt::format("the median of {} repetitions, and the interval between their 10th and "
                           "90th percentile",
                           by_time.size()));
    }
    put_work(region, middle);
  }

  static SampledTime spread_of(std::vector<double> seconds, double iterations) {
    std::sort(seconds.begin(), seconds.end());
    return {Seconds(quantile(seconds, 0.5) * iterations),
            Seconds(quantile(seconds, 0.1) * iterations),
            Seconds(quantile(seconds, 0.9) * iterations), 0};
  }

  /// Of one iteration: the file does not say how many there were.
  void put_aggregates(Region& region, const Benchmark& benchmark) const {
    const bool has_median = benchmark.aggregates.contains("median");
    const auto middle = benchmark.aggregates.find(has_median ? "median" : "mean");
    if (middle == benchmark.aggregates.end()) {
      return;
    }
    const auto spread = benchmark.aggregates.find("stddev");
    const auto interval = [&](double value, double deviation) {
      constexpr double kHalf80 = 1.2816;  // of a normal distribution, in standard deviations
      const double half = kHalf80 * deviation;
      return SampledTime{Seconds(value), Seconds(std::max(0.0, value - half)),
                         Seconds(value + half), 0};
    };
    const Entry none;
    const Entry& deviation = spread == benchmark.aggregates.end() ? none : spread->second;
    region.time_seconds.self = interval(middle->second.real, deviation.real);
    region.cpu_seconds.self = interval(middle->second.cpu, deviation.cpu);
    put_work(region, middle->second);
    add_note(region.notes, "one-iteration",
             fmt::format("figures of one iteration, {} over {} repetitions: the file has no single "
                         "runs",
                         has_median ? "the median" : "the mean", benchmark.repetitions));
  }

  void put_work(Region& region, const Entry& entry) const {
    const bool is_real = region.name.find("/real_time") != std::string::npos ||
                         region.name.find("/manual_time") != std::string::npos;
    const double seconds = (is_real ? entry.real : entry.cpu) * entry.iterations;
    if (entry.flops_per_second) {
      if (const auto flops = count_of(*entry.flops_per_second * seconds); flops && *flops > 0) {
        work_of(region).add(Precision::fp64, OperationKind::fma, 64, *flops);
        add_note(region.notes, "kind-unknown",
                 "the counter does not say precision and kind of the flops: they stand as fma in "
                 "fp64");
      }
    }
    if (entry.items_per_second) {
      add_note(region.notes, "items",
               fmt::format("{:.6g} items/s, as the author of the benchmark counts them",
                           *entry.items_per_second));
    }
    if (entry.bytes_per_second) {
      if (const auto bytes = count_of(*entry.bytes_per_second * seconds)) {
        region.traffic[Level::L1] = {*bytes, 0};
        add_note(region.notes, "direction-unknown",
                 "bytes as the author of the benchmark counts them, without their direction: they "
                 "stand as read by the program (L1)");
      }
    }
  }

  Reader root_;
  std::map<std::string, Benchmark> benchmarks_;
  std::vector<std::string> order_;
  std::string unused_;
  std::map<std::string, bool> unused_keys_;
};

}  // namespace

bool sniff_google_benchmark(std::string_view beginning) {
  return trimmed(beginning).starts_with('{') &&
         beginning.find("\"context\"") != std::string_view::npos &&
         (beginning.find("\"library_build_type\"") != std::string_view::npos ||
          beginning.find("\"benchmarks\"") != std::string_view::npos);
}

Result<Imported> read_google_benchmark(const Source& source) {
  auto file = JsonFile::parse(source);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  Imported imported = BenchmarkFile((*file)->root()).read();
  return (*file)->finish(std::move(imported));
}

}  // namespace ridge::imports
