#include "serialize/sparse_study.hpp"

#include <limits>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/value/sparse_study_for_tests.hpp"
#include "serialize/random_values.hpp"
#include "serialize/sentences_for_tests.hpp"
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

Result<SparseStudy> parse_changed(std::string_view from, std::string_view to) {
  return parse_sparse_study(replaced(write_sparse_study(sparse_study_for_tests()), from, to),
                            "s.json");
}

TEST(SparseStudy, WhatIsWrittenComesBack) {
  for (const std::string& text :
       {write_sparse_study(sparse_study_for_tests()), read_fixture("spmv-mesh.json")}) {
    const auto study = parse_sparse_study(text, "s.json");
    ASSERT_TRUE(study) << study.error().message;
    EXPECT_EQ(write_sparse_study(*study), text);
  }
}

TEST(SparseStudy, RandomOnesComeBack) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 200; ++i) {
    const std::string text = write_sparse_study(random_sparse_study(random));
    const auto study = parse_sparse_study(text, "s.json");
    ASSERT_TRUE(study) << study.error().message << text;
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

struct Slip {
  const char* from;
  const char* to;
  const char* place;
  const char* word;  ///< of the message, tells what is wrong there
};

constexpr Slip kSlips[] = {
    {"ridge.spmv/1", "ridge.spmv/2", "s.json:2: schema ", "ridge.spmv/2"},
    {"\"entries\": 23490000", "\"entries\": -1", "matrix.entries ", "negative"},
    {"\"unit\": \"Flop/s\"", "\"unit\": \"B/s\"", "timings[0].performance.unit ", "be Flop/s"},
    {"\"format\": \"csr\"", "\"format\": \"<csr>\"", "formats[0].format ", "a word"},
    {"\"format\": \"csr\"", "\"format\": \"\"", "formats[0].format ", "a word"},
    {"\"method\": \"rcm\"", "\"method\": \"amd\"", "reorderings[0].method ", "rcm, hubs, is amd"},
    {"\"index_bits\": 32", "\"index_bits\": 31", "index_bits ", "32 or 64"},
    {"\"stream_ahead\": 512", "\"stream_ahead\": 1e300", "stream_ahead ", "1e+300"},
    {"\"given_traffic\"", "\"traffic\"", "measured_alpha ", "given_traffic"},
    {"\"least\": 0.001", "\"least\": 0.6", "picture ", "least <= most"},
    {"\"least\": 0.001", "\"least\": 0", "picture.least ", "positive"},
    {"\"090\"", "\"0a0\"", "picture.rows[1] ", "digits"},
    {"\"090\"", "\"0900\"", "picture.rows[1] ", "as long as the first"},
    {"\"confidence\"", "\"sure\"", "", "\"confidence\""},
    {"\"confidence\": 0.9609375", "\"confidence\": 1.5", "confidence ", "at most 1"},
    {"\"without_index\": 0", "\"without_index\": 7", "without_index ", "at most 1"},
    {"\"rows_imbalance\": 1.01", "\"rows_imbalance\": null", "rows_imbalance ", "null"},
};

TEST(SparseStudy, WhatIsWrongIsSaidWithItsPlace) {
  for (const Slip& slip : kSlips) {
    const auto study = parse_changed(slip.from, slip.to);
    ASSERT_FALSE(study) << slip.to;
    EXPECT_EQ(study.error().code, ErrorCode::bad_input);
    EXPECT_THAT(study.error().message, HasSubstr(slip.place));
    EXPECT_THAT(study.error().message, HasSubstr(slip.word));
  }
}

}  // namespace

void sparse_study_sentences(tests::Sentences& sentences) {
  for (const Slip& slip : kSlips) {
    sentences.add("sparse study, " + change(slip.from, slip.to), parse_changed(slip.from, slip.to));
  }
}

}  // namespace ridge::serialize
