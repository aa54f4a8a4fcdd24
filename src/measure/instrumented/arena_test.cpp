#include "measure/instrumented/arena.hpp"

#include <array>
#include <fcntl.h>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "measure/instrumented/decode.hpp"

namespace ridge::measure {
namespace {

using ::testing::ElementsAre;

Machine zen() {
  Machine machine;
  machine.topology = Topology{1, 1, 8, 16};
  machine.caches = {
      {"L1", 49152, 12, 64, 2, CachePolicy::non_inclusive, WriteAllocate::always},
      {"L2", 1048576, 16, 64, 2, CachePolicy::inclusive, WriteAllocate::always},
      {"L3", 33554432, 16, 64, 16, CachePolicy::victim, WriteAllocate::when_unsaturated}};
  machine.memories = {{"DRAM", {}}};
  return machine;
}

TEST(CacheConfig, CoresNotThreadsShareCaches) {
  const auto config = cache_config(zen(), {3, 9});
  EXPECT_EQ(config.level_count, 3U);
  EXPECT_EQ(config.core_count, 8U);
  EXPECT_EQ(config.levels[0].cores_per_cache, 1U);
  EXPECT_EQ(config.levels[1].cores_per_cache, 1U);
  EXPECT_EQ(config.levels[2].cores_per_cache, 8U);
  EXPECT_EQ(config.levels[0].size_bytes, 49152U);
  EXPECT_EQ(config.levels[0].ways, 12U);
  EXPECT_EQ(config.levels[1].policy, static_cast<unsigned>(RIDGE_INCLUSIVE));
  EXPECT_EQ(config.levels[2].policy, static_cast<unsigned>(RIDGE_VICTIM));
  EXPECT_EQ(config.levels[2].write_allocate, 1U);
  EXPECT_EQ(config.placement_count, 2U);
  EXPECT_EQ(config.placement[1], 1U) << "cores beyond the known ones wrap around";
}

TEST(CacheConfig, BoundariesAreNamedByWhatLiesBelow) {
  EXPECT_THAT(boundaries_of(zen()), ElementsAre(Level::L2, Level::L3, Level::DRAM));
  Machine machine = zen();
  machine.caches.resize(1);
  machine.memories = {{"HBM", {}}};
  EXPECT_THAT(boundaries_of(machine), ElementsAre(Level::HBM));
}

TEST(Arena, CanBeOpenedByItsName) {
  const auto arena = Arena::create(RIDGE_MODE_TRAFFIC, cache_config(zen(), {}));
  ASSERT_TRUE(arena) << arena.error().message;
  const auto empty = decode(arena->bytes());
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->processes.empty());
  const int file = open(arena->session().c_str(), O_RDWR);
  ASSERT_GE(file, 0);
  ridge_arena header{};
  ASSERT_EQ(pread(file, &header, sizeof header, 0), static_cast<ssize_t>(sizeof header));
  EXPECT_EQ(header.mode, static_cast<unsigned>(RIDGE_MODE_TRAFFIC));
  EXPECT_EQ(header.caches.level_count, 3U);
  EXPECT_EQ(header.used_bytes % 64, 0U);
  EXPECT_GE(header.used_bytes, sizeof header);
  EXPECT_EQ(header.size_bytes, arena->bytes().size());
  // What is written there is seen here.
  const std::uint32_t full = 1;
  ASSERT_EQ(pwrite(file, &full, sizeof full, offsetof(ridge_arena, full)),
            static_cast<ssize_t>(sizeof full));
  EXPECT_TRUE(decode(arena->bytes())->full);
  close(file);
}

/// Creates an arena under a limit, in a child.
int code_under(int resource, rlim_t limit) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit values{limit, limit};
    setrlimit(static_cast<__rlimit_resource>(resource), &values);
    const auto arena = Arena::create(RIDGE_MODE_COUNT, {});
    const bool fine = arena ? true : !arena.error().hint.empty();
    _exit(arena ? 0 : fine ? arena.error().exit_code() : 99);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/// MiB of an arena under a limit of the address space, 0 = none; in a child.
std::uint64_t mebibytes_under(rlim_t limit) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit values{limit, limit};
    setrlimit(RLIMIT_AS, &values);
    const auto arena = Arena::create(RIDGE_MODE_COUNT, {});
    const bool is_said =
        arena && arena->size_note() && arena->size_note()->code == "address-space-limit";
    const std::uint64_t size = is_said ? arena->bytes().size() >> 20U : 0;
    (void)!write(ends[1], &size, sizeof size);
    _exit(0);
  }
  std::uint64_t size = 0;
  EXPECT_EQ(read(ends[0], &size, sizeof size), static_cast<ssize_t>(sizeof size));
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  return size;
}

TEST(Arena, LeavesMostOfALimitedAddressSpaceToTheProgram) {
  constexpr rlim_t kMebibyte = 1 << 20;
  std::uint64_t mapped_pages = 0;
  std::ifstream("/proc/self/statm") >> mapped_pages;
  if (mapped_pages * 4096 > 512 * kMebibyte) {
    GTEST_SKIP() << "this test program itself takes more (a sanitizer does)";
  }
  EXPECT_EQ(mebibytes_under(16384 * kMebibyte), 4096U);
  EXPECT_EQ(mebibytes_under(3000 * kMebibyte), 512U);
  EXPECT_EQ(mebibytes_under(1024 * kMebibyte), 256U);
  EXPECT_FALSE(Arena::create(RIDGE_MODE_COUNT, {})->size_note());
}

TEST(Arena, LimitsGiveErrorsWithAHint) {
  const int unavailable = static_cast<int>(ErrorCode::unavailable);
  EXPECT_EQ(code_under(RLIMIT_NOFILE, 3), unavailable);
  EXPECT_EQ(code_under(RLIMIT_FSIZE, 1 << 20), unavailable);
}

}  // namespace
}  // namespace ridge::measure
