#include "predict/projection/machine_words.hpp"

#include <algorithm>

#include <fmt/core.h>

namespace ridge::predict {
namespace {

constexpr std::string_view kBlanks = " \t\n";

auto find(const std::vector<MachineWords::Word>& words, std::string_view key) {
  return std::find_if(words.begin(), words.end(),
                      [&](const MachineWords::Word& word) { return word.key == key; });
}

}  // namespace

bool MachineWords::has(std::string_view key) const {
  return find(words_, key) != words_.end();
}

std::optional<std::string_view> MachineWords::take(std::string_view key) {
  const auto word = find(words_, key);
  if (word == words_.end()) {
    return std::nullopt;
  }
  const std::string_view value = word->value;
  words_.erase(word);
  return value;
}

Result<MachineWords> parse_machine_words(std::string_view text) {
  std::vector<MachineWords::Word> words;
  for (auto begin = text.find_first_not_of(kBlanks); begin != std::string_view::npos;
       begin = text.find_first_not_of(kBlanks)) {
    text.remove_prefix(begin);
    const std::string_view word = text.substr(0, text.find_first_of(kBlanks));
    text.remove_prefix(word.size());
    const auto sign = word.find('=');
    if (sign == std::string_view::npos || sign == 0 || sign + 1 == word.size()) {
      return fail(ErrorCode::usage,
                  fmt::format("machine: `{}` is not KEY=VALUE", word.substr(0, 60)),
                  "words with blanks between them: 'cores=64 clock=2.45G DRAM=210GB/s'");
    }
    const MachineWords::Word added{word.substr(0, sign), word.substr(sign + 1)};
    if (find(words, added.key) != words.end()) {
      return fail(ErrorCode::usage, fmt::format("machine: {} is given twice", added.key));
    }
    words.push_back(added);
  }
  if (words.empty()) {
    return fail(ErrorCode::usage, "machine: nothing is given",
                "such as 'cores=64 clock=2.45G simd=512 fma=2 DRAM=210GB/s'");
  }
  return MachineWords(std::move(words));
}

}  // namespace ridge::predict
