#include "spmv/read/matrix_file.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include <fmt/format.h>

#include "spmv/read/assemble.hpp"
#include "spmv/read/harwell_boeing.hpp"
#include "spmv/read/input_file.hpp"
#include "spmv/read/line_blocks.hpp"
#include "spmv/read/matrix_cache.hpp"
#include "spmv/read/matrix_market.hpp"
#include "spmv/read/npz.hpp"
#include "spmv/read/petsc_matrix.hpp"

namespace ridge::spmv {
namespace {

/// The first bytes of a file, after gunzip where it is compressed.
constexpr std::size_t kHead = 512;

struct Reader {
  bool (*recognises)(std::string_view head);
  Result<DeclaredMatrix> (*peek)(const InputFile&, bool gzip);
  Result<MatrixFile<std::int32_t>> (*read32)(const InputFile&, bool gzip, int threads);
  Result<MatrixFile<std::int64_t>> (*read64)(const InputFile&, bool gzip, int threads);
};

bool is_matrix_market(std::string_view head) {
  constexpr std::string_view kBanner = "%%matrixmarket";
  return head.size() >= kBanner.size() &&
         std::equal(kBanner.begin(), kBanner.end(), head.begin(),
                    [](char a, char b) { return a == b || a == (b | 0x20); });
}

// In the order in which they are asked.
constexpr std::array kReaders = {
    Reader{is_matrix_market, peek_matrix_market, read_matrix_market<std::int32_t>,
           read_matrix_market<std::int64_t>},
    Reader{is_matrix_cache, peek_matrix_cache, read_matrix_cache<std::int32_t>,
           read_matrix_cache<std::int64_t>},
    Reader{is_petsc, peek_petsc, read_petsc<std::int32_t>, read_petsc<std::int64_t>},
    Reader{is_npz, peek_npz, read_npz<std::int32_t>, read_npz<std::int64_t>},
    Reader{is_harwell_boeing, peek_harwell_boeing, read_harwell_boeing<std::int32_t>,
           read_harwell_boeing<std::int64_t>},
};

struct Opened {
  InputFile file;
  bool gzip;
  const Reader* reader;
};

/// What the beginning of a file that no reader takes looks like.
std::string guess(std::string_view head) {
  const auto begins = [&](std::string_view magic) { return head.substr(0, magic.size()) == magic; };
  if (begins("\xEF\xBB\xBF")) {
    return "it begins with a byte order mark; save it without one";
  }
  if (head.size() > 262 && head.substr(257, 5) == "ustar") {
    return "it is an archive; unpack it with tar and name the matrix in it";
  }
  if (begins("\x89HDF")) {
    return "it is an HDF5 file, as MATLAB writes; save the matrix as Matrix Market instead";
  }
  if (begins("MATLAB")) {
    return "it is a MATLAB file; save the matrix as Matrix Market instead";
  }
  if (begins("%")) {
    return fmt::format(
        "its first line is '{}', not the banner '%%MatrixMarket matrix coordinate "
        "real general' or alike",
        shown_text(head.substr(0, head.find('\n'))));
  }
  return "it begins as none of the formats";
}

Result<Opened> open_matrix(const std::filesystem::path& path) {
  auto file = InputFile::open(path);
  if (!file) {
    return tl::make_unexpected(file.error());
  }
  std::array<char, kHead> room{};
  const auto raw = file->read_some(0, room.data(), room.size());
  if (!raw) {
    return tl::make_unexpected(raw.error());
  }
  const bool gzip = *raw >= 2 && room[0] == '\x1f' && room[1] == '\x8b';
  std::size_t size = *raw;
  if (gzip) {
    const Fetch fetch = fetch_gunzipped(*file, 0);
    size = 0;
    while (size < room.size()) {
      const auto got = fetch(room.data() + size, room.size() - size);
      if (!got) {
        return tl::make_unexpected(got.error());
      }
      if (*got == 0) {
        break;
      }
      size += *got;
    }
  }
  const std::string_view head(room.data(), size);
  for (const Reader& reader : kReaders) {
    if (reader.recognises(head)) {
      return Opened{std::move(*file), gzip, &reader};
    }
  }
  const std::string formats =
      "Readable are Matrix Market, Harwell-Boeing, Rutherford-Boeing, PETSc binary, .npz of scipy "
      "and Ridge's own cache.";
  return file->bad_line(1, fmt::format("no matrix that is known: {}", guess(head)), formats);
}

/// Memory that is not there is an error like any other.
template <class Work>
auto without_bad_alloc(const std::filesystem::path& path, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return fail(ErrorCode::unavailable, fmt::format("{}: not enough memory", path.string()),
                "Free memory, or use a machine with more of it.");
  }
}

Result<MatrixFile<std::int32_t>> read_with(const Opened& opened, int threads, std::int32_t) {
  return opened.reader->read32(opened.file, opened.gzip, threads);
}
Result<MatrixFile<std::int64_t>> read_with(const Opened& opened, int threads, std::int64_t) {
  return opened.reader->read64(opened.file, opened.gzip, threads);
}

}  // namespace

std::string_view name_of(MatrixFormat format) {
  using enum MatrixFormat;
  switch (format) {
    case matrix_market:
      return "Matrix Market";
    case harwell_boeing:
      return "Harwell-Boeing";
    case rutherford_boeing:
      return "Rutherford-Boeing";
    case petsc:
      return "PETSc binary";
    case npz:
      return "npz";
    case cache:
      return "Ridge cache";
  }
  return "?";
}

std::string_view name_of(MatrixField field) {
  using enum MatrixField;
  switch (field) {
    case real:
      return "real";
    case integer:
      return "integer";
    case complex:
      return "complex";
    case pattern:
      return "pattern";
  }
  return "?";
}

std::string_view name_of(MatrixSymmetry symmetry) {
  using enum MatrixSymmetry;
  switch (symmetry) {
    case general:
      return "general";
    case symmetric:
      return "symmetric";
    case skew_symmetric:
      return "skew-symmetric";
    case hermitian:
      return "hermitian";
  }
  return "?";
}

std::uint64_t DeclaredMatrix::most_entries() const {
  const std::uint64_t factor =
      real_form() * real_form() * (symmetry == MatrixSymmetry::general ? 1 : 2);
  std::uint64_t most = 0;
  return __builtin_mul_overflow(entries, factor, &most) ? ~std::uint64_t{0} : most;
}

bool DeclaredMatrix::fits_32_bit() const {
  constexpr std::uint64_t kMost = 0x7FFFFFFF;
  return rows < kMost / real_form() && columns < kMost / real_form() && most_entries() <= kMost;
}

Result<DeclaredMatrix> peek_matrix(const std::filesystem::path& file) {
  return without_bad_alloc(file, [&]() -> Result<DeclaredMatrix> {
    const auto opened = open_matrix(file);
    if (!opened) {
      return tl::make_unexpected(opened.error());
    }
    return opened->reader->peek(opened->file, opened->gzip);
  });
}

template <class Index>
Result<MatrixFile<Index>> read_matrix(const std::filesystem::path& file, int threads) {
  return without_bad_alloc(file, [&]() -> Result<MatrixFile<Index>> {
    const auto opened = open_matrix(file);
    if (!opened) {
      return tl::make_unexpected(opened.error());
    }
    const auto declared = opened->reader->peek(opened->file, opened->gzip);
    if (!declared) {
      return tl::make_unexpected(declared.error());
    }
    if (auto checked = check_index<Index>(*declared, file.string()); !checked) {
      return tl::make_unexpected(checked.error());
    }
    return read_with(*opened, threads, Index{});
  });
}

template Result<MatrixFile<std::int32_t>> read_matrix(const std::filesystem::path&, int);
template Result<MatrixFile<std::int64_t>> read_matrix(const std::filesystem::path&, int);

}  // namespace ridge::spmv
