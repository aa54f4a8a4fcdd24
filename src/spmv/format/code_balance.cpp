#include "spmv/format/code_balance.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>

namespace ridge::spmv {
namespace {

/// What y takes with `rows_per_entry` elements of it per entry: written once; read before that by
/// the processor or because beta != 0, once for both.
void add_y(CodeBalance& balance, double rows_per_entry, const VectorUse& use) {
  const double once = rows_per_entry * use.element_bytes * use.right_hand_sides;
  balance.y_written = once;
  balance.y_read = use.write_allocate || use.reads_y ? once : 0;
}

double x_bytes(double alpha, const VectorUse& use) {
  return alpha * use.element_bytes * use.right_hand_sides;
}

}  // namespace

CodeBalance csr_code_balance(double entries_per_row, double alpha, const ElementSizes& sizes,
                             VectorUse use) {
  assert(entries_per_row > 0);
  use.element_bytes = sizes.vector;
  CodeBalance balance;
  balance.flops = 2.0 * use.right_hand_sides;
  balance.values = sizes.value;
  balance.indices = sizes.index;
  balance.pointers = sizes.pointer / entries_per_row;
  balance.x = x_bytes(alpha, use);
  add_y(balance, 1 / entries_per_row, use);
  return balance;
}

std::optional<CodeBalance> code_balance(const Footprint& matrix, std::int64_t rows, double alpha,
                                        const VectorUse& use) {
  if (matrix.useful == 0 || matrix.stored == 0) {
    return std::nullopt;
  }
  const auto entries = static_cast<double>(matrix.useful);
  CodeBalance balance;
  balance.flops = 2.0 * use.right_hand_sides;
  balance.beta = std::min(1.0, entries / static_cast<double>(matrix.stored));
  balance.values = matrix.value_bytes / entries * balance.beta;
  balance.indices = matrix.index_bytes / entries * balance.beta;
  balance.padding = (matrix.value_bytes + matrix.index_bytes) / entries * (1 - balance.beta);
  balance.pointers = matrix.pointer_bytes / entries;
  balance.copied = matrix.copied_bytes / entries;
  balance.passed_on = matrix.passed_on_bytes / entries;
  balance.x = x_bytes(alpha, use);
  add_y(balance, static_cast<double>(rows) / entries, use);
  if (matrix.sums_into_y) {
    balance.y_read += x_bytes(alpha, use);
    balance.y_written += x_bytes(alpha, use);
  }
  return balance;
}

double least_alpha(std::int64_t columns_used, std::size_t entries) {
  assert(columns_used > 0 && entries > 0);
  return static_cast<double>(columns_used) / static_cast<double>(entries);
}

Result<double> alpha_from_traffic(double bytes, std::size_t entries, const CodeBalance& base,
                                  const VectorUse& use, bool sums_into_y) {
  if (entries == 0 || !(bytes > 0)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{:.6g} B for {} entries tell nothing of x", bytes, entries),
                "Give the memory traffic of one product of a matrix that has entries [byte].");
  }
  const double per_entry = bytes / static_cast<double>(entries);
  const double rest = base.bytes_per_entry() - base.x;
  if (per_entry < rest) {
    return fail(ErrorCode::bad_input,
                fmt::format("{:.6g} B of traffic are less than the {:.6g} B of matrix and y", bytes,
                            rest * static_cast<double>(entries)),
                "It has to be the traffic of one product between memory and the last cache; a "
                "matrix that stays in the caches has less and tells nothing of x.");
  }
  return (per_entry - rest) / (x_bytes(1, use) * (sums_into_y ? 3 : 1));
}

double most_bytes_per_flop(double bytes_per_second, double seconds, std::size_t entries,
                           std::int32_t right_hand_sides) {
  assert(entries > 0);
  return bytes_per_second * seconds / (2.0 * static_cast<double>(entries) * right_hand_sides);
}

}  // namespace ridge::spmv
