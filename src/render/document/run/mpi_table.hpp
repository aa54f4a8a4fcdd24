// Time of a program in MPI, by function: how much of it was waiting, and who calls.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

/// Calls of one function from wherever.
struct MpiFunction {
  std::string name;
  std::uint64_t calls = 0;
  std::optional<std::uint64_t> bytes;  ///< nullopt: of some calls they are not known
  double seconds = 0.0;
  std::optional<double> waiting_seconds;  ///< nullopt: of some calls it was not told apart
  /// The most time first, each with its share of the function's: "exchange (halo.c:12)".
  std::vector<std::pair<std::string, double>> callers;
};

struct MpiTime {
  std::vector<MpiFunction> functions;  ///< the most time first
  double seconds = 0.0;                ///< of all, over all ranks
  double start_seconds = 0.0;          ///< part of it in MPI_Init, MPI_Init_thread, MPI_Finalize
  double waiting_seconds = 0.0;        ///< as far as it was told apart, without the start
  double untold_seconds = 0.0;         ///< of calls of which it was not, without the start
  std::optional<double> share;         ///< of the wall time of the processes that called
  unsigned processes = 0;              ///< that called
};

[[nodiscard]] MpiTime mpi_time(const Profile& profile);

/// "MPI: 31 % of the time of 4 processes, and 20 % in MPI_Init and MPI_Finalize; 80 % of it
/// waiting; of 10 % waiting is not told apart".
[[nodiscard]] std::string mpi_headline(const MpiTime& time);

/// Empty where no calls were recorded.
[[nodiscard]] std::string mpi_table(const Profile& profile, const TextStyle& style);
[[nodiscard]] std::string mpi_markdown(const Profile& profile);

}  // namespace ridge::render
