#include "serialize/described/microarchitecture_rules.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/core.h>

namespace ridge::serialize {
namespace {

void check_pipe_groups(const Reader& array) {
  std::set<std::string> seen;
  for (const Reader& group : array.items()) {
    const std::vector<Reader> operations = group.items();
    if (operations.empty()) {
      group.fail("must name at least one operation");
    }
    for (const Reader& operation : operations) {
      if (!seen.insert(operation.text()).second) {
        operation.fail(fmt::format("{} stands in two pipe groups", operation.text()));
      }
    }
  }
}

}  // namespace

void Rules<Microarchitecture::Match>::check(const Reader& object,
                                            const Microarchitecture::Match& match) {
  if (match.models.empty()) {
    object.find("models").fail("must name at least one model");
  }
}

void Rules<Microarchitecture::IsaLimits>::check(const Reader& object,
                                                const Microarchitecture::IsaLimits& limits) {
  constexpr unsigned kAnyBits = 64;
  const bool is_open = !lanes_of(limits.isa, kAnyBits);
  if (is_open && !limits.vector_bits) {
    object.fail(
        fmt::format("{} needs vector_bits: each core chooses its width", to_string(limits.isa)));
  } else if (!is_open && limits.vector_bits) {
    object.find("vector_bits")
        .fail(fmt::format("{} has a width of its own", to_string(limits.isa)));
  } else if (limits.vector_bits.value_or(128) % 128 != 0) {
    object.find("vector_bits").fail("must be a multiple of 128");
  }
}

void Rules<Microarchitecture>::check(const Reader& object, const Microarchitecture& entry) {
  check_pipe_groups(object.at("pipe_groups"));
  if (entry.sources.empty()) {
    object.find("sources").fail("must name at least one source");
  }
}

void Rules<describe::MicroarchitectureTable>::check(const Reader& root,
                                                    const describe::MicroarchitectureTable& table) {
  std::map<std::tuple<std::string, unsigned, unsigned>, std::string_view> owners;
  const std::vector<Reader> items = root.at("microarchitectures").items();
  const auto& entries = table.microarchitectures;
  for (std::size_t i = 0; i < entries.size() && i < items.size(); ++i) {
    for (const auto& match : entries[i].matches) {
      for (const unsigned model : match.models) {
        const auto [owner, is_new] =
            owners.try_emplace({match.vendor, match.family, model}, entries[i].name);
        if (!is_new) {
          items[i].find("matches").fail(fmt::format("repeats {} family {} model {}, which {} has",
                                                    quote_for_message(match.vendor), match.family,
                                                    model, quote_for_message(owner->second)));
        }
      }
    }
  }
}

}  // namespace ridge::serialize
