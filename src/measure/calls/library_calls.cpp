#include "measure/calls/library_calls.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "measure/calls/library_work.hpp"

namespace ridge::measure {
namespace {

struct Sum {
  std::uint64_t calls = 0;
  double seconds = 0.0;
};

/// Of all calls; what is larger than any count is not known.
std::optional<std::uint64_t> of_all(std::optional<double> of_one, std::uint64_t calls) {
  constexpr double kMost = 9.0e18;
  const double all = of_one.value_or(-1.0) * static_cast<double>(calls);
  return all >= 0.0 && all < kMost ? std::optional(static_cast<std::uint64_t>(std::llround(all)))
                                   : std::nullopt;
}

void add_notes(Profile& profile, std::uint64_t lost) {
  if (lost > 0) {
    profile.notes.push_back(
        {"library-calls-lost",
         fmt::format(
             "{} calls of libraries are in no figure: there was no memory to record them in "
             "(very many threads, sizes or places that call)",
             lost)});
  }
  if (profile.library_calls.empty()) {
    profile.notes.push_back(
        {"no-library-calls",
         "no calls of BLAS, LAPACK or FFTW were seen: the program makes none of those that Ridge "
         "knows, or is linked with them statically"});
  }
}

}  // namespace

void add_library_calls(Profile& profile, std::span<const RecordedProcess> processes,
                       const RegionOfCall& region_of) {
  using Key = std::tuple<std::string, std::array<std::uint64_t, RIDGE_CALL_SIZES>,
                         std::optional<std::uint32_t>>;
  const CallingRegions regions(profile, region_of);
  std::map<Key, Sum> sums;
  std::uint64_t lost = 0;
  for (const RecordedProcess& process : processes) {
    if (process.layer != RIDGE_LAYER_LIBRARIES) {
      continue;
    }
    lost += process.lost;
    for (const RecordedCall& call : process.calls) {
      Sum& sum = sums[{call.name, call.sizes, regions.of(process, call)}];
      sum.calls = saturating_add(sum.calls, call.calls);
      sum.seconds += call.seconds;
    }
  }
  for (const auto& [key, sum] : sums) {
    const auto& [name, sizes, region] = key;
    const LibraryWork work = library_work(name, sizes);
    profile.library_calls.push_back({name, work.sizes, region, sum.calls,
                                     of_all(work.flops, sum.calls), of_all(work.bytes, sum.calls),
                                     Seconds(sum.seconds)});
  }
  std::ranges::stable_sort(profile.library_calls, std::ranges::greater{},
                           [](const LibraryCall& call) { return call.seconds; });
  add_notes(profile, lost);
}

}  // namespace ridge::measure
