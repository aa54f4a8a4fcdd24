#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "predict/findings/predict.hpp"
#include "predict/roof/machines_for_tests.hpp"

namespace ridge::predict {
namespace {

using testing::add_bandwidth;
using testing::add_boundary;
using testing::code_bound;
using testing::kGB;
using testing::kMega;
using testing::kZen;
using testing::region_named;
using testing::with_work;
using testing::zen4;
using testing::zen4_pipes;

Region with_traffic(Traffic dram, std::uint64_t flops) {
  Region region = with_work(OperationKind::fma, 512, flops);
  region.traffic["DRAM"] = dram;
  return region;
}

TEST(BandwidthRoof, MeasuredMixesAreReproduced) {
  const auto rate = [](Traffic traffic) {  // flop/s with one flop per byte of traffic
    return code_bound(with_traffic(traffic, traffic.total()), zen4(), zen4_pipes());
  };
  EXPECT_DOUBLE_EQ(rate({300 * kMega, 0}).attainable, 40 * kGB);
  EXPECT_EQ(rate({300 * kMega, 0}).ceiling, "bandwidth.DRAM.load.avx512.t1");
  EXPECT_DOUBLE_EQ(rate({200 * kMega, 100 * kMega}).attainable, 36 * kGB);
  EXPECT_EQ(rate({200 * kMega, 100 * kMega}).ceiling, "bandwidth.DRAM.copy.avx512.t1");
  EXPECT_DOUBLE_EQ(rate({150 * kMega, 150 * kMega}).attainable, 30 * kGB);
  EXPECT_EQ(rate({150 * kMega, 150 * kMega}).ceiling, "bandwidth.DRAM.store.avx512.t1");
}

TEST(BandwidthRoof, TimePerByteIsLinearBetweenThem) {
  // Triad with write-allocate: 3 read, 1 written, share 1/4 = 3/4 of the way from load to copy.
  const Bound triad = code_bound(with_traffic({3 * kMega, kMega}, 4 * kMega), zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(triad.attainable, 1.0 / (0.25 / (40 * kGB) + 0.75 / (36 * kGB)));
  EXPECT_EQ(triad.ceiling, "bandwidth.DRAM.copy.avx512.t1");
  // Beyond the store mix (non-temporal stores): the store ceiling.
  const Bound stores = code_bound(with_traffic({0, kMega}, kMega), zen4(), zen4_pipes());
  EXPECT_DOUBLE_EQ(stores.attainable, 30 * kGB);
}

TEST(BandwidthRoof, WithoutWriteAllocateTheMixesMove) {
  Machine machine;
  add_bandwidth(machine, "DRAM", Pattern::load, Isa::avx512, 1, 40 * kGB);
  add_bandwidth(machine, "DRAM", Pattern::copy, Isa::avx512, 1, 36 * kGB);   // half written
  add_bandwidth(machine, "DRAM", Pattern::store, Isa::avx512, 1, 30 * kGB);  // all written
  const auto rate = [&](Traffic traffic) {
    Region region = region_named("copy");
    region.bytes_loaded = traffic.read;
    region.bytes_stored = traffic.written;
    region.traffic["DRAM"] = traffic;
    return code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(rate({kMega, kMega}), 36 * kGB);
  EXPECT_DOUBLE_EQ(rate({0, kMega}), 30 * kGB);
}

/// Files of ERT have this pattern alone.
TEST(BandwidthRoof, AnUpdateStandsInWhereNothingElseWasMeasured) {
  Machine machine;
  add_bandwidth(machine, "DRAM", Pattern::update, Isa::avx512, 1, 50 * kGB);
  const auto rate = [&](Traffic traffic) {
    Region region = region_named("loop");
    region.traffic["DRAM"] = traffic;
    return code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(rate({kMega, 0}), 50 * kGB);
  EXPECT_DOUBLE_EQ(rate({kMega, kMega}), 50 * kGB);
  add_bandwidth(machine, "DRAM", Pattern::load, Isa::avx512, 1, 40 * kGB);
  EXPECT_DOUBLE_EQ(rate({kMega, 0}), 40 * kGB);
  EXPECT_DOUBLE_EQ(rate({kMega, kMega}), 40 * kGB);
}

TEST(BandwidthRoof, OfTwoRatesForOneMixTheHigherHolds) {
  Machine machine;
  add_bandwidth(machine, "DRAM", Pattern::copy, Isa::avx512, 1, 20 * kGB, 1.0);  // half written
  add_bandwidth(machine, "DRAM", Pattern::store, Isa::avx512, 1, 15 * kGB,
                2.0);  // half written as well
  const auto rate = [&] {
    Region region = with_traffic({kMega, kMega}, 2 * kMega);
    return code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(rate(), 30 * kGB);
  machine.ceilings.front() = machine.ceilings.back();
  add_bandwidth(machine, "DRAM", Pattern::copy, Isa::avx512, 1, 35 * kGB, 1.0);
  EXPECT_DOUBLE_EQ(rate(), 35 * kGB);
}

TEST(BandwidthRoof, CleanVictimsCountOnNeitherSide) {
  // Each line that enters L2 pushes one out into the victim L3: half of all traffic is written.
  Machine machine = zen4();
  machine.caches[2].policy = CachePolicy::victim;
  const auto rate_of_reads = [&](Traffic l2, Traffic l3) {
    Region region = region_named("stream");
    region.traffic["L2"] = l2;
    region.traffic["L3"] = l3;
    const Bound bound = code_bound(region, machine, zen4_pipes());
    const double seconds = static_cast<double>(l2.total()) / bound.attainable;
    return static_cast<double>(l3.read) / seconds / kZen;  // byte/cycle
  };
  // A sum: none of the victims is dirty. A copy: one for two lines read. Both as measured.
  EXPECT_DOUBLE_EQ(rate_of_reads({6 * kMega, 0}, {6 * kMega, 6 * kMega}), 25.0);
  EXPECT_DOUBLE_EQ(rate_of_reads({6 * kMega, 3 * kMega}, {6 * kMega, 6 * kMega}), 25.0 * 2 / 3);
  // Of an inclusive cache all that is written is dirty.
  machine.caches[2].policy = CachePolicy::inclusive;
  EXPECT_DOUBLE_EQ(rate_of_reads({6 * kMega, 0}, {6 * kMega, 6 * kMega}), 25.0 / 2);
}

TEST(BandwidthRoof, VictimsInTheRatesOfCeilingsAreTakenOutToo) {
  Machine machine;
  add_bandwidth(machine, "L3", Pattern::load, Isa::avx512, 1, 20 * kGB, 2.0);
  Region region = region_named("sum");
  region.traffic["L3"] = {kMega, 0};
  EXPECT_DOUBLE_EQ(code_bound(region, machine, zen4_pipes()).attainable, 20 * kGB);
}

TEST(BandwidthRoof, WritingCeilingsOfUnknownTrafficAreLeftOut) {
  Machine machine;
  add_bandwidth(machine, "DRAM", Pattern::load, Isa::avx512, 1, 40 * kGB);
  add_bandwidth(machine, "DRAM", Pattern::copy, Isa::avx512, 1, 10 * kGB);
  machine.ceilings.back().traffic_value.reset();
  machine.ceilings.front().traffic_value.reset();  // what a load asks for is what it reads
  const Bound bound =
      code_bound(with_traffic({2 * kMega, kMega}, 3 * kMega), machine, zen4_pipes());
  EXPECT_DOUBLE_EQ(bound.attainable, 40 * kGB);
}

TEST(BandwidthRoof, LessTrafficNeverTakesLonger) {
  // A store ceiling so slow that the interpolation would speed up when reads are added.
  Machine machine;
  add_boundary(machine, "DRAM", 1, 40 * kGB, 36 * kGB, 10 * kGB);
  const auto seconds = [&](Traffic traffic) {
    Region region = with_traffic(traffic, kMega);
    return kMega / code_bound(region, machine, zen4_pipes()).attainable;
  };
  EXPECT_DOUBLE_EQ(seconds({kMega, kMega}), 2 * kMega / (10 * kGB));
  EXPECT_DOUBLE_EQ(seconds({2 * kMega, kMega}), 2 * kMega / (10 * kGB));
}

TEST(BandwidthRoof, L1LoadsStoresAndAllTogether) {
  const auto seconds = [](std::uint64_t loaded, std::uint64_t stored) {
    Region region = region_named("move");
    region.bytes_loaded = loaded;
    region.bytes_stored = stored;
    const Bound bound = code_bound(region, zen4(), zen4_pipes());
    EXPECT_EQ(bound.unit, BoundUnit::bytes_per_second);
    return std::pair{static_cast<double>(loaded + stored) / bound.attainable * kZen, bound.ceiling};
  };
  EXPECT_DOUBLE_EQ(seconds(64, 0).first, 1.0);
  EXPECT_EQ(seconds(64, 0).second, "bandwidth.L1.load.avx512.t1");
  EXPECT_DOUBLE_EQ(seconds(64, 64).first, 2.0);
  EXPECT_EQ(seconds(64, 64).second, "bandwidth.L1.store.avx512.t1");
  EXPECT_DOUBLE_EQ(seconds(64, 32).first, 96.0 / 90.0);  // the triad ceiling: all together
  EXPECT_EQ(seconds(64, 32).second, "bandwidth.L1.triad.avx512.t1");
}

TEST(BandwidthRoof, L1MixesRunAtTheFastestMixThatWasMeasured) {
  Machine machine = zen4();
  add_bandwidth(machine, "L1", Pattern::two_load_one_store, Isa::avx512, 1,
                96 * kZen);  // triad: 90
  const auto cycles = [&](std::uint64_t loaded, std::uint64_t stored) {
    Region region = region_named("move");
    region.bytes_loaded = loaded;
    region.bytes_stored = stored;
    const Bound bound = code_bound(region, machine, zen4_pipes());
    return std::pair{static_cast<double>(loaded + stored) / bound.attainable * kZen, bound.ceiling};
  };
  EXPECT_DOUBLE_EQ(cycles(72, 24).first, 72.0 / 64.0);  // loads alone
  EXPECT_DOUBLE_EQ(cycles(64, 31).first, 1.0);          // all together would need 95 / 96
  machine.ceilings.back().value = testing::exactly<BytesPerSecond>(92 * kZen);
  EXPECT_DOUBLE_EQ(cycles(64, 31).first, 95.0 / 92.0);
  EXPECT_EQ(cycles(64, 31).second, "bandwidth.L1.2load1store.avx512.t1");
}

TEST(BandwidthRoof, L1UsesTheWidthThatDoesMostOfTheWork) {
  Region region = with_work(OperationKind::fma, 64, kMega);
  region.bytes_loaded = 16 * kMega;
  const Microarchitecture pipes = zen4_pipes();
  const auto prediction = predict_region(region, zen4(), &pipes);
  EXPECT_EQ(prediction.code->ceiling, "bandwidth.L1.load.scalar.t1");
  EXPECT_DOUBLE_EQ(prediction.code->attainable, kZen);
  EXPECT_EQ(prediction.machine->ceiling, "bandwidth.L1.load.avx512.t2");
}

}  // namespace
}  // namespace ridge::predict
