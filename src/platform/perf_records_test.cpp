#include "platform/perf_records.hpp"

#include <cstring>
#include <linux/perf_event.h>
#include <memory>
#include <random>
#include <string_view>

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

/// Records as the kernel writes them.
class Bytes {
 public:
  Bytes& begin(std::uint32_t type, std::uint16_t misc) {
    begin_ = bytes_.size();
    return u32(type).number(misc).number(std::uint16_t{0});
  }
  Bytes& u32(std::uint32_t value) { return number(value); }
  Bytes& u64(std::uint64_t value) { return number(value); }
  Bytes& text(std::string_view text) {
    for (const char letter : text) {
      bytes_.push_back(static_cast<std::byte>(letter));
    }
    do {
      bytes_.push_back(std::byte{0});
    } while (bytes_.size() % 8 != 0);
    return *this;
  }
  Bytes& id(std::uint32_t pid, std::uint32_t tid, std::uint64_t time) {
    return u32(pid).u32(tid).u64(time);
  }
  /// The fields before those that an event may have besides.
  Bytes& head(std::uint64_t address) { return u64(address).id(7, 8, 1000); }
  Bytes& end() { return end_with(static_cast<std::uint16_t>(bytes_.size() - begin_)); }
  Bytes& end_with(std::uint16_t size) {
    std::memcpy(bytes_.data() + begin_ + 6, &size, sizeof size);
    return *this;
  }
  [[nodiscard]] const std::vector<std::byte>& all() const { return bytes_; }

 private:
  template <class Number>
  Bytes& number(Number value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }

  std::vector<std::byte> bytes_;
  std::size_t begin_ = 0;
};

constexpr PerfLayout kWithRegisters{.has_user_registers = true, .has_stacks = false};
constexpr PerfLayout kWithStacks{.has_user_registers = false, .has_stacks = true};

Bytes& sample(Bytes& bytes, std::uint16_t mode, std::uint64_t address, std::uint64_t user) {
  return bytes.begin(PERF_RECORD_SAMPLE, mode)
      .head(address)
      .u64(PERF_SAMPLE_REGS_ABI_64)
      .u64(user)
      .end();
}

Bytes& mapping(Bytes& bytes, std::string_view name) {
  return bytes.begin(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER)
      .u32(7)
      .u32(8)
      .u64(0x4000)
      .u64(0x1000)
      .u64(0x2000)
      .u64(0)
      .u64(0)
      .u64(0)
      .u64(0)
      .text(name)
      .id(7, 8, 900)
      .end();
}

TEST(PerfRecords, ASampleHasTheAddressOfTheUser) {
  Bytes bytes;
  sample(bytes, PERF_RECORD_MISC_USER, 0x1234, 0x9999);
  sample(bytes, PERF_RECORD_MISC_KERNEL, 0xffffffff81000000, 0x5678);
  const auto records = parse_perf_records(bytes.all(), kWithRegisters);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, PerfRecord::sample);
  EXPECT_EQ(records[0].pid, 7);
  EXPECT_EQ(records[0].tid, 8);
  EXPECT_EQ(records[0].nanoseconds, 1000U);
  EXPECT_EQ(records[0].address, 0x1234U);
  EXPECT_FALSE(records[0].in_kernel);
  EXPECT_EQ(records[1].address, 0x5678U);
  EXPECT_TRUE(records[1].in_kernel);
}

TEST(PerfRecords, ASampleInTheKernelWithoutUserHasNoAddress) {
  Bytes bytes;
  bytes.begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL)
      .head(0xffffffff81000000)
      .u64(PERF_SAMPLE_REGS_ABI_NONE)
      .end();
  const auto records = parse_perf_records(bytes.all(), kWithRegisters);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].address, 0U);
}

/// With the registers as numbers of their own, in the order of the kernel.
Bytes& stack(Bytes& bytes, std::uint64_t room, std::uint64_t words, std::uint64_t copied) {
  bytes.begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER).head(0x1234).u64(PERF_SAMPLE_REGS_ABI_64);
  for (std::uint64_t i = 0; i < kStackRegisters; ++i) {
    bytes.u64(i);
  }
  bytes.u64(room);
  for (std::uint64_t i = 0; i < words; ++i) {
    bytes.u64(100 + i);
  }
  return bytes.u64(copied).end();
}

TEST(PerfRecords, AStackHasItsRegistersByTheirDwarfNumbers) {
  Bytes bytes;
  stack(bytes, 32, 4, 24);
  const auto records = parse_perf_records(bytes.all(), kWithStacks);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kind, PerfRecord::stack);
  EXPECT_EQ(records[0].tid, 8);
  // The kernel has ax, bx, cx, dx, si, di, bp, sp, ip and then r8 to r15.
  EXPECT_EQ(records[0].registers, (std::array<std::uint64_t, kStackRegisters>{
                                      0, 3, 2, 1, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 8}));
  EXPECT_EQ(records[0].words, (std::vector<std::uint64_t>{100, 101, 102}));
}

TEST(PerfRecords, AStackThatLiesAboutItsLengthIsCutOrLeftOut) {
  Bytes bytes;
  stack(bytes, 32, 4, 4000);
  stack(bytes, 4000, 4, 24);
  stack(bytes, ~0ULL, 4, 24);
  const auto records = parse_perf_records(bytes.all(), kWithStacks);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].words.size(), 4U);
}

TEST(PerfRecords, AThreadWithoutUserMemoryHasNoStack) {
  Bytes bytes;
  bytes.begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL)
      .head(0x1234)
      .u64(PERF_SAMPLE_REGS_ABI_NONE)
      .u64(0)
      .end();
  const auto records = parse_perf_records(bytes.all(), kWithStacks);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].words.empty());
}

TEST(PerfRecords, AMappingHasItsFile) {
  Bytes bytes;
  mapping(bytes, "/usr/bin/some thing");
  const auto records = parse_perf_records(bytes.all(), {});
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].kind, PerfRecord::mapped);
  EXPECT_EQ(records[0].pid, 7);
  EXPECT_EQ(records[0].address, 0x4000U);
  EXPECT_EQ(records[0].length, 0x1000U);
  EXPECT_EQ(records[0].file_offset, 0x2000U);
  EXPECT_EQ(records[0].name, "/usr/bin/some thing");
  EXPECT_EQ(records[0].nanoseconds, 900U);
}

TEST(PerfRecords, LivesBeginAndEnd) {
  Bytes bytes;
  bytes.begin(PERF_RECORD_FORK, 0).u32(9).u32(7).u32(9).u32(8).u64(1).id(7, 8, 1).end();
  bytes.begin(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC)
      .u32(9)
      .u32(9)
      .text("ls")
      .id(9, 9, 2)
      .end();
  bytes.begin(PERF_RECORD_COMM, 0).u32(9).u32(9).text("renamed").id(9, 9, 3).end();
  bytes.begin(PERF_RECORD_EXIT, 0).u32(9).u32(7).u32(9).u32(8).u64(4).id(9, 9, 4).end();
  const auto records = parse_perf_records(bytes.all(), {});
  ASSERT_EQ(records.size(), 3U);
  EXPECT_EQ(records[0].kind, PerfRecord::forked);
  EXPECT_EQ(records[0].pid, 9);
  EXPECT_EQ(records[0].parent, 7);
  EXPECT_EQ(records[1].kind, PerfRecord::executed);
  EXPECT_EQ(records[1].pid, 9);
  EXPECT_EQ(records[2].kind, PerfRecord::ended);
  EXPECT_EQ(records[2].tid, 9);
}

TEST(PerfRecords, LostAndThrottledAreTold) {
  Bytes bytes;
  bytes.begin(PERF_RECORD_LOST, 0).u64(1).u64(17).id(7, 8, 1).end();
  bytes.begin(PERF_RECORD_THROTTLE, 0).u64(1).u64(2).u64(3).id(7, 8, 2).end();
  const auto records = parse_perf_records(bytes.all(), {});
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, PerfRecord::lost);
  EXPECT_EQ(records[0].count, 17U);
  EXPECT_EQ(records[1].kind, PerfRecord::throttled);
}

TEST(PerfRecords, OtherKindsAreLeftOut) {
  Bytes bytes;
  bytes.begin(77, 0).u64(1).u64(2).u64(3).end();
  sample(bytes, PERF_RECORD_MISC_USER, 0x1234, 0);
  EXPECT_EQ(parse_perf_records(bytes.all(), kWithRegisters).size(), 1U);
}

TEST(PerfRecords, SamplesOfThreadsThatHaveEndedAreLeftOut) {
  Bytes bytes;
  bytes.begin(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER).u64(1).u32(~0U).u32(~0U).u64(5).end();
  EXPECT_TRUE(parse_perf_records(bytes.all(), {}).empty());
}

TEST(PerfRecords, ASizeThatCannotBeEndsIt) {
  for (const std::uint16_t size : {0, 1, 7, 49, 65535}) {
    Bytes bytes;
    sample(bytes, PERF_RECORD_MISC_USER, 0x1234, 0);
    sample(bytes, PERF_RECORD_MISC_USER, 0x1234, 0).end_with(size);
    EXPECT_EQ(parse_perf_records(bytes.all(), kWithRegisters).size(), 1U) << size;
  }
}

TEST(PerfRecords, RecordsTooShortForTheirKindAreLeftOut) {
  for (const std::uint32_t type : {PERF_RECORD_SAMPLE, PERF_RECORD_MMAP2, PERF_RECORD_FORK,
                                   PERF_RECORD_EXIT, PERF_RECORD_COMM, PERF_RECORD_LOST}) {
    Bytes bytes;
    bytes.begin(type, PERF_RECORD_MISC_COMM_EXEC).end();
    bytes.begin(type, PERF_RECORD_MISC_COMM_EXEC).u64(1).end();
    EXPECT_TRUE(parse_perf_records(bytes.all(), kWithRegisters).empty()) << type;
  }
}

/// Exactly as long as the bytes, so that whoever reads behind them is noticed by sanitizers.
std::vector<PerfRecord> parse_exactly(std::span<const std::byte> bytes) {
  const auto copy = std::make_unique<std::byte[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return parse_perf_records({copy.get(), bytes.size()}, kWithRegisters);
}

TEST(PerfRecords, EveryBeginningOfABufferIsReadUpToItsLastWholeRecord) {
  Bytes bytes;
  mapping(bytes, "/bin/a");
  const std::size_t whole = bytes.all().size();
  mapping(bytes, "/bin/b");
  const std::span<const std::byte> all(bytes.all());
  for (std::size_t size = 0; size < all.size(); ++size) {
    EXPECT_EQ(parse_exactly(all.first(size)).size(), size < whole ? 0U : 1U) << size;
  }
  EXPECT_EQ(parse_exactly(all).size(), 2U);
}

TEST(PerfRecords, AnyBytesAreRead) {
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    std::vector<std::byte> bytes(random() % 160);
    for (std::byte& byte : bytes) {
      byte = static_cast<std::byte>(random() % 4 == 0 ? random() : random() % 16);
    }
    EXPECT_LE(parse_exactly(bytes).size(), bytes.size() / 8);
  }
}

}  // namespace
}  // namespace ridge::platform
