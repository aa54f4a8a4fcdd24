// Files that the tests of readers write, and words to look at what comes back.
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "spmv/read/matrix_file.hpp"
#include "tests/sentences.hpp"
#include "tests/temporary_folder.hpp"

namespace ridge::spmv {

using tests::TemporaryFolder;

[[nodiscard]] std::string gzipped(std::string_view content);
/// Without header and trailer, as in a zip archive.
[[nodiscard]] std::string deflated(std::string_view content);

/// All places of the matrix row by row; of a place without an entry 0.
[[nodiscard]] std::vector<double> dense(const CsrMatrix<double, std::int32_t>& matrix);

/// Rows valid, columns ascending and in range: what every reader promises.
void expect_valid(const CsrMatrix<double, std::int32_t>& matrix);

/// Bit for bit the same.
[[nodiscard]] bool equal(const CsrMatrix<double, std::int32_t>& a,
                         const CsrMatrix<double, std::int32_t>& b);

/// A file that is refused, and what the message says of it: where the fault stands ("5:",
/// "data.npy:"), and parts that tell which one it is. The wording stands in the golden file.
struct RefusedFile {
  std::string what;
  std::string content;
  std::string place;
  std::vector<std::string> parts;
};

/// Reads each from a file of that name: refused as bad input, with place and parts behind the path.
void expect_refused(std::string_view name, const std::vector<RefusedFile>& files);

/// Their messages without the path, and the hint where it is not that of the file before.
void add_refused(tests::Sentences& sentences, std::string_view name,
                 const std::vector<RefusedFile>& files);

/// One to three random changes of bytes, or of words to nasty ones.
[[nodiscard]] std::string mutated(std::mt19937_64& random, std::string content);

/// Reads mutations of the contents, `times` in all (fewer where that takes longer than a second,
/// but 300 at least): every answer is a valid matrix or an error that names the file and a reason.
void expect_robust(std::string_view name, const std::vector<std::string>& contents, int times,
                   std::uint64_t seed);

}  // namespace ridge::spmv
