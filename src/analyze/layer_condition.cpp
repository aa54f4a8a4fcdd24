#include "analyze/layer_condition.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

/// Accesses of one array whose addresses differ by what does not change in the nest.
struct Stream {
  Polynomial varying;  ///< the part of the offset with counters
  unsigned bytes = 0;  ///< of one element
  /// Where they lie beside one another, by value, with the polynomial that has it.
  std::map<std::int64_t, Polynomial> places;
  unsigned accesses = 0;
  bool is_written = false;
};

/// From an access to the one behind it, or, of the first one of a stream, all of the array.
struct Distance {
  std::int64_t value = 0;
  Polynomial bytes;
};

Polynomial with_counters(const LoopNest& nest, const Polynomial& offset) {
  Polynomial rest = offset;
  for (const LoopLevel& level : nest.levels) {
    rest = rest.without(level.counter);
  }
  return offset - rest;
}

class StreamReader {
 public:
  StreamReader(const LoopNest& nest, const Polynomial::Values& values)
      : nest_(&nest), values_(&values) {}

  Result<void> read() {
    for (const ArrayAccess& access : nest_->accesses) {
      if (access.depth != nest_->levels.size()) {
        continue;
      }
      if (!is_walked(access)) {
        left_out_.push_back(access.text());
        continue;
      }
      if (const auto added = add(access); !added) {
        return added;
      }
    }
    return {};
  }

  [[nodiscard]] const std::vector<Stream>& streams() const { return streams_; }
  [[nodiscard]] std::vector<std::string> left_out() const { return left_out_; }

  Result<std::int64_t> value_of(const Polynomial& of) const {
    if (const auto value = of.evaluate(*values_)) {
      return *value;
    }
    for (const std::string& symbol : of.symbols()) {
      if (!values_->contains(symbol)) {
        return fail(ErrorCode::bad_input, fmt::format("{} has no value", symbol),
                    fmt::format("give it one: -D {}=1000", symbol));
      }
    }
    return fail(ErrorCode::bad_input, fmt::format("{} does not fit 64 bits", of.text()));
  }

 private:
  /// One element after the other, forwards or backwards.
  [[nodiscard]] bool is_walked(const ArrayAccess& access) const {
    if (!access.offset) {
      return false;
    }
    const LoopLevel& innermost = nest_->levels.back();
    const auto stride = (access.offset->coefficient(innermost.counter) * innermost.step).constant();
    return stride && access.offset->degree(innermost.counter) == 1 &&
           (*stride == access.bytes || *stride == -static_cast<std::int64_t>(access.bytes));
  }

  Result<void> add(const ArrayAccess& access) {
    const Polynomial varying = with_counters(*nest_, *access.offset);
    const Polynomial place = *access.offset - varying;
    const auto value = value_of(place);
    if (!value) {
      return tl::make_unexpected(value.error());
    }
    const std::string key = access.array + " " + varying.text();
    const auto [at, is_new] = index_.emplace(key, streams_.size());
    if (is_new) {
      streams_.push_back({varying, access.bytes, {}, 0, false});
    }
    Stream& stream = streams_[at->second];
    stream.places.emplace(*value, place);
    ++stream.accesses;
    stream.is_written = stream.is_written || access.is_write;
    return {};
  }

  const LoopNest* nest_;
  const Polynomial::Values* values_;
  std::vector<Stream> streams_;
  std::map<std::string, std::size_t> index_;
  std::vector<std::string> left_out_;
};

/// Bytes between the first and the last element that the nest touches.
Polynomial extent_of(const Stream& stream, const LoopNest& nest) {
  Polynomial bytes =
      stream.places.rbegin()->second - stream.places.begin()->second + Polynomial(stream.bytes);
  for (const LoopLevel& level : nest.levels) {
    if (level.trips && level.trips->divisor == 1) {
      const Polynomial step = stream.varying.coefficient(level.counter) * Polynomial(level.step);
      const auto constant = step.constant();
      bytes += (constant && *constant < 0 ? step * -1 : step) * level.trips->span;
    }
  }
  return bytes;
}

struct Distances {
  std::vector<Distance> inner;  ///< from each access to the next one behind it
  std::vector<Distance> whole;  ///< all of the array, for the first access of each stream
  unsigned same = 0;            ///< accesses to what another one has just used
};

Result<Distances> distances_of(const StreamReader& reader, const LoopNest& nest) {
  Distances found;
  for (const Stream& stream : reader.streams()) {
    found.same += stream.accesses - static_cast<unsigned>(stream.places.size());
    const Polynomial* before = nullptr;
    std::int64_t value_before = 0;
    for (const auto& [value, place] : stream.places) {
      if (before != nullptr) {
        found.inner.push_back({value - value_before, place - *before});
      }
      before = &place;
      value_before = value;
    }
    const Polynomial extent = extent_of(stream, nest);
    const auto value = reader.value_of(extent);
    if (!value) {
      return tl::make_unexpected(value.error());
    }
    found.whole.push_back({*value, extent});
  }
  return found;
}

/// For reuse over `tail`: each access needs what lies up to the next one behind it, at most `tail`.
ReuseOption option_for(const Distance& tail, const Distances& all) {
  ReuseOption option;
  option.hits = all.same;
  Polynomial bytes;
  for (const Distance& distance : all.inner) {
    const bool is_hit = distance.value <= tail.value;
    bytes += is_hit ? distance.bytes : tail.bytes;
    ++(is_hit ? option.hits : option.misses);
  }
  for (std::size_t i = 0; i < all.whole.size(); ++i) {
    bytes += tail.bytes;
    ++option.misses;
  }
  option.bytes = bytes;
  return option;
}

}  // namespace

Result<LayerConditions> layer_conditions(const LoopNest& nest, const Polynomial::Values& values) {
  StreamReader reader(nest, values);
  if (const auto read = reader.read(); !read) {
    return tl::make_unexpected(read.error());
  }
  const auto all = distances_of(reader, nest);
  if (!all) {
    return tl::make_unexpected(all.error());
  }
  LayerConditions made;
  made.left_out = reader.left_out();
  made.written = static_cast<unsigned>(std::ranges::count_if(
      reader.streams(), [](const Stream& stream) { return stream.is_written; }));
  const auto accesses = static_cast<unsigned>(all->inner.size() + all->whole.size());
  Polynomial whole;
  for (const Distance& distance : all->whole) {
    whole += distance.bytes;
  }
  made.options.push_back({whole, accesses + all->same, 0});
  std::map<std::int64_t, const Distance*, std::greater<>> tails;
  for (const Distance& distance : all->inner) {
    tails.emplace(distance.value, &distance);
  }
  for (const auto& [value, tail] : tails) {
    made.options.push_back(option_for(*tail, *all));
  }
  made.options.push_back({std::nullopt, all->same, accesses});
  return made;
}

const ReuseOption& option_in(const LayerConditions& conditions, const Polynomial::Values& values,
                             std::uint64_t cache_bytes) {
  for (const ReuseOption& option : conditions.options) {
    const auto needed = option.bytes ? option.bytes->evaluate(values) : std::nullopt;
    if (needed && (*needed < 0 || static_cast<std::uint64_t>(*needed) <= cache_bytes)) {
      return option;
    }
  }
  return conditions.options.back();
}

std::optional<std::int64_t> true_up_to(const ReuseOption& option, const std::string& symbol,
                                       const Polynomial::Values& values,
                                       std::uint64_t cache_bytes) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40U;
  if (!option.bytes || option.bytes->degree(symbol) == 0) {
    return std::nullopt;
  }
  const auto is_true = [&](std::int64_t value) {
    Polynomial::Values at = values;
    at[symbol] = value;
    const auto needed = option.bytes->evaluate(at);  // that does not fit is more than any cache
    return needed && (*needed < 0 || static_cast<std::uint64_t>(*needed) <= cache_bytes);
  };
  std::int64_t low = 1;
  std::int64_t high = kMost;
  if (!is_true(low) || is_true(high)) {
    return std::nullopt;
  }
  while (high - low > 1) {
    const std::int64_t middle = low + (high - low) / 2;
    (is_true(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace ridge::analyze
