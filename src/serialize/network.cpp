#include "serialize/network.hpp"

#include "serialize/json_writer.hpp"

namespace ridge::serialize {
namespace {

void write_notes(Writer& writer, const std::vector<Note>& notes) {
  writer.objects("notes", notes, [&](const Note& note) {
    writer.member("code", note.code);
    writer.member("text", note.text);
  });
}

void write_calls(Writer& writer, const std::map<std::string, std::uint64_t>& calls) {
  writer.object("calls", [&] {
    for (const auto& [name, count] : calls) {
      writer.member(name, count);
    }
  });
}

void write_layer(Writer& writer, const NetworkLayer& layer) {
  writer.member("name", layer.name);
  writer.member("operation", layer.operation);
  writer.member("kind", to_string(layer.kind));
  if (!layer.fused.empty()) {
    writer.strings("fused", layer.fused);
  }
  if (!layer.precision.empty()) {
    writer.member("precision", layer.precision);
  }
  writer.member("flops", layer.flops);
  writer.member("intops", layer.intops);
  write_calls(writer, layer.calls);
  writer.object("bytes", [&] {
    writer.member("weights", layer.weight_bytes);
    writer.member("read", layer.read_bytes);
    writer.member("written", layer.written_bytes);
  });
  writer.member("intensity", intensity_of(layer));
  if (!layer.formula.empty()) {
    writer.member("formula", layer.formula);
  }
  if (!layer.remarks.empty()) {
    writer.strings("remarks", layer.remarks);
  }
}

void write_totals(Writer& writer, const Network& network) {
  const NetworkTotals totals = totals_of(network);
  writer.object("totals", [&] {
    writer.member("flops", totals.flops);
    writer.member("intops", totals.intops);
    write_calls(writer, totals.calls);
    writer.object("bytes", [&] {
      writer.member("weights", totals.weight_bytes);
      writer.member("read", totals.read_bytes);
      writer.member("written", totals.written_bytes);
    });
    writer.member("layers_without_flops", totals.without_flops);
    writer.member("layers_without_bytes", totals.without_bytes);
  });
}

void write_time(Writer& writer, const LayerTime& time, const NetworkTimes& times) {
  writer.member("compute_seconds", time.compute_seconds);
  writer.member("memory_seconds", time.memory_seconds);
  writer.member("seconds", time.seconds);
  if (time.bound) {
    writer.member("bound", times.roofs[*time.bound].name);
  }
  if (time.incomplete) {
    writer.member("incomplete", true);
  }
}

void write_machine_times(Writer& writer, const NetworkTimes& times) {
  writer.member("machine", times.machine);
  writer.member("name", times.machine_name);
  writer.objects("roofs", times.roofs, [&](const NetworkRoof& roof) {
    writer.member("name", roof.name);
    writer.member("value", roof.rate);
    writer.member("unit", roof.unit);
    writer.member("basis", to_string(roof.basis));
    writer.member("origin", to_string(roof.origin));
    if (!roof.verified) {
      writer.member("verified", false);
    }
  });
  writer.member("seconds", times.seconds);
  writer.member("seconds_without_overlap", times.seconds_without_overlap);
  writer.member("incomplete_layers", times.incomplete_layers);
  writer.objects("layers", times.layers,
                 [&](const LayerTime& time) { write_time(writer, time, times); });
  write_notes(writer, times.notes);
}

}  // namespace

std::string write_network(const Network& network, const std::vector<NetworkTimes>& times) {
  Writer writer;
  writer.member("schema", "ridge.network/1");
  writer.member("name", network.name);
  if (!network.precision.empty()) {
    writer.member("precision", network.precision);
  }
  writer.member("fused", network.fused);
  writer.object("origins", [&] {
    writer.member("work", "modelled");
    writer.member("bytes", "modelled");
    writer.member("seconds", "modelled");
  });
  writer.member("weight_bytes", network.weight_bytes);
  write_totals(writer, network);
  writer.objects("layers", network.layers,
                 [&](const NetworkLayer& layer) { write_layer(writer, layer); });
  writer.objects("machines", times,
                 [&](const NetworkTimes& one) { write_machine_times(writer, one); });
  write_notes(writer, network.notes);
  return writer.finish();
}

}  // namespace ridge::serialize
