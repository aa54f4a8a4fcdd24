// The memory in which layers keep what they saw of a program's calls (abi/call_record.h), and what
// puts them in front of its libraries.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "measure/calls/call_records.hpp"
#include "measure/calls/region_of_call.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

class CallMemory {
 public:
  /// For the layers that the request asks for; without any, memory that nobody writes to. Errors
  /// (unavailable, with a hint): those of check_call_layers(), no memory.
  [[nodiscard]] static Result<CallMemory> create(const Request& request);

  CallMemory(CallMemory&& other) noexcept;
  CallMemory& operator=(CallMemory&& other) noexcept;
  CallMemory(const CallMemory&) = delete;
  CallMemory& operator=(const CallMemory&) = delete;
  ~CallMemory();

  /// To be added to the environment of the run that is timed; valid while this lives.
  [[nodiscard]] std::vector<std::pair<std::string, std::string>> variables() const;
  /// What was called so far.
  [[nodiscard]] std::vector<RecordedProcess> read() const;

 private:
  CallMemory() = default;

  int file_ = -1;
  void* memory_ = nullptr;
  std::vector<std::string> layers_;  ///< paths
};

/// What was asked for, in the form of the profile.
void add_recorded_calls(Profile& profile, const Request& request,
                        std::span<const RecordedProcess> processes, const RegionOfCall& region_of);

/// Whether the layers that are asked for are here. Errors: unavailable, with a hint.
[[nodiscard]] Result<void> check_call_layers(const Request& request);

}  // namespace ridge::measure
