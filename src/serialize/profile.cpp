#include "serialize/profile.hpp"

#include <limits>
#include <set>
#include <string>

#include <fmt/core.h>

#include "serialize/caches_value.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"
#include "serialize/machine_value.hpp"
#include "serialize/profile_value.hpp"
#include "serialize/region_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.profile/1";
constexpr std::string_view kHint = "correct the value, or measure again: ridge run -- PROGRAM";

int read_int(const Reader& value) {
  return static_cast<int>(
      value.integer_between(std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
}

int read_signal(const Reader& value) {
  return static_cast<int>(value.integer_between(1, 1023));
}

int read_rank(const Reader& value) {
  return static_cast<int>(value.integer_between(0, std::numeric_limits<int>::max()));
}

void write_program(Writer& writer, const Profile::Program& program) {
  writer.object("program", [&] {
    writer.strings("argv", program.argv);
    writer.member("exit_code", program.exit_code);
    writer.member("signal", program.signal);
    writer.member("wall_seconds", program.wall_seconds.value());
    writer.member("compiler", program.compiler);
  });
}

Profile::Program read_program(const Reader& object) {
  Profile::Program program;
  program.argv = list_from(object.at("argv"), &Reader::text);
  program.exit_code = optional_from(object.find("exit_code"), read_int);
  program.signal = optional_from(object.find("signal"), read_signal);
  program.wall_seconds = Seconds(object.at("wall_seconds").non_negative_real());
  program.compiler = optional_from(object.find("compiler"), &Reader::text);
  return program;
}

void write_process(Writer& writer, const Process& process) {
  writer.member("pid", process.pid);
  writer.strings("argv", process.argv);
  writer.member("exit_code", process.exit_code);
  writer.member("signal", process.signal);
  writer.member("rank", process.rank);
}

Process read_process(const Reader& object) {
  Process process;
  process.pid = object.at("pid").integer_between(0, std::numeric_limits<std::int64_t>::max());
  process.argv = list_from(object.at("argv"), &Reader::text);
  process.exit_code = optional_from(object.find("exit_code"), read_int);
  process.signal = optional_from(object.find("signal"), read_signal);
  process.rank = optional_from(object.find("rank"), read_rank);
  return process;
}

void write_time_and_origins(Writer& writer, const Profile& profile) {
  writer.object("time", [&] {
    writer.member("sampled_seconds", profile.time.sampled_seconds.value());
    writer.member("unattributed_fraction", profile.time.unattributed_fraction);
    if (const auto interval = unattributed_interval(profile)) {
      writer.member("unattributed_low", interval->low);
      writer.member("unattributed_high", interval->high);
    }
  });
  writer.object("origins", [&] {
    writer.member("flops", to_string(profile.origins.flops));
    writer.member("bytes", to_string(profile.origins.bytes));
    writer.member("traffic", to_string(profile.origins.traffic));
    writer.member("time", to_string(profile.origins.time));
  });
}

Profile::Time read_time(const Reader& object) {
  Profile::Time time;
  time.sampled_seconds = Seconds(object.at("sampled_seconds").non_negative_real());
  const Reader fraction = object.at("unattributed_fraction");
  time.unattributed_fraction = fraction.non_negative_real();
  if (time.unattributed_fraction > 1.0) {
    fraction.fail(fmt::format("must be at most 1, is {}", time.unattributed_fraction));
  }
  return time;
}

Profile::Origins read_origins(const Reader& object) {
  return {read_origin(object.at("flops")), read_origin(object.at("bytes")),
          read_origin(object.at("traffic")), read_origin(object.at("time"))};
}

/// Traffic on caches that nobody describes means nothing.
void check_elsewhere(const Reader& root, const Profile& profile) {
  std::set<std::string> known;
  for (const CachesElsewhere& caches : profile.caches_elsewhere) {
    known.insert(caches.name);
  }
  for (const Region& region : profile.regions) {
    for (const auto& [name, traffic] : region.traffic_elsewhere) {
      if (!known.contains(name)) {
        root.find("regions").fail(
            fmt::format("region {} has traffic on {}, which is not among "
                        "caches_elsewhere",
                        region.id, quote_for_message(name)));
        return;
      }
    }
  }
}

Profile read_profile(const Reader& root) {
  Profile profile;
  profile.ridge_version = root.at("ridge_version").text();
  profile.date = root.at("date").text();
  profile.program = read_program(root.at("program"));
  profile.machine = read_machine(root.at("machine"));
  profile.processes = list_from(root.at("processes"), read_process);
  profile.time = read_time(root.at("time"));
  profile.origins = read_origins(root.at("origins"));
  profile.regions = read_regions(root.at("regions"), profile.processes.size());
  if (const Reader elsewhere = root.find("caches_elsewhere"); !elsewhere.absent()) {
    profile.caches_elsewhere = read_caches_elsewhere(elsewhere);
  }
  check_elsewhere(root, profile);
  profile.notes = optional_from(root.find("notes"), read_notes).value_or(std::vector<Note>{});
  return profile;
}

/// Predictions stand in the order of the regions; one made by hand may not.
const RegionPrediction* prediction_of(const Prediction& prediction, std::size_t index,
                                      std::uint32_t region) {
  const auto& entries = prediction.regions;
  return index < entries.size() && entries[index].region == region
             ? &entries[index]
             : find_prediction(prediction, region);
}

}  // namespace

Result<Profile> parse_profile(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, read_profile);
}

void write_profile_members(Writer& writer, const Profile& profile, const Prediction& prediction) {
  writer.member("schema", kSchema);
  writer.member("ridge_version", profile.ridge_version);
  writer.member("date", profile.date);
  write_program(writer, profile.program);
  writer.object("machine", [&] { write_machine_members(writer, profile.machine); });
  writer.objects("processes", profile.processes,
                 [&](const Process& process) { write_process(writer, process); });
  write_time_and_origins(writer, profile);
  if (!profile.caches_elsewhere.empty()) {
    write_caches_elsewhere(writer, profile.caches_elsewhere);
  }
  std::size_t index = 0;
  writer.objects("regions", profile.regions, [&](const Region& region) {
    write_region_members(writer, region, profile, prediction_of(prediction, index++, region.id));
  });
  write_notes(writer, profile.notes);
  if (!prediction.summary.empty()) {
    writer.member("summary", prediction.summary);
  }
}

std::string write_profile(const Profile& profile, const Prediction& prediction) {
  Writer writer;
  write_profile_members(writer, profile, prediction);
  return writer.finish();
}

}  // namespace ridge::serialize
