// Modelled loops as `ridge model` writes them, for tests of what is shown: a 5-point stencil on a
// core whose transfers do not overlap, at any size, and a gather of which little is known.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "core/quantity/words.hpp"
#include "core/value/loop_model.hpp"

namespace ridge::render {

struct LoopModelsForTests {
  static constexpr double kClock = 2.7e9;
  static constexpr double kFlops = 4.0;
  static constexpr double kLine = 8.0;  ///< iterations

  /// Rows that a cache holds for the reuse: 24*N bytes.
  static constexpr std::int64_t kFirst = 1365;    ///< in 32 KiB
  static constexpr std::int64_t kSecond = 10922;  ///< in 256 KiB
  static constexpr std::int64_t kThird = 873813;  ///< in 20 MiB

  static LoopModels make(const std::vector<LoopModel>& models) {
    return {"0.1.0", "2026-11-28T09:00:00Z", "stencil.c", "Sandy Bridge", models};
  }

  static LoopModel stencil(std::int64_t size) {
    LoopModel model;
    model.function = "jacobi";
    model.file = "stencil.c";
    model.loops = {{"j", "1", 1, "M - 2", 998, 9}, {"i", "1", 1, "N - 2", size - 2, 10}};
    for (const char* text :
         {"a[N*j + i - 1]", "a[N*j + i + 1]", "a[N*j + i - N]", "a[N*j + i + N]"}) {
      model.accesses.push_back({std::string("read ") + text, "a", 8, false, false, false, 11});
    }
    model.accesses.push_back({"write b[N*j + i]", "b", 8, true, false, false, 11});
    model.operations = {{"add", "fp64", 3, false}, {"mul", "fp64", 1, false}};
    model.values = {{"M", 1000}, {"N", size}};
    add_conditions(model, size);
    add_traffic(model, size);
    if (size > kFirst) {
      model.blocking = {{Level::L1, "i", kFirst - 2, 16.0}};
    }
    add_core(model);
    add_prediction(model, size);
    return model;
  }

  /// Without sizes, core and traffic beyond L2; names as hostile as a caller wants.
  static LoopModel gather(const std::string& name) {
    LoopModel model;
    model.function = name;
    model.file = "gather.c";
    model.loops = {{"i", "lo", 2, "", std::nullopt, 0}};
    model.accesses = {{"read x[index[...]]", "x", 8, false, true, false, 3},
                      {"write y[i]", "y", 8, true, false, true, 3}};
    model.operations = {{"exp", "", 1, false}};
    model.traffic = {{TrafficMethod::layer_conditions, {{Level::L2, 24.0, 8.0}}, {}, {}}};
    model.notes = {{"sizes-unknown", "n has no value: -D n=4000"}};
    LoopPrediction prediction;
    prediction.machine = "elsewhere";
    prediction.hierarchical = LoopRoofline{
        "L2",
        1.5e-9,
        {},
        {{"L1", "bandwidth.L1.load.avx2.t1", 0.2e-9}, {"L2", "bandwidth.L2.copy.avx2.t1", 1.5e-9}}};
    prediction.notes = {{"no-in-core", "its machine code was not looked at"}};
    model.predictions = {prediction};
    return model;
  }

  /// Equal steps of the logarithm from 100 to 2 000 000.
  static std::vector<LoopModel> sweep() {
    std::vector<LoopModel> models;
    for (const std::int64_t size :
         {100, 200, 400, 800, 1300, 1400, 2000, 4000, 8000, 10000, 12000, 20000, 50000, 100000,
          200000, 400000, 800000, 1000000, 2000000}) {
      models.push_back(stencil(size));
    }
    return models;
  }

 private:
  static void add_conditions(LoopModel& model, std::int64_t size) {
    const auto add = [&](Level level, std::int64_t bytes, std::int64_t up_to) {
      model.conditions.push_back({level, "24*N <= " + binary_size(static_cast<double>(bytes)),
                                  size <= up_to, 4, 2, "N", up_to});
      model.conditions.push_back({level, "", true, 2, 4, {}, {}});
    };
    add(Level::L1, 32768, kFirst);
    add(Level::L2, 262144, kSecond);
    add(Level::L3, 20971520, kThird);
  }

  static double read(std::int64_t size, std::int64_t up_to) { return size <= up_to ? 16.0 : 32.0; }

  static void add_traffic(LoopModel& model, std::int64_t size) {
    model.traffic = {{TrafficMethod::layer_conditions,
                      {{Level::L2, read(size, kFirst), 8.0},
                       {Level::L3, read(size, kSecond), 8.0},
                       {Level::DRAM, read(size, kThird), 8.0}},
                      {},
                      {}},
                     {TrafficMethod::simulation,
                      {{Level::L2, read(size, kFirst) + 0.4, 8.0},
                       {Level::L3, read(size, kSecond) + 0.1, 8.0},
                       {Level::DRAM, read(size, kThird), 7.9}},
                      0.004,
                      {{"row-ends", "rows end within a line: 0.4 byte an iteration more"}}}};
  }

  static void add_core(LoopModel& model) {
    InCoreModel core;
    core.microarchitecture = "Sandy Bridge";
    core.compiler = "clang -O3 -march=sandybridge";
    core.instructions = 34;
    core.iterations_per_pass = 16;
    core.cycles = 16.0;
    core.port_cycles = 16.0;
    core.chain_cycles = 1.0;
    core.front_end_cycles = 8.5;
    core.overlapping_cycles = 12.0;
    core.transferring_cycles = 16.0;
    core.ports = {{"0", 4.0}, {"1", 12.0}, {"2", 16.0}, {"3", 16.0}, {"4", 8.0}};
    model.in_core = core;
  }

  static void add_prediction(LoopModel& model, std::int64_t size) {
    constexpr double kMemory = 64.0 * kClock / 40e9;  // cycles a line
    const auto lines = [&](std::int64_t up_to) { return read(size, up_to) / 8.0 + 1.0; };
    const double l2 = 2.0 * lines(kFirst) / kLine;
    const double l3 = 2.0 * lines(kSecond) / kLine;
    const double dram = kMemory * lines(kThird) / kLine;
    EcmModel ecm;
    ecm.overlapping_cycles = 0.75;
    ecm.transferring_cycles = 1.0;
    ecm.transfers = {{Level::L2, l2, "bandwidth.L2.copy.avx2.t1", ""},
                     {Level::L3, l3, "bandwidth.L3.copy.avx2.t1", ""},
                     {Level::DRAM, dram, "bandwidth.DRAM.copy.avx2.t1", ""}};
    double cycles = 1.0;
    ecm.levels = {{Level::L1, cycles, kFlops * kClock / cycles}};
    for (const EcmTransfer& transfer : ecm.transfers) {
      cycles += *transfer.cycles;
      ecm.levels.push_back({transfer.level, cycles, kFlops * kClock / cycles});
    }
    ecm.saturated_cycles = dram;
    ecm.saturating_threads = 4;
    for (const unsigned threads : {1U, 2U, 4U, 8U}) {
      const double rate = std::min(threads * kClock / cycles, kClock / dram);
      ecm.scaling.push_back({threads, rate, kFlops * rate});
    }
    LoopPrediction prediction;
    prediction.machine = "Sandy Bridge";
    prediction.clock = kClock;
    prediction.iterations_per_line = kLine;
    prediction.ecm = ecm;
    prediction.hierarchical = roofline({{"in-core", "", 1.0 / kClock},
                                        {"L2", "bandwidth.L2.copy.avx2.t1", l2 / kClock},
                                        {"L3", "bandwidth.L3.copy.avx2.t1", l3 / kClock},
                                        {"DRAM", "bandwidth.DRAM.copy.avx2.t1", dram / kClock}});
    prediction.naive = roofline({{"arithmetic", "compute.fp64.avx2.mul+add.t1", 0.5 / kClock},
                                 {"DRAM", "bandwidth.DRAM.copy.avx2.t1", dram / kClock}});
    model.predictions = {prediction};
  }

  static LoopRoofline roofline(const std::vector<LoopLimit>& limits) {
    const LoopLimit* slowest = &limits.front();
    for (const LoopLimit& limit : limits) {
      slowest = limit.seconds > slowest->seconds ? &limit : slowest;
    }
    return {slowest->resource, slowest->seconds, kFlops / slowest->seconds, limits};
  }
};

}  // namespace ridge::render
