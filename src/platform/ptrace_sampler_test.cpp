#include "platform/ptrace_sampler.hpp"

#include <cerrno>
#include <sys/syscall.h>

#include <gtest/gtest.h>

#include "platform/process_tree.hpp"
#include "platform/ptrace_tracer.hpp"

namespace ridge::platform {
namespace {

user_regs_struct after(long call, long long result) {
  user_regs_struct registers{};
  registers.orig_rax = static_cast<unsigned long long>(call);
  registers.rax = static_cast<unsigned long long>(result);
  return registers;
}

TEST(PtraceTracer, CallsThatAStopEndsAreBegunAgain) {
  constexpr auto kRestartUnlessHandled = static_cast<unsigned long long>(-514LL);
  EXPECT_EQ(unnoticed_result(after(SYS_epoll_wait, -EINTR)), kRestartUnlessHandled);
  EXPECT_EQ(unnoticed_result(after(SYS_recvfrom, -EINTR)), kRestartUnlessHandled);
}

TEST(PtraceTracer, AllOthersAreLeftAlone) {
  const auto is_left_alone = [](const user_regs_struct& registers) {
    return unnoticed_result(registers) == registers.rax;
  };
  EXPECT_TRUE(is_left_alone(after(SYS_epoll_wait, 1)));
  EXPECT_TRUE(is_left_alone(after(SYS_epoll_wait, -ETIMEDOUT)));
  EXPECT_TRUE(is_left_alone(after(SYS_close, -EINTR))) << "the file is closed already";
  EXPECT_TRUE(is_left_alone(after(SYS_nanosleep, -516))) << "the kernel goes on with it";
  EXPECT_TRUE(is_left_alone(after(-1, -EINTR))) << "in no call: a number of the program";
}

TEST(PtraceSampler, SystemCallsReturnWhatTheyDoAlone) {
  std::unique_ptr<PtraceSampler> sampler;
  ProcessOptions options{{RIDGE_SAMPLED_PROGRAM, "calls"}, {}, {}, {}, {}};
  options.before_exec = [&](pid_t pid) -> Result<void> {
    auto attached = PtraceSampler::attach(pid, {std::chrono::milliseconds(10), true, true});
    if (!attached) {
      return fail(ErrorCode::unavailable, std::to_string(attached.error()));
    }
    sampler = std::move(*attached);
    return {};
  };
  auto tree = ProcessTree::start(options, WhenWeDie::end_tree);
  if (!tree) {
    ASSERT_EQ(tree.error().message, std::to_string(EPERM));
    GTEST_SKIP() << "ptrace is forbidden here";
  }
  std::optional<ExitStatus> end;
  for (int i = 0; i < 3000 && !end; ++i) {
    end = tree->wait_for(std::chrono::milliseconds(100));
  }
  EXPECT_EQ(end.value_or(ExitStatus{}).code, 0) << "the number of the first call that went wrong";
  sampler->stop();
  EXPECT_FALSE(sampler->take(true).empty());
}

}  // namespace
}  // namespace ridge::platform
