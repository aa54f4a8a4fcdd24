#include "measure/binary/profile/processes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/quantity/saturating.hpp"
#include "measure/code/names.hpp"

namespace ridge::measure::binary {
namespace {

/// By which a process of one run is known in another: its rank and program, else its command line.
using Who = std::tuple<std::optional<int>, std::vector<std::string>>;

Who who(const std::vector<std::string>& argv, std::optional<int> rank) {
  if (!rank) {
    return {rank, argv};
  }
  return {rank, {argv.empty() ? std::string() : std::string(file_name(argv.front()))}};
}

struct Done {
  std::uint64_t flops = 0;
  std::uint64_t bytes = 0;
  std::size_t processes = 0;  ///< that are known by the same
};

/// One process has a record for each program that it was.
std::map<Who, Done> work_by_process(std::span<const Record> records,
                                    std::span<const RegionWork> work) {
  std::map<std::uint32_t, const Record*> last;
  for (const Record& record : records) {
    if (!record.before_exec) {
      last[record.pid] = &record;
    }
  }
  std::map<Who, Done> found;
  for (std::size_t i = 0; i < std::min(records.size(), work.size()); ++i) {
    const auto known = last.find(records[i].pid);
    const Record& record = known != last.end() ? *known->second : records[i];
    Done& done = found[who(record.arguments, record.rank)];
    done.flops = saturating_add(done.flops, work[i].flops ? work[i].flops->total() : 0);
    done.bytes = saturating_add(done.bytes, saturating_add(work[i].bytes_loaded.value_or(0),
                                                           work[i].bytes_stored.value_or(0)));
    done.processes += &record == &records[i] ? 1 : 0;
  }
  return found;
}

std::vector<double> cpu_seconds(const SampledCode& samples) {
  std::vector<double> seconds(samples.processes.size(), 0.0);
  for (const SampledMoment& moment : samples.moments) {
    const std::uint32_t process = samples.threads[moment.thread].process;
    seconds[process] += moment.asleep ? 0.0 : 1e-9 * static_cast<double>(moment.weight);
  }
  return seconds;
}

}  // namespace

std::vector<Process> processes_of(const TimedRun& timed, const std::vector<std::string>& argv,
                                  std::span<const Record> records,
                                  std::span<const RegionWork> work) {
  std::vector<Process> found{
      {timed.pid, argv, timed.status.code, timed.status.signal, std::nullopt, {}, {}, {}}};
  const auto seconds = cpu_seconds(timed.samples);
  const auto counted = work_by_process(records, work);
  std::map<Who, std::size_t> sampled;
  for (const ProcessIdentity& identity : timed.processes) {
    ++sampled[who(identity.argv, identity.rank)];
  }
  for (std::size_t i = 0; i < std::min(seconds.size(), timed.processes.size()); ++i) {
    const ProcessIdentity& identity = timed.processes[i];
    const bool is_program = timed.samples.processes[i] == timed.pid;
    Process& process = is_program ? found.front() : found.emplace_back();
    process.pid = timed.samples.processes[i];
    process.argv = is_program ? argv : identity.argv;
    process.rank = identity.rank;
    process.cpu_seconds = Seconds(seconds[i]);
    const Who key = who(identity.argv, identity.rank);
    const auto done = counted.find(key);
    if (done != counted.end() && done->second.processes == 1 && sampled[key] == 1) {
      process.flops = done->second.flops;
      process.bytes = done->second.bytes;
    }
  }
  return found;
}

}  // namespace ridge::measure::binary
