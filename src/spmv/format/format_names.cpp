#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "spmv/format/bcsr.hpp"
#include "spmv/format/product.hpp"

namespace ridge::spmv {
namespace {

constexpr std::array<std::pair<std::string_view, FormatKind>, 9> kKinds = {{
    {"csr", FormatKind::csr},
    {"sell", FormatKind::sell},
    {"sell16", FormatKind::sell_short},
    {"pattern", FormatKind::pattern},
    {"pattern-blocked", FormatKind::blocked_pattern},
    {"bcsr", FormatKind::bcsr},
    {"gather-blocked", FormatKind::gather_blocked},
    {"binned", FormatKind::binned},
    {"symmetric", FormatKind::symmetric},
}};

/// The number at the beginning of `text`, taken from it.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 0) {
    return std::nullopt;
  }
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) {
    return false;
  }
  text.remove_prefix(prefix.size());
  return true;
}

/// -C or -C-SIGMA; SIGMA may be N.
bool take_chunks(std::string_view& text, Format& format) {
  if (!take(text, "-")) {
    return true;
  }
  const auto rows = take_number(text);
  if (!rows || (*rows != 8 && *rows != 16 && *rows != 32)) {
    return false;
  }
  format.chunk_rows = static_cast<std::int32_t>(*rows);
  if (!take(text, "-")) {
    return true;
  }
  if (take(text, "N")) {
    format.sigma = 0;
    return true;
  }
  const auto sigma = take_number(text);
  format.sigma = sigma.value_or(0);
  return sigma && *sigma >= 1;
}

/// -BxB
bool take_block(std::string_view& text, Format& format) {
  if (!take(text, "-")) {
    return true;
  }
  const auto block = take_number(text);
  if (!block || *block < 2 || *block > kLargestBlock || !take(text, fmt::format("x{}", *block))) {
    return false;
  }
  format.block = static_cast<std::int32_t>(*block);
  return true;
}

std::optional<Format> parse(std::string_view text) {
  Format format;
  bool good = true;
  if (take(text, "pattern-blocked")) {
    format.kind = FormatKind::blocked_pattern;
  } else if (take(text, "pattern")) {
    format.kind = text.empty() ? FormatKind::pattern : FormatKind::blocked_pattern;
    good = take_block(text, format);
  } else if (take(text, "bcsr")) {
    format.kind = FormatKind::bcsr;
    good = take_block(text, format);
  } else if (take(text, "sell16")) {
    format.kind = FormatKind::sell_short;
    good = take_chunks(text, format);
  } else if (take(text, "sell")) {
    format.kind = FormatKind::sell;
    good = take_chunks(text, format);
  } else {
    good = false;
    for (const auto& [name, kind] : kKinds) {
      if (text == name) {
        format.kind = kind;
        return format;
      }
    }
  }
  return good && text.empty() ? std::optional(format) : std::nullopt;
}

}  // namespace

std::string name_of(const Format& format) {
  std::string name;
  for (const auto& [text, kind] : kKinds) {
    if (kind == format.kind) {
      name = text;
    }
  }
  switch (format.kind) {
    case FormatKind::sell:
    case FormatKind::sell_short:
      return fmt::format("{}-{}-{}", name, format.chunk_rows,
                         format.sigma == 0 ? "N" : std::to_string(format.sigma));
    case FormatKind::bcsr:
      return format.block == 0 ? name : fmt::format("bcsr-{0}x{0}", format.block);
    case FormatKind::blocked_pattern:
      return format.block == 0 ? name : fmt::format("pattern-{0}x{0}", format.block);
    default:
      return name;
  }
}

std::string format_names() {
  return "csr, sell-C-SIGMA (C 8, 16 or 32; SIGMA 1 to N), sell16-C-SIGMA, pattern, "
         "pattern-BxB (B 2 to 6), bcsr-BxB, gather-blocked, binned, symmetric";
}

Result<Format> parse_format(std::string_view name) {
  if (const auto format = parse(name)) {
    return *format;
  }
  return fail(ErrorCode::usage, fmt::format("'{}' is no format of a sparse matrix", name),
              fmt::format("The formats are {}.", format_names()));
}

std::string_view name_of(Schedule schedule) {
  switch (schedule) {
    case Schedule::rows:
      return "rows";
    case Schedule::entries:
      return "entries";
    case Schedule::block_cyclic:
      return "block-cyclic";
    case Schedule::dynamic:
      break;
  }
  return "dynamic";
}

}  // namespace ridge::spmv
