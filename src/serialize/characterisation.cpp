#include "serialize/characterisation_value.hpp"
#include "serialize/estimate_value.hpp"
#include "serialize/identity_value.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/region_value.hpp"

namespace ridge::serialize {
namespace {

// ---- writing ----

void write_roof(Writer& writer, const MeasuredRoof& roof) {
  writer.member("level", roof.level);
  writer.member("precision", roof.precision);
  writer.member("isa", roof.isa);
  writer.member("threads", roof.threads);
  writer.member("compute", roof.compute);
  writer.member("bandwidth", roof.bandwidth);
  writer.objects("points", roof.points, [&](const RoofPoint& point) {
    writer.member("intensity", point.intensity.value());
    write_estimate(writer, "value", point.value, "flop/s");
    writer.member("fraction", point.fraction);
  });
  if (const RoofPoint* least = greatest_shortfall(roof)) {
    writer.object("greatest_shortfall", [&] {
      writer.member("intensity", least->intensity.value());
      writer.member("fraction", least->fraction);
    });
  }
}

void write_saturation(Writer& writer, const Saturation& curve) {
  writer.member("level", curve.level);
  writer.member("pattern", curve.pattern);
  writer.member("isa", curve.isa);
  writer.objects("points", curve.points, [&](const Saturation::Point& point) {
    writer.member("threads", point.threads);
    writer.member("p90", point.p90.value());
  });
  writer.member("n_sat", curve.threads);
}

/// Derived from the ceilings, for readers of the file.
void write_saturations(Writer& writer, const Machine& machine) {
  std::vector<Saturation> curves;
  for (const MemoryNode& memory : machine.memories) {
    for (const Pattern pattern : {Pattern::load, Pattern::copy, Pattern::triad}) {
      if (auto curve = saturation_of(machine, memory.level, pattern)) {
        curves.push_back(std::move(*curve));
      }
    }
  }
  writer.objects("saturation", curves,
                 [&](const Saturation& curve) { write_saturation(writer, curve); });
}

/// Derived as well.
void write_concurrency(Writer& writer, const Concurrency& concurrency) {
  writer.member("level", concurrency.level);
  writer.member("lines", concurrency.lines);
  writer.member("origin", to_string(Origin::modelled));
  writer.member("bandwidth", concurrency.bandwidth);
  writer.member("latency", concurrency.latency);
}

void write_sustained(Writer& writer, const Sustained& sustained) {
  writer.member("ceiling", sustained.ceiling);
  writer.member("seconds", sustained.duration.value());
  write_estimate(writer, "value", sustained.value);
  write_estimate(writer, "clock", sustained.clock, "Hz");
  writer.member("clock_at_start_hertz", sustained.clock_at_start.value());
}

void write_numa(Writer& writer, const NumaEntry& entry) {
  writer.member("cpu_node", entry.cpu_node);
  writer.member("memory_node", entry.memory_node);
  writer.member("memory", entry.memory);
  writer.member("threads", entry.threads);
  if (entry.load) {
    write_estimate(writer, "load", *entry.load, "byte/s");
  }
  if (entry.latency) {
    write_estimate(writer, "latency", *entry.latency, "s");
  }
}

template <class Items, class Each>
void write_some(Writer& writer, std::string_view key, const Items& items, Each each) {
  if (!items.empty()) {
    writer.objects(key, items, [&](const auto& item) { each(writer, item); });
  }
}

// ---- reading ----

/// The unit decides which quantity it is.
CeilingEstimate read_rate(const Reader& object) {
  const std::string unit = object.at("unit").text();
  if (unit == "byte/s") {
    return read_estimate<BytesPerSecond>(object);
  }
  return read_estimate<FlopsPerSecond>(object, "flop/s", "a rate");
}

RoofPoint read_point(const Reader& object) {
  return {FlopsPerByte(object.at("intensity").positive_real()),
          read_estimate<FlopsPerSecond>(object.at("value"), "flop/s", "a roof"),
          object.at("fraction").positive_real()};
}

MeasuredRoof read_roof(const Reader& object) {
  MeasuredRoof roof;
  roof.level = object.at("level").non_empty_text();
  roof.precision = object.at("precision").non_empty_text();
  roof.isa = read_isa(object.at("isa"));
  roof.threads = object.at("threads").positive();
  roof.compute = object.at("compute").non_empty_text();
  roof.bandwidth = object.at("bandwidth").non_empty_text();
  roof.points = list_from(object.at("points"), read_point);
  for (std::size_t i = 1; i < roof.points.size(); ++i) {
    if (!(roof.points[i - 1].intensity < roof.points[i].intensity)) {
      object.at("points").fail("must have ascending intensities");
    }
  }
  return roof;
}

Sustained read_sustained(const Reader& object) {
  return {object.at("ceiling").non_empty_text(), Seconds(object.at("seconds").positive_real()),
          read_rate(object.at("value")), read_estimate<Hertz>(object.at("clock"), "Hz", "a clock"),
          Hertz(object.at("clock_at_start_hertz").positive_real())};
}

Siblings read_siblings(const Reader& object) {
  return {object.at("ceiling").non_empty_text(), object.at("threads").positive(),
          read_rate(object.at("value"))};
}

NumaEntry read_numa(const Reader& object) {
  NumaEntry entry;
  entry.cpu_node = object.at("cpu_node").natural();
  entry.memory_node = object.at("memory_node").natural();
  entry.memory = object.at("memory").non_empty_text();
  entry.threads = object.at("threads").positive();
  entry.load = optional_from(object.find("load"), [](const Reader& value) {
    return read_estimate<BytesPerSecond>(value, "byte/s", "a bandwidth");
  });
  entry.latency = optional_from(object.find("latency"), [](const Reader& value) {
    return read_estimate<Seconds>(value, "s", "a latency");
  });
  return entry;
}

template <class Read>
auto some_from(const Reader& array, Read read) {
  using Values = decltype(list_from(array, read));
  return array.absent() ? Values{} : list_from(array, read);
}

}  // namespace

void write_characterisation_members(Writer& writer, const Machine& machine) {
  writer.member("effort", machine.effort);
  if (machine.incomplete) {
    writer.member("incomplete", true);
  }
  write_some(writer, "measured_roofs", machine.measured_roofs, write_roof);
  if (machine.effort) {  // files of earlier versions are given back as they were
    write_saturations(writer, machine);
  }
  if (const auto lines = concurrency_of(machine); !lines.empty()) {
    writer.objects("concurrency", lines,
                   [&](const Concurrency& level) { write_concurrency(writer, level); });
  }
  write_some(writer, "sustained", machine.sustained, write_sustained);
  write_some(writer, "siblings", machine.siblings, [](Writer& to, const Siblings& siblings) {
    to.member("ceiling", siblings.ceiling);
    to.member("threads", siblings.threads);
    write_estimate(to, "value", siblings.value);
  });
  write_some(writer, "numa", machine.numa, write_numa);
  if (!machine.notes.empty()) {
    write_notes(writer, machine.notes);
  }
}

void read_characterisation_members(const Reader& object, Machine& machine) {
  machine.effort = optional_from(object.find("effort"), &Reader::non_empty_text);
  machine.incomplete = optional_from(object.find("incomplete"), &Reader::flag).value_or(false);
  machine.measured_roofs = some_from(object.find("measured_roofs"), read_roof);
  machine.sustained = some_from(object.find("sustained"), read_sustained);
  machine.siblings = some_from(object.find("siblings"), read_siblings);
  machine.numa = some_from(object.find("numa"), read_numa);
  machine.notes = optional_from(object.find("notes"), read_notes).value_or(std::vector<Note>{});
}

}  // namespace ridge::serialize
