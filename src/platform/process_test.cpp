#include "platform/process.hpp"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <sys/personality.h>
#include <sys/stat.h>
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

class ProcessTest : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text, mode_t mode) {
    const std::string path = folder_ / name;
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

  const tests::TemporaryFolder temporary_;
  const fs::path folder_ = temporary_.path();
};

ErrorCode code_of(const std::vector<std::string>& arguments, std::string& message) {
  const auto started = Process::start({arguments, {}, {}, {}, {}});
  if (started) {
    ADD_FAILURE() << "started";
    return ErrorCode::gate_failed;
  }
  message = started.error().message;
  EXPECT_FALSE(started.error().hint.empty()) << message;
  return started.error().code;
}

TEST_F(ProcessTest, ReportsTheExitCode) {
  auto process = Process::start({{"sh", "-c", "exit 7"}, {}, {}, {}, {}});
  ASSERT_TRUE(process);
  const auto status = process->wait();
  EXPECT_EQ(status.code, 7);
  EXPECT_EQ(status.signal, std::nullopt);
  EXPECT_EQ(status.shell_code(), 7);
}

TEST_F(ProcessTest, FixesAddressesIfAsked) {
  constexpr unsigned long kAsk = 0xffffffff;
  const int before = personality(kAsk);
  if (before < 0 || personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) < 0) {
    GTEST_SKIP() << "this system does not allow it";
  }
  personality(static_cast<unsigned long>(before));
  const std::string fixed = "test $((0x$(cat /proc/self/personality) & 0x40000)) -ne 0";
  auto as_ever = Process::start({{"sh", "-c", fixed}, {}, {}, {}, {}});
  auto asked = Process::start({{"sh", "-c", fixed}, {}, {}, {}, {}, true});
  ASSERT_TRUE(as_ever && asked);
  EXPECT_EQ(as_ever->wait().code, (before & ADDR_NO_RANDOMIZE) != 0 ? 0 : 1);
  EXPECT_EQ(asked->wait().code, 0);
}

TEST_F(ProcessTest, TheProgramWaitsForWhoeverHasSomethingToDoBefore) {
  ProcessOptions options{{"sh", "-c", "test -e $0", folder_ / "made"}, {}, {}, {}, {}};
  pid_t told = 0;
  options.before_exec = [&](pid_t pid) -> Result<void> {
    told = pid;
    std::ofstream(folder_ / "made") << "\n";
    return {};
  };
  auto process = Process::start(options);
  ASSERT_TRUE(process);
  EXPECT_EQ(told, process->pid());
  EXPECT_EQ(process->wait().code, 0);
}

TEST_F(ProcessTest, NoProgramWhereThatFails) {
  ProcessOptions options{{"sh", "-c", ": > $0", folder_ / "made"}, {}, {}, {}, {}};
  pid_t told = 0;
  options.before_exec = [&](pid_t pid) -> Result<void> {
    told = pid;
    return fail(ErrorCode::gate_failed, "not now");
  };
  const auto process = Process::start(options);
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().code, ErrorCode::gate_failed);
  EXPECT_FALSE(fs::exists(folder_ / "made"));
  EXPECT_NE(kill(told, 0), 0) << "it is waited for";
}

TEST_F(ProcessTest, ReportsTheSignal) {
  auto process = Process::start({{"sh", "-c", "kill -SEGV $$"}, {}, {}, {}, {}});
  ASSERT_TRUE(process);
  const auto status = process->wait();
  EXPECT_EQ(status.signal, SIGSEGV);
  EXPECT_EQ(status.shell_code(), 128 + SIGSEGV);
}

TEST_F(ProcessTest, PassesArgumentsUnchanged) {
  const auto captured = run_and_capture(
      {"printf", "[%s]", "", " a b ", "\"q\"", "it's", "$HOME", "*", "line\nbreak", "\\"});
  ASSERT_TRUE(captured);
  EXPECT_EQ(captured->output, "[][ a b ][\"q\"][it's][$HOME][*][line\nbreak][\\]");
}

TEST_F(ProcessTest, AddsAndReplacesEnvironment) {
  setenv("RIDGE_TEST_OLD", "old", 1);
  setenv("RIDGE_TEST_OLDER", "kept", 1);
  const std::string path = folder_ / "out";
  const int out = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  auto process = Process::start(
      {{"sh", "-c", "env | grep -c '^RIDGE_TEST_OLD='; echo $RIDGE_TEST_OLD $RIDGE_TEST_OLDER"},
       {{"RIDGE_TEST_OLD", "new value"}},
       {},
       out,
       {}});
  ASSERT_TRUE(process);
  EXPECT_EQ(process->wait().code, 0);
  close(out);
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, "1\nnew value kept\n");
}

TEST_F(ProcessTest, StreamsMayBeEachOther) {
  const std::string path = folder_ / "both";
  const int file = open(path.c_str(), O_CREAT | O_RDWR | O_APPEND | O_CLOEXEC, 0600);
  auto process = Process::start({{"sh", "-c", "echo out; echo err >&2"}, {}, {}, file, file});
  ASSERT_TRUE(process);
  EXPECT_EQ(process->wait().code, 0);
  close(file);
  EXPECT_EQ(fs::file_size(path), 8U);
}

TEST_F(ProcessTest, NotFound) {
  std::string message;
  EXPECT_EQ(code_of({"ridge-no-such-program"}, message), ErrorCode::bad_input);
  EXPECT_THAT(message, HasSubstr("ridge-no-such-program not found"));
  EXPECT_EQ(code_of({folder_ / "missing"}, message), ErrorCode::bad_input);
  EXPECT_EQ(code_of({""}, message), ErrorCode::bad_input);
  EXPECT_EQ(code_of({}, message), ErrorCode::bad_input);
}

TEST_F(ProcessTest, ADirectoryIsNoProgram) {
  std::string message;
  EXPECT_EQ(code_of({folder_.string()}, message), ErrorCode::bad_input);
  EXPECT_THAT(message, HasSubstr("is a directory"));
}

TEST_F(ProcessTest, NotExecutable) {
  std::string message;
  EXPECT_EQ(code_of({write("data", "text", 0644)}, message), ErrorCode::bad_input);
  EXPECT_THAT(message, HasSubstr("not executable"));
}

TEST_F(ProcessTest, AMissingInterpreterIsNamedAsTheReason) {
  std::string message;
  EXPECT_EQ(code_of({write("script", "#!/no/such/interpreter\n", 0755)}, message),
            ErrorCode::bad_input);
  EXPECT_THAT(message, HasSubstr("interpreter"));
}

TEST_F(ProcessTest, AScriptWithoutInterpreterRunsInTheShell) {
  const auto captured = run_and_capture({write("bare", "echo \"$# $1\"\n", 0755), "a b"});
  ASSERT_TRUE(captured);
  EXPECT_EQ(captured->output, "1 a b\n");
}

TEST_F(ProcessTest, FindsProgramsInPathOnly) {
  const auto found = find_program("sh");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->front(), '/');
  EXPECT_FALSE(find_program("no-slash-here"));
  EXPECT_EQ(*find_program("/bin/sh"), "/bin/sh");
}

TEST_F(ProcessTest, WaitForGivesUpAndTheDestructorCleansUp) {
  pid_t pid = 0;
  {
    auto process = Process::start({{"sleep", "60"}, {}, {}, {}, {}});
    ASSERT_TRUE(process);
    pid = process->pid();
    EXPECT_EQ(process->wait_for(std::chrono::milliseconds(5)), std::nullopt);
    EXPECT_EQ(process->poll(), std::nullopt);
  }
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(ProcessTest, AStoppedChildIsStillRunning) {
  auto process = Process::start({{"sh", "-c", "kill -STOP $$; exit 3"}, {}, {}, {}, {}});
  ASSERT_TRUE(process);
  EXPECT_EQ(process->wait_for(std::chrono::milliseconds(50)), std::nullopt);
  kill(process->pid(), SIGCONT);
  EXPECT_EQ(process->wait().code, 3);
}

TEST_F(ProcessTest, CapturesBothStreamsBeyondThePipe) {
  const auto captured = run_and_capture(
      {"sh", "-c", "head -c 300000 /dev/zero; head -c 200000 /dev/zero >&2; cat; exit 2"});
  ASSERT_TRUE(captured);
  EXPECT_EQ(captured->output.size(), 300000U);
  EXPECT_EQ(captured->errors.size(), 200000U);
  EXPECT_EQ(captured->status.code, 2);
}

TEST_F(ProcessTest, CaptureEndsWhatTakesTooLong) {
  const auto captured = run_and_capture({"sleep", "60"}, std::chrono::milliseconds(50));
  ASSERT_FALSE(captured);
  EXPECT_EQ(captured.error().code, ErrorCode::unavailable);
}

TEST_F(ProcessTest, TerminationIsPassedOnAndInterruptsAreLeftToTheChild) {
  SignalGuard guard;
  auto process = Process::start(
      {{"sh", "-c", "trap 'exit 42' TERM; echo ready > \"$0\"; while :; do sleep 0.01; done",
        folder_ / "ready"},
       {},
       {},
       {},
       {}});
  ASSERT_TRUE(process);
  SignalGuard::forward_to(process->pid());
  while (!fs::exists(folder_ / "ready")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  raise(SIGINT);  // ignored here, and raise reaches us alone
  EXPECT_EQ(process->wait_for(std::chrono::milliseconds(20)), std::nullopt);
  raise(SIGTERM);
  EXPECT_EQ(process->wait().code, 42);
  EXPECT_EQ(SignalGuard::last_received(), SIGTERM);
}

TEST_F(ProcessTest, ASignalBeforeTheStartIsPassedOnAfterIt) {
  SignalGuard guard;
  raise(SIGTERM);
  auto process = Process::start({{"sleep", "60"}, {}, {}, {}, {}});
  ASSERT_TRUE(process);
  SignalGuard::forward_to(process->pid());
  EXPECT_EQ(process->wait().signal, SIGTERM);
}

TEST_F(ProcessTest, TheChildHasTheDispositionsFromBeforeTheGuard) {
  const SignalGuard guard;
  for (const char* name : {"INT", "QUIT", "PIPE", "TERM"}) {
    auto process = Process::start(
        {{"sh", "-c", std::string("kill -") + name + " $$; exit 0"}, {}, {}, {}, {}});
    ASSERT_TRUE(process);
    EXPECT_TRUE(process->wait().signal.has_value()) << name;
  }
}

}  // namespace
}  // namespace ridge::platform
