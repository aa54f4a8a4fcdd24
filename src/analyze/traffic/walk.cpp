#include "analyze/traffic/walk.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

Result<std::int64_t> value_of(const Polynomial& of, const Polynomial::Values& values) {
  if (const auto value = of.evaluate(values)) {
    return *value;
  }
  for (const std::string& symbol : of.symbols()) {
    if (!values.contains(symbol)) {
      return fail(ErrorCode::bad_input, fmt::format("{} has no value", symbol),
                  fmt::format("give it one: -D {}=1000", symbol));
    }
  }
  return fail(ErrorCode::bad_input, fmt::format("{} does not fit 64 bits", of.text()),
              "take smaller sizes");
}

class Walker {
 public:
  Walker(const LoopNest& nest, const Polynomial::Values& values) : nest_(&nest), values_(&values) {}

  Result<Walk> walk() {
    for (const LoopLevel& level : nest_->levels) {
      if (const auto added = add_loop(level); !added) {
        return tl::make_unexpected(added.error());
      }
    }
    walk_.iterations = 1.0;
    for (const WalkedLoop& loop : walk_.loops) {
      walk_.iterations *= loop.mean;
    }
    for (const ArrayAccess& access : nest_->accesses) {
      if (const auto added = add_access(access); !added) {
        return tl::make_unexpected(added.error());
      }
    }
    return std::move(walk_);
  }

 private:
  /// Loops around are at the iteration for which this one runs most often: their first or last.
  Result<void> add_loop(const LoopLevel& level) {
    if (!level.trips) {
      return fail(ErrorCode::bad_input,
                  fmt::format("how often the loop over {} runs is not known", level.counter),
                  "loops that end where the data say so cannot be modelled");
    }
    const auto [most, least] = at_both_ends(level.trips->span);
    const auto span = value_of(most, *values_);
    if (!span) {
      return tl::make_unexpected(span.error());
    }
    const auto other = least.evaluate(*values_).value_or(*span);
    const std::int64_t divisor = std::max<std::int64_t>(1, level.trips->divisor);
    const bool other_is_more = other > *span;
    const std::int64_t trips = std::max(*span, other) / divisor + 1;
    if (std::max(*span, other) < 0) {
      return fail(ErrorCode::bad_input, fmt::format("the loop over {} never runs", level.counter),
                  "give its bounds other values");
    }
    const Polynomial& taken = other_is_more ? least : most;
    const auto divided = taken.divided_by(divisor);
    WalkedLoop loop;
    loop.trips = {(divided ? *divided : Polynomial(trips - 1)) + 1, trips};
    const double fewest = std::max(
        0.0, static_cast<double>(std::min(*span, other)) / static_cast<double>(divisor) + 1.0);
    loop.mean = (static_cast<double>(trips) + fewest) / 2.0;
    walk_.loops.push_back(loop);
    return {};
  }

  /// With the loops around at their last and at their first iterations.
  [[nodiscard]] std::pair<Polynomial, Polynomial> at_both_ends(const Polynomial& span) const {
    Polynomial last = counted_from_0(span);
    Polynomial first = last;
    for (std::size_t i = walk_.loops.size(); i-- > 0;) {
      const std::string& counter = nest_->levels[i].counter;
      last = last.with(counter, walk_.loops[i].trips.polynomial - 1);
      first = first.with(counter, 0);
    }
    return {last, first};
  }

  [[nodiscard]] Polynomial counted_from_0(Polynomial of) const {
    for (std::size_t i = nest_->levels.size(); i-- > 0;) {
      const LoopLevel& level = nest_->levels[i];
      of = of.with(level.counter, level.first + Polynomial::symbol(level.counter) * level.step);
    }
    return of;
  }

  Result<void> add_access(const ArrayAccess& access) {
    if (!access.offset) {
      walk_.left_out.push_back(access.text());
      return {};
    }
    const Polynomial offset = counted_from_0(*access.offset);
    Stream stream{access.array, access.bytes, access.depth, {}, {}, 0, false, false};
    Polynomial place = offset;
    std::string key = fmt::format("{} {}", access.array, access.depth);
    for (const LoopLevel& level : nest_->levels) {
      const Polynomial step = offset.coefficient(level.counter);
      if (offset.degree(level.counter) > 1 || has_counters(step)) {
        walk_.left_out.push_back(access.text());
        return {};
      }
      place = place.without(level.counter);
      const auto value = value_of(step, *values_);
      if (!value) {
        return tl::make_unexpected(value.error());
      }
      stream.steps.push_back({step, *value});
      key += " " + step.text();
    }
    const auto value = value_of(place, *values_);
    if (!value) {
      return tl::make_unexpected(value.error());
    }
    const auto [at, is_new] = index_.emplace(key, walk_.streams.size());
    if (is_new) {
      walk_.streams.push_back(std::move(stream));
    }
    Stream& joined = walk_.streams[at->second];
    joined.places.emplace(*value, place);
    joined.bytes = std::max(joined.bytes, access.bytes);
    ++joined.accesses;
    (access.is_write ? joined.is_written : joined.is_read) = true;
    return {};
  }

  [[nodiscard]] bool has_counters(const Polynomial& of) const {
    return std::ranges::any_of(
        nest_->levels, [&](const LoopLevel& level) { return of.degree(level.counter) > 0; });
  }

  const LoopNest* nest_;
  const Polynomial::Values* values_;
  Walk walk_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace

Result<Walk> walk_of(const LoopNest& nest, const Polynomial::Values& values) {
  return Walker(nest, values).walk();
}

}  // namespace ridge::analyze
