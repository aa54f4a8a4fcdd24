#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/read/matrix_file.hpp"
#include "spmv/read/matrix_files_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

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
    EXPECT_THAT(refusal(banner), StartsWith("1: wrong banner")) << banner;
  }
  EXPECT_THAT(refusal("%%MatrixMarketing\n"), HasSubstr("1: not the banner"));
  EXPECT_THAT(refusal("%MatrixMarket matrix coordinate real general\n"), HasSubstr("1: no matrix"));
  EXPECT_THAT(refusal("1 1 1\n"), HasSubstr("1: no matrix"));
  EXPECT_THAT(refusal("\xEF\xBB\xBF" + kGeneral), HasSubstr("byte order mark"));
}

/// Behind the line of the banner.
RefusedFile refused_text(const std::string& banner, const std::string& rest,
                         const std::string& place, const std::vector<std::string>& parts) {
  std::string shown = rest;
  std::replace(shown.begin(), shown.end(), '\n', '|');
  return {"Matrix Market, " + banner + ": " + (shown.empty() ? "nothing" : shown),
          "%%MatrixMarket matrix " + banner + "\n" + rest, place, parts};
}

RefusedFile refused_text(const std::string& rest, const std::string& place,
                         const std::vector<std::string>& parts) {
  return refused_text("coordinate real general", rest, place, parts);
}

std::vector<RefusedFile> wrong_sizes() {
  return {
      refused_text("", "1:", {"ends"}),
      refused_text("% c\n%\n", "3:", {"ends"}),
      refused_text("%\n2 2\n", "3:", {"3 numbers"}),
      refused_text("2 2 1 1\n", "2:", {"3 numbers"}),
      refused_text("2 -2 1\n", "2:", {"'-2'", "size"}),
      refused_text("2 2.0 1\n", "2:", {"'2.0'", "size"}),
      refused_text("2 18446744073709551617 1\n", "2:", {"18446744073709551617", "size"}),
      refused_text("array real general", "2 2 4\n", "2:", {"2 numbers"}),
      refused_text("coordinate real symmetric", "2 3 0\n", "2:", {"2 x 3", "square"}),
  };
}

TEST(MatrixMarket, WrongSizes) {
  expect_refused("a.mtx", wrong_sizes());
}

std::vector<RefusedFile> huge_sizes() {
  return {
      refused_text("5 5 999999999999999999\n1 1 1\n",
                   "2:", {"999999999999999999 entries", "at most 1"}),
      refused_text("2000000000 5 1\n1 1 1\n", "2:", {"2000000000", "size"}),
      refused_text("5 2000000000 1\n1 1 1\n", "2:", {"2000000000", "size"}),
      refused_text("array real general", "999999999999 999999999999\n1\n",
                   "2:", {"999999999999", "array"}),
      refused_text("array real general", "1000000 1000000\n1\n", "2:", {"1000000000000 entries"}),
      {"Matrix Market: a compressed bomb",
       gzipped(kGeneral + "9999999 9999999 9999999\n"),
       "2:",
       {"9999999 entries"}},
  };
}

TEST(MatrixMarket, HugeDeclaredSizesAreRefusedBeforeAllocation) {
  expect_refused("a.mtx", huge_sizes());
  // A million rows without an entry are fine.
  EXPECT_EQ(good(kGeneral + "1000000 1 0\n").matrix.rows, 1000000);
}

/// Two entries are declared in line 3, and the second one stands in line 5.
std::vector<RefusedFile> wrong_entries() {
  const auto second = [](const std::string& line, const std::string& place,
                         const std::vector<std::string>& parts) {
    return refused_text("% c\n2 3 2\n1 1 1\n" + line, place, parts);
  };
  return {
      second("0 1 1\n", "5:", {"row 0"}),
      second("1 0 1\n", "5:", {"column 0"}),
      second("3 1 1\n", "5:", {"row 3", " 2"}),
      second("1 4 1\n", "5:", {"column 4", " 3"}),
      second("-1 1 1\n", "5:", {"'-1'", "row"}),
      second("1.0 1 1\n", "5:", {"'1.0'", "row"}),
      second("1 x 1\n", "5:", {"'x'", "column"}),
      second("18446744073709551617 1 1\n", "5:", {"18446744073709551617", "row"}),
      second("1 2 x\n", "5:", {"'x'", "number"}),
      second("1 2 1.5x\n", "5:", {"'1.5x'"}),
      second("1 2 1e999\n", "5:", {"'1e999'", "beyond"}),
      second("1 2\n", "5:", {"2 of 3"}),
      second("1\n", "5:", {"1 of 3"}),
      second("1 2 3 4\n", "5:", {"'4' after"}),
      second("1 2 3 %c\n", "5:", {"'%c' after"}),
      second(std::string("1 2 3\0\n", 7), "5:", {"'3?'", "number"}),
      second("2 2 1\n\n1 2 1\n", "7:", {"more entries", " 2 ", "line 3"}),
      second("", "4:", {"ends", "1 of the 2", "line 3"}),
      refused_text("0 0 0\n1 1 1\n", "3:", {"more entries"}),
  };
}

TEST(MatrixMarket, WrongEntries) {
  expect_refused("a.mtx", wrong_entries());
}

std::vector<RefusedFile> wrong_entries_of_other_fields() {
  const std::string integers = "coordinate integer general";
  const std::string complexes = "coordinate complex general";
  const std::string arrays = "array real general";
  return {
      refused_text(integers, "1 1 1\n1 1 1.0\n", "3:", {"'1.0'", "integer"}),
      refused_text(integers, "1 1 1\n1 1 1e3\n", "3:", {"'1e3'", "integer"}),
      refused_text(integers, "1 1 1\n1 1 nan\n", "3:", {"'nan'", "integer"}),
      refused_text("coordinate pattern general", "1 1 1\n1 1 1\n", "3:", {"'1' after"}),
      refused_text(complexes, "1 1 1\n1 1 10.5\n", "3:", {"3 of 4"}),
      refused_text(complexes, "1 1 1\n1 1 1 2 3\n", "3:", {"'3' after"}),
      refused_text(arrays, "1 2\n1\n1 2\n", "4:", {"'2' after"}),
      refused_text(arrays, "1 2\n1\n1\n2\n", "5:", {"more entries", " 2"}),
      refused_text(arrays, "1 2\n1\n", "3:", {"ends", "1 of the 2"}),
  };
}

TEST(MatrixMarket, WrongEntriesOfOtherFields) {
  expect_refused("a.mtx", wrong_entries_of_other_fields());
  EXPECT_EQ(good("%%MatrixMarket matrix coordinate integer general\n1 1 1\n"
                 "1 1 -12345678901234567890\n")
                .matrix.value[0],
            -12345678901234567890.0);
}

std::vector<RefusedFile> entries_against_the_symmetry() {
  const auto with = [](const std::string& symmetry, const std::string& entry,
                       const std::vector<std::string>& parts) {
    return refused_text("coordinate " + symmetry, "2 2 1\n" + entry + "\n", "3:", parts);
  };
  return {
      with("real symmetric", "1 2 1", {"row 1, column 2", "above"}),
      with("real skew-symmetric", "1 1 1", {"row 1, column 1", "zero"}),
      with("real skew-symmetric", "1 2 1", {"above"}),
      with("complex hermitian", "2 2 1 1", {"real"}),
      with("complex hermitian", "1 2 1 1", {"above"}),
      with("complex skew-symmetric", "2 2 0 1", {"zero"}),
      with("real skew-symmetric", "1 1 nan", {"zero"}),
  };
}

TEST(MatrixMarket, EntriesAgainstTheSymmetry) {
  expect_refused("a.mtx", entries_against_the_symmetry());
  EXPECT_EQ(refusal("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 2 1 0\n"),
            "accepted");
}

TEST(MatrixMarket, LongLines) {
  const std::string comment = "%" + std::string(700000, 'x') + "\n";
  EXPECT_THAT(dense(good(kGeneral + comment + "1 1 1\n" + comment + "1 1 1\n" + comment).matrix),
              ElementsAre(1));
  const std::string too_long = "%" + std::string(3000000, 'x') + "\n";
  EXPECT_THAT(refusal(kGeneral + too_long + "1 1 0\n"),
              AllOf(StartsWith("2:"), HasSubstr("longer")));
  EXPECT_THAT(refusal(kGeneral + "1 1 0\n\n" + too_long),
              AllOf(StartsWith("4:"), HasSubstr("longer")));
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
  EXPECT_THAT(refusal(gzipped(kGeneral + "2 2 1\n1 2 x\n")),
              AllOf(StartsWith("3:"), HasSubstr("'x'")));
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
    EXPECT_THAT(refusal(broken, 1 + round % 5),
                AllOf(StartsWith(std::to_string(line) + ":"), HasSubstr("column 0")));
  }
  const auto lines = std::count(text.begin(), text.end(), '\n');
  EXPECT_THAT(refusal(text + "1 1 1\n", 4),
              AllOf(StartsWith(std::to_string(lines + 1) + ":"), HasSubstr("more entries"),
                    HasSubstr("30000"), HasSubstr("line 3")));
  const std::size_t last = text.rfind('\n', text.size() - 2);
  EXPECT_THAT(refusal(text.substr(0, last + 1), 4),
              AllOf(StartsWith(std::to_string(lines - 1) + ":"), HasSubstr("ends"),
                    HasSubstr("29999 of the 30000"), HasSubstr("line 3")));
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

void matrix_market_sentences(tests::Sentences& sentences) {
  for (const auto& files : {wrong_sizes(), huge_sizes(), wrong_entries(),
                            wrong_entries_of_other_fields(), entries_against_the_symmetry()}) {
    add_refused(sentences, "a.mtx", files);
  }
  const std::string too_long = "%" + std::string(3000000, 'x') + "\n";
  add_refused(
      sentences, "a.mtx",
      {{"Matrix Market: a line that is too long", kGeneral + too_long + "1 1 0\n", {}, {}}});
}

}  // namespace ridge::spmv
