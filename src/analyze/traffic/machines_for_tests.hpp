// Machines with caches for tests.
#pragma once

#include <vector>

#include "core/value/machine.hpp"

namespace ridge::analyze::testing_machines {

inline Cache cache(Level level, std::uint64_t kib, unsigned ways, unsigned cores = 1,
                   CachePolicy policy = CachePolicy::non_inclusive) {
  return {level, kib << 10U, ways, 64, cores, policy, WriteAllocate::always};
}

inline Machine with(std::vector<Cache> caches) {
  Machine machine;
  machine.name = "test";
  machine.caches = std::move(caches);
  machine.memories = {{Level::DRAM, std::nullopt}};
  return machine;
}

/// Three levels: 32 KiB, 256 KiB, 20 MiB that eight cores share.
inline Machine usual() {
  return with({cache(Level::L1, 32, 8), cache(Level::L2, 256, 8), cache(Level::L3, 20480, 16, 8)});
}

/// 32 KiB, 512 KiB, and a victim cache of 16 MiB that four cores share.
inline Machine with_victim() {
  return with({cache(Level::L1, 32, 8), cache(Level::L2, 512, 8),
               cache(Level::L3, 16384, 16, 4, CachePolicy::victim)});
}

}  // namespace ridge::analyze::testing_machines
