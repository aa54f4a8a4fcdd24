#include "spmv/read/matrix_cache.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "spmv/generate/generate.hpp"
#include "spmv/read/matrix_files_for_tests.hpp"

namespace ridge::spmv {
namespace {

using testing::HasSubstr;

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

constexpr std::string_view kSource =
    "%%MatrixMarket matrix coordinate complex hermitian\n% of a test\n2 2 3\n1 1 5 0\n2 1 3 4\n2 1 "
    "1 1\n";

std::string small_cache() {
  const TemporaryFolder folder;
  const auto source = read_matrix<std::int32_t>(folder.write("a", kSource));
  EXPECT_TRUE(source);
  EXPECT_TRUE(write_matrix_cache(*source, folder.path("b")));
  return content_of(folder.path("b"));
}

TEST(MatrixCache, MatrixAndFactsComeBack) {
  const TemporaryFolder folder;
  const auto source = read_matrix<std::int32_t>(folder.write("a", kSource));
  ASSERT_TRUE(source);
  const auto path = folder.path("b");
  ASSERT_TRUE(write_matrix_cache(*source, path));
  const auto back = read_matrix<std::int32_t>(path);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_TRUE(equal(source->matrix, back->matrix));
  EXPECT_EQ(back->facts.declared.format, MatrixFormat::cache);
  EXPECT_EQ(back->facts.declared.field, MatrixField::complex);
  EXPECT_EQ(back->facts.declared.symmetry, MatrixSymmetry::hermitian);
  EXPECT_EQ(back->facts.declared.title, "of a test");
  EXPECT_EQ(back->facts.declared.rows, 2U);
  EXPECT_EQ(back->facts.declared.entries, 3U);
  EXPECT_EQ(back->facts.duplicates, source->facts.duplicates);
  EXPECT_EQ(back->facts.explicit_zeros, source->facts.explicit_zeros);
  EXPECT_EQ(back->facts.notes, source->facts.notes);
  EXPECT_EQ(back->facts.bytes, std::filesystem::file_size(path));
}

TEST(MatrixCache, IndicesOfAnotherWidth) {
  const TemporaryFolder folder;
  const auto source = read_matrix<std::int64_t>(folder.write("a", kSource));
  const auto narrow = read_matrix<std::int32_t>(folder.path("a"));
  ASSERT_TRUE(source && narrow);
  ASSERT_TRUE(write_matrix_cache(*source, folder.path("wide")));
  ASSERT_TRUE(write_matrix_cache(*narrow, folder.path("narrow")));
  const auto from_wide = read_matrix<std::int32_t>(folder.path("wide"));
  ASSERT_TRUE(from_wide) << from_wide.error().message;
  EXPECT_TRUE(equal(narrow->matrix, from_wide->matrix));
  const auto from_narrow = read_matrix<std::int64_t>(folder.path("narrow"));
  ASSERT_TRUE(from_narrow) << from_narrow.error().message;
  EXPECT_TRUE(std::ranges::equal(from_narrow->matrix.column.span(), source->matrix.column.span()));
}

TEST(MatrixCache, LargeAndEmpty) {
  const TemporaryFolder folder;
  for (const char* spec : {"rmat:12,8", "poisson2d:1"}) {
    auto matrix = generate(spec);
    ASSERT_TRUE(matrix);
    MatrixFile<std::int32_t> file;
    file.matrix = std::move(*matrix);
    file.facts.declared.rows = file.facts.declared.columns =
        static_cast<std::uint64_t>(file.matrix.rows);
    file.facts.declared.entries = file.matrix.entries();
    ASSERT_TRUE(write_matrix_cache(file, folder.path("a")));
    const auto back = read_matrix<std::int32_t>(folder.path("a"), 2);
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(equal(file.matrix, back->matrix));
  }
  const MatrixFile<std::int32_t> empty;
  ASSERT_TRUE(write_matrix_cache(empty, folder.path("a")));
  const auto back = read_matrix<std::int32_t>(folder.path("a"));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->matrix.rows, 0);
}

TEST(MatrixCache, EveryBitCounts) {
  const TemporaryFolder folder;
  const std::string whole = small_cache();
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ (1 << at % 8));
    const auto file = read_matrix<std::int32_t>(folder.write("a", broken));
    // Between the parts lie zeros that nobody reads.
    if (file) {
      EXPECT_EQ(whole[at], 0) << at;
      EXPECT_GE(at, 96U);
      continue;
    }
    EXPECT_EQ(file.error().code, ErrorCode::bad_input);
  }
  for (std::size_t size = 1; size < whole.size(); size += 7) {
    EXPECT_FALSE(read_matrix<std::int32_t>(folder.write("a", whole.substr(0, size)))) << size;
  }
  EXPECT_FALSE(read_matrix<std::int32_t>(folder.write("a", whole + "x")));
}

TEST(MatrixCache, OtherVersionIsSaid) {
  std::string other = small_cache();
  other[8] = 2;
  const TemporaryFolder folder;
  const auto file = read_matrix<std::int32_t>(folder.write("a", other));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error().message, HasSubstr("version 2"));
}

TEST(MatrixCache, WhereItCannotBeWritten) {
  const TemporaryFolder folder;
  const MatrixFile<std::int32_t> empty;
  const auto written = write_matrix_cache(empty, folder.path("none/a"));
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::write_failed);
  ASSERT_TRUE(std::filesystem::create_directory(folder.path("d")));
  ASSERT_FALSE(write_matrix_cache(empty, folder.path("d")));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path("")), {}), 1);
}

TEST(MatrixCache, Mutations) {
  const std::string whole = small_cache();
  // With a checksum, most mutations end there; appended bytes that nobody reads do not.
  expect_robust("a", {whole}, 4000, 61);
}

}  // namespace
}  // namespace ridge::spmv
