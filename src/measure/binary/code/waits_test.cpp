#include "measure/binary/code/waits.hpp"

#include <array>

#include <gtest/gtest.h>

namespace ridge::measure::binary {
namespace {

TEST(RuntimeWaits, OfOpenMpAndMpi) {
  const auto barrier = runtime_wait("gomp_team_barrier_wait_end", "/usr/lib/libgomp.so.1");
  ASSERT_TRUE(barrier);
  EXPECT_EQ(barrier->kind, WaitKind::barrier);
  EXPECT_EQ(barrier->name, "waits in libgomp: barrier");
  const auto lock = runtime_wait("__kmp_acquire_queuing_lock", "/opt/libiomp5.so");
  ASSERT_TRUE(lock);
  EXPECT_EQ(lock->kind, WaitKind::lock);
  EXPECT_EQ(lock->name, "waits in libiomp5: lock");
  EXPECT_EQ(runtime_wait("opal_progress", "/usr/lib/libopen-pal.so.40")->kind, WaitKind::other);
  EXPECT_EQ(runtime_wait("opal_progress", "/usr/lib/libopen-pal.so.40")->name, "waits in MPI");
}

TEST(RuntimeWaits, OfTheFileOrOfTheRuntimeLinkedIntoAProgram) {
  EXPECT_EQ(runtime_wait("GOMP_barrier", "/usr/lib/libomp-19.so.5")->name,
            "waits in libomp: barrier");
  EXPECT_EQ(runtime_wait("GOMP_barrier", "/home/me/program")->name, "waits in libgomp: barrier");
}

TEST(RuntimeWaits, AreNotOtherFunctions) {
  for (const char* name : {"", "main", "my_barrier_wait", "__kmp_", "__kmpc_fork_call"}) {
    EXPECT_FALSE(runtime_wait(name, "/usr/lib/libomp.so.5")) << name;
  }
}

TEST(NamelessWaits, SpinOrAskTheKernelInARuntimeOfOpenMp) {
  using machine_code::Architecture;
  constexpr std::array<std::uint8_t, 3> kSpins{0xF3, 0x90, 0xC3};  // pause, ret
  constexpr std::array<std::uint8_t, 3> kAsks{0x0F, 0x05, 0xC3};   // syscall, ret
  constexpr std::array<std::uint8_t, 3> kWorks{0x90, 0x90, 0xC3};  // nop, nop, ret
  const auto waits = [](std::span<const std::uint8_t> code, std::string_view path) {
    const auto function = machine_code::read_function(Architecture::x86_64, code, 0x1000);
    return function && nameless_wait(*function, path).has_value();
  };
  EXPECT_TRUE(waits(kSpins, "/usr/lib/libgomp.so.1"));
  EXPECT_TRUE(waits(kAsks, "/usr/lib/libgomp.so.1"));
  EXPECT_FALSE(waits(kWorks, "/usr/lib/libgomp.so.1"));
  EXPECT_FALSE(waits(kSpins, "/usr/bin/program"));
}

TEST(NamelessWaits, PollForMessagesInOpenMpi) {
  using machine_code::Architecture;
  constexpr std::array<std::uint8_t, 3> kReadsClock{0x0F, 0x31, 0xC3};  // rdtsc, ret
  constexpr std::array<std::uint8_t, 3> kWorks{0x90, 0x90, 0xC3};       // nop, nop, ret
  const auto name = [](std::span<const std::uint8_t> code, std::string_view path) {
    const auto function = machine_code::read_function(Architecture::x86_64, code, 0x1000);
    const auto wait = function ? nameless_wait(*function, path) : std::nullopt;
    return wait ? wait->name : "";
  };
  EXPECT_EQ(name(kWorks, "/usr/lib/openmpi/lib/openmpi3/mca_btl_vader.so"), "waits in MPI");
  EXPECT_EQ(name(kReadsClock, "/usr/lib/libopen-pal.so.40.30.2"), "waits in MPI");
  EXPECT_EQ(name(kWorks, "/usr/lib/libopen-pal.so.40.30.2"), "");
  EXPECT_EQ(name(kReadsClock, "/usr/bin/program"), "");
}

}  // namespace
}  // namespace ridge::measure::binary
