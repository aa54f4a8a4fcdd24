// A region as a part of a profile.
#pragma once

#include <vector>

#include "core/value/prediction.hpp"
#include "core/value/profile.hpp"

namespace ridge::serialize {

class Reader;
class Writer;

/// `profile`: that the region is of; `prediction` may be null: then no derived bound is written.
void write_region_members(Writer& writer, const Region& region, const Profile& profile,
                          const RegionPrediction* prediction);
/// `process_count`: for the check of the region's process.
[[nodiscard]] std::vector<Region> read_regions(const Reader& array, std::size_t process_count);

[[nodiscard]] Origin read_origin(const Reader& value);

void write_notes(Writer& writer, const std::vector<Note>& notes);
[[nodiscard]] std::vector<Note> read_notes(const Reader& array);

}  // namespace ridge::serialize
