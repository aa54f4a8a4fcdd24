#include "spmv/read/npz.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "spmv/read/assemble.hpp"
#include "spmv/read/compressed_rows.hpp"
#include "spmv/read/zip_archive.hpp"

namespace ridge::spmv {
namespace {

/// A type of numpy's; exactly one of `whole` and `real` reads it, complex ones part by part.
struct ElementType {
  std::string_view name;
  std::size_t bytes;  ///< of a part
  std::size_t parts;
  std::int64_t (*whole)(const char*);
  double (*real)(const char*);
};

template <class Number>
std::int64_t whole(const char* bytes) {
  return static_cast<std::int64_t>(number_from<Number>(bytes, std::endian::little));
}
template <class Number>
double real(const char* bytes) {
  return static_cast<double>(number_from<Number>(bytes, std::endian::little));
}

constexpr std::array kTypes = {
    ElementType{"<i4", 4, 1, whole<std::int32_t>, nullptr},
    ElementType{"<i8", 8, 1, whole<std::int64_t>, nullptr},
    ElementType{"<f8", 8, 1, nullptr, real<double>},
    ElementType{"<f4", 4, 1, nullptr, real<float>},
    ElementType{"<c16", 8, 2, nullptr, real<double>},
    ElementType{"<c8", 4, 2, nullptr, real<float>},
    ElementType{"|b1", 1, 1, whole<std::uint8_t>, nullptr},
    ElementType{"|i1", 1, 1, whole<std::int8_t>, nullptr},
    ElementType{"|u1", 1, 1, whole<std::uint8_t>, nullptr},
    ElementType{"<i2", 2, 1, whole<std::int16_t>, nullptr},
    ElementType{"<u2", 2, 1, whole<std::uint16_t>, nullptr},
    ElementType{"<u4", 4, 1, whole<std::uint32_t>, nullptr},
};

/// One array of the archive, behind its header.
struct NpyArray {
  std::unique_ptr<ZipStream> stream;
  NpyHeader header;
};

/// Reads up to where the numbers begin. `member` has to outlive the result.
Result<NpyArray> open_array(const InputFile& file, const std::vector<ZipMember>& members,
                            std::string_view name) {
  const auto member = std::ranges::find(members, name, &ZipMember::name);
  if (member == members.end()) {
    return file.bad(fmt::format("there is no {} in the archive", name),
                    "Save the matrix with scipy.sparse.save_npz.");
  }
  NpyArray array{std::make_unique<ZipStream>(file, *member), {}};
  std::array<char, 12> head{};
  if (auto got = array.stream->read(head.data(), 10); !got) {
    return tl::make_unexpected(got.error());
  }
  constexpr std::string_view kMagic = "\x93NUMPY";
  if (std::string_view(head.data(), kMagic.size()) != kMagic || head[6] < 1 || head[6] > 3) {
    return array.stream->bad("no .npy file of version 1 to 3");
  }
  std::size_t size = number_from<std::uint16_t>(head.data() + 8, std::endian::little);
  if (head[6] > 1) {
    if (auto got = array.stream->read(head.data() + 10, 2); !got) {
      return tl::make_unexpected(got.error());
    }
    size = number_from<std::uint32_t>(head.data() + 8, std::endian::little);
  }
  constexpr std::size_t kMostHeader = 65536;
  std::string text(std::min(size, kMostHeader), '\0');
  if (auto got = array.stream->read(text.data(), text.size()); !got) {
    return tl::make_unexpected(got.error());
  }
  const auto header = parse_npy_header(text);
  if (!header || size > kMostHeader) {
    return array.stream->bad(header ? "its header is too long" : header.error().message);
  }
  array.header = *header;
  return array;
}

Result<const ElementType*> type_of(const NpyArray& array, bool whole_numbers) {
  for (const ElementType& type : kTypes) {
    if (type.name == array.header.type && (!whole_numbers || type.whole != nullptr)) {
      return &type;
    }
  }
  return array.stream->bad(
      fmt::format("numbers of type '{}' are not read", shown_text(array.header.type)));
}

/// Calls take(k, bytes) for each part of `count` elements; false stops.
template <class Take>
Result<void> each_part(NpyArray& array, std::uint64_t count, const ElementType& type,
                       const Take& take) {
  constexpr std::uint64_t kAtOnce = 32768;
  std::vector<char> room(kAtOnce * type.bytes);
  const std::uint64_t all = count * type.parts;
  for (std::uint64_t begin = 0; begin < all; begin += kAtOnce) {
    const std::uint64_t size = std::min(kAtOnce, all - begin);
    if (auto got = array.stream->read(room.data(), size * type.bytes); !got) {
      return got;
    }
    for (std::uint64_t k = 0; k < size; ++k) {
      if (!take(begin + k, room.data() + k * type.bytes)) {
        return array.stream->bad(
            fmt::format("element {}, counted from 0, is out of range", begin + k));
      }
    }
  }
  return array.stream->finish();
}

/// `count` whole numbers, each at least 0 and at most `most`.
template <class Index>
Result<Array<Index>> read_whole(const InputFile& file, const std::vector<ZipMember>& members,
                                std::string_view name, std::uint64_t count, std::uint64_t most) {
  auto array = open_array(file, members, name);
  if (!array) {
    return tl::make_unexpected(array.error());
  }
  const auto type = type_of(*array, true);
  if (!type) {
    return tl::make_unexpected(type.error());
  }
  if (array->header.count() != count) {
    return array->stream->bad(fmt::format("{} elements, not {}", array->header.count(), count));
  }
  Array<Index> numbers(count);
  auto done = each_part(*array, count, **type, [&](std::uint64_t k, const char* bytes) {
    const std::int64_t number = (*type)->whole(bytes);
    numbers[k] = static_cast<Index>(number);
    return number >= 0 && static_cast<std::uint64_t>(number) <= most;
  });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  return numbers;
}

struct Layout {
  DeclaredMatrix declared;
  std::vector<ZipMember> members;
  std::string format;
};

/// "csr", as bytes or as text of numpy.
Result<std::string> read_format(const InputFile& file, const std::vector<ZipMember>& members) {
  auto array = open_array(file, members, "format.npy");
  if (!array) {
    return tl::make_unexpected(array.error());
  }
  const std::string& type = array->header.type;
  const bool wide = type.substr(0, 2) == "<U";
  if (!(wide || type.substr(0, 2) == "|S") || type.size() != 3 || type[2] < '1' || type[2] > '9' ||
      !array->header.shape.empty()) {
    return array->stream->bad("no name of a format");
  }
  std::string text(static_cast<std::size_t>(type[2] - '0') * (wide ? 4 : 1), '\0');
  if (auto got = array->stream->read(text.data(), text.size()); !got) {
    return tl::make_unexpected(got.error());
  }
  if (auto done = array->stream->finish(); !done) {
    return tl::make_unexpected(done.error());
  }
  std::erase(text, '\0');
  if (text != "csr" && text != "csc" && text != "coo") {
    return file.bad(fmt::format("a matrix in the format '{}'", shown_text(text)),
                    "Save A.tocsr() instead.");
  }
  return text;
}

/// Type and number of the values.
Result<void> read_data_header(const InputFile& file, Layout& layout) {
  const auto data = open_array(file, layout.members, "data.npy");
  if (!data) {
    return tl::make_unexpected(data.error());
  }
  const auto type = type_of(*data, false);
  if (!type) {
    return tl::make_unexpected(type.error());
  }
  layout.declared.entries = data->header.count();
  layout.declared.field = (*type)->parts == 2         ? MatrixField::complex
                          : (*type)->whole != nullptr ? MatrixField::integer
                                                      : MatrixField::real;
  const auto member = std::ranges::find(layout.members, "data.npy", &ZipMember::name);
  const std::uint64_t bytes = (*type)->bytes * (*type)->parts;
  if (data->header.shape.size() != 1 || layout.declared.entries > member->bytes / bytes) {
    return data->stream->bad(
        fmt::format("{} elements in {} byte", layout.declared.entries, member->bytes));
  }
  return {};
}

Result<Layout> read_layout(const InputFile& file, bool gzip) {
  if (gzip) {
    return file.bad("a compressed .npz", "Unpack it first: gunzip FILE.");
  }
  auto members = read_zip_directory(file);
  if (!members) {
    return tl::make_unexpected(members.error());
  }
  Layout layout;
  layout.members = std::move(*members);
  auto format = read_format(file, layout.members);
  if (!format) {
    return tl::make_unexpected(format.error());
  }
  layout.format = std::move(*format);
  const auto shape = read_whole<std::int64_t>(file, layout.members, "shape.npy", 2,
                                              std::numeric_limits<std::int64_t>::max());
  if (!shape) {
    return tl::make_unexpected(shape.error());
  }
  layout.declared.format = MatrixFormat::npz;
  layout.declared.rows = static_cast<std::uint64_t>((*shape)[0]);
  layout.declared.columns = static_cast<std::uint64_t>((*shape)[1]);
  if (auto read = read_data_header(file, layout); !read) {
    return tl::make_unexpected(read.error());
  }
  std::uint64_t bytes = 0;
  for (const ZipMember& member : layout.members) {
    bytes += member.bytes;
  }
  const std::string reason = implausible_size(layout.declared, bytes);
  if (!reason.empty()) {
    return file.bad(reason);
  }
  if (auto checked = check_memory(bytes, "the matrix"); !checked) {
    return tl::make_unexpected(checked.error());
  }
  return layout;
}

/// All values; of complex ones the parts in turn.
Result<Array<double>> read_values(const InputFile& file, const Layout& layout) {
  auto data = open_array(file, layout.members, "data.npy");
  if (!data) {
    return tl::make_unexpected(data.error());
  }
  const auto type = type_of(*data, false);
  if (!type) {
    return tl::make_unexpected(type.error());
  }
  Array<double> values(layout.declared.entries * (*type)->parts);
  auto done =
      each_part(*data, layout.declared.entries, **type, [&](std::uint64_t k, const char* bytes) {
        values[k] = (*type)->real != nullptr ? (*type)->real(bytes)
                                             : static_cast<double>((*type)->whole(bytes));
        return true;
      });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  return values;
}

/// Places of all entries, as the file has them.
template <class Index>
struct Places {
  Array<Index> begin;  ///< of rows or columns; empty for coordinates
  Array<Index> major;  ///< of coordinates: the row
  Array<Index> minor;
};

template <class Index>
Result<Places<Index>> read_places(const InputFile& file, const Layout& layout) {
  const DeclaredMatrix& declared = layout.declared;
  Places<Index> places;
  const bool by_columns = layout.format == "csc";
  const std::uint64_t major = by_columns ? declared.columns : declared.rows;
  const std::uint64_t minor = by_columns ? declared.rows : declared.columns;
  const bool coordinates = layout.format == "coo";
  if (declared.entries > 0 && (major == 0 || minor == 0)) {
    return file.bad("entries in a matrix without rows or columns");
  }
  const auto read = [&](const char* name, std::uint64_t count, std::uint64_t most,
                        Array<Index>& to) {
    return read_whole<Index>(file, layout.members, name, count, most)
        .map([&](Array<Index> numbers) { to = std::move(numbers); });
  };
  auto first = coordinates ? read("row.npy", declared.entries, major - 1, places.major)
                           : read("indptr.npy", major + 1, declared.entries, places.begin);
  if (!first) {
    return tl::make_unexpected(first.error());
  }
  auto second =
      read(coordinates ? "col.npy" : "indices.npy", declared.entries, minor - 1, places.minor);
  if (!second) {
    return tl::make_unexpected(second.error());
  }
  if (!coordinates) {
    const std::string reason = explain_compressed(places.begin, places.minor, minor);
    if (!reason.empty()) {
      return file.bad(fmt::format("indptr.npy: {}", reason));
    }
  }
  return places;
}

/// Calls put(row, column, k) for each entry.
template <class Index, class Put>
void each_place(const Layout& layout, const Places<Index>& places, const Put& put) {
  const bool by_columns = layout.format == "csc";
  Index major = 0;
  for (std::size_t k = 0; k < places.minor.size(); ++k) {
    if (layout.format == "coo") {
      put(places.major[k], places.minor[k], k);
      continue;
    }
    while (static_cast<std::size_t>(places.begin.data()[major + 1]) <= k) {
      ++major;
    }
    by_columns ? put(places.minor[k], major, k) : put(major, places.minor[k], k);
  }
}

}  // namespace

bool is_npz(std::string_view head) {
  return head.substr(0, 4) == "PK\x03\x04";
}

Result<DeclaredMatrix> peek_npz(const InputFile& file, bool gzip) {
  return read_layout(file, gzip).map([](Layout layout) { return std::move(layout.declared); });
}

template <class Index>
Result<MatrixFile<Index>> read_npz(const InputFile& file, bool gzip, int threads) {
  const auto layout = read_layout(file, gzip);
  if (!layout) {
    return tl::make_unexpected(layout.error());
  }
  auto places = read_places<Index>(file, *layout);
  if (!places) {
    return tl::make_unexpected(places.error());
  }
  auto values = read_values(file, *layout);
  if (!values) {
    return tl::make_unexpected(values.error());
  }
  const DeclaredMatrix& declared = layout->declared;
  if (declared.field == MatrixField::complex) {
    EntryStore<ComplexEntry<Index>> store;
    each_place(*layout, *places, [&](Index row, Index column, std::size_t k) {
      store.add({row, column, (*values)[2 * k], (*values)[2 * k + 1]});
    });
    return assemble<Index>(store.take(), declared, file.size(), threads);
  }
  if (layout->format == "csr") {
    CsrMatrix<double, Index> matrix;
    matrix.rows = static_cast<Index>(declared.rows);
    matrix.columns = static_cast<Index>(declared.columns);
    matrix.row_begin = std::move(places->begin);
    matrix.column = std::move(places->minor);
    matrix.value = std::move(*values);
    return tidied(std::move(matrix), declared, file.size(), threads);
  }
  EntryStore<RealEntry<Index>> store;
  each_place(*layout, *places, [&](Index row, Index column, std::size_t k) {
    store.add({row, column, (*values)[k]});
  });
  return assemble<Index>(store.take(), declared, file.size(), threads);
}

template Result<MatrixFile<std::int32_t>> read_npz(const InputFile&, bool, int);
template Result<MatrixFile<std::int64_t>> read_npz(const InputFile&, bool, int);

}  // namespace ridge::spmv
