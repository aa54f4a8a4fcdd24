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
  for (const char* level : {"L2", "L3", "DRAM"}) {
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
      {"above-roof", [](Case& c) { c.reads("DRAM", 600e9); },
       "150 % of its DRAM roof (load, 40 GB/s with 1 thread), like most of this program: the "
       "machine file (Zen 4, two cores) is probably that of another machine or of a slow moment; "
       "measure it anew with ridge bench",
       Origin::modelled, [](Case& c) { c.reads("DRAM", 420e9); },
       [](Case& c) { c.loop().time_seconds.self.reset(); }},
      {"at-roof", [](Case& c) { c.reads("DRAM", 360e9); },
       "at 90 % of its DRAM roof (load, 40 GB/s with 1 thread): only less traffic raises it "
       "(blocking, fusing loops, smaller types), or more threads (up to 2, with the best "
       "instructions 1.5 times the roof)",
       Origin::modelled, [](Case& c) { c.reads("DRAM", 310e9); },
       [](Case& c) { c.loop().time_seconds.self.reset(); }},
      {"few-threads", [](Case& c) { c.reads("DRAM", 200e9); },
       "1 thread can draw at most 40 GB/s from DRAM with this mix of reads and writes, 2 threads "
       "60 "
       "GB/s: share the iterations, if they are independent",
       Origin::modelled, [](Case& c) { c.loop().entries = 10 * kMega; },
       [](Case& c) { c.loop().entries = 0; }},
      {"one-numa-node",
       [](Case& c) {
         c.profile.machine.topology.numa_nodes = 2;
         c.profile.machine.numa = {{0, 0, "DRAM", 1, exactly<BytesPerSecond>(20e9), {}}};
         c.loop().threads = 2;
         c.reads("DRAM", 200e9);
       },
       "its 2 threads on 2 nodes get 20 GB/s from DRAM, what the memory of one node gives (20 "
       "GB/s): its pages probably lie on one node; let each thread touch its own part first, or "
       "spread them (numactl --interleave=all)",
       Origin::modelled, [](Case& c) { c.reads("DRAM", 300e9); },
       [](Case& c) { c.profile.machine.numa.clear(); }},
      {"remote-memory",
       [](Case& c) {
         c.reads("DRAM", 200e9);
         c.loop().memory_nodes = {{0, 0, 100}, {1, 0, 100}};
       },
       "50 % of what it gets from memory comes from another node than that of the thread; 100 % of "
       "it lies on node 0: let each thread touch its own part first, or spread the pages (numactl "
       "--interleave=all)",
       Origin::simulated, [](Case& c) { c.loop().memory_nodes = {{0, 0, 100}, {1, 1, 100}}; },
       [](Case& c) { c.loop().memory_nodes.clear(); }},
      {"latency-bound",
       [](Case& c) {
         from_dram(c, 6.4e9);
         c.loop().bytes_loaded = 800 * kMega;
         c.loop().accesses = {{AccessPattern::indirect, false, {}, 1}};
         c.add_latency("DRAM", 100e-9);
       },
       "it waits for DRAM: 1 lines are on their way at a time on average, each for 100 ns, where a "
       "core of this machine keeps 62 (Little's law); issue independent loads ahead (prefetch, "
       "unroll, several searches at once)",
       Origin::modelled, [](Case& c) { from_dram(c, 2e9); },
       [](Case& c) { c.loop().cpu_seconds.self.reset(); }},
      {"narrow-vectors",
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 128, 10000 * kMega);
       },
       "100 % of the flops are done in vectors of 128 bit at most; with 256 bit this machine does "
       "2 "
       "times as many a second (-march=native, or the -march of where it will run)",
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
       "calls per iteration of code that Ridge cannot see: 2.5 (most of them f); its work is not "
       "counted here; compile it with ridge-cc too, or move it out of the loop",
       Origin::counted, [](Case& c) { c.loop().opaque = {{"f", 9}}; },
       [](Case& c) { c.loop().iterations.reset(); }},
      {"page-faults",
       [](Case& c) {
         c.loop().page_faults = PageFaults{100000, 90000, 120000, 0, Seconds(2.5)};
         c.loop().least_traffic["DRAM"] = {100000 * 4096ULL, 0};
       },
       "1e+05 page faults: the kernel takes 25 % of its CPU time, 25 us for each; memory is "
       "touched "
       "for the first time here: touch it before the part that counts, with the threads that use "
       "it, or use huge pages",
       Origin::measured,
       [](Case& c) { c.loop().page_faults = PageFaults{100000, 90000, 120000, 0, Seconds(0.5)}; },
       [](Case& c) { c.loop().page_faults.reset(); }},
      {"small-function",
       [](Case& c) {
         c.loop().kind = RegionKind::function;
         c.loop().entries = 4000 * kMega;
       },
       "called 4e+09 times, 10 cycles each: the call weighs as much as its work, and loops around "
       "it are not vectorised; let the compiler inline it (static, or defined in a header)",
       Origin::measured, [](Case& c) { c.loop().entries = 400 * kMega; },
       [](Case& c) { c.profile.machine.clock.core.reset(); }},
      {"scalar-flops", scalar, "90 % of the flops are done one at a time instead of in vectors",
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
       "the compiler did not vectorise this loop: cannot identify array bounds; restrict pointers, "
       "or `#pragma clang loop vectorize(assume_safety)` if iterations never touch each other's "
       "data",
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
       "60 % of the flops are products and the sums they feed, done apart; this machine does both "
       "in one FMA (-march=native, -ffp-contract=fast)",
       Origin::counted, [](Case& c) { c.loop().fusible_flops = 40000 * kMega; },
       [](Case& c) { c.loop().fusible_flops.reset(); }},
      {"idle-lanes", [](Case& c) { c.loop().masked = MaskedOperations{1000, 8000, 2500}; },
       "operations under a mask use 2.5 of 8.0 lanes on average: branches or short inner loops "
       "leave the others idle",
       Origin::counted, [](Case& c) { c.loop().masked->active_lanes = 5600; },
       [](Case& c) { c.loop().masked.reset(); }},
      {"load-imbalance",
       [](Case& c) { c.loop().thread_work = {{0, 300, 0, 0, {}}, {1, 100, 0, 0, {}}}; },
       "the busiest of 2 threads has 1.50 times the mean of the flops: the others wait for it; "
       "another schedule or smaller pieces even it out",
       Origin::counted, [](Case& c) { c.loop().thread_work[1].flops = 250; },
       [](Case& c) { c.loop().thread_work.clear(); }},
      {"false-sharing", [](Case& c) { c.loop().sharing = LineSharing{4, 3, 1, 500000}; },
       "lines that several cores write: 4 (3 at different words only), taken from each other "
       "5e+05 times: give each thread lines of its own (padding, another schedule)",
       Origin::simulated, [](Case& c) { c.loop().sharing->invalidations = 9999; },
       [](Case& c) { c.loop().sharing.reset(); }},
      {"shared-writes", [](Case& c) { c.loop().sharing = LineSharing{1, 0, 1, 500000}; },
       "lines that several cores write: 1 (0 at different words only), taken from each other "
       "5e+05 times: let each thread sum for itself and join at the end",
       Origin::simulated, [](Case& c) { c.loop().sharing->invalidations = 9999; },
       [](Case& c) { c.loop().sharing.reset(); }},
      {"poor-line-use",
       [](Case& c) {
         c.loop().bytes_loaded = 16000 * kMega;
         c.loop().traffic["L2"] = {128000 * kMega, 0};
         c.loop().line_use = 0.125;
       },
       "12 % of each cache line is used while it is in the first level: the rest is carried for "
       "nothing; put together what is used together",
       Origin::simulated, [](Case& c) { c.loop().traffic["L2"] = {500 * kMega, 0}; },
       [](Case& c) { c.loop().line_use.reset(); }},
      {"reuse-just-misses",
       // An L2 of 1 MiB: 1.5 MiB would hold most.
       [](Case& c) {
         c.loop().bytes_loaded = 160000 * kMega;
         c.loop().traffic["L2"] = {80000 * kMega, 0};
         c.loop().miss_curve = {{32768, 80000 * kMega}, {1572864, 10000 * kMega}};
       },
       "reuse just misses L2: 1536 KiB would hold it, and 88 % fewer bytes would come from below; "
       "smaller blocks or smaller types fit",
       Origin::modelled,
       [](Case& c) { c.loop().miss_curve = {{32768, 80000 * kMega}, {1572864, 50000 * kMega}}; },
       [](Case& c) { c.loop().miss_curve.clear(); }},
      {"divisions",
       [](Case& c) {
         work_of(c.loop()).add(Precision::fp64, OperationKind::div, 512, 10000 * kMega);
         work_of(c.loop()).add(Precision::fp64, OperationKind::fma, 512, 70000 * kMega);
       },
       "12 % of the flops are divisions or square roots, which take several times as long as other "
       "operations: multiply by a reciprocal where rounding allows (computed once if the divisor "
       "does "
       "not change, else -mrecip)",
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
       "2.5 calls of mathematical functions per iteration (most of them exp), whose work is not in "
       "the flops: -fveclib=libmvec -fno-math-errno computes several at a time",
       Origin::counted, [](Case& c) { c.loop().calls = {{"memcpy", 9 * kMega}, {"exp", 9}}; },
       [](Case& c) { c.loop().iterations.reset(); }},
      {"short-loop", [](Case& c) { c.loop().entries = 400000; },
       "2.5 iterations on average each time the loop is entered: entering and leaving it weighs as "
       "much as its work",
       Origin::counted, [](Case& c) { c.loop().entries = 125000; },
       [](Case& c) { c.loop().iterations.reset(); }},
      {"indirect-access",
       [](Case& c) {
         c.loop().accesses = {{AccessPattern::unit, false, {}, 600},
                              {AccessPattern::indirect, false, {}, 400}};
       },
       "40 % of the bytes are accessed at addresses computed from loaded data: neither the "
       "compiler "
       "nor a prefetcher knows what comes next; sort or renumber, so that neighbours stand "
       "together",
       Origin::counted,
       [](Case& c) { c.loop().accesses.push_back({AccessPattern::unit, true, {}, 601}); },
       [](Case& c) { c.loop().accesses.clear(); }},
      {"strided-access",
       [](Case& c) {
         c.loop().accesses = {{AccessPattern::unit, true, {}, 500},
                              {AccessPattern::constant, false, 24, 300},
                              {AccessPattern::constant, false, {}, 200}};
       },
       "50 % of the bytes are accessed with gaps, a stride of 24 B: exchange the loops or the "
       "layout "
       "of the data, so that neighbouring iterations touch neighbouring bytes",
       Origin::counted,
       [](Case& c) { c.loop().accesses.push_back({AccessPattern::unit, true, {}, 1001}); },
       [](Case& c) { c.loop().accesses.clear(); }},
      {"gather-scatter",
       [](Case& c) {
         c.loop().bytes_loaded = 1000;
         c.loop().gathered = Traffic{200, 50};
       },
       "25 % of the bytes move through gather and scatter instructions, which access one lane "
       "after "
       "the other",
       Origin::counted, [](Case& c) { c.loop().gathered = Traffic{99, 0}; },
       [](Case& c) { c.loop().gathered.reset(); }},
      {"excess-traffic",
       [](Case& c) {
         c.loop().bytes_loaded = 40000 * kMega;
         c.loop().traffic["DRAM"] = {30000 * kMega, 10000 * kMega};
         c.loop().least_traffic["DRAM"] = {5000 * kMega, 5000 * kMega};
       },
       "40 GB cross the boundary of DRAM, 4.0 times what its data need: lines leave before "
       "their "
       "reuse; block or exchange the loops",
       Origin::simulated, [](Case& c) { c.function().entries = 3; },
       [](Case& c) { c.loop().least_traffic.clear(); }},
      {"write-allocate",
       [](Case& c) {
         c.loop().bytes_loaded = 16000 * kMega;
         c.loop().bytes_stored = 8000 * kMega;
         c.loop().bytes_overwritten = 8000 * kMega;
         c.loop().traffic["DRAM"] = {24000 * kMega, 8000 * kMega};
       },
       "25 % of the DRAM traffic reads lines that are then overwritten in full: non-temporal "
       "stores "
       "save it, if nothing reads the result soon",
       Origin::simulated, [](Case& c) { c.loop().traffic["DRAM"] = {24000 * kMega, 3000 * kMega}; },
       [](Case& c) { c.loop().bytes_overwritten.reset(); }},
      {"needs-last-level",
       [](Case& c) {
         c.loop().bytes_loaded = 160000 * kMega;
         c.loop().traffic["DRAM"] = {20000 * kMega, 0};
         c.loop().traffic_at_share["1/2"] = {80000 * kMega, 0};
       },
       "reuse hangs on the last cache: with half of it the DRAM traffic is 80 GB instead of "
       "20 "
       "GB; neighbours on the machine take their share of it",
       Origin::simulated, [](Case& c) { c.loop().traffic_at_share["1/2"] = {20000 * kMega, 0}; },
       [](Case& c) { c.loop().traffic_at_share.clear(); }},
      {"pointer-chase", [](Case& c) { chain_of(c, ChainOperation::load, false, kMega); },
       "each iteration waits for a load whose address the one before loaded, 10 us per load: "
       "only "
       "one is on its way at a time; store what is visited in order, or follow several chains at "
       "once",
       Origin::measured, [](Case& c) { chain_of(c, ChainOperation::load, false, kMega / 3); },
       [](Case& c) { c.loop().cpu_seconds.self.reset(); }},
      {"dependency-chain",
       // 3 cycles at 4 GHz, 10^10 times: 7.5 of 10 s.
       [](Case& c) {
         c.loop().iterations = 10000 * kMega;
         chain_of(c, ChainOperation::add, true, 10000 * kMega);
       },
       "each iteration waits for the one before (add): 3 cycles at the least, 75 % of the time; "
       "sum "
       "in several parts (several accumulators, or -fassociative-math -fno-signed-zeros "
       "-fno-trapping-math)",
       Origin::modelled,
       [](Case& c) { took(c.loop(), kTen), c.loop().cpu_seconds.self->value = Seconds(16.0); },
       [](Case& c) { c.profile.machine.clock.core.reset(); }},
  };
}

}  // namespace ridge::predict::testing
