#include "spmv/read/matrix_market.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>

#include <fmt/format.h>

#include "spmv/matrix/on_threads.hpp"
#include "spmv/read/assemble.hpp"
#include "spmv/read/decimal.hpp"
#include "spmv/read/entry_store.hpp"
#include "spmv/read/line_blocks.hpp"

namespace ridge::spmv {
namespace {

const char* skip_blanks(const char* at) {
  while (*at == ' ' || *at == '\t' || *at == '\r') {
    ++at;
  }
  return at;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Digits with an optional sign and nothing else.
const char* parse_integer(const char* text, double& value) {
  const char* digits = text + static_cast<int>(*text == '-' || *text == '+');
  const char* end = digits;
  std::uint64_t number = 0;
  for (; is_digit(*end); ++end) {
    number = number * 10 + static_cast<std::uint64_t>(*end - '0');
  }
  if (end == digits) {
    return nullptr;
  }
  if (end - digits > 18) {
    return parse_decimal(text, value);
  }
  value = *text == '-' ? -static_cast<double>(number) : static_cast<double>(number);
  return end;
}

template <MatrixField kField, class Entry>
const char* parse_value(const char* at, Entry& entry) {
  if constexpr (kField == MatrixField::complex) {
    at = parse_decimal(at, entry.real);
    return at == nullptr || !is_blank(*at) ? nullptr
                                           : parse_decimal(skip_blanks(at), entry.imaginary);
  } else if constexpr (kField == MatrixField::integer) {
    at = parse_integer(at, entry.value);
    return at != nullptr && (*at == '.' || (*at | 0x20) == 'e') ? nullptr : at;
  } else {
    return parse_decimal(at, entry.value);
  }
}

template <class Index>
bool has_zero_diagonal_part(const RealEntry<Index>& entry, MatrixSymmetry symmetry) {
  return symmetry != MatrixSymmetry::skew_symmetric || entry.value == 0;
}
template <class Index>
bool has_zero_diagonal_part(const ComplexEntry<Index>& entry, MatrixSymmetry symmetry) {
  return symmetry == MatrixSymmetry::symmetric ||
         (entry.imaginary == 0 && (symmetry == MatrixSymmetry::hermitian || entry.real == 0));
}

/// Reads entries of one part of the text. It knows only whether a line is one; why not, says
/// explain_market_line().
template <class Index, class Entry>
class EntryParser {
 public:
  explicit EntryParser(const MarketHeader& header)
      : rows_(header.declared.rows),
        columns_(header.declared.columns),
        symmetry_(header.declared.symmetry),
        left_(header.declared.entries) {
    row_ = first_row(0);
  }

  /// Returns `end`, or where the first line begins that is no entry.
  template <MatrixField kField, bool kArray>
  const char* parse(const char* at, const char* end) {
    while (at < end) {
      const char* line = at;
      at = skip_blanks(at);
      if (*at == '\n') {
        ++at;
        continue;
      }
      if (*at == '%') [[unlikely]] {
        at =
            static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at))) + 1;
        continue;
      }
      Entry entry;
      at = kArray ? next_place(at, entry) : parse_place(at, entry);
      if constexpr (kField == MatrixField::pattern) {
        entry.value = 1;
      } else if (at != nullptr) {
        at = parse_value<kField>(at, entry);
      }
      at = at == nullptr ? nullptr : skip_blanks(at);
      if (at == nullptr || *at != '\n' || left_ == 0 ||
          (symmetry_ != MatrixSymmetry::general && !kArray && !fits_symmetry(entry))) [[unlikely]] {
        return line;
      }
      ++at;
      --left_;
      if (!kArray || !is_zero(entry)) {
        store_.add(entry);
      }
    }
    return at;
  }

  /// How many entries may still come.
  [[nodiscard]] std::uint64_t left() const { return left_; }
  [[nodiscard]] EntryBlocks<Entry> take() { return store_.take(); }

 private:
  const char* parse_place(const char* at, Entry& entry) const {
    std::uint64_t row = 0;
    std::uint64_t column = 0;
    at = parse_index(at, row);
    if (at == nullptr || !is_blank(*at)) [[unlikely]] {
      return nullptr;
    }
    at = parse_index(skip_blanks(at), column);
    // 0 becomes the largest number.
    if (at == nullptr || row - 1 >= rows_ || column - 1 >= columns_) [[unlikely]] {
      return nullptr;
    }
    entry.row = static_cast<Index>(row - 1);
    entry.column = static_cast<Index>(column - 1);
    if (is_blank(*at)) [[likely]] {
      return skip_blanks(at);
    }
    // Only a pattern may end here.
    return *at == '\n' || *at == '\r' ? at : nullptr;
  }

  /// Of an array: down the column, then the next one.
  const char* next_place(const char* at, Entry& entry) {
    entry.row = static_cast<Index>(row_);
    entry.column = static_cast<Index>(column_);
    if (++row_ >= rows_) {
      row_ = first_row(++column_);
    }
    return at;
  }

  [[nodiscard]] std::uint64_t first_row(std::uint64_t column) const {
    switch (symmetry_) {
      case MatrixSymmetry::general:
        return 0;
      case MatrixSymmetry::skew_symmetric:
        return column + 1;
      default:
        return column;
    }
  }

  [[nodiscard]] bool fits_symmetry(const Entry& entry) const {
    return entry.row > entry.column ||
           (entry.row == entry.column && has_zero_diagonal_part(entry, symmetry_));
  }

  static bool is_zero(const Entry& entry) {
    if constexpr (std::is_same_v<Entry, RealEntry<Index>>) {
      return entry.value == 0;
    } else {
      return entry.real == 0 && entry.imaginary == 0;
    }
  }

  std::uint64_t rows_;
  std::uint64_t columns_;
  MatrixSymmetry symmetry_;
  std::uint64_t left_;
  std::uint64_t row_ = 0;
  std::uint64_t column_ = 0;
  EntryStore<Entry> store_;
};

template <MatrixField kField, bool kArray, class Index>
class EntryReader {
 public:
  using Entry =
      std::conditional_t<kField == MatrixField::complex, ComplexEntry<Index>, RealEntry<Index>>;
  using Parser = EntryParser<Index, Entry>;

  EntryReader(const InputFile& file, bool gzip, const MarketHeader& header)
      : file_(&file), gzip_(gzip), header_(&header) {}

  Result<EntryBlocks<Entry>> read(int threads) const {
    if (!gzip_ && !kArray) {
      EntryBlocks<Entry> blocks;
      if (read_parts(threads, blocks)) {
        return blocks;
      }
    }
    // In order and with an eye on line numbers: slower, but it says exactly what is wrong.
    return read_in_order();
  }

 private:
  /// False if anything is wrong with any of it.
  bool read_parts(int threads, EntryBlocks<Entry>& blocks) const {
    constexpr std::uint64_t kLeast = 16384;
    const std::uint64_t bytes = file_->size() - header_->data_begin;
    const int parts = static_cast<int>(std::clamp<std::uint64_t>(
        bytes / kLeast, 1, static_cast<std::uint64_t>(std::max(threads, 1))));
    std::vector<Parser> parsers;
    for (int t = 0; t < parts; ++t) {
      parsers.emplace_back(*header_);
    }
    std::vector<char> fine(static_cast<std::size_t>(parts), 0);
    on_threads(parts, [&](int t) {
      const std::uint64_t begin = cut(bytes, parts, t);
      const std::uint64_t end = cut(bytes, parts, t + 1);
      Parser mine(*header_);  // on this thread's own lines of the cache
      fine[static_cast<std::size_t>(t)] = static_cast<char>(read_part(begin, end, mine));
      parsers[static_cast<std::size_t>(t)] = std::move(mine);
    });
    std::uint64_t entries = 0;
    for (const Parser& parser : parsers) {
      entries += header_->declared.entries - parser.left();
    }
    if (std::ranges::count(fine, 0) != 0 || entries != header_->declared.entries) {
      return false;
    }
    for (Parser& parser : parsers) {
      for (Array<Entry>& block : parser.take()) {
        blocks.push_back(std::move(block));
      }
    }
    return true;
  }

  bool read_part(std::uint64_t begin, std::uint64_t end, Parser& parser) const {
    LineBlocks blocks(fetch_range(*file_, begin, end));
    while (true) {
      const auto block = blocks.next();
      if (!block || blocks.too_long()) {
        return false;
      }
      if (block->empty()) {
        return true;
      }
      const char* last = block->data() + block->size();
      if (parser.template parse<kField, kArray>(block->data(), last) != last) {
        return false;
      }
    }
  }

  /// Where part t begins: behind the first line end from its share of the bytes on.
  [[nodiscard]] std::uint64_t cut(std::uint64_t bytes, int parts, int t) const {
    if (t == 0) {
      return header_->data_begin;
    }
    std::uint64_t at = header_->data_begin + part_begin(bytes, parts, t) - 1;
    char room[4096];
    while (t < parts && at < file_->size()) {
      const auto got = file_->read_some(at, room, sizeof room);
      if (!got || *got == 0) {
        break;
      }
      const char* end = room + *got;
      const char* found = std::find<const char*>(room, end, '\n');
      if (found != end) {
        return at + static_cast<std::uint64_t>(found - room) + 1;
      }
      at += *got;
    }
    return file_->size();
  }

  Result<EntryBlocks<Entry>> read_in_order() const {
    Parser parser(*header_);
    LineBlocks blocks(fetch_text(*file_, gzip_, header_->data_begin));
    std::uint64_t lines = header_->size_line;
    while (true) {
      const auto block = blocks.next();
      if (!block) {
        return tl::make_unexpected(block.error());
      }
      if (blocks.too_long()) {
        return file_->bad_line(lines + 1, "the line is longer than 1 MiB");
      }
      if (block->empty()) {
        break;
      }
      const char* first = block->data();
      const char* last = first + block->size();
      const char* stop = parser.template parse<kField, kArray>(first, last);
      lines += static_cast<std::uint64_t>(std::count(first, stop, '\n'));
      if (stop != last) {
        const std::string_view line(stop,
                                    static_cast<std::size_t>(std::find(stop, last, '\n') - stop));
        return file_->bad_line(lines + 1, explain_market_line(line, *header_, parser.left()),
                               "Correct the line, or fetch the file again.");
      }
    }
    if (parser.left() > 0) {
      const std::uint64_t entries = header_->declared.entries;
      return file_->bad_line(
          lines,
          fmt::format("the file ends after {} of the {} entries declared in line {}",
                      entries - parser.left(), entries, header_->size_line),
          "The file is truncated, or the number of entries is wrong.");
    }
    return parser.take();
  }

  const InputFile* file_;
  bool gzip_;
  const MarketHeader* header_;
};

template <MatrixField kField, bool kArray, class Index>
Result<MatrixFile<Index>> read_as(const InputFile& file, bool gzip, const MarketHeader& header,
                                  int threads) {
  auto blocks = EntryReader<kField, kArray, Index>(file, gzip, header).read(threads);
  if (!blocks) {
    return tl::make_unexpected(blocks.error());
  }
  return assemble<Index>(std::move(*blocks), header.declared, file.size(), threads);
}

}  // namespace

Result<DeclaredMatrix> peek_matrix_market(const InputFile& file, bool gzip) {
  return read_market_header(file, gzip).map([](MarketHeader header) {
    return std::move(header.declared);
  });
}

template <class Index>
Result<MatrixFile<Index>> read_matrix_market(const InputFile& file, bool gzip, int threads) {
  const auto header = read_market_header(file, gzip);
  if (!header) {
    return tl::make_unexpected(header.error());
  }
  using enum MatrixField;
  switch (header->declared.field) {
    case integer:
      return header->array ? read_as<integer, true, Index>(file, gzip, *header, threads)
                           : read_as<integer, false, Index>(file, gzip, *header, threads);
    case complex:
      return header->array ? read_as<complex, true, Index>(file, gzip, *header, threads)
                           : read_as<complex, false, Index>(file, gzip, *header, threads);
    case pattern:
      return read_as<pattern, false, Index>(file, gzip, *header, threads);
    case real:
      break;
  }
  return header->array ? read_as<real, true, Index>(file, gzip, *header, threads)
                       : read_as<real, false, Index>(file, gzip, *header, threads);
}

template Result<MatrixFile<std::int32_t>> read_matrix_market(const InputFile&, bool, int);
template Result<MatrixFile<std::int64_t>> read_matrix_market(const InputFile&, bool, int);

}  // namespace ridge::spmv
