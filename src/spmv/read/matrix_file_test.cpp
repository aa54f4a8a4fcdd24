#include "spmv/read/matrix_file.hpp"

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/read/matrix_files_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;

TEST(MatrixFile, WhatIsNoMatrix) {
  const TemporaryFolder folder;
  const auto message = [&](const std::filesystem::path& path) {
    const auto file = read_matrix<std::int32_t>(path);
    EXPECT_FALSE(file);
    EXPECT_FALSE(peek_matrix(path));
    return file ? "" : file.error().message;
  };
  EXPECT_THAT(message(folder.path("none.mtx")), HasSubstr("No such file"));
  EXPECT_THAT(message(folder.path("")), HasSubstr("not a regular file"));
  EXPECT_THAT(message(folder.write("empty.mtx", "")), HasSubstr("is empty"));
  ASSERT_EQ(mkfifo(folder.path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(message(folder.path("pipe")), HasSubstr("not a regular file"));
  EXPECT_THAT(message(folder.write("a", "hello\n")), HasSubstr("a:1: no matrix"));
  EXPECT_THAT(message(folder.write("a", "MATLAB 5.0 MAT-file")), HasSubstr("MATLAB"));
  EXPECT_THAT(message(folder.write("a", gzipped("hello\n"))), HasSubstr("no matrix"));
  EXPECT_THAT(message(folder.write("a", "\x1f\x8b")), HasSubstr("end too early"));
  EXPECT_THAT(message(folder.write("a", "% a comment\n1 1 1\n")), HasSubstr("'% a comment'"));
  std::string tar(600, '\0');
  tar.replace(257, 5, "ustar");
  EXPECT_THAT(message(folder.write("a.tar.gz", gzipped(tar))), HasSubstr("tar"));
}

TEST(MatrixFile, PeekTellsTheIndex) {
  const TemporaryFolder folder;
  const auto path = folder.write(
      "a", "%%MatrixMarket matrix coordinate complex symmetric\n% t\n7 7 2\n1 1 1 1\n2 1 1 1\n");
  const auto declared = peek_matrix(path);
  ASSERT_TRUE(declared);
  EXPECT_EQ(declared->rows, 7U);
  EXPECT_EQ(declared->entries, 2U);
  EXPECT_EQ(declared->most_entries(), 16U);
  EXPECT_EQ(declared->real_form(), 2U);
  EXPECT_EQ(declared->title, "t");
  EXPECT_TRUE(declared->fits_32_bit());
  const auto wide = read_matrix<std::int64_t>(path);
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->matrix.rows, 14);
  EXPECT_EQ(wide->matrix.entries(), 12U);
}

TEST(MatrixFile, WhatFitsIndicesOf32Bit) {
  DeclaredMatrix declared;
  declared.rows = declared.columns = 0x7FFFFFFE;
  declared.entries = 0x7FFFFFFF;
  EXPECT_TRUE(declared.fits_32_bit());
  declared.symmetry = MatrixSymmetry::symmetric;
  EXPECT_FALSE(declared.fits_32_bit());
  declared.entries = 0x3FFFFFFF;
  EXPECT_TRUE(declared.fits_32_bit());
  declared.columns = 0x7FFFFFFF;
  EXPECT_FALSE(declared.fits_32_bit());
  declared = {};
  declared.rows = declared.columns = 0x3FFFFFFE;
  declared.entries = 0x1FFFFFFF;
  declared.field = MatrixField::complex;
  EXPECT_TRUE(declared.fits_32_bit());
  declared.entries += 1;
  EXPECT_FALSE(declared.fits_32_bit());
  declared.entries = ~std::uint64_t{0};
  EXPECT_FALSE(declared.fits_32_bit());
}

}  // namespace

void matrix_file_sentences(tests::Sentences& sentences) {
  add_refused(sentences, "a",
              {{"matrix file: of text", "hello\n", {}, {}},
               {"matrix file: of MATLAB", "MATLAB 5.0 MAT-file", {}, {}},
               {"matrix file: of nothing", "", {}, {}},
               {"matrix file: of a cut gzip header", "\x1f\x8b", {}, {}}});
}

}  // namespace ridge::spmv
