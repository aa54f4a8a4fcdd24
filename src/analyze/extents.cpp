#include "analyze/extents.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

using Point = std::vector<std::int64_t>;  ///< values of the counters, outermost first

bool multiply(std::int64_t& product, std::int64_t factor, unsigned power) {
  for (; power > 0; --power) {
    if (__builtin_mul_overflow(product, factor, &product)) {
      return false;
    }
  }
  return true;
}

/// A polynomial in the counters of a nest alone.
class InCounters {
 public:
  /// nullopt of evaluate(): it does not fit.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Point& at) const {
    std::int64_t sum = 0;
    for (const Term& term : terms_) {
      std::int64_t product = term.factor;
      for (const auto& [level, power] : term.powers) {
        if (!multiply(product, at[level], power)) {
          return std::nullopt;
        }
      }
      if (__builtin_add_overflow(sum, product, &sum)) {
        return std::nullopt;
      }
    }
    return sum;
  }

  /// Greatest power of the counter.
  [[nodiscard]] unsigned degree(std::size_t counter) const {
    unsigned greatest = 0;
    for (const Term& term : terms_) {
      for (const auto& [level, power] : term.powers) {
        greatest = level == counter ? std::max(greatest, power) : greatest;
      }
    }
    return greatest;
  }

  struct Term {
    std::int64_t factor = 0;
    std::vector<std::pair<std::size_t, unsigned>> powers;
  };
  std::vector<Term> terms_;
};

struct Level {
  InCounters first;
  std::int64_t step = 1;
  InCounters span;
  std::int64_t divisor = 1;

  /// First and last value of the counter, and how many there are.
  struct Range {
    std::int64_t first = 0;
    std::int64_t last = 0;
    std::int64_t trips = 0;
  };
  [[nodiscard]] std::optional<Range> range(const Point& at) const {
    const auto begin = first.evaluate(at);
    const auto length = span.evaluate(at);
    if (!begin || !length) {
      return std::nullopt;
    }
    if (*length < 0) {
      return Range{*begin, *begin, 0};
    }
    Range range{*begin, 0, 0};
    const std::int64_t taken = *length / divisor;
    return __builtin_add_overflow(taken, 1, &range.trips) ||
                   __builtin_mul_overflow(taken, step, &range.last) ||
                   __builtin_add_overflow(range.last, *begin, &range.last)
               ? std::nullopt
               : std::optional(range);
  }
  [[nodiscard]] bool depends_on(std::size_t counter) const {
    return first.degree(counter) > 0 || span.degree(counter) > 0;
  }
};

tl::unexpected<Error> overflow(const LoopNest& nest) {
  return fail(ErrorCode::bad_input,
              fmt::format("addresses of {} do not fit 64 bits", nest.function),
              "give it smaller sizes");
}

/// What depends on what the loops read has a name like this.
bool is_read_by_loop(const std::string& symbol) {
  return symbol.find_first_of("[{") != std::string::npos;
}

class NestReader {
 public:
  NestReader(const LoopNest& nest, const Polynomial::Values& values)
      : nest_(nest), values_(values) {
    for (std::size_t i = 0; i < nest.levels.size(); ++i) {
      counters_[nest.levels[i].counter] = i;
    }
  }

  /// nullopt: it depends on what the loops read.
  Result<std::optional<InCounters>> in_counters(const Polynomial& polynomial) const {
    if (!polynomial.is_valid()) {
      return overflow(nest_);
    }
    InCounters made;
    for (const auto& [monomial, factor] : polynomial.terms()) {
      InCounters::Term term{factor, {}};
      for (const auto& [symbol, power] : monomial) {
        if (const auto counter = counters_.find(symbol); counter != counters_.end()) {
          term.powers.emplace_back(counter->second, power);
        } else if (const auto value = values_.find(symbol); value != values_.end()) {
          if (!multiply(term.factor, value->second, power)) {
            return overflow(nest_);
          }
        } else if (is_read_by_loop(symbol)) {
          return std::optional<InCounters>();
        } else {
          return fail(ErrorCode::bad_input, fmt::format("{} has no value", symbol),
                      fmt::format("give it one: -D {}=1000", symbol));
        }
      }
      made.terms_.push_back(std::move(term));
    }
    return made;
  }

  /// The loops from the outermost on whose ranges are known.
  Result<std::vector<Level>> known_levels() const {
    std::vector<Level> levels;
    for (const LoopLevel& level : nest_.levels) {
      if (!level.trips) {
        break;
      }
      auto first = in_counters(level.first);
      auto span = in_counters(level.trips->span);
      if (!first || !span) {
        return tl::make_unexpected(first ? span.error() : first.error());
      }
      if (!*first || !*span) {
        break;
      }
      levels.push_back({**first, level.step, **span, level.trips->divisor});
    }
    return levels;
  }

 private:
  const LoopNest& nest_;
  const Polynomial::Values& values_;
  std::map<std::string, std::size_t> counters_;
};

/// Goes through the loops of a nest: those on which inner ones depend one value after the other,
/// the rest as the box that it is.
class Walk {
 public:
  Walk(const std::vector<Level>& levels, std::size_t depth)
      : levels_(levels), depth_(depth), at_(std::max<std::size_t>(levels.size(), 1)) {
    for (std::size_t inner = 0; inner < depth; ++inner) {
      for (std::size_t outer = 0; outer < inner; ++outer) {
        if (levels[inner].depends_on(outer)) {
          walked_ = std::max(walked_, outer + 1);
        }
      }
    }
  }

  /// Walks this loop, and those around it, as well.
  void walk_through(std::size_t level) { walked_ = std::max(walked_, level + 1); }

  /// `visit(ranges, point)`: of the loops that are not walked, outermost first, and the values of
  /// all counters, of which those of the walked loops count. It says whether all numbers fit.
  template <class Visit>
  Result<void> run(const LoopNest& nest, const Visit& visit) {
    if (enter(0, visit)) {
      return {};
    }
    return is_too_long_ ? Result<void>(fail(
                              ErrorCode::bad_input,
                              fmt::format("the loops of {} are too many to walk", nest.function),
                              "give it smaller sizes"))
                        : Result<void>(overflow(nest));
  }

 private:
  template <class Visit>
  bool enter(std::size_t level, const Visit& visit) {
    constexpr std::int64_t kMostSteps = 20'000'000;
    if (level >= walked_ || level >= depth_) {
      return enter_box(level, visit);
    }
    const auto range = levels_[level].range(at_);
    is_too_long_ = range && range->trips > kMostSteps - steps_;
    if (!range || is_too_long_) {
      return false;
    }
    steps_ += range->trips;
    for (std::int64_t i = 0; i < range->trips; ++i) {
      at_[level] = range->first + i * levels_[level].step;
      if (!enter(level + 1, visit)) {
        return false;
      }
    }
    return true;
  }

  template <class Visit>
  bool enter_box(std::size_t level, const Visit& visit) {
    box_.clear();
    for (std::size_t inner = level; inner < depth_; ++inner) {
      const auto range = levels_[inner].range(at_);
      if (!range) {
        return false;
      }
      box_.push_back(*range);
    }
    return visit(box_, at_);
  }

  const std::vector<Level>& levels_;
  std::size_t depth_;
  std::size_t walked_ = 0;
  std::int64_t steps_ = 0;
  bool is_too_long_ = false;
  Point at_;
  std::vector<Level::Range> box_;
};

bool is_empty(const std::vector<Level::Range>& box) {
  return std::ranges::any_of(box, [](const Level::Range& range) { return range.trips == 0; });
}

void widen(std::optional<Extent>& extent, std::int64_t first, std::int64_t end) {
  extent = extent ? Extent{std::min(extent->first, first), std::max(extent->end, end)}
                  : Extent{first, end};
}

/// Over the corners of the box: a polynomial that is linear in each counter has its extremes there.
bool widen_by(std::optional<Extent>& extent, const InCounters& offset, unsigned bytes,
              const std::vector<Level::Range>& box, Point& at, std::size_t depth) {
  const std::size_t outside = depth - box.size();
  for (std::uint64_t corner = 0; corner < std::uint64_t{1} << box.size(); ++corner) {
    for (std::size_t i = 0; i < box.size(); ++i) {
      at[outside + i] = (corner >> i & 1U) != 0 ? box[i].last : box[i].first;
    }
    const auto first = offset.evaluate(at);
    std::int64_t end = 0;
    if (!first || __builtin_add_overflow(*first, bytes, &end)) {
      return false;
    }
    widen(extent, *first, end);
  }
  return true;
}

/// nullopt: no iteration comes to it.
Result<std::optional<Extent>> extent_of(const LoopNest& nest, const std::vector<Level>& all,
                                        const InCounters& offset, const ArrayAccess& access) {
  const std::size_t depth = std::min<std::size_t>(access.depth, all.size());
  const std::vector<Level> levels(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(depth));
  Walk walk(levels, depth);
  for (std::size_t level = 0; level < depth; ++level) {
    if (offset.degree(level) > 1) {
      walk.walk_through(level);
    }
  }
  std::optional<Extent> extent;
  return walk
      .run(nest,
           [&](const std::vector<Level::Range>& box, Point& at) {
             return is_empty(box) || widen_by(extent, offset, access.bytes, box, at, depth);
           })
      .map([&] { return extent; });
}

/// Whether its address holds still in all loops whose ranges are not known.
bool is_in_known_loops(const InCounters& offset, const LoopNest& nest,
                       const std::vector<Level>& known) {
  for (std::size_t level = known.size(); level < nest.levels.size(); ++level) {
    if (offset.degree(level) > 0) {
      return false;
    }
  }
  return true;
}

Result<void> add(Extents& extents, const LoopNest& nest, const Polynomial::Values& values) {
  const NestReader reader(nest, values);
  const auto levels = reader.known_levels();
  if (!levels) {
    return tl::make_unexpected(levels.error());
  }
  for (const ArrayAccess& access : nest.accesses) {
    const auto offset = access.offset ? reader.in_counters(*access.offset)
                                      : Result<std::optional<InCounters>>(std::nullopt);
    if (!offset) {
      return tl::make_unexpected(offset.error());
    }
    if (!*offset || !is_in_known_loops(**offset, nest, *levels)) {
      extents.unknown.insert(access.array);
      continue;
    }
    const auto extent = extent_of(nest, *levels, **offset, access);
    if (!extent) {
      return tl::make_unexpected(extent.error());
    }
    if (*extent) {
      const auto [at, is_new] = extents.known.emplace(access.array, **extent);
      at->second = {std::min(at->second.first, (*extent)->first),
                    std::max(at->second.end, (*extent)->end)};
    }
  }
  return {};
}

}  // namespace

Result<Extents> extents(const std::vector<LoopNest>& nests, const Polynomial::Values& values) {
  Extents made;
  for (const LoopNest& nest : nests) {
    if (const auto added = add(made, nest, values); !added) {
      return tl::make_unexpected(added.error());
    }
  }
  for (const std::string& array : made.unknown) {
    made.known.erase(array);
  }
  return made;
}

Result<std::optional<std::int64_t>> iterations(const LoopNest& nest,
                                               const Polynomial::Values& values) {
  const auto levels = NestReader(nest, values).known_levels();
  if (!levels) {
    return tl::make_unexpected(levels.error());
  }
  if (levels->size() < nest.levels.size()) {
    return std::optional<std::int64_t>();
  }
  std::int64_t total = 0;
  const auto count = [&](const std::vector<Level::Range>& box, const Point& /*unused*/) {
    std::int64_t product = 1;
    for (const Level::Range& range : box) {
      if (!multiply(product, range.trips, 1)) {
        return false;
      }
    }
    return !__builtin_add_overflow(total, product, &total);
  };
  return Walk(*levels, levels->size()).run(nest, count).map([&] { return std::optional(total); });
}

}  // namespace ridge::analyze
