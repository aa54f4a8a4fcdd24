#include "measure/ranks/rank_values.hpp"

#include <algorithm>

namespace ridge::measure {
namespace {

constexpr std::size_t kBins = 20;

std::vector<unsigned> bins_of(const std::vector<NumberOfRank>& sorted) {
  const double least = sorted.front().number;
  const double width = (sorted.back().number - least) / static_cast<double>(kBins);
  if (!(width > 0.0)) {
    return {static_cast<unsigned>(sorted.size())};
  }
  std::vector<unsigned> bins(kBins, 0);
  for (const NumberOfRank& each : sorted) {
    const auto bin = static_cast<std::size_t>((each.number - least) / width);
    ++bins[std::min(bin, kBins - 1)];
  }
  return bins;
}

double median_of(const std::vector<NumberOfRank>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle].number
                                : (sorted[middle - 1].number + sorted[middle].number) / 2.0;
}

/// The figure of all that have it; `of` gives an optional number.
template <class Of>
std::optional<RankSpread> spread(const std::vector<RankValue>& values, Of of) {
  std::vector<NumberOfRank> numbers;
  for (const RankValue& value : values) {
    if (const auto number = of(value)) {
      numbers.push_back({value.rank, static_cast<double>(*number)});
    }
  }
  return spread_of(std::move(numbers), values.size() > kRanksListed);
}

std::optional<double> known(double number) {
  return number < 0.0 ? std::nullopt : std::optional(number);
}

std::optional<Seconds> seconds(double number) {
  return number < 0.0 ? std::nullopt : std::optional(Seconds(number));
}

}  // namespace

RankValue value_of(unsigned rank, const Region& region) {
  RankValue value;
  value.rank = rank;
  if (region.time_seconds.self) {
    value.time_seconds = region.time_seconds.self->value.value();
  }
  if (region.cpu_seconds.self) {
    value.cpu_seconds = region.cpu_seconds.self->value.value();
  }
  if (region.flops) {
    value.flops = region.flops->total();
  }
  value.bytes = bytes_accessed(region);
  return value;
}

std::optional<RankSpread> spread_of(std::vector<NumberOfRank> numbers, bool with_bins) {
  if (numbers.empty()) {
    return std::nullopt;
  }
  std::ranges::sort(numbers, [](const NumberOfRank& a, const NumberOfRank& b) {
    return a.number != b.number ? a.number < b.number : a.rank < b.rank;
  });
  RankSpread spread;
  spread.ranks = static_cast<unsigned>(numbers.size());
  spread.least = numbers.front().number;
  spread.least_rank = static_cast<int>(numbers.front().rank);
  spread.median = median_of(numbers);
  spread.most = numbers.back().number;
  const auto most = std::ranges::find(numbers, spread.most, &NumberOfRank::number);
  spread.most_rank = static_cast<int>(most->rank);
  double sum = 0.0;
  for (const NumberOfRank& each : numbers) {
    sum += each.number;
  }
  spread.mean = std::clamp(sum / static_cast<double>(numbers.size()), spread.least, spread.most);
  if (with_bins) {
    spread.bins = bins_of(numbers);
  }
  return spread;
}

RegionRanks region_ranks(std::vector<RankValue> values, const std::vector<unsigned>& others) {
  const auto any = [&](auto has) { return std::ranges::any_of(values, has); };
  RankValue nothing;
  nothing.time_seconds = any([](const RankValue& v) { return v.time_seconds >= 0.0; }) ? 0.0 : -1.0;
  nothing.cpu_seconds = any([](const RankValue& v) { return v.cpu_seconds >= 0.0; }) ? 0.0 : -1.0;
  nothing.flops = any([](const RankValue& v) { return v.flops.has_value(); })
                      ? std::optional<std::uint64_t>(0)
                      : std::nullopt;
  nothing.bytes = any([](const RankValue& v) { return v.bytes.has_value(); })
                      ? std::optional<std::uint64_t>(0)
                      : std::nullopt;
  for (const unsigned rank : others) {
    nothing.rank = rank;
    values.push_back(nothing);
  }
  std::ranges::sort(values, {}, &RankValue::rank);
  RegionRanks ranks;
  ranks.time_seconds = spread(values, [](const RankValue& v) { return known(v.time_seconds); });
  ranks.cpu_seconds = spread(values, [](const RankValue& v) { return known(v.cpu_seconds); });
  ranks.flops = spread(values, [](const RankValue& v) { return v.flops; });
  ranks.bytes = spread(values, [](const RankValue& v) { return v.bytes; });
  if (values.size() <= kRanksListed) {
    for (const RankValue& value : values) {
      ranks.by_rank.push_back({static_cast<int>(value.rank), seconds(value.time_seconds),
                               seconds(value.cpu_seconds), value.flops, value.bytes});
    }
  }
  return ranks;
}

}  // namespace ridge::measure
