// From metrics of a tool to figures of a region. The formulas are data: each importer has a table
// of them. A figure is known where all that its formulas need was collected, and absent otherwise.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/identity/level.hpp"
#include "core/result.hpp"
#include "core/value/region.hpp"

namespace ridge::imports {

/// In base units: s, flop, byte.
enum class Figure {
  seconds,          ///< wall time in the region
  cpu_seconds,      ///< over all threads
  entries,          ///< how many times it was entered
  flops,            ///< of one precision, kind and width
  integer_work,     ///< integer operations
  bytes_loaded,     ///< by the program
  bytes_stored,     ///< likewise
  traffic_read,     ///< across the boundary of a level
  traffic_written,  ///< likewise
  traffic,          ///< read and written together: the tool does not tell the two apart
};

/// One addend of a figure: factor * metrics[0] * metrics[1] * metrics[2].
struct Formula {
  Figure figure = Figure::seconds;
  std::optional<Level> level{};  ///< of traffic
  Precision precision = Precision::fp64;
  /// Of flops. Where the tool does not tell, `fma` with `kind_is_unknown`: its roof is the highest.
  OperationKind kind = OperationKind::fma;
  unsigned width_bits = 64;
  /// Ways to one figure (of flops: of one precision) in order of preference: the first whose
  /// metrics are there gives all of it.
  unsigned way = 0;
  double factor = 1.0;
  std::array<std::string_view, 3> metrics{};  ///< empty ones are 1
  bool may_lack = false;         ///< not every machine has the metric: then it adds nothing
  bool kind_is_unknown = false;  ///< of flops
};

/// A table of formulas with its metrics numbered. The table must outlive it.
class FormulaTable {
 public:
  explicit FormulaTable(std::span<const Formula> formulas);

  [[nodiscard]] std::span<const Formula> formulas() const { return formulas_; }
  [[nodiscard]] std::size_t metric_count() const { return numbers_.size(); }
  /// nullopt for a metric that no formula needs.
  [[nodiscard]] std::optional<std::size_t> number_of(std::string_view metric) const;

 private:
  friend class FigureSums;

  /// Formulas of one way to one figure, as indices.
  struct Way {
    std::vector<std::size_t> formulas;
  };
  struct Subject {
    std::vector<Way> ways;  ///< in order of preference
  };
  struct Factors {
    std::array<std::optional<std::size_t>, 3> metrics;
  };

  std::span<const Formula> formulas_;
  std::unordered_map<std::string_view, std::size_t> numbers_;
  std::vector<Factors> factors_;  ///< of each formula
  std::vector<Subject> subjects_;
};

/// What one launch, thread or run of a region measured, by number of the metric.
using MetricValues = std::vector<std::optional<double>>;

/// The figures of one region, over all its launches.
class FigureSums {
 public:
  explicit FigureSums(const FormulaTable& table);

  /// Adds one launch. Figures of which a launch lacks metrics become unknown for the region.
  void add(const MetricValues& values);
  [[nodiscard]] std::size_t launches() const { return launches_; }

  /// Puts what is known into the region. Notes say what the tool does not tell. The reason where a
  /// figure is negative or no count can hold it.
  [[nodiscard]] std::optional<std::string> put_into(Region& region) const;

 private:
  [[nodiscard]] std::optional<double> value_of(std::size_t formula,
                                               const MetricValues& values) const;
  [[nodiscard]] bool has_metrics(const FormulaTable::Way& way, const MetricValues& values) const;

  const FormulaTable* table_;
  std::vector<double> sums_;        ///< of each formula
  std::vector<std::size_t> known_;  ///< of each subject: launches that gave it
  std::vector<bool> used_;          ///< of each formula: it gave something
  std::size_t launches_ = 0;
};

/// A time that was measured as a whole: its interval is the value itself, and there are no samples.
[[nodiscard]] SampledTime exact_time(double seconds);

/// A count of 0 to 2^63; nullopt for what is no count.
[[nodiscard]] std::optional<std::uint64_t> count_of(double value);

/// Notes that do not stand in `notes` yet.
void add_note(std::vector<Note>& notes, std::string_view code, std::string text);

/// Whether anything but its name is known of it. The entries of the program are none: it is entered
/// once whatever was measured.
[[nodiscard]] bool has_any_figure(const Region& region);

}  // namespace ridge::imports
