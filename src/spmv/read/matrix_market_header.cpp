#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "spmv/read/assemble.hpp"
#include "spmv/read/decimal.hpp"
#include "spmv/read/line_blocks.hpp"
#include "spmv/read/matrix_market.hpp"

namespace ridge::spmv {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::size_t kMost = 8;  // more than any line has, and enough to say so
  while (words.size() < kMost) {
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
      break;
    }
    line.remove_prefix(begin);
    words.push_back(line.substr(0, line.find_first_of(kBlanks)));
    line.remove_prefix(words.back().size());
  }
  return words;
}

std::string lower(std::string_view word) {
  std::string result(word);
  std::ranges::transform(result, result.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return result;
}

/// A whole number of at most 18 digits.
std::optional<std::uint64_t> number_of(std::string_view word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || word.size() > 18) {
    return std::nullopt;
  }
  return number;
}

template <class Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
std::optional<Value> find_name(const Names<Value>& names, std::string_view name) {
  const auto found = std::ranges::find(names, name, &std::pair<std::string_view, Value>::first);
  return found == names.end() ? std::nullopt : std::optional<Value>(found->second);
}

/// Takes line by line what stands before the entries.
class HeaderReader {
 public:
  explicit HeaderReader(const InputFile& file) : file_(&file) {}

  /// True when `line` was the one with the sizes. The line comes without its '\n'.
  Result<bool> take(std::string_view line) {
    ++line_;
    if (line_ == 1) {
      return read_banner(line);
    }
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) {
      return false;
    }
    if (line[begin] == '%') {
      add_comment(line.substr(begin + 1));
      return false;
    }
    return read_sizes(line);
  }

  [[nodiscard]] std::uint64_t lines() const { return line_; }
  MarketHeader header;

 private:
  static constexpr std::string_view kBanner =
      "The first line is '%%MatrixMarket matrix coordinate|array real|integer|complex|pattern "
      "general|symmetric|skew-symmetric|hermitian'.";

  tl::unexpected<Error> bad(std::string_view reason) const {
    return file_->bad_line(line_, reason, std::string(kBanner));
  }

  Result<bool> read_banner(std::string_view line) {
    const auto words = words_of(line);
    if (words.empty() || lower(words[0]) != "%%matrixmarket") {
      return bad("not the banner of a Matrix Market file");
    }
    if (words.size() != 5 || lower(words[1]) != "matrix") {
      return bad(fmt::format("wrong banner: '{}'", shown_text(line)));
    }
    const Names<bool> formats = {{"coordinate", false}, {"array", true}};
    const Names<MatrixField> fields = {
        {"real", MatrixField::real},       {"double", MatrixField::real},
        {"integer", MatrixField::integer}, {"unsigned-integer", MatrixField::integer},
        {"complex", MatrixField::complex}, {"pattern", MatrixField::pattern}};
    const Names<MatrixSymmetry> symmetries = {{"general", MatrixSymmetry::general},
                                              {"symmetric", MatrixSymmetry::symmetric},
                                              {"skew-symmetric", MatrixSymmetry::skew_symmetric},
                                              {"hermitian", MatrixSymmetry::hermitian}};
    const auto array = find_name(formats, lower(words[2]));
    const auto field = find_name(fields, lower(words[3]));
    const auto symmetry = find_name(symmetries, lower(words[4]));
    if (!array || !field || !symmetry) {
      const std::string_view wrong = !array ? words[2] : !field ? words[3] : words[4];
      return bad(fmt::format("wrong banner: '{}' is unknown there", shown_text(wrong)));
    }
    header.array = *array;
    header.declared.format = MatrixFormat::matrix_market;
    header.declared.field = *field;
    header.declared.symmetry = *symmetry;
    return check_banner();
  }

  Result<bool> check_banner() const {
    const DeclaredMatrix& declared = header.declared;
    if (header.array && declared.field == MatrixField::pattern) {
      return bad("wrong banner: an array has values, a pattern has none");
    }
    if (declared.field == MatrixField::pattern &&
        declared.symmetry == MatrixSymmetry::skew_symmetric) {
      return bad("wrong banner: a pattern has no sign to be skew");
    }
    if (declared.symmetry == MatrixSymmetry::hermitian && declared.field != MatrixField::complex) {
      return bad("wrong banner: only a complex matrix is hermitian; a real one is symmetric");
    }
    return false;
  }

  void add_comment(std::string_view text) {
    constexpr std::size_t kMost = 4096;
    while (!text.empty() && kBlanks.find(text.back()) != std::string_view::npos) {
      text.remove_suffix(1);
    }
    std::string& title = header.declared.title;
    if (text.empty() || title.size() + text.size() > kMost) {
      return;
    }
    title += title.empty() ? "" : "\n";
    for (const char c : text.substr(text.find_first_not_of(kBlanks))) {
      title += static_cast<unsigned char>(c) >= 0x20 && c != 0x7f ? c : '?';
    }
  }

  Result<bool> read_sizes(std::string_view line) {
    const auto words = words_of(line);
    const std::size_t expected = header.array ? 2 : 3;
    const std::string_view form = header.array ? "rows and columns" : "rows, columns and entries";
    if (words.size() != expected) {
      return size_error(fmt::format("{} numbers expected, {}; the line is '{}'", expected, form,
                                    shown_text(line)));
    }
    std::array<std::uint64_t, 3> sizes{};
    for (std::size_t i = 0; i < expected; ++i) {
      const auto number = number_of(words[i]);
      if (!number) {
        return size_error(fmt::format("'{}' is no size of a matrix", shown_text(words[i])));
      }
      sizes[i] = *number;
    }
    header.declared.rows = sizes[0];
    header.declared.columns = sizes[1];
    header.declared.entries = sizes[2];
    header.size_line = line_;
    if (header.declared.symmetry != MatrixSymmetry::general && sizes[0] != sizes[1]) {
      return size_error(fmt::format("{} x {} is not square, which a {} matrix is", sizes[0],
                                    sizes[1], name_of(header.declared.symmetry)));
    }
    return count_array();
  }

  Result<bool> count_array() {
    DeclaredMatrix& declared = header.declared;
    if (header.array) {
      std::uint64_t all = 0;
      if (__builtin_mul_overflow(declared.rows, declared.columns, &all)) {
        return size_error(
            fmt::format("{} x {} is no size of an array", declared.rows, declared.columns));
      }
      const std::uint64_t n = declared.rows;
      declared.entries = declared.symmetry == MatrixSymmetry::general          ? all
                         : declared.symmetry == MatrixSymmetry::skew_symmetric ? (all - n) / 2
                                                                               : (all - n) / 2 + n;
    }
    return true;
  }

  tl::unexpected<Error> size_error(std::string_view reason) const {
    return file_->bad_line(line_, reason,
                           "After the comments stands one line with the sizes of the matrix.");
  }

  const InputFile* file_;
  std::uint64_t line_ = 0;
};

/// The fewest characters of an entry, its line end included.
std::uint64_t least_entry_bytes(const MarketHeader& header) {
  const std::uint64_t place = header.array ? 0 : 4;
  switch (header.declared.field) {
    case MatrixField::pattern:
      return place;
    case MatrixField::complex:
      return place + 4;
    default:
      return place + 2;
  }
}

Result<void> check_plausible(const InputFile& file, const MarketHeader& header) {
  // The last line may end without '\n'. What is short of a few entries is explained better where
  // the file ends; entries take memory only as they come.
  const std::uint64_t room = (header.text_bytes + 1) / least_entry_bytes(header);
  if (header.declared.entries / 2 > room + 32) {
    return file.bad_line(
        header.size_line,
        fmt::format("{} entries are declared, the rest of the file has room for at most {}",
                    header.declared.entries, room),
        "The file is truncated, or its sizes are wrong.");
  }
  const std::string reason = implausible_size(header.declared, header.text_bytes);
  if (!reason.empty()) {
    return file.bad_line(header.size_line, reason);
  }
  return {};
}

/// "row" or "column"; the reason why `word` is none of them, empty if it is.
std::string explain_index(std::string_view word, std::string_view what, std::uint64_t most) {
  const auto number = number_of(word);
  if (!number) {
    return fmt::format("'{}' is no {}", shown_text(word), what);
  }
  if (*number == 0) {
    return fmt::format("{} 0: they count from 1", what);
  }
  if (*number > most) {
    return fmt::format("{} {} is beyond the {} that are declared", what, *number, most);
  }
  return {};
}

std::string explain_value(std::string_view word, MatrixField field) {
  const std::string padded = std::string(word) + "\n" + std::string(kNumberPadding, '\0');
  double value = 0;
  const char* end = parse_decimal(padded.data(), value);
  if (end == nullptr && !word.empty() && (is_digit(word[0]) || is_digit(word.back()))) {
    return fmt::format("'{}' is beyond the largest number of 64 bit, or none", shown_text(word));
  }
  if (end == nullptr || end != padded.data() + word.size()) {
    return fmt::format("'{}' is no number", shown_text(word));
  }
  const std::size_t digits = word[0] == '-' || word[0] == '+' ? 1 : 0;
  if (field == MatrixField::integer &&
      word.find_first_not_of("0123456789", digits) != std::string_view::npos) {
    return fmt::format("'{}' is no integer", shown_text(word));
  }
  return {};
}

std::string explain_symmetry(const std::vector<std::string_view>& words,
                             const DeclaredMatrix& declared) {
  if (declared.symmetry == MatrixSymmetry::general) {
    return {};
  }
  const auto row = number_of(words[0]);
  const auto column = number_of(words[1]);
  if (column > row) {
    return fmt::format(
        "row {}, column {} lies above the diagonal: of a {} matrix only the lower "
        "triangle is stored",
        *row, *column, name_of(declared.symmetry));
  }
  return fmt::format("row {0}, column {0}: the diagonal of a {1} matrix {2}", *row,
                     name_of(declared.symmetry),
                     declared.symmetry == MatrixSymmetry::hermitian ? "is real" : "is zero");
}

}  // namespace

Result<MarketHeader> read_market_header(const InputFile& file, bool gzip) {
  HeaderReader reader(file);
  LineBlocks blocks(fetch_text(file, gzip, 0));
  std::uint64_t before = 0;
  while (true) {
    const auto block = blocks.next();
    if (!block) {
      return tl::make_unexpected(block.error());
    }
    if (blocks.too_long()) {
      return file.bad_line(reader.lines() + 1, "the line is longer than 1 MiB");
    }
    if (block->empty()) {
      return file.bad_line(std::max<std::uint64_t>(reader.lines(), 1),
                           "the file ends before the sizes of the matrix");
    }
    for (std::size_t begin = 0; begin < block->size();) {
      const std::size_t end = block->find('\n', begin);
      const auto done = reader.take(block->substr(begin, end - begin));
      if (!done) {
        return tl::make_unexpected(done.error());
      }
      begin = end + 1;
      if (*done) {
        MarketHeader& header = reader.header;
        header.declared.compressed = gzip;
        header.data_begin = before + begin;
        constexpr std::uint64_t kMostDeflated = 1032;  // no byte stands for more
        const std::uint64_t text = gzip ? file.size() * kMostDeflated : file.size();
        header.text_bytes = text - std::min(text, header.data_begin);
        if (auto checked = check_plausible(file, header); !checked) {
          return tl::make_unexpected(checked.error());
        }
        return header;
      }
    }
    before += block->size();
  }
}

std::string explain_market_line(std::string_view line, const MarketHeader& header,
                                std::uint64_t left) {
  const DeclaredMatrix& declared = header.declared;
  if (left == 0) {
    return fmt::format("more entries than the {} declared in line {}", declared.entries,
                       header.size_line);
  }
  const auto words = words_of(line);
  const std::size_t values = declared.field == MatrixField::pattern   ? 0
                             : declared.field == MatrixField::complex ? 2
                                                                      : 1;
  const std::size_t places = header.array ? 0 : 2;
  for (std::size_t i = 0; i < std::min(words.size(), places + values); ++i) {
    const std::string reason = i >= places ? explain_value(words[i], declared.field)
                               : i == 0    ? explain_index(words[i], "row", declared.rows)
                                           : explain_index(words[i], "column", declared.columns);
    if (!reason.empty()) {
      return reason;
    }
  }
  if (words.size() < places + values) {
    return fmt::format("{} of {} numbers", words.size(), places + values);
  }
  if (words.size() > places + values) {
    return fmt::format("'{}' after the entry", shown_text(words[places + values]));
  }
  const std::string reason = header.array ? "" : explain_symmetry(words, declared);
  return reason.empty() ? fmt::format("'{}' is no entry", shown_text(line)) : reason;
}

}  // namespace ridge::spmv
