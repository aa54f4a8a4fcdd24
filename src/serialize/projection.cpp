#include "serialize/projection.hpp"

#include <map>
#include <string_view>

#include "serialize/json_writer.hpp"
#include "serialize/note_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.projection/1";

void write_bound(Writer& writer, const Bound& bound) {
  writer.object("bound", [&] {
    writer.member("ceiling", bound.ceiling);
    writer.member("unit", to_string(bound.unit));
    writer.member("attainable", bound.attainable);
    writer.member("next", bound.next);
    writer.member("next_attainable", bound.next_attainable);
  });
}

void write_region(Writer& writer, const ProjectedRegion& projected, const Region& region) {
  writer.member("id", projected.region);
  writer.member("name", region.name);
  writer.member("function", region.function);
  writer.member("file", region.file);
  writer.member("line", region.line);
  writer.member("seconds_here", region.time_seconds.self->value.value());
  writer.member("cores", projected.cores);
  writer.member("traffic_simulated", projected.simulated);
  writer.member("missing", projected.missing);
  if (projected.bound) {
    write_bound(writer, *projected.bound);
  }
  writer.member("ideal_seconds", projected.ideal_seconds);
  writer.member("seconds", projected.seconds);
  writer.member("fraction", projected.fraction);
  writer.member("intensity", projected.intensity);
  write_notes(writer, projected.notes);
}

}  // namespace

std::string write_projection(const Profile& profile, const Projection& projection) {
  std::map<std::uint32_t, const Region*> regions;
  for (const Region& region : profile.regions) {
    regions[region.id] = &region;
  }
  Writer writer;
  writer.member("schema", kSchema);
  writer.member("ridge_version", profile.ridge_version);
  writer.strings("argv", profile.program.argv);
  writer.member("machine_here", profile.machine.name);
  writer.member("seconds_here", projection.seconds_here);
  if (!projection.precision.empty()) {
    writer.member("precision", projection.precision);
  }
  writer.member("origin", to_string(Origin::modelled));
  writer.objects("machines", projection.machines, [&](const MachineProjection& machine) {
    writer.member("machine", machine.machine);
    writer.member("name", machine.name);
    writer.member("published", machine.published);
    writer.member("seconds", machine.seconds);
    writer.member("ideal_seconds", machine.ideal_seconds);
    writer.member("projected_share", machine.projected_share);
    writer.member("traffic_simulated", machine.simulated);
    writer.member("memory", machine.memory);
    writer.member("flops_per_second", machine.flops_per_second);
    writer.member("bytes_per_second", machine.bytes_per_second);
    writer.objects("regions", machine.regions, [&](const ProjectedRegion& region) {
      write_region(writer, region, *regions.at(region.region));
    });
    write_notes(writer, machine.notes);
  });
  writer.strings("assumptions", projection.assumptions);
  return writer.finish();
}

}  // namespace ridge::serialize
