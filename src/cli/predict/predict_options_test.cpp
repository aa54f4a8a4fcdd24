#include "cli/predict/predict_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using testing::ElementsAre;

Result<PredictSubject> subject_of(const std::vector<std::string>& words, PredictOptions& options) {
  const auto outcome = parse_predict_options(words, options);
  if (!outcome) {
    return tl::make_unexpected(outcome.error());
  }
  return predict_subject(options);
}

Result<PredictSubject> subject_of(const std::vector<std::string>& words) {
  PredictOptions options;
  return subject_of(words, options);
}

TEST(PredictOptions, EverySubjectIsTold) {
  EXPECT_EQ(subject_of({"--list"}), PredictSubject::kernel_list);
  EXPECT_EQ(subject_of({"--kernel", "triad", "-D", "n=1000"}), PredictSubject::kernel);
  EXPECT_EQ(subject_of({"model.onnx", "--on", "a40"}), PredictSubject::network);
  EXPECT_EQ(subject_of({"ridge-out"}), PredictSubject::result);
  EXPECT_EQ(subject_of({"ridge-out/profile.json"}), PredictSubject::result);
}

TEST(PredictOptions, ListsMayHaveCommasOrRepeat) {
  PredictOptions options;
  ASSERT_TRUE(subject_of({"--kernel", "gemm", "-D", "n=10,m=20", "-D", "k=3", "--on", "a40,this",
                          "--on", "./node.json", "--what-if", "DRAM=2x,cores=16"},
                         options));
  EXPECT_THAT(options.parameters, ElementsAre("n=10", "m=20", "k=3"));
  EXPECT_THAT(options.machines(), ElementsAre("a40", "this", "./node.json"));
  EXPECT_THAT(options.what_if, ElementsAre("DRAM=2x", "cores=16"));
}

TEST(PredictOptions, WhereTheDataAreIsForKernelsAndComputations) {
  PredictOptions options;
  ASSERT_TRUE(
      subject_of({"--work", "1e9", "--bytes", "1e9", "--memory", "HBM=0.8,DRAM=0.2", "--stores",
                  "nontemporal", "--working-set", "24kB", "--launches", "0", "--cores", "4"},
                 options));
  EXPECT_THAT(options.memory, ElementsAre("HBM=0.8", "DRAM=0.2"));
  EXPECT_EQ(options.launches, 0U);
  EXPECT_EQ(options.cores, 4U);
  for (const std::vector<std::string>& words : {std::vector<std::string>{"ridge-out", "--cold"},
                                                {"ridge-out", "--memory", "DRAM"},
                                                {"a.onnx", "--stores", "nontemporal"},
                                                {"a.onnx", "--cores", "3"}}) {
    EXPECT_EQ(subject_of(words).error().code, ErrorCode::usage);
  }
}

TEST(PredictOptions, WithoutAMachineItIsThisOne) {
  EXPECT_THAT(PredictOptions{}.machines(), ElementsAre("this"));
}

TEST(PredictOptions, NoneOrSeveralSubjectsAreRefused) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{},
                                                {"--list", "--kernel", "dot"},
                                                {"a.onnx", "ridge-out"},
                                                {"ridge-out", "--kernel", "dot"},
                                                {"ridge-out", "-D", "n=3"},
                                                {"a.onnx", "--cache-aware"},
                                                {"--kernel", "dot", "--launch-latency", "1us"},
                                                {"--kernel"}}) {
    const auto subject = subject_of(words);
    ASSERT_FALSE(subject);
    EXPECT_EQ(subject.error().code, ErrorCode::usage);
    EXPECT_FALSE(subject.error().hint.empty());
  }
}

}  // namespace
}  // namespace ridge::cli
