// What the system around takes away while something is measured.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace ridge::platform {

/// Time of some CPUs since the machine was started, in ticks of the kernel (usually 10 ms).
struct CpuTimes {
  std::uint64_t steal = 0;  ///< wanted by this machine, given to others by the hypervisor
  std::uint64_t total = 0;  ///< all states, idle included
  std::uint64_t idle = 0;   ///< nothing to do, or waiting for a device
};

/// CPUs' worth of time that was not idle between two looks at `cpus` of them; nullopt when no time
/// passed or a counter ran backwards.
[[nodiscard]] std::optional<double> busy_cpus(const CpuTimes& before, const CpuTimes& after,
                                              std::size_t cpus);

/// The sum over `cpus` from `stat` (/proc/stat). nullopt when it cannot be read or lacks a CPU.
[[nodiscard]] std::optional<CpuTimes> cpu_times(const std::vector<unsigned>& cpus,
                                                const std::filesystem::path& stat = "/proc/stat");

/// CPUs that are switched on, allowed or not. 0: not known.
[[nodiscard]] unsigned online_cpus();

/// What the limit of address space (ulimit -v) leaves; the largest number when there is none.
[[nodiscard]] std::uint64_t address_space_left();

/// Share of the resident memory of the mapping at `address` that lies in huge pages, from `smaps`
/// (/proc/self/smaps). nullopt when that cannot be read or knows no such mapping.
[[nodiscard]] std::optional<double> huge_page_share(
    std::uintptr_t address, const std::filesystem::path& smaps = "/proc/self/smaps");

/// Whether the kernel's description of the hardware can be read.
[[nodiscard]] bool has_sysfs(const std::filesystem::path& cpus = "/sys/devices/system/cpu");

}  // namespace ridge::platform
