// One core's caches, simulated (cachesim/README.md).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "analyze/traffic/serving_caches.hpp"
#include "core/result.hpp"

extern "C" {
#include "cachesim/cachesim.h"
}

namespace ridge::analyze {

/// Bytes since the simulation began.
struct CrossedBytes {
  struct Boundary {
    double read = 0.0;
    double written = 0.0;
  };
  std::vector<Boundary> boundaries;  ///< below each cache, innermost first
  double dirtied = 0.0;              ///< different lines that were written to
};

class CacheSimulation {
 public:
  /// Error: `bad_input` where there are no caches, or none that can be simulated.
  [[nodiscard]] static Result<CacheSimulation> of(const std::vector<ServingCache>& caches);

  /// An access without its address.
  [[nodiscard]] static std::uint64_t kind_of(unsigned bytes, bool is_write) {
    return std::uint64_t{kRegion} << RIDGE_TRACE_REGION_SHIFT |
           (is_write ? std::uint64_t{RIDGE_TRACE_WRITE} << RIDGE_TRACE_FLAGS_SHIFT : 0) | bytes;
  }
  void access(std::int64_t address, std::uint64_t kind) {
    batch_[used_++] = {static_cast<std::uint64_t>(address), kind};
    if (used_ == kBatch) {
      flush();
    }
  }
  [[nodiscard]] CrossedBytes crossed();

  CacheSimulation(CacheSimulation&&) noexcept;
  CacheSimulation& operator=(CacheSimulation&&) noexcept;
  CacheSimulation(const CacheSimulation&) = delete;
  CacheSimulation& operator=(const CacheSimulation&) = delete;
  ~CacheSimulation();

 private:
  static constexpr std::uint32_t kRegion = 1;
  static constexpr std::size_t kBatch = 4096;
  struct State;
  explicit CacheSimulation(std::unique_ptr<State> state);
  void flush();

  std::unique_ptr<State> state_;
  std::vector<ridge_trace_entry> batch_;
  std::size_t used_ = 0;
};

}  // namespace ridge::analyze
