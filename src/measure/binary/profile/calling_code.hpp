// In which regions of a program as it is recorded calls stand, by their return addresses.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "measure/binary/profile/sampled_code.hpp"
#include "measure/binary/program_code.hpp"
#include "measure/calls/region_of_call.hpp"

namespace ridge::measure::binary {

/// Adds the places of calls to those that were sampled, and knows their regions.
class CallingCode {
 public:
  CallingCode() = default;
  CallingCode(SampledCode& samples, std::span<const RecordedProcess> processes);

  /// Numbers of regions of the program, each once: there are calls in them.
  [[nodiscard]] std::vector<std::uint32_t> regions(const ProgramCode& code) const;
  /// `numbers`: by region of the profile its number in `code`. Refers to this and to `code`.
  [[nodiscard]] RegionOfCall region_of(const ProgramCode& code, const Profile& profile,
                                       std::span<const std::uint32_t> numbers) const;

 private:
  /// By file as it was recorded and return address in it: index into SampledCode::places.
  std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> places_;
};

}  // namespace ridge::measure::binary
