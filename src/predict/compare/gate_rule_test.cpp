#include "predict/compare/gate_rule.hpp"

#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::predict {
namespace {

using ::testing::HasSubstr;

TEST(GateRule, ReadsQuantityRegionAndLimit) {
  const auto rule = parse_gate_rule("traffic.DRAM@jacobi>2%");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->quantity, "traffic.DRAM");
  EXPECT_EQ(rule->region, "jacobi");
  EXPECT_FALSE(rule->below);
  EXPECT_DOUBLE_EQ(rule->limit, 0.02);
}

TEST(GateRule, PercentFactorAndFractionAreTheSame) {
  EXPECT_DOUBLE_EQ(parse_gate_rule("time>5%")->limit, 0.05);
  EXPECT_DOUBLE_EQ(parse_gate_rule("time>0.05")->limit, 0.05);
  EXPECT_NEAR(parse_gate_rule("time>1.05x")->limit, 0.05, 1e-15);
  EXPECT_DOUBLE_EQ(parse_gate_rule("flops>0")->limit, 0.0);
  EXPECT_DOUBLE_EQ(parse_gate_rule("performance<-5%")->limit, -0.05);
  EXPECT_DOUBLE_EQ(parse_gate_rule("performance<+5%")->limit, 0.05);
}

TEST(GateRule, NamesOfTemplatesMayHoldSigns) {
  const auto rule = parse_gate_rule("time@run<a, (b > 2)>::operator<>1%");
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->region, "run<a, (b > 2)>::operator<");
}

TEST(GateRule, WrongOnesAreRefusedWithTheQuantities) {
  const std::vector<std::string> wrong{"",
                                       "time",
                                       "time>",
                                       ">5%",
                                       "time>5%%",
                                       "time>%",
                                       "time>x",
                                       "time>abc",
                                       "time>1e3",
                                       "time>inf",
                                       "time>nan",
                                       "time>0x10",
                                       "time>5,0%",
                                       "time>--5%",
                                       "time>+-5%",
                                       "tim>5%",
                                       "Time>5%",
                                       "traffic>5%",
                                       "traffic.>5%",
                                       "time.DRAM>5%",
                                       "flops.fp65>5%",
                                       "flops.>5%",
                                       "time@>5%",
                                       "time>5 0%",
                                       "ti me>5%",
                                       "time>5%@sweep",
                                       "time>5%+",
                                       "time>5%+3",
                                       "time>5%+3%",
                                       "time>5%+3KiB",
                                       "time>5%+-3ms",
                                       "time>5%++3ms",
                                       "time>-3ms",
                                       "time>5%+3Mms",
                                       "traffic.DRAM>2%+64 K iB",
                                       "traffic.DRAM>2%+64KB",
                                       "traffic.DRAM>2%+64kiB",
                                       "traffic.DRAM>64KiB+2%",
                                       "flops>1MB",
                                       "iterations>0+3",
                                       "iterations>3iterations",
                                       "time>5%,",
                                       "time>5%,,flops>0",
                                       ",time>5%",
                                       "time>5%, flops",
                                       "time>5% flops>0",
                                       "time<-101%",
                                       "time<-0.1x",
                                       "time>1.2.3",
                                       "time>=5%",
                                       "LEVEL>1",
                                       "traffic.DRAM@",
                                       "flops.PRECISION>0",
                                       std::string("time>5%\0", 8),
                                       "time>" + std::string(100, '9'),
                                       std::string(5000, 'a') + ">1"};
  for (const std::string& text : wrong) {
    const auto rule = parse_gate_rule(text);
    ASSERT_FALSE(rule) << text;
    EXPECT_EQ(rule.error().code, ErrorCode::usage) << text;
    EXPECT_THAT(rule.error().hint, HasSubstr("traffic.LEVEL")) << text;
    EXPECT_LT(rule.error().message.size(), 260U) << text;
  }
}

TEST(GateRule, BlanksMayStandBetweenItsParts) {
  const auto rule = parse_gate_rule("  traffic.DRAM @ jacobi sweep  >  2 % + 64 KiB ");
  ASSERT_TRUE(rule) << rule.error().message;
  EXPECT_EQ(rule->quantity, "traffic.DRAM");
  EXPECT_EQ(rule->region, "jacobi sweep");
  EXPECT_DOUBLE_EQ(rule->limit, 0.02);
  EXPECT_DOUBLE_EQ(*rule->floor, 65536.0);
  EXPECT_EQ(rule->text, "traffic.DRAM @ jacobi sweep  >  2 % + 64 KiB");
  EXPECT_DOUBLE_EQ(parse_gate_rule("time < -5 %")->limit, -0.05);
}

TEST(GateRule, AmountsHaveTheUnitOfTheirQuantity) {
  const auto floor = [](const char* text) { return *parse_gate_rule(text)->floor; };
  EXPECT_DOUBLE_EQ(floor("traffic.L2>2%+4kB"), 4e3);
  EXPECT_DOUBLE_EQ(floor("loaded>2%+3byte"), 3.0);
  EXPECT_DOUBLE_EQ(floor("bytes>1.5MiB"), 1.5 * 1024.0 * 1024.0);
  EXPECT_DOUBLE_EQ(floor("time>5%+2ms"), 2e-3);
  EXPECT_DOUBLE_EQ(floor("cpu_time>1.05x+10us"), 1e-5);
  EXPECT_DOUBLE_EQ(floor("time>2s"), 2.0);
  EXPECT_DOUBLE_EQ(floor("flops.fp64>0+7flop"), 7.0);
  EXPECT_DOUBLE_EQ(floor("flops>1MFlop"), 1e6);
  EXPECT_DOUBLE_EQ(floor("intops>2kop"), 2e3);
  EXPECT_DOUBLE_EQ(floor("performance<-5%+1GFlop/s"), 1e9);
  EXPECT_DOUBLE_EQ(floor("bandwidth.DRAM<-5%+1GB/s"), 1e9);
  EXPECT_DOUBLE_EQ(floor("intensity.L2<-5%+0.25flop/byte"), 0.25);
  EXPECT_DOUBLE_EQ(floor("traffic.DRAM>2%+0B"), 0.0);
  EXPECT_DOUBLE_EQ(parse_gate_rule("bytes>1.5MiB")->limit, 0.0);
  EXPECT_FALSE(parse_gate_rule("traffic.DRAM>2%")->floor);
}

TEST(GateRule, ALoopBelongsToItsOwnRule) {
  const auto rules = parse_gate_rules("time@sweep>5%, flops>0; traffic.DRAM@norm:12>2%+1MiB");
  ASSERT_TRUE(rules) << rules.error().message;
  ASSERT_EQ(rules->size(), 3U);
  EXPECT_EQ((*rules)[0].region, "sweep");
  EXPECT_EQ((*rules)[0].text, "time@sweep>5%");
  EXPECT_EQ((*rules)[1].quantity, "flops");
  EXPECT_FALSE((*rules)[1].region);
  EXPECT_EQ((*rules)[2].region, "norm:12");
  EXPECT_DOUBLE_EQ(*(*rules)[2].floor, 1048576.0);
}

TEST(GateRule, CommasOfTemplatesPartNothing) {
  for (const char* name : {"run<int, 3>", "run<1, flops>", "f<time, flops>", "g<(a < 3), time>"}) {
    const auto rules = parse_gate_rules(std::string("time@") + name + ">5%, bytes>0");
    ASSERT_TRUE(rules) << name << rules.error().message;
    ASSERT_EQ(rules->size(), 2U) << name;
    EXPECT_EQ((*rules)[0].region, name);
    EXPECT_EQ((*rules)[1].quantity, "bytes");
  }
}

TEST(GateRule, ALoopBehindTheLimitIsToldWhereItBelongs) {
  EXPECT_THAT(parse_gate_rules("time>5%@sweep").error().message, HasSubstr("before the < or >"));
}

TEST(GateRule, AnyBytesAreReadOrRefused) {
  std::mt19937 random(11);
  const std::string letters = "time.flopsDRAM@<>%x0159-+.,;KiB \x01\x7f\xc3";
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    for (std::size_t length = random() % 18; length > 0; --length) {
      text += letters[random() % letters.size()];
    }
    if (random() % 2 == 0) {
      text = "time" + text;
    }
    const auto rules = parse_gate_rules(text);
    if (rules) {
      for (const GateRule& rule : *rules) {
        EXPECT_GE(rule.limit, -1.0) << text;
        EXPECT_GE(rule.floor.value_or(0.0), 0.0) << text;
        EXPECT_FALSE(rule.quantity.empty()) << text;
      }
    } else {
      for (const char c : rules.error().message) {
        EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
      }
    }
  }
}

}  // namespace
}  // namespace ridge::predict
