#include "spmv/read/matrix_files_for_tests.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <zlib.h>

#include <gtest/gtest.h>

namespace ridge::spmv {
namespace {

std::string packed(std::string_view content, int window_bits) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string out(deflateBound(&stream, content.size()) + 64, '\0');
  std::string in(content);
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

constexpr std::string_view kNasty[] = {"-1",
                                       "0",
                                       "1e999",
                                       "18446744073709551616",
                                       "4294967296",
                                       "2147483647",
                                       "2147483648",
                                       "999999999999999999",
                                       "nan",
                                       "inf",
                                       "%",
                                       "\n",
                                       "\n\n",
                                       "\r\n",
                                       " ",
                                       "1.5",
                                       "(",
                                       ")",
                                       "0E99",
                                       "complex",
                                       "pattern",
                                       "skew-symmetric",
                                       "array",
                                       "\xff\xff\xff\xff",
                                       "\x7f\xff\xff\xff\xff\xff\xff\xff"};

void mutate(std::mt19937_64& random, std::string& content) {
  const std::size_t at = random() % content.size();
  const std::string_view nasty = kNasty[random() % std::size(kNasty)];
  switch (random() % 9) {
    case 0:
      content[at] = static_cast<char>(random());
      break;
    case 1:
      content.erase(at, 1 + random() % 20);
      break;
    case 2:
      content.insert(at, content.substr(random() % content.size(), random() % 40));
      break;
    case 3:
      content.resize(at + 1);
      break;
    case 4:
      content[at] = static_cast<char>(content[at] ^ (1 << random() % 8));
      break;
    case 5:
      content.insert(at, nasty);
      break;
    case 6:
      content.replace(at, nasty.size(), nasty);
      break;
    default: {  // a whole word
      constexpr std::string_view kEnds = " \n\t,()";
      const std::size_t begin = std::min(content.find_first_not_of(kEnds, at), content.size());
      const std::size_t end = std::min(content.find_first_of(kEnds, begin), content.size());
      content.replace(begin, end - begin, nasty);
    }
  }
}

}  // namespace

std::string gzipped(std::string_view content) {
  return packed(content, 15 + 16);
}
std::string deflated(std::string_view content) {
  return packed(content, -15);
}

std::vector<double> dense(const CsrMatrix<double, std::int32_t>& matrix) {
  std::vector<double> values(static_cast<std::size_t>(matrix.rows) *
                             static_cast<std::size_t>(matrix.columns));
  for (std::int32_t i = 0; i < matrix.rows; ++i) {
    for (std::int32_t k = matrix.row_begin.data()[i]; k < matrix.row_begin.data()[i + 1]; ++k) {
      values[static_cast<std::size_t>(i) * static_cast<std::size_t>(matrix.columns) +
             static_cast<std::size_t>(matrix.column.data()[k])] = matrix.value.data()[k];
    }
  }
  return values;
}

void expect_valid(const CsrMatrix<double, std::int32_t>& matrix) {
  ASSERT_EQ(matrix.row_begin.size(), static_cast<std::size_t>(matrix.rows) + 1);
  ASSERT_EQ(matrix.row_begin[0], 0);
  ASSERT_EQ(matrix.column.size(), matrix.entries());
  ASSERT_EQ(static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(matrix.rows)]),
            matrix.entries());
  for (std::int32_t i = 0; i < matrix.rows; ++i) {
    const std::int32_t begin = matrix.row_begin.data()[i];
    const std::int32_t end = matrix.row_begin.data()[i + 1];
    ASSERT_LE(begin, end);
    for (std::int32_t k = begin; k < end; ++k) {
      const std::int32_t column = matrix.column.data()[k];
      ASSERT_TRUE(column >= 0 && column < matrix.columns);
      ASSERT_TRUE(k == begin || matrix.column.data()[k - 1] < column);
    }
  }
}

bool equal(const CsrMatrix<double, std::int32_t>& a, const CsrMatrix<double, std::int32_t>& b) {
  const auto same_bits = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  return a.rows == b.rows && a.columns == b.columns &&
         std::ranges::equal(a.row_begin.span(), b.row_begin.span()) &&
         std::ranges::equal(a.column.span(), b.column.span()) &&
         std::ranges::equal(a.value.span(), b.value.span(), same_bits);
}

namespace {

/// The message behind "PATH:", and the hint.
Error refusal_of(std::string_view name, const std::string& content) {
  const TemporaryFolder folder;
  const auto path = folder.write(name, content);
  const auto file = read_matrix<std::int32_t>(path);
  if (file) {
    return {ErrorCode::usage, "accepted", {}};
  }
  Error error = file.error();
  EXPECT_EQ(error.message.find(path.string() + ":"), 0U) << error.message;
  error.message.erase(0, path.string().size() + 1);
  error.message.erase(0, error.message.find_first_not_of(' '));
  return error;
}

}  // namespace

void expect_refused(std::string_view name, const std::vector<RefusedFile>& files) {
  for (const RefusedFile& file : files) {
    const Error error = refusal_of(name, file.content);
    EXPECT_EQ(error.code, ErrorCode::bad_input) << file.what;
    EXPECT_EQ(error.message.find(file.place), 0U) << file.what << ": " << error.message;
    for (const std::string& part : file.parts) {
      EXPECT_NE(error.message.find(part), std::string::npos) << file.what << ": " << error.message;
    }
  }
}

void add_refused(tests::Sentences& sentences, std::string_view name,
                 const std::vector<RefusedFile>& files) {
  std::string hint;
  for (const RefusedFile& file : files) {
    const Error error = refusal_of(name, file.content);
    const bool another = error.hint != hint;
    sentences.add(file.what, another ? error.message + "\n" + error.hint : error.message);
    hint = error.hint;
  }
}

std::string mutated(std::mt19937_64& random, std::string content) {
  for (std::size_t i = 1 + random() % 3; i > 0 && !content.empty(); --i) {
    mutate(random, content);
  }
  return content;
}

void expect_robust(std::string_view name, const std::vector<std::string>& contents, int times,
                   std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const TemporaryFolder folder;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  int accepted = 0;
  int refused = 0;
  for (int i = 0; i < times && (i < 300 || std::chrono::steady_clock::now() < deadline); ++i) {
    const std::string content = mutated(random, contents[random() % contents.size()]);
    const auto path = folder.write(name, content);
    const auto declared = peek_matrix(path);
    const auto file = read_matrix<std::int32_t>(path, 1 + static_cast<int>(random() % 3));
    if (file) {
      ++accepted;
      ASSERT_TRUE(declared);
      ASSERT_NO_FATAL_FAILURE(expect_valid(file->matrix)) << content;
      ASSERT_LE(file->matrix.entries(), declared->most_entries());
      continue;
    }
    ++refused;
    const Error& error = file.error();
    ASSERT_EQ(error.code, ErrorCode::bad_input) << error.message;
    ASSERT_EQ(error.message.find(path.string() + ":"), 0U) << error.message;
    ASSERT_LT(error.message.size(), path.string().size() + 300) << error.message;
    ASSERT_FALSE(error.hint.empty()) << error.message;
    for (const char c : error.message) {
      ASSERT_TRUE(c >= 0x20 && c < 0x7f) << error.message;
    }
  }
  EXPECT_GT(refused, 0);
  EXPECT_GT(accepted, 0);
}

}  // namespace ridge::spmv
