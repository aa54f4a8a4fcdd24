#include "cli/common/machine_file.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include <fmt/core.h>

#include "abi/version.h"
#include "bench/quiet_wait.hpp"
#include "cli/common/machine_keeping.hpp"
#include "cli/common/measuring_turn.hpp"
#include "cli/common/progress_bar.hpp"
#include "cli/common/streams.hpp"
#include "platform/affinity.hpp"
#include "platform/file.hpp"
#include "platform/topology.hpp"
#include "serialize/machine.hpp"
#include "serialize/microarchitecture.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// nullopt for a variable that is unset, empty or, as the XDG specification wants, not absolute.
std::optional<fs::path> absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || !fs::path(value).is_absolute()) {
    return std::nullopt;
  }
  return fs::path(value);
}

tl::unexpected<Error> cannot_write(const fs::path& file, const std::string& why) {
  return fail(ErrorCode::write_failed, fmt::format("cannot write {}: {}", file.string(), why),
              "check the folder's permissions and the free space");
}

Result<void> written(const fs::path& file, std::error_code error) {
  return error ? Result<void>(cannot_write(file, error.message())) : Result<void>();
}

/// nullopt when there is none or none that can be read.
std::optional<Machine> read_cached(const std::optional<fs::path>& cache) {
  if (!cache || !fs::exists(*cache)) {
    return std::nullopt;
  }
  auto cached = read_machine_file(*cache);
  return cached ? std::optional(std::move(*cached)) : std::nullopt;
}

void announce_measurement(const std::optional<fs::path>& cache) {
  if (cache && fs::exists(*cache)) {
    const auto cached = read_machine_file(*cache);
    say(fmt::format("the cached machine file is not usable and will be replaced: {}",
                    cached ? "" : cached.error().message));
  }
  say(fmt::format(
      "this machine has not been measured yet: running `ridge bench --quick` first (at most 15 s, "
      "once; on a busy machine it waits up to {:.0f} s more)",
      bench::quiet_limit(bench::Effort::quick).value()));
}

void keep_measured(const Machine& measured, const fs::path& cache) {
  if (const auto why = why_unfit(measured)) {
    say(fmt::format("the machine file serves this time only, since {}", *why));
  } else if (const auto written = write_cached_machine(measured, cache); !written) {
    say(fmt::format("the machine file is not kept: {}", written.error().message));
  }
}

}  // namespace

Result<Machine> read_machine_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read machine file {}", file.string()),
                "`ridge bench -o FILE` writes one");
  }
  return serialize::parse_machine(text.str(), file.string());
}

Result<void> check_folder_of(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (fs::is_directory(folder, error)) {
    return {};
  }
  return fail(ErrorCode::write_failed,
              fmt::format("cannot write {}: there is no folder {}", file.string(), folder.string()),
              "Make the folder first, or name another place.");
}

Result<void> write_text_file(std::string_view text, const fs::path& file) {
  return check_folder_of(file).and_then(
      [&] { return written(file, platform::replace_file(file, text)); });
}

Result<void> write_machine_file(const Machine& machine, const fs::path& file) {
  return write_text_file(serialize::write_machine(machine), file);
}

Result<void> write_cached_machine(const Machine& machine, const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  return error ? cannot_write(file, error.message()) : write_machine_file(machine, file);
}

Result<void> check_writable(const fs::path& file) {
  if (fs::is_directory(file)) {
    return cannot_write(file, "it is a folder");
  }
  return check_folder_of(file).and_then(
      [&] { return written(file, platform::try_to_replace(file)); });
}

std::optional<fs::path> cached_machine_path() {
  auto folder = absolute_path_in("XDG_CACHE_HOME");
  if (!folder) {
    const auto home = absolute_path_in("HOME");
    if (!home) {
      return std::nullopt;
    }
    folder = *home / ".cache";
  }
  return *folder / "ridge" /
         fmt::format("machine-{}.json", platform::machine_key(ridge_version_text));
}

Result<Machine> measure_machine(const bench::Options& options) {
  auto description = platform::describe_machine(ridge_version_text);
  if (!description) {
    return description;
  }
  const Microarchitecture* theory =
      find_microarchitecture(serialize::known_microarchitectures(), description->cpu);
  ProgressBar bar;
  return bench::characterise(std::move(*description), theory, options,
                             [&](const bench::Progress& progress) {
                               bar.show(progress.done, progress.total, progress.what);
                             });
}

Result<Machine> load_or_measure_machine(const std::optional<std::string>& file,
                                        const std::optional<fs::path>& cache,
                                        const Measure& measure) {
  if (file) {
    return read_machine_file(*file);
  }
  if (auto cached = read_cached(cache)) {
    return std::move(*cached);
  }
  std::optional<MeasuringTurn> turn;
  if (cache) {
    auto taken = MeasuringTurn::take(lock_file_beside(*cache), waiting_on_terminal({}));
    if (!taken) {
      return tl::make_unexpected(taken.error());
    }
    turn.emplace(std::move(*taken));
    // Another process may have measured since the first look.
    if (auto cached = read_cached(cache)) {
      return std::move(*cached);
    }
  }
  announce_measurement(cache);
  auto measured = measure();
  if (measured && cache) {
    keep_measured(*measured, *cache);
  }
  return measured;
}

Result<Machine> load_or_measure_machine(const std::optional<std::string>& file,
                                        const std::optional<fs::path>& cache) {
  return load_or_measure_machine(file, cache, [] {
    const platform::WholeCpuset whole;
    return measure_machine({.quiet_limit = bench::quiet_limit(bench::Effort::quick)});
  });
}

Result<Machine> load_or_measure_machine(const std::optional<std::string>& file) {
  return load_or_measure_machine(file, cached_machine_path());
}

}  // namespace ridge::cli
