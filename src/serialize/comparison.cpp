#include "serialize/comparison.hpp"

#include <string_view>

#include "serialize/comparison_value.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/note_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.comparison/1";
constexpr std::string_view kMachineSchema = "ridge.machine-comparison/1";

void write_value(Writer& writer, const RegionFigure& figure) {
  if (figure.count) {
    writer.member("value", *figure.count);
  } else {
    writer.member("value", figure.value);
  }
  writer.member("low", figure.low);
  writer.member("high", figure.high);
  writer.member("origin", to_string(figure.origin));
  writer.member("doubtful", figure.doubtful);
}

void write_figure(Writer& writer, const RegionFigure& figure) {
  writer.member("quantity", figure.quantity);
  writer.member("unit", figure.unit);
  write_value(writer, figure);
}

void write_place(Writer& writer, const Place& place) {
  writer.member("result", std::uint64_t{place.result});
  writer.member("region", place.region);
  writer.member("name", place.name);
  writer.member("function", place.function);
  writer.member("file", place.file);
  writer.member("line", place.line);
  writer.member("threads", place.threads);
  if (place.partial) {
    writer.member("partial", true);
  }
  writer.member("matched_by", to_string(place.matched_by));
  writer.member("limit", place.limit);
  writer.member("ceiling", place.ceiling);
  writer.member("fraction", place.fraction);
  writer.objects("figures", place.figures,
                 [&](const RegionFigure& figure) { write_figure(writer, figure); });
}

void write_change(Writer& writer, const Change& change) {
  writer.member("quantity", change.quantity);
  writer.member("unit", change.unit);
  if (change.before) {
    writer.object("before", [&] { write_value(writer, *change.before); });
  }
  if (change.after) {
    writer.object("after", [&] { write_value(writer, *change.after); });
  }
  writer.member("ratio", change.ratio);
  writer.member("verdict", to_string(change.verdict));
}

void write_loop(Writer& writer, const ComparedLoop& loop) {
  const Place& last = loop.places.back();
  writer.member("kind", to_string(loop.kind));
  writer.member("name", last.name);
  writer.member("label", loop.label.empty() ? std::nullopt : std::optional(loop.label));
  writer.member("function", last.function);
  writer.objects("places", loop.places, [&](const Place& place) { write_place(writer, place); });
  writer.objects("steps", loop.steps, [&](const LoopStep& step) {
    writer.member("step", std::uint64_t{step.step});
    writer.objects("changes", step.changes,
                   [&](const Change& change) { write_change(writer, change); });
  });
}

void write_result(Writer& writer, const ComparedResult& result) {
  writer.member("label", result.label);
  writer.strings("argv", result.argv);
  writer.member("date", result.date);
  writer.member("machine", result.machine);
  writer.member("host", result.host);
  writer.member("compiler", result.compiler);
  writer.member("processes", std::uint64_t{result.processes});
  writer.member("threads", result.threads);
  writer.member("seconds", result.seconds);
  writer.member("exit_code", result.exit_code);
  writer.member("signal", result.signal);
  writer.strings("levels", result.levels);
}

void write_step(Writer& writer, const ComparedStep& step) {
  const auto ids = [](const std::vector<std::uint32_t>& from) {
    return std::vector<std::uint64_t>(from.begin(), from.end());
  };
  writer.member("from", std::uint64_t{step.from});
  writer.member("to", std::uint64_t{step.to});
  writer.member("times_comparable", step.times_comparable);
  writer.member("traffic_comparable", step.traffic_comparable);
  writer.member("summary", step.summary);
  write_notes(writer, step.notes);
  writer.objects("ambiguous", step.ambiguous, [&](const AmbiguousMatch& match) {
    writer.numbers("before", ids(match.before));
    writer.numbers("after", ids(match.after));
    writer.member("text", match.text);
  });
}

}  // namespace

void write_comparison_members(Writer& writer, const Comparison& comparison) {
  writer.member("schema", kSchema);
  writer.member("summary", comparison.summary);
  writer.objects("results", comparison.results,
                 [&](const ComparedResult& result) { write_result(writer, result); });
  writer.objects("steps", comparison.steps,
                 [&](const ComparedStep& step) { write_step(writer, step); });
  if (comparison.program) {
    writer.object("program", [&] { write_loop(writer, *comparison.program); });
  }
  writer.objects("loops", comparison.loops,
                 [&](const ComparedLoop& loop) { write_loop(writer, loop); });
}

std::string write_comparison(const Comparison& comparison) {
  Writer writer;
  write_comparison_members(writer, comparison);
  return writer.finish();
}

std::string write_machine_comparison(const MachineComparison& comparison) {
  Writer writer;
  writer.member("schema", kMachineSchema);
  writer.member("summary", comparison.summary);
  writer.objects("machines", comparison.machines, [&](const MachineComparison::Entry& machine) {
    writer.member("label", machine.label);
    writer.member("name", machine.name);
    writer.member("date", machine.date);
    writer.member("host", machine.host);
    writer.member("effort", machine.effort);
    writer.member("cores", machine.cores);
    writer.member("threads", machine.threads);
  });
  writer.objects("ceilings", comparison.ceilings, [&](const ComparedCeiling& ceiling) {
    writer.member("id", ceiling.id);
    writer.member("unit", ceiling.unit);
    writer.objects("values", ceiling.values, [&](const ComparedCeiling::Value& value) {
      writer.member("machine", std::uint64_t{value.machine});
      writer.member("value", value.p90);
      writer.member("low", value.low);
      writer.member("high", value.high);
      writer.member("samples", value.samples);
      writer.member("ratio", value.ratio);
      if (value.ratio) {
        writer.member("verdict", to_string(value.verdict));
      }
    });
  });
  write_notes(writer, comparison.notes);
  return writer.finish();
}

}  // namespace ridge::serialize
