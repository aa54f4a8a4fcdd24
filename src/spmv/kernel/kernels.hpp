// The inner loops, once for each instruction set: what a thread does with a range of rows or chunks
// of one format. Plain pointers, so that nothing of what these files compile is shared with code
// that has to run on every processor.
#pragma once

#include <cstdint>

namespace ridge::spmv {

enum class Isa { portable, avx2, avx512 };

/// The widest that this processor and its operating system have.
[[nodiscard]] Isa widest_isa();

/// How eight elements of x come into one vector register.
enum class Gather {
  scalar,    ///< row by row without vectors (CSR), else as emulated
  emulated,  ///< eight loads, two 32-bit indices at a time
  hardware,  ///< the gather instruction
};

/// Chosen by tune(); the results do not depend on it.
struct Tuning {
  Gather gather = Gather::emulated;
  std::int32_t stream_ahead =
      0;                     ///< prefetch of values and indices [entries of the stream], 0: none
  std::int32_t x_ahead = 0;  ///< prefetch of x [entries of the stream], 0: none
  /// y bypasses the caches where beta is 0, y begins at a line, and whole vectors of it are
  /// written: it need not be read before it is written.
  bool stream_y = false;
};

/// Index arrays go on for this many valid columns behind their end, so that a prefetch may read
/// them; no distance of Tuning is larger.
inline constexpr std::int32_t kMaxAhead = 1024;

/// y = alpha A x + beta y; with beta = 0, y is not read.
template <class Vector>
struct Operands {
  const Vector* x = nullptr;
  Vector* y = nullptr;
  Vector alpha = 1;
  Vector beta = 0;
};

template <class Value, class Index>
struct CsrView {
  std::int64_t entries;  ///< prefetches of x stay among them
  const Index* row_begin;
  const Index* column;
  const Value* value;
};

/// Chunks of `chunk_rows` (8, 16 or 32) rows; in a chunk, the k-th entries of all its rows lie side
/// by side. Padded with value 0 at a column that the row has.
template <class Value, class Index>
struct SellView {
  Index rows;
  std::int32_t chunk_rows;
  const std::int64_t* chunk_begin;
  const Index* column;
  const Value* value;
  const Index* row_of;                ///< of each place in the chunks; null: rows are in order
  const std::uint16_t* short_column;  ///< column - base; null: without
  const Index* base;                  ///< of each chunk; -1: `column` holds its columns
};

/// Where the entries of a chunk lie that need no column of their own. Chunks of the same shape
/// share one: on stencils it comes from the cache.
struct PatternShape {
  std::int64_t diagonal;   ///< where its offsets and masks begin, by ascending offset
  std::int32_t diagonals;  ///< how many
  std::int32_t full;       ///< not 0: every row has all of them
};

struct PatternChunk {
  std::int64_t value;     ///< where its values begin: by diagonals, then the rest
  std::int64_t column;    ///< where the columns of the rest begin
  std::int32_t shape;     ///< which
  std::int32_t gathered;  ///< the rest: further entries in the row that has most
};

/// Pattern-compressed SELL. `block` is the size of the dense blocks that stand for entries, 1 for
/// single entries: then chunks have 32 rows, else 16 rows of blocks. Of a block, the value of
/// row s and column t of all rows of the chunk lie side by side: at (t * block + s) * 16.
template <class Value, class Index>
struct PatternView {
  Index rows;  ///< of blocks
  std::int32_t block;
  const PatternChunk* chunk;
  const PatternShape* shape;
  const Index* offset;        ///< of each diagonal: column minus row
  const std::uint32_t* mask;  ///< which rows have it
  const Index* column;        ///< of the rest, side by side as in SELL
  const Value* value;
};

/// Dense blocks of `block` x `block`, stored by rows.
template <class Value, class Index>
struct BcsrView {
  std::int32_t block;
  const Index* row_begin;
  const Index* column;
  const Value* value;
};

/// Row blocks of chunks of 32 rows that first copy the elements of x they need, each once.
template <class Value, class Index>
struct GatherBlockView {
  SellView<Value, Index> sell;
  const std::int64_t* block_begin;   ///< in chunks
  const std::int64_t* needed_begin;  ///< in `needed`; equal to the next: the block is not copied
  const Index* needed;               ///< columns, ascending in a block, padded to a multiple of 8
  const std::uint16_t* local;        ///< beside sell.column: place among the needed ones
};

/// Entries by strips of columns, in a strip by bins of rows: a *piece* is what a strip and a bin
/// have in common, padded to a multiple of 8 with value 0 at a place that it has.
template <class Value, class Index>
struct BinnedView {
  Index rows;
  std::int64_t bins;
  std::int32_t strip_bits;            ///< a strip has 2^strip_bits columns, at most 2^16
  std::int32_t bin_bits;              ///< a bin has 2^bin_bits rows, at most 2^16
  const std::int64_t* piece_begin;    ///< pieces + 1, piece = strip * bins + bin
  const std::int64_t* product_begin;  ///< where the products of a piece go: bin by bin
  const std::int64_t* bin_begin;      ///< bins + 1, in the products
  const std::uint16_t* column;        ///< in the strip; in the order of the pieces
  const Value* value;                 ///< beside it
  const std::uint16_t* row;           ///< in the bin; in the order of the products
};

/// Upper triangle with diagonal. A thread adds to y of its own rows, and below them to `below`.
template <class Value, class Index>
struct SymmetricView {
  const Index* row_begin;
  const Index* column;
  const Value* value;
};

/// Loops over the units first <= i < last: rows, chunks or row blocks.
template <class Value, class Vector, class Index>
struct Kernels {
  using Csr = CsrView<Value, Index>;
  using Sell = SellView<Value, Index>;
  using Pattern = PatternView<Value, Index>;
  using Bcsr = BcsrView<Value, Index>;
  using GatherBlock = GatherBlockView<Value, Index>;
  using Binned = BinnedView<Value, Index>;
  using Symmetric = SymmetricView<Value, Index>;
  using Place = std::int64_t;

  void (*csr)(const Csr&, const Operands<Vector>&, const Tuning&, Place first, Place last);
  void (*sell)(const Sell&, const Operands<Vector>&, const Tuning&, Place first, Place last);
  void (*pattern)(const Pattern&, const Operands<Vector>&, const Tuning&, Place first, Place last);
  void (*bcsr)(const Bcsr&, const Operands<Vector>&, const Tuning&, Place first, Place last);
  /// `room`: for the copied elements of x, as many as the widest block needs.
  void (*gather_block)(const GatherBlock&, const Operands<Vector>&, const Tuning&, Vector* room,
                       Place first, Place last);
  /// Of pieces: `products`, which begins at a multiple of 64 bytes, gets value times x.
  void (*multiply_strips)(const Binned&, const Operands<Vector>&, Vector* products, Place first,
                          Place last);
  /// Of bins: y from all products.
  void (*sum_bins)(const Binned&, const Operands<Vector>&, const Vector* products, Place first,
                   Place last);
  /// y += alpha (U + U^T - D) x for the rows of the range; y of later rows goes to below[row].
  void (*symmetric)(const Symmetric&, const Operands<Vector>&, Vector* below, Place first,
                    Place last);
  /// X and Y hold `width` vectors by rows (element i of vector j at i * width + j).
  void (*csr_many)(const Csr&, const Operands<Vector>&, std::int32_t width, Place first,
                   Place last);
  /// The sum of `count` elements, read as so many streams at once (1, 2 or 4): what reading alone
  /// costs.
  Vector (*read)(const Vector* from, Place count, int streams);
};

/// For double/double, float/float and float/double (values, vectors) with std::int32_t and
/// std::int64_t. The instruction set has to be one that the processor has.
template <class Value, class Vector, class Index>
[[nodiscard]] const Kernels<Value, Vector, Index>& kernels(Isa isa);

}  // namespace ridge::spmv
