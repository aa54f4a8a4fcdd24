#include "spmv/format/transposed.hpp"

#include <algorithm>
#include <limits>

namespace ridge::spmv {
namespace {

/// The columns that these rows have entries in lie from first to last - 1.
struct Span {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

template <class Value, class Index>
Span columns_of(const CsrMatrix<Value, Index>& matrix, std::int64_t first, std::int64_t last) {
  Span span{std::numeric_limits<std::int64_t>::max(), 0};
  for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(last); ++i) {
    const auto begin = static_cast<std::size_t>(matrix.row_begin[i]);
    const auto end = static_cast<std::size_t>(matrix.row_begin[i + 1]);
    if (begin < end) {  // columns ascend
      span.first = std::min(span.first, std::int64_t{matrix.column[begin]});
      span.last = std::max(span.last, std::int64_t{matrix.column[end - 1]} + 1);
    }
  }
  return span.last == 0 ? Span{} : span;
}

template <class Vector>
void scale(Vector beta, Vector* first, Vector* last) {
  if (beta == 0) {
    std::fill(first, last, Vector{0});
  } else if (beta != 1) {
    std::for_each(first, last, [beta](Vector& element) { element *= beta; });
  }
}

}  // namespace

template <class Vector, class Value, class Index>
TransposedProduct<Vector, Value, Index>::TransposedProduct(const CsrMatrix<Value, Index>& matrix,
                                                           int threads)
    : matrix_(&matrix),
      rows_(Work::shared_out(std::int64_t{matrix.rows}, std::max(1, threads),
                             [&](std::int64_t i) {
                               return std::int64_t{matrix.row_begin[static_cast<std::size_t>(i)]};
                             })),
      columns_(Work::shared_out(std::int64_t{matrix.columns}, std::max(1, threads),
                                [](std::int64_t j) { return j; })) {
  if (rows_.threads() == 1) {
    return;
  }
  for (std::size_t t = 0; t + 1 < rows_.bounds.size(); ++t) {
    const Span span = columns_of(matrix, rows_.bounds[t], rows_.bounds[t + 1]);
    rooms_.push_back({span.first, Array<Vector>(static_cast<std::size_t>(span.last - span.first))});
  }
}

template <class Vector, class Value, class Index>
std::size_t TransposedProduct<Vector, Value, Index>::room_bytes() const {
  std::size_t bytes = 0;
  for (const Room& room : rooms_) {
    bytes += room.sum.size() * sizeof(Vector);
  }
  return bytes;
}

/// `y` begins with column `offset`.
template <class Vector, class Value, class Index>
void TransposedProduct<Vector, Value, Index>::add_rows(std::int64_t first, std::int64_t last,
                                                       Vector alpha, const Vector* x, Vector* y,
                                                       std::int64_t offset) const {
  const Index* row_begin = matrix_->row_begin.data();
  const Index* column = matrix_->column.data();
  const Value* value = matrix_->value.data();
  for (std::int64_t i = first; i < last; ++i) {
    const Vector factor = alpha * x[i];
    for (Index k = row_begin[i]; k < row_begin[i + 1]; ++k) {
      y[column[k] - offset] += factor * static_cast<Vector>(value[k]);
    }
  }
}

template <class Vector, class Value, class Index>
void TransposedProduct<Vector, Value, Index>::sum_up(std::int64_t first, std::int64_t last,
                                                     Vector alpha, Vector beta, Vector* y) const {
  // A part of y at a time, so that it stays in the first cache for all rooms.
  constexpr std::int64_t kAtOnce = 1024;
  for (std::int64_t begin = first; begin < last; begin += kAtOnce) {
    const std::int64_t end = std::min(last, begin + kAtOnce);
    scale(beta, y + begin, y + end);
    for (const Room& room : rooms_) {
      const std::int64_t from = std::max(begin, room.first);
      const std::int64_t to =
          std::min(end, room.first + static_cast<std::int64_t>(room.sum.size()));
      for (std::int64_t j = from; j < to; ++j) {
        y[j] += alpha * room.sum.data()[j - room.first];
      }
    }
  }
}

template <class Vector, class Value, class Index>
void TransposedProduct<Vector, Value, Index>::multiply(Vector alpha, const Vector* x, Vector beta,
                                                       Vector* y) const {
  if (rooms_.empty()) {
    scale(beta, y, y + matrix_->columns);
    add_rows(0, std::int64_t{matrix_->rows}, alpha, x, y, 0);
    return;
  }
  run_parts(rows_, Schedule::entries, [&](std::int64_t first, std::int64_t last, int thread) {
    Room& room = rooms_[static_cast<std::size_t>(thread)];
    std::fill(room.sum.begin(), room.sum.end(), Vector{0});
    add_rows(first, last, Vector{1}, x, room.sum.data(), room.first);
  });
  run_parts(columns_, Schedule::entries,
            [&](std::int64_t first, std::int64_t last, int /*thread*/) {
              sum_up(first, last, alpha, beta, y);
            });
}

template class TransposedProduct<double, double, std::int32_t>;
template class TransposedProduct<double, double, std::int64_t>;
template class TransposedProduct<float, float, std::int32_t>;
template class TransposedProduct<float, float, std::int64_t>;
template class TransposedProduct<double, float, std::int32_t>;
template class TransposedProduct<double, float, std::int64_t>;

}  // namespace ridge::spmv
