// What must hold of every bound, on random regions and random machines (seeded).
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>

#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/machines_for_tests.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

using testing::has_note;
using testing::region_named;
using testing::skylake_x;
using testing::skylake_x_pipes;
using testing::took;
using testing::zen4;
using testing::zen4_pipes;

constexpr int kRounds = 100;
constexpr double kRounding = 1e-9;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}

  std::uint64_t count(std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_);
  }
  double factor(double spread) {
    return std::exp(std::uniform_real_distribution<double>(-spread, spread)(engine_));
  }
  bool coin() { return count(1) == 1; }

  Region region() {
    Region region = region_named("random");
    const auto terms = count(6);
    for (std::uint64_t i = 0; i < terms; ++i) {
      const auto precision = coin() ? Precision::fp64 : Precision::fp32;
      const unsigned widths[]{element_bits(precision), 128, 256, 512};
      work_of(region).terms.push_back(
          {precision, static_cast<OperationKind>(count(4)), widths[count(3)], count(1000000)});
    }
    region.bytes_loaded = count(10000000);
    region.bytes_stored = count(10000000);
    for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
      if (coin()) {
        region.traffic[level] = {count(10000000), count(10000000)};
      }
    }
    region.threads = static_cast<unsigned>(1 + count(2));
    return region;
  }

  /// A machine whose ceilings scatter around those of `machine`, some missing.
  Machine scattered(Machine machine) {
    for (Ceiling& ceiling : machine.ceilings) {
      const double by = factor(0.7);
      scale(ceiling, by);
    }
    std::shuffle(machine.ceilings.begin(), machine.ceilings.end(), engine_);
    machine.ceilings.resize(machine.ceilings.size() - count(machine.ceilings.size() / 4));
    return machine;
  }

  static void scale(Ceiling& ceiling, double by) {
    const auto multiply = [by](auto& estimate) {
      estimate.p90 = estimate.p90 * by;
      estimate.median = estimate.median * by;
    };
    std::visit(multiply, ceiling.value);
    if (ceiling.traffic_value) {
      std::visit(multiply, *ceiling.traffic_value);
    }
  }

  void shuffle(std::vector<WorkTerm>& terms) { std::shuffle(terms.begin(), terms.end(), engine_); }

 private:
  std::mt19937_64 engine_;
};

/// Seconds at the roof, 0 without a bound.
double seconds_of(const Region& region, const std::optional<Bound>& bound, const Machine& machine) {
  return bound ? axis_of(region, machine)->amount / bound->attainable : 0.0;
}

TEST(Properties, MoreTrafficNeverRaisesABound) {
  Random random(1);
  const Microarchitecture pipes = zen4_pipes();
  for (int round = 0; round < kRounds; ++round) {
    Machine machine = random.scattered(zen4());
    machine.caches[2].policy = random.coin() ? CachePolicy::victim : CachePolicy::inclusive;
    const Region region = random.region();
    Region more = region;
    for (auto& [level, traffic] : more.traffic) {
      (random.coin() ? traffic.read : traffic.written) += random.count(10000000);
    }
    const auto before = predict_region(region, machine, &pipes);
    const auto after = predict_region(more, machine, &pipes);
    EXPECT_GE(seconds_of(more, after.code, machine) * (1.0 + kRounding),
              seconds_of(region, before.code, machine));
    EXPECT_GE(seconds_of(more, after.machine, machine) * (1.0 + kRounding),
              seconds_of(region, before.machine, machine));
  }
}

TEST(Properties, TwiceAsFastAMachineDoublesEveryBound) {
  Random random(2);
  const Microarchitecture pipes = skylake_x_pipes();
  for (int round = 0; round < kRounds; ++round) {
    const Machine machine = random.scattered(skylake_x());
    Machine twice = machine;
    for (Ceiling& ceiling : twice.ceilings) {
      Random::scale(ceiling, 2.0);
    }
    const Region region = random.region();
    const auto slow = predict_region(region, machine, &pipes);
    const auto fast = predict_region(region, twice, &pipes);
    ASSERT_EQ(slow.code.has_value(), fast.code.has_value());
    if (slow.code) {
      EXPECT_NEAR(fast.code->attainable / slow.code->attainable, 2.0, kRounding);
      EXPECT_NEAR(fast.machine->attainable / slow.machine->attainable, 2.0, kRounding);
      EXPECT_EQ(fast.code->ceiling, slow.code->ceiling);
    }
  }
}

TEST(Properties, TheOrderOfTermsAndCeilingsChangesNothing) {
  Random random(3);
  const Microarchitecture pipes = zen4_pipes();
  for (int round = 0; round < kRounds; ++round) {
    const Machine machine = random.scattered(zen4());
    Machine other = machine;
    std::reverse(other.ceilings.begin(), other.ceilings.end());
    Region region = random.region();
    const auto before = predict_region(region, machine, &pipes);
    random.shuffle(work_of(region).terms);
    const auto after = predict_region(region, other, &pipes);
    EXPECT_EQ(before.code, after.code);
    EXPECT_EQ(before.machine, after.machine);
  }
}

TEST(Properties, SplittingATermChangesNothing) {
  Random random(4);
  const Microarchitecture pipes = zen4_pipes();
  for (int round = 0; round < kRounds; ++round) {
    Region region = random.region();
    const auto before = predict_region(region, zen4(), &pipes);
    const auto terms = known_work(region).terms;
    work_of(region).terms.clear();
    for (WorkTerm term : terms) {
      WorkTerm part = term;
      part.flops = random.count(term.flops);
      term.flops -= part.flops;
      work_of(region).terms.push_back(part);
      work_of(region).terms.push_back(term);
    }
    EXPECT_EQ(predict_region(region, zen4(), &pipes).code, before.code);
  }
}

TEST(Properties, TheCodeIsBelowTheMachineUnlessItIsSaid) {
  Random random(5);
  const Microarchitecture zen = zen4_pipes();
  const Microarchitecture intel = skylake_x_pipes();
  for (int round = 0; round < kRounds; ++round) {
    const Region region = random.region();
    const bool amd = random.coin();
    const auto expect_ordered = [&](const Machine& machine, bool may_be_said) {
      const auto prediction = predict_region(region, machine, amd ? &zen : &intel);
      if (!prediction.code) {
        return;
      }
      if (prediction.code->attainable > prediction.machine->attainable * (1.0 + kRounding)) {
        EXPECT_TRUE(may_be_said && has_note(prediction, "code-above-machine"));
      }
    };
    expect_ordered(amd ? zen4() : skylake_x(), false);
    expect_ordered(random.scattered(amd ? zen4() : skylake_x()), true);
  }
}

TEST(Properties, TheNextCeilingIsHigher) {
  Random random(6);
  const Microarchitecture pipes = zen4_pipes();
  for (int round = 0; round < kRounds; ++round) {
    const auto prediction = predict_region(random.region(), random.scattered(zen4()), &pipes);
    if (prediction.code && prediction.code->next) {
      EXPECT_GE(*prediction.code->next_attainable, prediction.code->attainable);
      EXPECT_NE(*prediction.code->next, prediction.code->ceiling);
    }
  }
}

TEST(Properties, NoInputYieldsANumberThatIsNone) {
  Random random(7);
  const Microarchitecture pipes = zen4_pipes();
  const double rates[]{0.0,
                       -1.0,
                       1e-300,
                       1e300,
                       std::numeric_limits<double>::quiet_NaN(),
                       std::numeric_limits<double>::infinity(),
                       1e10};
  const double times[]{0.0, -1.0, 1e-300, 1e300, std::numeric_limits<double>::quiet_NaN(), 1.0};
  const auto expect_sane = [](const std::optional<Bound>& bound) {
    if (bound) {
      EXPECT_TRUE(std::isfinite(bound->attainable) && bound->attainable > 0.0);
      EXPECT_TRUE(!bound->fraction || (std::isfinite(*bound->fraction) && *bound->fraction >= 0.0));
      EXPECT_FALSE(bound->ceiling.empty());
    }
  };
  for (int round = 0; round < 3 * kRounds; ++round) {
    Machine machine = zen4();
    for (Ceiling& ceiling : machine.ceilings) {
      if (random.coin()) {
        Random::scale(ceiling, rates[random.count(6)] / p90_of(ceiling.value));
      }
    }
    Region region = random.region();
    took(region, times[random.count(5)]);
    if (random.coin()) {
      region.bytes_loaded = std::numeric_limits<std::uint64_t>::max();
      region.bytes_stored = std::numeric_limits<std::uint64_t>::max();
      region.traffic["DRAM"] = {std::numeric_limits<std::uint64_t>::max(),
                                std::numeric_limits<std::uint64_t>::max()};
    }
    region.threads = random.coin() ? 0 : std::numeric_limits<unsigned>::max();
    const auto prediction = predict_region(region, machine, random.coin() ? &pipes : nullptr);
    expect_sane(prediction.code);
    expect_sane(prediction.machine);
  }
}

}  // namespace
}  // namespace ridge::predict
