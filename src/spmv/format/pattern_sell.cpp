#include "spmv/format/pattern_sell.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <omp.h>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ridge::spmv {
namespace {

constexpr std::size_t kMostRows = 32;

/// Of chunks.
struct Geometry {
  std::int32_t chunk_rows;
  std::uint32_t all;   ///< the mask of a diagonal that all rows have
  std::int32_t least;  ///< rows that have a diagonal for it to be stored as one
  [[nodiscard]] bool is_diagonal(std::uint32_t mask) const { return std::popcount(mask) >= least; }
};

/// What the rows of a chunk have in common: an entry at the same distance from the diagonal.
template <class Index>
struct Diagonal {
  Index offset;
  std::uint32_t mask;  ///< which rows have it
};

/// The rows of a matrix (or rows of its blocks), where their entries are.
template <class Index>
struct Rows {
  const Index* row_begin;
  const Index* column;
  Index rows;

  /// Calls visit(lane, entry, distance) for the entries of a chunk, row by row.
  template <class BeginRow, class Visit>
  void walk(std::int64_t chunk, std::int32_t chunk_rows, const BeginRow& begin_row,
            const Visit& visit) const {
    const std::int64_t first = chunk * chunk_rows;
    const std::int64_t last = std::min<std::int64_t>(first + chunk_rows, std::int64_t{rows});
    for (std::int64_t i = first; i < last; ++i) {
      const auto lane = static_cast<std::size_t>(i - first);
      begin_row();
      for (Index k = row_begin[i]; k < row_begin[i + 1]; ++k) {
        visit(lane, static_cast<std::size_t>(k),
              static_cast<Index>(column[k] - static_cast<Index>(i)));
      }
    }
  }
};

/// The distances that a chunk has, ascending.
template <class Index>
class DiagonalList {
 public:
  void collect(const Rows<Index>& rows, std::int64_t chunk, std::int32_t chunk_rows) {
    if (!collect_alike(rows, chunk, chunk_rows)) {
      collect_any(rows, chunk, chunk_rows);
    }
  }

  /// Keeps what is stored as diagonals; returns how many other entries the row with most has.
  std::int32_t leave_rest(const Geometry& geometry) {
    std::array<std::int32_t, kMostRows> rest{};
    const auto is_rest = [&](const Diagonal<Index>& diagonal) {
      if (geometry.is_diagonal(diagonal.mask)) {
        return false;
      }
      for (std::uint32_t left = diagonal.mask; left != 0; left &= left - 1) {
        ++rest[static_cast<std::size_t>(std::countr_zero(left))];
      }
      return true;
    };
    std::erase_if(found_, is_rest);
    return *std::max_element(rest.begin(), rest.end());
  }
  [[nodiscard]] const std::vector<Diagonal<Index>>& found() const { return found_; }

 private:
  /// Rows that follow one another mostly have the same distances: each finds its own by going along
  /// the list. False where they have not: then inserting would take for ever.
  bool collect_alike(const Rows<Index>& rows, std::int64_t chunk, std::int32_t chunk_rows) {
    constexpr int kMostInserted = 48;
    found_.clear();
    std::size_t at = 0;
    int inserted = 0;
    rows.walk(
        chunk, chunk_rows, [&] { at = 0; },
        [&](std::size_t lane, std::size_t /*entry*/, Index distance) {
          if (inserted > kMostInserted) {
            return;
          }
          while (at < found_.size() && found_[at].offset < distance) {
            ++at;
          }
          if (at == found_.size() || found_[at].offset != distance) {
            inserted += lane == 0 ? 0 : 1;
            found_.insert(found_.begin() + static_cast<std::ptrdiff_t>(at), {distance, 0});
          }
          found_[at++].mask |= std::uint32_t{1} << lane;
        });
    return inserted <= kMostInserted;
  }
  void collect_any(const Rows<Index>& rows, std::int64_t chunk, std::int32_t chunk_rows) {
    all_.clear();
    rows.walk(
        chunk, chunk_rows, [] {},
        [&](std::size_t lane, std::size_t /*entry*/, Index distance) {
          all_.push_back({distance, std::uint32_t{1} << lane});
        });
    std::sort(all_.begin(), all_.end(), [](const Diagonal<Index>& a, const Diagonal<Index>& b) {
      return a.offset < b.offset;
    });
    found_.clear();
    for (const Diagonal<Index>& one : all_) {
      if (found_.empty() || found_.back().offset != one.offset) {
        found_.push_back(one);
      } else {
        found_.back().mask |= one.mask;
      }
    }
  }

  std::vector<Diagonal<Index>> found_;
  std::vector<Diagonal<Index>> all_;
};

/// The shapes of the chunks that one thread looks at, each once.
template <class Index>
class ShapeTable {
 public:
  std::int32_t number_of(const std::vector<Diagonal<Index>>& diagonals, const Geometry& geometry) {
    if (!shapes.empty() && is_last(diagonals)) {
      return last_;
    }
    const std::string_view bytes(reinterpret_cast<const char*>(diagonals.data()),
                                 diagonals.size() * sizeof(Diagonal<Index>));
    const auto [at, is_new] =
        numbers_.try_emplace(std::string(bytes), static_cast<std::int32_t>(shapes.size()));
    if (is_new) {
      const bool full = std::all_of(
          diagonals.begin(), diagonals.end(),
          [&](const Diagonal<Index>& diagonal) { return diagonal.mask == geometry.all; });
      shapes.push_back({static_cast<std::int64_t>(all.size()),
                        static_cast<std::int32_t>(diagonals.size()), full ? 1 : 0});
      all.insert(all.end(), diagonals.begin(), diagonals.end());
    }
    last_ = at->second;
    return last_;
  }

  std::vector<PatternShape> shapes;
  std::vector<Diagonal<Index>> all;

 private:
  [[nodiscard]] bool is_last(const std::vector<Diagonal<Index>>& diagonals) const {
    const PatternShape& shape = shapes[static_cast<std::size_t>(last_)];
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(shape.diagonal);
    return static_cast<std::size_t>(shape.diagonals) == diagonals.size() &&
           std::equal(diagonals.begin(), diagonals.end(), first,
                      [](const Diagonal<Index>& a, const Diagonal<Index>& b) {
                        return a.offset == b.offset && a.mask == b.mask;
                      });
  }

  std::unordered_map<std::string, std::int32_t> numbers_;
  std::int32_t last_ = 0;
};

/// Puts the values of one entry, `size` = block^2 of them, where the lanes of a column want them.
template <class Value>
void put(const Value* from, std::int32_t block, std::int32_t chunk_rows, std::size_t lane,
         Value* column) {
  if (block == 1) {
    column[lane] = *from;
    return;
  }
  const auto b = static_cast<std::size_t>(block);
  const auto rows = static_cast<std::size_t>(chunk_rows);
  for (std::size_t s = 0; s < b; ++s) {
    for (std::size_t t = 0; t < b; ++t) {
      column[(t * b + s) * rows + lane] = from[s * b + t];
    }
  }
}

template <class Value, class Index>
class Builder {
 public:
  Builder(const Rows<Index>& rows, const Value* values, const Geometry& geometry,
          PatternSellMatrix<Value, Index>& to)
      : rows_(rows),
        values_(values),
        geometry_(geometry),
        to_(to),
        size_(static_cast<std::size_t>(to.block) * static_cast<std::size_t>(to.block)),
        stride_(size_ * static_cast<std::size_t>(geometry.chunk_rows)) {}

  /// Values that build() would store.
  double stored() {
    find_shapes();
    double columns = 0;
    for (const PatternChunk& chunk : to_.chunk) {
      columns += to_.shape[static_cast<std::size_t>(chunk.shape)].diagonals + chunk.gathered;
    }
    return columns * static_cast<double>(stride_);
  }

  void build() {
    find_shapes();
    lay_out();
#pragma omp parallel for schedule(static)
    for (std::int64_t c = 0; c < to_.chunks(); ++c) {
      fill(c);
    }
  }

 private:
  void find_shapes() {
    const std::int64_t rows = geometry_.chunk_rows;
    to_.chunk =
        Array<PatternChunk>(static_cast<std::size_t>((std::int64_t{to_.rows} + rows - 1) / rows));
    std::vector<ShapeTable<Index>> tables(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
    {
      ShapeTable<Index>& table = tables[static_cast<std::size_t>(omp_get_thread_num())];
      DiagonalList<Index> list;
#pragma omp for schedule(static)
      for (std::int64_t c = 0; c < to_.chunks(); ++c) {
        list.collect(rows_, c, geometry_.chunk_rows);
        PatternChunk& chunk = to_.chunk[static_cast<std::size_t>(c)];
        chunk.gathered = list.leave_rest(geometry_);
        chunk.shape = table.number_of(list.found(), geometry_);
        chunk.value = omp_get_thread_num();  // whose table, until lay_out()
      }
    }
    join(tables);
  }

  /// One table after the other; the chunks follow.
  void join(const std::vector<ShapeTable<Index>>& tables) {
    std::vector<std::int32_t> before;
    std::size_t shapes = 0;
    std::size_t diagonals = 0;
    for (const ShapeTable<Index>& table : tables) {
      before.push_back(static_cast<std::int32_t>(shapes));
      shapes += table.shapes.size();
      diagonals += table.all.size();
    }
    to_.shape = Array<PatternShape>(shapes);
    to_.offset = Array<Index>(diagonals);
    to_.mask = Array<std::uint32_t>(diagonals);
    std::size_t at = 0;
    std::size_t next = 0;
    for (const ShapeTable<Index>& table : tables) {
      for (const PatternShape& shape : table.shapes) {
        to_.shape[next++] = {shape.diagonal + static_cast<std::int64_t>(at), shape.diagonals};
      }
      for (const Diagonal<Index>& diagonal : table.all) {
        to_.offset[at] = diagonal.offset;
        to_.mask[at++] = diagonal.mask;
      }
    }
    for (PatternChunk& chunk : to_.chunk) {
      chunk.shape += before[static_cast<std::size_t>(chunk.value)];
    }
  }

  /// Where each chunk's part begins, from what it has.
  void lay_out() {
    std::int64_t value = 0;
    std::int64_t column = 0;
    std::int64_t diagonals = 0;
    for (PatternChunk& chunk : to_.chunk) {
      chunk.value = value;
      chunk.column = column;
      const std::int64_t here = to_.shape[static_cast<std::size_t>(chunk.shape)].diagonals;
      value += (here + chunk.gathered) * static_cast<std::int64_t>(stride_);
      column += std::int64_t{chunk.gathered} * geometry_.chunk_rows;
      diagonals += here;
    }
    to_.value = Array<Value>(static_cast<std::size_t>(value));
    to_.column = Array<Index>(static_cast<std::size_t>(column) + kMaxAhead);
    std::fill(to_.column.begin() + column, to_.column.end(), Index{0});
    to_.without_index = static_cast<std::size_t>(diagonals) * stride_;
  }

  void fill(std::int64_t c) {
    const PatternChunk& chunk = to_.chunk[static_cast<std::size_t>(c)];
    const PatternShape& shape = to_.shape[static_cast<std::size_t>(chunk.shape)];
    const auto diagonals = static_cast<std::size_t>(shape.diagonals);
    const Index* offset = to_.offset.data() + shape.diagonal;
    const std::uint32_t* mask = to_.mask.data() + shape.diagonal;
    Value* value = to_.value.data() + chunk.value;
    Index* column = to_.column.data() + chunk.column;
    clear(chunk, diagonals, mask, value);
    std::array<std::size_t, kMostRows> rest{};
    std::array<Index, kMostRows> last{};
    std::size_t at = 0;
    rows_.walk(
        c, geometry_.chunk_rows, [&] { at = 0; },
        [&](std::size_t lane, std::size_t entry, Index distance) {
          while (at < diagonals && offset[at] < distance) {
            ++at;
          }
          std::size_t to = at;
          if (at == diagonals || offset[at] != distance) {
            to = diagonals + rest[lane];
            last[lane] = rows_.column[entry];
            column[rest[lane]++ * chunk_rows() + lane] = last[lane];
          }
          put(values_ + entry * size_, to_.block, geometry_.chunk_rows, lane, value + to * stride_);
        });
    // A row without a further entry: 0 times a column that it has.
    for (std::size_t lane = 0; lane < chunk_rows(); ++lane) {
      for (std::size_t q = rest[lane]; q < static_cast<std::size_t>(chunk.gathered); ++q) {
        column[q * chunk_rows() + lane] = last[lane];
      }
    }
  }
  [[nodiscard]] std::size_t chunk_rows() const {
    return static_cast<std::size_t>(geometry_.chunk_rows);
  }
  /// Zeros where not every row puts something.
  void clear(const PatternChunk& chunk, std::size_t diagonals, const std::uint32_t* mask,
             Value* value) const {
    for (std::size_t d = 0; d < diagonals; ++d) {
      if (mask[d] != geometry_.all) {
        std::memset(value + d * stride_, 0, stride_ * sizeof(Value));
      }
    }
    const auto gathered = static_cast<std::size_t>(chunk.gathered);
    std::memset(value + diagonals * stride_, 0, gathered * stride_ * sizeof(Value));
  }

  Rows<Index> rows_;
  const Value* values_;
  Geometry geometry_;
  PatternSellMatrix<Value, Index>& to_;
  std::size_t size_;    ///< values of an entry
  std::size_t stride_;  ///< values of a column of a chunk
};

}  // namespace

template <class Value, class Index>
PatternSellMatrix<Value, Index> to_pattern_sell(const CsrMatrix<Value, Index>& matrix,
                                                std::int32_t least) {
  PatternSellMatrix<Value, Index> result;
  result.rows = matrix.rows;
  result.columns = matrix.columns;
  result.useful = matrix.entries();
  Builder<Value, Index>({matrix.row_begin.data(), matrix.column.data(), result.rows},
                        matrix.value.data(), {32, ~std::uint32_t{0}, least}, result)
      .build();
  return result;
}

template <class Value, class Index>
double pattern_padding(const CsrMatrix<Value, Index>& matrix, std::int32_t least) {
  if (matrix.entries() == 0) {
    return 1;
  }
  PatternSellMatrix<Value, Index> shapes;
  shapes.rows = matrix.rows;
  const double stored =
      Builder<Value, Index>({matrix.row_begin.data(), matrix.column.data(), matrix.rows},
                            matrix.value.data(), {32, ~std::uint32_t{0}, least}, shapes)
          .stored();
  return stored / static_cast<double>(matrix.entries());
}

template <class Value, class Index>
PatternSellMatrix<Value, Index> to_pattern_sell(const BcsrMatrix<Value, Index>& matrix,
                                                std::int32_t least) {
  PatternSellMatrix<Value, Index> result;
  result.rows = matrix.block_rows;
  result.columns = matrix.block_columns;
  result.block = matrix.block;
  result.useful = matrix.useful;
  Builder<Value, Index>({matrix.row_begin.data(), matrix.column.data(), result.rows},
                        matrix.value.data(), {16, 0xffff, least}, result)
      .build();
  return result;
}

template PatternSellMatrix<double, std::int32_t> to_pattern_sell(
    const CsrMatrix<double, std::int32_t>&, std::int32_t);
template double pattern_padding(const CsrMatrix<double, std::int32_t>&, std::int32_t);
template PatternSellMatrix<double, std::int32_t> to_pattern_sell(
    const BcsrMatrix<double, std::int32_t>&, std::int32_t);
template PatternSellMatrix<double, std::int64_t> to_pattern_sell(
    const CsrMatrix<double, std::int64_t>&, std::int32_t);
template double pattern_padding(const CsrMatrix<double, std::int64_t>&, std::int32_t);
template PatternSellMatrix<double, std::int64_t> to_pattern_sell(
    const BcsrMatrix<double, std::int64_t>&, std::int32_t);
template PatternSellMatrix<float, std::int32_t> to_pattern_sell(
    const CsrMatrix<float, std::int32_t>&, std::int32_t);
template double pattern_padding(const CsrMatrix<float, std::int32_t>&, std::int32_t);
template PatternSellMatrix<float, std::int32_t> to_pattern_sell(
    const BcsrMatrix<float, std::int32_t>&, std::int32_t);
template PatternSellMatrix<float, std::int64_t> to_pattern_sell(
    const CsrMatrix<float, std::int64_t>&, std::int32_t);
template double pattern_padding(const CsrMatrix<float, std::int64_t>&, std::int32_t);
template PatternSellMatrix<float, std::int64_t> to_pattern_sell(
    const BcsrMatrix<float, std::int64_t>&, std::int32_t);

}  // namespace ridge::spmv
