#include "import/formula.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "import/lines.hpp"

namespace ridge::imports {
namespace {

/// What the ways of a figure compete for. Read and written stand for themselves; both together are
/// a way of their own to the traffic of a level.
auto subject_of(const Formula& formula) {
  const bool has_precision = formula.figure == Figure::flops;
  return std::tuple(formula.figure, formula.level,
                    has_precision ? formula.precision : Precision::fp64);
}

std::string_view name_of(Figure figure) {
  constexpr std::array<std::string_view, 10> kNames{
      "time",         "CPU time",     "entries",      "flops",           "integer operations",
      "loaded bytes", "stored bytes", "read traffic", "written traffic", "traffic"};
  return kNames[static_cast<std::size_t>(figure)];
}

constexpr std::string_view kKindUnknown =
    "the tool counts flops without their kind: they stand as fma, whose roof is the highest";

}  // namespace

FormulaTable::FormulaTable(std::span<const Formula> formulas) : formulas_(formulas) {
  std::map<decltype(subject_of(Formula{})), std::map<unsigned, Way>> subjects;
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    Factors& factors = factors_.emplace_back();
    for (std::size_t k = 0; k < formulas[i].metrics.size(); ++k) {
      if (!formulas[i].metrics[k].empty()) {
        factors.metrics[k] =
            numbers_.emplace(formulas[i].metrics[k], numbers_.size()).first->second;
      }
    }
    subjects[subject_of(formulas[i])][formulas[i].way].formulas.push_back(i);
  }
  for (auto& [key, ways] : subjects) {
    Subject& subject = subjects_.emplace_back();
    for (auto& [number, way] : ways) {
      subject.ways.push_back(std::move(way));
    }
  }
}

std::optional<std::size_t> FormulaTable::number_of(std::string_view metric) const {
  const auto found = numbers_.find(metric);
  return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

FigureSums::FigureSums(const FormulaTable& table)
    : table_(&table),
      sums_(table.formulas_.size(), 0.0),
      known_(table.subjects_.size(), 0),
      used_(table.formulas_.size(), false) {}

std::optional<double> FigureSums::value_of(std::size_t formula, const MetricValues& values) const {
  double value = table_->formulas_[formula].factor;
  for (const auto& metric : table_->factors_[formula].metrics) {
    if (metric && !values[*metric]) {
      return std::nullopt;
    }
    value *= metric ? *values[*metric] : 1.0;
  }
  return value;
}

bool FigureSums::has_metrics(const FormulaTable::Way& way, const MetricValues& values) const {
  bool has_one = false;
  for (const std::size_t formula : way.formulas) {
    const bool is_there = value_of(formula, values).has_value();
    if (!is_there && !table_->formulas_[formula].may_lack) {
      return false;
    }
    has_one = has_one || is_there;
  }
  return has_one;
}

void FigureSums::add(const MetricValues& values) {
  ++launches_;
  for (std::size_t s = 0; s < table_->subjects_.size(); ++s) {
    for (const FormulaTable::Way& way : table_->subjects_[s].ways) {
      if (!has_metrics(way, values)) {
        continue;
      }
      ++known_[s];
      for (const std::size_t formula : way.formulas) {
        const auto value = value_of(formula, values);
        sums_[formula] += value.value_or(0.0);
        used_[formula] = used_[formula] || value.has_value();
      }
      break;
    }
  }
}

namespace {

/// Puts sums of formulas into one region.
class Putter {
 public:
  explicit Putter(Region& region) : region_(&region) {}

  void put(const Formula& formula, double value) {
    switch (formula.figure) {
      case Figure::seconds:
        return add_time(region_->time_seconds.self, formula, value);
      case Figure::cpu_seconds:
        return add_time(region_->cpu_seconds.self, formula, value);
      case Figure::entries:
        return add(region_->entries, formula, value);
      case Figure::integer_work:
        return add(region_->intops, formula, value);
      case Figure::bytes_loaded:
        return add(region_->bytes_loaded, formula, value);
      case Figure::bytes_stored:
        return add(region_->bytes_stored, formula, value);
      case Figure::flops:
        return add_flops(formula, value);
      case Figure::traffic_read:
      case Figure::traffic_written:
      case Figure::traffic:
        sums_[{formula.level.value(), formula.figure}] += value;
        return;
    }
  }

  /// Once all formulas have been put. The reason where something does not fit.
  std::optional<std::string> finish() {
    double all = 0.0;
    for (const auto& [key, value] : work_) {
      all += value;
    }
    (void)checked(Figure::flops, all);
    for (const auto& [key, value] : work_) {
      add_term(key, value);
    }
    for (const auto& [key, value] : sums_) {
      add_traffic(key.first);
    }
    return failure_;
  }

 private:
  using WorkKey = std::tuple<Precision, OperationKind, unsigned>;

  std::optional<std::uint64_t> checked(Figure figure, double value) {
    const auto count = count_of(value);
    if (!count) {
      refuse(figure, value);
    }
    return count;
  }

  void refuse(Figure figure, double value) {
    if (!failure_) {
      failure_ = fmt::format("{} of {} cannot be: {}", name_of(figure),
                             region_->name.empty() ? "the program" : quoted(region_->name), value);
    }
  }

  void add_time(std::optional<SampledTime>& time, const Formula& formula, double value) {
    const double sum = value + (time ? time->value.value() : 0.0);
    if (!(sum >= 0.0) || !std::isfinite(sum)) {
      refuse(formula.figure, sum);
      return;
    }
    time = exact_time(sum);
  }

  void add(std::optional<std::uint64_t>& count, const Formula& formula, double value) {
    if (const auto more = checked(formula.figure, value)) {
      count = count.value_or(0) + *more;
    }
  }

  void add_flops(const Formula& formula, double value) {
    work_[{formula.precision, formula.kind, formula.width_bits}] += value;
    if (formula.kind_is_unknown) {
      add_note(region_->notes, "kind-unknown", std::string(kKindUnknown));
    }
  }

  void add_term(const WorkKey& key, double value) {
    const auto flops = checked(Figure::flops, value);
    if (!flops) {
      return;
    }
    Work& work = work_of(*region_);
    if (*flops > 0) {
      work.add(std::get<0>(key), std::get<1>(key), std::get<2>(key), *flops);
    }
  }

  void add_traffic(Level level) {
    const auto at = [&](Figure figure) {
      const auto found = sums_.find({level, figure});
      return found == sums_.end() ? std::nullopt : std::optional(found->second);
    };
    const auto read = at(Figure::traffic_read);
    const auto written = at(Figure::traffic_written);
    const auto both = at(Figure::traffic);
    if (read && written) {
      const auto in = checked(Figure::traffic_read, *read);
      const auto out = checked(Figure::traffic_written, *written);
      if (in && out) {
        region_->traffic[level] = {*in, *out};
      }
    } else if (both) {
      if (const auto sum = checked(Figure::traffic, *both)) {
        region_->traffic[level] = {*sum, 0};
        add_note(region_->notes, "direction-unknown",
                 fmt::format("the tool gives the traffic of {} without its direction: all of it "
                             "stands as read",
                             to_string(level)));
      }
    }
  }

  Region* region_;
  std::map<WorkKey, double> work_;
  std::map<std::pair<Level, Figure>, double> sums_;
  std::optional<std::string> failure_;
};

}  // namespace

std::optional<std::string> FigureSums::put_into(Region& region) const {
  Putter putter(region);
  for (std::size_t s = 0; s < known_.size(); ++s) {
    if (known_[s] == 0 || known_[s] != launches_) {
      continue;
    }
    for (const FormulaTable::Way& way : table_->subjects_[s].ways) {
      for (const std::size_t formula : way.formulas) {
        if (used_[formula]) {
          putter.put(table_->formulas_[formula], sums_[formula]);
        }
      }
    }
  }
  return putter.finish();
}

SampledTime exact_time(double seconds) {
  return {Seconds(seconds), Seconds(seconds), Seconds(seconds), 0};
}

std::optional<std::uint64_t> count_of(double value) {
  constexpr double kMost = 0x1p62;
  // What a sum of rounded numbers leaves below zero is zero.
  const double rounded = std::round(value);
  if (!(rounded >= 0.0) || !(rounded <= kMost)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(rounded);
}

void add_note(std::vector<Note>& notes, std::string_view code, std::string text) {
  Note note{std::string(code), std::move(text)};
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) {
    notes.push_back(std::move(note));
  }
}

bool has_any_figure(const Region& region) {
  return region.time_seconds.self || region.time_seconds.inclusive || region.cpu_seconds.self ||
         region.cpu_seconds.inclusive || (region.entries && region.kind != RegionKind::program) ||
         region.flops || region.masked || region.intops || region.bytes_loaded ||
         region.bytes_stored || !region.traffic.empty();
}

}  // namespace ridge::imports
