// Tensor graphs and networks: what is written reads back, what is broken is refused.
#include "serialize/network.hpp"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serialize/json_document.hpp"
#include "serialize/random_values.hpp"
#include "serialize/sentences_for_tests.hpp"
#include "serialize/tensor_graph.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;

TensorGraph sample() {
  TensorGraph graph;
  graph.name = "net \xff\x1b[31m";
  graph.opset = 13;
  graph.tensors = {{"x", TensorRole::input, "fp32", std::vector<std::uint64_t>{2, 3}},
                   {"w", TensorRole::weight, "int8", std::vector<std::uint64_t>{}},
                   {"y", TensorRole::activation, "", std::nullopt}};
  OperatorNode node;
  node.name = "n";
  node.operation = "Mystery";
  node.domain = "com.example";
  node.inputs = {0, std::nullopt, 1};
  node.outputs = {2};
  node.attributes = {
      {"axis", std::int64_t{-1}},
      {"alpha", 0.25},
      {"mode", std::string("linear")},
      {"pads", std::vector<std::int64_t>{0, -9, std::numeric_limits<std::int64_t>::max()}}};
  node.inner_nodes = 4;
  node.repeats = 12;
  node.branches = {{0, 1}};
  graph.conditionals = {"if"};
  graph.nodes = {node};
  graph.outputs = {2};
  graph.handed_on = {2, 0};
  graph.notes = {{"code", "text"}};
  return graph;
}

TEST(TensorGraphFormat, ReadsBackWhatItWrites) {
  TensorGraph graph = sample();
  graph.name = "net";
  const auto again = parse_tensor_graph(write_tensor_graph(graph), "g.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_TRUE(*again == graph);
}

TEST(TensorGraphFormat, RandomGraphsComeBack) {
  std::mt19937_64 random(19);
  for (int i = 0; i < 200; ++i) {
    const TensorGraph graph = random_tensor_graph(random);
    const std::string text = write_tensor_graph(graph);
    const auto again = parse_tensor_graph(text, "g.json");
    ASSERT_TRUE(again) << again.error().message << text;
    EXPECT_TRUE(*again == graph) << text;
  }
}

TEST(TensorGraphFormat, NamesOfStrangersAreWrittenAsText) {
  EXPECT_TRUE(parse_tensor_graph(write_tensor_graph(sample()), "g.json"));
}

TEST(TensorGraphFormat, AttributesThatAreNotFiniteAreLeftOut) {
  TensorGraph graph = sample();
  graph.nodes[0].attributes["alpha"] = std::numeric_limits<double>::quiet_NaN();
  const auto again = parse_tensor_graph(write_tensor_graph(graph), "g.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->nodes[0].attributes.count("alpha"), 0U);
}

struct Refusal {
  const char* from;
  const char* to;
  const char* word;  ///< of the message
};

constexpr Refusal kRefusals[] = {
    {"\"inputs\": [0, -1, 1]", "\"inputs\": [0, -1, 3]", "from -1 to 2"},
    {"\"inputs\": [0, -1, 1]", "\"inputs\": [-2]", "from -1 to 2"},
    {"\"outputs\": [2]", "\"outputs\": [-7]", "outputs"},
    {"\"handed_on\": [2, 0]", "\"handed_on\": [3]", "handed_on"},
    {"\"conditional\": 0", "\"conditional\": 1", "conditional"},
    {"\"branch\": 1", "\"branch\": 2", "branch"},
    {"[2, 3]", "[2, 9007199254740993]", "shape"},
    {"\"activation\"", "\"other\"", "role"},
    {"\"integer\": -1", "\"number\": -1", "integers"},
};

Result<TensorGraph> parse_changed(const Refusal& change) {
  return parse_tensor_graph(replaced(write_tensor_graph(sample()), change.from, change.to),
                            "g.json");
}

TEST(TensorGraphFormat, PlacesAndSizesOutOfRangeAreRefused) {
  for (const Refusal& refusal : kRefusals) {
    const auto graph = parse_changed(refusal);
    ASSERT_FALSE(graph) << refusal.to;
    EXPECT_THAT(graph.error().message, HasSubstr(refusal.word));
  }
}

TEST(TensorGraphFormat, MutatedFilesAreReadOrRefused) {
  std::mt19937_64 random(104);
  const std::string text = write_tensor_graph(sample());
  int accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = text;
    const std::size_t at = random() % bytes.size();
    switch (random() % 3) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, 1 + random() % 20);
        break;
      default:
        bytes.insert(at, bytes.substr(random() % bytes.size(), random() % 30));
    }
    const auto graph = parse_tensor_graph(bytes, "g.json");
    if (!graph) {
      EXPECT_THAT(graph.error().message, HasSubstr("g.json"));
      continue;
    }
    ++accepted;
    const auto again = parse_tensor_graph(write_tensor_graph(*graph), "g.json");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_TRUE(*again == *graph);
  }
  EXPECT_GT(accepted, 0);
}

TEST(NetworkFormat, WhatIsNotKnownIsAbsent) {
  Network network;
  network.name = "net";
  NetworkLayer layer;
  layer.name = "a";
  layer.operation = "com.example.Mystery";
  layer.read_bytes = 8;
  layer.weight_bytes = 0;
  network.layers = {layer};
  NetworkTimes times;
  times.machine = "x100";
  times.roofs = {{"HBM", 1e12, "byte/s", Basis::theoretical, Origin::datasheet, true}};
  times.layers = {{std::nullopt, std::nullopt, std::nullopt, std::nullopt, true}};
  const std::string text = write_network(network, {times});
  EXPECT_THAT(text, testing::Not(HasSubstr("null")));
  EXPECT_THAT(text, HasSubstr("\"bytes\": {\"weights\": 0, \"read\": 8}"));
  EXPECT_THAT(text, HasSubstr("\"layers_without_flops\": 1"));
  EXPECT_THAT(text, HasSubstr("\"incomplete\": true"));
  EXPECT_TRUE(parse_document(text, "n.json"));
}

}  // namespace

void tensor_graph_sentences(tests::Sentences& sentences) {
  for (const Refusal& refusal : kRefusals) {
    sentences.add("tensor graph, " + change(refusal.from, refusal.to), parse_changed(refusal));
  }
}

}  // namespace ridge::serialize
