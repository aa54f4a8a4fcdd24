// What must hold of every gain, on random regions and machines (seeded).
#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "predict/findings/finding_case.hpp"
#include "predict/findings/gain.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {
namespace {

using namespace testing;

constexpr auto fp64 = Precision::fp64;
constexpr double kTolerance = 1e-6;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t count(std::uint64_t most) {
    return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_);
  }
  double real(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  bool coin() { return count(1) == 1; }

 private:
  std::mt19937_64 engine_;
};

void randomise(Case& example, Random& random) {
  Region& loop = example.loop();
  const std::uint64_t large = 100000 * kMega;
  for (int i = 0; i < 3; ++i) {
    const unsigned widths[]{64, 128, 256, 512};
    const auto kind = static_cast<OperationKind>(random.count(4));
    work_of(loop).add(fp64, kind, widths[random.count(3)], random.count(large));
  }
  loop.fusible_flops = random.count(known_work(loop).total());
  loop.bytes_loaded = random.count(large);
  loop.bytes_stored = random.count(large);
  loop.bytes_overwritten = random.count(*loop.bytes_stored);
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    loop.traffic[level] = {random.count(large), random.count(large)};
    loop.least_traffic[level] = {random.count(loop.traffic[level].read) + 1,
                                 random.count(loop.traffic[level].written)};
  }
  loop.accesses = {{AccessPattern::constant, false, 64, random.count(1000)},
                   {AccessPattern::indirect, false, {}, random.count(1000)},
                   {AccessPattern::unit, false, {}, random.count(1000)}};
  loop.caused_wait_seconds = Seconds(random.real(0.0, 40.0));
  loop.line_use = random.real(0.05, 1.0);
  loop.gathered = Traffic{random.count(*loop.bytes_loaded), 0};
  loop.masked = MaskedOperations{1000, 8000, 1 + random.count(7999)};
  loop.miss_curve = {{32768, random.count(large)}, {2000000, 0}};
  loop.sharing = LineSharing{2, random.count(1), random.count(1), random.count(100 * kMega)};
  loop.thread_work = {{0, random.count(1000), 0, 0, {}}, {1, random.count(1000), 0, 0, {}}};
  loop.iterations = kMega + random.count(4000 * kMega);
  loop.entries = 1 + random.count(*loop.iterations / (random.coin() ? 2 : 100));
  loop.chain = {{static_cast<ChainOperation>(random.count(7)), fp64, random.coin(),
                 random.count(2 * *loop.iterations)}};
  loop.threads = static_cast<unsigned>(1 + random.count(1));
  if (random.coin()) {
    loop.not_vectorised = "reason";
  }
  add_bandwidth(example.profile.machine, "L1", Pattern::gather, Isa::avx512, 1,
                random.real(1e9, 1e11));
  for (const Level level : {Level::L1, Level::L2, Level::L3, Level::DRAM}) {
    example.add_latency(level, random.real(1e-9, 1e-6));
  }
  const Prediction at_roof = predict(example.profile, &example.cpu);
  if (at_roof.regions.at(1).code && at_roof.regions[1].code->fraction) {
    const double roof = *at_roof.regions[1].code->fraction * kTen;
    took(loop, roof * random.real(0.8, 5.0));
    loop.cpu_seconds.self = loop.time_seconds.self;
  }
  example.profile.program.wall_seconds =
      Seconds(loop.time_seconds.self->value.value() * random.real(1.0, 3.0));
}

double machine_roof_seconds(const Region& region, const Case& example) {
  const auto bound = predict_region(region, example.profile.machine, &example.cpu).machine;
  return bound ? axis_of(region, example.profile.machine)->amount / bound->attainable : 0.0;
}

TEST(GainProperties, NothingIsPromisedBeyondTheRoofOfTheMachine) {
  // These do not change what crosses the boundaries: the machine's own roof stands.
  const std::set<std::string> same_traffic{
      "not-vectorised", "scalar-flops",     "narrow-vectors", "unfused-multiply-add",
      "idle-lanes",     "divisions",        "few-threads",    "load-imbalance",
      "rank-imbalance", "dependency-chain", "pointer-chase",  "latency-bound",
      "false-sharing",  "shared-writes",    "gather-scatter", "short-loop",
      "serial-part"};
  Random random(11);
  std::set<std::string> seen;
  for (int round = 0; round < 1000; ++round) {
    Case example;
    randomise(example, random);
    const double seconds = example.loop().time_seconds.self->value.value();
    const double roof = machine_roof_seconds(example.loop(), example);
    Region bare = example.loop();  // whatever is spared, this is left
    bare.traffic.clear();
    const double least_roof = machine_roof_seconds(bare, example);
    for (const Finding& finding : example.findings()) {
      if (!finding.gain) {
        EXPECT_TRUE(finding.gain_note) << finding.code;
        continue;
      }
      seen.insert(finding.code);
      const double after = seconds / *finding.gain;
      EXPECT_GE(*finding.gain, 1.0);
      EXPECT_TRUE(std::isfinite(*finding.gain));
      EXPECT_GE(finding.gain_least.value_or(1.0), 1.0);
      EXPECT_LE(finding.gain_least.value_or(1.0), *finding.gain);
      const double floor = same_traffic.contains(finding.code) ? roof : least_roof;
      EXPECT_GE(after * (1.0 + kTolerance), std::min(floor, seconds)) << finding.code;
      ASSERT_TRUE(finding.gain_program) << finding.code;
      EXPECT_LE(*finding.gain_program, *finding.gain * (1.0 + kTolerance));
    }
  }
  EXPECT_GE(seen.size(), 17U);  // the property was tried
}

TEST(GainProperties, LessOfAnythingNeverTakesLonger) {
  Random random(12);
  for (int round = 0; round < 300; ++round) {
    Case example;
    randomise(example, random);
    const Prediction prediction = predict(example.profile, &example.cpu);
    const CeilingIndex ceilings(example.profile.machine);
    const Subject subject{example.loop(),
                          example.profile.machine,
                          ceilings,
                          &example.cpu,
                          &prediction.regions.at(1),
                          {},
                          {&example.loop()},
                          0.0};
    const Needs now = needs_of(subject, example.loop());
    const Needs then = needs_of(subject, with_traffic(subject, "L2", random.real(0.0, 1.0)));
    EXPECT_LE(then.overlapped(), now.overlapped() * (1.0 + kTolerance));
    EXPECT_LE(then.added(), now.added() * (1.0 + kTolerance));
    EXPECT_GE(now.added() * (1.0 + kTolerance), now.overlapped());
    if (const auto gain = gain_between(subject, now, then)) {
      EXPECT_LE(1.0, gain->least);
      EXPECT_LE(gain->least, gain->most);
    }
    if (const auto same = gain_between(subject, now, now)) {
      EXPECT_DOUBLE_EQ(same->most, 1.0);
    }
  }
}

}  // namespace
}  // namespace ridge::predict
