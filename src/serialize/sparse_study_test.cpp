#include "serialize/sparse_study.hpp"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/sparse_study_for_tests.hpp"
#include "serialize/test_files.hpp"

namespace ridge::serialize {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SparseStudy, WritesUnitsAndOrigins) {
  const std::string json = write_sparse_study(sparse_study_for_tests());
  EXPECT_THAT(json, HasSubstr("\"schema\": \"ridge.spmv/1\""));
  EXPECT_THAT(json, HasSubstr("\"unit\": \"Flop/s\""));
  EXPECT_THAT(json, HasSubstr("\"origin\": \"simulated\""));
  EXPECT_THAT(json, HasSubstr("\"break_even_products\": 19"));
}

TEST(SparseStudy, WritesWhatThePairedRatiosSay) {
  SparseStudy study = sparse_study_for_tests();
  const std::string json = write_sparse_study(study);
  EXPECT_THAT(json, HasSubstr("\"paired_speedup\""));
  EXPECT_THAT(json, HasSubstr("\"verdict\": \"faster\""));
  EXPECT_THAT(json, Not(HasSubstr("too-noisy")));
  study.timings[1].paired_speedup->low = 0.2;
  const std::string noisy = write_sparse_study(study);
  EXPECT_THAT(noisy, HasSubstr("\"verdict\": \"too-noisy\""));
  // Read again, the verdict follows from the ends.
  const auto lying = parse_sparse_study(replaced(noisy, "too-noisy", "faster"), "s.json");
  ASSERT_TRUE(lying);
  EXPECT_EQ(write_sparse_study(*lying), noisy);
}

TEST(SparseStudy, OlderStudiesHaveNoPairedRatios) {
  SparseStudy study = sparse_study_for_tests();
  for (SparseTiming& timing : study.timings) {
    timing.paired_speedup = timing.against_fastest = timing.own_roof_interval = std::nullopt;
  }
  for (SparseReordering& reordering : study.reorderings) {
    reordering.paired_gain.reset();
  }
  study.multiples.clear();
  const auto again = parse_sparse_study(write_sparse_study(study), "s.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_FALSE(again->timings[1].paired_speedup);
  EXPECT_FALSE(again->reorderings[0].paired_gain);
}

TEST(SparseStudy, UnknownIsAbsent) {
  SparseStudy study = sparse_study_for_tests();
  study.measured_alpha.reset();
  study.given_traffic.reset();
  study.timings[1].break_even.reset();
  study.timings[1].speedup.reset();
  study.timings[1].paired_speedup.reset();
  study.timings[1].conversion_products = std::numeric_limits<double>::quiet_NaN();
  study.reorderings.clear();
  const std::string json = write_sparse_study(study);
  EXPECT_THAT(json, Not(HasSubstr("measured_alpha")));
  EXPECT_THAT(json, Not(HasSubstr("given_traffic")));
  EXPECT_THAT(json, Not(HasSubstr("break_even")));
  EXPECT_THAT(json, Not(HasSubstr("null")));
  study.picture = {};
  EXPECT_THAT(write_sparse_study(study), Not(HasSubstr("picture")));
  study.picture = {2, 1, {0, 0}};
  EXPECT_THAT(write_sparse_study(study), Not(HasSubstr("picture")));
}

std::string refused(std::string_view from, std::string_view to) {
  const auto study = parse_sparse_study(
      replaced(write_sparse_study(sparse_study_for_tests()), from, to), "s.json");
  return study ? "accepted" : study.error().message;
}

TEST(SparseStudy, WhatIsWrittenComesBack) {
  for (const std::string& text :
       {write_sparse_study(sparse_study_for_tests()), read_fixture("spmv-mesh.json")}) {
    const auto study = parse_sparse_study(text, "s.json");
    ASSERT_TRUE(study) << study.error().message;
    EXPECT_EQ(write_sparse_study(*study), text);
  }
}

TEST(SparseStudy, AnEmptyMatrixHasNoPerformance) {
  SparseStudy study = sparse_study_for_tests();
  study.timings[0].performance = {};
  study.timings[0].performance.samples = 7;
  EXPECT_TRUE(parse_sparse_study(write_sparse_study(study), "s.json"));
}

TEST(SparseStudy, ThePictureComesBackInTenShades) {
  SparseStudy study = sparse_study_for_tests();
  study.picture = {3, 2, {1e-6, 0, 1e-3, 0.9, 2.5e-5, 0}};
  const std::string text = write_sparse_study(study);
  EXPECT_THAT(text, HasSubstr("[\"0.5\", \"92.\"]"));
  const auto again = parse_sparse_study(text, "s.json");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->picture.width, 3U);
  EXPECT_EQ(again->picture.height, 2U);
  for (std::size_t i = 0; i < study.picture.densities.size(); ++i) {
    // Half a shade of nine between 1e-6 and 0.9.
    EXPECT_LE(again->picture.densities[i], study.picture.densities[i] * 2.15) << i;
    EXPECT_GE(again->picture.densities[i], study.picture.densities[i] / 2.15) << i;
  }
  EXPECT_EQ(write_sparse_study(*again), text);
}

TEST(SparseStudy, WhatIsWrongIsSaidWithItsPlace) {
  EXPECT_THAT(refused("ridge.spmv/1", "ridge.spmv/2"), HasSubstr("s.json:2"));
  EXPECT_THAT(refused("\"entries\": 23490000", "\"entries\": -1"),
              HasSubstr("matrix.entries must not be negative"));
  EXPECT_THAT(refused("\"unit\": \"Flop/s\"", "\"unit\": \"B/s\""),
              HasSubstr("timings[0].performance.unit must be Flop/s"));
  EXPECT_THAT(refused("\"format\": \"csr\"", "\"format\": \"<csr>\""),
              HasSubstr("formats[0].format must be a word"));
  EXPECT_THAT(refused("\"format\": \"csr\"", "\"format\": \"\""), HasSubstr("must be a word"));
  EXPECT_THAT(refused("\"method\": \"rcm\"", "\"method\": \"amd\""),
              HasSubstr("reorderings[0].method must be one of rcm, hubs, is amd"));
  EXPECT_THAT(refused("\"index_bits\": 32", "\"index_bits\": 31"), HasSubstr("32 or 64"));
  EXPECT_THAT(refused("\"stream_ahead\": 512", "\"stream_ahead\": 1e300"),
              HasSubstr("stream_ahead"));
  EXPECT_THAT(refused("\"given_traffic\"", "\"traffic\""), HasSubstr("given_traffic"));
  EXPECT_THAT(refused("\"least\": 0.001", "\"least\": 0.6"), HasSubstr("least <= most"));
  EXPECT_THAT(refused("\"least\": 0.001", "\"least\": 0"), HasSubstr("positive"));
  EXPECT_THAT(refused("\"090\"", "\"0a0\""), HasSubstr("picture.rows[1]"));
  EXPECT_THAT(refused("\"090\"", "\"0900\""), HasSubstr("as long as the first row"));
  EXPECT_THAT(refused("\"confidence\"", "\"sure\""), HasSubstr("confidence"));
  EXPECT_THAT(refused("\"rows_imbalance\": 1.01", "\"rows_imbalance\": null"),
              HasSubstr("rows_imbalance"));
}

}  // namespace
}  // namespace ridge::serialize
