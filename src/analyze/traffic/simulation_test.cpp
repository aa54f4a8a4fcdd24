#include "analyze/traffic/simulation.hpp"

#include <list>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analyze/program_for_tests.hpp"
#include "analyze/traffic/machines_for_tests.hpp"

namespace ridge::analyze {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing_machines::cache;
using testing_machines::usual;
using testing_machines::with;
using testing_machines::with_victim;
using testing_programs::nest;

ModelledTraffic simulated(const LoopNest& nest, const Polynomial::Values& values,
                          const Machine& machine, const SimulationOptions& options = {},
                          unsigned cores = 1) {
  const auto found = traffic_by_simulation(nest, values, machine, cores, options);
  EXPECT_TRUE(found) << found.error().message;
  return found ? *found : ModelledTraffic();
}

/// Read, written, read, written ... per iteration, L2 first.
std::vector<double> bytes_of(const ModelledTraffic& traffic) {
  std::vector<double> bytes;
  for (const CrossingTraffic& crossing : traffic.crossings) {
    bytes.push_back(crossing.read);
    bytes.push_back(crossing.written);
  }
  return bytes;
}

std::vector<double> bytes_of(const std::string& function, const Polynomial::Values& values,
                             const Machine& machine, const SimulationOptions& options = {}) {
  const char* source =
      function == "five_points" || function == "triad" ? "stencils.c" : "reference.c";
  return bytes_of(simulated(nest(source, function), values, machine, options));
}

/// Caches small enough for short nests: 1 KiB, 4 KiB, 16 KiB.
Machine small() {
  return with({cache(Level::L1, 1, 4), cache(Level::L2, 4, 8), cache(Level::L3, 16, 16)});
}

// ---- closed forms ----

TEST(Simulation, OfTriadIsTwoReadsAWriteAllocateAndAWrite) {
  EXPECT_THAT(bytes_of("triad", {{"N", 80'000}}, small()),
              ElementsAre(24.0, 8.0, 24.0, 8.0, 24.0, 8.0));
}

TEST(Simulation, OfWhatFitsIsNothing) {
  EXPECT_THAT(bytes_of("triad", {{"N", 600}}, small()),  // 14.4 kB: in the third level
              ElementsAre(DoubleNear(24.0, 0.2), DoubleNear(8.0, 0.2), DoubleNear(24.0, 0.2),
                          DoubleNear(8.0, 0.2), 0.0, 0.0));
  EXPECT_THAT(bytes_of("triad", {{"N", 32}}, small()), ElementsAre(0.0, 0.0, 0.0, 0.0, 0.0, 0.0));
}

TEST(Simulation, StoresThatDoNotAllocatePassWithTheirOwnBytes) {
  Machine machine = small();
  machine.caches[0].write_allocate = WriteAllocate::never;
  EXPECT_THAT(bytes_of("fill", {{"N", 80'000}}, machine),
              ElementsAre(0.0, 8.0, 8.0, 8.0, 8.0, 8.0));
  machine.caches[1].write_allocate = WriteAllocate::never;
  machine.caches[2].write_allocate = WriteAllocate::never;
  EXPECT_THAT(bytes_of("fill", {{"N", 80'000}}, machine),
              ElementsAre(0.0, 8.0, 0.0, 8.0, 0.0, 8.0));
}

TEST(Simulation, AVictimCacheIsFilledByWhatTheOneBeforeDisplaces) {
  Machine machine = small();
  machine.caches[2].policy = CachePolicy::victim;
  EXPECT_THAT(bytes_of("triad", {{"N", 80'000}}, machine),
              ElementsAre(24.0, 8.0, 24.0, 24.0, 24.0, 8.0));
}

TEST(Simulation, StridesFetchWholeLines) {
  EXPECT_THAT(bytes_of("every_second", {{"N", 80'000}}, small()),
              ElementsAre(24.0, 8.0, 24.0, 8.0, 24.0, 8.0));
  EXPECT_THAT(bytes_of("every_sixteenth", {{"N", 80'000}}, small()),
              ElementsAre(72.0, 8.0, 72.0, 8.0, 72.0, 8.0));
  EXPECT_THAT(bytes_of("downwards_copy", {{"N", 80'000}}, small()),
              ElementsAre(16.0, 8.0, 16.0, 8.0, 16.0, 8.0));
  EXPECT_THAT(bytes_of("mixed", {{"N", 80'000}}, small()),
              ElementsAre(14.0, 8.0, 14.0, 8.0, 14.0, 8.0));
}

TEST(Simulation, SetsThatAllRowsShareAreSeen) {
  // Rows of 8 lines in 4 sets of 4 ways: down a column everything meets in one set.
  EXPECT_GE(bytes_of("matvec_by_columns", {{"N", 8}, {"M", 64}}, small())[0], 64.0);
  EXPECT_LT(bytes_of("matvec_by_columns", {{"N", 8}, {"M", 72}}, small())[0], 20.0);  // of 9 lines
}

TEST(Simulation, TriangularNestsHaveTheirRealTrips) {
  // Each row is as long as its number: on average half of the matrix is touched.
  const auto traffic = bytes_of("lower_triangle", {{"N", 200}}, small());
  EXPECT_NEAR(traffic[4], 8.0, 0.8);  // b stays, and rows end within lines
  EXPECT_NEAR(traffic[5], 8.0, 0.8);
}

TEST(Simulation, CoresDivideWhatTheyShare) {
  Machine machine = small();
  machine.caches[2].shared_by_threads = 4;
  const LoopNest triad = nest("stencils.c", "triad");
  EXPECT_EQ(simulated(triad, {{"N", 600}}, machine, {}, 1).crossings[2].read, 0.0);
  EXPECT_NEAR(simulated(triad, {{"N", 600}}, machine, {}, 4).crossings[2].read, 24.0, 0.5);
}

// ---- errors ----

TEST(Simulation, SaysWhatIsMissing) {
  const auto without = traffic_by_simulation(nest("stencils.c", "triad"), {}, small(), 1);
  ASSERT_FALSE(without);
  EXPECT_EQ(without.error().code, ErrorCode::bad_input);
  EXPECT_THAT(without.error().message, HasSubstr("N has no value"));
  const auto never = traffic_by_simulation(nest("stencils.c", "triad"), {{"N", 0}}, small(), 1);
  ASSERT_FALSE(never);
  EXPECT_THAT(never.error().message, HasSubstr("never runs"));
  const auto huge =
      traffic_by_simulation(nest("stencils.c", "triad"), {{"N", INT64_MAX / 8}}, small(), 1);
  ASSERT_FALSE(huge);
  EXPECT_THAT(huge.error().message, HasSubstr("address space"));
  const auto indirect =
      traffic_by_simulation(nest("reference.c", "gather"), {{"N", 10}}, small(), 1);
  ASSERT_FALSE(indirect);
  EXPECT_THAT(indirect.error().hint, HasSubstr("index"));
  const auto none = traffic_by_simulation(nest("stencils.c", "triad"), {{"N", 10}}, with({}), 1);
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("cannot be simulated"));
}

TEST(Simulation, IndirectAccessesFollowGivenIndices) {
  SimulationOptions options;
  constexpr std::int64_t kCount = 80'000;
  std::vector<std::int64_t>& index = options.indices["index"];
  for (std::int64_t i = 0; i < kCount; ++i) {
    index.push_back(i);
  }
  const auto walking = bytes_of("gather", {{"N", kCount}}, small(), options);
  EXPECT_NEAR(walking[4], 8.0 + 4.0 + 8.0, 0.1);
  std::ranges::shuffle(index, std::mt19937_64(5));
  const auto jumping = bytes_of("gather", {{"N", kCount}}, small(), options);
  EXPECT_NEAR(jumping[4], 8.0 + 4.0 + 64.0, 3.0);
}

// ---- samples ----

TEST(Simulation, OfASampleIsThatOfAll) {
  for (const auto& [function, values] :
       {std::pair<std::string, Polynomial::Values>{"five_points", {{"N", 300}, {"M", 400}}},
        {"matmul", {{"N", 60}}},
        {"matmul_ikj", {{"N", 60}}},
        {"lower_triangle", {{"N", 700}}},
        {"five_points_by_columns", {{"N", 300}, {"M", 400}}}}) {
    SCOPED_TRACE(function);
    const LoopNest looked_at =
        nest(function == "five_points" ? "stencils.c" : "reference.c", function);
    SimulationOptions options;
    const auto all = bytes_of(simulated(looked_at, values, small(), options));
    options.budget = 1e6;
    const ModelledTraffic sample = simulated(looked_at, values, small(), options);
    ASSERT_TRUE(sample.relative_error);
    const auto part = bytes_of(sample);
    for (std::size_t i = 0; i < all.size(); ++i) {
      EXPECT_NEAR(part[i], all[i], 0.05 * all[i] + 0.2) << i;
    }
  }
}

// ---- an oracle ----

/// A hierarchy of lists that are searched from the front, non-inclusive, write-allocate.
class Oracle {
 public:
  explicit Oracle(const Machine& machine) {
    for (const Cache& level : machine.caches) {
      levels_.push_back(
          {std::vector<std::list<Line>>(level.size_bytes / 64 / level.ways), level.ways});
      crossed.emplace_back(0.0, 0.0);
    }
  }

  void access(std::int64_t address, unsigned bytes, bool is_write) {
    for (std::int64_t line = address / 64; line <= (address + bytes - 1) / 64; ++line) {
      fetch(0, line);
      levels_[0].set_of(line).front().dirty |= is_write;
    }
  }

  std::vector<std::pair<double, double>> crossed;

 private:
  struct Line {
    std::int64_t number;
    bool dirty;
  };
  struct Cache_ {
    std::vector<std::list<Line>> sets;
    std::size_t ways;
    std::list<Line>& set_of(std::int64_t line) {
      return sets[static_cast<std::size_t>(line) % sets.size()];
    }
  };

  void fetch(std::size_t level, std::int64_t line) {
    if (level == levels_.size()) {
      return;
    }
    std::list<Line>& set = levels_[level].set_of(line);
    const auto found = std::ranges::find(set, line, &Line::number);
    if (found != set.end()) {
      set.splice(set.begin(), set, found);
      return;
    }
    crossed[level].first += 64.0;
    fetch(level + 1, line);
    put(level, {line, false});
  }

  void put(std::size_t level, Line line) {
    std::list<Line>& set = levels_[level].set_of(line.number);
    set.push_front(line);
    if (set.size() > levels_[level].ways) {
      const Line displaced = set.back();
      set.pop_back();
      if (displaced.dirty) {
        crossed[level].second += 64.0;
        write_back(level + 1, displaced.number);
      }
    }
  }

  void write_back(std::size_t level, std::int64_t line) {
    if (level == levels_.size()) {
      return;
    }
    std::list<Line>& set = levels_[level].set_of(line);
    const auto found = std::ranges::find(set, line, &Line::number);
    if (found != set.end()) {
      found->dirty = true;
      set.splice(set.begin(), set, found);
    } else {
      put(level, {line, true});
    }
  }

  std::vector<Cache_> levels_;
};

Polynomial symbol(const std::string& name) {
  return Polynomial::symbol(name);
}

/// Up to three loops, some triangular or downwards, and accesses with any coefficients.
LoopNest random_nest(std::mt19937_64& random) {
  const auto in = [&](std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random);
  };
  LoopNest made;
  const std::int64_t loops = in(1, 3);
  for (std::int64_t i = 0; i < loops; ++i) {
    LoopLevel level;
    level.counter = fmt::format("i{}", i);
    level.step = in(0, 3) == 0 ? -1 : in(1, 2);
    level.first = in(0, 5);
    Polynomial span = in(1, loops == 1 ? 3000 : loops == 2 ? 60 : 14);
    if (i > 0 && in(0, 3) == 0) {
      span = symbol(fmt::format("i{}", i - 1)) * in(-1, 1) + span;  // some rows may be empty
    }
    level.trips = TripCount{span, in(1, 2)};
    made.levels.push_back(level);
  }
  for (std::int64_t i = in(1, 5); i > 0; --i) {
    ArrayAccess access;
    access.array = fmt::format("a{}", in(0, 2));
    access.bytes = in(0, 1) == 0 ? 8 : 4;
    access.depth = static_cast<unsigned>(loops);
    access.is_write = in(0, 2) == 0;
    Polynomial offset = in(-3, 3) * 8 + 4096;
    for (const LoopLevel& level : made.levels) {
      offset += symbol(level.counter) * (in(0, 4) == 0 ? in(1, 40) * 8 : access.bytes);
    }
    access.offset = offset;
    made.accesses.push_back(access);
  }
  return made;
}

/// All iterations, by the polynomials as they are.
template <class Visit>
std::int64_t for_each_iteration(const LoopNest& nest, std::size_t loop,
                                Polynomial::Values& counters, const Visit& visit) {
  if (loop == nest.levels.size()) {
    visit(counters);
    return 1;
  }
  const LoopLevel& level = nest.levels[loop];
  const std::int64_t trips = *level.trips->evaluate(counters);
  std::int64_t passed = 0;
  for (std::int64_t i = 0; i < trips; ++i) {
    counters[level.counter] = *level.first.evaluate(counters) + i * level.step;
    passed += for_each_iteration(nest, loop + 1, counters, visit);
  }
  counters.erase(level.counter);
  return passed;
}

TEST(Simulation, EqualsASimulationByListsOnRandomNests) {
  std::mt19937_64 random(7);
  unsigned compared = 0;
  for (int round = 0; round < 60; ++round) {
    const LoopNest looked_at = random_nest(random);
    const Machine machine = small();
    const auto space = IterationSpace::of(looked_at, {}, {}, {});
    ASSERT_TRUE(space) << space.error().message;
    std::map<std::string, std::int64_t> begin;  // where the simulation places its arrays
    for (std::size_t i = 0; i < looked_at.accesses.size(); ++i) {
      Counters first(looked_at.levels.size(), 0);
      Polynomial::Values at;
      for (const LoopLevel& level : looked_at.levels) {
        at[level.counter] = *level.first.evaluate({});
      }
      begin[looked_at.accesses[i].array] =
          space->accesses()[i].address.at(first) - *looked_at.accesses[i].offset->evaluate(at);
    }
    Oracle oracle(machine);
    std::int64_t iterations = 0;
    std::vector<std::pair<double, double>> before;
    for (int pass = 0; pass < 2; ++pass) {
      before = oracle.crossed;
      Polynomial::Values counters;
      iterations = for_each_iteration(looked_at, 0, counters, [&](const Polynomial::Values& at) {
        for (const ArrayAccess& access : looked_at.accesses) {
          oracle.access(begin[access.array] + *access.offset->evaluate(at), access.bytes,
                        access.is_write);
        }
      });
    }
    if (iterations == 0 || space->iterations() < 1.0) {
      continue;
    }
    ++compared;
    const ModelledTraffic traffic = simulated(looked_at, {}, machine);
    ASSERT_EQ(traffic.crossings.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      const auto count = static_cast<double>(iterations);
      EXPECT_DOUBLE_EQ(traffic.crossings[i].read,
                       (oracle.crossed[i].first - before[i].first) / count)
          << round << " level " << i;
      EXPECT_DOUBLE_EQ(traffic.crossings[i].written,
                       (oracle.crossed[i].second - before[i].second) / count)
          << round << " level " << i;
    }
  }
  EXPECT_GT(compared, 40U);
}

// ---- properties ----

TEST(Simulation, MoreCacheNeverMissesMore) {
  std::mt19937_64 random(11);
  for (int round = 0; round < 20; ++round) {
    const LoopNest looked_at = random_nest(random);
    double before = INFINITY;
    for (const unsigned kib : {1U, 2U, 4U, 8U, 16U}) {  // one set: fully associative
      const auto found =
          traffic_by_simulation(looked_at, {}, with({cache(Level::L1, kib, 16 * kib)}), 1);
      if (!found) {
        break;
      }
      EXPECT_LE(found->crossings[0].read, before) << round << " " << kib;
      before = found->crossings[0].read;
    }
  }
}

TEST(Simulation, NoMoreIsReadFurtherOut) {
  std::mt19937_64 random(13);
  for (int round = 0; round < 20; ++round) {
    const auto found = traffic_by_simulation(random_nest(random), {}, small(), 1);
    if (found) {
      EXPECT_LE(found->crossings[1].read, found->crossings[0].read) << round;
      EXPECT_LE(found->crossings[2].read, found->crossings[1].read) << round;
    }
  }
}

}  // namespace
}  // namespace ridge::analyze
