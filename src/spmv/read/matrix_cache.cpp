#include "spmv/read/matrix_cache.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

#include <fmt/format.h>

#include "platform/file.hpp"
#include "spmv/read/assemble.hpp"
#include "spmv/read/compressed_rows.hpp"

namespace ridge::spmv {
namespace {

constexpr std::string_view kMagic = "RIDGECSR";
constexpr std::uint32_t kVersion = 1;
constexpr std::uint64_t kAlign = 64;
constexpr std::uint64_t kMostTitle = 4096;

/// The first bytes of the file, little endian; then the title, the rows' begins, the columns and
/// the values, each from a multiple of 64 bytes on.
struct Header {
  std::array<char, 8> magic{};
  std::uint32_t version = kVersion;
  std::uint32_t index_bytes = 0;
  std::uint64_t rows = 0;
  std::uint64_t columns = 0;
  std::uint64_t entries = 0;
  std::uint64_t source_rows = 0;
  std::uint64_t source_columns = 0;
  std::uint64_t source_entries = 0;
  std::uint8_t source_format = 0;
  std::uint8_t field = 0;
  std::uint8_t symmetry = 0;
  std::uint8_t unused[5] = {};
  std::uint64_t duplicates = 0;
  std::uint64_t title_bytes = 0;
  std::uint64_t checksum = 0;  ///< of all bytes of the file, this number as 0
};
static_assert(sizeof(Header) == 96 && std::is_trivially_copyable_v<Header>);
static_assert(std::endian::native == std::endian::little);

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlign - 1) / kAlign * kAlign;
}

/// Where the parts lie. All sizes were held against the size of the file, or come from memory.
struct Places {
  explicit Places(const Header& header)
      : begins(aligned(sizeof(Header) + header.title_bytes)),
        columns(begins + aligned((header.rows + 1) * header.index_bytes)),
        values(columns + aligned(header.entries * header.index_bytes)),
        end(values + aligned(header.entries * sizeof(double))) {}

  std::uint64_t begins;
  std::uint64_t columns;
  std::uint64_t values;
  std::uint64_t end;
};

/// Eight sums side by side over words of 64 bit, so that the speed is that of memory.
class Checksum {
 public:
  /// `bytes` is filled up with zeros to a multiple of 64.
  void add(const char* data, std::uint64_t bytes) {
    for (; bytes >= kAlign; bytes -= kAlign, data += kAlign) {
      add_line(data);
    }
    if (bytes > 0) {
      std::array<char, kAlign> last{};
      std::memcpy(last.data(), data, bytes);
      add_line(last.data());
    }
  }

  [[nodiscard]] std::uint64_t value() const {
    std::uint64_t all = 0;
    for (const std::uint64_t lane : lanes_) {
      all = (std::rotl(all, 23) ^ lane) * kFactor;
    }
    return all ^ (all >> 32);
  }

 private:
  static constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;

  void add_line(const char* data) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) {
      std::uint64_t word = 0;
      std::memcpy(&word, data + 8 * i, sizeof word);
      lanes_[i] = std::rotl(lanes_[i] ^ word, 29) * kFactor;
    }
  }

  std::array<std::uint64_t, 8> lanes_ = {1, 2, 3, 4, 5, 6, 7, 8};
};

template <class Stored>
std::uint64_t checksum_of(const Header& header, std::string_view title,
                          std::span<const Stored> begins, std::span<const Stored> columns,
                          std::span<const double> values) {
  Header plain = header;
  plain.checksum = 0;
  std::string head(reinterpret_cast<const char*>(&plain), sizeof plain);
  head += title;
  Checksum sum;
  sum.add(head.data(), head.size());
  sum.add(reinterpret_cast<const char*>(begins.data()), begins.size_bytes());
  sum.add(reinterpret_cast<const char*>(columns.data()), columns.size_bytes());
  sum.add(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  return sum.value();
}

struct Head {
  Header header;
  DeclaredMatrix declared;
};

Result<void> check_header(const InputFile& file, const Header& header) {
  const auto bad = [&](std::string_view reason) {
    return file.bad(reason, "Make the cache again from the matrix it was made of.");
  };
  if (header.version != kVersion) {
    return bad(fmt::format("a cache of version {}, this is for {}", header.version, kVersion));
  }
  if ((header.index_bytes != 4 && header.index_bytes != 8) || header.source_format > 5 ||
      header.field > 3 || header.symmetry > 3 || header.title_bytes > kMostTitle) {
    return bad("the cache is damaged");
  }
  // No product below overflows.
  if (header.rows > file.size() || header.entries > file.size() ||
      Places(header).end != file.size()) {
    return bad(fmt::format("{} byte are not the size of a cache of {} rows and {} entries",
                           file.size(), header.rows, header.entries));
  }
  DeclaredMatrix size;
  size.rows = header.rows;
  size.columns = header.columns;
  const std::string reason = implausible_size(size, file.size());
  return reason.empty() ? Result<void>() : bad(reason);
}

Result<Head> read_head(const InputFile& file, bool gzip) {
  if (gzip) {
    return file.bad("a compressed cache", "Unpack it first: gunzip FILE.");
  }
  Head head;
  if (auto got = file.read(0, reinterpret_cast<char*>(&head.header), sizeof head.header); !got) {
    return tl::make_unexpected(got.error());
  }
  const Header& header = head.header;
  if (auto checked = check_header(file, header); !checked) {
    return tl::make_unexpected(checked.error());
  }
  DeclaredMatrix& declared = head.declared;
  declared.format = MatrixFormat::cache;
  declared.field = static_cast<MatrixField>(header.field);
  declared.symmetry = static_cast<MatrixSymmetry>(header.symmetry);
  declared.rows = header.source_rows;
  declared.columns = header.source_columns;
  declared.entries = header.source_entries;
  declared.title.resize(header.title_bytes);
  if (auto got = file.read(sizeof header, declared.title.data(), header.title_bytes); !got) {
    return tl::make_unexpected(got.error());
  }
  const std::uint64_t form = declared.real_form();
  if (header.rows / form != header.source_rows || header.rows % form != 0 ||
      header.columns / form != header.source_columns || header.columns % form != 0 ||
      header.entries > declared.most_entries()) {
    return file.bad("the sizes in the cache contradict each other");
  }
  return head;
}

template <class To, class From>
Result<Array<To>> narrowed(const InputFile& file, Array<From> numbers) {
  if constexpr (std::is_same_v<To, From>) {
    return numbers;
  } else {
    Array<To> result(numbers.size());
    for (std::size_t k = 0; k < numbers.size(); ++k) {
      result[k] = static_cast<To>(numbers[k]);
      if (result[k] != numbers[k]) {
        return file.bad("its indices are more than 32 bit count", "Use indices of 64 bit.");
      }
    }
    return result;
  }
}

template <class Stored, class Index>
Result<MatrixFile<Index>> read_stored(const InputFile& file, const Head& head, int threads) {
  const Header& header = head.header;
  const Places places(header);
  if (auto checked = check_memory(places.end, "the matrix"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  Array<Stored> begins(header.rows + 1);
  Array<Stored> columns(header.entries);
  CsrMatrix<double, Index> matrix;
  matrix.value = Array<double>(header.entries);
  const auto read = [&](std::uint64_t at, auto& to) {
    return file.read(at, reinterpret_cast<char*>(to.data()), to.span().size_bytes());
  };
  for (Result<void> got : {read(places.begins, begins), read(places.columns, columns),
                           read(places.values, matrix.value)}) {
    if (!got) {
      return tl::make_unexpected(got.error());
    }
  }
  if (checksum_of<Stored>(header, head.declared.title, begins.span(), columns.span(),
                          matrix.value.span()) != header.checksum) {
    return file.bad("the checksum is wrong", "Make the cache again from its matrix.");
  }
  const std::string reason = explain_compressed(begins, columns, header.columns);
  if (!reason.empty()) {
    return file.bad(reason);
  }
  auto row_begin = narrowed<Index>(file, std::move(begins));
  auto column = narrowed<Index>(file, std::move(columns));
  if (!row_begin || !column) {
    return tl::make_unexpected((row_begin ? column : row_begin).error());
  }
  matrix.rows = static_cast<Index>(header.rows);
  matrix.columns = static_cast<Index>(header.columns);
  matrix.row_begin = std::move(*row_begin);
  matrix.column = std::move(*column);
  return tidied(std::move(matrix), head.declared, file.size(), threads, header.duplicates);
}

template <class T>
void put(platform::FileSink& out, std::span<const T> part) {
  constexpr std::array<char, kAlign> kZeros{};
  const std::uint64_t bytes = part.size_bytes();
  out.put({reinterpret_cast<const char*>(part.data()), bytes});
  out.put({kZeros.data(), aligned(bytes) - bytes});
}

template <class Index>
Header header_of(const MatrixFile<Index>& matrix) {
  Header header;
  std::copy(kMagic.begin(), kMagic.end(), header.magic.begin());
  header.index_bytes = sizeof(Index);
  header.rows = static_cast<std::uint64_t>(matrix.matrix.rows);
  header.columns = static_cast<std::uint64_t>(matrix.matrix.columns);
  header.entries = matrix.matrix.entries();
  const DeclaredMatrix& declared = matrix.facts.declared;
  header.source_rows = declared.rows;
  header.source_columns = declared.columns;
  header.source_entries = declared.entries;
  header.source_format = static_cast<std::uint8_t>(declared.format);
  header.field = static_cast<std::uint8_t>(declared.field);
  header.symmetry = static_cast<std::uint8_t>(declared.symmetry);
  header.duplicates = matrix.facts.duplicates;
  return header;
}

}  // namespace

bool is_matrix_cache(std::string_view head) {
  return head.substr(0, kMagic.size()) == kMagic;
}

Result<DeclaredMatrix> peek_matrix_cache(const InputFile& file, bool gzip) {
  return read_head(file, gzip).map([](Head head) { return std::move(head.declared); });
}

template <class Index>
Result<MatrixFile<Index>> read_matrix_cache(const InputFile& file, bool gzip, int threads) {
  const auto head = read_head(file, gzip);
  if (!head) {
    return tl::make_unexpected(head.error());
  }
  return head->header.index_bytes == 4 ? read_stored<std::int32_t, Index>(file, *head, threads)
                                       : read_stored<std::int64_t, Index>(file, *head, threads);
}

template <class Index>
Result<void> write_matrix_cache(const MatrixFile<Index>& matrix,
                                const std::filesystem::path& file) {
  Header header = header_of(matrix);
  const std::string title = matrix.facts.declared.title.substr(0, kMostTitle);
  header.title_bytes = title.size();
  const std::span<const Index> begins = matrix.matrix.row_begin.span();
  const std::span<const Index> columns = matrix.matrix.column.span();
  const std::span<const double> values = matrix.matrix.value.span();
  header.checksum = checksum_of<Index>(header, title, begins, columns, values);
  std::string head(reinterpret_cast<const char*>(&header), sizeof header);
  head += title;
  const std::error_code error = platform::replace_file(file, [&](platform::FileSink& out) {
    put(out, std::span<const char>(head));
    put(out, begins);
    put(out, columns);
    put(out, values);
  });
  if (error) {
    return fail(ErrorCode::write_failed, fmt::format("{}: {}", file.string(), error.message()),
                "Name a file in a folder with room that you can write to.");
  }
  return {};
}

template Result<MatrixFile<std::int32_t>> read_matrix_cache(const InputFile&, bool, int);
template Result<MatrixFile<std::int64_t>> read_matrix_cache(const InputFile&, bool, int);
template Result<void> write_matrix_cache(const MatrixFile<std::int32_t>&,
                                         const std::filesystem::path&);
template Result<void> write_matrix_cache(const MatrixFile<std::int64_t>&,
                                         const std::filesystem::path&);

}  // namespace ridge::spmv
