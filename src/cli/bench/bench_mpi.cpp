#include "cli/bench/bench_mpi.hpp"

#include <chrono>
#include <string>

#include <fmt/format.h>

#include "bench/interconnect.hpp"
#include "cli/common/machine_file.hpp"
#include "cli/common/streams.hpp"
#include "cli/common/terminal.hpp"
#include "cli/output/output_format.hpp"
#include "platform/affinity.hpp"
#include "platform/communicator.hpp"
#include "platform/topology.hpp"
#include "render/document/bench/interconnect_table.hpp"
#include "serialize/machine.hpp"

namespace ridge::cli {
namespace {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void announce(std::size_t links, std::size_t sizes) {
  say(fmt::format("measuring {} links with {} sizes of messages", links, sizes));
}

std::string printed(const Machine& machine, const BenchOptions& options) {
  if (options.json) {
    return serialize::write_machine(machine);
  }
  const render::TextStyle style = text_style(stdout);
  std::string text = render::interconnect_table(*machine.interconnect, style);
  if (options.table) {
    text += "\n" + render::interconnect_sizes(*machine.interconnect, style);
  }
  return text;
}

/// What was measured on more nodes is worth more.
bool is_kept(const Machine& kept, const Interconnect& measured, bool force) {
  return !force && kept.interconnect && kept.interconnect->nodes > measured.nodes;
}

/// Of a machine that was given nothing is known of the one that we run on.
void keep(const Interconnect& measured, const BenchOptions& options, bool is_speaker) {
  if (options.machine) {
    return;
  }
  const auto tell = [&](const std::string& text) {
    if (is_speaker) {
      say(text);
    }
  };
  const auto cache = cached_machine_path();
  if (!cache) {
    tell("not kept for `ridge run`: neither XDG_CACHE_HOME nor HOME is set");
    return;
  }
  auto machine = read_machine_file(*cache);
  if (!machine) {
    tell("not kept for `ridge run`: " + machine.error().message);
    return;
  }
  if (is_kept(*machine, measured, options.force)) {
    tell(
        fmt::format("not kept for `ridge run`: {} has links between {} nodes; `--force` replaces "
                    "them all the same",
                    cache->string(), machine->interconnect->nodes));
    return;
  }
  machine->interconnect = measured;
  const auto written = write_cached_machine(*machine, *cache);
  tell(written ? fmt::format("kept for `ridge run` in {}", cache->string())
               : "not kept for `ridge run`: " + written.error().message);
}

Result<void> write_output(const Machine& machine, const BenchOptions& options) {
  if (!options.output) {
    return {};
  }
  return writer_or_json(&OutputFormat::machine, *options.output)
      .make(machine)
      .and_then([&](const std::string& bytes) { return write_text_file(bytes, *options.output); });
}

Result<int> show(Machine machine, const bench::MeasuredInterconnect& measured,
                 const BenchOptions& options) {
  machine.interconnect = measured.interconnect;
  const auto shown =
      options.json ? print(printed(machine, options)) : print_screen(printed(machine, options));
  keep(measured.interconnect, options, true);
  const auto written = write_output(machine, options);
  return (written ? shown : written).map([] { return 0; });
}

}  // namespace

Result<int> bench_mpi(const BenchOptions& options) {
  // Before the ranks know of each other: waiting in MPI would take the CPUs of the one that
  // measures.
  auto machine = load_or_measure_machine(options.machine);
  if (!machine) {
    return tl::make_unexpected(machine.error());
  }
  auto ranks = platform::open_mpi(options.mpi_library);
  if (!ranks) {
    return tl::make_unexpected(ranks.error());
  }
  const unsigned rank = (*ranks)->rank();
  const auto measured = bench::measure_interconnect(
      **ranks, {.effort = options.effort(),
                .host = platform::host_name().value_or("unknown"),
                .cpus = static_cast<unsigned>(platform::cpuset_cpus().size()),
                .date = platform::utc_now(),
                .now = steady_seconds,
                .on_start = announce});
  if (!measured) {
    // Launchers end all ranks once one has failed: not before rank 0 has said why.
    const int code = rank == 0 ? say_error(measured.error()) : measured.error().exit_code();
    (*ranks)->barrier();
    return code;
  }
  if (rank == 0) {
    return show(std::move(*machine), *measured, options);
  }
  if (measured->speaks_for_host) {
    keep(measured->interconnect, options, false);
  }
  return 0;
}

}  // namespace ridge::cli
