// The fast simulator against the oracle: random machines, random streams, every region and level.
#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

extern "C" {
#include "cachesim/line_access.h"
}

namespace ridge::cachesim_reference {
namespace {

constexpr std::uint32_t kRegions = 5;

std::string describe(const ridge_cache_config& config) {
  std::ostringstream text;
  text << config.core_count << " cores";
  for (std::uint32_t i = 0; i < config.level_count; ++i) {
    const ridge_cache_level& level = config.levels[i];
    text << "; " << level.size_bytes / level.ways / level.line_bytes << " sets x " << level.ways
         << ", line " << level.line_bytes << ", policy " << level.policy << ", cores "
         << level.cores_per_cache << ", allocate " << level.write_allocate;
  }
  return text.str();
}

ridge_cache_config random_config(std::mt19937_64& random) {
  const auto pick = [&](std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
  };
  ridge_cache_config config{};
  config.level_count = static_cast<std::uint32_t>(pick(1, 4));
  config.core_count = static_cast<std::uint32_t>(pick(1, 6));
  const auto line = std::uint32_t{32} << pick(0, 2);
  std::uint32_t shared = 1;
  for (std::uint32_t i = 0; i < config.level_count; ++i) {
    const auto ways = static_cast<std::uint32_t>(pick(1, 5 + 2 * i));
    const std::uint64_t sets = pick(1, 5 + 4 * i);
    shared *= static_cast<std::uint32_t>(pick(1, 2));
    const auto policy = static_cast<std::uint32_t>(pick(0, 2));
    config.levels[i] = {sets * ways * line, ways, line, shared, policy, pick(0, 4) != 0, 0};
  }
  return config;
}

std::vector<Access> random_stream(std::mt19937_64& random, std::uint32_t cores,
                                  std::uint64_t footprint_bytes, std::size_t count) {
  std::vector<Access> stream(count);
  std::uint64_t cursor = 0;
  for (Access& access : stream) {
    const std::uint64_t bits = random();
    cursor = (bits & 3) != 0 ? cursor + 8 * (bits >> 2 & 3) : random();
    access.core = static_cast<std::uint32_t>((bits >> 8) % cores);
    access.address = cursor % footprint_bytes;
    access.bytes = (bits >> 20 & 15) == 0 ? 1 + (bits >> 30) % 300 : 1 + (bits >> 30) % 64;
    access.write = (bits >> 40 & 3) == 0;
    access.non_temporal = (bits >> 44 & 31) == 0;
    access.region = 1 + static_cast<std::uint32_t>((bits >> 50) % (kRegions - 1));
  }
  return stream;
}

ridge_cache_config with_last_level_share(ridge_cache_config config, std::uint32_t divisor) {
  ridge_cache_level& last = config.levels[config.level_count - 1];
  const std::uint64_t sets = last.size_bytes / last.ways / last.line_bytes;
  last.ways = (last.ways + divisor - 1) / divisor;
  last.size_bytes = sets * last.ways * last.line_bytes;
  return config;
}

void expect_same(const ridge_bytes_crossed& got, const ridge_bytes_crossed& expected,
                 const char* what, std::uint32_t region) {
  EXPECT_EQ(got.read, expected.read) << what << " read, region " << region;
  EXPECT_EQ(got.written, expected.written) << what << " written, region " << region;
}

// The caches above a smaller last level are those of the real machine. That is exact unless a
// smaller one would have changed them: by back-invalidation, by handing a line up to another victim
// cache in another state, or where a first level without write-allocate lets a dirty line through.
bool shares_are_exact(const ridge_cache_config& config) {
  const std::uint32_t last = config.level_count - 1;
  bool victim_above = config.levels[0].write_allocate == 0;
  for (std::uint32_t level = 1; level < last; ++level) {
    victim_above = victim_above || config.levels[level].policy == RIDGE_VICTIM;
  }
  const std::uint32_t policy = config.levels[last].policy;
  return last == 0 || policy == RIDGE_NON_INCLUSIVE || (policy == RIDGE_VICTIM && !victim_above);
}

ridge_trace_entry entry_of(const Access& access) {
  const std::uint64_t flags = (access.write ? std::uint64_t{RIDGE_TRACE_WRITE} : 0) |
                              (access.non_temporal ? std::uint64_t{RIDGE_TRACE_NON_TEMPORAL} : 0);
  return {access.address, std::uint64_t{access.region} << RIDGE_TRACE_REGION_SHIFT |
                              flags << RIDGE_TRACE_FLAGS_SHIFT | access.bytes};
}

// What stands side by side for one core goes in one batch.
void expect_batches_do_the_same(const ridge_cache_config& config, const std::vector<Access>& stream,
                                const Simulation& single, cachesim_vectors vectors) {
  SCOPED_TRACE("vectors " + std::to_string(vectors));
  Simulation batched(config, kRegions);
  if (batched.get()->access_line != nullptr) {
    cachesim_use_vectors(batched.get(), vectors);
  }
  std::vector<ridge_trace_entry> batch;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    batch.push_back(entry_of(stream[i]));
    if (i + 1 == stream.size() || stream[i + 1].core != stream[i].core || batch.size() == 100) {
      batched.get()->looks_ahead = static_cast<int>(batch.size() % 2);
      cachesim_run(batched.get(), stream[i].core, batch.data(), batch.size());
      batch.clear();
    }
  }
  for (std::uint32_t id = 0; id < kRegions; ++id) {
    EXPECT_EQ(0, std::memcmp(&single.region(id), &batched.region(id), sizeof(ridge_region_traffic)))
        << "batches, region " << id;
  }
}

void compare_on(const ridge_cache_config& config, const std::vector<Access>& stream) {
  const std::uint32_t last = config.level_count - 1;
  Simulation fast(config, kRegions);
  ASSERT_NE(fast.get(), nullptr);
  Simulator full(config);
  Simulator half(with_last_level_share(config, 2));
  Simulator quarter(with_last_level_share(config, 4));
  for (const Access& access : stream) {
    fast.access(access);
    full.access(access);
    half.access(access);
    quarter.access(access);
  }
  for (int vectors = CACHESIM_ANY_PROCESSOR; vectors <= cachesim_widest_vectors(); ++vectors) {
    expect_batches_do_the_same(config, stream, fast, static_cast<cachesim_vectors>(vectors));
  }
  for (std::uint32_t id = 0; id < kRegions; ++id) {
    const ridge_region_traffic& got = fast.region(id);
    for (std::uint32_t level = 0; level <= last; ++level) {
      expect_same(got.crossed[level], full.region(id).crossed[level], "boundary", id);
    }
    expect_same(got.least, full.region(id).least, "least", id);
    EXPECT_EQ(got.accesses, full.region(id).accesses);
    if (shares_are_exact(config)) {
      expect_same(got.memory_at_half, half.region(id).crossed[last], "half", id);
      expect_same(got.memory_at_quarter, quarter.region(id).crossed[last], "quarter", id);
    }
  }
}

TEST(CacheSimulation, EqualsTheReferenceOnRandomMachines) {
  std::mt19937_64 random(20240611);
  for (int round = 0; round < 300 && !testing::Test::HasFailure(); ++round) {
    const ridge_cache_config config = random_config(random);
    SCOPED_TRACE("round " + std::to_string(round) + ": " + describe(config));
    const ridge_cache_level& last = config.levels[config.level_count - 1];
    const std::uint64_t footprint = 64 + random() % (3 * last.size_bytes + 4096);
    compare_on(config, random_stream(random, config.core_count, footprint, 600));
  }
}

TEST(CacheSimulation, EqualsTheReferenceOnARealisticMachine) {
  std::mt19937_64 random(7);
  for (const std::uint32_t policy : {RIDGE_NON_INCLUSIVE, RIDGE_INCLUSIVE, RIDGE_VICTIM}) {
    const ridge_cache_config config =
        config_of(4, {level_of(64, 12), level_of(80, 16), level_of(204, 11, policy, 4)});
    SCOPED_TRACE(describe(config));
    compare_on(config, random_stream(random, 4, 1 << 19, 20000));
  }
}

TEST(CacheSimulation, ManyCoresShareAPage) {
  std::mt19937_64 random(11);
  ridge_cache_config config = config_of(
      80, {level_of(2, 2), level_of(3, 2, RIDGE_INCLUSIVE, 2), level_of(8, 4, RIDGE_VICTIM, 20)});
  compare_on(config, random_stream(random, 80, 8192, 5000));
}

// Mostly one core and one region in a row, and mostly data of its own.
std::vector<Access> mostly_private_stream(std::mt19937_64& random, std::uint32_t cores,
                                          std::uint64_t footprint_bytes, std::size_t count) {
  std::vector<Access> stream = random_stream(random, cores, footprint_bytes, count);
  for (std::size_t i = 1; i < stream.size(); ++i) {
    if (random() % 8 != 0) stream[i].core = stream[i - 1].core;
    if (random() % 4 != 0) stream[i].region = stream[i - 1].region;
    if (random() % 4 != 0) stream[i].address += std::uint64_t{stream[i].core} << 30;
  }
  return stream;
}

// The machines that private_miss.h knows, and one step beyond each of its conditions.
TEST(CacheSimulation, EqualsTheReferenceOnUsualMachines) {
  std::mt19937_64 random(17);
  const auto pick = [&](std::uint64_t low, std::uint64_t high) {
    return std::uniform_int_distribution<std::uint64_t>(low, high)(random);
  };
  for (int round = 0; round < 200 && !testing::Test::HasFailure(); ++round) {
    const auto cores = static_cast<std::uint32_t>(pick(1, 3));
    const auto policy = [&](std::uint32_t other) { return pick(0, 1) != 0 ? other : 0; };
    const auto ways = [&](std::uint64_t most) {
      return static_cast<std::uint32_t>(pick(1, pick(0, 3) != 0 ? most : 33));
    };
    ridge_cache_config config =
        config_of(cores, {level_of(1 << pick(0, 3), ways(9)),
                          level_of(pick(4, 20), ways(16), policy(RIDGE_INCLUSIVE)),
                          level_of(pick(8, 40), ways(17), policy(RIDGE_VICTIM), cores)});
    config.levels[pick(0, 2)].write_allocate = pick(0, 9) != 0 ? 1 : 0;
    SCOPED_TRACE("round " + std::to_string(round) + ": " + describe(config));
    compare_on(config, mostly_private_stream(
                           random, cores, 64 + random() % (2 * config.levels[2].size_bytes), 1500));
  }
}

// Those that have code of their own there (CACHESIM_KNOWN_WAYS), and some that nearly are.
TEST(CacheSimulation, EqualsTheReferenceOnZen) {
  std::mt19937_64 random(23);
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    const std::uint32_t cores = 1 + random() % 2;
    const ridge_cache_config config =
        config_of(cores, {level_of(1 << random() % 3, 8),
                          level_of((1 << random() % 4) + (random() % 8 == 0 ? 1 : 0), 8,
                                   random() % 8 != 0 ? RIDGE_INCLUSIVE : RIDGE_NON_INCLUSIVE),
                          level_of(1 << random() % 4, 16,
                                   random() % 8 != 0 ? RIDGE_VICTIM : RIDGE_NON_INCLUSIVE, cores)});
    SCOPED_TRACE("round " + std::to_string(round) + ": " + describe(config));
    const std::uint64_t size = config.levels[1].size_bytes + config.levels[2].size_bytes;
    compare_on(config, mostly_private_stream(random, cores, size / 2 + random() % size, 4000));
  }
}

TEST(CacheSimulation, EqualsTheReferenceOnSapphireRapidsAndZen5) {
  std::mt19937_64 random(27);
  for (int round = 0; round < 60 && !testing::Test::HasFailure(); ++round) {
    const std::uint32_t cores = 1 + random() % 2;
    const std::uint32_t last_policy = random() % 8 != 0 ? RIDGE_VICTIM : RIDGE_NON_INCLUSIVE;
    const ridge_cache_config config = config_of(
        cores,
        {level_of(1 << random() % 3, 12),
         level_of((1 << random() % 4) + (random() % 8 == 0 ? 1 : 0), 16,
                  random() % 2 != 0 ? RIDGE_INCLUSIVE : RIDGE_NON_INCLUSIVE),
         random() % 2 != 0 ? level_of(1 << random() % 4, 16, last_policy, cores)
                           : level_of(1 + random() % 9, 11 + random() % 10, last_policy, cores)});
    SCOPED_TRACE(describe(config));
    const std::uint64_t size = config.levels[1].size_bytes + config.levels[2].size_bytes;
    compare_on(config, mostly_private_stream(random, cores, size / 2 + random() % size, 4000));
  }
}

std::vector<ridge_trace_entry> loads_of(std::size_t count,
                                        const std::function<std::uint64_t(std::size_t)>& line) {
  std::vector<ridge_trace_entry> loads;
  for (std::size_t i = 0; i < count; ++i) {
    loads.push_back(entry_of({0, 64 * line(i), 8, false, false, 1}));
  }
  return loads;
}

TEST(CacheSimulation, LooksAheadWhereMissesLieFarFromEachOther) {
  constexpr std::size_t kBatch = 2048;
  constexpr std::size_t kMeasured = 8;  // batches until it is measured again
  const ridge_cache_config config =
      config_of(1, {level_of(64, 8), level_of(256, 8), level_of(4096, 16, RIDGE_VICTIM)});
  Simulation sim(config, kRegions);
  const auto ends_up = [&](const std::vector<ridge_trace_entry>& loads) {
    for (std::size_t i = 0; i < kMeasured; ++i) {
      cachesim_run(sim.get(), 0, loads.data(), loads.size());
    }
    return sim.get()->looks_ahead != 0;
  };
  std::mt19937_64 random(43);
  EXPECT_FALSE(ends_up(loads_of(kBatch, [](std::size_t i) { return i; })));
  EXPECT_TRUE(ends_up(loads_of(kBatch, [&](std::size_t) { return random() % (1U << 20U); })));
  EXPECT_FALSE(ends_up(loads_of(kBatch, [](std::size_t i) {  // three streams in turn
    return (i % 3) * (1U << 20U) + i / 3;
  })));
  EXPECT_TRUE(ends_up(loads_of(kBatch, [&](std::size_t i) {  // every other access
    return i % 2 == 0 ? i / 2 : random() % (1U << 20U);
  })));
  EXPECT_FALSE(ends_up(loads_of(kBatch, [&](std::size_t) { return random() % 1024; })))
      << "the second level has it";
}

TEST(CacheSimulation, LooksAheadWhereCoresShareLinesAndOnAnyMachine) {
  std::mt19937_64 random(44);
  const auto loads = loads_of(2048, [&](std::size_t) { return random() % (1U << 20U); });
  for (const ridge_cache_config& config :
       {config_of(2, {level_of(64, 8), level_of(256, 8), level_of(4096, 16, RIDGE_VICTIM, 2)}),
        config_of(2, {level_of(64, 8), level_of(256, 8), level_of(4096, 16, RIDGE_INCLUSIVE, 2)}),
        config_of(2, {level_of(64, 8), level_of(4096, 16, RIDGE_NON_INCLUSIVE, 2)}),
        config_of(2, {level_of(64, 8), level_of(128, 8), level_of(256, 8),
                      level_of(4096, 16, RIDGE_VICTIM, 2)})}) {
    SCOPED_TRACE(describe(config));
    Simulation sim(config, kRegions);
    for (std::uint32_t i = 0; i < 9; ++i) {
      cachesim_run(sim.get(), i % 2, loads.data(), loads.size());
    }
    EXPECT_NE(sim.get()->looks_ahead, 0);
  }
}

// The clock of the first level's filter goes on from what it is set to here; each of the two cores
// meets the time at which it is set back.
void expect_order_is_kept_when_the_clock_is_set_back(std::uint32_t ways) {
  std::mt19937_64 random(29);
  const ridge_cache_config config = config_of(
      2, {level_of(4, ways), level_of(9, 16, RIDGE_INCLUSIVE), level_of(16, 16, RIDGE_VICTIM, 2)});
  const std::vector<Access> stream = mostly_private_stream(random, 2, 1 << 14, 4000);
  Simulation expected(config, kRegions);
  Simulation late(config, kRegions);
  std::vector<ridge_trace_entry> batch;
  for (std::size_t i = 0; i < stream.size(); ++i) {
    expected.access(stream[i]);
    batch.push_back(entry_of(stream[i]));
    if (i + 1 == stream.size() || stream[i + 1].core != stream[i].core) {
      cachesim_run(late.get(), stream[i].core, batch.data(), batch.size());
      batch.clear();
      cachesim_filter* filter = late.get()->cores[stream[i].core]->caches[0]->filter;
      if (i % 10 == 0 && filter->clock < cachesim_late - 4) {
        filter->clock = cachesim_late - static_cast<std::uint32_t>(random() % 4);
      }
    }
  }
  for (std::uint32_t id = 0; id < kRegions; ++id) {
    EXPECT_EQ(0, std::memcmp(&expected.region(id), &late.region(id), sizeof(ridge_region_traffic)))
        << "region " << id;
  }
}

TEST(CacheSimulation, AFilterWhoseClockIsSetBackKeepsTheOrder) {
  for (const std::uint32_t ways : {3U, 8U, 12U}) {
    SCOPED_TRACE(ways);
    expect_order_is_kept_when_the_clock_is_set_back(ways);
  }
}

TEST(CacheSimulation, KnowsTheProcessor) {
#ifdef __x86_64__
  const bool avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                    __builtin_cpu_supports("bmi2") != 0;
  const bool avx512 =
      avx2 && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
      __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
  EXPECT_EQ(cachesim_widest_vectors(), avx512 ? CACHESIM_AVX512
                                       : avx2 ? CACHESIM_AVX2
                                              : CACHESIM_ANY_PROCESSOR);
#else
  EXPECT_EQ(cachesim_widest_vectors(), CACHESIM_ANY_PROCESSOR);
#endif
}

TEST(CacheSimulation, AddressesAtTheEndOfTheAddressSpaceAreHarmless) {
  Simulation sim(config_of(1, {level_of(7, 3), level_of(13, 4)}));
  sim.access({0, ~std::uint64_t{0} - 3, 16, true, false, 1});
  sim.access({9, ~std::uint64_t{0}, 1, false, false, 99});  // unknown core, unknown region
  sim.access({0, 0, 0, true, false, 1});                    // nothing
  EXPECT_EQ(sim.region(1).least.written, 128u);
  EXPECT_EQ(sim.region(1).accesses, 1u);
  EXPECT_EQ(sim.region(0).accesses, 1u);
}

TEST(CacheSimulation, RefusesWhatCannotBe) {
  const auto refused = [](ridge_cache_config config) {
    return cachesim_check(&config) != nullptr && Simulation(config).get() == nullptr;
  };
  ridge_cache_config good = config_of(2, {level_of(8, 2), level_of(16, 2, 0, 2)});
  EXPECT_FALSE(refused(good));
  ridge_cache_config bad = good;
  bad.level_count = 0;
  EXPECT_TRUE(refused(bad));
  bad.level_count = RIDGE_CACHE_LEVELS_MAX + 1;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.core_count = 0;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.levels[0].ways = 0;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.levels[1].line_bytes = 128;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.levels[0].line_bytes = bad.levels[1].line_bytes = 48;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.levels[1].size_bytes = 64;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.levels[1].policy = 3;
  EXPECT_TRUE(refused(bad));
  bad = good;
  bad.levels[0].cores_per_cache = 2;
  bad.levels[1].cores_per_cache = 3;
  EXPECT_TRUE(refused(bad));
}

TEST(CacheSimulation, WithoutMemoryItSaysSoAndGoesOn) {
  const ridge_cache_config config = config_of(4, {level_of(64, 8), level_of(256, 8)});
  Simulation sim(config);
  sim.load(0);
  sim.heap().left = 0;
  for (std::uint64_t page = 0; page < 10000; ++page) {
    sim.load(page * 4096);
  }
  EXPECT_EQ(sim.get()->incomplete, CACHESIM_LEAST_INCOMPLETE);
  EXPECT_EQ(sim.region(1).crossed[1].read, 10000u * 64);
  sim.load(0, 1, 3);
  EXPECT_EQ(sim.get()->incomplete, CACHESIM_LEAST_INCOMPLETE | CACHESIM_LOST_ACCESSES);
}

TEST(CacheSimulation, GivesBackAllMemory) {
  Heap heap;
  const cachesim_memory memory{Heap::allocate, Heap::release, &heap};
  std::vector<ridge_region_traffic> traffic(4);
  const ridge_cache_config config = config_of(3, {level_of(4, 2), level_of(9, 2, 0, 3)});
  cachesim* sim = cachesim_create(&config, traffic.data(), 4, &memory);
  for (std::uint64_t i = 0; i < 30000; ++i) {
    cachesim_access(sim, i % 3, i * 4096, 8, i % 2, 1);
  }
  EXPECT_GT(heap.in_use, 0u);
  cachesim_destroy(sim);
  EXPECT_EQ(heap.in_use, 0u);
}

}  // namespace
}  // namespace ridge::cachesim_reference
