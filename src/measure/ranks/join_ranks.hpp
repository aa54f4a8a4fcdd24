// The profiles of many ranks become one. Pure. Memory is bounded by one profile and a few numbers
// for each region of each rank.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/value/rank_record.hpp"
#include "measure/ranks/rank_notes.hpp"
#include "measure/ranks/rank_values.hpp"
#include "measure/region_figures.hpp"

namespace ridge::measure {

/// Ranks are added in any order, or joins of other ranks; the result is the same but for the order
/// of regions that not all ranks have.
class RankJoin {
 public:
  using Places = std::vector<std::size_t>;  ///< of another's regions among those of the result

  /// Where each region of the record comes to stand: its id there. Of a rank that was added before
  /// nothing is kept, and the places are empty.
  Places add(const RankRecord& record);
  /// A join of other ranks.
  void add(RankJoin&& other);

  [[nodiscard]] std::size_t ranks() const { return processes_.size(); }

  /// The one profile of them all. `ranks`: in MPI_COMM_WORLD; `expected`: that were to be measured,
  /// in ascending order. `machine`: of one host. At least one rank must have been added.
  [[nodiscard]] Profile finish(const Machine& machine, unsigned ranks,
                               const std::vector<unsigned>& expected) &&;

 private:
  struct Joined {
    Region region;
    std::string name;  ///< that tells it from others under its parent
    std::optional<std::size_t> parent;
    std::vector<RankValue> values;
    /// Ranks with figures of each group, in the order of kFigureGroups.
    std::array<unsigned, kFigureGroups.size()> with{};
    CountedNotes notes;
  };
  struct RankProcess {
    unsigned rank = 0;
    Process process;
    std::string host;
    std::optional<std::uint64_t> memory_bytes;  ///< between the last cache and memory
    bool is_snapshot = false;
  };
  struct Host {
    unsigned measured = 0;     ///< ranks
    unsigned local_ranks = 0;  ///< as those say; 0: unknown
    std::set<unsigned> cpus;
    /// Of the program, measured or not.
    [[nodiscard]] unsigned ranks() const { return std::max(measured, local_ranks); }
  };
  struct CallKey {
    std::string name;
    std::string sizes;
    std::optional<std::size_t> region;
    auto operator<=>(const CallKey&) const = default;
  };
  struct JoinedMpiCall {
    MpiCall call;
    std::vector<NumberOfRank> seconds;
  };
  struct JoinedLibraryCall {
    LibraryCall call;
  };
  std::size_t place_for(const std::string& name, std::optional<std::size_t> parent,
                        const Region& region);
  Places place_regions(const RankRecord& record);
  void add_regions(const RankRecord& record, const Places& places);
  void add_calls(const Profile& profile, unsigned rank, const Places& places);
  void add_process(const RankRecord& record);
  void add_run(const Profile& profile, unsigned rank);
  void add_calls_of(const RankJoin& other, const Places& places);
  void finish_region(Joined& joined, const std::vector<unsigned>& measured);
  void finish_calls(Profile& profile);
  void finish_processes(Profile& profile);
  void finish_end(Profile& profile);
  [[nodiscard]] std::vector<bool> listed_processes() const;
  [[nodiscard]] std::vector<unsigned> ranks_of_one_program() const;
  [[nodiscard]] ParallelRun parallel_run(unsigned ranks,
                                         const std::vector<unsigned>& expected) const;

  std::vector<Joined> regions_;
  std::unordered_map<std::string, std::size_t> place_of_;  ///< by key
  std::map<CallKey, JoinedMpiCall> mpi_calls_;
  std::map<CallKey, JoinedLibraryCall> library_calls_;
  std::vector<RankProcess> processes_;
  std::set<unsigned> seen_;
  std::map<std::string, Host> hosts_;
  CountedNotes notes_;
  std::optional<Profile> first_;  ///< of the lowest rank, without regions
  unsigned first_rank_ = 0;
  double sampled_seconds_ = 0.0;
  double unattributed_seconds_ = 0.0;
  double longest_seconds_ = 0.0;
};

}  // namespace ridge::measure
