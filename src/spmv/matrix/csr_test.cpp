#include "spmv/matrix/csr.hpp"

#include <random>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/matrix/matrices_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Place = TestEntry;

TEST(Csr, SortsAndAddsUp) {
  const auto matrix = from_coordinates(
      coordinates_of(4, 5, {{3, 1, 7}, {0, 4, 1}, {0, 2, 2}, {3, 1, 0.5}, {0, 4, 3}}));
  ASSERT_TRUE(matrix) << matrix.error().message;
  EXPECT_THAT(matrix->row_begin.span(), ElementsAre(0, 2, 2, 2, 3));
  EXPECT_THAT(matrix->column.span(), ElementsAre(2, 4, 1));
  EXPECT_THAT(matrix->value.span(), ElementsAre(2, 4, 7.5));
}

TEST(Csr, ExplicitZerosStay) {
  const auto matrix = from_coordinates(coordinates_of(1, 3, {{0, 1, 0}, {0, 2, 1}, {0, 2, -1}}));
  ASSERT_TRUE(matrix);
  EXPECT_THAT(matrix->column.span(), ElementsAre(1, 2));
  EXPECT_THAT(matrix->value.span(), ElementsAre(0, 0));
}

TEST(Csr, NoRowsAndNoEntries) {
  const auto none = from_coordinates(coordinates_of(0, 0, {}));
  ASSERT_TRUE(none);
  EXPECT_THAT(none->row_begin.span(), ElementsAre(0));
  const auto empty = from_coordinates(coordinates_of(3, 2, {}));
  ASSERT_TRUE(empty);
  EXPECT_THAT(empty->row_begin.span(), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(transpose(*empty).rows, 2);
}

TEST(Csr, EntriesOutsideAreSaid) {
  for (const Place& place : {Place{2, 0, 1}, Place{0, 3, 1}, Place{-1, 0, 1}, Place{0, -1, 1}}) {
    const auto matrix = from_coordinates(coordinates_of(2, 3, {{0, 0, 1}, place}));
    ASSERT_FALSE(matrix);
    EXPECT_EQ(matrix.error().code, ErrorCode::bad_input);
    EXPECT_THAT(matrix.error().message, HasSubstr("entry 1"));
    EXPECT_THAT(matrix.error().message, HasSubstr("2 x 3"));
  }
  auto uneven = coordinates_of(2, 2, {{0, 0, 1}, {1, 1, 1}});
  uneven.row.shorten(1);
  EXPECT_FALSE(from_coordinates(uneven));
  EXPECT_FALSE(from_coordinates(coordinates_of(-1, 2, {})));
}

TEST(Csr, RandomEntriesKeepTheirSum) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 100; ++round) {
    const auto rows = static_cast<std::int32_t>(1 + random() % 20);
    const auto columns = static_cast<std::int32_t>(1 + random() % 20);
    std::vector<Place> places(random() % 100);
    std::vector<double> dense(static_cast<std::size_t>(rows * columns), 0);
    for (Place& place : places) {
      place = {static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(rows)),
               static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(columns)),
               static_cast<double>(random() % 100)};
      dense[static_cast<std::size_t>(place.row * columns + place.column)] += place.value;
    }
    const auto matrix = from_coordinates(coordinates_of(rows, columns, places));
    ASSERT_TRUE(matrix);
    const auto again = from_coordinates(to_coordinates(*matrix));
    ASSERT_TRUE(again);
    const auto turned = transpose(*matrix);
    const auto back = transpose(turned);
    EXPECT_TRUE(std::ranges::equal(back.row_begin.span(), matrix->row_begin.span()));
    EXPECT_TRUE(std::ranges::equal(back.column.span(), again->column.span()));
    EXPECT_TRUE(std::ranges::equal(back.value.span(), again->value.span()));
    std::vector<double> one(static_cast<std::size_t>(columns), 0);
    std::vector<double> y(static_cast<std::size_t>(rows), 0);
    for (std::int32_t j = 0; j < columns; ++j) {
      one[static_cast<std::size_t>(j)] = 1;
      multiply_slowly(*matrix, 1, one.data(), 0, y.data());
      for (std::int32_t i = 0; i < rows; ++i) {
        EXPECT_EQ(y[static_cast<std::size_t>(i)], dense[static_cast<std::size_t>(i * columns + j)]);
      }
      one[static_cast<std::size_t>(j)] = 0;
    }
  }
}

TEST(Csr, OtherNumbers) {
  const auto matrix = from_coordinates(coordinates_of(2, 2, {{0, 1, 0.1}, {1, 0, 3}}));
  ASSERT_TRUE(matrix);
  const auto other = converted<float, std::int64_t>(*matrix);
  EXPECT_THAT(other.value.span(), ElementsAre(0.1F, 3.0F));
  EXPECT_THAT(other.row_begin.span(), ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace ridge::spmv
