#include "render/document/network/network_table.hpp"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "render/chart/text.hpp"
#include "render/sentences_for_tests.hpp"

namespace ridge::render {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

NetworkLayer layer(const std::string& name, const std::string& operation, LayerKind kind) {
  NetworkLayer made;
  made.name = name;
  made.operation = operation;
  made.kind = kind;
  made.flops = 0;
  made.intops = 0;
  made.weight_bytes = made.read_bytes = made.written_bytes = 0;
  return made;
}

Network network() {
  NetworkLayer product = layer("first\x1b[31m", "Conv", LayerKind::product);
  product.flops = 2'000'000'000;
  product.weight_bytes = 1'000'000;
  product.fused = {"Relu", "Add"};
  product.output_shape = {1, 64, 7, 7};
  product.calls = {{"exp", 1000}};
  NetworkLayer unknown = layer("second", "com.example.Mystery", LayerKind::unknown);
  unknown.flops.reset();
  unknown.read_bytes = 500'000;
  Network made;
  made.name = "net.onnx";
  made.layers = {product, unknown, layer("third", "Reshape", LayerKind::view),
                 layer("fourth", "Shape", LayerKind::constant)};
  made.precision = "fp16";
  made.notes = {{"dimension-set", "dimension `n` set to 8"}};
  return made;
}

NetworkTimes times() {
  NetworkTimes made;
  made.machine = "x100";
  made.machine_name = "X100";
  made.roofs = {{"fp16 matrix", 1e15, "flop/s", Basis::theoretical, Origin::datasheet, false},
                {"HBM", 1e12, "byte/s", Basis::theoretical, Origin::datasheet, true}};
  made.layers = {{2e-6, 1e-6, 2e-6, 0, false},
                 {std::nullopt, 5e-7, 5e-7, 1, true},
                 {std::nullopt, std::nullopt, 0.0, std::nullopt, false},
                 {std::nullopt, std::nullopt, 0.0, std::nullopt, false}};
  made.seconds = 2.5e-6;
  made.seconds_without_overlap = 3.5e-6;
  made.incomplete_layers = 1;
  return made;
}

TEST(NetworkTable, ALinePerLayerThatMovesSomething) {
  const std::string text = network_table(network(), {times()}, {.columns = 160});
  EXPECT_THAT(text, ContainsRegex("Conv \\+2 +1x64x7x7 +2.00 GFlop +1.00 MB +0 B +0 B +2000 +fp16 "
                                  "matrix +2.00 us +80.0 %"));
  EXPECT_THAT(text,
              ContainsRegex("com.example.Mystery +- +0 B +500 kB +0 B +- +HBM \\? +>= 500 ns"));
  EXPECT_THAT(text, ContainsRegex("views +1 Reshape"));
  EXPECT_THAT(text, ContainsRegex("constant +1 Shape"));
  EXPECT_THAT(text, ContainsRegex("unknown +1 com.example.Mystery"));
  EXPECT_THAT(text, Not(HasSubstr("third")));
}

TEST(NetworkTable, SumsSayWhatIsNotKnown) {
  const std::string text = network_table(network(), {times()}, {.columns = 160});
  EXPECT_THAT(text, ContainsRegex("time +>= 2.50 us"));
  EXPECT_THAT(text, ContainsRegex("work +>= 2.00 GFlop .2 000 000 000 flop.; without .* 1 layer"));
  EXPECT_THAT(text, HasSubstr("1.00 k exp"));
  EXPECT_THAT(text, ContainsRegex("fp16 matrix 1.00 PFlop/s, theoretical, .*unverified"));
  EXPECT_THAT(text, HasSubstr("at fp16 (asked for)"));
  EXPECT_THAT(text, HasSubstr("dimension `n` set to 8"));
  EXPECT_THAT(text, HasSubstr("bound: fp16 matrix 80 %, HBM 20 %"));
}

TEST(NetworkTable, StartsOfKernelsAreSaid) {
  NetworkTimes made = times();
  EXPECT_THAT(network_table(network(), {made}, {.columns = 160}), HasSubstr("layer costs nothing"));
  made.launch_seconds = 1.3e-5;
  made.roofs.push_back({"launch", 1.5e5, "launch/s", Basis::sustained, Origin::assumed, false});
  const std::string text = network_table(network(), {made}, {.columns = 160});
  EXPECT_THAT(text, HasSubstr("13.0 us of it to start kernels"));
  EXPECT_THAT(text, ContainsRegex("launch 150 k/s, sustained, assumed, unverified"));
  EXPECT_THAT(text, Not(HasSubstr("costs nothing")));
}

TEST(NetworkTable, NarrowTerminalsKeepWorkBoundAndTime) {
  const std::string text = network_table(network(), {times()}, {.columns = 80});
  EXPECT_THAT(text, ContainsRegex("2.00 GFlop .*fp16 matrix +2.00 us"));
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("net.onnx")) {
      EXPECT_LE(display_width(line), 80U) << line;
    }
  }
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

TEST(NetworkTable, SeveralMachinesTheFastestFirst) {
  NetworkTimes slow = times();
  slow.machine = "a-slow-one";
  slow.seconds = 1e-3;
  const std::string text = network_table(network(), {slow, times()}, {});
  EXPECT_LT(text.find("x100"), text.find("a-slow-one"));
  EXPECT_THAT(text, HasSubstr("--json has all"));
}

}  // namespace

void network_sentences(tests::Sentences& sentences) {
  sentences.add("a network", network_table(network(), {times()}, {.columns = 160}));
}

}  // namespace ridge::render
