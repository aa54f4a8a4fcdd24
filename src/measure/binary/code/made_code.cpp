#include "measure/binary/code/made_code.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

namespace ridge::measure::binary {
namespace {

/// Takes a number and the blank behind it off the beginning of `line`.
std::optional<std::uint64_t> take_number(std::string_view& line) {
  std::uint64_t number = 0;
  line.remove_prefix(line.starts_with("0x") ? 2 : 0);
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number, 16);
  const auto length = static_cast<std::size_t>(end - line.data());
  if (error != std::errc() || length >= line.size() || line[length] != ' ') {
    return std::nullopt;
  }
  line.remove_prefix(length + 1);
  return number;
}

std::optional<MadeFunction> function_of(std::string_view line) {
  const auto begin = take_number(line);
  const auto size = begin ? take_number(line) : std::nullopt;
  if (!size || *size == 0 || *begin + *size < *begin || line.empty()) {
    return std::nullopt;
  }
  return MadeFunction{{*begin, *begin + *size}, std::string(line)};
}

}  // namespace

std::vector<MadeFunction> parse_perf_map(std::string_view text) {
  std::map<std::uint64_t, MadeFunction> by_begin;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto function = function_of(text.substr(0, end))) {
      auto over = by_begin.lower_bound(function->range.begin);
      if (over != by_begin.begin() && std::prev(over)->second.range.end > function->range.begin) {
        --over;
      }
      while (over != by_begin.end() && over->second.range.begin < function->range.end) {
        over = by_begin.erase(over);
      }
      by_begin.emplace(function->range.begin, std::move(*function));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::vector<MadeFunction> functions;
  for (auto& [begin, function] : by_begin) {
    functions.push_back(std::move(function));
  }
  return functions;
}

std::string_view made_name(const std::vector<MadeFunction>& functions, std::uint64_t address) {
  const auto behind = std::ranges::upper_bound(
      functions, address, {}, [](const MadeFunction& one) { return one.range.begin; });
  const bool is_in = behind != functions.begin() && std::prev(behind)->range.contains(address);
  return is_in ? std::string_view(std::prev(behind)->name) : std::string_view();
}

}  // namespace ridge::measure::binary
