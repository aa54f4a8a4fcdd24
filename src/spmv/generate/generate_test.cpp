#include "spmv/generate/generate.hpp"

#include <bit>
#include <chrono>
#include <cmath>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/generate/generators.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kMuch = std::uint64_t{1} << 40;

GeneratedMatrix made(std::string_view spec, std::uint64_t seed = 1) {
  auto matrix = generate(spec, seed, kMuch);
  EXPECT_TRUE(matrix) << spec << ": " << matrix.error().message;
  return matrix ? std::move(*matrix) : GeneratedMatrix{};
}

bool equal(const GeneratedMatrix& a, const GeneratedMatrix& b) {
  return std::ranges::equal(a.row_begin.span(), b.row_begin.span()) &&
         std::ranges::equal(a.column.span(), b.column.span()) &&
         std::ranges::equal(a.value.span(), b.value.span());
}

void expect_well_formed(const GeneratedMatrix& a, std::string_view spec) {
  ASSERT_EQ(a.row_begin.size(), static_cast<std::size_t>(a.rows) + 1) << spec;
  ASSERT_EQ(static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(a.rows)]), a.entries());
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int32_t k = a.row_begin.data()[i]; k < a.row_begin.data()[i + 1]; ++k) {
      const std::int32_t j = a.column.data()[k];
      ASSERT_TRUE(j >= 0 && j < a.columns) << spec << " row " << i;
      ASSERT_TRUE(k == a.row_begin.data()[i] || a.column.data()[k - 1] < j) << spec << " row " << i;
      ASSERT_NE(a.value.data()[k], 0) << spec << " row " << i;
      ASSERT_LE(std::abs(a.value.data()[k]), 16.5 / 2) << spec << " row " << i;
    }
  }
}

TEST(Generate, EntriesInClosedForm) {
  for (const std::uint64_t n : {1U, 2U, 3U, 5U, 8U}) {
    const std::string size = std::to_string(n);
    EXPECT_EQ(made("poisson2d:" + size).entries(), 5 * n * n - 4 * n);
    EXPECT_EQ(made("poisson3d:" + size).entries(), 7 * n * n * n - 6 * n * n);
    const std::uint64_t line = 3 * n - 2;
    EXPECT_EQ(made("hpcg:" + size).entries(), line * line * line);
    EXPECT_EQ(made("fem:" + size + ",2").entries(), 4 * line * line * line);
    EXPECT_EQ(made("fem:" + size).entries(), 9 * line * line * line);
    EXPECT_EQ(made("fem:" + size).rows, static_cast<std::int32_t>(3 * n * n * n));
    EXPECT_EQ(made("mesh:" + std::to_string(n * n * n)).entries(), 7 * n * n * n - 6 * n * n);
    if (n >= 3) {
      EXPECT_EQ(made("anderson:" + size).entries(), 7 * n * n * n);
    }
  }
  EXPECT_EQ(made("uniform:1000,7").entries(), 7000U);
  EXPECT_EQ(made("uniform:50,50").entries(), 2500U);
  EXPECT_EQ(made("uniform:100,99").entries(), 9900U);
  // Windows of 11 but for ten rows at either end: 6, 7, 8, 9, 10 wide.
  EXPECT_EQ(made("band:100,5,4").entries(), 400U);
  EXPECT_EQ(made("band:100,5,11").entries(), 1100U - 2 * (5 + 4 + 3 + 2 + 1));
  EXPECT_EQ(made("band:100,5,1000").entries(), 1100U - 2 * (5 + 4 + 3 + 2 + 1));
  EXPECT_EQ(made("band:9,0,3").entries(), 9U);
  EXPECT_EQ(made("band:9,2147483647,9").entries(), 81U);
}

TEST(Generate, EveryClassIsWellFormed) {
  for (const std::string_view spec :
       {"poisson2d:17", "poisson3d:9", "hpcg:7", "band:3000,40,7", "uniform:2000,9", "rmat:10,8",
        "fem:5,4", "mesh:1234", "kkt:3000", "anderson:6", "kkt:1", "kkt:2", "kkt:3", "mesh:1",
        "rmat:0,1", "mesh:100000", "band:1,0,1", "uniform:1,1"}) {
    const GeneratedMatrix a = made(spec);
    expect_well_formed(a, spec);
    EXPECT_EQ(a.rows, a.columns);
  }
}

TEST(Generate, Symmetric) {
  for (const std::string_view spec : {"poisson2d:17", "poisson3d:9", "hpcg:7", "fem:4,3",
                                      "mesh:1234", "kkt:3000", "anderson:6"}) {
    const GeneratedMatrix a = made(spec);
    EXPECT_TRUE(equal(a, transpose(a))) << spec;
  }
}

TEST(Generate, EntriesAreWhereTheClassSays) {
  const GeneratedMatrix band = made("band:2000,30,6");
  for (std::int32_t i = 0; i < band.rows; ++i) {
    bool diagonal = false;
    for (std::int32_t k = band.row_begin.data()[i]; k < band.row_begin.data()[i + 1]; ++k) {
      EXPECT_LE(std::abs(band.column.data()[k] - i), 30);
      diagonal |= band.column.data()[k] == i;
    }
    EXPECT_TRUE(diagonal) << i;
  }
  const GeneratedMatrix kkt = made("kkt:5000");
  for (std::int32_t i = 3000; i < kkt.rows; ++i) {
    for (std::int32_t k = kkt.row_begin.data()[i]; k < kkt.row_begin.data()[i + 1]; ++k) {
      EXPECT_LT(kkt.column.data()[k], 3000) << "constraint " << i << " on a constraint";
    }
  }
  const double per_row = static_cast<double>(kkt.entries()) / 5000;
  EXPECT_GT(per_row, 6);
  EXPECT_LT(per_row, 9);
}

TEST(Generate, RmatHasHubs) {
  const GeneratedMatrix a = made("rmat:12,16");
  EXPECT_LT(a.entries(), 65536U);
  EXPECT_GT(a.entries(), 50000U);
  std::int32_t most = 0;
  for (std::int32_t i = 0; i < a.rows; ++i) {
    most = std::max(most, a.row_size(i));
  }
  EXPECT_GT(most, 20 * 16);
}

TEST(Generate, AndersonIsTheModel) {
  const GeneratedMatrix a = made("anderson:10");
  double least = 0;
  double most = 0;
  for (std::int32_t i = 0; i < a.rows; ++i) {
    for (std::int32_t k = a.row_begin.data()[i]; k < a.row_begin.data()[i + 1]; ++k) {
      if (a.column.data()[k] != i) {
        EXPECT_EQ(a.value.data()[k], -1);
      } else {
        least = std::min(least, a.value.data()[k]);
        most = std::max(most, a.value.data()[k]);
      }
    }
  }
  EXPECT_LT(least, -8);
  EXPECT_GT(most, 8);
}

TEST(Generate, ValuesUseAllTheirBits) {
  const GeneratedMatrix a = made("poisson3d:12");
  std::set<double> different(a.value.begin(), a.value.end());
  EXPECT_GT(different.size(), a.entries() / 2 - 10);  // one for each unordered pair
  double sum = 0;
  for (const double value : different) {
    sum += value;
  }
  EXPECT_LT(std::abs(sum), 0.05 * static_cast<double>(different.size()));
}

std::uint64_t hash(const GeneratedMatrix& a) {
  std::uint64_t h = 0;
  for (const std::int32_t begin : a.row_begin) {
    h = mixed(h + static_cast<std::uint64_t>(begin));
  }
  for (std::size_t k = 0; k < a.entries(); ++k) {
    h = mixed(h + static_cast<std::uint64_t>(a.column[k])) ^
        std::bit_cast<std::uint64_t>(a.value[k]);
  }
  return h;
}

TEST(Generate, TheSameEverywhere) {
  // Pinned: published figures name these matrices.
  const std::pair<std::string_view, std::uint64_t> pinned[] = {
      {"poisson2d:20", 0xf767eceae8a473a0U},   {"poisson3d:9", 0x2cacacc48355b244U},
      {"hpcg:6", 0xe8b4b4382751ae2bU},         {"band:140000,40,7", 0x6e3e676db1888a67U},
      {"uniform:2000,9", 0x8521d7b5f66aec1dU}, {"rmat:17,2", 0x178e3b900290fac6U},
      {"fem:5,3", 0x7d6e805b082630b1U},        {"mesh:140000", 0xae2e211d4e2dc32cU},
      {"kkt:140000", 0x4cbc67454d29c586U},     {"anderson:6", 0xe00a8a206e08b5bfU}};
  for (const auto& [spec, expected] : pinned) {
    const GeneratedMatrix a = made(spec);
    EXPECT_EQ(hash(a), expected) << spec << " 0x" << std::hex << hash(a);
    EXPECT_NE(hash(a), hash(made(spec, 2))) << spec;
  }
}

TEST(Generate, HostileSpecs) {
  for (const std::string_view spec : {"",
                                      ":",
                                      "poisson",
                                      "poisson3d",
                                      "poisson3d:",
                                      "poisson3d:x",
                                      "poisson3d:-3",
                                      "poisson3d:3,",
                                      "poisson3d:3,4",
                                      "poisson3d:0",
                                      "poisson3d: 3",
                                      "poisson3d:3 ",
                                      "poisson3d:3.5",
                                      "poisson3d:1e3",
                                      "poisson3d:99999999999999999999999",
                                      "poisson3d:2147483648",
                                      "poisson3d:2147483647",
                                      "poisson3d:1291",
                                      "poisson2d:46341",
                                      "hpcg:1291",
                                      "hpcg:2147483647",
                                      "band:3",
                                      "band:0,1,1",
                                      "band:3,3,0",
                                      "band:1,2,3,4",
                                      "band:2147483647,9,9",
                                      "uniform:5,6",
                                      "uniform:2147483647,2147483647",
                                      "rmat:31,1",
                                      "rmat:2147483647,1",
                                      "rmat:30,16",
                                      "fem:3,0",
                                      "fem:2147483647,2147483647",
                                      "fem:10,2147483647",
                                      "mesh:0",
                                      "mesh:2147483647",
                                      "kkt:0",
                                      "kkt:2147483647",
                                      "anderson:2",
                                      "anderson:1000",
                                      "POISSON3D:3",
                                      "\x01\x02:3",
                                      "rmat:,",
                                      "fem:,",
                                      "band:,,"}) {
    const auto matrix = generate(spec, 1, std::nullopt);
    ASSERT_FALSE(matrix) << spec;
    EXPECT_EQ(matrix.error().code, ErrorCode::usage) << matrix.error().message;
    EXPECT_THAT(matrix.error().hint, HasSubstr("Expected"));
    EXPECT_THAT(matrix.error().hint, HasSubstr("for instance"));
    for (const char c : matrix.error().message) {
      EXPECT_TRUE(c >= 0x20 && c < 0x7f);
    }
  }
  const std::string long_one(100000, 'x');
  EXPECT_LT(generate(long_one).error().message.size(), 300U);
}

TEST(Generate, MoreThanMemoryIsRefused) {
  for (const std::string_view spec : {"poisson3d:600", "uniform:100000000,20", "hpcg:400",
                                      "mesh:200000000", "kkt:200000000", "rmat:26,16"}) {
    const auto matrix = generate(spec, 1, std::uint64_t{1} << 30);
    ASSERT_FALSE(matrix) << spec;
    EXPECT_EQ(matrix.error().code, ErrorCode::unavailable);
    EXPECT_THAT(matrix.error().message, HasSubstr("GB"));
  }
}

TEST(Generate, ErrorNamesFormAndExample) {
  const Error error = generate("band:10").error();
  EXPECT_THAT(error.message, AllOf(HasSubstr("'band:10'"), HasSubstr("3 numbers, not 1")));
  EXPECT_THAT(error.hint,
              AllOf(HasSubstr("band:ROWS,HALFWIDTH,PER_ROW"), HasSubstr("band:1500000,5000,16")));
  EXPECT_THAT(generate("nothing:3").error().hint, HasSubstr("poisson2d, poisson3d, hpcg"));
}

TEST(Generate, DescriptionsNameWhatWorks) {
  const std::string text = describe_generators();
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
  std::size_t begin = 0;
  while (begin < text.size()) {  // every example is in brackets at the end of its line
    const std::size_t end = text.find('\n', begin);
    const std::string line = text.substr(begin, end - begin);
    EXPECT_LE(line.size(), 120U);
    const std::size_t open = line.rfind('(');
    const std::string example = line.substr(open + 1, line.size() - open - 2);
    const auto refused = generate(example, 1, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::unavailable) << example;
    begin = end + 1;
  }
}

}  // namespace

void generate_sentences(tests::Sentences& sentences) {
  for (const char* spec : {"band:10", "nothing:3"}) {
    const Error error = generate(spec).error();
    sentences.add(std::string("generate ") + spec, error.message + "\n" + error.hint);
  }
}

}  // namespace ridge::spmv
