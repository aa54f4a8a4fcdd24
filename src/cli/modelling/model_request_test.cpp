#include "cli/modelling/model_request.hpp"

#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

TEST(ModelRequest, ComesBackAsItWasGiven) {
  ModelRequest request;
  request.file = "a b.c";
  request.machine = "/proc/1/fd/4";
  request.directory = "/build dir";
  request.function = "axpy<double>";
  request.line = 12;
  request.sizes = {{{"N", 4}, {"lo", -2}}, {{"N", 8}, {"lo", -2}}};
  request.index_files = {{"col", "a=b.txt"}, {"row", "r.txt"}};
  request.cpu = "znver4";
  request.by_conditions = false;
  request.cores = 3;
  request.runs = true;
  request.flags = {"-I", "in clude", "--", "-DX=1"};
  const auto again = model_request_from(words_of(request));
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(words_of(*again), words_of(request));
  EXPECT_EQ(again->sizes, request.sizes);
  EXPECT_EQ(again->flags, request.flags);
  EXPECT_EQ(again->index_files, request.index_files);
  EXPECT_FALSE(again->by_conditions);
  EXPECT_TRUE(again->runs);
  EXPECT_TRUE(again->by_simulation);
}

TEST(ModelRequest, WithoutSizesThereIsOneSetOfNone) {
  const auto request = model_request_from({"--file", "a.c"});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->sizes, std::vector<Sizes>{{}});
}

TEST(ModelRequest, WhatAnotherVersionWouldSayIsRefused) {
  EXPECT_FALSE(model_request_from({}));
  EXPECT_FALSE(model_request_from({"--file"}));
  EXPECT_FALSE(model_request_from({"--file", "a.c", "--colour", "red"}));
  EXPECT_FALSE(model_request_from({"--file", "a.c", "--size", "N"}));
  EXPECT_FALSE(model_request_from({"--file", "a.c", "--cores", "0"}));
  EXPECT_FALSE(model_request_from({"--file", "a.c", "--line", "x"}));
}

}  // namespace
}  // namespace ridge::cli
