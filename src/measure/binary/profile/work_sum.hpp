// The work of several regions together.
#pragma once

#include <cstdint>

#include "core/value/region.hpp"

namespace ridge::measure::binary {

/// Of the figures that add up over regions. Sums that do not fit saturate.
class WorkSum {
 public:
  void add(const RegionWork& work);
  [[nodiscard]] RegionWork finish() const;

 private:
  RegionWork sum_;
  std::uint64_t low_ = 0;  ///< flops lie between these
  std::uint64_t high_ = 0;
};

}  // namespace ridge::measure::binary
