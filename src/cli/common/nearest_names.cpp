#include "cli/common/nearest_names.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

namespace ridge::cli {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

std::vector<std::string> nearest_names(std::string_view wanted,
                                       const std::vector<std::string>& names, std::size_t most) {
  const std::string looked_for = lower(wanted);
  std::vector<std::pair<std::size_t, std::string>> near;
  for (const std::string& name : names) {
    const std::string candidate = lower(name);
    const std::size_t distance = edit_distance(looked_for, candidate);
    const bool contains = candidate.find(looked_for) != std::string::npos;
    if (looked_for.empty()) {
      break;
    }
    if (contains || distance <= std::max<std::size_t>(2, looked_for.size() / 3)) {
      near.emplace_back(contains ? 0 : distance, name);
    }
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (std::size_t i = 0; i < near.size() && i < most; ++i) {
    result.push_back(near[i].second);
  }
  return result;
}

std::string did_you_mean(std::string_view wanted, const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 3;
  const auto near = nearest_names(wanted, names, kMost);
  std::string text;
  for (std::size_t i = 0; i < near.size(); ++i) {
    text += (i == 0 ? "Did you mean " : i + 1 == near.size() ? " or " : ", ") + near[i];
  }
  return text.empty() ? text : text + "? ";
}

}  // namespace ridge::cli
