#include "serialize/projection.hpp"

#include <map>
#include <string_view>

#include "core/describe/projection.hpp"
#include "serialize/described/write.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.projection/1";

/// What stands beside a projection: what the profile says of the program and its regions.
class FromProfile {
 public:
  explicit FromProfile(const Profile& profile) : profile_(&profile) {
    for (const Region& region : profile.regions) {
      regions_[region.id] = &region;
    }
  }

  void write(Writer& writer, std::string_view key, const Projection& /*projection*/) const {
    if (key == "ridge_version") {
      writer.member(key, profile_->ridge_version);
    } else if (key == "argv") {
      writer.strings(key, profile_->program.argv);
    } else if (key == "machine_here") {
      writer.member(key, profile_->machine.name);
    }
  }

  void write(Writer& writer, std::string_view key, const ProjectedRegion& projected) const {
    const Region& region = *regions_.at(projected.region);
    if (key == "name") {
      writer.member(key, region.name);
    } else if (key == "function") {
      writer.member(key, region.function);
    } else if (key == "file") {
      writer.member(key, region.file);
    } else if (key == "line") {
      writer.member(key, region.line);
    } else if (key == "seconds_here") {
      writer.member(key, region.time_seconds.self->value.value());
    }
  }

  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}

 private:
  const Profile* profile_;
  std::map<std::uint32_t, const Region*> regions_;
};

}  // namespace

std::string write_projection(const Profile& profile, const Projection& projection) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, projection, FromProfile(profile));
  return writer.finish();
}

}  // namespace ridge::serialize
