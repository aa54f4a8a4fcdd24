// From what files hold to compressed rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "spmv/matrix/csr.hpp"
#include "spmv/read/entry_store.hpp"
#include "spmv/read/matrix_file.hpp"

namespace ridge::spmv {

template <class Entry>
using EntryBlocks = std::vector<Array<Entry>>;

/// Sorts the entries into rows by counting, adds the other triangle of a symmetric matrix (entries
/// of one triangle are given) and makes a complex one real. `Entry` is RealEntry or ComplexEntry;
/// all entries lie within rows x columns of `declared`. Entries of one place are added in their
/// order, whatever the number of threads. Errors: more rows or entries than the index counts, more
/// memory than there is.
template <class Index, class Entry>
[[nodiscard]] Result<MatrixFile<Index>> assemble(EntryBlocks<Entry> blocks,
                                                 const DeclaredMatrix& declared,
                                                 std::uint64_t file_bytes, int threads);

/// Sorts each row, adds up entries of one place, and counts what MatrixFileFacts counts. The rows
/// of `matrix` are valid but for their order; `known_duplicates` were added up before.
template <class Index>
[[nodiscard]] MatrixFile<Index> tidied(CsrMatrix<double, Index> matrix,
                                       const DeclaredMatrix& declared, std::uint64_t file_bytes,
                                       int threads, std::uint64_t known_duplicates = 0);

/// Whether rows, columns and entries of the declared matrix can be counted by `Index`.
template <class Index>
[[nodiscard]] Result<void> check_index(const DeclaredMatrix& declared, std::string_view name);

/// Refuses more rows or columns than 2^20 + 64 for each of `text_bytes`: a few bytes must not make
/// a reader allocate gigabytes. The text is the reason, empty if all is well.
[[nodiscard]] std::string implausible_size(const DeclaredMatrix& declared,
                                           std::uint64_t text_bytes);

}  // namespace ridge::spmv
