#include "platform/process_tree.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "platform/signals.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::platform {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;
using std::chrono::milliseconds;

/// What must come does come by then, on however busy a machine.
constexpr std::chrono::seconds kGenerous{60};

template <class Condition>
bool eventually(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + kGenerous;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(milliseconds(2));
  }
  return true;
}

/// A zombie that some distant process has not asked for yet counts as gone.
bool is_gone(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const auto name_end = line.rfind(") ");
  return name_end == std::string::npos || line.compare(name_end + 2, 1, "Z") == 0;
}

class ProcessTreeTest : public ::testing::Test {
 protected:
  static ProcessTree shell(const std::string& script, WhenWeDie when = WhenWeDie::end_tree,
                           const std::string& argument = "") {
    auto tree = ProcessTree::start({{"sh", "-c", script, argument}, {}, {}, {}, {}}, when);
    EXPECT_TRUE(tree) << tree.error().message;
    return std::move(*tree);
  }
  static ExitStatus end_of(ProcessTree& tree) {
    EXPECT_TRUE(eventually([&] { return tree.wait_for(milliseconds(20)).has_value(); }));
    return tree.poll().value_or(ExitStatus{});
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  /// The process ids that a script has written, one a line, once there are `count`.
  std::vector<pid_t> pids(const std::string& name, std::size_t count) const {
    std::vector<pid_t> found;
    EXPECT_TRUE(eventually([&] {
      std::ifstream file(folder_ / name);
      found.clear();
      for (std::string line; std::getline(file, line) && !file.eof();) {
        found.push_back(std::stoi(line));
      }
      return found.size() >= count;
    }));
    return found;
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

TEST_F(ProcessTreeTest, ReportsHowTheProgramEnded) {
  ProcessTree coded = shell("exit 7");
  EXPECT_EQ(end_of(coded).code, 7);
  EXPECT_FALSE(coded.has_others());
  ProcessTree killed = shell("kill -SEGV $$");
  EXPECT_EQ(end_of(killed).signal, SIGSEGV);
}

TEST_F(ProcessTreeTest, ReportsWhyThereIsNoProgram) {
  const auto missing =
      ProcessTree::start({{folder_ / "none"}, {}, {}, {}, {}}, WhenWeDie::end_tree);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::bad_input);
  const fs::path script = folder_ / "script";
  std::ofstream(script) << "#!/no/such/interpreter\n";
  fs::permissions(script, fs::perms::owner_all);
  const auto broken = ProcessTree::start({{script}, {}, {}, {}, {}}, WhenWeDie::end_tree);
  ASSERT_FALSE(broken);
  EXPECT_THAT(broken.error().message, HasSubstr("interpreter"));
}

TEST_F(ProcessTreeTest, TheProgramWaitsForWhoeverHasSomethingToDoBefore) {
  ProcessOptions options{
      {"sh", "-c", "test -e $0 && ls /proc/self/fd > $0", folder_ / "made"}, {}, {}, {}, {}};
  pid_t told = 0;
  options.before_exec = [&](pid_t pid) -> Result<void> {
    told = pid;
    std::ofstream(folder_ / "made") << "\n";
    return {};
  };
  auto tree = ProcessTree::start(options, WhenWeDie::end_tree);
  ASSERT_TRUE(tree);
  EXPECT_EQ(told, tree->pid());
  EXPECT_EQ(end_of(*tree).code, 0);
  const auto alone = run_and_capture({"sh", "-c", "ls /proc/self/fd > $0", folder_ / "alone"});
  ASSERT_TRUE(alone);
  EXPECT_EQ(text("made"), text("alone")) << "it inherits none of what it waited on";
}

TEST_F(ProcessTreeTest, NoProgramWhereThatFails) {
  ProcessOptions options{{"sh", "-c", ": > $0", folder_ / "made"}, {}, {}, {}, {}};
  pid_t told = 0;
  options.before_exec = [&](pid_t pid) -> Result<void> {
    told = pid;
    return fail(ErrorCode::gate_failed, "not now");
  };
  const auto tree = ProcessTree::start(options, WhenWeDie::end_tree);
  ASSERT_FALSE(tree);
  EXPECT_EQ(tree.error().code, ErrorCode::gate_failed);
  EXPECT_TRUE(is_gone(told));
  EXPECT_FALSE(fs::exists(folder_ / "made"));
}

TEST_F(ProcessTreeTest, AChildThatIsKilledWhileItWaitsEndsBySignal) {
  ProcessOptions options{{"sh", "-c", "exit 0"}, {}, {}, {}, {}};
  options.before_exec = [&](pid_t pid) -> Result<void> {
    kill(pid, SIGKILL);
    EXPECT_TRUE(eventually([&] { return is_gone(pid); }));
    return {};
  };
  auto tree = ProcessTree::start(options, WhenWeDie::end_tree);
  ASSERT_TRUE(tree);
  EXPECT_EQ(end_of(*tree).signal, SIGKILL);
}

TEST_F(ProcessTreeTest, TheProgramHasTheMaskAndTheFilesThatItHasWithoutUs) {
  const std::string script = "grep SigBlk /proc/self/status; ls /proc/self/fd";
  const auto alone = run_and_capture({"sh", "-c", "{ " + script + "; } > $0/alone", folder_});
  ASSERT_TRUE(alone);
  ProcessTree tree = shell("{ " + script + "; } > $0/guarded", WhenWeDie::end_tree, folder_);
  EXPECT_EQ(end_of(tree).code, 0);
  EXPECT_THAT(text("alone"), HasSubstr("SigBlk"));
  EXPECT_EQ(text("guarded"), text("alone"));
}

TEST_F(ProcessTreeTest, UsageIsThatOfTheProgramAndItsChildren) {
  ProcessTree tree = shell("sh -c 'i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'; exit 0");
  EXPECT_EQ(end_of(tree).code, 0);
  EXPECT_GT(tree.usage().user_seconds + tree.usage().kernel_seconds, 0.0);
  EXPECT_GT(tree.usage().minor_faults, 0U);
}

TEST_F(ProcessTreeTest, WhatOutlivesTheProgramIsKnown) {
  ProcessTree tree = shell(
      "(setsid sh -c 'echo $$ >> $0/pids; exec sleep 600' $0 &) ; while [ ! -s $0/pids ]; do "
      "sleep 0.01; done; exit 3",
      WhenWeDie::end_tree, folder_);
  EXPECT_EQ(end_of(tree).code, 3);
  EXPECT_TRUE(tree.has_others());
  const pid_t daemon = pids("pids", 1).front();
  const auto living = tree.living();
  EXPECT_TRUE(std::any_of(living.begin(), living.end(),
                          [&](const LivingProcess& process) { return process.pid == daemon; }));
  kill(daemon, SIGKILL);
  EXPECT_TRUE(eventually([&] { return !tree.has_others(); }));
  EXPECT_TRUE(tree.living().empty());
}

TEST_F(ProcessTreeTest, AfterTheProgramsEndTheOthersLiveOn) {
  pid_t other = 0;
  {
    ProcessTree tree = shell("sleep 600 & echo $! > $0/pids", WhenWeDie::end_tree, folder_);
    end_of(tree);
    other = pids("pids", 1).front();
  }
  EXPECT_EQ(kill(other, 0), 0);
  kill(other, SIGKILL);
}

TEST_F(ProcessTreeTest, UnlessTheyAreToEndToo) {
  pid_t other = 0;
  {
    ProcessTree tree = shell("sleep 600 & echo $! > $0/pids", WhenWeDie::end_tree, folder_);
    end_of(tree);
    other = pids("pids", 1).front();
    tree.end_others_too();
  }
  EXPECT_TRUE(eventually([&] { return is_gone(other); }));
}

TEST_F(ProcessTreeTest, WhoDropsARunningTreeKillsAllOfIt) {
  std::vector<pid_t> all;
  {
    ProcessTree tree = shell(
        "setsid sh -c 'echo $$ >> $0/pids; exec sleep 600' $0 & (sh -c 'echo $$ >> $0/pids; exec "
        "sleep 600' $0 &); echo $$ >> $0/pids; wait",
        WhenWeDie::end_tree, folder_);
    all = pids("pids", 3);
  }
  for (const pid_t pid : all) {
    EXPECT_TRUE(is_gone(pid)) << pid;
  }
}

/// Starts a tree in a process that then waits for its death.
pid_t start_and_wait(const std::string& script, const fs::path& folder, WhenWeDie when) {
  const pid_t us = fork();
  if (us == 0) {
    auto tree = ProcessTree::start({{"sh", "-c", script, folder}, {}, {}, {}, {}}, when);
    while (true) {
      pause();
    }
  }
  return us;
}

TEST_F(ProcessTreeTest, TheTreeEndsWithUs) {
  const pid_t us = start_and_wait(
      "setsid sh -c 'echo $$ >> $0/pids; trap \"\" TERM INT HUP; exec sleep 600' $0 & (sh -c 'echo "
      "$$ >> $0/pids; exec sleep 600' $0 &); echo $$ >> $0/pids; wait",
      folder_, WhenWeDie::end_tree);
  const auto all = pids("pids", 3);
  kill(us, SIGKILL);
  waitpid(us, nullptr, 0);
  for (const pid_t pid : all) {
    EXPECT_TRUE(eventually([&] { return is_gone(pid); })) << pid;
  }
}

TEST_F(ProcessTreeTest, TheTreeLivesOnIfAskedTo) {
  const pid_t us =
      start_and_wait("echo $$ > $0/pids; while [ ! -e $0/go ]; do sleep 0.01; done; : > $0/done",
                     folder_, WhenWeDie::let_live);
  const pid_t program = pids("pids", 1).front();
  kill(us, SIGKILL);
  waitpid(us, nullptr, 0);
  std::ofstream(folder_ / "go") << "\n";
  EXPECT_TRUE(eventually([&] { return fs::exists(folder_ / "done") && is_gone(program); }));
}

TEST_F(ProcessTreeTest, AnInterruptOfUsAloneIsPassedOn) {
  const SignalGuard guard;
  ProcessTree tree = shell("trap 'exit 42' INT; echo $$ > $0/pids; while :; do sleep 0.01; done",
                           WhenWeDie::end_tree, folder_);
  (void)pids("pids", 1);
  raise(SIGINT);
  EXPECT_EQ(end_of(tree).code, 42);
  EXPECT_EQ(SignalGuard::last_received(), SIGINT);
}

TEST_F(ProcessTreeTest, AnInterruptOfTheGroupComesOnce) {
  const pid_t us = fork();
  if (us == 0) {
    setpgid(0, 0);
    const SignalGuard guard;
    ProcessTree tree = shell(
        "n=0; trap 'n=$((n+1)); echo $n >> $0/count' INT; trap 'exit $n' TERM; echo $$ > $0/pids; "
        "while :; do sleep 0.01; done",
        WhenWeDie::end_tree, folder_);
    (void)pids("pids", 1);
    kill(0, SIGINT);
    (void)pids("count", 1);
    // Longer than whoever takes it for ours alone would wait.
    for (int i = 0; i < 30; ++i) {
      (void)tree.wait_for(milliseconds(20));
    }
    kill(tree.pid(), SIGTERM);
    _exit(end_of(tree).code.value_or(100));
  }
  setpgid(us, us);
  int raw = 0;
  ASSERT_EQ(waitpid(us, &raw, 0), us);
  ASSERT_TRUE(WIFEXITED(raw));
  EXPECT_EQ(WEXITSTATUS(raw), 1);
}

TEST_F(ProcessTreeTest, AStoppedProgramStillRuns) {
  ProcessTree tree = shell("kill -STOP $$; exit 3");
  EXPECT_EQ(tree.wait_for(milliseconds(50)), std::nullopt);
  EXPECT_TRUE(eventually([&] {
    kill(tree.pid(), SIGCONT);
    return tree.wait_for(milliseconds(20)).has_value();
  }));
  EXPECT_EQ(end_of(tree).code, 3);
}

TEST_F(ProcessTreeTest, APipeOfOursEndsWithTheProgram) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  auto tree = ProcessTree::start(
      {{"sh", "-c", "echo x; sleep 600 > /dev/null 2>&1 &"}, {}, {}, ends[1], {}},
      WhenWeDie::end_tree);
  ASSERT_TRUE(tree);
  end_of(*tree);
  ASSERT_TRUE(tree->has_others());
  close(ends[1]);
  std::array<char, 8> buffer{};
  EXPECT_EQ(read(ends[0], buffer.data(), buffer.size()), 2);
  EXPECT_EQ(read(ends[0], buffer.data(), buffer.size()), 0) << "the guard holds no end of it";
  close(ends[0]);
  for (const LivingProcess& process : tree->living()) {
    kill(process.pid, SIGKILL);
  }
}

}  // namespace
}  // namespace ridge::platform
