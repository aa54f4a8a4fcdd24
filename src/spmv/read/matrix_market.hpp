// Matrix Market: https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "spmv/read/input_file.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

/// Up to and including the line with the sizes.
struct MarketHeader {
  DeclaredMatrix declared;
  bool array = false;  ///< all values column by column, not coordinates
  std::uint64_t size_line = 0;
  std::uint64_t data_begin = 0;  ///< byte of the text (after gunzip) behind that line
  std::uint64_t text_bytes = 0;  ///< from there on; of a compressed file, the most there can be
};

[[nodiscard]] Result<MarketHeader> read_market_header(const InputFile& file, bool gzip);

/// Why `line` is no entry of such a file; `left` entries are still expected before it.
[[nodiscard]] std::string explain_market_line(std::string_view line, const MarketHeader& header,
                                              std::uint64_t left);

[[nodiscard]] Result<DeclaredMatrix> peek_matrix_market(const InputFile& file, bool gzip);

template <class Index>
[[nodiscard]] Result<MatrixFile<Index>> read_matrix_market(const InputFile& file, bool gzip,
                                                           int threads);

}  // namespace ridge::spmv
