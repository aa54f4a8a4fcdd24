#include "predict/findings/finding_examples.hpp"

namespace ridge::predict::testing {
namespace {

void no_work(Case& example) {
  example.loop().flops = {};
}

void chain_of(Case& example, ChainOperation operation, bool reduction, std::uint64_t operations) {
  example.loop().chain = {{operation, Precision::fp64, reduction, operations}};
}

void from_dram(Case& c, double bytes) {
  for (const Level level : {Level::L2, Level::L3, Level::DRAM}) {
    c.reads(level, bytes);
  }
}

}  // namespace

void scalar(Case& example) {
  work_of(example.loop()).add(Precision::fp64, OperationKind::add, 64, 18000 * kMega);
  work_of(example.loop()).add(Precision::fp64, OperationKind::add, 512, 2000 * kMega);
}

std::vector<RuleCase> rule_cases() {
  return {
      {"above-roof",
       [](Case& c) { c.reads(Level::DRAM, 600e9); },
       {{"fraction", 1.5}, {"share_of_time_above", 1}},
       Origin::modelled,
       [](Case& c) { c.reads(Level::DRAM, 420e9); },
       [](Case& c) { c.loop().time_seconds.self.reset(); }},
      {"at-roof",
       [](Case& c) { c.reads(Level::DRAM, 360e9); },
       {{"fraction", 0.9}},
       Origin::modelled,
       [](Case& c) { c.reads(Level::DRAM, 310e9); },
       [](Case& c) { c.loop().time_seconds.self.reset(); }},
      {"few-threads",
       [](Case& c) { c.reads(Level::DRAM, 200e9); },
       {{"bytes_per_second", 40e9},
        {"most_bytes_per_second", 60e9},
        {"seconds_per_entry", 10},
        {"threads", 1},
        {"threads_to_saturate", 2}},
       Origin::modelled,
       [](Case& c) { c.loop().entries = 10 * kMega; },
       [](Case& c) { c.loop().entries = 0; }},
      {"one-numa-node",
       [](Case& c) {
         c.profile.machine.topology->numa_nodes = 2;
         c.profile.machine.numa = {{0, 0, Level::DRAM, 1, exactly<BytesPerSecond>(20e9), {}}};
         c.loop().threads = 2;
         c.reads(Level::DRAM, 200e9);
       },
       {{"bytes_per_second", 20e9}, {"node_bytes_per_second", 20e9}, {"nodes", 2}, {"threads", 2}},
       Origin::modelled,
       [](Case& c) { c.reads(Level::DRAM, 300e9); },
       [](Case& c) { c.profile.machine.numa.clear(); }},
      {"remote-memory",
       [](Case& c) {
         c.reads(Level::DRAM, 200e9);
         c.loop().memory_nodes = {{0, 0, 100}, {1, 0, 100}};
       },
       {{"busiest_node_share", 0.5},
        {"fullest_node_share", 1},
        {"remote_share", 0.5},
        {"samples", 200}},
       Origin::simulated,
       [](Case& c) { c.loop().memory_nodes = {{0, 0, 100}, {1, 1, 100}}; },
       [](Case& c) { c.loop().memory_nodes.clear(); }},
      {"latency-bound",
       [](Case& c) {
         from_dram(c, 6.4e9);
         c.loop().bytes_loaded = 800 * kMega;
         c.loop().accesses = {{AccessPattern::indirect, false, {}, 1}};
         c.add_latency(Level::DRAM, 100e-9);
       },
       {{"latency_seconds", 1e-7},
        {"lines", 100e6},
        {"lines_in_flight", 1},
        {"lines_possible", 62.5}},
       Origin::modelled,
       [](Case& c) { from_dram(c, 2e9); },
       [](Case& c) { c.loop().cpu_seconds.self.reset(); }},
      {"narrow-vectors",
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 128, 10000 * kMega);
       },
       {{"best_width_bits", 256}, {"narrow_share", 1}, {"rate_ratio", 2}, {"width_bits", 128}},
       Origin::counted,
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 256, 20000 * kMega);
       },
       [](Case& c) { c.profile.machine.ceilings.clear(); }},
      {"opaque-calls",
       [](Case& c) {
         c.loop().iterations = 10 * kMega;
         c.loop().opaque = {{"f", 20 * kMega}, {"g", 5 * kMega}};
       },
       {{"calls", 25e6}, {"calls_per_iteration", 2.5}},
       Origin::counted,
       [](Case& c) { c.loop().opaque = {{"f", 9}}; },
       [](Case& c) { c.loop().iterations.reset(); }},
      {"page-faults",
       [](Case& c) {
         c.loop().page_faults = PageFaults{100000, 90000, 120000, 0, Seconds(2.5)};
         c.loop().least_traffic[Level::DRAM] = {100000 * 4096ULL, 0};
       },
       {{"distinct_bytes", 409600000},
        {"faults", 100000},
        {"faults_high", 120000},
        {"faults_low", 90000},
        {"kernel_seconds", 2.5},
        {"major", 0},
        {"seconds_per_fault", 2.5e-5},
        {"share", 0.25}},
       Origin::measured,
       [](Case& c) { c.loop().page_faults = PageFaults{100000, 90000, 120000, 0, Seconds(0.5)}; },
       [](Case& c) { c.loop().page_faults.reset(); }},
      {"small-function",
       [](Case& c) {
         c.loop().kind = RegionKind::function;
         c.loop().entries = 4000 * kMega;
       },
       {{"cycles_per_entry", 10}, {"entries", 4e9}},
       Origin::measured,
       [](Case& c) { c.loop().entries = 400 * kMega; },
       [](Case& c) { c.profile.machine.clock.core.reset(); }},
      {"scalar-flops",
       scalar,
       {{"flops", 20e9}, {"scalar_share", 0.9}},
       Origin::counted,
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 512, 180000 * kMega);
       },
       no_work},
      {"not-vectorised",
       [](Case& c) {
         scalar(c);
         c.loop().not_vectorised = "cannot identify array bounds";
       },
       {{"scalar_share", 0.9}},
       Origin::counted,
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 512, 180000 * kMega);
       },
       [](Case& c) { c.loop().not_vectorised.reset(); }},
      {"unfused-multiply-add",
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 512, 40000 * kMega);
         work_of(c.loop()).add(Precision::fp64, OperationKind::mul, 512, 30000 * kMega);
         work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 30000 * kMega);
         c.loop().fusible_flops = 60000 * kMega;
       },
       {{"fma_share", 0.3}, {"fusible_share", 0.6}},
       Origin::counted,
       [](Case& c) { c.loop().fusible_flops = 40000 * kMega; },
       [](Case& c) { c.loop().fusible_flops.reset(); }},
      {"idle-lanes",
       [](Case& c) { c.loop().masked = MaskedOperations{1000, 8000, 2500}; },
       {{"masked_operations", 1000}, {"mean_active_lanes", 2.5}, {"mean_lanes", 8}},
       Origin::counted,
       [](Case& c) { c.loop().masked->active_lanes = 5600; },
       [](Case& c) { c.loop().masked.reset(); }},
      {"load-imbalance",
       [](Case& c) { c.loop().thread_work = {{0, 300, 0, 0, {}}, {1, 100, 0, 0, {}}}; },
       {{"max_over_mean", 1.5}, {"threads", 2}},
       Origin::counted,
       [](Case& c) { c.loop().thread_work[1].flops = 250; },
       [](Case& c) { c.loop().thread_work.clear(); }},
      {"rank-imbalance",
       [](Case& c) {
         c.loop().ranks = RegionRanks{RankSpread{4, 10.0, 0, 10.0, 40.0, 3, 17.5, {}},
                                      std::nullopt,
                                      std::nullopt,
                                      std::nullopt,
                                      {}};
       },
       {{"max_over_mean", 40.0 / 17.5}, {"ranks", 4}, {"slowest_rank", 3}},
       Origin::measured,
       [](Case& c) { c.loop().ranks->time_seconds->mean = 35.0; },
       [](Case& c) { c.loop().ranks.reset(); }},
      {"serial-part",
       [](Case& c) { c.loop().caused_wait_seconds = Seconds(30.0); },
       {{"waited_seconds", 30}, {"waiting_threads", 3}},
       Origin::measured,
       [](Case& c) { c.loop().threads = 2; },
       [](Case& c) { c.loop().caused_wait_seconds.reset(); }},
      {"false-sharing",
       [](Case& c) { c.loop().sharing = LineSharing{4, 3, 1, 500000}; },
       {{"false_lines", 3}, {"invalidations", 500000}, {"lines", 4}, {"true_lines", 1}},
       Origin::simulated,
       [](Case& c) { c.loop().sharing->invalidations = 9999; },
       [](Case& c) { c.loop().sharing.reset(); }},
      {"shared-writes",
       [](Case& c) { c.loop().sharing = LineSharing{1, 0, 1, 500000}; },
       {{"false_lines", 0}, {"invalidations", 500000}, {"lines", 1}, {"true_lines", 1}},
       Origin::simulated,
       [](Case& c) { c.loop().sharing->invalidations = 9999; },
       [](Case& c) { c.loop().sharing.reset(); }},
      {"poor-line-use",
       [](Case& c) {
         c.loop().bytes_loaded = 16000 * kMega;
         c.loop().traffic[Level::L2] = {128000 * kMega, 0};
         c.loop().line_use = 0.125;
       },
       {{"line_use", 0.125}},
       Origin::simulated,
       [](Case& c) { c.loop().traffic[Level::L2] = {500 * kMega, 0}; },
       [](Case& c) { c.loop().line_use.reset(); }},
      {"reuse-just-misses",
       // An L2 of 1 MiB: 1.5 MiB would hold most.
       [](Case& c) {
         c.loop().bytes_loaded = 160000 * kMega;
         c.loop().traffic[Level::L2] = {80000 * kMega, 0};
         c.loop().miss_curve = {{32768, 80000 * kMega}, {1572864, 10000 * kMega}};
       },
       {{"cache_bytes", 1048576}, {"capacity_bytes", 1572864}, {"saved_share", 0.875}},
       Origin::modelled,
       [](Case& c) { c.loop().miss_curve = {{32768, 80000 * kMega}, {1572864, 50000 * kMega}}; },
       [](Case& c) { c.loop().miss_curve.clear(); }},
      {"divisions",
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::div, 512, 10000 * kMega);
         work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 70000 * kMega);
       },
       {{"operations", 10e9}, {"share", 0.125}},
       Origin::counted,
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 30000 * kMega);
       },
       no_work},
      {"library-math",
       [](Case& c) {
         c.loop().iterations = 10 * kMega;
         c.loop().calls = {{"exp", 20 * kMega}, {"sin", 5 * kMega}, {"memcpy", 9 * kMega}};
       },
       {{"calls", 25e6}, {"calls_per_iteration", 2.5}},
       Origin::counted,
       [](Case& c) { c.loop().calls = {{"memcpy", 9 * kMega}, {"exp", 9}}; },
       [](Case& c) { c.loop().iterations.reset(); }},
      {"short-loop",
       [](Case& c) { c.loop().entries = 400000; },
       {{"entries", 400000}, {"mean_iterations", 2.5}},
       Origin::counted,
       [](Case& c) { c.loop().entries = 125000; },
       [](Case& c) { c.loop().iterations.reset(); }},
      {"indirect-access",
       [](Case& c) {
         c.loop().accesses = {{AccessPattern::unit, false, {}, 600},
                              {AccessPattern::indirect, false, {}, 400}};
       },
       {{"share", 0.4}},
       Origin::counted,
       [](Case& c) { c.loop().accesses.push_back({AccessPattern::unit, true, {}, 601}); },
       [](Case& c) { c.loop().accesses.clear(); }},
      {"strided-access",
       [](Case& c) {
         c.loop().accesses = {{AccessPattern::unit, true, {}, 500},
                              {AccessPattern::constant, false, 24, 300},
                              {AccessPattern::constant, false, {}, 200}};
       },
       {{"share", 0.5}, {"stride_bytes", 24}},
       Origin::counted,
       [](Case& c) { c.loop().accesses.push_back({AccessPattern::unit, true, {}, 1001}); },
       [](Case& c) { c.loop().accesses.clear(); }},
      {"gather-scatter",
       [](Case& c) {
         c.loop().bytes_loaded = 1000;
         c.loop().gathered = Traffic{200, 50};
       },
       {{"bytes", 250}, {"share", 0.25}},
       Origin::counted,
       [](Case& c) { c.loop().gathered = Traffic{99, 0}; },
       [](Case& c) { c.loop().gathered.reset(); }},
      {"excess-traffic",
       [](Case& c) {
         c.loop().bytes_loaded = 40000 * kMega;
         c.loop().traffic[Level::DRAM] = {30000 * kMega, 10000 * kMega};
         c.loop().least_traffic[Level::DRAM] = {5000 * kMega, 5000 * kMega};
       },
       {{"calls", 1}, {"excess", 4}, {"least_bytes", 10e9}, {"traffic_bytes", 40e9}},
       Origin::simulated,
       [](Case& c) { c.function().entries = 3; },
       [](Case& c) { c.loop().least_traffic.clear(); }},
      {"write-allocate",
       [](Case& c) {
         c.loop().bytes_loaded = 16000 * kMega;
         c.loop().bytes_stored = 8000 * kMega;
         c.loop().bytes_overwritten = 8000 * kMega;
         c.loop().traffic[Level::DRAM] = {24000 * kMega, 8000 * kMega};
       },
       {{"saved_bytes", 8e9}, {"share", 0.25}},
       Origin::simulated,
       [](Case& c) { c.loop().traffic[Level::DRAM] = {24000 * kMega, 3000 * kMega}; },
       [](Case& c) { c.loop().bytes_overwritten.reset(); }},
      {"needs-last-level",
       [](Case& c) {
         c.loop().bytes_loaded = 160000 * kMega;
         c.loop().traffic[Level::DRAM] = {20000 * kMega, 0};
         c.loop().traffic_at_share["1/2"] = {80000 * kMega, 0};
       },
       {{"traffic_at_half_bytes", 80e9}, {"traffic_bytes", 20e9}},
       Origin::simulated,
       [](Case& c) { c.loop().traffic_at_share["1/2"] = {20000 * kMega, 0}; },
       [](Case& c) { c.loop().traffic_at_share.clear(); }},
      {"pointer-chase",
       [](Case& c) { chain_of(c, ChainOperation::load, false, kMega); },
       {{"dependent_loads", 1e6}, {"loads_per_iteration", 1}, {"seconds_per_load", 1e-5}},
       Origin::measured,
       [](Case& c) { chain_of(c, ChainOperation::load, false, kMega / 3); },
       [](Case& c) { c.loop().cpu_seconds.self.reset(); }},
      {"dependency-chain",
       // 3 cycles at 4 GHz, 10^10 times: 7.5 of 10 s.
       [](Case& c) {
         c.loop().iterations = 10000 * kMega;
         chain_of(c, ChainOperation::add, true, 10000 * kMega);
       },
       {{"cycles_per_iteration", 3},
        {"measured_cycles_per_iteration", 4},
        {"operations_per_iteration", 1},
        {"share", 0.75}},
       Origin::modelled,
       [](Case& c) { took(c.loop(), kTen), c.loop().cpu_seconds.self->value = Seconds(16.0); },
       [](Case& c) { c.profile.machine.clock.core.reset(); }},
  };
}

}  // namespace ridge::predict::testing
