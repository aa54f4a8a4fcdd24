#include "measure/binary/runs/engine_run.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "measure/code/mapped_file.hpp"
#include "measure/run/ending.hpp"
#include "platform/process_tree.hpp"
#include "platform/signals.hpp"

namespace ridge::measure::binary {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenPolls{20};
constexpr std::chrono::seconds kBetweenProgress{1};
/// How long a program that is not needed any more may clean up.
constexpr std::chrono::milliseconds kToCleanUp{2000};
/// How much longer than untouched a process that outlives the program may take.
constexpr int kSlowest = 100;

Seconds since(Clock::time_point begin) {
  return Seconds(std::chrono::duration<double>(Clock::now() - begin).count());
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  ~FileDescriptor() {
    if (number_ >= 0) {
      close(number_);
    }
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

Result<platform::ProcessTree> start_with_real_streams(const EngineStart& start,
                                                      const Request& request) {
  platform::ProcessOptions options;
  options.arguments = start.arguments;
  options.environment = start.environment;
  options.fixed_addresses = true;
  if (request.output_to_error) {
    options.standard_output = STDERR_FILENO;
  }
  return platform::ProcessTree::start(options, when_we_die(request));
}

Result<platform::ProcessTree> start(const EngineStart& start, const Request& request,
                                    InputReplay& input) {
  const auto standard_input = input.second_input();
  if (!standard_input) {
    return tl::make_unexpected(standard_input.error());
  }
  const FileDescriptor nowhere(open("/dev/null", O_WRONLY | O_CLOEXEC));
  if (nowhere.number() < 0) {
    return fail(ErrorCode::unavailable, "cannot open /dev/null");
  }
  platform::ProcessOptions options;
  options.arguments = start.arguments;
  options.environment = start.environment;
  options.standard_input = *standard_input;
  options.standard_output = nowhere.number();
  options.standard_error = nowhere.number();
  options.fixed_addresses = true;  // how data lie in the sets of the caches is part of the traffic
  return platform::ProcessTree::start(options, when_we_die(request));
}

class Wait {
 public:
  Wait(const Request& request, const EngineRunOptions& options, EngineRun& run)
      : request_(request), options_(options), run_(run) {
    tell();
  }

  void until_end(platform::ProcessTree& tree) {
    platform::SignalGuard::forward_to(tree.pid());
    std::optional<platform::ExitStatus> status;
    while (!(status = tree.wait_for(kBetweenPolls)) && !is_over_time() && !is_given_up()) {
      tell();
    }
    platform::SignalGuard::forward_to(0);
    if (status) {
      run_.status = *status;
      until_others_end(tree);
    } else {
      run_.over_time = is_over_time();
      end_gently(tree);
    }
    run_.skipped = platform::SignalGuard::last_received() != 0;
    run_.took = since(begin_);
  }

 private:
  [[nodiscard]] bool is_over_time() const {
    return options_.most && since(begin_) > *options_.most;
  }

  /// Somebody interrupted us, and the program does not end by it.
  [[nodiscard]] bool is_given_up() {
    if (platform::SignalGuard::last_received() == 0) {
      return false;
    }
    interrupted_ = interrupted_.value_or(Clock::now());
    return Clock::now() - *interrupted_ > kToCleanUp;
  }

  void tell() {
    if (request_.progress && Clock::now() >= next_) {
      request_.progress({options_.run,
                         is_first_ ? Seconds(0.0) : since(begin_),
                         {},
                         is_first_ ? options_.expected : std::nullopt});
      is_first_ = false;
      next_ = Clock::now() + kBetweenProgress;
    }
  }

  /// Those that ended in the first run end in this one too, later.
  void until_others_end(platform::ProcessTree& tree) {
    const auto ended = Clock::now();
    while (tree.has_others() && platform::SignalGuard::last_received() == 0 &&
           Clock::now() - ended < kSlowest * request_.wait_for_descendants && !is_over_time()) {
      std::this_thread::sleep_for(kBetweenPolls);
      tell();
    }
    tree.end_others_too();
  }

  static void end_gently(platform::ProcessTree& tree) {
    const auto begin = Clock::now();
    tree.end_others_too();
    kill(tree.pid(), SIGTERM);
    while (!tree.wait_for(kBetweenPolls) && Clock::now() - begin < kToCleanUp) {
    }
  }

  const Request& request_;
  const EngineRunOptions& options_;
  EngineRun& run_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_;
  bool is_first_ = true;
  std::optional<Clock::time_point> interrupted_;
};

/// Names end with the numbers of process and record, so their order says little; that of the
/// numbers says who came first.
void read_records(const std::filesystem::path& folder, EngineRun& run) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().filename().string().starts_with("record.")) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const MappedFile mapped(file.string());
    if (mapped.bytes().empty()) {
      run.damaged.push_back(fmt::format("{} is empty (is the disk full?)", file.string()));
      continue;
    }
    auto record = read_record(std::as_bytes(mapped.bytes()));
    if (record) {
      run.records.push_back(std::move(*record));
    } else {
      run.damaged.push_back(record.error().message);
    }
  }
  std::ranges::stable_sort(run.records, {}, &Record::pid);
}

}  // namespace

std::size_t lost_processes(std::span<const Record> records) {
  std::size_t lost = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const bool is_last = i + 1 == records.size() || records[i + 1].pid != records[i].pid;
    lost += is_last && records[i].before_exec ? 1 : 0;
  }
  return lost;
}

Result<EngineRun> run_engine(const Engine& engine, const EngineJob& job, const Request& request,
                             InputReplay& input, const EngineRunOptions& options) {
  EngineRun run;
  if (platform::SignalGuard::last_received() != 0) {  // since the run before
    run.skipped = true;
    return run;
  }
  const auto prepared = engine.prepare(job);
  if (!prepared) {
    return tl::make_unexpected(prepared.error());
  }
  auto tree = options.real_streams ? start_with_real_streams(*prepared, request)
                                   : start(*prepared, request, input);
  if (!tree) {
    return tl::make_unexpected(tree.error());
  }
  Wait(request, options, run).until_end(*tree);
  if (prepared->collect) {
    if (auto collected = prepared->collect(); !collected) {
      run.damaged.push_back(collected.error().message);
    }
  }
  read_records(job.folder, run);
  return run;
}

}  // namespace ridge::measure::binary
