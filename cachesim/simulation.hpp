// Test helper: a cachesim with memory from the heap, and configurations in one line.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "cachesim/reference_simulator.hpp"

extern "C" {
#include "cachesim/cachesim.h"
}

namespace ridge::cachesim_reference {

/// Heap memory with a limit, to see what happens without memory.
struct Heap {
  std::uint64_t left = std::uint64_t{1} << 40;
  std::uint64_t in_use = 0;

  static void* allocate(void* context, std::uint64_t bytes) {
    auto* heap = static_cast<Heap*>(context);
    if (bytes > heap->left) {
      return nullptr;
    }
    heap->left -= bytes;
    heap->in_use += bytes;
    constexpr std::uint64_t kAlignment = 64;
    const std::uint64_t whole = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    void* memory = std::aligned_alloc(kAlignment, whole);
    return memory != nullptr ? std::memset(memory, 0, whole) : nullptr;
  }
  static void release(void* context, void* memory, std::uint64_t bytes) {
    static_cast<Heap*>(context)->in_use -= bytes;
    std::free(memory);
  }
};

class Simulation {
 public:
  explicit Simulation(const ridge_cache_config& config, std::uint32_t regions = 16)
      : traffic_(regions) {
    const cachesim_memory memory{Heap::allocate, Heap::release, &heap_};
    sim_ = cachesim_create(&config, traffic_.data(), regions, &memory);
  }
  ~Simulation() {
    if (sim_ != nullptr) {
      cachesim_destroy(sim_);
    }
  }
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  [[nodiscard]] cachesim* get() { return sim_; }
  [[nodiscard]] Heap& heap() { return heap_; }
  [[nodiscard]] const ridge_region_traffic& region(std::uint32_t id) const { return traffic_[id]; }
  void access(const Access& access) {
    const std::uint32_t flags = (access.write ? std::uint32_t{RIDGE_TRACE_WRITE} : 0) |
                                (access.non_temporal ? std::uint32_t{RIDGE_TRACE_NON_TEMPORAL} : 0);
    cachesim_access(sim_, access.core, access.address, access.bytes, flags, access.region);
  }
  void load(std::uint64_t address, std::uint32_t region = 1, std::uint32_t core = 0) {
    cachesim_access(sim_, core, address, 8, 0, region);
  }
  void store(std::uint64_t address, std::uint32_t region = 1, std::uint32_t core = 0) {
    cachesim_access(sim_, core, address, 8, RIDGE_TRACE_WRITE, region);
  }

 private:
  Heap heap_;
  std::vector<ridge_region_traffic> traffic_;
  cachesim* sim_ = nullptr;
};

/// A level with the given sets and ways of 64-byte lines, write-allocate.
inline ridge_cache_level level_of(std::uint64_t sets, std::uint32_t ways,
                                  std::uint32_t policy = RIDGE_NON_INCLUSIVE,
                                  std::uint32_t cores_per_cache = 1) {
  return ridge_cache_level{sets * ways * 64, ways, 64, cores_per_cache, policy, 1, 0};
}

inline ridge_cache_config config_of(std::uint32_t cores,
                                    const std::vector<ridge_cache_level>& levels) {
  ridge_cache_config config{};
  config.level_count = static_cast<std::uint32_t>(levels.size());
  config.core_count = cores;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    config.levels[i] = levels[i];
  }
  return config;
}

}  // namespace ridge::cachesim_reference
