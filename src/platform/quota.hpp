// How much CPU time and memory the control group of this process may use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

namespace ridge::platform {

/// CPUs granted by the text of `cpu.max` (control groups v2): "150000 100000" is 1.5; "max 100000"
/// is no limit. Anything that is not of this form counts as no limit.
[[nodiscard]] std::optional<double> parse_cpu_max(std::string_view text);

/// The tightest quota on the way from this process' control group to the root, in CPUs; v2
/// (`cpu.max`) and v1 (`cpu.cfs_quota_us` / `cpu.cfs_period_us`). nullopt: no limit.
/// `membership` is `/proc/self/cgroup`, `root` is where control groups are mounted.
[[nodiscard]] std::optional<double> cpu_quota(
    const std::filesystem::path& root = "/sys/fs/cgroup",
    const std::filesystem::path& membership = "/proc/self/cgroup");

/// Threads that can run all the time: the allowed CPUs, cut by the quota (rounded down, at least
/// 1), since threads beyond it would be stopped in the middle of a sample.
[[nodiscard]] unsigned usable_threads(std::size_t allowed, std::optional<double> quota);

/// Memory that can be had: `MemAvailable` of `meminfo`, or the tightest memory limit of the control
/// groups (v2 `memory.max`, v1 `memory.limit_in_bytes`) when that is less. 0: nothing is known.
[[nodiscard]] std::uint64_t available_memory_bytes(
    const std::filesystem::path& root = "/sys/fs/cgroup",
    const std::filesystem::path& membership = "/proc/self/cgroup",
    const std::filesystem::path& meminfo = "/proc/meminfo");

}  // namespace ridge::platform
