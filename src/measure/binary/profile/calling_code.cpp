#include "measure/binary/profile/calling_code.hpp"

#include <filesystem>
#include <set>

#include "measure/binary/stacks/stack_places.hpp"

namespace ridge::measure::binary {
namespace {

/// As the kernel writes it in its list of mappings; the dynamic linker keeps the way it took.
std::string real_path(const std::string& path) {
  std::error_code error;
  const auto real = std::filesystem::canonical(path, error);
  return error ? path : real.string();
}

}  // namespace

CallingCode::CallingCode(SampledCode& samples, std::span<const RecordedProcess> processes) {
  std::map<std::string, std::string> real;
  std::vector<std::pair<std::string, std::uint64_t>> calls;
  for (const RecordedProcess& process : processes) {
    for (const RecordedCall& call : process.calls) {
      if (!call.file.empty() && call.offset > 0 &&
          places_.try_emplace({call.file, call.offset}, static_cast<std::uint32_t>(calls.size()))
              .second) {
        const auto [known, is_new] = real.try_emplace(call.file);
        if (is_new) {
          known->second = real_path(call.file);
        }
        calls.emplace_back(known->second, call.offset - 1);  // in the call, not behind it
      }
    }
  }
  const std::vector<std::uint32_t> added = add_places(samples, calls);
  for (auto& [call, place] : places_) {
    place = added[place];
  }
}

std::vector<std::uint32_t> CallingCode::regions(const ProgramCode& code) const {
  std::set<std::uint32_t> found;
  for (const auto& [call, place] : places_) {
    if (place < code.region_of_place.size() && code.region_of_place[place] < code.region_count) {
      found.insert(code.region_of_place[place]);
    }
  }
  return {found.begin(), found.end()};
}

RegionOfCall CallingCode::region_of(const ProgramCode& code, const Profile& profile,
                                    std::span<const std::uint32_t> numbers) const {
  std::map<std::uint32_t, std::uint32_t> ids;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] < code.region_count) {
      ids[numbers[i]] = profile.regions[i].id;
    }
  }
  return [this, &code, ids](const RecordedProcess&,
                            const RecordedCall& call) -> std::optional<std::uint32_t> {
    const auto place = places_.find({call.file, call.offset});
    if (place == places_.end() || place->second >= code.region_of_place.size()) {
      return std::nullopt;
    }
    const auto id = ids.find(code.region_of_place[place->second]);
    return id == ids.end() ? std::nullopt : std::optional(id->second);
  };
}

}  // namespace ridge::measure::binary
