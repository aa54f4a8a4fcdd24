#include "serialize/specification.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

#include <fmt/core.h>

#include "serialize/embedded_specifications.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/specification_checks.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.specification/1";
constexpr std::string_view kHint = "docs/formats/README.md describes ridge.specification/1";

// ---- reading ----

Figure read_figure(const Reader& object, std::string_view unit) {
  Figure figure;
  figure.value = object.at("value").positive_real();
  check_unit(object, figure.value, unit);
  figure.origin = optional_from(object.find("origin"), [](const Reader& origin) {
                    return origin.choice(
                        {Origin::datasheet, Origin::measured, Origin::modelled, Origin::assumed});
                  }).value_or(Origin::assumed);
  figure.source = optional_from(object.find("source"), &Reader::non_empty_text);
  figure.verified = optional_from(object.find("verified"), &Reader::flag).value_or(true);
  return figure;
}

PublishedPeak read_peak(const Reader& object) {
  PublishedPeak peak;
  peak.precision = object.at("precision").non_empty_text();
  peak.pipes = optional_from(object.find("pipes"), [](const Reader& value) {
                 return value.choice({Pipes::vector, Pipes::matrix});
               }).value_or(Pipes::vector);
  peak.basis = optional_from(object.find("basis"), [](const Reader& value) {
                 return value.choice({Basis::theoretical, Basis::sustained});
               }).value_or(Basis::theoretical);
  peak.operation = optional_from(object.find("operation"), &Reader::non_empty_text);
  peak.figure = read_figure(object, rate_unit(peak.precision));
  return peak;
}

PublishedBandwidth read_bandwidth(const Reader& object) {
  PublishedBandwidth bandwidth;
  bandwidth.level = object.at("level").non_empty_text();
  bandwidth.basis = optional_from(object.find("basis"), [](const Reader& value) {
                      return value.choice({Basis::theoretical, Basis::sustained});
                    }).value_or(Basis::theoretical);
  bandwidth.pattern = optional_from(object.find("pattern"), &Reader::non_empty_text);
  bandwidth.figure = read_figure(object, "byte/s");
  return bandwidth;
}

PublishedCache read_cache(const Reader& object) {
  PublishedCache cache;
  cache.level = object.at("level").non_empty_text();
  const Reader per = object.find("per");
  if (!per.absent() && per.text() != "core") {
    per.fail("must be \"core\" or absent");
  }
  cache.per_core = !per.absent();
  cache.size = read_figure(object, "byte");
  return cache;
}

PublishedLink read_link(const Reader& object) {
  PublishedLink link;
  link.name = object.at("name").non_empty_text();
  const Reader directions = object.at("directions");
  link.both_directions = directions.text() == "both";
  if (!link.both_directions && directions.text() != "one") {
    directions.fail("must be \"one\" or \"both\"");
  }
  link.generation = optional_from(object.find("generation"), &Reader::positive);
  link.figure = read_figure(object, "byte/s");
  return link;
}

std::map<std::string, Figure> read_costs(const Reader& array, std::string_view key,
                                         std::string_view unit) {
  std::map<std::string, Figure> costs;
  for (const Reader& item : array.absent() ? std::vector<Reader>{} : array.items()) {
    const std::string name = item.at(key).non_empty_text();
    if (!costs.emplace(name, read_figure(item, unit)).second) {
      item.at(key).fail("stands there twice");
    }
  }
  return costs;
}

PublishedEnergy read_energy(const Reader& object) {
  PublishedEnergy energy;
  if (!object.absent()) {
    energy.per_flop = read_costs(object.find("per_flop"), "precision", "J/flop");
    energy.per_byte = read_costs(object.find("per_byte"), "level", "J/byte");
    energy.constant_power = optional_from(
        object.find("constant_power"), [](const Reader& power) { return read_figure(power, "W"); });
  }
  return energy;
}

template <class Read>
auto optional_list(const Reader& array, Read read) {
  return array.absent() ? decltype(list_from(array, read)){} : list_from(array, read);
}

Specification read_specification(const Reader& root) {
  const auto figure = [&](std::string_view key, std::string_view unit) {
    return optional_from(root.find(key),
                         [&](const Reader& object) { return read_figure(object, unit); });
  };
  Specification machine;
  machine.name = root.at("name").non_empty_text();
  machine.kind =
      optional_from(root.find("kind"), [](const Reader& kind) {
        return kind.choice({MachineKind::cpu, MachineKind::gpu, MachineKind::accelerator});
      }).value_or(MachineKind::cpu);
  machine.cores = figure("cores", "core");
  machine.clock = figure("clock", "Hz");
  machine.boost_clock = figure("boost_clock", "Hz");
  machine.fp64_flops_per_cycle_and_core = figure("fp64_flops_per_cycle_and_core", "flop/cycle");
  machine.caches = optional_list(root.find("caches"), read_cache);
  machine.memories = optional_list(root.find("memories"), [](const Reader& object) {
    return PublishedMemory{object.at("level").non_empty_text(), read_figure(object, "byte")};
  });
  machine.peaks = list_from(root.at("peaks"), read_peak);
  machine.bandwidths = list_from(root.at("bandwidths"), read_bandwidth);
  machine.links = optional_list(root.find("links"), read_link);
  machine.fma_shares_pipe = optional_from(root.find("fma_shares_pipe"), &Reader::flag);
  machine.energy = read_energy(root.find("energy"));
  machine.notes = optional_list(root.find("notes"), &Reader::non_empty_text);
  if (const Reader sources = root.find("sources"); !sources.absent()) {
    for (const auto& [key, text] : sources.members()) {
      machine.sources[key] = text.non_empty_text();
    }
  }
  check_consistency(root, machine);
  return machine;
}

// ---- writing ----

void write_figure_members(Writer& writer, const Figure& figure, std::string_view unit) {
  writer.member("value", figure.value);
  writer.member("unit", unit);
  writer.member("origin", to_string(figure.origin));
  writer.member("source", figure.source);
  if (!figure.verified) {
    writer.member("verified", false);
  }
}

void write_figure(Writer& writer, std::string_view key, const std::optional<Figure>& figure,
                  std::string_view unit) {
  if (figure) {
    writer.object(key, [&] { write_figure_members(writer, *figure, unit); });
  }
}

void write_rates(Writer& writer, const Specification& machine) {
  writer.objects("peaks", machine.peaks, [&](const PublishedPeak& peak) {
    writer.member("precision", peak.precision);
    writer.member("pipes", to_string(peak.pipes));
    writer.member("basis", to_string(peak.basis));
    writer.member("operation", peak.operation);
    write_figure_members(writer, peak.figure, rate_unit(peak.precision));
  });
  writer.objects("bandwidths", machine.bandwidths, [&](const PublishedBandwidth& bandwidth) {
    writer.member("level", bandwidth.level);
    writer.member("basis", to_string(bandwidth.basis));
    writer.member("pattern", bandwidth.pattern);
    write_figure_members(writer, bandwidth.figure, "byte/s");
  });
  if (!machine.links.empty()) {
    writer.objects("links", machine.links, [&](const PublishedLink& link) {
      writer.member("name", link.name);
      writer.member("directions", link.both_directions ? "both" : "one");
      writer.member("generation", link.generation);
      write_figure_members(writer, link.figure, "byte/s");
    });
  }
}

void write_costs(Writer& writer, std::string_view list, std::string_view key, std::string_view unit,
                 const std::map<std::string, Figure>& costs) {
  if (!costs.empty()) {
    writer.objects(list, costs, [&](const auto& cost) {
      writer.member(key, cost.first);
      write_figure_members(writer, cost.second, unit);
    });
  }
}

void write_energy(Writer& writer, const PublishedEnergy& energy) {
  if (!energy.empty()) {
    writer.object("energy", [&] {
      write_costs(writer, "per_flop", "precision", "J/flop", energy.per_flop);
      write_costs(writer, "per_byte", "level", "J/byte", energy.per_byte);
      write_figure(writer, "constant_power", energy.constant_power, "W");
    });
  }
}

void write_sizes(Writer& writer, const Specification& machine) {
  if (!machine.caches.empty()) {
    writer.objects("caches", machine.caches, [&](const PublishedCache& cache) {
      writer.member("level", cache.level);
      if (cache.per_core) {
        writer.member("per", "core");
      }
      write_figure_members(writer, cache.size, "byte");
    });
  }
  if (!machine.memories.empty()) {
    writer.objects("memories", machine.memories, [&](const PublishedMemory& memory) {
      writer.member("level", memory.level);
      write_figure_members(writer, memory.size, "byte");
    });
  }
}

void write_members(Writer& writer, const Specification& machine) {
  writer.member("name", machine.name);
  writer.member("kind", to_string(machine.kind));
  write_figure(writer, "cores", machine.cores, "core");
  write_figure(writer, "clock", machine.clock, "Hz");
  write_figure(writer, "boost_clock", machine.boost_clock, "Hz");
  write_figure(writer, "fp64_flops_per_cycle_and_core", machine.fp64_flops_per_cycle_and_core,
               "flop/cycle");
  write_sizes(writer, machine);
  write_rates(writer, machine);
  writer.member("fma_shares_pipe", machine.fma_shares_pipe);
  write_energy(writer, machine.energy);
  if (!machine.notes.empty()) {
    writer.strings("notes", machine.notes);
  }
  if (!machine.sources.empty()) {
    writer.object("sources", [&] {
      for (const auto& [key, text] : machine.sources) {
        writer.member(key, text);
      }
    });
  }
}

/// Of every precision and kind of pipes that has a peak of this basis.
void write_ridge_points(Writer& writer, const Specification& machine) {
  struct Row {
    const PublishedPeak* peak;
    double intensity;
  };
  std::vector<Row> rows;
  for (const PublishedPeak& peak : machine.peaks) {
    const auto intensity = ridge_point(machine, peak.precision, peak.pipes, peak.basis);
    if (intensity && highest_peak(machine, peak.precision, peak.pipes, peak.basis) == &peak) {
      rows.push_back({&peak, *intensity});
    }
  }
  writer.objects("ridge_points", rows, [&](const Row& row) {
    writer.member("precision", row.peak->precision);
    writer.member("pipes", to_string(row.peak->pipes));
    writer.member("basis", to_string(row.peak->basis));
    writer.member("level", main_memory(machine));
    writer.member("intensity", row.intensity);
    writer.member("unit", rate_unit(row.peak->precision) == "op/s" ? "op/byte" : "flop/byte");
  });
}

}  // namespace

Result<Specification> parse_specification(std::string_view text, std::string_view file_name,
                                          std::string_view key) {
  auto parsed = read_file(text, file_name, kSchema, kHint, read_specification);
  if (parsed) {
    parsed->key = key;
  }
  return parsed;
}

std::string write_specification(const Specification& machine) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, machine);
  return writer.finish();
}

std::string write_specifications(const std::vector<Specification>& machines) {
  Writer writer;
  writer.member("schema", "ridge.machines/1");
  writer.objects("machines", machines, [&](const Specification& machine) {
    writer.member("key", machine.key);
    write_members(writer, machine);
    write_ridge_points(writer, machine);
  });
  return writer.finish();
}

const std::vector<Specification>& known_specifications() {
  static const std::vector<Specification> known = [] {
    std::vector<Specification> machines;
    for (const EmbeddedSpecification& file : embedded_specifications()) {
      auto parsed = parse_specification(file.text, file.key, file.key);
      assert(parsed.has_value());  // a test parses the same texts
      if (parsed) {
        machines.push_back(std::move(*parsed));
      }
    }
    return machines;
  }();
  return known;
}

}  // namespace ridge::serialize
