// Traffic that can be written down: streams and stencils at least 1.5x away from every break point
// of a layer condition, conflicts, who pays for a write-back, what a victim cache adds.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "cachesim/simulation.hpp"

namespace ridge::cachesim_reference {
namespace {

constexpr std::uint64_t kLine = 64;
constexpr std::uint64_t kKi = 1024;

// 8 KiB, 64 KiB, 512 KiB.
ridge_cache_config small_machine(std::uint32_t last_policy = RIDGE_NON_INCLUSIVE) {
  return config_of(1, {level_of(16, 8), level_of(128, 8), level_of(1024, 8, last_policy)});
}

// What one sweep adds once the caches are in their steady state.
ridge_region_traffic one_sweep(Simulation& sim, const std::function<void()>& sweep,
                               std::uint32_t region = 1) {
  sweep();
  sweep();
  const ridge_region_traffic before = sim.region(region);
  sweep();
  ridge_region_traffic added = sim.region(region);
  for (std::size_t level = 0; level < RIDGE_CACHE_LEVELS_MAX; ++level) {
    added.crossed[level].read -= before.crossed[level].read;
    added.crossed[level].written -= before.crossed[level].written;
  }
  return added;
}

// Within 0.1 %.
void expect_bytes(std::uint64_t got, std::uint64_t expected, const char* what) {
  EXPECT_NEAR(static_cast<double>(got), static_cast<double>(expected),
              0.001 * static_cast<double>(expected))
      << what;
}

void triad(Simulation& sim, std::uint64_t bytes, std::uint32_t region = 1) {
  const std::uint64_t a = 1 << 24;
  const std::uint64_t b = a + bytes + 5 * kLine;
  const std::uint64_t c = b + bytes + 7 * kLine;
  for (std::uint64_t i = 0; i < bytes; i += 8) {
    sim.load(b + i, region);
    sim.load(c + i, region);
    sim.store(a + i, region);
  }
}

TEST(ClosedForms, TriadInEachLevel) {
  // Bytes of an array, and how many caches three of them exceed.
  const std::vector<std::pair<std::uint64_t, std::size_t>> cases = {
      {1 * kKi, 0}, {14 * kKi, 1}, {100 * kKi, 2}, {384 * kKi, 3}};
  for (const auto& [bytes, exceeded] : cases) {
    Simulation sim(small_machine());
    const std::uint64_t size = bytes;
    const ridge_region_traffic traffic = one_sweep(sim, [&] { triad(sim, size); });
    for (std::size_t level = 0; level < 3; ++level) {
      SCOPED_TRACE(std::to_string(size) + " byte, boundary " + std::to_string(level));
      expect_bytes(traffic.crossed[level].read, level < exceeded ? 3 * size : 0, "read");
      expect_bytes(traffic.crossed[level].written, level < exceeded ? size : 0, "written");
    }
  }
}

TEST(ClosedForms, TriadAtSmallerSharesOfTheLastLevel) {
  // 3 x 66 KiB: fits into 512 and 256 KiB, not into 128 KiB.
  Simulation sim(small_machine());
  const std::uint64_t bytes = 66 * kKi;
  triad(sim, bytes);
  triad(sim, bytes);
  triad(sim, bytes);
  EXPECT_EQ(sim.region(1).crossed[2].read, 3 * bytes);
  EXPECT_EQ(sim.region(1).memory_at_half.read, 3 * bytes);
  EXPECT_EQ(sim.region(1).memory_at_quarter.read, 9 * bytes);
}

// width x height doubles, both arrays aligned; the width is a multiple of a line.
void jacobi(Simulation& sim, std::uint64_t width, std::uint64_t height) {
  const std::uint64_t a = 1 << 24;
  const std::uint64_t b = a + width * height * 8 + 3 * kLine;
  const auto at = [&](std::uint64_t array, std::uint64_t y, std::uint64_t x) {
    return array + (y * width + x) * 8;
  };
  for (std::uint64_t y = 1; y + 1 < height; ++y) {
    for (std::uint64_t x = 1; x + 1 < width; ++x) {
      sim.load(at(a, y - 1, x));
      sim.load(at(a, y, x - 1));
      sim.load(at(a, y, x + 1));
      sim.load(at(a, y + 1, x));
      sim.store(at(b, y, x));
    }
  }
}

TEST(ClosedForms, JacobiByLayerCondition) {
  // Three rows of a and one of b: 13 KiB for 416 doubles break the 8 KiB, hold in 64 KiB.
  const std::uint64_t width = 416;
  const std::uint64_t height = 260;  // two arrays of 845 KiB exceed 512 KiB
  Simulation sim(small_machine());
  const ridge_region_traffic traffic = one_sweep(sim, [&] { jacobi(sim, width, height); });
  const std::uint64_t row = width * 8;
  const std::uint64_t inner = (height - 2) * row;
  expect_bytes(traffic.crossed[0].read, 3 * inner + inner, "L2: each row three times, and b");
  expect_bytes(traffic.crossed[1].read, height * row + inner, "L3: a with its halo rows, and b");
  expect_bytes(traffic.crossed[2].read, height * row + inner, "memory");
  for (std::size_t level = 0; level < 3; ++level) {
    expect_bytes(traffic.crossed[level].written, inner, "written");
  }
  EXPECT_EQ(sim.region(1).least.read, height * row + inner);
  EXPECT_EQ(sim.region(1).least.written, inner);
}

TEST(ClosedForms, JacobiWhoseRowsFitTheFirstLevel) {
  const std::uint64_t width = 104;  // four rows: 3.25 KiB of 8
  const std::uint64_t height = 1040;
  Simulation sim(small_machine());
  const ridge_region_traffic traffic = one_sweep(sim, [&] { jacobi(sim, width, height); });
  const std::uint64_t row = width * 8;
  for (std::size_t level = 0; level < 3; ++level) {
    expect_bytes(traffic.crossed[level].read, height * row + (height - 2) * row, "read");
    expect_bytes(traffic.crossed[level].written, (height - 2) * row, "written");
  }
}

struct Box {
  std::uint64_t nx, ny, nz;
};

void seven_point(Simulation& sim, const Box& box) {
  const std::uint64_t a = 1 << 24;
  const std::uint64_t b = a + box.nx * box.ny * box.nz * 8 + 3 * kLine;
  const auto at = [&](std::uint64_t array, std::uint64_t z, std::uint64_t y, std::uint64_t x) {
    return array + ((z * box.ny + y) * box.nx + x) * 8;
  };
  for (std::uint64_t z = 1; z + 1 < box.nz; ++z) {
    for (std::uint64_t y = 1; y + 1 < box.ny; ++y) {
      for (std::uint64_t x = 1; x + 1 < box.nx; ++x) {
        sim.load(at(a, z - 1, y, x));
        sim.load(at(a, z, y - 1, x));
        sim.load(at(a, z, y, x - 1));
        sim.load(at(a, z, y, x));
        sim.load(at(a, z, y, x + 1));
        sim.load(at(a, z, y + 1, x));
        sim.load(at(a, z + 1, y, x));
        sim.store(at(b, z, y, x));
      }
    }
  }
}

TEST(ClosedForms, SevenPointByLayerCondition) {
  // Rows: 6 x 576 byte hold in 8 KiB. Planes: 4 x 35 KiB break 64 KiB, hold in 512 KiB.
  const Box box{72, 62, 60};
  Simulation sim(small_machine());
  const ridge_region_traffic traffic = one_sweep(sim, [&] { seven_point(sim, box); });
  const std::uint64_t row = box.nx * 8;
  const std::uint64_t inner_rows = box.ny - 2;
  const std::uint64_t inner_planes = box.nz - 2;
  const std::uint64_t b = inner_planes * inner_rows * row;
  const std::uint64_t three_planes = inner_planes * (box.ny + 2 * inner_rows) * row;
  const std::uint64_t once = (inner_planes * box.ny + 2 * inner_rows) * row;
  expect_bytes(traffic.crossed[0].read, three_planes + b, "L2");
  expect_bytes(traffic.crossed[1].read, three_planes + b, "L3");
  expect_bytes(traffic.crossed[2].read, once + b, "memory");
  for (std::size_t level = 0; level < 3; ++level) {
    expect_bytes(traffic.crossed[level].written, b, "written");
  }
}

TEST(ClosedForms, PowerOfTwoConflict) {
  // 16 lines 4 KiB apart: one set of 8 ways in the first level, two sets in the second.
  Simulation sim(small_machine());
  const std::uint64_t rounds = 100;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < 16; ++i) {
      sim.load(i * 4096);
    }
  }
  EXPECT_EQ(sim.region(1).crossed[0].read, rounds * 16 * kLine);
  EXPECT_EQ(sim.region(1).crossed[1].read, 16 * kLine);
  EXPECT_EQ(sim.region(1).least.read, 16 * kLine);
}

TEST(ClosedForms, TheRegionThatDirtiedALinePaysForItsWriteBack) {
  Simulation sim(small_machine());
  const std::uint64_t bytes = 400 * kKi;
  triad(sim, bytes, 1);
  EXPECT_LT(sim.region(1).crossed[2].written, bytes);  // the rest is still in the caches
  for (std::uint64_t i = 0; i < 2048 * kKi; i += kLine) {
    sim.load((std::uint64_t{1} << 32) + i, 2);
  }
  for (std::size_t level = 0; level < 3; ++level) {
    EXPECT_EQ(sim.region(1).crossed[level].written, bytes);
    EXPECT_EQ(sim.region(2).crossed[level].written, 0u);
  }
}

// 560 KiB in a circle: more than the last level, less than the last two levels together.
TEST(ClosedForms, AVictimCacheAddsItsCapacity) {
  const auto circle = [](Simulation& sim) {
    for (std::uint64_t i = 0; i < 560 * kKi; i += kLine) {
      sim.load(i);
    }
  };
  Simulation victim(small_machine(RIDGE_VICTIM));
  const ridge_region_traffic with = one_sweep(victim, [&] { circle(victim); });
  EXPECT_EQ(with.crossed[2].read, 0u);
  EXPECT_EQ(with.crossed[1].read, 560 * kKi);
  EXPECT_EQ(with.crossed[1].written, 560 * kKi);  // clean lines move down as well
  Simulation other(small_machine(RIDGE_NON_INCLUSIVE));
  const ridge_region_traffic without = one_sweep(other, [&] { circle(other); });
  // 8960 lines over 1024 sets: 768 sets have 9 lines for 8 ways and always miss.
  EXPECT_EQ(without.crossed[2].read, 768 * 9 * kLine);
  EXPECT_EQ(without.crossed[1].written, 0u);
}

// The first region writes once what the second one then reads again and again from a victim cache:
// the lines stay dirty, and yet each has been written only once.
TEST(ClosedForms, ReadingDirtyLinesFromAVictimCacheIsNoWriting) {
  Simulation sim(config_of(1, {level_of(8, 8), level_of(32, 8), level_of(128, 16, RIDGE_VICTIM)}));
  const std::uint64_t bytes = 1024 * kLine;  // 4 times the second level, half of the third
  const std::uint64_t sweeps = 10;
  for (std::uint64_t at = 0; at < bytes; at += 8) {
    sim.store(at, 1);
  }
  for (std::uint64_t sweep = 0; sweep < sweeps; ++sweep) {
    for (std::uint64_t at = 0; at < bytes; at += 8) {
      sim.load(at, 2);
    }
  }
  EXPECT_EQ(sim.region(1).crossed[1].written, bytes);
  EXPECT_EQ(sim.region(2).crossed[1].read, sweeps * bytes);
  const std::uint64_t in_second = 32 * 8 * kLine;
  EXPECT_EQ(sim.region(2).crossed[1].written, sweeps * bytes - in_second);
  EXPECT_EQ(sim.region(1).crossed[2].written, 0u);
  // Once written again, they are its lines again.
  for (std::uint64_t at = 0; at < bytes; at += 8) {
    sim.store(at, 3);
  }
  EXPECT_EQ(sim.region(3).crossed[1].written, bytes - in_second);
  EXPECT_EQ(sim.region(2).crossed[1].written, sweeps * bytes);
}

TEST(ClosedForms, NonTemporalStoresBypassTheCaches) {
  Simulation sim(small_machine());
  sim.store(0, 1);
  sim.load(64, 1);
  for (std::uint64_t at = 0; at < 128; at += 16) {
    sim.access({0, at, 16, true, true, 2});
  }
  EXPECT_EQ(sim.region(1).crossed[2].written, kLine);  // the dirty line first
  EXPECT_EQ(sim.region(2).crossed[2].written, 2 * kLine);
  EXPECT_EQ(sim.region(2).crossed[0].written, 0u);
  EXPECT_EQ(sim.region(2).crossed[2].read, 0u);
  EXPECT_EQ(sim.region(2).least.written, 2 * kLine);
  EXPECT_EQ(sim.region(2).least.read, 0u);
  sim.load(64, 3);
  EXPECT_EQ(sim.region(3).crossed[2].read, kLine);  // the copy is gone
}

TEST(ClosedForms, NoWriteAllocateWritesThrough) {
  ridge_cache_config config = small_machine();
  for (ridge_cache_level& level : config.levels) {
    level.write_allocate = 0;
  }
  Simulation sim(config);
  for (std::uint64_t at = 0; at < 4096; at += 8) {
    sim.store(at);
  }
  EXPECT_EQ(sim.region(1).crossed[0].written, 4096u);
  EXPECT_EQ(sim.region(1).crossed[2].written, 4096u);
  EXPECT_EQ(sim.region(1).crossed[2].read, 0u);
}

TEST(ClosedForms, CoresTakeALineFromOneAnother) {
  const ridge_cache_config config = config_of(2, {level_of(16, 8), level_of(128, 8, 0, 2)});
  Simulation sim(config);
  const std::uint64_t turns = 10;
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    sim.store(0, 1, 0);
    sim.store(0, 2, 1);
  }
  EXPECT_EQ(sim.region(1).crossed[0].read, turns * kLine);
  EXPECT_EQ(sim.region(2).crossed[0].read, turns * kLine);
  EXPECT_EQ(sim.region(1).crossed[0].written, turns * kLine);
  EXPECT_EQ(sim.region(2).crossed[0].written, (turns - 1) * kLine);
  EXPECT_EQ(sim.region(1).crossed[1].read, kLine);
}

TEST(ClosedForms, DistinctLinesPerRegion) {
  Simulation sim(small_machine());
  for (int round = 0; round < 3; ++round) {
    for (std::uint64_t at = 0; at < 4096; at += 8) {
      sim.load(at, 1);
      sim.load(at, 2);  // always a hit: region 1 brought the line
      sim.store(at, at < 1024 ? 3 : 4);
    }
  }
  for (const std::uint32_t region : {1, 2}) {
    EXPECT_EQ(sim.region(region).least.read, 4096u);
    EXPECT_EQ(sim.region(region).least.written, 0u);
  }
  EXPECT_EQ(sim.region(3).least.written, 1024u);
  EXPECT_EQ(sim.region(4).least.written, 3072u);
}

}  // namespace
}  // namespace ridge::cachesim_reference
