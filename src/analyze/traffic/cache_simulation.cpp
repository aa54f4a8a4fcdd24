#include "analyze/traffic/cache_simulation.hpp"

#include <array>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

namespace ridge::analyze {
namespace {

/// Memory full of zeros that begins with a line. Its true beginning stands before it.
void* allocate(void* /*context*/, std::uint64_t bytes) {
  constexpr std::uintptr_t kAlignment = 64;
  void* memory = std::calloc(1, bytes + 2 * kAlignment);  // untouched pages cost nothing
  if (memory == nullptr) {
    return nullptr;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  auto* aligned =
      static_cast<char*>(memory) + (2 * kAlignment - begin % kAlignment) % kAlignment + kAlignment;
  std::memcpy(aligned - sizeof memory, &memory, sizeof memory);
  return aligned;
}

void release(void* /*context*/, void* aligned, std::uint64_t /*bytes*/) {
  void* memory = nullptr;
  std::memcpy(&memory, static_cast<char*>(aligned) - sizeof memory, sizeof memory);
  std::free(memory);
}

std::uint32_t policy_code(CachePolicy policy) {
  switch (policy) {
    case CachePolicy::inclusive:
      return RIDGE_INCLUSIVE;
    case CachePolicy::victim:
      return RIDGE_VICTIM;
    case CachePolicy::non_inclusive:
      break;
  }
  return RIDGE_NON_INCLUSIVE;
}

ridge_cache_config config_of(const std::vector<ServingCache>& caches) {
  ridge_cache_config config{};
  config.core_count = 1;
  config.level_count = static_cast<std::uint32_t>(caches.size());
  for (std::size_t i = 0; i < caches.size() && i < RIDGE_CACHE_LEVELS_MAX; ++i) {
    const ServingCache& cache = caches[i];
    config.levels[i] = {cache.bytes,
                        cache.ways,
                        cache.line_bytes,
                        1,
                        policy_code(cache.policy),
                        cache.allocates_writes ? 1U : 0U,
                        0};
  }
  return config;
}

}  // namespace

struct CacheSimulation::State {
  std::array<ridge_region_traffic, kRegion + 1> regions{};
  std::size_t levels = 0;
  cachesim* simulation = nullptr;

  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (simulation != nullptr) {
      cachesim_destroy(simulation);
    }
  }
};

CacheSimulation::CacheSimulation(std::unique_ptr<State> state)
    : state_(std::move(state)), batch_(kBatch) {}
CacheSimulation::CacheSimulation(CacheSimulation&&) noexcept = default;
CacheSimulation& CacheSimulation::operator=(CacheSimulation&&) noexcept = default;
CacheSimulation::~CacheSimulation() = default;

Result<CacheSimulation> CacheSimulation::of(const std::vector<ServingCache>& caches) {
  const ridge_cache_config config = config_of(caches);
  if (const char* problem = cachesim_check(&config); problem != nullptr) {
    return fail(ErrorCode::bad_input,
                fmt::format("the caches of the machine cannot be simulated: {}", problem),
                "name others: --cache L1=48K/12,L2=1M/16,L3=32M/16");
  }
  auto state = std::make_unique<State>();
  state->levels = caches.size();
  const cachesim_memory memory{allocate, release, nullptr};
  state->simulation = cachesim_create(&config, state->regions.data(),
                                      static_cast<std::uint32_t>(state->regions.size()), &memory);
  if (state->simulation == nullptr) {
    return fail(ErrorCode::unavailable,
                "there is not enough memory to simulate caches of this size",
                "name smaller ones: --cache L1=48K/12,L2=1M/16,L3=32M/16");
  }
  return CacheSimulation(std::move(state));
}

void CacheSimulation::flush() {
  cachesim_run(state_->simulation, 0, batch_.data(), used_);
  used_ = 0;
}

CrossedBytes CacheSimulation::crossed() {
  flush();
  const ridge_region_traffic& traffic = state_->regions[kRegion];
  CrossedBytes made;
  for (std::size_t i = 0; i < state_->levels; ++i) {
    made.boundaries.push_back({static_cast<double>(traffic.crossed[i].read),
                               static_cast<double>(traffic.crossed[i].written)});
  }
  made.dirtied = static_cast<double>(traffic.least.written);
  return made;
}

}  // namespace ridge::analyze
