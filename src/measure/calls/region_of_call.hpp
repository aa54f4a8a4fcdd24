// Where recorded calls stand in a profile.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>

#include "core/value/profile.hpp"
#include "measure/calls/call_records.hpp"

namespace ridge::measure {

/// Id of the region of the profile that a call stands in; nullopt: none that is known.
using RegionOfCall =
    std::function<std::optional<std::uint32_t>(const RecordedProcess&, const RecordedCall&)>;

/// The same, but of regions of several processes that are the same code the first. Refers to both.
class CallingRegions {
 public:
  CallingRegions(const Profile& profile, const RegionOfCall& region_of);

  [[nodiscard]] std::optional<std::uint32_t> of(const RecordedProcess& process,
                                                const RecordedCall& call) const;

 private:
  const RegionOfCall& region_of_;
  std::map<std::uint32_t, std::uint32_t> first_;  ///< by id
};

}  // namespace ridge::measure
