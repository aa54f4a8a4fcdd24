// Machines in the shape that `ridge bench` records, for the tests of predict: rates per core and
// cycle times a clock, so that expectations can be worked out by hand.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"
#include "predict/findings/predict.hpp"

namespace ridge::predict::testing {

template <class Q>
Estimate<Q> exactly(double p90) {
  constexpr double kMedian = 0.99;
  constexpr double kLow = 0.97;
  return {Q(kMedian * p90), Q(p90), Q(kLow * p90), Q(p90), 100, Origin::measured};
}

inline void add_compute(Machine& machine, const std::string& precision, Isa isa,
                        Operation operation, unsigned threads, double flops_per_second) {
  Ceiling ceiling = ceiling_of({ComputeKey{precision, isa, operation, threads}});
  ceiling.value = exactly<FlopsPerSecond>(flops_per_second);
  machine.ceilings.push_back(ceiling);
}

/// `ratio`: bytes across the boundary per byte asked for.
inline void add_bandwidth(Machine& machine, Level level, Pattern pattern, Isa isa, unsigned threads,
                          double asked_per_second, double ratio = 1.0) {
  Ceiling ceiling = ceiling_of({BandwidthKey{level, pattern, isa, threads}});
  ceiling.value = exactly<BytesPerSecond>(asked_per_second);
  ceiling.traffic_value = exactly<BytesPerSecond>(ratio * asked_per_second);
  machine.ceilings.push_back(ceiling);
}

/// Traffic rates of one boundary beyond L1 with write-allocate: load (read only), copy (one third
/// written), store (half written).
inline void add_boundary(Machine& machine, Level level, unsigned threads, double load, double copy,
                         double store) {
  constexpr double kCopyRatio = 1.5;
  constexpr double kStoreRatio = 2.0;
  add_bandwidth(machine, level, Pattern::load, Isa::avx512, threads, load);
  add_bandwidth(machine, level, Pattern::copy, Isa::avx512, threads, copy / kCopyRatio, kCopyRatio);
  add_bandwidth(machine, level, Pattern::store, Isa::avx512, threads, store / kStoreRatio,
                kStoreRatio);
}

/// Flops per cycle and core of one instruction set.
struct FlopsPerCycleOf {
  Isa isa;
  double fma, add, mul, mix;
};

inline void add_core(Machine& machine, const std::vector<FlopsPerCycleOf>& fp64, double clock,
                     unsigned threads) {
  for (const auto& entry : fp64) {
    const double cycles = clock * threads;
    add_compute(machine, "fp64", entry.isa, Operation::fma, threads, entry.fma * cycles);
    add_compute(machine, "fp64", entry.isa, Operation::add, threads, entry.add * cycles);
    add_compute(machine, "fp64", entry.isa, Operation::mul, threads, entry.mul * cycles);
    add_compute(machine, "fp64", entry.isa, Operation::fma_add, threads, entry.mix * cycles);
    // fp32 has twice the lanes, except as scalars.
    const double lanes = entry.isa == Isa::scalar ? 1.0 : 2.0;
    add_compute(machine, "fp32", entry.isa, Operation::fma, threads, lanes * entry.fma * cycles);
    add_compute(machine, "fp32", entry.isa, Operation::add, threads, lanes * entry.add * cycles);
    add_compute(machine, "fp32", entry.isa, Operation::mul, threads, lanes * entry.mul * cycles);
    add_compute(machine, "fp32", entry.isa, Operation::fma_add, threads,
                lanes * entry.mix * cycles);
  }
}

inline void add_caches(Machine& machine) {
  machine.caches = {{"L1", 32768, 8}, {"L2", 1048576, 8}, {"L3", 33554432, 16}};
  machine.memories = {{"DRAM", {}}};
}

constexpr double kGHz = 1e9;
constexpr double kGB = 1e9;
constexpr double kZen = 4e9;    ///< clock of zen4()
constexpr double kIntel = 2e9;  ///< clock of skylake_x()
constexpr std::uint64_t kMega = 1000000;

/// Two cores at 4 GHz with the pipes of Zen 4: {mul, fma}, {add}, {div, sqrt}.
inline Machine zen4() {
  constexpr double kClock = 4.0 * kGHz;
  Machine machine;
  machine.name = "Zen 4, two cores";
  machine.cpu = CpuIdentity{"AuthenticAMD", "AMD EPYC", 25, 17, 1};
  machine.topology = Topology{1, 1, 2, 2};
  add_caches(machine);
  for (const unsigned threads : {1U, 2U}) {
    add_core(machine,
             {{Isa::scalar, 4, 2, 2, 6},
              {Isa::sse, 8, 4, 4, 12},
              {Isa::avx2, 16, 8, 8, 24},
              {Isa::avx512, 16, 8, 8, 24}},
             kClock, threads);
    const double cycles = kClock * threads;
    add_bandwidth(machine, "L1", Pattern::load, Isa::avx512, threads, 64 * cycles);
    add_bandwidth(machine, "L1", Pattern::store, Isa::avx512, threads, 32 * cycles);
    add_bandwidth(machine, "L1", Pattern::copy, Isa::avx512, threads, 64 * cycles);
    add_bandwidth(machine, "L1", Pattern::triad, Isa::avx512, threads, 90 * cycles);
    add_bandwidth(machine, "L1", Pattern::load, Isa::scalar, threads, 16 * cycles);
    add_bandwidth(machine, "L1", Pattern::store, Isa::scalar, threads, 8 * cycles);
    add_bandwidth(machine, "L1", Pattern::copy, Isa::scalar, threads, 16 * cycles);
    add_boundary(machine, "L2", threads, 32 * cycles, 40 * cycles, 40 * cycles);
    add_boundary(machine, "L3", threads, 25 * cycles, 25 * cycles, 25 * cycles);
  }
  add_boundary(machine, "DRAM", 1, 40 * kGB, 36 * kGB, 30 * kGB);
  add_boundary(machine, "DRAM", 2, 60 * kGB, 54 * kGB, 45 * kGB);
  return machine;
}

inline Microarchitecture zen4_pipes() {
  Microarchitecture pipes;
  pipes.name = "Zen 4";
  pipes.pipe_groups = {
      {Operation::mul, Operation::fma}, {Operation::add}, {Operation::div, Operation::sqrt}};
  return pipes;
}

/// One core at 2 GHz with the two 512-bit FMA ports of Skylake-X: {add, mul, fma}, {div, sqrt};
/// division measured.
inline Machine skylake_x() {
  constexpr double kClock = 2.0 * kGHz;
  Machine machine;
  machine.name = "Skylake-X";
  machine.cpu = CpuIdentity{"GenuineIntel", "Xeon Gold 6132", 6, 85, 4};
  add_caches(machine);
  add_core(machine,
           {{Isa::scalar, 4, 2, 2, 3},
            {Isa::sse, 8, 4, 4, 6},
            {Isa::avx2, 16, 8, 8, 12},
            {Isa::avx512, 32, 16, 16, 24}},
           kClock, 1);
  add_compute(machine, "fp64", Isa::avx512, Operation::div, 1, 0.5 * kClock);
  add_bandwidth(machine, "L1", Pattern::load, Isa::avx512, 1, 128 * kClock);
  add_bandwidth(machine, "L1", Pattern::store, Isa::avx512, 1, 64 * kClock);
  add_bandwidth(machine, "L1", Pattern::copy, Isa::avx512, 1, 120 * kClock);
  add_boundary(machine, "L2", 1, 50 * kClock, 60 * kClock, 50 * kClock);
  add_boundary(machine, "DRAM", 1, 12 * kGB, 12 * kGB, 9 * kGB);
  return machine;
}

inline Microarchitecture skylake_x_pipes() {
  Microarchitecture pipes;
  pipes.name = "Skylake-X";
  pipes.pipe_groups = {{Operation::add, Operation::mul, Operation::fma},
                       {Operation::div, Operation::sqrt}};
  return pipes;
}

/// A loop that was counted and did nothing.
inline Region region_named(std::string name) {
  Region region;
  region.kind = RegionKind::loop;
  region.name = std::move(name);
  region.entries = 0;
  region.flops = Work{};
  region.bytes_loaded = 0;
  region.bytes_stored = 0;
  return region;
}

inline void took(Region& region, double seconds) {
  constexpr double kSpread = 0.02;
  region.time_seconds.self = SampledTime{Seconds(seconds), Seconds((1.0 - kSpread) * seconds),
                                         Seconds((1.0 + kSpread) * seconds), 1000};
}

inline bool has_note(const RegionPrediction& prediction, std::string_view code) {
  for (const Note& note : prediction.notes) {
    if (note.code == code) {
      return true;
    }
  }
  return false;
}

/// Text of the first note with this code; empty when there is none.
inline std::string note_text(const RegionPrediction& prediction, std::string_view code) {
  for (const Note& note : prediction.notes) {
    if (note.code == code) {
      return note.text;
    }
  }
  return {};
}

/// The bound of the region's code.
inline Bound code_bound(const Region& region, const Machine& machine,
                        const Microarchitecture& pipes) {
  return predict_region(region, machine, &pipes).code.value();
}

inline Region with_work(OperationKind kind, unsigned width, std::uint64_t flops,
                        Precision precision = Precision::fp64) {
  Region region = region_named("loop");
  work_of(region).add(precision, kind, width, flops);
  return region;
}

}  // namespace ridge::predict::testing
