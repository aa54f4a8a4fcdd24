// How counted work was done: patterns of accesses, lanes under masks, chains of operations.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "abi/descriptor.h"
#include "core/value/profile.hpp"

namespace ridge::measure {

class WorkDetails {
 public:
  /// Adds `amount` of a term of the descriptor. Terms that say nothing of this kind, and those with
  /// keys that no plugin writes, are left out.
  void add(const ridge_term_descriptor& term, std::uint64_t amount);
  WorkDetails& operator+=(const WorkDetails& other);
  /// `region` has its work already.
  void write_to(Region& region) const;

 private:
  using AccessKey = std::tuple<AccessPattern, bool, std::uint32_t>;  ///< write, stride
  using ChainKey = std::tuple<ChainOperation, Precision, bool>;      ///< reduction
  using MaskKey = std::tuple<std::uint16_t, std::uint32_t>;          ///< bytes of a lane, lanes
  struct MaskedBytes {
    std::uint64_t all = 0;
    std::uint64_t active = 0;
  };
  void add_access(const ridge_term_descriptor& term, std::uint64_t amount);
  void add_chain(const ridge_term_descriptor& term, std::uint64_t amount);

  std::map<AccessKey, std::uint64_t> accesses_;
  std::map<ChainKey, std::uint64_t> chain_;
  std::map<MaskKey, MaskedBytes> masked_;
  std::uint64_t overwritten_ = 0;
  std::uint64_t fusible_ = 0;
  Traffic gathered_;
};

}  // namespace ridge::measure
