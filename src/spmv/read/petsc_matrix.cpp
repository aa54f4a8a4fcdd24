#include "spmv/read/petsc_matrix.hpp"

#include <array>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "spmv/read/assemble.hpp"
#include "spmv/read/compressed_rows.hpp"

namespace ridge::spmv {
namespace {

constexpr std::int64_t kMatrix = 1211216;  // MAT_FILE_CLASSID
constexpr auto kOrder = std::endian::big;

/// Everything that the first bytes and the size of the file say.
struct Layout {
  DeclaredMatrix declared;
  std::uint64_t width = 4;  ///< bytes of an integer
  std::uint64_t sizes_at = 0;
  std::uint64_t columns_at = 0;
  std::uint64_t values_at = 0;
  std::uint64_t trailing_bytes = 0;  ///< other objects behind the matrix
};

std::int64_t integer_from(const char* bytes, std::uint64_t width) {
  return width == 4 ? number_from<std::int32_t>(bytes, kOrder)
                    : number_from<std::int64_t>(bytes, kOrder);
}

/// Whether an object that PETSc writes begins here: a vector, matrix, index set ...
bool object_begins(const InputFile& file, std::uint64_t at, std::uint64_t width) {
  std::array<char, 8> bytes{};
  const auto got = file.read_some(at, bytes.data(), width);
  if (!got || *got != width) {
    return false;
  }
  const std::int64_t id = integer_from(bytes.data(), width);
  return id >= kMatrix - 16 && id <= kMatrix + 16;
}

Result<void> find_field(const InputFile& file, Layout& layout) {
  const std::uint64_t entries = layout.declared.entries;
  const std::uint64_t end = layout.values_at + 8 * entries;
  if (file.size() == end || (file.size() > end && object_begins(file, end, layout.width))) {
    layout.trailing_bytes = file.size() - end;
    return {};
  }
  const std::uint64_t complex_end = end + 8 * entries;
  if (file.size() == complex_end ||
      (file.size() > complex_end && object_begins(file, complex_end, layout.width))) {
    layout.declared.field = MatrixField::complex;
    layout.trailing_bytes = file.size() - complex_end;
    return {};
  }
  if (file.size() < end) {
    const bool single = file.size() == end - 4 * entries;
    return file.bad(fmt::format("{} byte, a matrix of {} rows and {} entries has {}", file.size(),
                                layout.declared.rows, entries, end),
                    single ? "It has the size of single precision, which is not read: write it "
                             "from a PETSc of double precision."
                           : "The file is truncated.");
  }
  return file.bad_byte(end, "neither the end nor another object of PETSc");
}

Result<Layout> read_layout(const InputFile& file, bool gzip) {
  if (gzip) {
    return file.bad("a compressed PETSc matrix", "Unpack it first: gunzip FILE.");
  }
  std::array<char, 32> head{};
  if (auto got = file.read_some(0, head.data(), head.size()); !got) {
    return tl::make_unexpected(got.error());
  }
  Layout layout;
  layout.width = integer_from(head.data(), 4) == kMatrix ? 4 : 8;
  const auto number = [&](std::uint64_t i) {
    return integer_from(head.data() + i * layout.width, layout.width);
  };
  layout.sizes_at = 4 * layout.width;
  if (file.size() < layout.sizes_at) {
    return file.bad_byte(file.size(), "the file ends within the sizes of the matrix");
  }
  if (number(3) == -1) {
    return file.bad_byte(3 * layout.width, "a dense matrix",
                         "Convert it with MatConvert to MATAIJ before writing it.");
  }
  for (std::uint64_t i = 1; i < 4; ++i) {
    if (number(i) < 0) {
      return file.bad_byte(i * layout.width, fmt::format("{} is no size of a matrix", number(i)));
    }
  }
  DeclaredMatrix& declared = layout.declared;
  declared.format = MatrixFormat::petsc;
  declared.rows = static_cast<std::uint64_t>(number(1));
  declared.columns = static_cast<std::uint64_t>(number(2));
  declared.entries = static_cast<std::uint64_t>(number(3));
  const std::string reason = implausible_size(declared, file.size());
  if (declared.rows > file.size() || declared.entries > file.size() || !reason.empty()) {
    return file.bad_byte(layout.width,
                         fmt::format("{} x {} with {} entries in a file of {} byte", declared.rows,
                                     declared.columns, declared.entries, file.size()));
  }
  layout.columns_at = layout.sizes_at + declared.rows * layout.width;
  layout.values_at = layout.columns_at + declared.entries * layout.width;
  if (auto found = find_field(file, layout); !found) {
    return tl::make_unexpected(found.error());
  }
  return layout;
}

/// Sizes of rows become where they begin.
template <class Stored, class Index>
Result<void> read_pattern(const InputFile& file, const Layout& layout,
                          CsrMatrix<double, Index>& matrix) {
  const auto entries = static_cast<std::int64_t>(layout.declared.entries);
  std::int64_t sum = 0;
  matrix.row_begin[0] = 0;
  const auto rows = each_number<Stored>(file, layout.sizes_at, layout.declared.rows, kOrder,
                                        [&](std::uint64_t k, Stored size) {
                                          if (size < 0 || size > entries - sum) {
                                            return false;
                                          }
                                          sum += size;
                                          matrix.row_begin[k + 1] = static_cast<Index>(sum);
                                          return true;
                                        });
  if (!rows) {
    return tl::make_unexpected(rows.error());
  }
  if (*rows != layout.declared.rows || sum != entries) {
    return file.bad_byte(layout.sizes_at + *rows * layout.width,
                         fmt::format("the sizes of the rows do not add up to the {} entries that "
                                     "are declared",
                                     entries));
  }
  const auto columns = static_cast<std::int64_t>(layout.declared.columns);
  const auto read = each_number<Stored>(file, layout.columns_at, layout.declared.entries, kOrder,
                                        [&](std::uint64_t k, Stored column) {
                                          matrix.column[k] = static_cast<Index>(column);
                                          return column >= 0 && column < columns;
                                        });
  if (!read) {
    return tl::make_unexpected(read.error());
  }
  if (*read != layout.declared.entries) {
    return file.bad_byte(
        layout.columns_at + *read * layout.width,
        fmt::format("entry {}, counted from 0, has a column outside 0 to {}", *read, columns - 1));
  }
  return {};
}

/// Of which size the blocks are, up to 8, if no entry lies below the diagonal of blocks but some
/// above it: as in the file of a symmetric format, MATSBAIJ, of which PETSc writes one triangle.
template <class Index>
std::optional<int> block_of_triangle(const CsrMatrix<double, Index>& matrix) {
  if (matrix.rows != matrix.columns) {
    return std::nullopt;
  }
  for (int block = 1; block <= 8; ++block) {
    bool below = false;
    bool above = false;
    for (Index i = 0; i < matrix.rows && !below; ++i) {
      const auto row = static_cast<std::size_t>(i);
      if (matrix.row_size(i) > 0) {
        const auto first = static_cast<std::size_t>(matrix.row_begin[row]);
        const auto last = static_cast<std::size_t>(matrix.row_begin[row + 1]) - 1;
        below = matrix.column[first] / block < i / block;
        above = above || matrix.column[last] / block > i / block;
      }
    }
    if (!below && above && matrix.rows % block == 0) {
      return block;
    }
  }
  return std::nullopt;
}

template <class Index>
Result<MatrixFile<Index>> finish(Result<MatrixFile<Index>> result, const Layout& layout) {
  if (!result) {
    return result;
  }
  std::vector<std::string>& notes = result->facts.notes;
  if (layout.trailing_bytes > 0) {
    notes.push_back(
        fmt::format("{} byte of other objects behind the matrix were left", layout.trailing_bytes));
  }
  if (const auto block = block_of_triangle(result->matrix)) {
    notes.push_back(fmt::format(
        "no entry is below the diagonal{}: if this was a symmetric matrix (MATSBAIJ), PETSc wrote "
        "one triangle of it; convert it with MatConvert to MATAIJ before writing it",
        *block == 1 ? "" : fmt::format(" of blocks of {0} x {0}", *block)));
  }
  return result;
}

template <class Index>
Result<MatrixFile<Index>> finish_complex(const InputFile& file, const Layout& layout,
                                         const CsrMatrix<double, Index>& pattern, int threads) {
  EntryStore<ComplexEntry<Index>> store;
  Index row = 0;
  double real = 0;
  const auto read = each_number<double>(
      file, layout.values_at, 2 * layout.declared.entries, kOrder,
      [&](std::uint64_t k, double value) {
        if (k % 2 == 0) {
          real = value;
          return true;
        }
        while (static_cast<std::uint64_t>(pattern.row_begin.data()[row + 1]) <= k / 2) {
          ++row;
        }
        store.add({row, pattern.column[k / 2], real, value});
        return true;
      });
  if (!read) {
    return tl::make_unexpected(read.error());
  }
  return assemble<Index>(store.take(), layout.declared, file.size(), threads);
}

}  // namespace

bool is_petsc(std::string_view head) {
  return (head.size() >= 4 && integer_from(head.data(), 4) == kMatrix) ||
         (head.size() >= 8 && integer_from(head.data(), 8) == kMatrix);
}

Result<DeclaredMatrix> peek_petsc(const InputFile& file, bool gzip) {
  return read_layout(file, gzip).map([](Layout layout) { return std::move(layout.declared); });
}

template <class Index>
Result<MatrixFile<Index>> read_petsc(const InputFile& file, bool gzip, int threads) {
  const auto layout = read_layout(file, gzip);
  if (!layout) {
    return tl::make_unexpected(layout.error());
  }
  const DeclaredMatrix& declared = layout->declared;
  if (auto checked = check_memory(
          (declared.rows + 1) * sizeof(Index) + declared.entries * (sizeof(Index) + sizeof(double)),
          "the matrix");
      !checked) {
    return tl::make_unexpected(checked.error());
  }
  CsrMatrix<double, Index> matrix;
  matrix.rows = static_cast<Index>(declared.rows);
  matrix.columns = static_cast<Index>(declared.columns);
  matrix.row_begin = Array<Index>(declared.rows + 1);
  matrix.column = Array<Index>(declared.entries);
  auto pattern = layout->width == 4 ? read_pattern<std::int32_t>(file, *layout, matrix)
                                    : read_pattern<std::int64_t>(file, *layout, matrix);
  if (!pattern) {
    return tl::make_unexpected(pattern.error());
  }
  if (declared.field == MatrixField::complex) {
    return finish(finish_complex(file, *layout, matrix, threads), *layout);
  }
  matrix.value = Array<double>(declared.entries);
  const auto read = each_number<double>(file, layout->values_at, declared.entries, kOrder,
                                        [&](std::uint64_t k, double value) {
                                          matrix.value[k] = value;
                                          return true;
                                        });
  if (!read) {
    return tl::make_unexpected(read.error());
  }
  return finish<Index>(tidied(std::move(matrix), declared, file.size(), threads), *layout);
}

template Result<MatrixFile<std::int32_t>> read_petsc(const InputFile&, bool, int);
template Result<MatrixFile<std::int64_t>> read_petsc(const InputFile&, bool, int);

}  // namespace ridge::spmv
