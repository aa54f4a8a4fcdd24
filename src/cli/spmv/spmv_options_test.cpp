#include "cli/spmv/spmv_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridge::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

SpmvOptions good(const std::vector<std::string>& arguments) {
  auto options = parse_spmv_options(arguments);
  EXPECT_TRUE(options) << options.error().message;
  return options && *options ? **options : SpmvOptions{};
}

Error bad(const std::vector<std::string>& arguments) {
  auto options = parse_spmv_options(arguments);
  EXPECT_FALSE(options);
  return options ? Error{} : options.error();
}

TEST(SpmvOptions, Everything) {
  const auto options = good({"a.mtx",
                             "--formats",
                             "csr,sell-32-N,pattern-3x3",
                             "--threads",
                             "1,2",
                             "--schedules",
                             "rows,block-cyclic",
                             "--rhs",
                             "2,8",
                             "--power",
                             "4",
                             "--traffic",
                             "258M",
                             "-o",
                             "x.svg",
                             "--title",
                             "mine",
                             "--style",
                             "paper",
                             "--index-bits",
                             "64",
                             "--quick",
                             "--json",
                             "--ascii",
                             "--force"});
  EXPECT_EQ(options.matrix, "a.mtx");
  ASSERT_EQ(options.formats.size(), 3U);
  EXPECT_EQ(spmv::name_of(options.formats[1]), "sell-32-N");
  EXPECT_THAT(options.threads, ElementsAre(1, 2));
  EXPECT_THAT(options.schedules, ElementsAre(spmv::Schedule::rows, spmv::Schedule::block_cyclic));
  EXPECT_THAT(options.vectors, ElementsAre(2, 8));
  EXPECT_THAT(options.powers, ElementsAre(4));
  EXPECT_EQ(options.traffic_bytes, 258e6);
  EXPECT_EQ(options.index_bits, 64U);
  EXPECT_EQ(options.output, "x.svg");
  EXPECT_EQ(options.title, "mine");
  EXPECT_EQ(options.style, "paper");
  EXPECT_TRUE(options.quick && options.json && options.ascii && options.force);
  EXPECT_EQ(good({"--generate", "poisson2d:10"}).generate, "poisson2d:10");
  EXPECT_EQ(good({"a.mtx", "--traffic", "1.5e3"}).traffic_bytes, 1500);
}

TEST(SpmvOptions, WhatIsWrongIsSaid) {
  EXPECT_THAT(bad({}).message, HasSubstr("no matrix"));
  EXPECT_THAT(bad({"a", "b"}).message, HasSubstr("more than one"));
  EXPECT_THAT(bad({"a", "--generate", "hpcg:3"}).message, HasSubstr("more than one"));
  EXPECT_THAT(bad({"a", "--formats", "csc"}).message, HasSubstr("csc"));
  EXPECT_THAT(bad({"a", "--schedules", "guided"}).message, HasSubstr("guided"));
  EXPECT_THAT(bad({"a", "--threads", "0"}).message, HasSubstr("--threads 0"));
  EXPECT_THAT(bad({"a", "--rhs", "1"}).message, HasSubstr("--rhs 1"));
  EXPECT_THAT(bad({"a", "--power", "99"}).message, HasSubstr("--power 99"));
  EXPECT_THAT(bad({"a", "--index-bits", "16"}).message, HasSubstr("16"));
  for (const char* traffic : {"", "x", "-1", "0", "nan", "inf", "1e999", "3MB", "3 M"}) {
    EXPECT_EQ(bad({"a", "--traffic", traffic}).code, ErrorCode::usage) << traffic;
  }
}

}  // namespace
}  // namespace ridge::cli
