// rocprof: results.csv has a row for each dispatch and a column for each counter; rocprofv3's
// counter_collection.csv a row for each counter of each dispatch; kernel_stats.csv a row for each
// kernel, with times alone. Dispatches of one kernel add up to one region.
#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "import/lines.hpp"
#include "import/tool/readers.hpp"
#include "import/tool/rocprof_formulas.hpp"

namespace ridge::imports {
namespace {

constexpr std::string_view kHint =
    "rocprof -i counters.txt --timestamp on, or rocprofv3 --pmc ... --output-format csv";

const FormulaTable& table() {
  static const FormulaTable kTable{kRocprofFormulas};
  return kTable;
}

std::size_t seconds_metric() {
  return table().number_of("seconds").value();
}

/// Names of the columns in each version: the first that is there.
using Names = std::array<std::string_view, 2>;
constexpr Names kKernel{"KernelName", "Kernel_Name"};
constexpr Names kBegin{"BeginNs", "Start_Timestamp"};
constexpr Names kEnd{"EndNs", "End_Timestamp"};
constexpr Names kDevice{"gpu-id", "Agent_Id"};
constexpr Names kDispatch{"Index", "Dispatch_Id"};

struct Dispatch {
  std::size_t kernel = 0;
  MetricValues values = MetricValues(table().metric_count());
};

struct Kernel {
  std::string name;
  std::string device;
  FigureSums sums{table()};
  std::optional<SampledTime> time;  ///< of kernel_stats.csv
  std::optional<std::uint64_t> calls;
};

class RocprofFile {
 public:
  explicit RocprofFile(const Source& source) : source_(source), lines_(source.text) {}

  Result<Imported> read() {
    if (!lines_.next() || !split_cells(lines_.line(), ',', header_)) {
      return refused("is no header");
    }
    if (const auto reason = take_columns()) {
      return refused(*reason);
    }
    while (lines_.next()) {
      if (trimmed(lines_.line()).empty()) {
        continue;
      }
      if (!split_cells(lines_.line(), ',', cells_) || cells_.size() < header_.size()) {
        return refused("has fewer cells than the header, or a quote is not closed");
      }
      const auto reason = is_statistic_ ? read_statistic()
                          : counter_    ? read_counter()
                                        : read_dispatch();
      if (reason) {
        return refused(*reason);
      }
    }
    return finish();
  }

 private:
  tl::unexpected<Error> refused(std::string_view reason) const {
    return refuse(source_.file, lines_.number(), reason, kHint);
  }

  [[nodiscard]] std::optional<std::size_t> column(const Names& names) const {
    const auto first = find_column(header_, names[0]);
    return first ? first : find_column(header_, names[1]);
  }

  std::optional<std::string> take_columns() {
    total_ = find_column(header_, "TotalDurationNs");
    calls_ = find_column(header_, "Calls");
    const auto name = find_column(header_, "Name");
    is_statistic_ = total_ && calls_ && name;
    const auto kernel = is_statistic_ ? name : column(kKernel);
    if (!kernel) {
      return "has no column KernelName, Kernel_Name or Name";
    }
    kernel_ = *kernel;
    begin_ = column(kBegin);
    end_ = column(kEnd);
    device_ = column(kDevice);
    dispatch_ = column(kDispatch);
    counter_ = find_column(header_, "Counter_Name");
    value_ = find_column(header_, "Counter_Value");
    if (counter_ && (!value_ || !dispatch_)) {
      return "has no columns Counter_Value and Dispatch_Id";
    }
    for (std::size_t i = 0; i < header_.size() && !counter_; ++i) {
      if (const auto metric = table().number_of(header_[i])) {
        counters_.emplace_back(i, *metric);
        note_matrix(header_[i]);
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> read_statistic() {
    const auto nanoseconds = parse_number(cells_[*total_]);
    const auto calls = parse_number(cells_[*calls_]);
    const auto count = calls ? count_of(*calls) : std::nullopt;
    if (!nanoseconds || *nanoseconds < 0.0 || !count) {
      return "Calls or TotalDurationNs is no amount";
    }
    Kernel& kernel = kernels_[find_kernel()];
    if (kernel.time) {
      return fmt::format("the kernel {} stands twice", quoted(kernel.name));
    }
    kernel.time = exact_time(*nanoseconds * 1e-9);
    kernel.calls = count;
    return std::nullopt;
  }

  void note_matrix(std::string_view counter) {
    for (const MatrixCounter& known : kMatrixCounters) {
      if (known.metric == counter) {
        collected_matrix_.insert(known.metric);
      }
    }
  }

  std::optional<std::string> read_dispatch() {
    Dispatch dispatch;
    dispatch.kernel = find_kernel();
    for (const auto& [cell, metric] : counters_) {
      const auto value = parse_number(trimmed(cells_[cell]));
      if (!value) {
        return fmt::format("{} is no number: {}", quoted(header_[cell]), quoted(cells_[cell]));
      }
      dispatch.values[metric] = value;
    }
    if (const auto reason = take_time(dispatch)) {
      return reason;
    }
    if (dispatch_ && !seen_.emplace(cells_[*dispatch_], 0).second) {
      return fmt::format("the dispatch {} stands twice", quoted(cells_[*dispatch_]));
    }
    kernels_[dispatch.kernel].sums.add(dispatch.values);
    return std::nullopt;
  }

  std::optional<std::string> read_counter() {
    const auto [found, is_new] = seen_.emplace(cells_[*dispatch_], dispatches_.size());
    if (is_new) {
      dispatches_.emplace_back().kernel = find_kernel();
      if (const auto reason = take_time(dispatches_.back())) {
        return reason;
      }
    }
    const auto metric = table().number_of(cells_[*counter_]);
    if (!metric) {
      return std::nullopt;
    }
    const auto value = parse_number(trimmed(cells_[*value_]));
    if (!value) {
      return fmt::format("{} is no number: {}", quoted(cells_[*counter_]), quoted(cells_[*value_]));
    }
    auto& known = dispatches_[found->second].values[*metric];
    if (known) {
      return fmt::format("{} stands twice for the dispatch {}", quoted(cells_[*counter_]),
                         quoted(cells_[*dispatch_]));
    }
    known = value;
    note_matrix(cells_[*counter_]);
    return std::nullopt;
  }

  /// Time stamps are whole numbers beyond 2^53: their difference is taken first.
  std::optional<std::string> take_time(Dispatch& dispatch) const {
    if (!begin_ || !end_) {
      return std::nullopt;
    }
    const auto begin = parse_whole(cells_[*begin_]);
    const auto end = parse_whole(cells_[*end_]);
    if (!begin || !end || *end < *begin) {
      return fmt::format("its begin and end are no times in order: {}, {}", quoted(cells_[*begin_]),
                         quoted(cells_[*end_]));
    }
    if (*end > *begin) {  // 0 and 0: it was not timed
      dispatch.values[seconds_metric()] = static_cast<double>(*end - *begin) * 1e-9;
    }
    return std::nullopt;
  }

  std::size_t find_kernel() {
    const std::string_view device = device_ ? cells_[*device_] : std::string_view{};
    key_.assign(cells_[kernel_]);
    key_ += '\0';
    key_ += device;
    const auto [found, is_new] = kernel_numbers_.emplace(key_, kernels_.size());
    if (is_new) {
      Kernel& kernel = kernels_.emplace_back();
      kernel.name = unquoted(cells_[kernel_]);
      kernel.device = std::string(device);
    }
    return found->second;
  }

  Result<Imported> finish() {
    for (const Dispatch& dispatch : dispatches_) {
      kernels_[dispatch.kernel].sums.add(dispatch.values);
    }
    Imported imported;
    imported.origins = {Origin::counted, Origin::counted, Origin::measured, Origin::measured};
    for (const Kernel& kernel : kernels_) {
      Region region;
      region.kind = RegionKind::kernel;
      region.name = kernel.name;
      region.function = kernel.name.substr(0, kernel.name.find('('));
      region.device = parse_whole(kernel.device) ? "gpu" + kernel.device
                      : kernel.device.empty()    ? "gpu"
                                                 : kernel.device;
      if (kernel.calls) {
        region.entries = kernel.calls;
        region.time_seconds.self = kernel.time;
      } else {
        region.entries = kernel.sums.launches();
        if (const auto reason = kernel.sums.put_into(region)) {
          return refuse(source_.file, 0, *reason);
        }
      }
      add_remarks(region);
      imported.regions.push_back(std::move(region));
    }
    return imported;
  }

  void add_remarks(Region& region) const {
    if (!region.flops) {
      return;
    }
    add_note(region.notes, "masked-lanes",
             "an instruction counts for 64 lanes, also those that a mask switches off: flops are "
             "an upper end");
    for (const MatrixCounter& counter : kMatrixCounters) {
      if (region.flops->total(counter.precision) && !collected_matrix_.contains(counter.metric)) {
        add_note(region.notes, "matrix-operations-unknown",
                 fmt::format("{} was not collected: what matrix units did is not in the flops",
                             counter.metric));
      }
    }
  }

  Source source_;
  Lines lines_;
  std::vector<std::string_view> header_;
  std::vector<std::string_view> cells_;
  std::size_t kernel_ = 0;
  std::optional<std::size_t> begin_;
  std::optional<std::size_t> end_;
  std::optional<std::size_t> device_;
  std::optional<std::size_t> dispatch_;
  std::optional<std::size_t> counter_;
  std::optional<std::size_t> value_;
  std::optional<std::size_t> total_;
  std::optional<std::size_t> calls_;
  bool is_statistic_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> counters_;  ///< column, metric

  std::string key_;
  std::unordered_map<std::string, std::size_t> kernel_numbers_;
  std::vector<Kernel> kernels_;
  std::unordered_map<std::string_view, std::size_t> seen_;  ///< dispatches
  std::vector<Dispatch> dispatches_;
  std::set<std::string_view> collected_matrix_;
};

}  // namespace

bool sniff_rocprof(std::string_view beginning) {
  Lines lines(beginning);
  std::vector<std::string_view> cells;
  if (!lines.next() || !split_cells(lines.line(), ',', cells)) {
    return false;
  }
  const auto has = [&](std::string_view name) { return find_column(cells, name).has_value(); };
  return (has("KernelName") && has("Index")) || (has("Kernel_Name") && has("Dispatch_Id")) ||
         (has("Name") && has("Calls") && has("TotalDurationNs"));
}

Result<Imported> read_rocprof(const Source& source) {
  return RocprofFile(source).read();
}

}  // namespace ridge::imports
