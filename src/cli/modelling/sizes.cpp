#include "cli/modelling/sizes.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace ridge::cli {
namespace {

constexpr std::string_view kForms =
    "-D N=4000, or a sweep: -D N=100:10000, -D N=100:10000:log:40, -D N=100:1000:100";

tl::unexpected<Error> refuse(const std::string& what) {
  return fail(ErrorCode::usage, "model: " + what, std::string(kForms));
}

std::optional<std::int64_t> factor_of(std::string_view suffix) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 8> kFactors{{{"", 1},
                                                                               {"k", 1'000},
                                                                               {"K", 1'000},
                                                                               {"M", 1'000'000},
                                                                               {"G", 1'000'000'000},
                                                                               {"Ki", 1LL << 10U},
                                                                               {"Mi", 1LL << 20U},
                                                                               {"Gi", 1LL << 30U}}};
  for (const auto& [name, factor] : kFactors) {
    if (suffix == name) {
      return factor;
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> number_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) {
    return std::nullopt;
  }
  const auto factor = factor_of(text.substr(static_cast<std::size_t>(end - text.data())));
  std::int64_t product = 0;
  if (!factor || __builtin_mul_overflow(number, *factor, &product)) {
    return std::nullopt;
  }
  return product;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) {
      return parts;
    }
    text.remove_prefix(end + 1);
  }
}

std::vector<std::int64_t> geometric(std::int64_t from, std::int64_t to, std::int64_t points) {
  std::vector<std::int64_t> values;
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  for (std::int64_t i = 0; i < points; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(points - 1);
    const std::int64_t value =
        i + 1 == points ? to : std::llround(static_cast<double>(from) * std::pow(ratio, share));
    if (values.empty() || value > values.back()) {
      values.push_back(value);
    }
  }
  return values;
}

Result<std::vector<std::int64_t>> sweep(const std::string& word,
                                        const std::vector<std::string_view>& parts) {
  const auto from = number_of(parts[0]);
  const auto to = number_of(parts[1]);
  if (!from || !to || *from >= *to || *from < 1) {
    return refuse(fmt::format("{}: a sweep goes from a number above 0 to a greater one", word));
  }
  const bool is_log = parts.size() == 2 || parts[2] == "log";
  if (parts.size() > (is_log ? 4U : 3U)) {
    return refuse(fmt::format("{} is no sweep", word));
  }
  if (is_log) {
    const auto points =
        parts.size() == 4 ? number_of(parts[3]) : std::optional<std::int64_t>(kSweepPoints);
    if (!points || *points < 2 || *points > static_cast<std::int64_t>(kMostSizes)) {
      return refuse(fmt::format("{}: a sweep has 2 to {} points", word, kMostSizes));
    }
    return geometric(*from, *to, *points);
  }
  const auto step = number_of(parts[2]);
  if (!step || *step < 1 || (*to - *from) / *step >= static_cast<std::int64_t>(kMostSizes)) {
    return refuse(
        fmt::format("{}: a step is a number above 0 that gives up to {} points", word, kMostSizes));
  }
  std::vector<std::int64_t> values;
  for (std::int64_t value = *from; value <= *to; value += *step) {
    values.push_back(value);
  }
  return values;
}

bool is_name(std::string_view name) {
  constexpr std::string_view kFirst = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  return !name.empty() && kFirst.find(name.front()) != std::string_view::npos &&
         name.find_first_of(",= ") == std::string_view::npos;
}

}  // namespace

Result<std::vector<Sizes>> sizes_of(const std::vector<std::string>& definitions) {
  Sizes fixed;
  std::optional<std::pair<std::string, std::vector<std::int64_t>>> swept;
  for (const std::string& word : definitions) {
    const std::size_t equals = word.find('=');
    const std::string name = word.substr(0, equals);
    if (equals == std::string::npos || !is_name(name)) {
      return refuse(fmt::format("-D {} gives no name a value", word));
    }
    if (fixed.contains(name) || (swept && swept->first == name)) {
      return refuse(fmt::format("{} is given twice", name));
    }
    const auto parts = split(std::string_view(word).substr(equals + 1), ':');
    if (parts.size() == 1) {
      const auto value = number_of(parts[0]);
      if (!value) {
        return refuse(fmt::format("{}: `{}` is no whole number", name, parts[0]));
      }
      fixed[name] = *value;
      continue;
    }
    auto values = sweep(word, parts);
    if (!values) {
      return tl::make_unexpected(values.error());
    }
    if (swept) {
      return refuse(fmt::format("{} and {} are both swept: one at a time", swept->first, name));
    }
    swept.emplace(name, std::move(*values));
  }
  if (!swept) {
    return std::vector<Sizes>{fixed};
  }
  std::vector<Sizes> all;
  for (const std::int64_t value : swept->second) {
    all.push_back(fixed);
    all.back()[swept->first] = value;
  }
  return all;
}

std::string sizes_text(const Sizes& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, value);
  }
  return text;
}

}  // namespace ridge::cli
