#include "spmv/study/suitable_formats.hpp"

#include <cstdint>

#include "spmv/format/bcsr.hpp"
#include "spmv/format/symmetric.hpp"
#include "spmv/matrix/pattern_view.hpp"
#include "spmv/study/reorder.hpp"

namespace ridge::spmv {

template <class Index>
std::vector<Format> suitable_formats(const CsrMatrix<double, Index>& matrix) {
  std::vector<Format> formats = {
      {},
      {.kind = FormatKind::sell, .sigma = 1},
      {.kind = FormatKind::sell, .sigma = 256},
      {.kind = FormatKind::sell_short, .sigma = 1},
      {.kind = FormatKind::pattern},
      {.kind = FormatKind::gather_blocked, .sigma = 256},
  };
  // Two passes pay only where rows reach further than the part of x that a second-level cache
  // keeps.
  constexpr std::int64_t kFar = std::int64_t{1} << 16;
  if (bandwidth(pattern_of(matrix)) > kFar) {
    formats.push_back({.kind = FormatKind::binned});
  }
  if (const std::int32_t block = find_block(matrix); block > 1) {
    formats.push_back({.kind = FormatKind::blocked_pattern, .block = block});
    formats.push_back({.kind = FormatKind::bcsr, .block = block});
  }
  if (is_symmetric(matrix)) {
    formats.push_back({.kind = FormatKind::symmetric});
  }
  return formats;
}

template std::vector<Format> suitable_formats(const CsrMatrix<double, std::int32_t>&);
template std::vector<Format> suitable_formats(const CsrMatrix<double, std::int64_t>&);

}  // namespace ridge::spmv
