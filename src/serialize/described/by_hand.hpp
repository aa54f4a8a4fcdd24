// Parts of described values that have readers and writers of their own.
#pragma once

#include <string_view>
#include <vector>

#include "core/value/caches_elsewhere.hpp"
#include "core/value/machine.hpp"
#include "serialize/caches_value.hpp"
#include "serialize/described/kinds.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/machine_value.hpp"

namespace ridge::serialize {

template <>
struct ByHand<Machine> {
  static constexpr std::string_view schema = "ridge.machine-1.schema.json";
  static constexpr std::string_view name = "Machine";
  static void write(Writer& writer, std::string_view key, const Machine& machine) {
    writer.object(key, [&] { write_machine_members(writer, machine); });
  }
  static Machine read(const Reader& value) { return read_machine(value); }
};

template <>
struct ByHand<std::vector<CachesElsewhere>> {
  static constexpr std::string_view schema = "ridge.caches-1.schema.json#/$defs/elsewhere";
  static constexpr std::string_view name = "CachesElsewhere[]";
  static void write(Writer& writer, std::string_view /*key*/,
                    const std::vector<CachesElsewhere>& caches) {
    write_caches_elsewhere(writer, caches);
  }
  static std::vector<CachesElsewhere> read(const Reader& value) {
    return read_caches_elsewhere(value);
  }
};

}  // namespace ridge::serialize
