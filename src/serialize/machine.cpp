#include "serialize/machine.hpp"

#include <cmath>
#include <set>

#include <fmt/core.h>

#include "serialize/characterisation_value.hpp"
#include "serialize/estimate_value.hpp"
#include "serialize/identity_value.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/machine_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kHint =
    "correct the value, or measure again: ridge bench -o FILE --force";

// ---- writing ----

void write_clock(Writer& writer, const Clock& clock) {
  writer.object("clock", [&] {
    if (clock.core) {
      writer.object("core", [&] { write_estimate_members(writer, *clock.core, "Hz"); });
    }
    writer.member("tsc_hertz", clock.tsc_hertz);
    writer.member("uncertainty", clock.uncertainty);
  });
}

void write_ceiling(Writer& writer, const Ceiling& ceiling) {
  writer.member("id", ceiling.id);
  writer.member("kind", to_string(ceiling.kind));
  writer.member("precision", ceiling.precision);
  writer.member("isa", ceiling.isa);
  writer.member("operation", ceiling.operation);
  writer.member("level", ceiling.level);
  writer.member("pattern", ceiling.pattern);
  writer.member("threads", ceiling.threads);
  writer.member("device", ceiling.device);
  write_estimate(writer, "value", ceiling.value);
  if (ceiling.traffic_value) {
    write_estimate(writer, "traffic_value", *ceiling.traffic_value);
  }
  writer.member("limit", ceiling.limit);
  writer.member("limit_fraction", ceiling.limit_fraction);
  writer.member("source", ceiling.source);
  writer.strings("flags", ceiling.flags);
  if (ceiling.clock) {
    writer.member("clock_hertz", ceiling.clock->value());
  }
  if (ceiling.cycles) {
    write_estimate(writer, "cycles", *ceiling.cycles, "cycle");
  }
  if (!ceiling.modes.empty()) {
    writer.objects("modes", ceiling.modes, [&](const Mode& mode) {
      writer.member("value", mode.value);
      writer.member("share", mode.share);
    });
  }
}

void write_cache(Writer& writer, const Cache& cache) {
  writer.member("level", cache.level);
  writer.member("size_bytes", cache.size_bytes);
  writer.member("ways", cache.ways);
  writer.member("line_bytes", cache.line_bytes);
  writer.member("shared_by_threads", cache.shared_by_threads);
  writer.member("policy", to_string(cache.policy));
  writer.member("write_allocate", to_string(cache.write_allocate));
}

void write_cpu_and_topology(Writer& writer, const Machine& machine) {
  writer.object("cpu", [&] {
    writer.member("vendor", machine.cpu.vendor);
    writer.member("name", machine.cpu.name);
    writer.member("family", machine.cpu.family);
    writer.member("model", machine.cpu.model);
    writer.member("stepping", machine.cpu.stepping);
  });
  writer.object("topology", [&] {
    writer.member("sockets", machine.topology.sockets);
    writer.member("numa_nodes", machine.topology.numa_nodes);
    writer.member("cores", machine.topology.cores);
    writer.member("threads", machine.topology.threads);
  });
}

// ---- reading ----

CeilingEstimate read_ceiling_estimate(const Reader& object, CeilingKind kind) {
  switch (kind) {
    case CeilingKind::compute:
      if (object.at("unit").text() == "op/s") {
        return read_estimate<IntOpsPerSecond>(object);
      }
      expect_unit(object, "flop/s", "a compute ceiling");
      return read_estimate<FlopsPerSecond>(object);
    case CeilingKind::bandwidth:
      expect_unit(object, "byte/s", "a bandwidth ceiling");
      return read_estimate<BytesPerSecond>(object);
    case CeilingKind::latency:
      break;
  }
  expect_unit(object, "s", "a latency ceiling");
  return read_estimate<Seconds>(object);
}

/// limit_fraction is derived, yet kept: the two say the same thing, or one of them was mistyped.
void check_limit(const Reader& object, const Ceiling& ceiling) {
  constexpr double kTolerance = 0.01;
  if (ceiling.limit.has_value() != ceiling.limit_fraction.has_value()) {
    object.fail(ceiling.limit ? "has a limit but no limit_fraction (p90 / limit)"
                              : "has a limit_fraction but no limit");
    return;
  }
  if (!ceiling.limit) {
    return;
  }
  const double expected = p90_of(ceiling.value) / *ceiling.limit;
  if (!(std::abs(*ceiling.limit_fraction - expected) <= kTolerance * expected)) {
    object.find("limit_fraction")
        .fail(fmt::format("is {}, but p90 / limit is {}", *ceiling.limit_fraction, expected));
  }
}

std::vector<Mode> read_modes(const Reader& array) {
  return list_from(array, [](const Reader& mode) {
    return Mode{mode.at("value").positive_real(), mode.at("share").positive_real()};
  });
}

Ceiling read_ceiling(const Reader& object) {
  Ceiling ceiling;
  ceiling.id = object.at("id").non_empty_text();
  ceiling.kind = object.at("kind").choice(
      {CeilingKind::compute, CeilingKind::bandwidth, CeilingKind::latency});
  ceiling.precision = optional_from(object.find("precision"), &Reader::non_empty_text);
  ceiling.isa = optional_from(object.find("isa"), read_isa);
  ceiling.operation = optional_from(object.find("operation"), read_operation);
  ceiling.level = optional_from(object.find("level"), &Reader::non_empty_text);
  ceiling.pattern = optional_from(object.find("pattern"), read_pattern);
  ceiling.threads = object.at("threads").positive();
  ceiling.device = optional_from(object.find("device"), &Reader::text);
  ceiling.value = read_ceiling_estimate(object.at("value"), ceiling.kind);
  ceiling.traffic_value = optional_from(object.find("traffic_value"), [&](const Reader& value) {
    return read_ceiling_estimate(value, ceiling.kind);
  });
  ceiling.limit = optional_from(object.find("limit"), &Reader::positive_real);
  ceiling.limit_fraction = optional_from(object.find("limit_fraction"), &Reader::positive_real);
  ceiling.source = optional_from(object.find("source"), &Reader::text);
  ceiling.flags = list_from(object.at("flags"), &Reader::text);
  ceiling.clock = optional_from(object.find("clock_hertz"),
                                [](const Reader& clock) { return Hertz(clock.positive_real()); });
  ceiling.cycles = optional_from(object.find("cycles"), [](const Reader& cycles) {
    return read_estimate<Cycles>(cycles, "cycle", "cycles");
  });
  ceiling.modes = optional_from(object.find("modes"), read_modes).value_or(std::vector<Mode>{});
  check_limit(object, ceiling);
  return ceiling;
}

std::vector<Ceiling> read_ceilings(const Reader& array) {
  std::vector<Ceiling> ceilings;
  std::set<std::string> ids;
  for (const Reader& item : array.items()) {
    ceilings.push_back(read_ceiling(item));
    if (!ids.insert(ceilings.back().id).second) {
      item.find("id").fail(fmt::format("stands twice: {}", quote_for_message(ceilings.back().id)));
    }
  }
  return ceilings;
}

Cache read_cache(const Reader& object) {
  Cache cache;
  cache.level = object.at("level").non_empty_text();
  cache.size_bytes = object.at("size_bytes").count_between(1, UINT64_MAX);
  cache.ways = object.at("ways").positive();
  cache.line_bytes = object.at("line_bytes").positive();
  cache.shared_by_threads = object.at("shared_by_threads").positive();
  cache.policy = object.at("policy").choice(
      {CachePolicy::inclusive, CachePolicy::non_inclusive, CachePolicy::victim});
  cache.write_allocate =
      object.at("write_allocate")
          .choice({WriteAllocate::always, WriteAllocate::never, WriteAllocate::when_unsaturated});
  const std::uint64_t one_set = std::uint64_t{cache.ways} * cache.line_bytes;
  if (cache.size_bytes < one_set) {
    object.find("size_bytes")
        .fail(fmt::format("must be at least ways * line_bytes = {}, is {}", one_set,
                          cache.size_bytes));
  }
  return cache;
}

std::vector<Cache> read_caches(const Reader& array) {
  std::vector<Cache> caches;
  std::set<std::string> levels;
  for (const Reader& item : array.items()) {
    caches.push_back(read_cache(item));
    if (!levels.insert(caches.back().level).second) {
      item.find("level").fail(
          fmt::format("stands twice: {}", quote_for_message(caches.back().level)));
    }
  }
  return caches;
}

std::vector<MemoryNode> read_memories(const Reader& array) {
  auto memories = list_from(array, [](const Reader& object) {
    const auto at_least_one = [](const Reader& value) {
      return value.count_between(1, UINT64_MAX);
    };
    return MemoryNode{object.at("level").non_empty_text(),
                      optional_from(object.find("size_bytes"), at_least_one)};
  });
  if (memories.empty()) {
    array.fail("must name at least one memory");
  }
  return memories;
}

Clock read_clock(const Reader& object) {
  Clock clock;
  clock.core = optional_from(object.find("core"), [](const Reader& core) {
    expect_unit(core, "Hz", "a clock");
    return read_estimate<Hertz>(core);
  });
  clock.tsc_hertz = optional_from(object.find("tsc_hertz"), &Reader::positive_real);
  clock.uncertainty = optional_from(object.find("uncertainty"), &Reader::non_negative_real);
  return clock;
}

CpuIdentity read_cpu(const Reader& object) {
  return {object.at("vendor").text(), object.at("name").text(), object.at("family").natural(),
          object.at("model").natural(), object.at("stepping").natural()};
}

Topology read_topology(const Reader& object) {
  return {object.at("sockets").positive(), object.at("numa_nodes").positive(),
          object.at("cores").positive(), object.at("threads").positive()};
}

}  // namespace

void write_machine_members(Writer& writer, const Machine& machine) {
  writer.member("schema", kMachineSchema);
  writer.member("ridge_version", machine.ridge_version);
  writer.member("name", machine.name);
  writer.member("date", machine.date);
  writer.member("host", machine.host);
  write_cpu_and_topology(writer, machine);
  writer.objects("caches", machine.caches, [&](const Cache& c) { write_cache(writer, c); });
  writer.objects("memories", machine.memories, [&](const MemoryNode& memory) {
    writer.member("level", memory.level);
    writer.member("size_bytes", memory.size_bytes);
  });
  write_clock(writer, machine.clock);
  writer.objects("ceilings", machine.ceilings,
                 [&](const Ceiling& ceiling) { write_ceiling(writer, ceiling); });
  write_characterisation_members(writer, machine);
}

Machine read_machine(const Reader& object) {
  Machine machine;
  check_schema(object, kMachineSchema);
  machine.ridge_version = object.at("ridge_version").text();
  machine.name = object.at("name").text();
  machine.date = object.at("date").text();
  machine.host = optional_from(object.find("host"), &Reader::text);
  machine.cpu = read_cpu(object.at("cpu"));
  machine.topology = read_topology(object.at("topology"));
  machine.caches = read_caches(object.at("caches"));
  machine.memories = read_memories(object.at("memories"));
  machine.clock = read_clock(object.at("clock"));
  machine.ceilings = read_ceilings(object.at("ceilings"));
  read_characterisation_members(object, machine);
  return machine;
}

Result<Machine> parse_machine(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kMachineSchema, kHint, read_machine);
}

std::string write_machine(const Machine& machine) {
  Writer writer;
  write_machine_members(writer, machine);
  return writer.finish();
}

}  // namespace ridge::serialize
