// Which core each Linux CPU belongs to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

namespace ridge::platform {

/// Cores are numbered from 0 by socket and by the number that the kernel gives them there, so that
/// neighbours share caches. CPUs without topology (an odd container) are left out. `cpus` is the
/// folder of the kernel's list.
[[nodiscard]] std::map<unsigned, std::uint32_t> core_of_each_cpu(
    const std::filesystem::path& cpus = "/sys/devices/system/cpu");

}  // namespace ridge::platform
