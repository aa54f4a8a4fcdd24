#include "measure/run/process_identity.hpp"

#include <csignal>
#include <unistd.h>

#include <gtest/gtest.h>

#include "platform/process.hpp"

namespace ridge::measure {
namespace {

TEST(ReadProcessIdentity, OfAChildWithItsEnvironment) {
  platform::ProcessOptions options;
  options.arguments = {"sleep", "1000"};
  options.environment = {{"PMI_RANK", "5"}};
  auto process = platform::Process::start(options);
  ASSERT_TRUE(process);
  EXPECT_EQ(read_process_identity(process->pid()), (ProcessIdentity{{"sleep", "1000"}, 5}));
  kill(process->pid(), SIGKILL);
  (void)process->wait();
  EXPECT_EQ(read_process_identity(process->pid()), std::nullopt);
}

}  // namespace
}  // namespace ridge::measure
