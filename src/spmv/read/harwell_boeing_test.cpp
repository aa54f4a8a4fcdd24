#include "spmv/read/harwell_boeing.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/read/fortran_format.hpp"
#include "spmv/read/matrix_files_for_tests.hpp"
#include "spmv/sentences_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// The text up to and including the formats; counts of lines: pointers, indices, values.
std::string head(const std::string& type, int rows, int columns, int entries,
                 const std::string& formats, const std::string& counts) {
  char line[200];
  std::snprintf(line, sizeof line, "%-72s%-8s\n", "A title", "KEY");
  std::string text = line;
  text += counts + "\n";
  std::snprintf(line, sizeof line, "%-14s%14d%14d%14d%14d\n", type.c_str(), rows, columns, entries,
                0);
  return text + line + formats + "\n";
}

std::string counts(int pointers, int indices, int values, int right_hand_sides = 0) {
  char line[100];
  std::snprintf(line, sizeof line, "%14d%14d%14d%14d%14d", pointers + indices + values, pointers,
                indices, values, right_hand_sides);
  return line;
}

/// [1 0; -3.5 4e-2; 0 7] by columns.
const std::string kReal =
    head("RUA", 3, 2, 4, "(3I3)           (10I2)          (2D12.4)", counts(1, 1, 2)) +
    "  1  3  5\n 1 2 2 3\n  1.0000D+00 -3.5000D+00\n  4.0000D-02       7.0\n";

const std::string kSymmetric =
    head("psa", 3, 3, 3, "(4I1)           (3I1)", counts(1, 1, 0)) + "1344\n132\n";

std::string refusal(const std::string& text) {
  const TemporaryFolder folder;
  const auto path = folder.write("a.rb", text);
  const auto file = read_matrix<std::int32_t>(path);
  return file ? "accepted" : file.error().message.substr(path.string().size() + 1);
}

MatrixFile<std::int32_t> good(const std::string& text) {
  const TemporaryFolder folder;
  auto file = read_matrix<std::int32_t>(folder.write("a.rb", text));
  EXPECT_TRUE(file) << file.error().message;
  return file ? std::move(*file) : MatrixFile<std::int32_t>{};
}

TEST(HarwellBoeing, Real) {
  const auto file = good(kReal);
  EXPECT_EQ(file.matrix.rows, 3);
  EXPECT_THAT(dense(file.matrix), ElementsAre(1, 0, -3.5, 0.04, 0, 7));
  EXPECT_EQ(file.facts.declared.title, "A title");
  EXPECT_EQ(file.facts.declared.format, MatrixFormat::harwell_boeing);
  EXPECT_THAT(dense(good(gzipped(kReal)).matrix), ElementsAre(1, 0, -3.5, 0.04, 0, 7));
}

TEST(HarwellBoeing, WrittenByScipy) {
  const auto file = read_matrix<std::int32_t>("testdata/scipy.rua");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_THAT(dense(file->matrix), ElementsAre(1, 0, 2, 0, 0, 0, 0, 0, -3.5, 0, 0, 4e-300));
}

TEST(HarwellBoeing, PatternSymmetricWithoutBlanks) {
  const auto file = good(kSymmetric);
  EXPECT_THAT(dense(file.matrix), ElementsAre(1, 0, 1, 0, 1, 0, 1, 0, 0));
  EXPECT_EQ(file.facts.declared.format, MatrixFormat::rutherford_boeing);
}

// It says (3E25.16) and writes 24 characters for each number, so signs stand in the field before.
TEST(HarwellBoeing, ScipyDoesNotKeepToItsWidths) {
  const auto file = read_matrix<std::int32_t>("testdata/scipy_signs.rua");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_THAT(dense(file->matrix),
              ElementsAre(1.5, -2e-7, 0, 4, 0, -3.25e-100, 7, 0, -1e100, 0, -0.1, -9));
}

TEST(HarwellBoeing, NarrowerFieldsOnlyWhereTheLineIsAsLong) {
  const auto narrower = [](std::string_view line, std::size_t right, std::size_t count) {
    return is_one_narrower(line, FortranFormat{3, 'E', 6, 1, 0}, right, count);
  };
  EXPECT_TRUE(narrower("  1.0 -2.0 -3.0", 0, 3));
  EXPECT_TRUE(narrower("  1.0 -2.0 -3.0\r", 1, 3));
  EXPECT_FALSE(narrower("  1.0 -2.0 -3.0", 2, 3));  // the second field is "-2.0 -"
  EXPECT_FALSE(narrower("  1.0 -2.0 -3.0", 0, 2));
  EXPECT_FALSE(narrower("   1.0  -2.0  -3.0", 0, 3));
  EXPECT_FALSE(narrower("  1.0 -2.0 -3.", 0, 3));
  EXPECT_FALSE(narrower("", 0, 3));
}

TEST(HarwellBoeing, ComplexSkewAndIntegers) {
  const std::string complex =
      head("CUA", 1, 1, 1, "(2I2)           (I2)            (2E8.1)", counts(1, 1, 1)) +
      " 1 2\n 1\n 2.0E+00-3.0E+00\n";
  EXPECT_THAT(dense(good(complex).matrix), ElementsAre(2, 3, -3, 2));
  const std::string skew =
      head("rza", 2, 2, 1, "(3I2)           (I2)            (F4.1)", counts(1, 1, 1)) +
      " 1 2 2\n 2\n 2.5\n";
  EXPECT_THAT(dense(good(skew).matrix), ElementsAre(0, -2.5, 2.5, 0));
  const std::string integer =
      head("iua", 1, 2, 2, "(3I2)           (2I2)           (2I3)", counts(1, 1, 1)) +
      " 1 2 3\n 1 1\n -7 12\r\n";
  EXPECT_THAT(dense(good(integer).matrix), ElementsAre(-7, 12));
}

TEST(HarwellBoeing, RightHandSidesAreLeft) {
  const std::string text =
      head("RUA", 1, 1, 1, "(2I2)           (I2)            (F4.1)              (F4.1)",
           counts(1, 1, 1, 1)) +
      "F                          1             0\n 1 2\n 1\n 2.5\n 9.9\n";
  const auto file = good(text);
  EXPECT_THAT(dense(file.matrix), ElementsAre(2.5));
  EXPECT_THAT(file.facts.notes, ElementsAre(HasSubstr("right-hand sides")));
}

/// With one part replaced by another.
RefusedFile changed(std::string text, const std::string& what, const std::string& by,
                    const std::string& place, const std::vector<std::string>& parts) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  text.replace(at, what.size(), by);
  return {"Harwell-Boeing: '" + what + "' -> '" + by + "'", text, place, parts};
}

std::vector<RefusedFile> refused_files() {
  const std::string huge =
      head("PUA", 2000000000, 1, 0, "(2I1)           (I1)", counts(1, 0, 0)) + "11\n";
  const std::string skew =
      head("rza", 2, 2, 1, "(3I2)           (I2)            (F4.1)", counts(1, 1, 1)) +
      " 1 2 2\n 1\n 2.5\n";
  return {
      changed(kReal, "RUA", "RUE", "3:", {"type E"}),
      changed(kReal, "RUA", "qua", "3:", {"another file"}),
      changed(kReal, "RUA", "RHA", "3:", {"hermitian"}),
      changed(kReal, "RUA", "RSA", "3:", {"3 x 2", "square"}),
      changed(kReal, "RUA", "RXA", "1:", {"no matrix"}),
      changed(kReal, "(3I3)", "(3X3)", "4:", {"'(3X3)'"}),
      changed(kReal, "(3I3)", "(3F3)", "4:", {"pointers and indices"}),
      changed(kReal, "(3I3)", "(2I3)", "4:", {"1 lines", " 3"}),
      changed(kReal, "  1  3  5", "  1  3  4", "5:", {"number 3", "'4'", "pointer"}),
      changed(kReal, "  1  3  5", "  0  3  5", "5:", {"number 1", "'0'"}),
      changed(kReal, "  1  3  5", "  1  6  5", "5:", {"number 2"}),
      changed(kReal, " 1 2 2 3", " 1 0 2 3", "6:", {"number 2", "'0'", "row"}),
      changed(kReal, " 1 2 2 3", " 1 2 2 4", "6:", {"number 4", "'4'", "row"}),
      changed(kReal, " 1 2 2 3", " 1 2 2", "6:", {"number 4", "''", "row"}),
      changed(kReal, "4.0000D-02", "4.00x0D-02", "8:", {"number 1", "'4.00x0D-02'"}),
      changed(kReal, "             4             0", "  999999999999             0",
              "4:", {"1 lines", "999999999999"}),
      changed(kSymmetric, "132", "131", "6:", {"number 3", "'1'", "above"}),
      {"Harwell-Boeing: the end is missing", kReal.substr(0, kReal.size() - 25), "7:", {"ends"}},
      {"Harwell-Boeing: a huge matrix", huge, "3:", {"2000000000 x 1"}},
      {"Harwell-Boeing: a skew diagonal", skew, "7:", {"number 1", "'2.5'", "diagonal"}},
  };
}

TEST(HarwellBoeing, WhatIsWrong) {
  expect_refused("a.rb", refused_files());
  std::string duplicate = kSymmetric;
  EXPECT_EQ(refusal(duplicate.replace(duplicate.find("132"), 3, "112")), "accepted");
}

TEST(HarwellBoeing, EveryTruncationIsSaid) {
  for (const std::string& text : {kReal, kSymmetric}) {
    for (std::size_t size = 1; size + 1 < text.size(); ++size) {
      const std::string reason = refusal(text.substr(0, size));
      // The last number may be shorter and a number still.
      if (size < text.size() - 4) {
        EXPECT_NE(reason, "accepted") << size << " " << text.substr(0, size);
      }
    }
  }
}

TEST(HarwellBoeing, Mutations) {
  expect_robust("a.rb", {kReal, kSymmetric}, 5000, 31);
}

TEST(FortranFormat, Forms) {
  const auto format = [](const char* text) {
    const auto parsed = parse_fortran_format(text);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(FortranFormat{});
  };
  EXPECT_EQ(format("(16I5)").repeat, 16U);
  EXPECT_EQ(format("(16I5)").width, 5U);
  EXPECT_EQ(format(" ( 26 i3 ) ").repeat, 26U);
  EXPECT_EQ(format("(1P,4D20.13)").repeat, 4U);
  EXPECT_EQ(format("(1P,4D20.13)").scale, 1);
  EXPECT_EQ(format("(1P4E20.13)").repeat, 4U);
  EXPECT_EQ(format("(1P4E20.13)").decimals, 13);
  EXPECT_EQ(format("(-2PF10.3)").scale, -2);
  EXPECT_EQ(format("(-2PF10.3)").repeat, 1U);
  EXPECT_EQ(format("(3E25.16E3)").width, 25U);
  EXPECT_EQ(format("(I8.8)").decimals, 0);
  for (const char* text :
       {"", "(", "()", "16I5", "(16I5", "(0I5)", "(I)", "(I0)", "(16I5)x", "(I5,I6)", "(99999I5)",
        "(I99999)", "(A5)", "(-3I5)", "(E10.)", "(E10.3E)", "(18446744073709551617I5)"}) {
    EXPECT_FALSE(parse_fortran_format(text)) << text;
  }
}

TEST(FortranFormat, Reals) {
  const auto read = [](std::string_view field, int decimals = 0, int scale = 0) {
    double value = -99;
    FortranFormat format;
    format.decimals = decimals;
    format.scale = scale;
    return parse_fortran_real(field, format, value) ? value : -77777;
  };
  EXPECT_EQ(read("  1.5D+02 "), 150);
  EXPECT_EQ(read("-.5e-1"), -0.05);
  EXPECT_EQ(read("1.5+102"), 1.5e102);
  EXPECT_EQ(read("1.5-102"), 1.5e-102);
  EXPECT_EQ(read("1.0D0", 3, 1), 1);
  EXPECT_EQ(read("12345", 3), 12.345);  // the point stands three from the right
  EXPECT_EQ(read("12345E2", 3), 1234.5);
  EXPECT_EQ(read("1.5", 3, 1), 0.15);  // 1P without exponent
  EXPECT_EQ(read("7"), 7);
  EXPECT_EQ(read("+7."), 7);
  EXPECT_EQ(read("Infinity"), std::numeric_limits<double>::infinity());
  for (const char* field : {"", "   ", "x", "1.5D", "1.5D+", "1 5", "1.5.5", "-", "1.5++2", "1e5e5",
                            "1-", "1.5D+999999999", "1E999", "--1", "1.5D+-2", "0x10"}) {
    EXPECT_EQ(read(field), -77777) << field;
  }
}

}  // namespace

void harwell_boeing_sentences(tests::Sentences& sentences) {
  add_refused(sentences, "a.rb", refused_files());
}

}  // namespace ridge::spmv
