// The folder in which the ranks of one start leave their records side by side, without a lock that
// they share: RESULT/ranks/RUN/RANK. Whoever finds all of them there joins them.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/counted_code.hpp"
#include "core/value/rank_record.hpp"
#include "measure/run/rank_variables.hpp"

namespace ridge::cli {

/// Which run of the program a record is of.
enum class RankRun { first, counts, traffic };
[[nodiscard]] std::string_view to_string(RankRun run);

/// Which ranks are measured; the others run as without Ridge.
struct RankChoice {
  std::vector<unsigned> ranks;  ///< in ascending order; empty: by `every`
  unsigned every = 1;           ///< ranks 0, every, 2 * every ...

  [[nodiscard]] bool contains(unsigned rank) const;
  /// In ascending order, of so many.
  [[nodiscard]] std::vector<unsigned> all(unsigned ranks) const;
};

/// What all ranks of one start agree on: RESULT/ranks/RUN/start.
struct RankStart {
  std::string job;
  unsigned ranks = 0;              ///< in MPI_COMM_WORLD
  std::vector<unsigned> expected;  ///< that are measured

  friend bool operator==(const RankStart&, const RankStart&) = default;
};

[[nodiscard]] std::string write_rank_start(const RankStart& start);
/// Errors: bad_input with `file_name`.
[[nodiscard]] Result<RankStart> parse_rank_start(std::string_view text, std::string_view file_name);

/// A folder that stays ours whatever it is called later: another start may move it aside.
class RankFolder {
 public:
  /// RESULT must be a folder with ranks in it. Errors: bad_input.
  [[nodiscard]] static Result<RankFolder> open(const std::filesystem::path& result);

  /// The folder of our start, made by the first rank that comes. One that holds our record already
  /// is that of an earlier start, whatever its name: launchers use names again. An older result is
  /// moved aside, or with a name of its own refused unless `force`. Errors: usage, write_failed.
  [[nodiscard]] static Result<RankFolder> begin(const std::optional<std::string>& name, bool force,
                                                const RankStart& start, unsigned rank);

  /// For another run of the same ranks. Errors: usage, where the number of ranks is another.
  [[nodiscard]] Result<void> begin_again(RankRun run, const RankStart& start, unsigned rank) const;

  /// As it is called now.
  [[nodiscard]] std::filesystem::path result() const;

  /// Errors: write_failed.
  [[nodiscard]] Result<void> write(RankRun run, const RankRecord& record) const;
  /// Code that was counted, once for all ranks of a program (the file that ran), and of our rank
  /// what is not in that. Errors: write_failed.
  [[nodiscard]] Result<void> write_code(unsigned rank, const std::string& program,
                                        const CountedCode& code) const;
  /// Both together. Errors: bad_input where the program was not counted, or a file is damaged.
  [[nodiscard]] Result<CountedCode> code_of(unsigned rank, const std::string& program) const;
  /// The description of the machine, once for each host. Errors: write_failed.
  [[nodiscard]] Result<void> write_machine(const std::string& host, std::string_view json) const;
  /// That of `host`, or any; nullopt: none was written.
  [[nodiscard]] std::optional<std::filesystem::path> machine_file(const std::string& host) const;

  /// nullopt: there was no such run. Errors: bad_input.
  [[nodiscard]] Result<std::optional<RankStart>> start_of(RankRun run) const;
  /// Of ranks that are done, in ascending order of the ranks.
  [[nodiscard]] std::vector<std::filesystem::path> records(RankRun run) const;
  /// That ended before they had written a whole record: what they had by then.
  [[nodiscard]] std::vector<std::filesystem::path> snapshots(RankRun run) const;

  /// Whether all expected ranks have left their record, and we are the first to see it.
  [[nodiscard]] bool is_ours_to_join(RankRun run, unsigned rank) const;

 private:
  RankFolder(std::filesystem::path result, std::shared_ptr<const int> descriptor)
      : result_(std::move(result)), descriptor_(std::move(descriptor)) {}
  /// Errors: write_failed.
  [[nodiscard]] static Result<RankFolder> held(const std::filesystem::path& result);
  /// RESULT/ranks, by the descriptor.
  [[nodiscard]] std::filesystem::path ranks() const;
  [[nodiscard]] std::filesystem::path folder_of(RankRun run) const;

  std::filesystem::path result_;           ///< as it was called when we came
  std::shared_ptr<const int> descriptor_;  ///< of that folder
};

/// In the name of a host: what a file's name may hold.
[[nodiscard]] std::string file_name_of(const std::string& host);

}  // namespace ridge::cli
