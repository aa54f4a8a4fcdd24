#include "platform/stop_signals.hpp"

#include <csignal>

#include <gtest/gtest.h>

namespace ridge::platform {
namespace {

TEST(StopSignals, NotesTheFirstAndGivesTheOldBehaviourBack) {
  {
    const StopSignals signals;
    EXPECT_EQ(StopSignals::received(), 0);
    std::raise(SIGTERM);
    EXPECT_EQ(StopSignals::received(), SIGTERM);
    std::raise(SIGINT);
    EXPECT_EQ(StopSignals::received(), SIGTERM) << "the first counts";
  }
  struct sigaction action{};
  sigaction(SIGINT, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
  const StopSignals again;
  EXPECT_EQ(StopSignals::received(), 0);
}

TEST(StopSignals, TheSecondOfAKindEnds) {
  EXPECT_EXIT(
      {
        const StopSignals signals;
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

TEST(StopSignals, IgnoredStaysIgnored) {
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before{};
  sigaction(SIGHUP, &ignore, &before);
  {
    const StopSignals signals;
    std::raise(SIGHUP);
    EXPECT_EQ(StopSignals::received(), 0);
  }
  sigaction(SIGHUP, &before, nullptr);
}

}  // namespace
}  // namespace ridge::platform
