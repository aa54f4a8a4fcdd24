#include "spmv/format/code_balance.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/generate/generate.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;

TEST(CodeBalance, CsrAsPublished) {
  // Kreutzer et al. 2014: (12 + 20 / N_nzr + 8 alpha) / 2 byte/flop.
  for (const double n : {1.0, 5.0, 7.1, 123.0}) {
    for (const double alpha : {0.0, 0.14, 1.0, 8.0}) {
      EXPECT_DOUBLE_EQ(csr_code_balance(n, alpha).bytes_per_flop(), (12 + 20 / n + 8 * alpha) / 2);
    }
  }
  // The familiar limit: many entries in each row, x once.
  EXPECT_NEAR(csr_code_balance(1e9, 1e-9).bytes_per_flop(), 6, 1e-6);
}

TEST(CodeBalance, AlphaOfThePublishedMeasurement) {
  // DLR's kkt_power example: 258 MB for 14.6e6 entries, 7.1 a row.
  const std::size_t entries = 14'600'000;
  const auto alpha = alpha_from_traffic(258e6, entries, csr_code_balance(7.1, 0));
  ASSERT_TRUE(alpha) << alpha.error().message;
  EXPECT_NEAR(*alpha, 0.36, 0.005);
  EXPECT_NEAR(*alpha * 7.1, 2.5, 0.05);  // x comes two and a half times
}

TEST(CodeBalance, AlphaGoesThereAndBack) {
  for (const bool allocate : {false, true}) {
    for (const std::int32_t k : {1, 4}) {
      const VectorUse use{.right_hand_sides = k, .write_allocate = allocate, .reads_y = false};
      const CodeBalance there = csr_code_balance(9, 0.7, {}, use);
      const auto back = alpha_from_traffic(there.bytes_per_entry() * 900, 900,
                                           csr_code_balance(9, 0, {}, use), use);
      ASSERT_TRUE(back);
      EXPECT_NEAR(*back, 0.7, 1e-12);
    }
  }
}

// Of both triangles in one: x is read, and y read and written, alpha times 8 B each.
TEST(CodeBalance, AlphaGoesThereAndBackWhereYIsSummedInto) {
  Footprint footprint;
  footprint.useful = 900;
  footprint.stored = 500;
  footprint.value_bytes = 500 * 8;
  footprint.sums_into_y = true;
  const auto at = [&](double alpha) { return *code_balance(footprint, 100, alpha, {}); };
  const double bytes = 900 * at(0.7).bytes_per_entry();
  EXPECT_NEAR(bytes - 900 * at(0).bytes_per_entry(), 900 * 0.7 * 3 * 8, 1e-9);
  EXPECT_NEAR(alpha_from_traffic(bytes, 900, at(0), {}, true).value(), 0.7, 1e-12);
}

TEST(CodeBalance, TooLittleTrafficIsSaid) {
  const auto less = alpha_from_traffic(100e6, 14'600'000, csr_code_balance(7.1, 0));
  ASSERT_FALSE(less);
  EXPECT_EQ(less.error().code, ErrorCode::bad_input);
  EXPECT_THAT(less.error().message, HasSubstr("less than"));
  EXPECT_FALSE(alpha_from_traffic(0, 10, csr_code_balance(7, 0)));
  EXPECT_FALSE(alpha_from_traffic(-1, 10, csr_code_balance(7, 0)));
  EXPECT_FALSE(alpha_from_traffic(NAN, 10, csr_code_balance(7, 0)));
  EXPECT_FALSE(alpha_from_traffic(100, 0, csr_code_balance(7, 0)));
}

TEST(CodeBalance, WriteAllocateAndBeta) {
  const auto y_of = [](VectorUse use) {
    const CodeBalance balance = csr_code_balance(4, 0, {}, use);
    return balance.y_read + balance.y_written;
  };
  EXPECT_DOUBLE_EQ(y_of({.write_allocate = true}), 16.0 / 4);
  EXPECT_DOUBLE_EQ(y_of({.write_allocate = false}), 8.0 / 4);
  EXPECT_DOUBLE_EQ(y_of({.write_allocate = false, .reads_y = true}), 16.0 / 4);
  EXPECT_DOUBLE_EQ(y_of({.write_allocate = true, .reads_y = true}), 16.0 / 4);
}

TEST(CodeBalance, SeveralRightHandSidesShareTheMatrix) {
  const CodeBalance four = csr_code_balance(10, 0.2, {}, {.right_hand_sides = 4});
  EXPECT_DOUBLE_EQ(four.bytes_per_flop(), (12 + 0.4 + 4 * (1.6 + 8 * 0.2)) / 8);
}

TEST(CodeBalance, PartsOfAFootprint) {
  Footprint padded;
  padded.useful = 80;
  padded.stored = 100;
  padded.value_bytes = 800;
  padded.index_bytes = 400;
  padded.pointer_bytes = 40;
  padded.copied_bytes = 16;
  const auto balance = code_balance(padded, 20, 0.5);
  ASSERT_TRUE(balance);
  EXPECT_DOUBLE_EQ(balance->beta, 0.8);
  EXPECT_DOUBLE_EQ(balance->values, 8);
  EXPECT_DOUBLE_EQ(balance->indices, 4);
  EXPECT_DOUBLE_EQ(balance->padding, 12 / 0.8 - 12);
  EXPECT_DOUBLE_EQ(balance->padding_per_flop(), 1.5);
  EXPECT_DOUBLE_EQ(balance->pointers, 0.5);
  EXPECT_DOUBLE_EQ(balance->copied, 0.2);
  EXPECT_DOUBLE_EQ(balance->x, 4);
  EXPECT_DOUBLE_EQ(balance->y_read + balance->y_written, 4);
  EXPECT_DOUBLE_EQ(balance->bytes_per_entry(), (800 + 400 + 40 + 16 + 20 * 16) / 80.0 + 4);
  EXPECT_DOUBLE_EQ(balance->roof(1e9), 1e9 / balance->bytes_per_flop());
  EXPECT_FALSE(code_balance(Footprint{}, 20, 0.5));
}

TEST(CodeBalance, OfFormatsOfAMatrix) {
  const auto matrix = generate("poisson3d:12");
  ASSERT_TRUE(matrix);
  const auto of = [&](std::string_view name) {
    const auto format = parse_format(name);
    const auto product = make_product<double>(*matrix, *format, {});
    EXPECT_TRUE(product) << name;
    const auto balance = code_balance((*product)->footprint(), matrix->rows, 0.2);
    EXPECT_TRUE(balance);
    return *balance;
  };
  const double per_row = static_cast<double>(matrix->entries()) / matrix->rows;
  // One pointer more than rows.
  EXPECT_NEAR(of("csr").bytes_per_entry(), csr_code_balance(per_row, 0.2).bytes_per_entry(), 1e-3);
  // Symmetric: half of the entries, no padding, y summed into.
  const CodeBalance symmetric = of("symmetric");
  EXPECT_EQ(symmetric.beta, 1);
  EXPECT_EQ(symmetric.padding, 0);
  EXPECT_NEAR(symmetric.values, 4 * (1 + 1 / per_row), 1e-9);
  EXPECT_DOUBLE_EQ(symmetric.x, 1.6);
  EXPECT_DOUBLE_EQ(symmetric.y_read, 8 / per_row + 1.6);
  EXPECT_DOUBLE_EQ(symmetric.y_written, 8 / per_row + 1.6);
  // Pattern-compressed: fewer indices than CSR, some padding at the ends of lines.
  const CodeBalance pattern = of("pattern");
  EXPECT_LT(pattern.indices, 1);
  EXPECT_GT(pattern.padding, 0);
  EXPECT_LT(pattern.beta, 1);
  EXPECT_LT(pattern.bytes_per_flop(), of("csr").bytes_per_flop());
}

TEST(CodeBalance, TimeGivesAnUpperBoundOnly) {
  // 1 ms at 40 GB/s are at most 40 MB; 2 Mi entries: 4 Mi flops.
  EXPECT_DOUBLE_EQ(most_bytes_per_flop(40e9, 1e-3, 2'000'000), 10);
  EXPECT_DOUBLE_EQ(most_bytes_per_flop(40e9, 1e-3, 2'000'000, 5), 2);
  const CodeBalance balance = csr_code_balance(7, 0.2);
  const double seconds = balance.bytes_per_entry() * 2e6 / 40e9;
  EXPECT_DOUBLE_EQ(most_bytes_per_flop(40e9, seconds, 2'000'000), balance.bytes_per_flop());
}

TEST(CodeBalance, ExampleOfTheDocument) {
  // docs/spmv.md: poisson3d:100.
  const double alpha = least_alpha(1'000'000, 6'940'000);
  EXPECT_NEAR(alpha, 0.144, 5e-4);
  const CodeBalance balance = csr_code_balance(6.94, alpha);
  EXPECT_NEAR(balance.pointers + balance.y_read + balance.y_written, 2.88, 5e-3);
  EXPECT_NEAR(balance.x, 1.15, 5e-3);
  EXPECT_NEAR(balance.bytes_per_flop(), 8.02, 5e-3);
  EXPECT_NEAR(balance.roof(40e9), 4.99e9, 5e6);
}

TEST(CodeBalance, LeastAlpha) {
  EXPECT_DOUBLE_EQ(least_alpha(100, 700), 1 / 7.0);
}

}  // namespace
}  // namespace ridge::spmv
