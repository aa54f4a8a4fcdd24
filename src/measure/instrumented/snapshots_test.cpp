#include "measure/instrumented/snapshots.hpp"

#include <chrono>
#include <csignal>
#include <fstream>
#include <new>
#include <string>
#include <thread>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/temporary_folder.hpp"

namespace ridge::measure {
namespace {

class SnapshotsTest : public ::testing::Test {
 protected:
  /// Offers until the condition holds; false when it does not in a minute.
  template <class Condition>
  static bool offer_until(Snapshots& snapshots, const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!condition() && std::chrono::steady_clock::now() < end) {
      snapshots.offer();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return condition();
  }
  std::string stored() const {
    std::ifstream file(folder_.path("stored"));
    return {std::istreambuf_iterator<char>(file), {}};
  }
  SnapshotSink sink() {
    return {[this] {
              ++opened_;
              return true;
            },
            [this](const Profile& profile) {
              folder_.write("stored", profile.date);
              return true;
            }};
  }

  const tests::TemporaryFolder folder_;
  int opened_ = 0;
};

TEST_F(SnapshotsTest, ShowWhatIsKnownAtTheirTime) {
  const SnapshotSink where = sink();
  Profile now;
  now.date = "early";
  Snapshots snapshots(where, [&] { return now; });
  snapshots.offer();
  EXPECT_EQ(opened_, 0) << "not at once: short programs need none";
  EXPECT_TRUE(offer_until(snapshots, [&] { return stored() == "early"; }));
  now.date = "late";
  EXPECT_TRUE(offer_until(snapshots, [&] { return stored() == "late"; }));
  EXPECT_EQ(opened_, 1);
}

TEST_F(SnapshotsTest, WhatGoesWrongInTheCopyStaysThere) {
  const SnapshotSink where = sink();
  Snapshots snapshots(where, [&]() -> Profile {
    folder_.write("attempt", "begun");
    throw std::bad_alloc();
  });
  EXPECT_TRUE(
      offer_until(snapshots, [&] { return std::ifstream(folder_.path("attempt")).good(); }));
  EXPECT_EQ(stored(), "");
}

TEST_F(SnapshotsTest, ACopyThatStillWorksEndsWithUs) {
  const SnapshotSink where = sink();
  {
    Snapshots snapshots(where, [&]() -> Profile {
      folder_.write("begun", std::to_string(getpid()));
      while (true) {
        pause();
      }
    });
    ASSERT_TRUE(offer_until(snapshots, [&] {
      std::ifstream file(folder_.path("begun"));
      return file.good() && file.peek() != std::ifstream::traits_type::eof();
    }));
  }
  std::ifstream file(folder_.path("begun"));
  pid_t copy = 0;
  file >> copy;
  EXPECT_EQ(kill(copy, 0), -1);
}

TEST_F(SnapshotsTest, WithoutAPlaceThereAreNone) {
  const SnapshotSink nowhere;
  Snapshots none(nowhere, [] { return Profile(); });
  none.offer();
  SnapshotSink closed = sink();
  closed.open = [this] {
    ++opened_;
    return false;
  };
  Snapshots refused(closed, [] { return Profile(); });
  EXPECT_TRUE(offer_until(refused, [&] { return opened_ > 0; }));
  EXPECT_EQ(stored(), "");
}

}  // namespace
}  // namespace ridge::measure
