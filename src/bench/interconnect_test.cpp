// Ranks are threads, time is computed: a message takes latency + bytes / bandwidth, so that what
// the measurement must find is known in closed form.
#include "bench/interconnect.hpp"

#include <algorithm>
#include <barrier>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::bench {
namespace {

constexpr double kLatency = 40e-6;
constexpr double kBandwidth = 4e9;
constexpr std::uint64_t kMostBytes = 64U << 10U;
constexpr double kReduction = 90e-6;  ///< of any size, plus its bytes over the bandwidth

double message_seconds(std::size_t bytes) {
  return kLatency + static_cast<double>(bytes) / kBandwidth;
}

/// What all ranks of a modelled start share.
struct Wires {
  explicit Wires(unsigned count)
      : ranks(count), gate(static_cast<std::ptrdiff_t>(count)), clocks(count), sums(count) {}

  struct Message {
    std::vector<std::byte> bytes;
    double sent_at = 0.0;
  };
  unsigned ranks;
  std::barrier<> gate;
  std::vector<double> clocks;
  std::vector<std::vector<double>> sums;
  std::mutex mutex;
  std::condition_variable arrived;
  std::map<std::pair<unsigned, unsigned>, std::deque<Message>> boxes;  ///< from, to
};

class ModelledRank final : public platform::Communicator {
 public:
  ModelledRank(Wires& wires, unsigned rank) : wires_(&wires), rank_(rank) {}

  [[nodiscard]] double now() const { return wires_->clocks[rank_]; }
  [[nodiscard]] unsigned rank() const override { return rank_; }
  [[nodiscard]] unsigned ranks() const override { return wires_->ranks; }
  [[nodiscard]] std::string library() const override { return "threads"; }

  void send(unsigned to, std::span<const std::byte> message) override {
    const std::scoped_lock lock(wires_->mutex);
    wires_->boxes[{rank_, to}].push_back({{message.begin(), message.end()}, now()});
    wires_->arrived.notify_all();
  }
  void receive(unsigned from, std::span<std::byte> message) override {
    std::unique_lock lock(wires_->mutex);
    auto& box = wires_->boxes[{from, rank_}];
    wires_->arrived.wait(lock, [&] { return !box.empty(); });
    const Wires::Message came = std::move(box.front());
    box.pop_front();
    ASSERT_EQ(came.bytes.size(), message.size());
    std::ranges::copy(came.bytes, message.begin());
    clock() = std::max(now(), came.sent_at + message_seconds(message.size()));
  }
  void exchange(unsigned partner, std::span<const std::byte> sent,
                std::span<std::byte> received) override {
    send(partner, sent);
    receive(partner, received);
  }
  void barrier() override { meet(0.0); }
  void sum(std::span<const double> mine, std::span<double> all) override {
    wires_->sums[rank_].assign(mine.begin(), mine.end());
    meet(kReduction + static_cast<double>(mine.size_bytes()) / kBandwidth);
    std::ranges::fill(all, 0.0);
    for (const auto& theirs : wires_->sums) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] += theirs[i];
      }
    }
    wires_->gate.arrive_and_wait();  // nobody overwrites what others still read
  }
  void broadcast(unsigned from, std::span<std::byte> message) override {
    for (unsigned to = 0; rank_ == from && to < ranks(); ++to) {
      if (to != from) {
        send(to, message);
      }
    }
    if (rank_ != from) {
      receive(from, message);
    }
  }

 private:
  double& clock() { return wires_->clocks[rank_]; }
  void meet(double seconds) {
    wires_->gate.arrive_and_wait();
    const double latest = *std::ranges::max_element(wires_->clocks);
    wires_->gate.arrive_and_wait();
    clock() = latest + seconds;
    wires_->gate.arrive_and_wait();
  }

  Wires* wires_;
  unsigned rank_;
};

std::vector<Result<MeasuredInterconnect>> measure(const std::vector<std::string>& hosts,
                                                  unsigned cpus = 0) {
  Wires wires(static_cast<unsigned>(hosts.size()));
  std::vector<Result<MeasuredInterconnect>> results(hosts.size());
  std::vector<std::thread> threads;
  for (unsigned rank = 0; rank < hosts.size(); ++rank) {
    threads.emplace_back([&, rank] {
      ModelledRank self(wires, rank);
      results[rank] = measure_interconnect(self, {.effort = Effort::quick,
                                                  .most_bytes = kMostBytes,
                                                  .host = hosts[rank],
                                                  .cpus = cpus,
                                                  .date = "2026-01-02T03:04:05Z",
                                                  .now = [&self] { return self.now(); }});
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  return results;
}

TEST(Interconnect, FindsLatencyAndBandwidthOfTheModel) {
  const auto results = measure({"a", "a"});
  ASSERT_TRUE(results[0]);
  const Interconnect& found = results[0]->interconnect;
  EXPECT_EQ(found.library, "threads");
  EXPECT_EQ(found.ranks, 2U);
  EXPECT_EQ(found.nodes, 1U);
  ASSERT_EQ(found.links.size(), 3U);
  for (const LinkPattern pattern : {LinkPattern::ping_pong, LinkPattern::exchange}) {
    const Link* link = find_link(found, pattern, LinkReach::intra_node);
    ASSERT_NE(link, nullptr);
    EXPECT_NEAR(link->latency.low.value(), message_seconds(8), 1e-10);
    const LinkPoint& largest = link->points.back();
    EXPECT_EQ(largest.bytes, kMostBytes);
    EXPECT_NEAR(link->bandwidth.p90.value(),
                static_cast<double>(largest.bytes) / message_seconds(largest.bytes), 1e5);
    for (const LinkPoint& point : link->points) {
      EXPECT_NEAR(point.value.median.value() / message_seconds(point.bytes), 1.0, 1e-6);
    }
  }
  const Link* all = find_link(found, LinkPattern::all_reduce, LinkReach::intra_node);
  ASSERT_NE(all, nullptr);
  EXPECT_NEAR(all->latency.median.value(), kReduction + 8 / kBandwidth, 1e-10);
}

TEST(Interconnect, AllRanksGetTheSameAndOneSpeaksForEachHost) {
  const auto results = measure({"a", "b", "a", "c"});
  std::vector<bool> speaks;
  for (const auto& result : results) {
    ASSERT_TRUE(result);
    EXPECT_EQ(result->interconnect, results[0]->interconnect);
    speaks.push_back(result->speaks_for_host);
  }
  EXPECT_THAT(speaks, testing::ElementsAre(true, true, false, true));
  EXPECT_EQ(results[0]->interconnect.nodes, 3U);
  const Link* between =
      find_link(results[0]->interconnect, LinkPattern::exchange, LinkReach::inter_node);
  ASSERT_NE(between, nullptr);
  EXPECT_EQ(between->ranks, 2U);
}

TEST(Interconnect, RanksThatTakeTurnsAreRefusedInAll) {
  for (const auto& result : measure({"a", "a", "a"}, 2)) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::unavailable);
    EXPECT_THAT(result.error().message, testing::HasSubstr("a has 2 CPUs for 3 ranks"));
  }
}

}  // namespace
}  // namespace ridge::bench
