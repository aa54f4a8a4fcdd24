#include "spmv/petsc_matrix.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/matrix_files_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Number>
std::string big(std::initializer_list<Number> numbers) {
  std::string bytes;
  for (const Number number : numbers) {
    char own[sizeof number];
    std::memcpy(own, &number, sizeof number);
    bytes.append(std::reverse_iterator(own + sizeof number), std::reverse_iterator(own));
  }
  return bytes;
}

/// [1 0 2; 0 0 0] with integers of that width.
template <class Integer>
std::string small() {
  return big<Integer>({1211216, 2, 3, 2, 2, 0, 0, 2}) + big<double>({1, 2});
}

Result<MatrixFile<std::int32_t>> read_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  return read_matrix<std::int32_t>(folder.write("a", bytes));
}

std::string refusal(const std::string& bytes) {
  const auto file = read_bytes(bytes);
  return file ? "accepted" : file.error().message;
}

TEST(Petsc, BothWidths) {
  for (const std::string& bytes : {small<std::int32_t>(), small<std::int64_t>()}) {
    const auto file = read_bytes(bytes);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_THAT(dense(file->matrix), ElementsAre(1, 0, 2, 0, 0, 0));
    EXPECT_EQ(file->facts.declared.format, MatrixFormat::petsc);
    EXPECT_EQ(file->facts.bytes, bytes.size());
  }
}

TEST(Petsc, ComplexByItsSize) {
  const auto file =
      read_bytes(big<std::int32_t>({1211216, 2, 1, 1, 0, 1, 0}) + big<double>({3, 4}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->matrix.rows, 4);
  EXPECT_THAT(dense(file->matrix), ElementsAre(0, 0, 0, 0, 3, -4, 4, 3));
}

TEST(Petsc, UnsortedRowsAndDuplicates) {
  const auto file =
      read_bytes(big<std::int32_t>({1211216, 1, 3, 3, 3, 2, 0, 2}) + big<double>({1, 2, 4}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_THAT(dense(file->matrix), ElementsAre(2, 0, 5));
  EXPECT_EQ(file->facts.duplicates, 1U);
}

TEST(Petsc, AVectorBehindIsLeft) {
  const auto file =
      read_bytes(small<std::int32_t>() + big<std::int32_t>({1211214, 1}) + big<double>({9}));
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_THAT(dense(file->matrix), ElementsAre(1, 0, 2, 0, 0, 0));
  EXPECT_THAT(file->facts.notes, ElementsAre(HasSubstr("16 byte of other objects")));
}

TEST(Petsc, WhatIsWrong) {
  EXPECT_THAT(refusal(big<std::int32_t>({1211216})), HasSubstr("ends within the sizes"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 2, 3, -1})),
              HasSubstr("at byte 12: a dense matrix"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, -2, 3, 0})),
              HasSubstr("at byte 4: -2 is no size"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 2000000000, 3, 0})),
              HasSubstr("in a file of 16 byte"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 1, 2000000000, 0, 0})),
              HasSubstr("in a file of 20 byte"));
  EXPECT_THAT(refusal(big<std::int64_t>({1211216, 1, 3, 1LL << 62})),
              HasSubstr("in a file of 32 byte"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 2, 3, 2, 1, 0, 0, 2}) + big<double>({1, 2})),
              HasSubstr("at byte 24: the sizes of the rows"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 2, 3, 2, 3, -1, 0, 2}) + big<double>({1, 2})),
              HasSubstr("at byte 16: the sizes of the rows"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 2, 3, 2, 2, 0, 0, 3}) + big<double>({1, 2})),
              HasSubstr("at byte 28: entry 1"));
  EXPECT_THAT(refusal(big<std::int32_t>({1211216, 2, 3, 2, 2, 0, -1, 2}) + big<double>({1, 2})),
              HasSubstr("at byte 24: entry 0"));
  EXPECT_THAT(refusal(small<std::int32_t>() + "junk"),
              HasSubstr("neither the end nor another object"));
  EXPECT_THAT(refusal(gzipped(small<std::int32_t>())), HasSubstr("compressed"));
  const std::string single = small<std::int32_t>().substr(0, 32) + big<float>({1, 2});
  EXPECT_THAT(read_bytes(single).error().hint, HasSubstr("single precision"));
}

TEST(Petsc, EveryTruncationIsSaid) {
  for (const std::string& bytes : {small<std::int32_t>(), small<std::int64_t>()}) {
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_NE(refusal(bytes.substr(0, size)), "accepted") << size;
    }
  }
}

TEST(Petsc, Mutations) {
  expect_robust("a", {small<std::int32_t>(), small<std::int64_t>()}, 5000, 41);
}

}  // namespace
}  // namespace ridge::spmv
