#include "serialize/profile.hpp"

#include <string>

#include "core/describe/profile.hpp"
#include "core/value/doubtful_traffic.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/profile_rules.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"
#include "serialize/profile_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.profile/2";
constexpr std::string_view kOlderSchema = "ridge.profile/1";
constexpr std::string_view kHint = "correct the value, or measure again: ridge run -- PROGRAM";

/// What is written beside the values of a profile: what follows from all of it, or from the
/// prediction.
class Derivations {
 public:
  Derivations(const Profile& profile, const Prediction& prediction)
      : profile_(&profile), prediction_(&prediction) {}

  void write(Writer& writer, std::string_view key, const Profile& /*profile*/) const {
    if (key == "next_steps") {
      write_if_known(writer, key, prediction_->next_steps, NothingBeside{}, true);
    } else if (key == "communication") {
      if (prediction_->communication) {
        write_value(writer, key, *prediction_->communication, NothingBeside{});
      }
    } else if (!prediction_->summary.empty()) {
      writer.member(key, prediction_->summary);
    }
  }

  void write(Writer& writer, std::string_view key, const Profile::Time& /*time*/) const {
    if (const auto interval = unattributed_interval(*profile_)) {
      writer.member(key, key == "unattributed_low" ? interval->low : interval->high);
    }
  }

  void write(Writer& writer, std::string_view key, const Region& region) const {
    const RegionPrediction* prediction = prediction_of(region);
    if (key == "doubtful_traffic") {
      const auto levels = levels_of_doubtful_traffic(region, *profile_);
      write_if_known(writer, key, levels, NothingBeside{}, true);
    } else if (key == "findings") {
      const std::vector<Finding> none;
      write_value(writer, key, prediction != nullptr ? prediction->findings : none,
                  NothingBeside{});
    } else if (prediction != nullptr) {
      write_value(writer, key, *prediction, NothingBeside{});
    }
  }

  template <class Other>
  void write(Writer& /*writer*/, std::string_view /*key*/, const Other& /*other*/) const {}

 private:
  /// Predictions stand in the order of the regions; one made by hand may not.
  [[nodiscard]] const RegionPrediction* prediction_of(const Region& region) const {
    const auto& entries = prediction_->regions;
    const auto index = static_cast<std::size_t>(&region - profile_->regions.data());
    return index < entries.size() && entries[index].region == region.id
               ? &entries[index]
               : find_prediction(*prediction_, region.id);
  }

  const Profile* profile_;
  const Prediction* prediction_;
};

/// Version 1 wrote 0 for the counts of libraries, whose code is not instrumented.
void forget_counts_of_libraries(Profile& profile) {
  for (Region& region : profile.regions) {
    if (region.kind == RegionKind::library && known_work(region).total() == 0 &&
        bytes_accessed(region) == 0U) {
      region.entries.reset();
      region.flops.reset();
      region.bytes_loaded.reset();
      region.bytes_stored.reset();
    }
  }
}

Profile read_profile(const Reader& root) {
  auto profile = read_object<Profile>(root);
  if (root.ok() && root.find("schema").text() == kOlderSchema) {
    forget_counts_of_libraries(profile);
  }
  return profile;
}

}  // namespace

Result<Profile> parse_profile(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, read_profile, kOlderSchema);
}

Result<Profile> profile_from(const Document& document, std::string_view file_name) {
  return read_document(document, file_name, kSchema, kHint, read_profile, kOlderSchema);
}

void write_profile_members(Writer& writer, const Profile& profile, const Prediction& prediction) {
  writer.member("schema", kSchema);
  write_members(writer, profile, Derivations(profile, prediction));
}

std::string write_profile(const Profile& profile, const Prediction& prediction) {
  Writer writer;
  write_profile_members(writer, profile, prediction);
  return writer.finish();
}

}  // namespace ridge::serialize
