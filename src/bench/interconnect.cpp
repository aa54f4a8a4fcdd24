#include "bench/interconnect.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "bench/rank_layout.hpp"

namespace ridge::bench {
namespace {

using platform::Communicator;

constexpr unsigned kRounds = 4;
/// Far above what reading the clock takes.
constexpr double kSampleSeconds = 100e-6;
constexpr unsigned kMostRepeats = 4096;
constexpr unsigned kFewestSamples = 3;  ///< of one round

struct Effortful {
  std::uint64_t most_bytes;
  unsigned samples;  ///< of one size and round
  double seconds;    ///< of one size and round, at most
};

Effortful effortful(Effort effort) {
  switch (effort) {
    case Effort::quick:
      return {4U << 20U, 10, 0.02};
    case Effort::full:
      return {64U << 20U, 100, 0.5};
    case Effort::standard:
      break;
  }
  return {16U << 20U, 30, 0.1};
}

/// 8 bytes, then powers of four up to the largest.
std::vector<std::uint64_t> sizes_up_to(std::uint64_t most) {
  std::vector<std::uint64_t> sizes{sizeof(double)};
  for (std::uint64_t bytes = 64; bytes <= most; bytes *= 4) {
    sizes.push_back(bytes);
  }
  return sizes;
}

std::span<std::byte> bytes_of(auto& value) {
  return std::as_writable_bytes(std::span(&value, 1));
}

struct Seat {
  std::array<char, 64> host{};
  unsigned cpus = 0;
};

std::vector<Seat> seats_of_all(Communicator& ranks, const InterconnectRequest& request) {
  Seat mine;
  request.host.copy(mine.host.data(), mine.host.size() - 1);
  mine.cpus = request.cpus;
  std::vector<Seat> seats(ranks.ranks());
  for (unsigned rank = 0; rank < seats.size(); ++rank) {
    seats[rank] = mine;
    ranks.broadcast(rank, bytes_of(seats[rank]));
  }
  return seats;
}

Result<void> check_room(const std::vector<Seat>& seats) {
  std::map<std::string, std::pair<unsigned, unsigned>> hosts;
  for (const Seat& seat : seats) {
    auto& [ranks, cpus] = hosts[seat.host.data()];
    ++ranks;
    cpus = std::max(cpus, seat.cpus);
  }
  for (const auto& [name, host] : hosts) {
    const auto& [ranks, cpus] = host;
    if (cpus > 0 && ranks > cpus) {
      return fail(ErrorCode::unavailable,
                  fmt::format("{} has {} CPUs for {} ranks: they would take turns, and messages "
                              "would wait for them",
                              name, cpus, ranks),
                  "start at most as many ranks as there are CPUs");
    }
  }
  return {};
}

/// One pattern among the ranks, at any size.
class LinkSampler {
 public:
  LinkSampler(Communicator& ranks, const LinkPlan& plan, const std::function<double()>& now,
              std::uint64_t most_bytes)
      : ranks_(&ranks),
        plan_(&plan),
        now_(&now),
        partner_(partner_of(plan, ranks.rank())),
        sent_(most_bytes / sizeof(double), 1.0),
        received_(most_bytes / sizeof(double)) {}

  /// Appends the times of one round, the same in all ranks.
  void sample(std::uint64_t bytes, const Effortful& effort, std::vector<double>& times) {
    repeat(bytes, 2);
    std::array<unsigned, 2> plan{};  // repeats in a sample, samples
    const double first = time_of(bytes, 3);
    plan[0] = static_cast<unsigned>(
        std::clamp(std::ceil(kSampleSeconds / first), 1.0, double{kMostRepeats}));
    plan[1] = static_cast<unsigned>(std::clamp(effort.seconds / (first * plan[0]),
                                               double{kFewestSamples}, double(effort.samples)));
    // Computed from sums that may differ in the last bit: one rank decides.
    ranks_->broadcast(0, bytes_of(plan));
    for (unsigned i = 0; i < plan[1]; ++i) {
      times.push_back(time_of(bytes, plan[0]));
    }
  }

 private:
  [[nodiscard]] bool is_first() const {
    return !plan_->pairs.empty() && ranks_->rank() == plan_->pairs.front().first;
  }

  void ping_pong(std::uint64_t bytes) {
    const auto out = std::as_bytes(std::span(sent_)).first(bytes);
    const auto in = std::as_writable_bytes(std::span(received_)).first(bytes);
    if (is_first()) {
      ranks_->send(*partner_, out);
      ranks_->receive(*partner_, in);
    } else {
      ranks_->receive(*partner_, in);
      ranks_->send(*partner_, out);
    }
  }

  void repeat(std::uint64_t bytes, unsigned times) {
    for (unsigned i = 0; i < times; ++i) {
      if (plan_->pattern == LinkPattern::all_reduce) {
        const std::size_t count = bytes / sizeof(double);
        ranks_->sum(std::span(sent_).first(count), std::span(received_).first(count));
      } else if (partner_ && plan_->pattern == LinkPattern::ping_pong) {
        ping_pong(bytes);
      } else if (partner_) {
        ranks_->exchange(*partner_, std::as_bytes(std::span(sent_)).first(bytes),
                         std::as_writable_bytes(std::span(received_)).first(bytes));
      }
    }
  }

  /// Seconds of one message or operation: the mean over the ranks that took part.
  double time_of(std::uint64_t bytes, unsigned repeats) {
    ranks_->barrier();
    const double start = (*now_)();
    repeat(bytes, repeats);
    const double mine = (*now_)() - start;
    // Of a ping-pong the one that waits for the answer knows the way there and back.
    const bool took_part = plan_->pattern == LinkPattern::ping_pong  ? is_first()
                           : plan_->pattern == LinkPattern::exchange ? partner_.has_value()
                                                                     : true;
    const std::array<double, 2> out{took_part ? mine : 0.0, took_part ? 1.0 : 0.0};
    std::array<double, 2> all{};
    ranks_->sum(out, all);
    const double ways = plan_->pattern == LinkPattern::ping_pong ? 2.0 : 1.0;
    return std::max(all[0] / all[1] / ways / repeats, 1e-12);
  }

  Communicator* ranks_;
  const LinkPlan* plan_;
  const std::function<double()>* now_;
  std::optional<unsigned> partner_;
  std::vector<double> sent_;
  std::vector<double> received_;
};

using Times = std::map<std::uint64_t, std::vector<double>>;

Link link_from(const LinkPlan& plan, unsigned ranks, const Times& times) {
  Link link{.pattern = plan.pattern,
            .reach = plan.reach,
            .ranks = plan.pairs.empty() ? ranks : static_cast<unsigned>(2 * plan.pairs.size())};
  for (const auto& [bytes, seconds] : times) {
    link.points.push_back({bytes, *estimate_from<Seconds>(seconds)});
    std::vector<double> rates;
    for (const double second : seconds) {
      rates.push_back(static_cast<double>(bytes) / second);
    }
    const auto rate = *estimate_from<BytesPerSecond>(std::move(rates));
    if (rate.p90 > link.bandwidth.p90) {
      link.bandwidth = rate;
    }
  }
  link.latency = link.points.front().value;
  return link;
}

}  // namespace

Result<MeasuredInterconnect> measure_interconnect(Communicator& ranks,
                                                  const InterconnectRequest& request) {
  const auto seats = seats_of_all(ranks, request);
  if (const auto room = check_room(seats); !room) {
    return tl::make_unexpected(room.error());
  }
  std::vector<std::string> hosts;
  for (const Seat& seat : seats) {
    hosts.emplace_back(seat.host.data());
  }
  const auto plans = link_plans(hosts);
  const Effortful effort = effortful(request.effort);
  const auto sizes = sizes_up_to(std::min(effort.most_bytes, request.most_bytes));
  if (ranks.rank() == 0 && request.on_start) {
    request.on_start(plans.size(), sizes.size());
  }
  std::vector<Times> times(plans.size());
  for (unsigned round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < plans.size(); ++i) {
      LinkSampler sampler(ranks, plans[i], request.now, sizes.back());
      for (const std::uint64_t bytes : sizes) {
        sampler.sample(bytes, effort, times[i][bytes]);
      }
    }
  }
  Interconnect made{.library = ranks.library(),
                    .date = request.date,
                    .ranks = ranks.ranks(),
                    .nodes = count_nodes(hosts)};
  for (std::size_t i = 0; i < plans.size(); ++i) {
    made.links.push_back(link_from(plans[i], ranks.ranks(), times[i]));
  }
  const auto first_here = std::ranges::find(hosts, hosts[ranks.rank()]) - hosts.begin();
  return MeasuredInterconnect{std::move(made), first_here == ranks.rank()};
}

}  // namespace ridge::bench
