#include "spmv/read/petsc_matrix.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/read/matrix_files_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::Contains;
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
  EXPECT_THAT(file->facts.notes, ElementsAre(HasSubstr("16 byte")));
}

// From here on: files that PETSc 3.18 wrote (MatView, VecView) with integers of 32 and 64 bit, real
// and complex.
TEST(Petsc, WrittenByPetsc) {
  for (const char* name : {"testdata/petsc_aij.bin", "testdata/petsc_aij_64.bin"}) {
    const auto file = read_matrix<std::int32_t>(name);
    ASSERT_TRUE(file) << file.error().message;
    EXPECT_EQ(file->matrix.rows, 5);
    EXPECT_EQ(file->matrix.columns, 6);
    EXPECT_THAT(dense(file->matrix),
                ElementsAre(1.5, 0, 0, 4, 0, -2, 0, 0, 3e-300, 0, 0, 0, 0, 0, 0, 0, 0, 0,  //
                            0, 0, 0, 0.1, 1e300, 0, 0, 0, 0, 0, 0, 7));
    EXPECT_EQ(file->matrix.entries(), 8U);
    EXPECT_EQ(file->facts.explicit_zeros, 1U);
    EXPECT_THAT(file->facts.notes, ElementsAre());
  }
}

TEST(Petsc, OneTriangleOfASymmetricFormatIsSaid) {
  const auto real = read_matrix<std::int32_t>("testdata/petsc_sbaij_vector.bin");
  ASSERT_TRUE(real) << real.error().message;
  // Blocks of 2 x 2 of the matrix with 4, 5 ... on the diagonal and -1 beside it.
  EXPECT_THAT(dense(real->matrix), ElementsAre(4, -1, 0, 0, 0, 0,   //
                                               -1, 5, -1, 0, 0, 0,  //
                                               0, 0, 6, -1, 0, 0,   //
                                               0, 0, -1, 7, -1, 0,  //
                                               0, 0, 0, 0, 8, -1,   //
                                               0, 0, 0, 0, -1, 9));
  EXPECT_THAT(real->facts.notes, ElementsAre(HasSubstr("56 byte"), HasSubstr("2 x 2")));
  // The complex one is read as a real one of twice the size, so blocks have twice the size.
  const auto complex = read_matrix<std::int32_t>("testdata/petsc_complex_sbaij_vector.bin");
  ASSERT_TRUE(complex) << complex.error().message;
  EXPECT_EQ(complex->matrix.rows, 12);
  EXPECT_EQ(complex->facts.declared.field, MatrixField::complex);
  EXPECT_THAT(complex->facts.notes, Contains(HasSubstr("104 byte")));
  EXPECT_THAT(complex->facts.notes, Contains(HasSubstr("4 x 4")));
}

TEST(Petsc, NoTriangleIsNoMatter) {
  const auto notes = [](const std::string& bytes) { return read_bytes(bytes)->facts.notes; };
  // [1 2; 0 3], then diagonal, lower, full and oblong ones.
  EXPECT_THAT(notes(big<std::int32_t>({1211216, 2, 2, 3, 2, 1, 0, 1, 1}) + big<double>({1, 2, 3})),
              ElementsAre(HasSubstr("below the diagonal")));
  EXPECT_THAT(notes(big<std::int32_t>({1211216, 2, 2, 2, 1, 1, 0, 1}) + big<double>({1, 2})),
              ElementsAre());
  EXPECT_THAT(notes(big<std::int32_t>({1211216, 2, 2, 2, 1, 1, 0, 0}) + big<double>({1, 2})),
              ElementsAre());
  EXPECT_THAT(notes(big<std::int32_t>({1211216, 2, 2, 2, 1, 1, 1, 0}) + big<double>({1, 2})),
              ElementsAre());
  EXPECT_THAT(notes(small<std::int32_t>()), ElementsAre());
}

std::vector<RefusedFile> refused_files() {
  const auto file = [](const char* what, const std::string& content, const char* place,
                       const std::vector<std::string>& parts) {
    return RefusedFile{std::string("PETSc: ") + what, content, place, parts};
  };
  const auto pointers = [](std::initializer_list<std::int32_t> numbers) {
    return big<std::int32_t>(numbers) + big<double>({1, 2});
  };
  return {
      file("the end is missing", big<std::int32_t>({1211216}), "", {"sizes"}),
      file("a dense matrix", big<std::int32_t>({1211216, 2, 3, -1}), "at byte 12:", {"dense"}),
      file("a negative size", big<std::int32_t>({1211216, -2, 3, 0}), "at byte 4:", {"-2"}),
      file("huge rows", big<std::int32_t>({1211216, 2000000000, 3, 0}), "", {"16 byte"}),
      file("huge columns", big<std::int32_t>({1211216, 1, 2000000000, 0, 0}), "", {"20 byte"}),
      file("huge entries", big<std::int64_t>({1211216, 1, 3, 1LL << 62}), "", {"32 byte"}),
      file("too few entries in the rows", pointers({1211216, 2, 3, 2, 1, 0, 0, 2}),
           "at byte 24:", {"sizes of the rows"}),
      file("a row of a negative size", pointers({1211216, 2, 3, 2, 3, -1, 0, 2}),
           "at byte 16:", {"sizes of the rows"}),
      file("a column beyond", pointers({1211216, 2, 3, 2, 2, 0, 0, 3}), "at byte 28:", {"entry 1"}),
      file("a negative column", pointers({1211216, 2, 3, 2, 2, 0, -1, 2}),
           "at byte 24:", {"entry 0"}),
      file("something behind", small<std::int32_t>() + "junk", "", {"neither"}),
      file("compressed", gzipped(small<std::int32_t>()), "", {"compressed"}),
      file("single precision", small<std::int32_t>().substr(0, 32) + big<float>({1, 2}), "", {}),
  };
}

TEST(Petsc, WhatIsWrong) {
  expect_refused("a", refused_files());
  EXPECT_THAT(read_bytes(refused_files().back().content).error().hint,
              HasSubstr("single precision"));
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

void petsc_sentences(tests::Sentences& sentences) {
  add_refused(sentences, "a", refused_files());
  const auto add = [&](const std::string& what, const Result<MatrixFile<std::int32_t>>& file) {
    ASSERT_TRUE(file) << file.error().message;
    for (const std::string& note : file->facts.notes) {
      sentences.add("PETSc: " + what + ", " + note.substr(0, note.find(' ')), note);
    }
  };
  add("one triangle", read_matrix<std::int32_t>("testdata/petsc_sbaij_vector.bin"));
  add("one complex triangle", read_matrix<std::int32_t>("testdata/petsc_complex_sbaij_vector.bin"));
  add("an upper triangle",
      read_bytes(big<std::int32_t>({1211216, 2, 2, 3, 2, 1, 0, 1, 1}) + big<double>({1, 2, 3})));
}

}  // namespace ridge::spmv
