// The machines on which ranks ran, side by side: rates of each against the roofs of one of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/value/profile.hpp"
#include "render/chart/style.hpp"

namespace ridge::render {

struct NodeRow {
  std::string name;  ///< "node 3" of one whose name was left out
  unsigned ranks = 0;
  std::optional<unsigned> cpus;
  std::optional<double> seconds;           ///< of its slowest rank
  std::optional<double> flops_per_second;  ///< in that time, as the next
  std::optional<double> bytes_per_second;  ///< to memory
  /// Of what one machine can do with all its threads; absent without roofs.
  std::optional<double> of_compute;
  std::optional<double> of_memory;
  std::optional<double> in_mpi;  ///< of the time of its ranks, each taken as long as the slowest;
                                 ///< absent where not all were measured
};

struct NodeTable {
  std::string heading;        ///< "By node: 4 machines; most / mean: work 1.20, CPU time 1.03"
  std::vector<NodeRow> rows;  ///< in the order of the profile
  std::size_t left_out = 0;   ///< of very many those that no figure has at either end
  std::string legend;
};

/// Without rows where ranks ran on one machine.
[[nodiscard]] NodeTable nodes_of(const Profile& profile);

/// Empty where ranks ran on one machine.
[[nodiscard]] std::string node_table(const Profile& profile, const TextStyle& style);
[[nodiscard]] std::string node_markdown(const Profile& profile);

}  // namespace ridge::render
