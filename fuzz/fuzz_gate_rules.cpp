// Any text behind --fail-on becomes rules that keep their promises, or an error that can be
// printed; a rule that was read reads again from its own text as the same rule.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "predict/compare/gate_rule.hpp"

namespace {

void require(bool promise) {
  if (!promise) {
    std::abort();
  }
}

bool printable(std::string_view text) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f) {
      return false;
    }
  }
  return true;
}

void check(const ridge::predict::GateRule& rule) {
  require(!rule.quantity.empty() && std::isfinite(rule.limit) && rule.limit >= -1.0);
  require(!rule.floor || (std::isfinite(*rule.floor) && *rule.floor >= 0.0));
  require(!rule.region || !rule.region->empty());
  const auto again = ridge::predict::parse_gate_rule(rule.text);
  require(again.has_value() && again->quantity == rule.quantity && again->region == rule.region &&
          again->below == rule.below && again->limit == rule.limit && again->floor == rule.floor);
}

/// How deep the inputs went, told at the end.
struct Told {
  std::uint64_t inputs = 0;
  std::uint64_t accepted = 0;
  ~Told() {
    std::fprintf(stderr, "accepted %llu of %llu inputs\n",
                 static_cast<unsigned long long>(accepted),
                 static_cast<unsigned long long>(inputs));
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Told told;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto rules = ridge::predict::parse_gate_rules(text);
  ++told.inputs;
  told.accepted += rules.has_value() ? 1 : 0;
  if (!rules) {
    require(rules.error().code == ridge::ErrorCode::usage && !rules.error().hint.empty());
    require(printable(rules.error().message) && rules.error().message.size() < 400);
    return 0;
  }
  require(!rules->empty());
  for (const auto& rule : *rules) {
    check(rule);
  }
  return 0;
}
