#include "fuzz/json_mutation.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace ridge::fuzz {
namespace {

using Json = nlohmann::ordered_json;
using Random = std::mt19937_64;

constexpr std::array kNastyNumbers = {
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    1e-9,
    1e9,
    1e18,
    9007199254740992.0,
    1e308,
    -1e308,
    1e-308,
    std::numeric_limits<double>::max(),
    std::numeric_limits<double>::min(),
    std::numeric_limits<double>::denorm_min(),
    -std::numeric_limits<double>::denorm_min(),
};
constexpr std::array<std::uint64_t, 10> kNastyCounts = {
    0, 1, 2, 3, 255, 65535, 1ULL << 32U, (1ULL << 53U) - 1, 1ULL << 63U, ~0ULL};
constexpr std::array<std::string_view, 20> kNastyTexts = {"",
                                                          " ",
                                                          "\x1b[31mred",
                                                          "\r\n\x07",
                                                          "\xc2\x9b"
                                                          "31m",
                                                          "<script>&amp;\"'",
                                                          "]]></svg>",
                                                          "$\\frac{%}{#}$",
                                                          "=cmd|'/c'!A1",
                                                          "a|b`c`",
                                                          "fp64",
                                                          "fp32",
                                                          "DRAM",
                                                          "L1",
                                                          "avx512",
                                                          "FLOP/s",
                                                          "B/s",
                                                          "measured",
                                                          "loop",
                                                          "\xe2\x80\xae\xe2\x80\x8f"};

template <class Container>
const auto& one_of(Random& random, const Container& values) {
  return values[random() % std::size(values)];
}

void collect(Json& node, std::vector<Json*>& all) {
  all.push_back(&node);
  if (node.is_structured()) {
    for (Json& child : node) {
      collect(child, all);
    }
  }
}

Json nasty_number(Random& random, const Json& old) {
  switch (random() % 4) {
    case 0:
      return one_of(random, kNastyNumbers);
    case 1:
      return one_of(random, kNastyCounts);
    case 2:
      return old.get<double>() * std::ldexp(1.0, static_cast<int>(random() % 129) - 64);
    default:
      return random() % 64;
  }
}

Json nasty_text(Random& random, const Json& old) {
  switch (random() % 4) {
    case 0:
      return std::string(random() % 3000, static_cast<char>('a' + random() % 26));
    case 1:
      return old.get<std::string>() + std::string(one_of(random, kNastyTexts));
    default:
      return std::string(one_of(random, kNastyTexts));
  }
}

void change_array(Random& random, Json& array) {
  if (array.empty()) {
    return;
  }
  const std::size_t at = random() % array.size();
  switch (random() % 4) {
    case 0:
      array.erase(at);
      return;
    case 1:
      array.insert(array.begin() + static_cast<std::ptrdiff_t>(at), Json(array[at]));
      return;
    case 2:
      std::swap(array[at], array[random() % array.size()]);
      return;
    default:
      if (random() % 8 == 0) {
        array.clear();
      }
  }
}

void change_object(Random& random, Json& object) {
  if (object.empty()) {
    return;
  }
  auto at = object.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(random() % object.size()));
  if (random() % 3 == 0) {
    object[std::string(one_of(random, kNastyTexts))] = Json(*at);
  } else {
    object.erase(at);
  }
}

/// Of the kind of `node`, from anywhere.
const Json& another(Random& random, const std::vector<Json*>& all, const Json& node) {
  for (int tries = 0; tries < 8; ++tries) {
    const Json& other = *all[random() % all.size()];
    if (other.type() == node.type() || random() % 16 == 0) {
      return other;
    }
  }
  return node;
}

void change(Random& random, Json& document) {
  std::vector<Json*> all;
  collect(document, all);
  Json& node = *all[random() % all.size()];
  if (random() % 4 == 0) {
    node = Json(another(random, all, node));
  } else if (node.is_number()) {
    node = nasty_number(random, node);
  } else if (node.is_string()) {
    node = nasty_text(random, node);
  } else if (node.is_array()) {
    change_array(random, node);
  } else if (node.is_object()) {
    change_object(random, node);
  } else if (node.is_boolean()) {
    node = !node.get<bool>();
  }
}

std::string change_bytes(Random& random, std::string text) {
  if (text.empty()) {
    return "{}";
  }
  const std::size_t at = random() % text.size();
  switch (random() % 4) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text.erase(at, 1 + random() % 20);
      break;
    case 2:
      text.insert(at, text.substr(random() % text.size(), random() % 40));
      break;
    default:
      text.resize(at);
  }
  return text;
}

std::uint64_t accepted_inputs = 0;
std::uint64_t all_inputs = 0;

}  // namespace

std::string mutate_json(const std::string& text, unsigned seed) {
  Random random(seed);
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded() || random() % 32 == 0) {
    return change_bytes(random, text);
  }
  for (std::size_t left = 1 + random() % 4; left > 0; --left) {
    change(random, document);
  }
  return document.dump(1, ' ', false, Json::error_handler_t::replace);
}

std::string mutate_json(const std::string& text, unsigned seed,
                        bool (*accepts)(std::string_view text)) {
  constexpr int kTries = 20;
  std::string mutated = mutate_json(text, seed);
  for (int tries = 1; seed % 4 != 0 && tries < kTries && !accepts(mutated); ++tries) {
    mutated = mutate_json(text, seed + static_cast<unsigned>(tries) * 2654435761U);
  }
  return mutated;
}

std::size_t hand_over(const std::string& text, std::uint8_t* data, std::size_t max_size) {
  if (text.size() > max_size) {
    return 0;
  }
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

Acceptance::Acceptance() {
  std::atexit([] {
    std::fprintf(stderr, "accepted %llu of %llu inputs\n",
                 static_cast<unsigned long long>(accepted_inputs),
                 static_cast<unsigned long long>(all_inputs));
  });
}

int Acceptance::count(bool accepted) {
  accepted_inputs += accepted ? 1 : 0;
  ++all_inputs;
  return accepted ? 0 : -1;
}

}  // namespace ridge::fuzz
