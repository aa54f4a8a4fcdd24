#include "measure/lay_over.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ridge::measure {
namespace {

/// "480000000 byte (512000000 simulated before)"
std::string words(std::string_view what, std::uint64_t now, std::string_view unit,
                  const std::optional<std::uint64_t>& before, Origin origin) {
  return before
             ? fmt::format("{} {} {} ({} {} before)", what, now, unit, *before, to_string(origin))
             : fmt::format("{} {} {}", what, now, unit);
}

std::optional<std::uint64_t> flops_of(const Region& region) {
  return region.flops ? std::optional(region.flops->total()) : std::nullopt;
}

/// Lays the figures of one region on another.
class Layer {
 public:
  Layer(Profile& profile, Region& to, const SourcedProfile& measured, const Region& from)
      : profile_(&profile),
        to_(&to),
        from_(&from),
        measured_(&measured),
        before_(origins_of(to, profile)),
        origins_(origins_of(from, measured.profile)) {}

  /// False when there was nothing to lay.
  bool run() {
    Origins origins = before_;
    lay_flops(origins);
    lay_bytes(origins);
    for (const auto& [level, traffic] : from_->traffic) {
      if (level != Level::L1) {
        lay_level(level, traffic);
      }
    }
    lay_time(origins);
    if (words_.empty()) {
      return false;
    }
    if (origins != profile_->origins) {
      to_->origins = origins;
    }
    to_->notes.push_back(
        {"imported", fmt::format("{} from {}", fmt::join(words_, ", "), measured_->source)});
    return true;
  }

 private:
  void lay_flops(Origins& origins) {
    if (!from_->flops) {
      return;
    }
    words_.push_back(words("flops", from_->flops->total(), "flop", flops_of(*to_), before_.flops));
    to_->flops = from_->flops;
    to_->ir_flops = from_->ir_flops;
    to_->flops_interval = from_->flops_interval;
    origins.flops = origins_.flops;
    take_notes();
  }

  void lay_bytes(Origins& origins) {
    const auto found = from_->traffic.find(Level::L1);
    if (found == from_->traffic.end()) {
      return;
    }
    const auto known = to_->traffic.find(Level::L1);
    words_.push_back(
        words("bytes of L1", found->second.total(), "byte",
              known == to_->traffic.end() ? std::nullopt : std::optional(known->second.total()),
              before_.bytes));
    to_->traffic[Level::L1] = found->second;
    to_->bytes_loaded = from_->bytes_loaded;
    to_->bytes_stored = from_->bytes_stored;
    to_->bytes_non_temporal.reset();
    to_->bytes_overwritten.reset();
    to_->bytes_spilled.reset();
    origins.bytes = origins_.bytes;
    take_notes();
  }

  void lay_level(Level level, const Traffic& traffic) {
    const auto levels = levels_of(profile_->machine);
    if (std::find(levels.begin(), levels.end(), level) == levels.end()) {
      to_->notes.push_back(
          {"unknown-level", fmt::format("{} gives traffic of {}, which the machine does not have: "
                                        "it is left out",
                                        measured_->source, to_string(level))});
      return;
    }
    const auto known = to_->traffic.find(level);
    words_.push_back(
        words(to_string(level), traffic.total(), "byte",
              known == to_->traffic.end() ? std::nullopt : std::optional(known->second.total()),
              traffic_origin(*to_, *profile_, level)));
    to_->traffic[level] = traffic;
    to_->traffic_interval.erase(level);
    if (level == levels.back()) {
      to_->traffic_at_share.clear();
    }
    to_->traffic_origins[level] = traffic_origin(*from_, measured_->profile, level);
    take_notes();
  }

  void lay_time(Origins& origins) {
    if (from_->time_seconds.self && !to_->time_seconds.self) {
      words_.push_back(fmt::format("time {} s", from_->time_seconds.self->value.value()));
      to_->time_seconds = from_->time_seconds;
      origins.time = origins_.time;
    }
  }

  void take_notes() {
    for (const Note& note : from_->notes) {
      if (std::find(to_->notes.begin(), to_->notes.end(), note) == to_->notes.end()) {
        to_->notes.push_back(note);
      }
    }
  }

  Profile* profile_;
  Region* to_;
  const Region* from_;
  const SourcedProfile* measured_;
  Origins before_;
  Origins origins_;
  std::vector<std::string> words_;
};

/// Regions that a name could mean: without those that have another inside, whose own figures are a
/// part of what a marker around them measures.
std::vector<std::size_t> leaves_called(const Profile& profile, const std::string& name) {
  std::set<std::uint32_t> parents;
  for (const Region& region : profile.regions) {
    if (region.parent) {
      parents.insert(*region.parent);
    }
  }
  std::vector<std::size_t> found;
  bool has_inner = false;
  for (std::size_t i = 0; i < profile.regions.size(); ++i) {
    const Region& region = profile.regions[i];
    const std::string_view bare =
        std::string_view(region.function).substr(0, region.function.find('('));
    if (region.kind == RegionKind::program || (bare != name && region.name != name)) {
      continue;
    }
    // A function around one loop does nothing of its own; more inside is more than one region.
    if (parents.contains(region.id)) {
      has_inner = has_inner || known_work(region).total() > 0;
    } else {
      found.push_back(i);
    }
  }
  return has_inner ? std::vector<std::size_t>{} : found;
}

bool may_go_by_name(const Region& region) {
  return !region.file && (region.kind == RegionKind::marker ||
                          region.kind == RegionKind::function || region.kind == RegionKind::kernel);
}

}  // namespace

LaidOver lay_over(const Profile& profile, const SourcedProfile& measured) {
  LaidOver laid{profile, {}, {}};
  const RegionMatches matches = match_regions({"Ridge", profile, {}}, measured);
  std::set<std::size_t> taken;
  for (const auto& match : matches.regions) {
    if (match) {
      taken.insert(*match);
    }
  }
  for (std::size_t i = 0; i < measured.profile.regions.size(); ++i) {
    const Region& from = measured.profile.regions[i];
    std::optional<std::size_t> at = matches.regions[i];
    bool is_ambiguous = matches.ambiguous_in_second[i];
    if (!at && may_go_by_name(from)) {
      const auto named = leaves_called(profile, from.function.empty() ? from.name : from.function);
      is_ambiguous = is_ambiguous || named.size() > 1;
      at = named.size() == 1 && taken.insert(named[0]).second ? std::optional(named[0])
                                                              : std::nullopt;
    }
    if (!at) {
      laid.unmatched.push_back({measured.source, best_name(measured, i), is_ambiguous});
    } else if (Layer(laid.result, laid.result.regions[*at], measured, from).run()) {
      laid.laid.push_back(best_name({"", profile, {}}, *at));
    }
  }
  for (const Import& import : measured.profile.imports) {
    laid.result.imports.push_back(import);
  }
  for (const Note& note : measured.profile.notes) {
    if (std::find(laid.result.notes.begin(), laid.result.notes.end(), note) ==
        laid.result.notes.end()) {
      laid.result.notes.push_back(note);
    }
  }
  return laid;
}

}  // namespace ridge::measure
