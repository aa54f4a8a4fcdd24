// On which memory nodes pages lie, as `ridge run` finds it afterwards.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <numeric>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "runtime/emulated_session.hpp"

namespace ridge::runtime_testing {
namespace {

// Of WORKER; null where nobody asked.
const ridge_region_nodes* worker_nodes(Arena& arena) {
  const ridge_process_record& process = *arena.processes()[0];
  const std::uint32_t base = arena.module(process, "emulated_program.c")->region_base;
  return process.nodes == 0 ? nullptr : &arena.at<ridge_region_nodes>(process.nodes)[base + 1];
}

// Over all nodes.
std::uint64_t samples_of(Arena& arena) {
  std::uint64_t sum = 0;
  for (const auto& of_thread : worker_nodes(arena)->lines) {
    sum = std::accumulate(std::begin(of_thread), std::end(of_thread), sum);
  }
  return sum + worker_nodes(arena)->others;
}

bool kernel_says_where_pages_lie() {
  int variable = 1;
  void* page = &variable;
  int node = -1;
  return syscall(SYS_move_pages, 0, 1UL, &page, nullptr, &node, 0) == 0;
}

TEST(PageNodes, AreThoseOfASample) {
  if (!kernel_says_where_pages_lie()) {
    GTEST_SKIP() << "the kernel forbids asking";
  }
  for (const std::uint32_t mode : {RIDGE_TRAFFIC_EXACT, RIDGE_TRAFFIC_SAMPLED}) {
    SCOPED_TRACE(mode);
    Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_sampling(arena, mode);
    arena.header().memory_nodes = 2;
    EXPECT_TRUE(run(arena, "traffic").exited(0));
    ASSERT_NE(worker_nodes(arena), nullptr);
    // One of 64 lines, or of eight where each stands for eight; what is left at the exit is not
    // asked for any more: eleven batches of twelve.
    const double lines = 3.0 * (1 << 12) * 11 / 12;
    EXPECT_NEAR(static_cast<double>(samples_of(arena)), lines / 64, 0.25 * lines / 64);
    if (!std::filesystem::exists("/sys/devices/system/node/node1")) {
      EXPECT_EQ(worker_nodes(arena)->lines[0][0], samples_of(arena));
    }
  }
}

TEST(PageNodes, AChildCountsByItself) {
  if (!kernel_says_where_pages_lie()) {
    GTEST_SKIP() << "the kernel forbids asking";
  }
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  arena.header().memory_nodes = 2;
  EXPECT_TRUE(run(arena, "traffic_forked").exited(0));
  ASSERT_EQ(arena.processes().size(), 2u);
  EXPECT_NE(arena.processes()[0]->nodes, 0u);
  EXPECT_NE(arena.processes()[1]->nodes, 0u);
  EXPECT_NE(arena.processes()[0]->nodes, arena.processes()[1]->nodes);
}

TEST(PageNodes, OnOneNodeNobodyAsks) {
  for (const std::uint64_t nodes : {0, 1}) {
    Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
    ask_for_traffic(arena);
    arena.header().memory_nodes = nodes;
    EXPECT_TRUE(run(arena, "traffic").exited(0));
    EXPECT_EQ(arena.processes()[0]->nodes, 0u);
  }
}

// As the usual filter of containers does.
void forbid_move_pages() {
  const sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_move_pages, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{std::size(rules), const_cast<sock_filter*>(rules)};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    _exit(99);
  }
}

TEST(PageNodes, WhereTheKernelForbidsItNothingIsSaid) {
  Arena arena(kArenaBytes, RIDGE_MODE_TRAFFIC);
  ask_for_traffic(arena);
  arena.header().memory_nodes = 2;
  const Ended ended =
      run(RIDGE_TEST_PROGRAM, {"traffic", RIDGE_TEST_LIBRARY}, arena.session(), forbid_move_pages);
  if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 99) {
    GTEST_SKIP() << "no filters of system calls here";
  }
  EXPECT_TRUE(ended.exited(0));
  ASSERT_NE(worker_nodes(arena), nullptr);
  EXPECT_EQ(samples_of(arena), 0u);
  EXPECT_EQ(arena.worker_traffic(*arena.processes()[0]).accesses, 3u << 15);
}

}  // namespace
}  // namespace ridge::runtime_testing
