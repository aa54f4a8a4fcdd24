#include "cli/modelling/index_files.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>

#include <fmt/format.h>

namespace ridge::cli {

Result<std::vector<std::int64_t>> parse_indices(std::string_view text, const std::string& name) {
  constexpr std::string_view kBlanks = " \t\r\n,";
  std::vector<std::int64_t> indices;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != std::string_view::npos;
       at = text.find_first_not_of(kBlanks, at)) {
    const std::string_view word = text.substr(at, text.find_first_of(kBlanks, at) - at);
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
    if (error != std::errc() || end != word.data() + word.size()) {
      const auto line =
          std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      return fail(ErrorCode::bad_input,
                  fmt::format("{}:{}: `{}` is no whole number", name, line + 1, word.substr(0, 40)),
                  "an index file has whole numbers, with blanks or line ends between them");
    }
    indices.push_back(index);
    at += word.size();
  }
  if (indices.empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{} has no indices", name),
                "an index file has whole numbers, with blanks or line ends between them");
  }
  return indices;
}

Result<IndexContents> read_index_files(const std::map<std::string, std::string>& files) {
  IndexContents contents;
  for (const auto& [array, name] : files) {
    std::ifstream stream(name, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream) {
      return fail(ErrorCode::bad_input, fmt::format("cannot read {}", name),
                  fmt::format("--index {}=FILE names a file of whole numbers", array));
    }
    auto indices = parse_indices(text, name);
    if (!indices) {
      return tl::make_unexpected(indices.error());
    }
    contents[array] = std::move(*indices);
  }
  return contents;
}

}  // namespace ridge::cli
