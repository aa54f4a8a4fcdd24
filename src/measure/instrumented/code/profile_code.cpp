#include "measure/instrumented/code/profile_code.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "measure/instrumented/code/region_code.hpp"
#include "measure/instrumented/regions.hpp"

namespace ridge::measure {
namespace {

double seconds_of(const Region& region) {
  return region.time_seconds.self ? region.time_seconds.self->value.value() : 0.0;
}

/// Indices into Profile::regions, in no order.
std::vector<std::uint32_t> hot_regions(const Profile& profile) {
  const double least = kLeastShareOfCode * profile.program.wall_seconds.value();
  std::vector<std::uint32_t> hot;
  for (std::uint32_t i = 0; i < profile.regions.size(); ++i) {
    const Region& region = profile.regions[i];
    const bool has_code = region.kind == RegionKind::loop || region.kind == RegionKind::function;
    if (has_code && seconds_of(region) > 0.0 && seconds_of(region) >= least) {
      hot.push_back(i);
    }
  }
  std::stable_sort(hot.begin(), hot.end(), [&](std::uint32_t a, std::uint32_t b) {
    return seconds_of(profile.regions[a]) > seconds_of(profile.regions[b]);
  });
  hot.resize(std::min(hot.size(), kMostRegionsWithCode));
  return hot;
}

/// The modules of a process, and the descriptors that they point to.
struct Modules {
  explicit Modules(const RawProcess& process) : descriptors(process.modules.size()) {
    for (std::size_t i = 0; i < process.modules.size(); ++i) {
      const RawModule& raw = process.modules[i];
      descriptors[i] = Descriptor::parse(raw.descriptor);
      counted.push_back(
          {{raw.file, raw.build_id, raw.descriptor, descriptors[i] ? &*descriptors[i] : nullptr},
           raw.counters});
    }
  }
  std::vector<std::optional<Descriptor>> descriptors;
  std::vector<CountedModule> counted;
};

void add_code_of_process(Profile& profile, const RawProcess& process,
                         const std::vector<std::uint32_t>& of_raw,
                         const std::vector<std::uint32_t>& hot) {
  std::map<std::uint32_t, WantedRegion> by_region;
  for (std::uint32_t raw = 0; raw < process.regions.size() && raw < of_raw.size(); ++raw) {
    const RawRegion& region = process.regions[raw];
    const bool is_hot = std::find(hot.begin(), hot.end(), of_raw[raw]) != hot.end();
    if (of_raw[raw] != kNoRegion && is_hot && region.module < process.modules.size()) {
      by_region[of_raw[raw]].parts.push_back(
          {region.module, raw - process.modules[region.module].region_base});
    }
  }
  std::vector<WantedRegion> wanted;
  for (auto& [index, region] : by_region) {
    region.file = profile.regions[index].file.value_or("");
    region.flops = known_work(profile.regions[index]);
    wanted.push_back(std::move(region));
  }
  if (wanted.empty()) {
    return;
  }
  const Modules modules(process);
  std::vector<RegionCode> code = region_code(modules.counted, wanted);
  std::size_t next = 0;
  for (const auto& [index, region] : by_region) {
    static_cast<RegionCode&>(profile.regions[index]) = std::move(code[next++]);
  }
}

}  // namespace

void add_code(Profile& profile, const DecodedArena& arena, const RegionsOfRaw& of_raw) {
  const auto hot = hot_regions(profile);
  for (std::size_t i = 0; i < arena.processes.size() && i < of_raw.size(); ++i) {
    add_code_of_process(profile, arena.processes[i], of_raw[i], hot);
  }
}

}  // namespace ridge::measure
