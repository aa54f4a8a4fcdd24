#include "measure/calls/region_of_call.hpp"

#include <string>
#include <tuple>
#include <utility>

namespace ridge::measure {

CallingRegions::CallingRegions(const Profile& profile, const RegionOfCall& region_of)
    : region_of_(region_of) {
  using Code = std::tuple<RegionKind, std::string, std::string, std::optional<std::string>,
                          std::optional<unsigned>, std::optional<unsigned>>;
  std::map<Code, std::uint32_t> first;
  for (const Region& region : profile.regions) {
    Code code{region.kind, region.name, region.function, region.file, region.line, region.column};
    first_[region.id] = first.emplace(std::move(code), region.id).first->second;
  }
}

std::optional<std::uint32_t> CallingRegions::of(const RecordedProcess& process,
                                                const RecordedCall& call) const {
  const auto region = region_of_(process, call);
  const auto found = region ? first_.find(*region) : first_.end();
  return found == first_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ridge::measure
