// Where machines come from: a named file, the cached file of this machine, or a measurement.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "bench/characterise.hpp"
#include "core/result.hpp"
#include "core/value/machine.hpp"

namespace ridge::cli {

/// Error: `bad_input` when the file is missing or not a machine file.
[[nodiscard]] Result<Machine> read_machine_file(const std::filesystem::path& file);

/// Writes to a temporary file beside it and renames: readers see the old or the new file. Creates
/// no folder: a name with a slip in it shall not leave one. Error: `write_failed`.
[[nodiscard]] Result<void> write_text_file(std::string_view text,
                                           const std::filesystem::path& file);
[[nodiscard]] Result<void> write_machine_file(const Machine& machine,
                                              const std::filesystem::path& file);

/// The same where Ridge keeps it for itself: creates the folder.
[[nodiscard]] Result<void> write_cached_machine(const Machine& machine,
                                                const std::filesystem::path& file);

/// Whether the folder of that file is there: what is known before the work. Error: `write_failed`.
[[nodiscard]] Result<void> check_folder_of(const std::filesystem::path& file);

/// Whether such a file could be written now: before minutes are spent on what goes into it. Leaves
/// nothing behind. Error: `write_failed`.
[[nodiscard]] Result<void> check_writable(const std::filesystem::path& file);

/// ${XDG_CACHE_HOME:-~/.cache}/ridge/machine-KEY.json, keyed by CPU, cpuset, quota and Ridge's
/// version. nullopt when there is no such folder to name (neither variable is set).
[[nodiscard]] std::optional<std::filesystem::path> cached_machine_path();

/// Describes this machine and measures its ceilings, with the limits of its microarchitecture where
/// that is known. Errors: as bench::characterise().
[[nodiscard]] Result<Machine> measure_machine(const bench::Options& options);

using Measure = std::function<Result<Machine>()>;

/// The machine of `file` (the user's --machine) when there is one; else the one at `cache`; else
/// what `measure` gives, which is announced on standard error and then stored at `cache` if it is
/// fit (why_unfit). Of several processes one measures; the others wait for it and read its file. A
/// cached file that cannot be read is replaced, one that cannot be written is a warning. Error
/// besides those of `measure`: `unavailable` after waiting for too long.
[[nodiscard]] Result<Machine> load_or_measure_machine(
    const std::optional<std::string>& file, const std::optional<std::filesystem::path>& cache,
    const Measure& measure);

/// The same with `bench --quick`, as below.
[[nodiscard]] Result<Machine> load_or_measure_machine(
    const std::optional<std::string>& file, const std::optional<std::filesystem::path>& cache);

/// The same with the cache of this machine and `bench --quick` on all CPUs of the cpuset, whatever
/// the binding mask of this process.
[[nodiscard]] Result<Machine> load_or_measure_machine(const std::optional<std::string>& file);

}  // namespace ridge::cli
