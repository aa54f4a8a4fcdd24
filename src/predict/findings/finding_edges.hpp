// The thresholds of the rules of findings: on which side they fire.
#pragma once

#include <cstdint>
#include <functional>
#include <type_traits>
#include <vector>

#include "predict/findings/finding_case.hpp"

namespace ridge::predict::testing {

/// `set` makes an example in which the rule fires, or one just beside.
struct Edge {
  const char* code;
  const char* what;
  std::function<void(Case&, bool)> set;
};

/// Rules on arithmetic, calls, accesses, threads, and what part of the time they need.
[[nodiscard]] std::vector<Edge> work_edges();

template <class T>
auto either(bool fires, T at, T beside) {
  if constexpr (std::is_floating_point_v<T>) {
    return fires ? at : beside;
  } else {
    return static_cast<std::uint64_t>(fires ? at : beside);
  }
}

inline void chain_of(Case& c, ChainOperation operation, std::uint64_t operations) {
  c.loop().chain = {{operation, Precision::fp64, true, operations}};
}

/// All lines come from DRAM, after 100 ns each.
inline void from_memory(Case& c, double bytes) {
  c.loop().bytes_loaded = kMega;
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    c.reads(level, bytes);
  }
  c.loop().accesses = {{AccessPattern::indirect, false, {}, 1000}};
  c.add_latency(Level::DRAM, 100e-9);
}

}  // namespace ridge::predict::testing
