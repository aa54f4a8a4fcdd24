#include "measure/calls/call_memory.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <span>
#include <sys/mman.h>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "measure/calls/library_calls.hpp"
#include "measure/calls/mpi_calls.hpp"
#include "measure/run/companions.hpp"

namespace ridge::measure {
namespace {

/// Sparse: some 30000 threads have room.
constexpr std::size_t kBytes = std::size_t{256} << 20U;
constexpr const char* kVariable = "RIDGE_CALLS";
constexpr const char* kPreload = "LD_PRELOAD";

/// Runs that are started for counts or traffic alone have no times.
bool has_times(const Request& request) {
  return request.runs != RunsWanted::counts && request.runs != RunsWanted::traffic;
}

std::vector<std::filesystem::path> layers_for(const Request& request) {
  std::vector<std::filesystem::path> layers;
  if (!has_times(request)) {
    return layers;
  }
  if (request.mpi_calls) {
    layers.push_back(companion("libridge_mpi.so"));
  }
  if (request.library_calls) {
    layers.push_back(companion("libridge_libraries.so"));
  }
  return layers;
}

tl::unexpected<Error> no_memory(const char* step) {
  return fail(ErrorCode::unavailable,
              fmt::format("no memory to record calls in: {}: {}", step, std::strerror(errno)),
              "Free some memory or files (`ulimit -n`, `ulimit -v`), or measure without --mpi and "
              "--libraries.");
}

}  // namespace

Result<void> check_call_layers(const Request& request) {
  for (const std::filesystem::path& layer : layers_for(request)) {
    std::error_code error;
    if (!std::filesystem::exists(layer, error)) {
      return fail(ErrorCode::unavailable,
                  fmt::format("calls cannot be recorded: {} is not there", layer.string()),
                  "It belongs to Ridge: install Ridge as a whole, or measure without --mpi and "
                  "--libraries.");
    }
    if (layer.string().find_first_of(" :") != std::string::npos) {
      return fail(ErrorCode::unavailable,
                  fmt::format("calls cannot be recorded: {} has a space or a colon in its name, at "
                              "which the dynamic linker divides LD_PRELOAD",
                              layer.string()),
                  "Install Ridge in another folder, or measure without --mpi and --libraries.");
    }
  }
  return {};
}

Result<CallMemory> CallMemory::create(const Request& request) {
  if (auto found = check_call_layers(request); !found) {
    return tl::make_unexpected(found.error());
  }
  CallMemory calls;
  for (const std::filesystem::path& layer : layers_for(request)) {
    calls.layers_.push_back(layer.string());
  }
  if (calls.layers_.empty()) {
    return calls;
  }
  calls.file_ = memfd_create("ridge-calls", MFD_CLOEXEC);
  if (calls.file_ < 0 || ftruncate(calls.file_, static_cast<off_t>(kBytes)) != 0) {
    return no_memory("memfd_create");
  }
  void* memory =
      mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, calls.file_, 0);
  if (memory == MAP_FAILED) {
    return no_memory("mmap");
  }
  calls.memory_ = memory;
  auto* header = new (memory) ridge_calls{};
  header->magic = RIDGE_CALLS_MAGIC;
  header->version = RIDGE_CALLS_VERSION;
  header->flags = request.is_some_ranks ? RIDGE_CALLS_OF_SOME_RANKS : 0;
  header->size_bytes = kBytes;
  header->used_bytes = (sizeof(ridge_calls) + 63) / 64 * 64;
  return calls;
}

void add_recorded_calls(Profile& profile, const Request& request,
                        std::span<const RecordedProcess> processes, const RegionOfCall& region_of) {
  if (!has_times(request)) {
    return;
  }
  if (request.mpi_calls) {
    add_mpi_calls(profile, processes, region_of);
  }
  if (request.library_calls) {
    add_library_calls(profile, processes, region_of);
  }
}

CallMemory::CallMemory(CallMemory&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      memory_(std::exchange(other.memory_, nullptr)),
      layers_(std::move(other.layers_)) {}

CallMemory& CallMemory::operator=(CallMemory&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(memory_, other.memory_);
  std::swap(layers_, other.layers_);
  return *this;
}

CallMemory::~CallMemory() {
  if (memory_ != nullptr) {
    munmap(memory_, kBytes);
  }
  if (file_ >= 0) {
    close(file_);
  }
}

std::vector<std::pair<std::string, std::string>> CallMemory::variables() const {
  if (layers_.empty()) {
    return {};
  }
  std::string preload = fmt::format("{}", fmt::join(layers_, ":"));
  if (const char* others = std::getenv(kPreload); others != nullptr && *others != '\0') {
    preload += fmt::format(":{}", others);
  }
  return {{kPreload, std::move(preload)},
          {kVariable, fmt::format("/proc/{}/fd/{}", getpid(), file_)}};
}

std::vector<RecordedProcess> CallMemory::read() const {
  if (memory_ == nullptr) {
    return {};
  }
  return decode_calls(std::span(static_cast<const std::byte*>(memory_), kBytes));
}

}  // namespace ridge::measure
