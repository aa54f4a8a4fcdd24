#include "measure/binary/profile/hottest_code.hpp"

#include <algorithm>
#include <vector>

#include "measure/binary/code/region_code.hpp"
#include "measure/binary/profile/region_seconds.hpp"

namespace ridge::measure::binary {
namespace {

/// Indices of regions of the profile, most time first.
std::vector<std::size_t> hottest(const Profile& profile, std::span<const std::uint32_t> numbers) {
  const auto time = [&](std::size_t i) {
    const auto& self = profile.regions[i].cpu_seconds.self;
    return self ? self->value.value() : 0.0;
  };
  std::vector<std::size_t> hot;
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    if (numbers[i] != kNoRegion && time(i) > 0.0) {
      hot.push_back(i);
    }
  }
  std::ranges::stable_sort(hot, [&](std::size_t a, std::size_t b) { return time(a) > time(b); });
  hot.resize(std::min(hot.size(), kMostRegionsWithCode));
  return hot;
}

SamplesByAddress samples_in(const CodeModule& module, const SampledCode& samples,
                            CodeFiles& files) {
  std::vector<std::uint64_t> by_place(samples.places.size(), 0);
  for (const SampledMoment& moment : samples.moments) {
    by_place[moment.place] += moment.asleep ? 0 : 1;
  }
  SamplesByAddress found;
  for (std::size_t i = 0; i < samples.places.size(); ++i) {
    const SampledPlace& place = samples.places[i];
    if (by_place[i] == 0 || samples.files[place.file] != module.executed.path) {
      continue;
    }
    if (const auto address = files.address_of(module.executed.path, place.offset)) {
      found[*address] += by_place[i];
    }
  }
  return found;
}

}  // namespace

void add_hottest_code(Profile& profile, std::span<const std::uint32_t> numbers,
                      const ProgramCode& code, const SampledCode& samples, CodeFiles& files) {
  const auto hot = hottest(profile, numbers);
  for (const CodeModule& module : code.modules) {
    std::vector<std::size_t> regions;
    std::vector<std::uint32_t> wanted;
    for (const std::size_t region : hot) {
      const std::uint32_t number = numbers[region];
      if (number >= module.first_region && number - module.first_region < module.work.size()) {
        regions.push_back(region);
        wanted.push_back(number - module.first_region);
      }
    }
    if (wanted.empty()) {
      continue;
    }
    auto found = region_code(files.file(module.executed.path), module.regions, module.executed,
                             samples_in(module, samples, files), wanted);
    for (std::size_t i = 0; i < found.size(); ++i) {
      static_cast<RegionCode&>(profile.regions[regions[i]]) = std::move(found[i]);
    }
  }
}

}  // namespace ridge::measure::binary
