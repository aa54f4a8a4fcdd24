// Fields of the record of a rank.
#pragma once

#include <tuple>

#include "core/describe/profile.hpp"
#include "core/value/rank_record.hpp"

namespace ridge::describe {

template <>
struct Description<RankRecord> {
  static constexpr std::string_view name = "RankRecord";
  static constexpr std::string_view meaning = "what one rank of a parallel program leaves";
  static constexpr auto fields = std::tuple{
      field("rank", &RankRecord::rank, "", "in MPI_COMM_WORLD"),
      field("host", &RankRecord::host, "", "that it ran on"),
      field("cpus", &RankRecord::cpus, "", "hardware threads of the host that it may run on"),
      field("local_ranks", &RankRecord::local_ranks, "",
            "of the program on that host, measured or not; 0: unknown"),
      field("is_snapshot", &RankRecord::is_snapshot, "", "written while the program ran"),
      field("profile", &RankRecord::profile, "", "of this rank alone, without its machine")};
};
static_assert(is_complete<RankRecord>());

}  // namespace ridge::describe
