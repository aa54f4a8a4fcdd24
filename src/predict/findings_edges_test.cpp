// Each threshold of each rule: it fires on one side and not on the other.
#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "predict/finding_case.hpp"

namespace ridge::predict {
namespace {

using namespace testing;

/// `set` makes an example in which the rule fires, or one just beside.
struct Edge {
  const char* code;
  const char* what;
  std::function<void(Case&, bool)> set;
};

constexpr auto fp64 = Precision::fp64;
constexpr auto add = OperationKind::add;

template <class T>
auto either(bool fires, T at, T beside) {
  if constexpr (std::is_floating_point_v<T>) {
    return fires ? at : beside;
  } else {
    return static_cast<std::uint64_t>(fires ? at : beside);
  }
}

void exact_time(Case& c) {
  c.loop().time_seconds.self->low = c.loop().time_seconds.self->high =
      c.loop().time_seconds.self->value;
}

std::vector<Edge> roof_edges() {
  return {
      // The DRAM roof of reads is 400 GB in 10 s.
      {"above-roof", "fraction",
       [](Case& c, bool fires) {
         exact_time(c);
         c.reads("DRAM", either(fires, 421e9, 419e9));
       }},
      {"above-roof", "time interval",
       [](Case& c, bool fires) { c.reads("DRAM", either(fires, 430e9, 427e9)); }},
      {"above-roof", "samples",
       [](Case& c, bool fires) {
         c.reads("DRAM", 500e9);
         c.samples(either(fires, 20, 19));
       }},
      {"at-roof", "fraction",
       [](Case& c, bool fires) { c.reads("DRAM", either(fires, 321e9, 319e9)); }},
      {"at-roof", "not above",
       [](Case& c, bool fires) { c.reads("DRAM", either(fires, 419e9, 421e9)); }},
      {"at-roof", "samples",
       [](Case& c, bool fires) {
         c.reads("DRAM", 380e9);
         c.samples(either(fires, 20, 19));
       }},
      {"few-threads", "explains the time",
       [](Case& c, bool fires) { c.reads("DRAM", either(fires, 121e9, 119e9)); }},
      {"few-threads", "more threads draw more",  // 40 and 60 GB/s
       [](Case& c, bool fires) {
         c.reads("DRAM", 200e9);
         c.scale("bandwidth.DRAM.load.avx512.t2", either(fires, 0.801, 0.799));
       }},
      {"few-threads", "seconds per entry",
       [](Case& c, bool fires) {
         c.reads("DRAM", 200e9);
         c.loop().entries = either(fires, 999999, 1000001);
       }},
      {"few-threads", "all threads at work",
       [](Case& c, bool fires) {
         c.reads("DRAM", 250e9);
         c.loop().threads = fires ? 1 : 2;
       }},
  };
}

void on_two_nodes(Case& c, double node, double bytes) {
  c.profile.machine.topology.numa_nodes = 2;
  c.profile.machine.numa = {
      {0, 0, "DRAM", 1, exactly<BytesPerSecond>(node), {}},
      {0, 1, "DRAM", 1, exactly<BytesPerSecond>(2.0 * node), {}},  // remote: never the measure
  };
  c.loop().threads = 2;
  c.reads("DRAM", bytes);
}

std::vector<Edge> node_edges() {
  return {
      {"one-numa-node", "rate below that of a node",
       [](Case& c, bool fires) { on_two_nodes(c, 30e9, either(fires, 241e9, 239e9)); }},
      {"one-numa-node", "rate above that of a node",
       [](Case& c, bool fires) { on_two_nodes(c, 30e9, either(fires, 374e9, 376e9)); }},
      {"one-numa-node", "near the roof of all",  // 600 GB
       [](Case& c, bool fires) { on_two_nodes(c, 40e9, either(fires, 419e9, 421e9)); }},
      {"one-numa-node", "threads on one node",
       [](Case& c, bool fires) {
         on_two_nodes(c, 30e9, 280e9);
         c.loop().threads = fires ? 2 : 1;
       }},
      {"one-numa-node", "one node",
       [](Case& c, bool fires) {
         on_two_nodes(c, 30e9, 300e9);
         c.profile.machine.topology.numa_nodes = fires ? 2 : 1;
       }},
      {"one-numa-node", "node not measured",
       [](Case& c, bool fires) {
         on_two_nodes(c, 30e9, 300e9);
         c.profile.machine.numa[0].memory_node = fires ? 0 : 1;
       }},
  };
}

void chain_of(Case& c, ChainOperation operation, std::uint64_t operations) {
  c.loop().chain = {{operation, fp64, true, operations}};
}

/// All lines come from DRAM, after 100 ns each.
void from_memory(Case& c, double bytes) {
  c.loop().bytes_loaded = kMega;
  for (const char* level : {"L2", "L3", "DRAM"}) {
    c.reads(level, bytes);
  }
  c.loop().accesses = {{AccessPattern::indirect, false, {}, 1000}};
  c.add_latency("DRAM", 100e-9);
}

std::vector<Edge> waiting_edges() {
  return {
      {"pointer-chase", "loads per iteration",
       [](Case& c, bool fires) {
         chain_of(c, ChainOperation::load, either(fires, kMega / 2, kMega / 2 - 1));
       }},
      {"pointer-chase", "samples",
       [](Case& c, bool fires) {
         chain_of(c, ChainOperation::load, kMega);
         c.samples(either(fires, 20, 19));
       }},
      {"pointer-chase", "far below the roof",
       [](Case& c, bool fires) {
         chain_of(c, ChainOperation::load, kMega);
         c.reads("DRAM", either(fires, 119e9, 121e9));
       }},
      // 3 cycles at 4 GHz, 10^10 times: 7.5 s.
      {"dependency-chain", "share of the time",
       [](Case& c, bool fires) {
         c.loop().iterations = 10000 * kMega;
         chain_of(c, ChainOperation::add, 10000 * kMega);
         c.loop().cpu_seconds.self->value = Seconds(either(fires, 14.9, 15.1));
       }},
      {"dependency-chain", "long loops",
       [](Case& c, bool fires) {
         c.loop().iterations = 6400 * kMega;
         chain_of(c, ChainOperation::add, 10000 * kMega);
         c.loop().entries = either(fires, 100 * kMega, 100 * kMega + 1);
       }},
      {"dependency-chain", "samples",
       [](Case& c, bool fires) {
         c.loop().iterations = 10000 * kMega;
         chain_of(c, ChainOperation::add, 10000 * kMega);
         c.samples(either(fires, 20, 19));
       }},
      // 5 of 10 s are 50 million lines.
      {"latency-bound", "lines explain the time",
       [](Case& c, bool fires) { from_memory(c, either(fires, 3.21e9, 3.19e9)); }},
      {"latency-bound", "far below the roof",
       [](Case& c, bool fires) { from_memory(c, either(fires, 119e9, 121e9)); }},
      {"latency-bound", "loads, not stores",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         c.loop().bytes_stored = either(fires, kMega - 1000, kMega + 1000);
       }},
      {"latency-bound", "latency known",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         if (!fires) {
           c.profile.machine.ceilings.pop_back();
         }
       }},
      {"latency-bound", "a level unknown",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         if (!fires) {
           c.loop().traffic.erase("L3");
         }
       }},
      {"latency-bound", "a chain of loads says more",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         chain_of(c, ChainOperation::load, either(fires, kMega / 2 - 1, kMega / 2));
       }},
      {"latency-bound", "steps are known ahead",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         c.loop().accesses.push_back({AccessPattern::unit, false, {}, either(fires, 3000, 3001)});
       }},
      {"latency-bound", "no known pattern is none ahead",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         c.loop().accesses = {{AccessPattern::unknown, false, {}, 1000},
                              {AccessPattern::constant, false, {}, either(fires, 3000, 3001)}};
       }},
      {"latency-bound", "samples",
       [](Case& c, bool fires) {
         from_memory(c, 6.4e9);
         c.samples(either(fires, 20, 19));
       }},
  };
}

void flops(Case& c, unsigned width, std::uint64_t amount, OperationKind kind = add) {
  c.loop().flops.add(fp64, kind, width, 20 * kMega * amount);
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
         flops(c, 128, 1000);
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
         flops(c, 512, 1000);
         flops(c, 512, 1000, OperationKind::mul);
         c.loop().fusible_flops = 40000 * kMega;
         c.reads("DRAM", either(fires, 119e9, 121e9));
       }},
      {"unfused-multiply-add", "the machine has FMA",
       [](Case& c, bool fires) {
         flops(c, 512, 1000);
         flops(c, 512, 1000, OperationKind::mul);
         c.loop().fusible_flops = 40000 * kMega;
         std::erase_if(c.profile.machine.ceilings, [&](const Ceiling& ceiling) {
           return !fires && ceiling.operation == "fma";
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
         c.loop().calls = {{"exp", either(fires, kMega / 10, kMega / 10 - 1)}};
       }},
      {"opaque-calls", "calls per iteration",
       [](Case& c, bool fires) {
         c.loop().opaque = {{"f", either(fires, kMega / 10, kMega / 10 - 1)}};
       }},
      {"opaque-calls", "samples",
       [](Case& c, bool fires) {
         c.loop().opaque = {{"f", kMega}};
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
      {"false-sharing", "lines taken",
       [](Case& c, bool fires) {
         c.loop().sharing = LineSharing{4, 3, 1, either(fires, 10000, 9999)};
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

/// Five percent of the 10 s: below, the rule has nothing to say.
std::vector<Edge> matter_edges() {
  return {
      {"scalar-flops", "arithmetic matters",
       [](Case& c, bool fires) {
         c.loop().flops.add(fp64, add, 64, either(fires, 4001, 3999) * kMega);
       }},
      {"narrow-vectors", "arithmetic matters",
       [](Case& c, bool fires) {
         c.loop().flops.add(fp64, add, 128, either(fires, 8001, 7999) * kMega);
       }},
      {"unfused-multiply-add", "arithmetic matters",
       [](Case& c, bool fires) {
         c.loop().flops.add(fp64, add, 512, either(fires, 16001, 15999) * kMega);
         c.loop().flops.add(fp64, OperationKind::mul, 512, 10000 * kMega);
         c.loop().fusible_flops = 20000 * kMega;
       }},
      {"divisions", "arithmetic matters",  // 5 cycles each
       [](Case& c, bool fires) {
         c.loop().flops.add(fp64, OperationKind::div, 64, either(fires, 401, 399) * kMega);
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

std::vector<Edge> all_edges() {
  std::vector<Edge> all;
  for (const auto& group : {roof_edges(), node_edges(), waiting_edges(), arithmetic_edges(),
                            call_edges(), access_edges(), thread_edges(), matter_edges()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

class Edges : public ::testing::TestWithParam<Edge> {};

TEST_P(Edges, FiresAt) {
  Case example;
  GetParam().set(example, true);
  EXPECT_NE(example.find(GetParam().code), nullptr);
}

TEST_P(Edges, IsSilentBeside) {
  Case example;
  GetParam().set(example, false);
  EXPECT_EQ(example.find(GetParam().code), nullptr);
}

INSTANTIATE_TEST_SUITE_P(All, Edges, ::testing::ValuesIn(all_edges()), [](const auto& edge) {
  std::string name = std::string(edge.param.code) + "_" + edge.param.what;
  std::erase(name, ',');
  std::replace_if(name.begin(), name.end(), [](char c) { return c == '-' || c == ' '; }, '_');
  return name;
});

TEST(EdgesOfRules, AreTriedForEachCode) {
  std::set<std::string> tried;
  for (const Edge& edge : all_edges()) {
    tried.insert(edge.code);
  }
  for (const auto code : finding_codes()) {
    EXPECT_TRUE(tried.contains(std::string(code))) << code;
  }
}

}  // namespace
}  // namespace ridge::predict
