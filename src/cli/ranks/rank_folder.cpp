#include "cli/ranks/rank_folder.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <thread>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "cli/common/result_folder.hpp"
#include "measure/ranks/shared_code.hpp"
#include "platform/file.hpp"
#include "serialize/counted_code.hpp"
#include "serialize/rank_record.hpp"

namespace ridge::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kUnnamed = "ridge-out";
constexpr const char* kRanks = "ranks";
constexpr const char* kStart = "start";
constexpr const char* kJoined = "joined";
constexpr const char* kSnapshot = ".part";
constexpr const char* kCode = ".code";
/// How long another rank may take to make the folder: parallel file systems are slow when many
/// begin at once.
constexpr std::chrono::seconds kPatience{60};
constexpr std::chrono::milliseconds kBetweenLooks{20};

tl::unexpected<Error> not_written(const fs::path& path, const std::string& why) {
  return fail(ErrorCode::write_failed, fmt::format("cannot write {}: {}", path.string(), why),
              "All ranks must be able to write there: name a folder on a file system that the "
              "machines share with -o.");
}

/// `file` as the user knows it: files are opened by the descriptor of their folder.
tl::unexpected<Error> not_kept(const fs::path& file, const fs::path& result,
                               const std::error_code& error) {
  if (error != std::errc::no_space_on_device && error.value() != EDQUOT) {
    return not_written(file, error.message());
  }
  return fail(
      ErrorCode::write_failed, fmt::format("cannot write {}: {}", file.string(), error.message()),
      fmt::format("Make room there. What other ranks have written is kept: `ridge merge {}` "
                  "joins it without this rank.",
                  result.string()));
}

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    return std::nullopt;
  }
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

/// True for the one that made it.
bool create(const fs::path& path) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file >= 0) {
    close(file);
  }
  return file >= 0;
}

/// 0, or the errno of a file that cannot be made there.
int try_to_create_beside(const fs::path& file) {
  std::string name = file.string() + "-XXXXXX";
  const int made = mkstemp(name.data());
  if (made < 0) {
    return errno;
  }
  close(made);
  unlink(name.c_str());
  return 0;
}

/// Digits lead, so that names of files are in the order of the ranks.
std::string record_name(unsigned rank) {
  return fmt::format("{:07}", rank);
}

bool is_record(const std::string& name) {
  return name.size() >= record_name(0).size() &&
         std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
}

/// Whether the folder of a run is that of our start, which our record is still to come to.
bool is_of_start(const fs::path& folder, const RankStart& start, unsigned rank) {
  const fs::path file = folder / kStart;
  const auto text = read_file(file);
  const auto found = text ? parse_rank_start(*text, file.string()) : Result<RankStart>();
  std::error_code error;
  return text && found && *found == start && !fs::exists(folder / record_name(rank), error);
}

/// Holds the claim on a folder that is being made; others wait for it or for the folder.
class Claim {
 public:
  explicit Claim(fs::path file) : file_(std::move(file)), is_ours_(create(file_)) {}
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;
  ~Claim() {
    if (is_ours_) {
      unlink(file_.c_str());
    }
  }
  [[nodiscard]] bool is_ours() const { return is_ours_; }

 private:
  fs::path file_;
  bool is_ours_;
};

/// Where the folder of our start is, as `find` sees it. Where it is not, `make` is called by the
/// one rank that gets there first.
template <class Find, class Make>
Result<fs::path> agree(const fs::path& claim, Find find, Make make) {
  const auto until = std::chrono::steady_clock::now() + kPatience;
  do {
    if (auto found = find()) {
      return std::move(*found);
    }
    if (const Claim ours(claim); ours.is_ours()) {
      if (auto made = find() ? Result<void>() : make(); !made) {
        return tl::make_unexpected(made.error());
      }
      continue;
    }
    std::error_code error;
    if (!fs::exists(claim, error) && try_to_create_beside(claim) != 0) {
      return not_written(claim.parent_path(), std::strerror(try_to_create_beside(claim)));
    }
    std::this_thread::sleep_for(kBetweenLooks);
  } while (std::chrono::steady_clock::now() < until);
  return fail(ErrorCode::write_failed,
              fmt::format("another rank has held {} for {} s", claim.string(), kPatience.count()),
              "If none is at work, it was killed there: remove that file.");
}

Result<void> write_file(const fs::path& file, std::string_view bytes) {
  const auto failed = platform::replace_file(file, bytes);
  return failed ? Result<void>(not_written(file, failed.message())) : Result<void>();
}

/// Of the ranks of a program.
std::string shared_code_name(const std::string& program) {
  return fmt::format("code-{}", file_name_of(fs::path(program).filename().string()));
}

/// Named as it lies in RESULT/ranks.
Result<CountedCode> read_code(const fs::path& file) {
  const std::string name = (file.parent_path().filename() / file.filename()).string();
  return serialize::parse_counted_code(read_file(file).value_or(std::string()), name);
}

Result<void> write_start(const fs::path& folder, const RankStart& start) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    return not_written(folder, error.message());
  }
  return write_file(folder / kStart, write_rank_start(start));
}

std::vector<fs::path> sorted_files(const fs::path& folder, bool snapshots) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool is_part = entry.path().extension() == kSnapshot;
    if (is_part == snapshots && is_record(entry.path().stem().string()) &&
        (is_part || !entry.path().has_extension())) {
      found.push_back(entry.path());
    }
  }
  std::ranges::sort(found);
  return found;
}

/// Where our start lives: under its name, or where a later start has moved it.
std::optional<fs::path> place_of(const fs::path& result, const RankStart& start, unsigned rank) {
  const auto is_ours = [&](const fs::path& folder) {
    return is_of_start(folder / kRanks / to_string(RankRun::first), start, rank);
  };
  if (is_ours(result)) {
    return result;
  }
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(result.parent_path(), error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(result.filename().string() + ".") && is_ours(entry.path())) {
      return entry.path();
    }
  }
  return std::nullopt;
}

Result<void> make_folder(const fs::path& path, bool is_named, bool force, const RankStart& start) {
  std::error_code error;
  const bool is_older = fs::exists(path / "profile.json", error) || fs::exists(path / kRanks);
  if (is_named && fs::exists(path / kRanks) &&
      !fs::exists(path / kRanks / to_string(RankRun::first) / kStart)) {
    return fail(ErrorCode::usage,
                fmt::format("{} is no folder of Ridge's", (path / kRanks).string()),
                "Records of ranks would replace it: give another folder with -o.");
  }
  if (is_named && is_older && !force) {
    return fail(ErrorCode::usage, fmt::format("{} holds a result already", path.string()),
                "--force overwrites it; --into adds another run of the same ranks to it.");
  }
  if (!is_named) {
    if (const int failed = move_aside(path); failed != 0) {
      return not_written(path, std::strerror(failed));
    }
  }
  fs::remove_all(path / kRanks, error);
  return write_start(path / kRanks / to_string(RankRun::first), start);
}

}  // namespace

std::string file_name_of(const std::string& host) {
  std::string name = host.empty() ? "unknown" : host;
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '_');
  return name;
}

Result<RankFolder> RankFolder::held(const fs::path& result) {
  const int opened = ::open(result.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) {
    return not_written(result, std::strerror(errno));
  }
  return RankFolder(result, std::shared_ptr<const int>(new int(opened), [](const int* descriptor) {
                      close(*descriptor);
                      delete descriptor;
                    }));
}

fs::path RankFolder::result() const {
  std::error_code error;
  fs::path now = fs::read_symlink(fmt::format("/proc/self/fd/{}", *descriptor_), error);
  return error ? result_ : now;
}

fs::path RankFolder::ranks() const {
  return fs::path(fmt::format("/proc/self/fd/{}", *descriptor_)) / kRanks;
}

fs::path RankFolder::folder_of(RankRun run) const {
  return ranks() / to_string(run);
}

Result<RankFolder> RankFolder::open(const fs::path& result) {
  std::error_code error;
  if (!fs::is_directory(result / kRanks, error)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} holds no ranks of a parallel program", result.string()),
                "`mpirun -n N ridge run -o DIR -- PROGRAM` writes them.");
  }
  return held(fs::absolute(result));
}

Result<RankFolder> RankFolder::begin(const std::optional<std::string>& name, bool force,
                                     const RankStart& start, unsigned rank) {
  const fs::path path = fs::absolute(name.value_or(kUnnamed));
  std::error_code error;
  fs::create_directories(path.parent_path(), error);  // what is in the way is said below
  const fs::path claim = path.parent_path() / fmt::format(".{}.begins", path.filename().string());
  return agree(
             claim, [&] { return place_of(path, start, rank); },
             [&] { return make_folder(path, name.has_value(), force, start); })
      .and_then(held);
}

Result<void> RankFolder::begin_again(RankRun run, const RankStart& start, unsigned rank) const {
  const auto first = start_of(RankRun::first);
  if (!first) {
    return tl::make_unexpected(first.error());
  }
  if (!*first || (*first)->ranks != start.ranks || (*first)->expected != start.expected) {
    const auto words = [](const RankStart& of) {
      return of.expected.size() == of.ranks
                 ? fmt::format("all {} ranks", of.ranks)
                 : fmt::format("{} of {} ranks", of.expected.size(), of.ranks);
    };
    return fail(ErrorCode::usage,
                fmt::format("{} holds {}, and this start measures {}", result_.string(),
                            *first ? words(**first) : "no ranks", words(start)),
                "Start the same ranks in the same way, with the same --ranks or --every.");
  }
  const fs::path folder = folder_of(run);
  const auto is_there = [&]() -> std::optional<fs::path> {
    return is_of_start(folder, start, rank) ? std::optional(folder) : std::nullopt;
  };
  return agree(ranks() / fmt::format(".{}.begins", to_string(run)), is_there,
               [&] {
                 std::error_code error;
                 fs::remove_all(folder, error);  // of an earlier try
                 return write_start(folder, start);
               })
      .map([](const fs::path&) {});
}

Result<void> RankFolder::write(RankRun run, const RankRecord& record) const {
  const fs::path whole = folder_of(run) / record_name(record.rank);
  const fs::path part = whole.string() + kSnapshot;
  const fs::path& file = record.is_snapshot ? part : whole;
  if (const auto error = platform::replace_file(file, serialize::write_rank_record(record))) {
    const fs::path now = result();
    return not_kept(now / kRanks / to_string(run) / file.filename(), now, error);
  }
  if (!record.is_snapshot) {
    unlink(part.c_str());
  }
  return {};
}

Result<void> RankFolder::write_code(unsigned rank, const std::string& program,
                                    const CountedCode& code) const {
  const fs::path shared = folder_of(RankRun::counts) / shared_code_name(program);
  const auto is_there = [&]() -> std::optional<fs::path> {
    std::error_code error;
    return fs::exists(shared, error) ? std::optional(shared) : std::nullopt;
  };
  const auto known =
      agree(folder_of(RankRun::counts) / fmt::format(".{}.begins", shared.filename().string()),
            is_there, [&] { return write_file(shared, serialize::write_counted_code(code)); })
          .and_then(read_code);
  if (!known) {
    return tl::make_unexpected(known.error());
  }
  const CountedCode beyond = measure::code_beyond(code, *known);
  return beyond.files.empty() ? Result<void>()
                              : write_file(folder_of(RankRun::counts) / (record_name(rank) + kCode),
                                           serialize::write_counted_code(beyond));
}

Result<CountedCode> RankFolder::code_of(unsigned rank, const std::string& program) const {
  const fs::path counts = folder_of(RankRun::counts);
  std::error_code error;
  if (!fs::exists(counts / shared_code_name(program), error)) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} was not counted in {}", program, result().string()),
                "Count first: mpirun -n N ridge run --into RESULT --only-counts -- PROGRAM");
  }
  auto shared = read_code(counts / shared_code_name(program));
  const fs::path own = counts / (record_name(rank) + kCode);
  if (!shared || !fs::exists(own, error)) {
    return shared;
  }
  return read_code(own).map(
      [&](const CountedCode& beyond) { return measure::joined_code(std::move(*shared), beyond); });
}

Result<void> RankFolder::write_machine(const std::string& host, std::string_view json) const {
  const fs::path file = ranks() / fmt::format("machine-{}.json", file_name_of(host));
  std::error_code error;
  if (fs::exists(file, error)) {
    return {};
  }
  const auto failed = platform::replace_file(file, json);
  const fs::path now = result();
  return failed ? Result<void>(not_kept(now / kRanks / file.filename(), now, failed))
                : Result<void>();
}

std::optional<fs::path> RankFolder::machine_file(const std::string& host) const {
  const fs::path own = ranks() / fmt::format("machine-{}.json", file_name_of(host));
  std::error_code error;
  if (fs::exists(own, error)) {
    return own;
  }
  std::vector<fs::path> others;
  for (const auto& entry : fs::directory_iterator(ranks(), error)) {
    if (entry.path().filename().string().starts_with("machine-")) {
      others.push_back(entry.path());
    }
  }
  const auto first = std::ranges::min_element(others);
  return first == others.end() ? std::nullopt : std::optional(*first);
}

Result<std::optional<RankStart>> RankFolder::start_of(RankRun run) const {
  const fs::path file = folder_of(run) / kStart;
  const auto text = read_file(file);
  if (!text) {
    return std::nullopt;
  }
  return parse_rank_start(*text, file.string()).map([](RankStart start) {
    return std::optional(std::move(start));
  });
}

std::vector<fs::path> RankFolder::records(RankRun run) const {
  return sorted_files(folder_of(run), false);
}

std::vector<fs::path> RankFolder::snapshots(RankRun run) const {
  return sorted_files(folder_of(run), true);
}

bool RankFolder::is_ours_to_join(RankRun run, unsigned rank) const {
  const auto start = start_of(run);
  if (!start || !*start) {
    return false;
  }
  // From our own rank onwards: of many ranks that end one after another few ask for many files.
  std::vector<unsigned> others = (*start)->expected;
  std::ranges::rotate(others, std::ranges::lower_bound(others, rank));
  std::error_code error;
  const bool all_there = std::ranges::all_of(others, [&](unsigned other) {
    return fs::exists(folder_of(run) / record_name(other), error);
  });
  return all_there && create(folder_of(run) / kJoined);
}

}  // namespace ridge::cli
