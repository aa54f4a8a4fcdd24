// Traffic of batches against the simulator itself; turns of threads; sampled lines.

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "instrument/engine/engine_fixture.hpp"

namespace ridge::engine_tests {
namespace {

struct Access {
  std::uint64_t address = 0;
  std::uint64_t bytes = 8;
  std::uint64_t region = 1;
  std::uint64_t flags = 0;
};

/// An engine with one plan; threads by ordinal.
class Engine {
 public:
  Engine(Heap& heap, const PlanFile& file) : words_(file.words()) {
    EXPECT_EQ(engine_plan_open(&plan_, words_.data(), file.bytes()), nullptr);
    const char* problem = nullptr;
    traffic_ = engine_traffic_create(&plan_, &heap.memory, &problem);
  }
  ~Engine() {
    if (traffic_ != nullptr) {
      engine_traffic_destroy(traffic_);
    }
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  bool works() const { return traffic_ != nullptr; }
  engine_traffic* traffic() { return traffic_; }
  engine_thread* thread(std::uint32_t ordinal) {
    engine_thread*& thread = threads_[ordinal];
    if (thread == nullptr) {
      thread = engine_traffic_begin_thread(traffic_, ordinal);
    }
    return thread;
  }
  void end(std::uint32_t ordinal) {
    engine_traffic_end_thread(traffic_, thread(ordinal));
    threads_.erase(ordinal);
  }

  void access(std::uint32_t ordinal, const Access& access) {
    engine_thread* const own = thread(ordinal);
    if (own == nullptr) {
      engine_traffic_lose(traffic_, 1);
      return;
    }
    if (own->cursor > own->limit) {
      engine_traffic_flush(traffic_, own);
    }
    *own->cursor++ = {access.address, access.region << RIDGE_TRACE_REGION_SHIFT |
                                          access.flags << RIDGE_TRACE_FLAGS_SHIFT | access.bytes};
  }
  void accesses(std::uint32_t ordinal, const std::vector<Access>& all) {
    for (const Access& one : all) {
      access(ordinal, one);
    }
  }

  std::vector<unsigned char> bytes() {
    Sink sink;
    const auto writer = std::make_unique<engine_writer>();
    const ridge_record_header header = {0, 0, RIDGE_ENGINE_VALGRIND, 1, 0, RIDGE_RECORD_SIMULATED};
    engine_record_begin(writer.get(), &sink.sink, &header);
    engine_traffic_write(traffic_, writer.get());
    EXPECT_TRUE(engine_record_end(writer.get()));
    return sink.bytes;
  }
  Record record() { return read_record(bytes()); }

 private:
  std::vector<std::uint64_t> words_;
  engine_plan plan_{};
  engine_traffic* traffic_ = nullptr;
  std::map<std::uint32_t, engine_thread*> threads_;
};

std::vector<Access> some_accesses(std::uint64_t seed, std::size_t count, std::uint64_t base) {
  std::mt19937_64 random(seed);
  std::vector<Access> all;
  std::uint64_t at = 0;
  for (std::size_t i = 0; i < count; ++i) {
    at = random() % 8 != 0 ? at + 8 : random() % 40000 * 8;
    all.push_back({base + at % 320000 + (random() % 50 == 0 ? 60U : 0U), 8, 1 + random() % 4,
                   random() % 3 == 0 ? std::uint64_t{RIDGE_TRACE_WRITE} : 0});
  }
  return all;
}

/// Every line of an array, several times: all classes of lines are alike.
std::vector<Access> stream(std::uint64_t lines, int times) {
  std::vector<Access> all;
  for (int t = 0; t < times; ++t) {
    for (std::uint64_t line = 0; line < lines; ++line) {
      all.push_back({0x10000000 + line * 64, 8, 1, 0});
    }
  }
  return all;
}

TEST(Traffic, IsThatOfTheSimulator) {
  Heap heap;
  const PlanFile file;
  const std::vector<Access> all = some_accesses(1, 50000, 0x7000000);
  Engine engine(heap, file);
  ASSERT_TRUE(engine.works());
  engine.accesses(0, all);
  const Record record = engine.record();

  std::vector<ridge_region_traffic> table(5);
  cachesim* sim = cachesim_create(&file.header.caches, table.data(), 5, &heap.memory);
  ASSERT_NE(sim, nullptr);
  for (const Access& one : all) {
    cachesim_access(sim, 0, one.address, one.bytes, static_cast<std::uint32_t>(one.flags),
                    static_cast<std::uint32_t>(one.region));
  }
  for (std::uint32_t region = 1; region <= 4; ++region) {
    const ridge_region_traffic mine = record.traffic(RIDGE_RECORD_TRAFFIC, region);
    EXPECT_GT(mine.crossed[1].read, 0U);
    EXPECT_EQ(std::memcmp(&mine, &table[region], sizeof(mine)), 0) << region;
  }
  cachesim_destroy(sim);
  EXPECT_EQ(record.of(RIDGE_RECORD_TRAFFIC).size(), 4U)
      << "none of region 0, which accessed nothing";
  EXPECT_EQ(record.of(RIDGE_RECORD_LINES).size(), 4U);
  EXPECT_TRUE(record.of(RIDGE_RECORD_PILOT).empty());
  EXPECT_TRUE(record.of(RIDGE_RECORD_LOST).empty());
}

TEST(Traffic, CanBeWrittenTwice) {
  Heap heap;
  Engine engine(heap, PlanFile());
  engine.accesses(0, some_accesses(1, 5000, 0x7000000));
  const std::vector<unsigned char> once = engine.bytes();
  EXPECT_EQ(engine.bytes(), once);
  engine.accesses(0, some_accesses(2, 5000, 0x7000000));
  EXPECT_NE(engine.bytes(), once);
}

// ---- turns ----

/// Two threads that write the same lines, in pieces of `piece` accesses.
std::vector<unsigned char> interleaved(std::size_t piece) {
  Heap heap;
  Engine engine(heap, PlanFile());
  const std::vector<Access> first = some_accesses(1, 60000, 0x7000000);
  const std::vector<Access> second = some_accesses(2, 60000, 0x7000000);
  engine.thread(0);
  engine.thread(1);
  for (std::size_t at = 0; at < first.size(); ++at) {
    if (at % piece == 0) {
      for (std::size_t i = at; i < at + piece && i < first.size(); ++i) {
        engine.access(1, second[i]);
      }
      for (std::size_t i = at; i < at + piece && i < first.size(); ++i) {
        engine.access(0, first[i]);
      }
    }
  }
  return engine.bytes();
}

TEST(Turns, FollowTheWorkAndNotTheHost) {
  const std::vector<unsigned char> fine = interleaved(1);
  EXPECT_EQ(interleaved(100), fine);
  EXPECT_EQ(interleaved(2049), fine);
  EXPECT_EQ(interleaved(10000), fine);
  EXPECT_NE(interleaved(60000), fine) << "beyond the window the order is given up";
}

TEST(Turns, DoNotWaitForAThreadThatWaits) {
  Heap heap;
  Engine engine(heap, PlanFile());
  engine.thread(0);
  engine.thread(1);
  engine_traffic_wait(engine.traffic(), engine.thread(0));
  const auto buffer_bytes =
      sizeof(ridge_trace_entry) * (std::uint64_t{RIDGE_TRACE_CAPACITY} + ENGINE_TRACE_ROOM + 1);
  ASSERT_EQ(heap.by_size[buffer_bytes], 2U);
  engine.accesses(1, stream(200000, 1));
  EXPECT_EQ(heap.by_size[buffer_bytes], 2U) << "its batches are simulated at once";
  engine_traffic_go_on(engine.traffic(), engine.thread(0));
  engine.accesses(0, stream(100, 1));
  EXPECT_EQ(engine.record().traffic(RIDGE_RECORD_TRAFFIC, 1).accesses, 200100U);
}

TEST(Turns, ThreadsEndWithTheirLastBatch) {
  Heap heap;
  Engine engine(heap, PlanFile());
  for (std::uint32_t ordinal = 0; ordinal < 50; ++ordinal) {
    engine.accesses(ordinal, stream(3000, 1));
    if (ordinal % 3 != 0) {
      engine.end(ordinal);
    }
  }
  EXPECT_EQ(engine.record().traffic(RIDGE_RECORD_TRAFFIC, 1).accesses, 150000U);
}

TEST(Turns, PlaceThreadsOnCores) {
  Heap heap;
  PlanFile file;
  file.header.caches.placement_count = 2;
  file.header.caches.placement[0] = 3;
  file.header.caches.placement[1] = 2;
  Engine engine(heap, file);
  EXPECT_EQ(engine.thread(0)->core, 3U);
  EXPECT_EQ(engine.thread(1)->core, 2U);
  EXPECT_EQ(engine.thread(2)->core, 2U);
  EXPECT_EQ(engine.thread(7)->core, 3U);
}

// ---- sampled lines ----

constexpr std::uint64_t kMask = 0x8040'2010'0804'0201;  // one class of each eight

TEST(Sampled, LinesStandForAll) {
  Heap heap;
  PlanFile file;
  file.header.traffic_mode = RIDGE_TRAFFIC_SAMPLED;
  file.header.sample_mask = kMask;
  Engine engine(heap, file);
  engine.accesses(0, stream(64 * 1000, 3));
  const Record record = engine.record();
  EXPECT_TRUE(record.of(RIDGE_RECORD_TRAFFIC).empty());
  EXPECT_TRUE(record.of(RIDGE_RECORD_LINES).empty());
  EXPECT_EQ(record.of(RIDGE_RECORD_PILOT).size(), 1U);
  EXPECT_EQ(record.traffic(RIDGE_RECORD_SAMPLED, 1).crossed[1].read * 8, 3U * 64 * 1000 * 64);
}

TEST(Sampled, PartsOfAccessesAcrossLines) {
  Heap heap;
  PlanFile file;
  file.header.traffic_mode = RIDGE_TRAFFIC_SAMPLED;
  file.header.sample_mask = kMask;
  Engine engine(heap, file);
  for (std::uint64_t line = 0; line < 6400; ++line) {
    engine.access(0, {0x10000000 + line * 64 + 60, 8, 1, 0});
  }
  engine.access(0, {0x20000000, 64 * 64 * 8, 2, RIDGE_TRACE_WRITE});
  const Record record = engine.record();
  // Each sampled line is touched, once as the end of an access and once as its beginning.
  // The last access ends on a line of the first class.
  EXPECT_EQ(record.traffic(RIDGE_RECORD_SAMPLED, 1).least.read, (6400U / 8 + 1) * 64);
  EXPECT_EQ(record.traffic(RIDGE_RECORD_SAMPLED, 2).least.read, 64U * 64);
}

TEST(Sampled, HostsMayLeaveOtherLinesOut) {
  Record records[2];
  for (int leaves_out = 0; leaves_out < 2; ++leaves_out) {
    Heap heap;
    PlanFile file;
    file.header.traffic_mode = RIDGE_TRAFFIC_SAMPLED;
    file.header.sample_mask = kMask;
    Engine engine(heap, file);
    for (const Access& one : stream(6400, 5)) {
      engine_thread* const thread = engine.thread(0);
      if (leaves_out != 0 && (thread->mask >> one.address / 64 % 64 & 1) == 0) {
        ++thread->left_out;
      } else {
        engine.access(0, one);
      }
    }
    records[leaves_out] = engine.record();
  }
  EXPECT_EQ(records[0].traffic(RIDGE_RECORD_SAMPLED, 1).crossed[1].read,
            records[1].traffic(RIDGE_RECORD_SAMPLED, 1).crossed[1].read);
}

TEST(Sampled, BeginsOnceLoopsHaveProvedEven) {
  Heap heap;
  PlanFile file;
  file.header.traffic_mode = RIDGE_TRAFFIC_AUTO;
  file.header.sample_mask = kMask;
  Engine engine(heap, file);
  constexpr std::uint64_t kLines = 16384;
  constexpr int kTimes = 300;
  engine.accesses(0, stream(kLines, kTimes));
  const Record record = engine.record();
  const ridge_region_traffic exact = record.traffic(RIDGE_RECORD_TRAFFIC, 1);
  const ridge_region_traffic sampled = record.traffic(RIDGE_RECORD_SAMPLED, 1);
  EXPECT_GT(exact.accesses, 0U);
  EXPECT_GT(sampled.accesses, 0U);
  EXPECT_NEAR(static_cast<double>(exact.crossed[1].read + 8 * sampled.crossed[1].read) /
                  (64.0 * kLines * kTimes),
              1, 0.01);
  const Chunk pilot = record.of(RIDGE_RECORD_PILOT).at(0);
  EXPECT_EQ(pilot.at<std::uint64_t>(0), 1U);
  EXPECT_EQ(pilot.at<ridge_region_pilot>(8).levels[1].verdict, std::uint32_t{RIDGE_PILOT_EVEN});
}

TEST(Sampled, StaysExactWhereLinesAreUneven) {
  Heap heap;
  PlanFile file;
  file.header.traffic_mode = RIDGE_TRAFFIC_AUTO;
  file.header.sample_mask = kMask;
  Engine engine(heap, file);
  for (int i = 0; i < 5'000'000; ++i) { /* a column: all lines of one class */
    engine.access(0, {0x10000000 + static_cast<std::uint64_t>(i % 4096) * 4096, 8, 1, 0});
  }
  EXPECT_TRUE(engine.record().of(RIDGE_RECORD_SAMPLED).empty());
}

// ---- other caches, memory ----

TEST(Elsewhere, HasTheTrafficOfTheOtherCaches) {
  Heap heap;
  PlanFile file;
  file.header.elsewhere_count = 2;
  file.header.elsewhere[0].level_count = 2;
  file.header.elsewhere[0].levels[0] = file.header.caches.levels[0];
  file.header.elsewhere[0].levels[1] = file.header.caches.levels[1];
  file.header.elsewhere[0].levels[1].size_bytes = 8U << 20U;
  file.header.elsewhere[1].level_count = 9; /* cannot be simulated: there is none */
  Engine engine(heap, file);
  ASSERT_TRUE(engine.works());
  engine.accesses(0, stream(16384, 10)); /* 1 MiB: fits there, not here */
  const Record record = engine.record();
  EXPECT_EQ(record.of(RIDGE_RECORD_ELSEWHERE).size(), 1U);
  EXPECT_EQ(record.of(RIDGE_RECORD_ELSEWHERE).at(0).at<ridge_record_traffic>(0).caches, 0U);
  EXPECT_EQ(record.traffic(RIDGE_RECORD_ELSEWHERE, 1).crossed[1].read, 1U << 20U);
  EXPECT_EQ(record.traffic(RIDGE_RECORD_TRAFFIC, 1).crossed[1].read, 10U << 20U);
}

TEST(Memory, IsAllGivenBack) {
  Heap heap;
  {
    PlanFile file;
    file.header.traffic_mode = RIDGE_TRAFFIC_AUTO;
    file.header.sample_mask = kMask;
    Engine engine(heap, file);
    engine.accesses(0, stream(1000, 10));
    engine.accesses(1, stream(1000, 10));
    EXPECT_GT(heap.bytes_held, 0);
  }
  EXPECT_EQ(heap.bytes_held, 0);
}

TEST(Memory, MayEndAtAnyTime) {
  std::uint64_t needed = 0;
  for (std::uint64_t allowed = 0; allowed <= needed; ++allowed) {
    Heap heap;
    {
      Heap* const source = &heap;
      source->left = needed == 0 ? UINT64_MAX : allowed;
      PlanFile file;
      file.header.elsewhere_count = 1;
      file.header.elsewhere[0].level_count = 2;
      file.header.elsewhere[0].levels[0] = file.header.caches.levels[0];
      file.header.elsewhere[0].levels[1] = file.header.caches.levels[1];
      Engine engine(heap, file);
      if (engine.works()) {
        engine.accesses(0, stream(3000, 2));
        engine.accesses(1, stream(3000, 2));
        const Record record = engine.record();
        const std::vector<Chunk> lost = record.of(RIDGE_RECORD_LOST);
        const std::uint64_t counted = record.traffic(RIDGE_RECORD_TRAFFIC, 1).accesses;
        const std::uint64_t lost_count = lost.empty() ? 0 : lost[0].at<std::uint64_t>(0);
        const bool complete = record.of(RIDGE_RECORD_NOTE).empty();
        EXPECT_LE(counted + lost_count, 12000U) << allowed;
        EXPECT_TRUE(counted + lost_count == 12000 || !complete) << allowed;
      }
    }
    EXPECT_EQ(heap.bytes_held, 0) << allowed;
    needed = needed == 0 ? heap.allocations : needed;
  }
  EXPECT_GT(needed, 10U);
}

TEST(Lost, AccessesAreSaid) {
  Heap heap;
  Engine engine(heap, PlanFile());
  engine_traffic_lose(engine.traffic(), 40);
  engine_traffic_lose(engine.traffic(), 2);
  EXPECT_EQ(engine.record().of(RIDGE_RECORD_LOST).at(0).at<std::uint64_t>(0), 42U);
}

}  // namespace
}  // namespace ridge::engine_tests
