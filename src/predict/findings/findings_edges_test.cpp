// Each threshold of each rule: it fires on one side and not on the other.
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "predict/findings/finding_edges.hpp"

namespace ridge::predict {
namespace {

using namespace testing;

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
  c.profile.machine.topology->numa_nodes = 2;
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
         c.profile.machine.topology->numa_nodes = fires ? 2 : 1;
       }},
      {"one-numa-node", "pages not seen",
       [](Case& c, bool fires) {
         on_two_nodes(c, 30e9, 300e9);
         c.loop().memory_nodes = {{0, 0, fires ? 49U : 50U}, {1, 1, 50}};
       }},
      {"remote-memory", "share, as far as it is certain",
       [](Case& c, bool fires) {
         c.reads("DRAM", 250e9);  // 0.24 +- 0.04 of 400
         c.loop().memory_nodes = {{0, 0, 299}, {0, 1, fires ? 100U : 92U}, {1, 1, 1}};
       }},
      {"remote-memory", "memory without CPUs",
       [](Case& c, bool fires) {
         c.reads("DRAM", 250e9);
         c.loop().memory_nodes = {{0, 1, 200}};
         if (fires) {
           c.profile.machine.numa = {{1, 1, "DRAM", 1, exactly<BytesPerSecond>(30e9), {}}};
         }
       }},
      {"remote-memory", "samples",
       [](Case& c, bool fires) {
         c.reads("DRAM", 250e9);
         c.loop().memory_nodes = {{0, 1, fires ? 99U : 98U}, {1, 1, 1}};
       }},
      {"remote-memory", "memory matters",
       [](Case& c, bool fires) {
         c.reads("DRAM", fires ? 250e9 : 1e9);
         work_of(c.loop()).add(Precision::fp64, OperationKind::add, 512, 64000 * kMega);
         c.loop().memory_nodes = {{0, 1, 100}, {1, 1, 1}};
       }},
      {"one-numa-node", "node not measured",
       [](Case& c, bool fires) {
         on_two_nodes(c, 30e9, 300e9);
         c.profile.machine.numa[0].memory_node = fires ? 0 : 1;
       }},
  };
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

std::vector<Edge> all_edges() {
  std::vector<Edge> all;
  for (const auto& group : {roof_edges(), node_edges(), waiting_edges(), work_edges()}) {
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
