#include "analyze/describe_loop.hpp"

#include <cmath>
#include <optional>
#include <utility>

namespace ridge::analyze {
namespace {

void add_symbols(std::set<std::string>& symbols, const Polynomial& polynomial) {
  symbols.merge(polynomial.symbols());
}

/// Of a level, summed over the iterations of the levels outside it, which are walked where they
/// matter. Bounded: a nest that is too large to walk has no mean.
class IterationCount {
 public:
  IterationCount(const LoopNest& nest, const Polynomial::Values& values)
      : nest_(nest), known_(values) {}

  /// Mean over the entries of the level; nullopt where a trip count is unknown.
  std::optional<std::int64_t> mean(std::size_t level) {
    values_ = known_;
    entries_ = 0.0;
    iterations_ = 0.0;
    steps_ = 0;
    return walk(0, level) && entries_ > 0.0 ? std::optional(std::llround(iterations_ / entries_))
                                            : std::nullopt;
  }

 private:
  static constexpr std::uint64_t kMostSteps = 1'000'000;

  /// Whether what lies inside depends on the counter of this level.
  [[nodiscard]] bool is_needed(std::size_t level, std::size_t target) const {
    if (!nest_.derived.empty()) {
      return true;  // they may hold the counter
    }
    const std::string& counter = nest_.levels[level].counter;
    for (std::size_t inner = level + 1; inner <= target; ++inner) {
      const LoopLevel& loop = nest_.levels[inner];
      if (loop.first.symbols().contains(counter) ||
          (loop.trips && loop.trips->span.symbols().contains(counter))) {
        return true;
      }
    }
    return false;
  }

  bool walk(std::size_t level, std::size_t target) {
    const LoopLevel& loop = nest_.levels[level];
    const auto trips = loop.trips ? loop.trips->evaluate(values_) : std::nullopt;
    if (!trips) {
      return false;
    }
    if (level == target) {
      entries_ += 1.0;
      iterations_ += static_cast<double>(*trips);
      return true;
    }
    const auto first = loop.first.evaluate(values_);
    if (!is_needed(level, target)) {
      return *trips == 0 || walk(level + 1, target);  // all entries are alike
    }
    if (!first) {
      return false;
    }
    for (std::int64_t i = 0; i < *trips; ++i) {
      if (++steps_ > kMostSteps) {
        return false;
      }
      values_[loop.counter] = *first + i * loop.step;
      if (!nest_.derived.empty()) {
        values_ = with_derived(nest_, std::move(values_));
      }
      if (!walk(level + 1, target)) {
        return false;
      }
    }
    return true;
  }

  const LoopNest& nest_;
  const Polynomial::Values& known_;
  Polynomial::Values values_;  ///< and those of the counters outside
  double entries_ = 0.0;
  double iterations_ = 0.0;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::set<std::string> parameters_of(const LoopNest& nest) {
  std::set<std::string> symbols;
  for (const LoopLevel& level : nest.levels) {
    add_symbols(symbols, level.first);
    if (level.trips) {
      add_symbols(symbols, level.trips->span);
    }
  }
  for (const ArrayAccess& access : nest.accesses) {
    if (access.offset) {
      add_symbols(symbols, *access.offset);
    }
  }
  for (auto derived = nest.derived.rbegin(); derived != nest.derived.rend(); ++derived) {
    if (symbols.erase(derived->name) > 0) {
      add_symbols(symbols, derived->left);
      add_symbols(symbols, derived->right);
    }
  }
  for (const LoopLevel& level : nest.levels) {
    symbols.erase(level.counter);
  }
  return symbols;
}

LoopModel describe_loop(const LoopNest& nest, const Polynomial::Values& values) {
  LoopModel model;
  model.function = nest.function;
  model.file = nest.file;
  for (const std::string& name : parameters_of(nest)) {
    if (const auto known = values.find(name); known != values.end()) {
      model.values.insert(*known);
    }
  }
  IterationCount count(nest, values);
  for (std::size_t i = 0; i < nest.levels.size(); ++i) {
    const LoopLevel& level = nest.levels[i];
    model.loops.push_back({level.counter, level.first.text(), level.step,
                           level.trips ? level.trips->text() : "", count.mean(i), level.line});
  }
  for (const ArrayAccess& access : nest.accesses) {
    model.accesses.push_back({access.text(), access.array, access.bytes, access.is_write,
                              !access.offset, access.is_conditional, access.line});
  }
  for (const LoopOperation& operation : nest.operations) {
    model.operations.push_back(
        {operation.what, operation.precision, operation.count, operation.is_conditional});
  }
  model.notes = nest.notes;
  return model;
}

}  // namespace ridge::analyze
