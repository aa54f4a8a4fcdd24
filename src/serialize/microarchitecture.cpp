#include "serialize/microarchitecture.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include <fmt/core.h>

#include "core/describe/enumerators.hpp"
#include "core/value/profile.hpp"
#include "serialize/described/read.hpp"
#include "serialize/embedded_microarchitectures.hpp"
#include "serialize/json_reader.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.microarchitectures/1";
constexpr std::string_view kHint = "correct the value";

Microarchitecture::Match read_match(const Reader& object) {
  Microarchitecture::Match match;
  match.vendor = object.at("vendor").non_empty_text();
  match.family = object.at("family").natural();
  match.models = list_from(object.at("models"), &Reader::natural);
  if (match.models.empty()) {
    object.find("models").fail("must name at least one model");
  }
  return match;
}

std::vector<Microarchitecture::PipeGroup> read_pipe_groups(const Reader& array) {
  std::vector<Microarchitecture::PipeGroup> groups;
  std::set<OperationKind> seen;
  for (const Reader& group : array.items()) {
    groups.emplace_back();
    for (const Reader& item : group.items()) {
      const auto kind = item.choice({OperationKind::add, OperationKind::mul, OperationKind::fma,
                                     OperationKind::div, OperationKind::sqrt});
      if (!seen.insert(kind).second) {
        item.fail(fmt::format("{} stands in two pipe groups", to_string(kind)));
      }
      groups.back().push_back(operation_of(kind));
    }
    if (groups.back().empty()) {
      group.fail("must name at least one operation");
    }
  }
  return groups;
}

std::optional<double> positive_from(const Reader& object, std::string_view key) {
  return optional_from(object.find(key), &Reader::positive_real);
}

Microarchitecture::CyclesByPrecision read_cycles(const Reader& object) {
  if (object.absent()) {
    return {};
  }
  return {positive_from(object, "fp64"), positive_from(object, "fp32")};
}

Microarchitecture::Latencies read_latencies(const Reader& object) {
  if (object.absent()) {
    return {};
  }
  return {positive_from(object, "fma"), positive_from(object, "add"), positive_from(object, "mul")};
}

Microarchitecture::IsaLimits read_limits(const Reader& object) {
  const auto positive = [&](std::string_view key) { return positive_from(object, key); };
  Microarchitecture::IsaLimits limits;
  limits.isa = read_choice<Isa>(object.at("isa"));
  limits.fma_units = positive("fma_units");
  limits.add_units = positive("add_units");
  limits.mul_units = positive("mul_units");
  limits.fma_add_units = positive("fma_add_units");
  limits.load_bytes_per_cycle = positive("load_bytes_per_cycle");
  limits.store_bytes_per_cycle = positive("store_bytes_per_cycle");
  limits.copy_bytes_per_cycle = positive("copy_bytes_per_cycle");
  limits.div_cycles = read_cycles(object.find("div_cycles"));
  limits.sqrt_cycles = read_cycles(object.find("sqrt_cycles"));
  limits.latency_cycles = read_latencies(object.find("latency_cycles"));
  return limits;
}

Microarchitecture::LevelLimit read_level(const Reader& object) {
  return {object.at("level").non_empty_text(), positive_from(object, "read_bytes_per_cycle"),
          positive_from(object, "write_bytes_per_cycle")};
}

Microarchitecture::LevelPolicy read_policy(const Reader& object) {
  return {
      object.at("level").non_empty_text(),
      object.at("policy").choice(
          {CachePolicy::inclusive, CachePolicy::non_inclusive, CachePolicy::victim}),
      object.at("write_allocate")
          .choice({WriteAllocate::always, WriteAllocate::never, WriteAllocate::when_unsaturated})};
}

Microarchitecture read_microarchitecture(const Reader& object) {
  Microarchitecture entry;
  entry.name = object.at("name").non_empty_text();
  entry.matches = list_from(object.at("matches"), read_match);
  entry.pipe_groups = read_pipe_groups(object.at("pipe_groups"));
  entry.isas = list_from(object.at("isas"), read_limits);
  entry.levels = list_from(object.at("levels"), read_level);
  entry.policies = list_from(object.at("policies"), read_policy);
  entry.notes = optional_from(object.find("notes"), [](const Reader& notes) {
                  return list_from(notes, &Reader::non_empty_text);
                }).value_or(std::vector<std::string>{});
  entry.sources = list_from(object.at("sources"), &Reader::non_empty_text);
  if (entry.sources.empty()) {
    object.find("sources").fail("must name at least one source");
  }
  return entry;
}

/// One CPU, one entry: the lookup must not depend on the order of the file.
void check_matches(const Reader& array, const std::vector<Microarchitecture>& entries) {
  std::map<std::tuple<std::string, unsigned, unsigned>, std::string_view> owners;
  const std::vector<Reader> items = array.items();
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

}  // namespace

Result<std::vector<Microarchitecture>> parse_microarchitectures(std::string_view text,
                                                                std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, [](const Reader& root) {
    const Reader array = root.at("microarchitectures");
    auto entries = list_from(array, read_microarchitecture);
    check_matches(array, entries);
    return entries;
  });
}

const std::vector<Microarchitecture>& known_microarchitectures() {
  static const std::vector<Microarchitecture> known = [] {
    auto parsed =
        parse_microarchitectures(kEmbeddedMicroarchitectures, "machines/microarchitectures.json");
    assert(parsed.has_value());  // a test parses the same text
    return parsed.value_or(std::vector<Microarchitecture>{});
  }();
  return known;
}

}  // namespace ridge::serialize
