#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/read/matrix_file.hpp"
#include "spmv/read/matrix_files_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::EndsWith;
using testing::HasSubstr;

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";

Result<MatrixFile<std::int32_t>> read_text(const std::string& text, int threads = 1) {
  const TemporaryFolder folder;
  return read_matrix<std::int32_t>(folder.write("a.mtx", text), threads);
}

MatrixFile<std::int32_t> good(const std::string& text) {
  auto file = read_text(text);
  EXPECT_TRUE(file) << file.error().message;
  return file ? std::move(*file) : MatrixFile<std::int32_t>{};
}

/// The message behind "FILE:".
std::string refusal(const std::string& text, int threads = 1) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.mtx", text);
  const auto file = read_matrix<std::int32_t>(path, threads);
  if (file) {
    return "accepted";
  }
  EXPECT_EQ(file.error().code, ErrorCode::bad_input);
  EXPECT_EQ(file.error().message.find(path.string() + ":"), 0U) << file.error().message;
  return file.error().message.substr(path.string().size() + 1);
}

TEST(MatrixMarket, GeneralReal) {
  const auto file = good(
      "%%MatrixMarket matrix coordinate real general\n% a title\n%\n%  of two lines  \n"
      "3 4 4\n3 1 -2.5\n1 4 1e-3\n1 2 7\n3 4 0\n");
  EXPECT_EQ(file.matrix.rows, 3);
  EXPECT_EQ(file.matrix.columns, 4);
  EXPECT_THAT(file.matrix.row_begin.span(), ElementsAre(0, 2, 2, 4));
  EXPECT_THAT(file.matrix.column.span(), ElementsAre(1, 3, 0, 3));
  EXPECT_THAT(file.matrix.value.span(), ElementsAre(7, 1e-3, -2.5, 0));
  EXPECT_EQ(file.facts.declared.title, "a title\nof two lines");
  EXPECT_EQ(file.facts.declared.entries, 4U);
  EXPECT_EQ(file.facts.explicit_zeros, 1U);
  EXPECT_EQ(file.facts.duplicates, 0U);
  EXPECT_TRUE(file.facts.notes.empty());
  EXPECT_FALSE(file.facts.declared.compressed);
}

TEST(MatrixMarket, Symmetric) {
  const auto file =
      good("%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 1\n2 1 2\n3 3 3\n3 2 4\n");
  EXPECT_THAT(dense(file.matrix), ElementsAre(1, 2, 0, 2, 0, 4, 0, 4, 3));
  EXPECT_EQ(file.matrix.entries(), 6U);
}

TEST(MatrixMarket, SkewSymmetric) {
  const auto file = good(
      "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 3\n2 1 2\n3 2 -4\n3 3 0\n");
  EXPECT_THAT(dense(file.matrix), ElementsAre(0, -2, 0, 2, 0, 4, 0, -4, 0));
  EXPECT_EQ(file.facts.declared.field, MatrixField::integer);
}

TEST(MatrixMarket, ComplexBecomesReal) {
  const auto file =
      good("%%MatrixMarket matrix coordinate complex general\n1 2 2\n1 2 3 4\n1 1 5 0\n");
  EXPECT_EQ(file.matrix.rows, 2);
  EXPECT_EQ(file.matrix.columns, 4);
  EXPECT_THAT(dense(file.matrix), ElementsAre(5, 0, 3, -4, 0, 5, 4, 3));
  EXPECT_EQ(file.facts.declared.rows, 1U);
  EXPECT_THAT(file.facts.notes, ElementsAre(HasSubstr("complex")));
}

TEST(MatrixMarket, Hermitian) {
  const auto file =
      good("%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 3 4\n");
  // [5, 3-4i; 3+4i, 0]; the real form of a Hermitian matrix is symmetric.
  EXPECT_THAT(dense(file.matrix), ElementsAre(5, 0, 3, 4, 0, 5, -4, 3, 3, -4, 0, 0, 4, 3, 0, 0));
}

TEST(MatrixMarket, ComplexSymmetricAndSkew) {
  const auto symmetric =
      good("%%MatrixMarket matrix coordinate complex symmetric\n2 2 1\n2 1 3 4\n");
  EXPECT_THAT(dense(symmetric.matrix),
              ElementsAre(0, 0, 3, -4, 0, 0, 4, 3, 3, -4, 0, 0, 4, 3, 0, 0));
  const auto skew =
      good("%%MatrixMarket matrix coordinate complex skew-symmetric\n2 2 1\n2 1 3 4\n");
  EXPECT_THAT(dense(skew.matrix), ElementsAre(0, 0, -3, 4, 0, 0, -4, -3, 3, -4, 0, 0, 4, 3, 0, 0));
}

TEST(MatrixMarket, Pattern) {
  const auto file = good("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n");
  EXPECT_THAT(dense(file.matrix), ElementsAre(1, 1, 1, 0));
}

TEST(MatrixMarket, Arrays) {
  EXPECT_THAT(
      dense(good("%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n0\n5\n6\n").matrix),
      ElementsAre(1, 3, 5, 2, 0, 6));
  EXPECT_THAT(dense(good("%%MatrixMarket matrix array integer symmetric\n2 2\n1\n2\n3\n").matrix),
              ElementsAre(1, 2, 2, 3));
  EXPECT_THAT(dense(good("%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n").matrix),
              ElementsAre(0, -1, -2, 1, 0, -3, 2, 3, 0));
  EXPECT_THAT(dense(good("%%MatrixMarket matrix array complex general\n1 1\n2 -3\n").matrix),
              ElementsAre(2, 3, -3, 2));
  EXPECT_THAT(
      dense(good("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n3 4\n2 0\n").matrix),
      ElementsAre(1, 0, 3, 4, 0, 1, -4, 3, 3, -4, 2, 0, 4, 3, 0, 2));
  const auto zeros = good("%%MatrixMarket matrix array real general\n2 2\n0\n0\n7\n-0.0\n");
  EXPECT_EQ(zeros.matrix.entries(), 1U);
  EXPECT_EQ(zeros.facts.declared.entries, 4U);
}

TEST(MatrixMarket, DuplicatesAreAddedUp) {
  const auto file = good(kGeneral + "2 2 5\n2 2 1\n1 1 1\n2 2 10\n2 1 5\n2 2 100\n");
  EXPECT_THAT(dense(file.matrix), ElementsAre(1, 0, 5, 111));
  EXPECT_EQ(file.facts.duplicates, 2U);
  EXPECT_THAT(file.facts.notes, ElementsAre(HasSubstr("2 entries were added")));
}

TEST(MatrixMarket, NanAndInfinityAreSaid) {
  const auto file = good(kGeneral + "1 4 4\n1 1 NaN\n1 2 inf\n1 3 -Infinity\n1 4 1\n");
  EXPECT_EQ(file.facts.nan_values, 1U);
  EXPECT_EQ(file.facts.infinite_values, 2U);
  EXPECT_THAT(file.facts.notes, ElementsAre("1 values are NaN, 2 infinite"));
  EXPECT_TRUE(std::isnan(file.matrix.value[0]));
  EXPECT_EQ(file.matrix.value[2], -std::numeric_limits<double>::infinity());
}

TEST(MatrixMarket, BlankLinesCommentsAndLineEnds) {
  const char* dos =
      "%%MatrixMarket matrix coordinate real general\r\n% c\r\n\r\n2 2 3\r\n1 1 1\r\n%between\r\n"
      "\r\n  \t2\t 1   3 \t\r\n   % indented\r\n2 2 4";
  const auto file = good(dos);
  EXPECT_THAT(dense(file.matrix), ElementsAre(1, 0, 3, 4));
  EXPECT_EQ(file.facts.declared.title, "c");
  EXPECT_THAT(dense(good(kGeneral + "1 1 1\n1 1 2\n\n\n%\n").matrix), ElementsAre(2));
  EXPECT_THAT(dense(good("%%matrixmarket MATRIX Coordinate Real General\n1 1 1\n1 1 2D0").matrix),
              ElementsAre(2));
}

TEST(MatrixMarket, EmptyMatrices) {
  EXPECT_EQ(good(kGeneral + "0 0 0\n").matrix.entries(), 0U);
  EXPECT_EQ(good(kGeneral + "0 0 0").matrix.rows, 0);
  const auto rows = good(kGeneral + "5 3 0\n");
  EXPECT_THAT(rows.matrix.row_begin.span(), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(good("%%MatrixMarket matrix array real general\n0 7\n").matrix.columns, 7);
  EXPECT_EQ(good("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").matrix.rows, 1);
}

TEST(MatrixMarket, WrongBanners) {
  for (const char* banner :
       {"%%MatrixMarket\n1 1 0\n", "%%MatrixMarket matrix coordinate real\n1 1 0\n",
        "%%MatrixMarket matrix coordinate real general more\n1 1 0\n",
        "%%MatrixMarket vector coordinate real general\n1 1 0\n",
        "%%MatrixMarket matrix cordinate real general\n1 1 0\n",
        "%%MatrixMarket matrix coordinate reel general\n1 1 0\n",
        "%%MatrixMarket matrix coordinate real lopsided\n1 1 0\n",
        "%%MatrixMarket matrix array pattern general\n1 1\n",
        "%%MatrixMarket matrix coordinate pattern skew-symmetric\n1 1 0\n",
        "%%MatrixMarket matrix coordinate real hermitian\n1 1 0\n"}) {
    EXPECT_THAT(refusal(banner), testing::StartsWith("1: wrong banner")) << banner;
  }
  EXPECT_THAT(refusal("%%MatrixMarketing\n"), HasSubstr("1: not the banner"));
  EXPECT_THAT(refusal("%MatrixMarket matrix coordinate real general\n"), HasSubstr("1: no matrix"));
  EXPECT_THAT(refusal("1 1 1\n"), HasSubstr("1: no matrix"));
  EXPECT_THAT(refusal("\xEF\xBB\xBF" + kGeneral), HasSubstr("byte order mark"));
}

TEST(MatrixMarket, WrongSizes) {
  EXPECT_THAT(refusal(kGeneral), HasSubstr("1: the file ends before"));
  EXPECT_THAT(refusal(kGeneral + "% c\n%\n"), HasSubstr("3: the file ends before"));
  EXPECT_THAT(refusal(kGeneral + "%\n2 2\n"), HasSubstr("3: 3 numbers expected"));
  EXPECT_THAT(refusal(kGeneral + "2 2 1 1\n"), HasSubstr("2: 3 numbers expected"));
  EXPECT_THAT(refusal(kGeneral + "2 -2 1\n"), HasSubstr("2: '-2' is no size"));
  EXPECT_THAT(refusal(kGeneral + "2 2.0 1\n"), HasSubstr("2: '2.0' is no size"));
  EXPECT_THAT(refusal(kGeneral + "2 18446744073709551617 1\n"), HasSubstr("is no size"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix array real general\n2 2 4\n"), HasSubstr("2 numbers"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n"),
              HasSubstr("2: 2 x 3 is not square"));
}

TEST(MatrixMarket, HugeDeclaredSizesAreRefusedBeforeAllocation) {
  EXPECT_THAT(refusal(kGeneral + "5 5 999999999999999999\n1 1 1\n"),
              HasSubstr("2: 999999999999999999 entries are declared, the rest of the file has "
                        "room for at most 1"));
  EXPECT_THAT(refusal(kGeneral + "2000000000 5 1\n1 1 1\n"),
              HasSubstr("is no size that is believed"));
  EXPECT_THAT(refusal(kGeneral + "5 2000000000 1\n1 1 1\n"),
              HasSubstr("is no size that is believed"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix array real general\n999999999999 999999999999\n1\n"),
              HasSubstr("is no size of an array"));
  EXPECT_THAT(refusal("%%MatrixMarket matrix array real general\n1000000 1000000\n1\n"),
              HasSubstr("1000000000000 entries are declared"));
  // A million rows without an entry are fine.
  EXPECT_EQ(good(kGeneral + "1000000 1 0\n").matrix.rows, 1000000);
  const std::string bomb = gzipped(kGeneral + "9999999 9999999 9999999\n");
  EXPECT_THAT(refusal(bomb), HasSubstr("9999999 entries are declared"));
}

TEST(MatrixMarket, WrongEntries) {
  const std::string head = kGeneral + "% c\n2 3 2\n1 1 1\n";  // the fifth line comes next
  EXPECT_THAT(refusal(head + "0 1 1\n"), HasSubstr("5: row 0: they count from 1"));
  EXPECT_THAT(refusal(head + "1 0 1\n"), HasSubstr("5: column 0: they count from 1"));
  EXPECT_THAT(refusal(head + "3 1 1\n"), HasSubstr("5: row 3 is beyond the 2"));
  EXPECT_THAT(refusal(head + "1 4 1\n"), HasSubstr("5: column 4 is beyond the 3"));
  EXPECT_THAT(refusal(head + "-1 1 1\n"), HasSubstr("5: '-1' is no row"));
  EXPECT_THAT(refusal(head + "1.0 1 1\n"), HasSubstr("5: '1.0' is no row"));
  EXPECT_THAT(refusal(head + "1 x 1\n"), HasSubstr("5: 'x' is no column"));
  EXPECT_THAT(refusal(head + "18446744073709551617 1 1\n"), HasSubstr("is no row"));
  EXPECT_THAT(refusal(head + "1 2 x\n"), HasSubstr("5: 'x' is no number"));
  EXPECT_THAT(refusal(head + "1 2 1.5x\n"), HasSubstr("5: '1.5x' is"));
  EXPECT_THAT(refusal(head + "1 2 1e999\n"), HasSubstr("5: '1e999' is beyond"));
  EXPECT_THAT(refusal(head + "1 2\n"), HasSubstr("5: 2 of 3 numbers"));
  EXPECT_THAT(refusal(head + "1\n"), HasSubstr("5: 1 of 3 numbers"));
  EXPECT_THAT(refusal(head + "1 2 3 4\n"), HasSubstr("5: '4' after the entry"));
  EXPECT_THAT(refusal(head + "1 2 3 %c\n"), HasSubstr("5: '%c' after the entry"));
  EXPECT_THAT(refusal(head + std::string("1 2 3\0\n", 7)), HasSubstr("5: '3?' is no number"));
  EXPECT_THAT(refusal(head + "2 2 1\n\n1 2 1\n"),
              HasSubstr("7: more entries than the 2 declared in line 3"));
  EXPECT_THAT(refusal(head),
              HasSubstr("4: the file ends after 1 of the 2 entries declared in line 3"));
  EXPECT_THAT(refusal(kGeneral + "0 0 0\n1 1 1\n"), HasSubstr("3: more entries"));
}

TEST(MatrixMarket, WrongEntriesOfOtherFields) {
  const std::string integers = "%%MatrixMarket matrix coordinate integer general\n1 1 1\n";
  EXPECT_THAT(refusal(integers + "1 1 1.0\n"), HasSubstr("3: '1.0' is no integer"));
  EXPECT_THAT(refusal(integers + "1 1 1e3\n"), HasSubstr("3: '1e3' is no integer"));
  EXPECT_THAT(refusal(integers + "1 1 nan\n"), HasSubstr("3: 'nan' is no integer"));
  EXPECT_EQ(good(integers + "1 1 -12345678901234567890\n").matrix.value[0],
            -12345678901234567890.0);
  const std::string patterns = "%%MatrixMarket matrix coordinate pattern general\n1 1 1\n";
  EXPECT_THAT(refusal(patterns + "1 1 1\n"), HasSubstr("3: '1' after the entry"));
  const std::string complexes = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n";
  EXPECT_THAT(refusal(complexes + "1 1 10.5\n"), HasSubstr("3: 3 of 4 numbers"));
  EXPECT_THAT(refusal(complexes + "1 1 1 2 3\n"), HasSubstr("3: '3' after the entry"));
  const std::string arrays = "%%MatrixMarket matrix array real general\n1 2\n1\n";
  EXPECT_THAT(refusal(arrays + "1 2\n"), HasSubstr("4: '2' after the entry"));
  EXPECT_THAT(refusal(arrays + "1\n2\n"), HasSubstr("5: more entries than the 2"));
  EXPECT_THAT(refusal(arrays), HasSubstr("3: the file ends after 1 of the 2"));
}

TEST(MatrixMarket, EntriesAgainstTheSymmetry) {
  const auto with = [](const char* symmetry, const char* entry) {
    return "%%MatrixMarket matrix coordinate " + std::string(symmetry) + "\n2 2 1\n" + entry + "\n";
  };
  EXPECT_THAT(refusal(with("real symmetric", "1 2 1")), HasSubstr("3: row 1, column 2 lies above"));
  EXPECT_THAT(refusal(with("real skew-symmetric", "1 1 1")),
              HasSubstr("3: row 1, column 1: the diagonal"));
  EXPECT_THAT(refusal(with("real skew-symmetric", "1 2 1")), HasSubstr("lies above"));
  EXPECT_THAT(refusal(with("complex hermitian", "2 2 1 1")), HasSubstr("is real"));
  EXPECT_THAT(refusal(with("complex hermitian", "1 2 1 1")), HasSubstr("lies above"));
  EXPECT_THAT(refusal(with("complex skew-symmetric", "2 2 0 1")), HasSubstr("is zero"));
  EXPECT_THAT(refusal(with("real skew-symmetric", "1 1 nan")), HasSubstr("is zero"));
  EXPECT_EQ(refusal(with("complex hermitian", "2 2 1 0")), "accepted");
}

TEST(MatrixMarket, LongLines) {
  const std::string comment = "%" + std::string(700000, 'x') + "\n";
  EXPECT_THAT(dense(good(kGeneral + comment + "1 1 1\n" + comment + "1 1 1\n" + comment).matrix),
              ElementsAre(1));
  const std::string too_long = "%" + std::string(3000000, 'x') + "\n";
  EXPECT_THAT(refusal(kGeneral + too_long + "1 1 0\n"), HasSubstr("2: the line is longer"));
  EXPECT_THAT(refusal(kGeneral + "1 1 0\n\n" + too_long), HasSubstr("4: the line is longer"));
}

TEST(MatrixMarket, Gzip) {
  const std::string text = kGeneral + "2 2 2\n1 2 3\n2 1 4\n";
  const auto file = good(gzipped(text));
  EXPECT_THAT(dense(file.matrix), ElementsAre(0, 3, 4, 0));
  EXPECT_TRUE(file.facts.declared.compressed);
  // Several members in one file are one text.
  EXPECT_THAT(dense(good(gzipped(text.substr(0, 30)) + gzipped(text.substr(30))).matrix),
              ElementsAre(0, 3, 4, 0));
  const std::string whole = gzipped(text);
  for (std::size_t size = 2; size < whole.size(); ++size) {
    EXPECT_NE(refusal(whole.substr(0, size)), "accepted") << size;
  }
  EXPECT_THAT(refusal(whole + "junk"), HasSubstr("at byte"));
  EXPECT_THAT(refusal(gzipped(kGeneral + "2 2 1\n1 2 3\n2 1 4\n")), HasSubstr("4: more entries"));
  EXPECT_THAT(refusal(gzipped(kGeneral + "2 2 1\n1 2 x\n")), HasSubstr("3: 'x' is no number"));
  std::string flipped = whole;
  flipped[flipped.size() - 6] ^= 1;  // the checksum
  EXPECT_THAT(refusal(flipped), HasSubstr("damaged gzip data"));
}

/// Many entries in random order with duplicates, comments and blank lines.
std::string large_text(std::uint64_t seed, int entries) {
  std::mt19937_64 random(seed);
  std::string text = kGeneral + "% large\n900 1100 " + std::to_string(entries) + "\n";
  char line[100];
  for (int i = 0; i < entries; ++i) {
    if (random() % 50 == 0) {
      text += random() % 2 == 0 ? "\n" : "% a comment between entries 1 2 3\n";
    }
    const double value = std::bit_cast<double>((random() >> 2) | (std::uint64_t{1} << 61));
    std::snprintf(line, sizeof line, "%d %d %.*g\n", static_cast<int>(1 + random() % 900),
                  static_cast<int>(1 + random() % 1100), static_cast<int>(1 + random() % 17),
                  value);
    text += line;
  }
  return text;
}

TEST(MatrixMarket, TheSameWithAnyNumberOfThreads) {
  const std::string text = large_text(3, 200000);
  const auto one = read_text(text, 1);
  ASSERT_TRUE(one) << one.error().message;
  expect_valid(one->matrix);
  EXPECT_GT(one->facts.duplicates, 1000U);
  EXPECT_EQ(one->matrix.entries() + one->facts.duplicates, 200000U);
  for (const int threads : {2, 3, 7, 16}) {
    const auto other = read_text(text, threads);
    ASSERT_TRUE(other) << other.error().message;
    EXPECT_TRUE(equal(one->matrix, other->matrix)) << threads;
    EXPECT_EQ(one->facts.duplicates, other->facts.duplicates);
  }
  const auto packed = read_text(gzipped(text), 2);
  ASSERT_TRUE(packed);
  EXPECT_TRUE(equal(one->matrix, packed->matrix));
}

TEST(MatrixMarket, TheLineIsExactWithAnyNumberOfThreads) {
  const std::string text = large_text(4, 30000);
  std::mt19937_64 random(5);
  for (int round = 0; round < 60; ++round) {
    // Insert a wrong line at the end of some line behind the sizes.
    std::size_t at = text.find('\n', text.find("\n900 ") + 1 + random() % (text.size() - 200));
    at = std::min(at, text.size() - 1) + 1;
    const std::string broken = text.substr(0, at) + "7 0 1\n" + text.substr(at);
    const auto line =
        std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    const std::string expected = std::to_string(line) + ": column 0: they count from 1";
    EXPECT_EQ(refusal(broken, 1 + round % 5), expected);
  }
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_EQ(refusal(text + "1 1 1\n", 4),
            std::to_string(lines + 1) + ": more entries than the 30000 declared in line 3");
  const std::size_t last = text.rfind('\n', text.size() - 2);
  EXPECT_EQ(refusal(text.substr(0, last + 1), 4),
            std::to_string(lines - 1) +
                ": the file ends after 29999 of the 30000 entries declared in line 3");
}

TEST(MatrixMarket, MutationsOfEveryKind) {
  expect_robust("a.mtx",
                {kGeneral + "% c\n3 4 4\n3 1 -2.5\n1 4 1e-3\n%between\n1 2 7\n3 4 0\n",
                 "%%MatrixMarket matrix coordinate integer symmetric\n3 3 3\n1 1 1\n2 1 2\n3 2 4\n",
                 "%%MatrixMarket matrix coordinate complex hermitian\n2 2 2\n1 1 5 0\n2 1 3 4\n",
                 "%%MatrixMarket matrix coordinate pattern general\n2 2 2\n1 1\n2 1\n",
                 "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n0\n5\n6\n",
                 "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n",
                 gzipped(kGeneral + "2 2 2\n1 2 3\n2 1 4\n")},
                8000, 21);
}

}  // namespace
}  // namespace ridge::spmv
