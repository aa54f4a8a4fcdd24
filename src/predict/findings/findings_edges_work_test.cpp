// The edges of rules on arithmetic, calls, accesses and threads; findings_edges_test.cpp tries
// them.
#include <vector>

#include "predict/findings/finding_edges.hpp"

namespace ridge::predict::testing {
namespace {

constexpr auto fp64 = Precision::fp64;
constexpr auto add = OperationKind::add;

void flops(Case& c, unsigned width, std::uint64_t amount, OperationKind kind = add) {
  work_of(c.loop()).add(fp64, kind, width, 20 * kMega * amount);
}

std::vector<Edge> arithmetic_edges() {
  return {
      {"not-vectorised", "scalar share",
       [](Case& c, bool fires) {
         c.loop().not_vectorised = "reason";
         flops(c, 64, 1000);
         flops(c, 512, either(fires, 1000, 1001));
       }},
      {"scalar-flops", "scalar share",
       [](Case& c, bool fires) {
         flops(c, 64, 1000);
         flops(c, 512, either(fires, 1000, 1001));
       }},
      {"scalar-flops", "the compiler gave a reason",
       [](Case& c, bool fires) {
         flops(c, 64, 1000);
         if (!fires) {
           c.loop().not_vectorised = "reason";
         }
       }},
      {"scalar-flops", "memory explains the time",
       [](Case& c, bool fires) {
         flops(c, 64, 1000);
         c.reads("DRAM", either(fires, 119e9, 121e9));
       }},
      {"scalar-flops", "memory needs more, though it does not explain the time",
       [](Case& c, bool fires) {
         flops(c, 64, 500);  // 1.25 s
         c.reads("DRAM", either(fires, 99e9, 101e9));
       }},
      {"narrow-vectors", "share",
       [](Case& c, bool fires) {
         flops(c, 128, 1000);
         flops(c, 256, either(fires, 1000, 1001));
       }},
      {"narrow-vectors", "wider is faster",  // 12 and 24 flop per cycle
       [](Case& c, bool fires) {
         flops(c, 128, 1000);
         c.scale(".avx512.", 0.5);
         c.scale(".avx2.", either(fires, 0.601, 0.599));
       }},
      {"narrow-vectors", "memory explains the time",
       [](Case& c, bool fires) {
         flops(c, 128, 1500);
         c.reads("DRAM", either(fires, 119e9, 121e9));
       }},
      {"narrow-vectors", "as wide as pays",  // 512 bit are no faster on this machine
       [](Case& c, bool fires) { flops(c, fires ? 128 : 256, 1000); }},
      {"unfused-multiply-add", "fusible share",
       [](Case& c, bool fires) {
         flops(c, 512, 1000);
         flops(c, 512, 1000, OperationKind::mul);
         c.loop().fusible_flops = 20 * kMega * either(fires, 1000, 999);
       }},
      {"unfused-multiply-add", "memory explains the time",
       [](Case& c, bool fires) {
         flops(c, 512, 3000);
         flops(c, 512, 3000, OperationKind::mul);
         c.loop().fusible_flops = 120000 * kMega;
         c.reads("DRAM", either(fires, 119e9, 121e9));
       }},
      {"unfused-multiply-add", "the machine has FMA",
       [](Case& c, bool fires) {
         flops(c, 512, 1000);
         flops(c, 512, 1000, OperationKind::mul);
         c.loop().fusible_flops = 40000 * kMega;
         std::erase_if(c.profile.machine.ceilings, [&](const Ceiling& ceiling) {
           return !fires && ceiling.operation == Operation::fma;
         });
       }},
      {"idle-lanes", "active share",
       [](Case& c, bool fires) {
         c.loop().masked = MaskedOperations{1000, 8000, either(fires, 5599, 5600)};
       }},
      {"divisions", "share",
       [](Case& c, bool fires) {
         flops(c, 512, 1000, OperationKind::div);
         flops(c, 512, either(fires, 9000, 9001));
       }},
      {"divisions", "square roots",
       [](Case& c, bool fires) {
         flops(c, 512, 1000, OperationKind::sqrt);
         flops(c, 512, either(fires, 9000, 9001));
       }},
      {"divisions", "memory explains the time",
       [](Case& c, bool fires) {
         flops(c, 64, 200, OperationKind::div);  // 5 s by the table of the CPU
         c.reads("DRAM", either(fires, 119e9, 121e9));
       }},
  };
}

std::vector<Edge> call_edges() {
  return {
      {"library-math", "calls per iteration",
       [](Case& c, bool fires) {
         c.loop().iterations = 1000 * kMega;
         c.loop().calls = {{"exp", either(fires, 100 * kMega, 100 * kMega - 1)}};
       }},
      {"library-math", "calls in the time",
       [](Case& c, bool fires) { c.loop().calls = {{"exp", either(fires, 10, 9) * kMega}}; }},
      {"opaque-calls", "calls per iteration",
       [](Case& c, bool fires) {
         c.loop().iterations = 1000 * kMega;
         c.loop().opaque = {{"f", either(fires, 100 * kMega, 100 * kMega - 1)}};
       }},
      {"opaque-calls", "calls in the time",
       [](Case& c, bool fires) { c.loop().opaque = {{"f", either(fires, 10, 9) * kMega}}; }},
      {"opaque-calls", "samples",
       [](Case& c, bool fires) {
         c.loop().opaque = {{"f", 10 * kMega}};
         c.samples(either(fires, 20, 19));
       }},
      // 40 G cycles
      {"small-function", "cycles",
       [](Case& c, bool fires) {
         c.loop().kind = RegionKind::function;
         c.loop().entries = either(fires, 2001 * kMega, 1999 * kMega);
       }},
      {"small-function", "calls",
       [](Case& c, bool fires) {
         c.loop().kind = RegionKind::function;
         c.loop().cpu_seconds.self->value = Seconds(1e-4);
         c.loop().entries = either(fires, 100000, 99999);
       }},
      {"small-function", "samples",
       [](Case& c, bool fires) {
         c.loop().kind = RegionKind::function;
         c.loop().entries = 4000 * kMega;
         c.samples(either(fires, 20, 19));
       }},
      {"small-function", "what it contains counts",
       [](Case& c, bool fires) {
         c.loop().kind = RegionKind::function;
         c.loop().entries = 4000 * kMega;
         c.loop().cpu_seconds.inclusive = c.loop().cpu_seconds.self;
         c.loop().cpu_seconds.inclusive->value = Seconds(either(fires, 19.9, 20.1));
       }},
      {"small-function", "loops are none",
       [](Case& c, bool fires) {
         c.loop().kind = fires ? RegionKind::function : RegionKind::loop;
         c.loop().entries = 4000 * kMega;
       }},
      {"short-loop", "iterations",
       [](Case& c, bool fires) { c.loop().entries = either(fires, 125001, 125000); }},
      {"short-loop", "repeats at all",
       [](Case& c, bool fires) {
         c.loop().iterations = 3 * kMega;
         c.loop().entries = either(fires, 2 * kMega, 2 * kMega + 1);
       }},
      {"short-loop", "entries",
       [](Case& c, bool fires) {
         c.loop().iterations = 2000;
         c.loop().entries = either(fires, 1000, 999);
       }},
  };
}

void patterns(Case& c, AccessPattern pattern, std::uint64_t others) {
  c.loop().accesses = {{pattern, false, {}, 1000}, {AccessPattern::unit, false, {}, others}};
}

void in_cache(Case& c, double l2, double use) {
  c.loop().bytes_loaded = 2000000 * kMega;
  c.reads("L2", l2);
  c.loop().line_use = use;
}

void overwrites(Case& c, std::uint64_t overwritten, std::uint64_t written) {
  c.loop().bytes_stored = 10000 * kMega;
  c.loop().bytes_overwritten = 10 * kMega * overwritten;
  c.loop().traffic["DRAM"] = {80 * kMega * written, 10 * kMega * written};
}

std::vector<Edge> access_edges() {
  return {
      {"strided-access", "share",
       [](Case& c, bool fires) {
         patterns(c, AccessPattern::constant, either(fires, 3000, 3001));
       }},
      {"strided-access", "lines are used",
       [](Case& c, bool fires) {
         patterns(c, AccessPattern::constant, 1);
         c.loop().line_use = either(fires, 0.499, 0.5);
       }},
      {"strided-access", "small steps",
       [](Case& c, bool fires) {
         c.loop().accesses = {{AccessPattern::constant, false, fires ? 17U : 16U, 1000}};
       }},
      {"strided-access", "small steps with wide gaps",
       [](Case& c, bool fires) {
         c.loop().accesses = {{AccessPattern::constant, false, 16, 1000},
                              {AccessPattern::indirect, false, {}, either(fires, 333, 334)}};
         c.loop().line_use = 0.3;
       }},
      {"indirect-access", "share",
       [](Case& c, bool fires) {
         patterns(c, AccessPattern::indirect, either(fires, 3000, 3001));
       }},
      {"indirect-access", "a chain of loads says more",
       [](Case& c, bool fires) {
         patterns(c, AccessPattern::indirect, 1);
         chain_of(c, ChainOperation::load, either(fires, kMega / 2 - 1, kMega / 2));
       }},
      {"gather-scatter", "share",
       [](Case& c, bool fires) {
         c.loop().bytes_loaded = 1000;
         c.loop().gathered = Traffic{either(fires, 100, 99), 0};
       }},
      {"poor-line-use", "use",
       [](Case& c, bool fires) { in_cache(c, 2e11, either(fires, 0.499, 0.5)); }},
      {"poor-line-use", "beyond L1",
       [](Case& c, bool fires) { in_cache(c, either(fires, 1e11, 0.99e11), 0.1); }},
      {"poor-line-use", "strides say why",
       [](Case& c, bool fires) {
         in_cache(c, 2e11, 0.1);
         patterns(c, AccessPattern::constant, either(fires, 3001, 3000));
       }},
      {"poor-line-use", "computed addresses say why",
       [](Case& c, bool fires) {
         in_cache(c, 2e11, 0.1);
         patterns(c, AccessPattern::indirect, either(fires, 3001, 3000));
       }},
      {"excess-traffic", "excess",
       [](Case& c, bool fires) {
         c.reads("DRAM", either(fires, 150e9, 149e9));
         c.loop().least_traffic["DRAM"] = {100000 * kMega, 0};
       }},
      {"excess-traffic", "calls",
       [](Case& c, bool fires) {
         c.reads("DRAM", 240e9);
         c.loop().least_traffic["DRAM"] = {40000 * kMega, 0};
         c.function().entries = either(fires, 4, 5);
       }},
      {"excess-traffic", "beside the bytes asked for",
       [](Case& c, bool fires) {
         c.loop().bytes_loaded = 1000000 * kMega;
         c.reads("DRAM", either(fires, 5e10, 4.9e10));
         c.loop().least_traffic["DRAM"] = {1000, 0};
       }},
      {"reuse-just-misses", "saved share",
       [](Case& c, bool fires) {
         in_cache(c, 2e11, 1.0);
         c.loop().miss_curve = {{32768, 200000 * kMega},
                                {1572864, either(fires, 100000 * kMega, 100000 * kMega + 64)}};
       }},
      {"reuse-just-misses", "capacity",
       [](Case& c, bool fires) {
         in_cache(c, 2e11, 1.0);
         c.loop().miss_curve = {{32768, 200000 * kMega}, {either(fires, 2097152, 2097153), 0}};
       }},
      {"reuse-just-misses", "beside the bytes asked for",
       [](Case& c, bool fires) {
         in_cache(c, 2e11, 1.0);
         c.loop().miss_curve = {{32768, either(fires, 100000 * kMega, 100000 * kMega - 64)},
                                {1572864, 0}};
       }},
      {"write-allocate", "share of the traffic",  // 900 of 9000
       [](Case& c, bool fires) { overwrites(c, either(fires, 901, 899), 1000); }},
      {"write-allocate", "stores reach memory",
       [](Case& c, bool fires) { overwrites(c, 1000, either(fires, 500, 499)); }},
      {"write-allocate", "caches allocate",
       [](Case& c, bool fires) {
         overwrites(c, 1000, 1000);
         c.profile.machine.caches[1].write_allocate =
             fires ? WriteAllocate::always : WriteAllocate::never;
       }},
      {"needs-last-level", "more traffic",
       [](Case& c, bool fires) {
         c.reads("DRAM", 100e9);
         c.loop().traffic_at_share["1/2"] = {either(fires, 120000, 119900) * kMega, 0};
       }},
      {"needs-last-level", "any traffic",
       [](Case& c, bool fires) {
         c.reads("DRAM", 0.0);
         c.loop().traffic_at_share["1/2"] = {either(fires, 50000, 0) * kMega, 0};
       }},
      {"needs-last-level", "beside the bytes asked for",
       [](Case& c, bool fires) {
         c.loop().bytes_loaded = 1000000 * kMega;
         c.reads("DRAM", 1000.0);
         c.loop().traffic_at_share["1/2"] = {either(fires, 50000 * kMega, 50000 * kMega - 1), 0};
       }},
  };
}

std::vector<Edge> thread_edges() {
  return {
      {"load-imbalance", "max over mean",
       [](Case& c, bool fires) {
         c.loop().thread_work = {{0, 1200, 0, 0, {}}, {1, either(fires, 800, 801), 0, 0, {}}};
       }},
      {"rank-imbalance", "max over mean",
       [](Case& c, bool fires) {
         c.loop().ranks = RegionRanks{
             RankSpread{
                 2, either(fires, 8.0, 8.1), 0, 10.0, 12.0, 1, either(fires, 10.0, 10.05), {}},
             std::nullopt,
             std::nullopt,
             std::nullopt,
             {}};
       }},
      {"serial-part", "threads that wait",
       [](Case& c, bool fires) {
         c.loop().caused_wait_seconds = Seconds(either(fires, 5.0, 4.9));
       }},
      {"serial-part", "one thread at a time",
       [](Case& c, bool fires) {
         c.loop().caused_wait_seconds = Seconds(30.0);
         c.loop().threads = fires ? 1 : 2;
       }},
      {"false-sharing", "lines taken",
       [](Case& c, bool fires) {
         c.loop().sharing = LineSharing{4, 3, 1, either(fires, 10000, 9999)};
       }},
      {"false-sharing", "lines taken in turns",
       [](Case& c, bool fires) {
         c.loop().sharing = LineSharing{4, 3, 1, either(fires, 400, 399), 800};
       }},
      {"false-sharing", "lines taken in turns, a few times",
       [](Case& c, bool fires) {
         c.loop().sharing = LineSharing{4, 3, 1, either(fires, 16, 15), 8};
       }},
      {"false-sharing", "mostly different words",
       [](Case& c, bool fires) { c.loop().sharing = LineSharing{4, fires ? 2U : 1U, 1, 10000}; }},
      {"shared-writes", "lines taken",
       [](Case& c, bool fires) {
         c.loop().sharing = LineSharing{4, 1, 3, either(fires, 10000, 9999)};
       }},
      {"shared-writes", "mostly one word",
       [](Case& c, bool fires) { c.loop().sharing = LineSharing{4, fires ? 1U : 2U, 1, 10000}; }},
  };
}

void faults(Case& c, std::uint64_t count, double kernel_seconds) {
  c.loop().page_faults = PageFaults{count, count, count, 0, Seconds(kernel_seconds)};
}

std::vector<Edge> page_edges() {
  return {
      {"page-faults", "share of the time",
       [](Case& c, bool fires) { faults(c, kMega, either(fires, 1.0, 0.999)); }},
      {"page-faults", "time of each",
       [](Case& c, bool fires) { faults(c, either(fires, 4000, 3999), 2.0); }},
      {"page-faults", "hundredths of a second",
       [](Case& c, bool fires) {
         const double kernel = either(fires, 0.1, 0.09);
         c.loop().cpu_seconds.self->value = Seconds(5 * kernel);
         faults(c, kMega, kernel);
       }},
      {"page-faults", "number",
       [](Case& c, bool fires) {
         c.loop().cpu_seconds.self->value = Seconds(0.2);
         faults(c, either(fires, 200, 199), 0.1);
       }},
      {"page-faults", "samples",
       [](Case& c, bool fires) {
         faults(c, kMega, 5.0);
         c.samples(either(fires, 20, 19));
       }},
  };
}

/// Five percent of the 10 s: below, the rule has nothing to say.
std::vector<Edge> matter_edges() {
  return {
      {"scalar-flops", "arithmetic matters",
       [](Case& c, bool fires) {
         work_of(c.loop()).add(fp64, add, 64, either(fires, 4001, 3999) * kMega);
       }},
      {"narrow-vectors", "arithmetic matters",
       [](Case& c, bool fires) {
         work_of(c.loop()).add(fp64, add, 128, either(fires, 8001, 7999) * kMega);
       }},
      {"unfused-multiply-add", "arithmetic matters",
       [](Case& c, bool fires) {
         work_of(c.loop()).add(fp64, add, 512, either(fires, 16001, 15999) * kMega);
         work_of(c.loop()).add(fp64, OperationKind::mul, 512, 10000 * kMega);
         c.loop().fusible_flops = 20000 * kMega;
       }},
      {"divisions", "arithmetic matters",  // 5 cycles each
       [](Case& c, bool fires) {
         work_of(c.loop()).add(fp64, OperationKind::div, 64, either(fires, 401, 399) * kMega);
       }},
      {"excess-traffic", "data matter",
       [](Case& c, bool fires) {
         c.reads("DRAM", either(fires, 20.1e9, 19.9e9));
         c.loop().least_traffic["DRAM"] = {1000, 0};
       }},
      {"excess-traffic", "waiting matters",
       [](Case& c, bool fires) {
         from_memory(c, either(fires, 0.321e9, 0.319e9));
         c.loop().least_traffic["DRAM"] = {1000, 0};
       }},
      {"poor-line-use", "data matter",
       [](Case& c, bool fires) {
         c.reads("L2", either(fires, 64.1e9, 63.9e9));
         c.loop().line_use = 0.1;
       }},
      {"reuse-just-misses", "data matter",
       [](Case& c, bool fires) {
         c.reads("L2", either(fires, 64.1e9, 63.9e9));
         c.loop().miss_curve = {{32768, 64000 * kMega}, {1572864, 0}};
       }},
      {"write-allocate", "memory matters",  // 5 bytes read for one written: 38 GB/s
       [](Case& c, bool fires) {
         const auto written = either(fires, 3300, 3000) * kMega;
         c.loop().bytes_stored = c.loop().bytes_overwritten.emplace(written);
         c.loop().traffic["DRAM"] = {5 * written, written};
       }},
      {"needs-last-level", "memory matters",
       [](Case& c, bool fires) {
         c.reads("DRAM", 1000.0);
         c.loop().traffic_at_share["1/2"] = {either(fires, 20100, 19900) * kMega, 0};
       }},
  };
}

}  // namespace

std::vector<Edge> work_edges() {
  std::vector<Edge> all;
  for (const auto& group : {arithmetic_edges(), call_edges(), access_edges(), thread_edges(),
                            page_edges(), matter_edges()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace ridge::predict::testing
