#include "cli/ranks/join_result.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/common/machine_file.hpp"
#include "cli/common/streams.hpp"
#include "measure/ranks/join_ranks.hpp"
#include "measure/ranks/later_run.hpp"
#include "serialize/rank_record.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

/// "traffic/0000003": messages name records as they lie in RESULT/ranks.
Result<RankRecord> read_record(const fs::path& file) {
  const std::string name = (file.parent_path().filename() / file.filename()).string();
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read {}", name));
  }
  const std::string bytes(std::istreambuf_iterator<char>(stream), {});
  return serialize::parse_rank_record(bytes, name);
}

/// A few of very many.
void say_problems(const std::vector<std::string>& problems) {
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < std::min(kShown, problems.size()); ++i) {
    say(fmt::format("left out: {}", problems[i]));
  }
  if (problems.size() > kShown) {
    say(fmt::format("left out: {} more", problems.size() - kShown));
  }
}

/// Files of the same rank have the same name in the folder of each run.
std::optional<fs::path> same_rank(const std::vector<fs::path>& files, const fs::path& first) {
  const auto found =
      std::ranges::lower_bound(files, first.stem(), {}, [](const fs::path& f) { return f.stem(); });
  return found != files.end() && found->stem() == first.stem() ? std::optional(*found)
                                                               : std::nullopt;
}

/// What one thread joins: every n-th rank.
class Part {
 public:
  Part(const std::vector<fs::path>& first, const std::vector<fs::path>& counts,
       const std::vector<fs::path>& traffic)
      : first_(first), counts_(counts), traffic_(traffic) {}

  void join(std::size_t begin, std::size_t step) {
    for (std::size_t i = begin; i < first_.size(); i += step) {
      auto record = read_record(first_[i]);
      if (!record) {
        problems_.push_back(record.error().message);
        continue;
      }
      if (const auto counted = later(counts_, first_[i])) {
        record->profile = measure::with_work_of(std::move(record->profile), counted->profile);
      }
      if (const auto simulated = later(traffic_, first_[i])) {
        record->profile = measure::with_traffic_of(std::move(record->profile), simulated->profile);
      }
      join_.add(*record);
    }
  }

  [[nodiscard]] measure::RankJoin& joined() { return join_; }
  [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }

 private:
  std::optional<RankRecord> later(const std::vector<fs::path>& files, const fs::path& first) {
    const auto file = same_rank(files, first);
    if (!file) {
      return std::nullopt;
    }
    auto record = read_record(*file);
    if (!record) {
      problems_.push_back(record.error().message);
      return std::nullopt;
    }
    return std::move(*record);
  }

  const std::vector<fs::path>& first_;
  const std::vector<fs::path>& counts_;
  const std::vector<fs::path>& traffic_;
  measure::RankJoin join_;
  std::vector<std::string> problems_;
};

/// Whole records, and what ranks that ended early had written by then.
std::vector<fs::path> first_files(const RankFolder& folder) {
  std::vector<fs::path> files = folder.records(RankRun::first);
  for (const fs::path& part : folder.snapshots(RankRun::first)) {
    if (!same_rank(files, part)) {
      files.insert(std::ranges::lower_bound(files, part), part);
    }
  }
  return files;
}

measure::RankJoin join_files(const RankFolder& folder, const std::vector<fs::path>& first) {
  const auto counts = folder.records(RankRun::counts);
  const auto traffic = folder.records(RankRun::traffic);
  const std::size_t threads =
      std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 1 + first.size() / 16);
  std::vector<Part> parts(threads, Part(first, counts, traffic));
  std::vector<std::thread> running;
  for (std::size_t i = 1; i < threads; ++i) {
    running.emplace_back([&, i] { parts[i].join(i, threads); });
  }
  parts.front().join(0, threads);
  for (std::thread& thread : running) {
    thread.join();
  }
  std::vector<std::string> problems = parts.front().problems();
  for (std::size_t i = 1; i < threads; ++i) {
    problems.insert(problems.end(), parts[i].problems().begin(), parts[i].problems().end());
    parts.front().joined().add(std::move(parts[i].joined()));
  }
  say_problems(problems);
  return std::move(parts.front().joined());
}

Result<Machine> machine_of(const RankFolder& folder, const std::optional<Machine>& given) {
  if (given) {
    return *given;
  }
  const auto file = folder.machine_file("");
  if (!file) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} says nothing of the machine", folder.result().string()),
                "Name a file of `ridge bench` with --machine.");
  }
  return read_machine_file(*file);
}

}  // namespace

Result<void> check_program(const RankFolder& folder, unsigned rank,
                           const std::vector<std::string>& program) {
  const auto name_of = [](const std::vector<std::string>& words) {
    return words.empty() ? std::string() : fs::path(words.front()).filename().string();
  };
  const auto file = same_rank(folder.records(RankRun::first), fmt::format("{:07}", rank));
  const auto first = file ? read_record(*file) : fail(ErrorCode::bad_input, "");
  if (!first || name_of(first->profile.program.argv) == name_of(program)) {
    return {};  // what is wrong with a record is said when it is joined
  }
  return fail(ErrorCode::usage,
              fmt::format("{} is of {}, and this start runs {}", folder.result().string(),
                          first->profile.program.argv.front(), program.front()),
              "Start the same program with --into, or measure this one with -o.");
}

Result<Profile> join_result(const RankFolder& folder, const std::optional<Machine>& machine) {
  const auto start = folder.start_of(RankRun::first);
  if (!start) {
    return tl::make_unexpected(start.error());
  }
  const auto known_machine = machine_of(folder, machine);
  if (!known_machine) {
    return tl::make_unexpected(known_machine.error());
  }
  const auto files = first_files(folder);
  measure::RankJoin joined = join_files(folder, files);
  if (joined.ranks() == 0) {
    return fail(
        ErrorCode::bad_input,
        fmt::format("{} holds no record of a rank that can be read", folder.result().string()),
        "Each rank writes one when its program has ended. Measure again.");
  }
  const RankStart known = start->value_or(RankStart());
  return std::move(joined).finish(*known_machine, known.ranks, known.expected);
}

}  // namespace ridge::cli
