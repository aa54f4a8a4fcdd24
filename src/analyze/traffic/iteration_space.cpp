#include "analyze/traffic/iteration_space.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

constexpr std::int64_t kLine = 64;

std::int64_t up_to_multiple(std::int64_t value, std::int64_t of) {
  return (value + of - 1) / of * of;
}

Error without_value(const std::string& symbol) {
  return {ErrorCode::bad_input, fmt::format("{} has no value", symbol),
          fmt::format("give it one: -D {}=1000", symbol)};
}

}  // namespace

Result<CounterPolynomial> CounterPolynomial::of(const Polynomial& polynomial,
                                                const std::vector<std::string>& counters,
                                                const Polynomial::Values& values) {
  if (!polynomial.is_valid()) {
    return fail(ErrorCode::bad_input, "an address does not fit 64 bits", "take smaller sizes");
  }
  CounterPolynomial made;
  for (const auto& [monomial, factor] : polynomial.terms()) {
    Term term{factor, std::vector<std::uint8_t>(counters.size(), 0)};
    for (const auto& [name, power] : monomial) {
      if (const auto loop = std::ranges::find(counters, name); loop != counters.end()) {
        term.powers[static_cast<std::size_t>(loop - counters.begin())] =
            static_cast<std::uint8_t>(power);
        continue;
      }
      const auto value = values.find(name);
      if (value == values.end()) {
        return tl::make_unexpected(without_value(name));
      }
      for (unsigned i = 0; i < power; ++i) {
        if (__builtin_mul_overflow(term.factor, value->second, &term.factor)) {
          return fail(ErrorCode::bad_input,
                      fmt::format("{} does not fit 64 bits", polynomial.text()),
                      "take smaller sizes");
        }
      }
    }
    made.terms_.push_back(std::move(term));
  }
  return made;
}

std::int64_t CounterPolynomial::at(const Counters& counters) const {
  std::uint64_t total = 0;  // wraps around where the extents have been refused anyway
  for (const Term& term : terms_) {
    auto product = static_cast<std::uint64_t>(term.factor);
    for (std::size_t i = 0; i < term.powers.size(); ++i) {
      for (unsigned power = term.powers[i]; power > 0; --power) {
        product *= static_cast<std::uint64_t>(counters[i]);
      }
    }
    total += product;
  }
  return static_cast<std::int64_t>(total);
}

unsigned CounterPolynomial::degree(std::size_t loop) const {
  unsigned most = 0;
  for (const Term& term : terms_) {
    most = std::max<unsigned>(most, term.powers[loop]);
  }
  return most;
}

/// Makes an IterationSpace.
class Placing {
 public:
  Placing(const LoopNest& nest, const Polynomial::Values& values, const Layout& layout,
          const IndexValues& indices)
      : nest_(&nest), values_(&values), layout_(&layout), indices_(&indices) {
    for (const LoopLevel& level : nest.levels) {
      counters_.push_back(level.counter);
    }
  }

  Result<IterationSpace> place() {
    for (const auto step : {&Placing::add_loops, &Placing::find_extents, &Placing::place_arrays,
                            &Placing::add_accesses}) {
      if (const auto done = (this->*step)(); !done) {
        return tl::make_unexpected(done.error());
      }
    }
    find_iterations_per_line();
    return std::move(space_);
  }

 private:
  struct Extent {
    std::int64_t least = 0;
    std::int64_t end = 0;
    bool is_written = false;
    std::size_t order = 0;
    std::int64_t begin = 0;  ///< address of offset 0, once it is placed
  };

  [[nodiscard]] Polynomial counted_from_0(Polynomial of) const {
    for (std::size_t i = nest_->levels.size(); i-- > 0;) {
      const LoopLevel& level = nest_->levels[i];
      of = of.with(level.counter, level.first + Polynomial::symbol(level.counter) * level.step);
    }
    return of;
  }

  Result<void> add_loops() {
    for (const LoopLevel& level : nest_->levels) {
      if (!level.trips) {
        return fail(ErrorCode::bad_input,
                    fmt::format("how often the loop over {} runs is not known", level.counter),
                    "loops that end where the data say so cannot be modelled");
      }
      auto span = CounterPolynomial::of(counted_from_0(level.trips->span), counters_, *values_);
      if (!span) {
        return tl::make_unexpected(span.error());
      }
      space_.trips_.push_back({std::move(*span), std::max<std::int64_t>(1, level.trips->divisor)});
    }
    return {};
  }

  /// Counters at a corner of the nest: of each loop the first or the last iteration.
  [[nodiscard]] Counters corner(std::uint64_t which) const {
    Counters counters(counters_.size(), 0);
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const std::int64_t trips = space_.trips(i, counters);
      counters[i] = (which >> i & 1U) != 0 ? std::max<std::int64_t>(0, trips - 1) : 0;
    }
    return counters;
  }

  Result<void> find_extents() {
    for (const ArrayAccess& access : nest_->accesses) {
      const auto [at, is_new] = extents_.try_emplace(access.array);
      Extent& extent = at->second;
      extent.order = is_new ? extents_.size() : extent.order;
      extent.is_written = extent.is_written || access.is_write;
      if (!access.offset) {
        if (const auto found = extend_indirectly(access, extent, is_new); !found) {
          return found;
        }
        continue;
      }
      const auto offset =
          CounterPolynomial::of(counted_from_0(*access.offset), counters_, *values_);
      if (!offset) {
        return tl::make_unexpected(offset.error());
      }
      for (std::uint64_t which = 0; which < std::uint64_t{1} << counters_.size(); ++which) {
        const std::int64_t first = offset->at(corner(which));
        const bool is_first = is_new && which == 0;
        extent.least = is_first ? first : std::min(extent.least, first);
        extent.end = is_first ? first + access.bytes : std::max(extent.end, first + access.bytes);
      }
    }
    return {};
  }

  Result<void> extend_indirectly(const ArrayAccess& access, Extent& extent, bool is_new) const {
    const auto indices = indices_->find(access.index_array);
    if (access.index_array.empty() || indices == indices_->end() || indices->second.empty()) {
      return fail(
          ErrorCode::bad_input, fmt::format("the addresses of {} depend on data", access.text()),
          access.index_array.empty() ? "they can be counted while it runs: ridge run"
                                     : fmt::format("give the values of {}", access.index_array));
    }
    const auto [least, most] = std::ranges::minmax(indices->second);
    extent.least = is_new ? least * access.bytes : std::min(extent.least, least * access.bytes);
    extent.end = std::max(is_new ? INT64_MIN : extent.end, (most + 1) * access.bytes);
    return {};
  }

  Result<void> place_arrays() {
    constexpr std::int64_t kSpace = std::int64_t{1} << 46U;
    std::vector<std::pair<std::string, Extent*>> order;
    for (auto& [name, extent] : extents_) {
      order.emplace_back(name, &extent);
    }
    std::ranges::sort(order, {}, [](const auto& item) { return item.second->order; });
    const std::int64_t alignment = std::max<std::int64_t>(1, layout_->alignment);
    std::int64_t next = up_to_multiple(4096, alignment);
    for (auto& [name, extent] : order) {
      // Offset 0 is aligned, and the first byte that is touched lies behind what was placed before.
      const std::int64_t before = extent->least < 0 ? up_to_multiple(-extent->least, alignment)
                                                    : -(extent->least / alignment * alignment);
      const auto named = layout_->addresses.find(name);
      extent->begin = named == layout_->addresses.end() ? next + before : named->second;
      const std::int64_t end = extent->begin + extent->end;
      if (extent->end - extent->least > kSpace || end > kSpace || end < 0) {
        return fail(ErrorCode::bad_input, fmt::format("{} does not fit the address space", name),
                    "take smaller sizes");
      }
      space_.arrays_.push_back(
          {name, extent->begin + extent->least, extent->end - extent->least, extent->is_written});
      next = std::max(next, up_to_multiple(end + layout_->gap, alignment));
    }
    return {};
  }

  Result<void> add_accesses() {
    for (const ArrayAccess& access : nest_->accesses) {
      PlacedAccess placed;
      placed.bytes = std::max(1U, access.bytes);
      placed.depth = std::clamp<std::size_t>(access.depth, 1, counters_.size());
      placed.is_write = access.is_write;
      Polynomial offset = access.offset.value_or(0);
      placed.begin = extents_.at(access.array).begin;
      if (!access.offset) {
        const ArrayAccess* index = index_of(access);
        if (index == nullptr) {
          return fail(ErrorCode::bad_input,
                      fmt::format("which element of {} belongs to {} is not known",
                                  access.index_array, access.text()),
                      "it can be counted while it runs: ridge run");
        }
        placed.indices = &indices_->at(access.index_array);
        placed.index_bytes = std::max(1U, index->bytes);
        offset = *index->offset;
      }
      auto address = CounterPolynomial::of(
          counted_from_0(offset) + (access.offset ? Polynomial(placed.begin) : Polynomial(0)),
          counters_, *values_);
      if (!address) {
        return tl::make_unexpected(address.error());
      }
      placed.address = std::move(*address);
      space_.accesses_.push_back(std::move(placed));
    }
    return {};
  }

  /// The access that reads the index: the last one of that array before it.
  [[nodiscard]] const ArrayAccess* index_of(const ArrayAccess& access) const {
    const ArrayAccess* found = nullptr;
    for (const ArrayAccess& other : nest_->accesses) {
      if (&other == &access) {
        break;
      }
      found = other.array == access.index_array && other.offset ? &other : found;
    }
    return found;
  }

  void find_iterations_per_line() {
    const std::size_t innermost = counters_.size() - 1;
    std::int64_t fewest = kLine;
    for (const PlacedAccess& access : space_.accesses_) {
      if (access.depth != counters_.size() ||
          (access.indices == nullptr && !access.address.depends_on(innermost))) {
        continue;
      }
      Counters counters(counters_.size(), 0);
      const std::int64_t first = access.address.at(counters);
      counters[innermost] = 1;
      const std::int64_t step = std::abs(access.address.at(counters) - first);
      const bool is_line_by_line =
          access.indices == nullptr && access.address.degree(innermost) == 1 && step > 0;
      fewest = std::min(fewest, is_line_by_line ? std::max<std::int64_t>(1, kLine / step) : 1);
    }
    space_.iterations_per_line_ = fewest;
  }

  const LoopNest* nest_;
  const Polynomial::Values* values_;
  const Layout* layout_;
  const IndexValues* indices_;
  std::vector<std::string> counters_;
  std::map<std::string, Extent> extents_;
  IterationSpace space_;
};

Result<IterationSpace> IterationSpace::of(const LoopNest& nest, const Polynomial::Values& values,
                                          const Layout& layout, const IndexValues& indices) {
  return Placing(nest, values, layout, indices).place();
}

std::int64_t IterationSpace::trips(std::size_t loop, const Counters& counters) const {
  const std::int64_t span = trips_[loop].span.at(counters);
  return span < 0 ? 0 : span / trips_[loop].divisor + 1;
}

bool IterationSpace::is_rectangular() const {
  for (std::size_t loop = 0; loop < loops(); ++loop) {
    for (std::size_t around = 0; around < loop; ++around) {
      if (trips_[loop].span.depends_on(around)) {
        return false;
      }
    }
  }
  return true;
}

double IterationSpace::count_from(std::size_t loop, Counters& counters, bool is_one) const {
  constexpr std::int64_t kPlaces = 16;  // of loops that depend on those around them
  if (loop == loops()) {
    return 1.0;
  }
  const std::int64_t all = trips(loop, counters);
  const std::int64_t places = is_one ? std::min<std::int64_t>(all, 1) : std::min(all, kPlaces);
  double sum = 0.0;
  for (std::int64_t place = 0; place < places; ++place) {
    counters[loop] = (2 * place + 1) * all / (2 * places);
    sum += count_from(loop + 1, counters, is_one);
  }
  counters[loop] = 0;
  return places == 0 ? 0.0 : sum * static_cast<double>(all) / static_cast<double>(places);
}

double IterationSpace::iterations() const {
  Counters counters(loops(), 0);
  return count_from(0, counters, is_rectangular());
}

double IterationSpace::iterations_within(std::size_t loop) const {
  Counters counters(loops(), 0);
  for (std::size_t around = 0; around <= loop; ++around) {
    counters[around] = trips(around, counters) / 2;
  }
  return count_from(loop + 1, counters, is_rectangular());
}

std::int64_t IterationSpace::period_of(std::size_t loop) const {
  std::int64_t period = 1;
  for (const PlacedAccess& access : accesses_) {
    Counters counters(loops(), 0);
    const std::int64_t first = access.address.at(counters);
    counters[loop] = 1;
    const std::int64_t step = std::abs(access.address.at(counters) - first);
    if (access.indices == nullptr && step > 0 && step < kLine) {
      period = std::max(period, up_to_multiple(kLine, step) / step);
    }
  }
  return period;
}

double IterationSpace::iterations_at(double part) const {
  Counters counters(loops(), 0);
  counters[0] = static_cast<std::int64_t>(part * static_cast<double>(trips(0, counters)));
  return count_from(1, counters, is_rectangular());
}

}  // namespace ridge::analyze
