#include "spmv/read/harwell_boeing.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "spmv/read/assemble.hpp"
#include "spmv/read/fortran_format.hpp"
#include "spmv/read/line_blocks.hpp"

namespace ridge::spmv {
namespace {

/// Characters begin to begin + size - 1 of the line, as far as they are there.
std::string_view part(std::string_view line, std::size_t begin, std::size_t size) {
  return begin < line.size() ? line.substr(begin, size) : std::string_view();
}

/// Digits with blanks around them; at most 18.
std::optional<std::uint64_t> whole_number(std::string_view field) {
  field = without_blanks(field);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
  if (field.empty() || field.size() > 18 || error != std::errc() ||
      end != field.data() + field.size()) {
    return std::nullopt;
  }
  return number;
}

/// One line after the other.
class Lines {
 public:
  Lines(const InputFile& file, bool gzip) : file_(&file), blocks_(fetch_text(file, gzip, 0)) {}

  /// Without its '\n'. Error: there is no further one.
  Result<std::string_view> next() {
    if (rest_.empty()) {
      auto block = blocks_.next();
      if (!block) {
        return tl::make_unexpected(block.error());
      }
      if (blocks_.too_long()) {
        return file_->bad_line(number_ + 1, "the line is longer than 1 MiB");
      }
      if (block->empty()) {
        return file_->bad_line(number_, "the file ends here, more lines are due",
                               "The file is truncated.");
      }
      rest_ = *block;
    }
    ++number_;
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(line.size() + 1);
    return line;
  }

  [[nodiscard]] tl::unexpected<Error> bad(std::string_view reason) const {
    return file_->bad_line(number_, reason);
  }

 private:
  const InputFile* file_;
  LineBlocks blocks_;
  std::string_view rest_;
  std::uint64_t number_ = 0;
};

struct Header {
  DeclaredMatrix declared;
  std::array<FortranFormat, 3> formats{};  ///< of pointers, indices and values
  bool has_values = false;
  bool has_right_hand_sides = false;
};

struct Type {
  MatrixField field;
  MatrixSymmetry symmetry;
};

char upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

/// RUA, psa ...
Result<Type> parse_type(std::string_view text) {
  constexpr std::string_view kFields = "RICP";
  constexpr std::string_view kSymmetries = "USZHR";
  const std::size_t field =
      text.size() == 3 ? kFields.find(upper(text[0])) : std::string_view::npos;
  const std::size_t symmetry =
      text.size() == 3 ? kSymmetries.find(upper(text[1])) : std::string_view::npos;
  const char form = text.size() == 3 ? upper(text[2]) : '?';
  if (text.size() == 3 && upper(text[0]) == 'Q') {
    return fail(ErrorCode::bad_input, "its values lie in another file (type Q)");
  }
  if (form == 'E') {
    return fail(ErrorCode::bad_input, "a matrix of elements that is not assembled (type E)");
  }
  if (field == std::string_view::npos || symmetry == std::string_view::npos || form != 'A') {
    return fail(ErrorCode::bad_input,
                fmt::format("'{}' is no type of a matrix, such as RUA or PSA", shown_text(text)));
  }
  using enum MatrixSymmetry;
  constexpr std::array kField = {MatrixField::real, MatrixField::integer, MatrixField::complex,
                                 MatrixField::pattern};
  constexpr std::array kSymmetry = {general, symmetric, skew_symmetric, hermitian, general};
  if (kSymmetry[symmetry] == hermitian && kField[field] != MatrixField::complex) {
    return fail(ErrorCode::bad_input, "only a complex matrix is hermitian");
  }
  return Type{kField[field], kSymmetry[symmetry]};
}

/// The second line: how many lines there are of all, pointers, indices, values, right-hand sides.
Result<std::array<std::uint64_t, 5>> parse_counts(const Lines& lines, std::string_view line) {
  std::array<std::uint64_t, 5> counts{};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::string_view field = part(line, 14 * i, 14);
    const auto number = whole_number(field);
    if (!number && (i < 4 || !without_blanks(field).empty())) {
      return lines.bad(
          fmt::format("'{}' is no number of lines", shown_text(without_blanks(field))));
    }
    counts[i] = number.value_or(0);
  }
  return counts;
}

Result<void> parse_sizes(const Lines& lines, std::string_view line, Header& header) {
  const std::string_view letters = part(line, 0, 3);
  const auto type = parse_type(letters);
  if (!type) {
    return lines.bad(type.error().message);
  }
  DeclaredMatrix& declared = header.declared;
  declared.field = type->field;
  declared.symmetry = type->symmetry;
  if (letters[0] >= 'a') {
    declared.format = MatrixFormat::rutherford_boeing;
  }
  std::array<std::uint64_t, 3> sizes{};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string_view field = part(line, 14 * (i + 1), 14);
    const auto number = whole_number(field);
    if (!number) {
      return lines.bad(
          fmt::format("'{}' is no size of a matrix", shown_text(without_blanks(field))));
    }
    sizes[i] = *number;
  }
  declared.rows = sizes[0];
  declared.columns = sizes[1];
  declared.entries = sizes[2];
  if (declared.symmetry != MatrixSymmetry::general && declared.rows != declared.columns) {
    return lines.bad(fmt::format("{} x {} is not square, which a {} matrix is", declared.rows,
                                 declared.columns, name_of(declared.symmetry)));
  }
  return {};
}

/// The fourth line, and whether the counts of lines are those that the formats give.
Result<void> parse_formats(const Lines& lines, std::string_view line,
                           const std::array<std::uint64_t, 5>& counts, Header& header) {
  constexpr std::array<std::size_t, 3> kBegin = {0, 16, 32};
  constexpr std::array<std::size_t, 3> kSize = {16, 16, 20};
  const DeclaredMatrix& declared = header.declared;
  header.has_values = declared.field != MatrixField::pattern;
  const std::array<std::uint64_t, 3> numbers = {declared.columns + 1, declared.entries,
                                                declared.entries * declared.real_form()};
  for (std::size_t i = 0; i < (header.has_values ? 3 : 2); ++i) {
    auto format = parse_fortran_format(part(line, kBegin[i], kSize[i]));
    if (!format) {
      return lines.bad(format.error().message);
    }
    if (i < 2 && format->letter != 'I') {
      return lines.bad("pointers and indices are integers (I)");
    }
    const std::uint64_t due = (numbers[i] + format->repeat - 1) / format->repeat;
    if (counts[i + 1] != due) {
      return lines.bad(
          fmt::format("{} lines are declared for {} numbers, {} on a line: that are {}",
                      counts[i + 1], numbers[i], format->repeat, due));
    }
    header.formats[i] = *format;
  }
  return {};
}

Result<Header> read_header(Lines& lines, const InputFile& file, bool gzip) {
  std::array<std::string, 4> text;
  Header header;
  header.declared.format = MatrixFormat::harwell_boeing;
  header.declared.compressed = gzip;
  std::array<std::uint64_t, 5> counts{};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto line = lines.next();
    if (!line) {
      return tl::make_unexpected(line.error());
    }
    Result<void> done;
    if (i == 0) {
      for (const char c : without_blanks(part(*line, 0, 72))) {
        header.declared.title += static_cast<unsigned char>(c) >= 0x20 && c != 0x7f ? c : '?';
      }
    } else if (i == 1) {
      done = parse_counts(lines, *line).map([&](const auto& all) { counts = all; });
    } else if (i == 2) {
      done = parse_sizes(lines, *line, header);
    } else {
      done = parse_formats(lines, *line, counts, header);
    }
    if (!done) {
      return tl::make_unexpected(done.error());
    }
  }
  constexpr std::uint64_t kMostDeflated = 1032;
  const std::uint64_t bytes = gzip ? file.size() * kMostDeflated : file.size();
  const std::string reason = implausible_size(header.declared, bytes);
  if (!reason.empty() || header.declared.entries > bytes || header.declared.columns > bytes) {
    return file.bad_line(
        3, fmt::format("{} x {} with {} entries in a file of {} byte", header.declared.rows,
                       header.declared.columns, header.declared.entries, file.size()));
  }
  header.has_right_hand_sides = counts[4] > 0;
  if (header.has_right_hand_sides) {
    if (auto line = lines.next(); !line) {  // describes them
      return tl::make_unexpected(line.error());
    }
  }
  return header;
}

/// Calls take(field) for `count` fields of the lines to come; take returns a reason or "".
template <class Take>
Result<void> each_field(Lines& lines, std::uint64_t count, const FortranFormat& format,
                        const Take& take) {
  while (count > 0) {
    const auto line = lines.next();
    if (!line) {
      return tl::make_unexpected(line.error());
    }
    const std::size_t here = std::min<std::uint64_t>(format.repeat, count);
    std::size_t width = format.width;
    for (std::size_t i = 0; i < here; ++i) {
      const std::string_view field = part(*line, i * width, width);
      std::string reason = take(field);
      if (!reason.empty() && width == format.width && format.letter != 'I' &&
          is_one_narrower(*line, format, i, here) &&
          take(part(*line, i * (width - 1), width - 1)).empty()) {
        --width;
        reason.clear();
      }
      if (!reason.empty()) {
        return lines.bad(fmt::format("number {} of the line, '{}', {}", i + 1,
                                     shown_text(without_blanks(field)), reason));
      }
    }
    count -= here;
  }
  return {};
}

/// Where the columns begin, from 0.
template <class Index>
Result<Array<Index>> read_pointers(Lines& lines, const Header& header) {
  const DeclaredMatrix& declared = header.declared;
  Array<Index> begin(declared.columns + 1);
  std::uint64_t last = 1;
  std::size_t next = 0;
  auto done = each_field(
      lines, begin.size(), header.formats[0], [&](std::string_view field) -> std::string {
        const auto number = whole_number(field);
        const bool fits = number && *number >= last && *number <= declared.entries + 1 &&
                          (next > 0 || *number == 1) &&
                          (next + 1 < begin.size() || *number == declared.entries + 1);
        if (!fits) {
          return fmt::format("is no pointer: they ascend from 1 to {}", declared.entries + 1);
        }
        last = *number;
        begin[next++] = static_cast<Index>(*number - 1);
        return {};
      });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  return begin;
}

template <class Index>
Result<Array<Index>> read_rows(Lines& lines, const Header& header, const Array<Index>& begin) {
  const DeclaredMatrix& declared = header.declared;
  Array<Index> rows(declared.entries);
  std::size_t next = 0;
  std::size_t column = 0;
  auto done =
      each_field(lines, rows.size(), header.formats[1], [&](std::string_view field) -> std::string {
        const auto number = whole_number(field);
        if (!number || *number == 0 || *number > declared.rows) {
          return fmt::format("is no row: they count from 1 to {}", declared.rows);
        }
        while (static_cast<std::size_t>(begin[column + 1]) <= next) {
          ++column;
        }
        if (declared.symmetry != MatrixSymmetry::general && *number - 1 < column) {
          return fmt::format(
              "lies above the diagonal in column {}: of a {} matrix only the lower "
              "triangle is stored",
              column + 1, name_of(declared.symmetry));
        }
        rows[next++] = static_cast<Index>(*number - 1);
        return {};
      });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  return rows;
}

template <class Index>
void set_value(RealEntry<Index>& entry, std::uint64_t, double value) {
  entry.value = value;
}
template <class Index>
void set_value(ComplexEntry<Index>& entry, std::uint64_t component, double value) {
  (component == 0 ? entry.real : entry.imaginary) = value;
}

/// Why the number has no place on the diagonal; empty if it has.
std::string explain_diagonal(MatrixSymmetry symmetry, std::uint64_t component, double value) {
  if (value == 0 || symmetry == MatrixSymmetry::general || symmetry == MatrixSymmetry::symmetric ||
      (symmetry == MatrixSymmetry::hermitian && component == 0)) {
    return {};
  }
  return fmt::format("on the diagonal of a {} matrix", name_of(symmetry));
}

template <class Entry, class Index>
Result<EntryBlocks<Entry>> read_values(Lines& lines, const Header& header,
                                       const Array<Index>& begin, const Array<Index>& rows) {
  EntryStore<Entry> store;
  const std::uint64_t components = header.declared.real_form();
  std::size_t next = 0;
  std::uint64_t component = 0;
  Index column = 0;
  Entry entry{};
  const auto take = [&](double value) -> std::string {
    while (static_cast<std::size_t>(begin.data()[column + 1]) <= next) {
      ++column;
    }
    entry.row = rows[next];
    entry.column = column;
    set_value(entry, component, value);
    if (entry.row == column) {
      if (std::string reason = explain_diagonal(header.declared.symmetry, component, value);
          !reason.empty()) {
        return reason;
      }
    }
    component = (component + 1) % components;
    if (component == 0) {
      store.add(entry);
      ++next;
    }
    return {};
  };
  if (!header.has_values) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      take(1);
    }
    return store.take();
  }
  auto done = each_field(lines, rows.size() * components, header.formats[2],
                         [&](std::string_view field) -> std::string {
                           double value = 0;
                           return parse_fortran_real(field, header.formats[2], value)
                                      ? take(value)
                                      : "is no number of 64 bit";
                         });
  if (!done) {
    return tl::make_unexpected(done.error());
  }
  return store.take();
}

template <class Entry, class Index>
Result<MatrixFile<Index>> read_as(Lines& lines, const Header& header, const InputFile& file,
                                  int threads) {
  const auto begin = read_pointers<Index>(lines, header);
  if (!begin) {
    return tl::make_unexpected(begin.error());
  }
  const auto rows = read_rows(lines, header, *begin);
  if (!rows) {
    return tl::make_unexpected(rows.error());
  }
  auto blocks = read_values<Entry>(lines, header, *begin, *rows);
  if (!blocks) {
    return tl::make_unexpected(blocks.error());
  }
  auto result = assemble<Index>(std::move(*blocks), header.declared, file.size(), threads);
  if (result && header.has_right_hand_sides) {
    result->facts.notes.emplace_back("right-hand sides behind the matrix were left");
  }
  return result;
}

}  // namespace

bool is_harwell_boeing(std::string_view head) {
  std::array<std::string_view, 3> lines;
  for (std::string_view& line : lines) {
    line = head.substr(0, head.find('\n'));
    head.remove_prefix(std::min(line.size() + 1, head.size()));
  }
  const std::string_view type = part(lines[2], 0, 3);
  constexpr std::string_view kFields = "RICPQ";
  constexpr std::string_view kSymmetries = "USZHR";
  return type.size() == 3 && kFields.find(upper(type[0])) != std::string_view::npos &&
         kSymmetries.find(upper(type[1])) != std::string_view::npos &&
         (upper(type[2]) == 'A' || upper(type[2]) == 'E') && whole_number(part(lines[1], 0, 14));
}

Result<DeclaredMatrix> peek_harwell_boeing(const InputFile& file, bool gzip) {
  Lines lines(file, gzip);
  return read_header(lines, file, gzip).map([](Header header) {
    return std::move(header.declared);
  });
}

template <class Index>
Result<MatrixFile<Index>> read_harwell_boeing(const InputFile& file, bool gzip, int threads) {
  Lines lines(file, gzip);
  const auto header = read_header(lines, file, gzip);
  if (!header) {
    return tl::make_unexpected(header.error());
  }
  return header->declared.field == MatrixField::complex
             ? read_as<ComplexEntry<Index>, Index>(lines, *header, file, threads)
             : read_as<RealEntry<Index>, Index>(lines, *header, file, threads);
}

template Result<MatrixFile<std::int32_t>> read_harwell_boeing(const InputFile&, bool, int);
template Result<MatrixFile<std::int64_t>> read_harwell_boeing(const InputFile&, bool, int);

}  // namespace ridge::spmv
