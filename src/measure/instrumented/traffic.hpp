// The second run's traffic, joined to the first run's regions.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "abi/layout.h"
#include "core/value/profile.hpp"
#include "measure/instrumented/decode.hpp"
#include "measure/instrumented/regions.hpp"
#include "measure/profile/region_traffic.hpp"

namespace ridge::measure {

/// One process of the second run, by region identity.
class SecondRun {
 public:
  explicit SecondRun(const RawProcess& process);

  struct Entry {
    Counts counts;
    CountsByThread by_thread;
    ridge_region_traffic traffic{};  ///< of all lines
    ridge_region_lines lines{};
    std::uint64_t exact_accesses = 0;  ///< while all lines were simulated
    std::optional<TripCounts> trips;
    ridge_region_nodes nodes{};
    std::vector<ridge_region_traffic> elsewhere;  ///< as RawProcess has it; zeros where none is
    std::vector<ridge_region_traffic> placed;     ///< as RawProcess has it
    bool sampled = false;                         ///< in part from some lines for others
    std::vector<Note> notes;                      ///< why it may be wrong, each once
  };
  /// nullptr when the region was not there.
  [[nodiscard]] const Entry* find(const std::string& identity) const;
  /// All regions, and what lay in none.
  [[nodiscard]] const ridge_region_traffic& total() const { return total_; }
  /// The same for each way to place explicit tasks; empty without tasks.
  [[nodiscard]] const std::vector<ridge_region_traffic>& placed() const { return placed_; }
  [[nodiscard]] bool simulated() const { return simulated_; }
  [[nodiscard]] bool sampled() const { return sampled_; }
  /// It saw who asks for work first get it, or had to guess in which order threads came.
  [[nodiscard]] bool divides_freely() const { return divides_freely_; }
  /// All regions on other caches; nullopt where there is no table.
  [[nodiscard]] const std::vector<std::optional<ridge_region_traffic>>& elsewhere() const {
    return elsewhere_;
  }

 private:
  [[nodiscard]] static std::vector<Note> doubts_of(const RawProcess& process, const Entry& marker);
  void add_markers(const RawProcess& process, const RegionTable& table);
  void add_elsewhere(const RawProcess& process, const RegionTable& table);
  void add_placed(const RawProcess& process, const RegionTable& table);

  std::unordered_map<std::string, Entry> entries_;
  std::vector<std::optional<ridge_region_traffic>> elsewhere_;
  ridge_region_traffic total_{};
  std::vector<ridge_region_traffic> placed_;
  bool simulated_ = false;
  bool sampled_ = false;
  bool divides_freely_ = false;
};

/// By the work of both runs.
[[nodiscard]] TrafficScale traffic_scale(const Counts& first, const Counts& second);

/// Traffic at the boundaries where it depends on which core did the work, for each placement.
[[nodiscard]] std::vector<TrafficByLevel> placed_traffic(
    const std::vector<ridge_region_traffic>& placed, double factor, const Machine& machine);

/// By level below caches that cores have of their own: bytes that the region stored and that the
/// caches of its threads can hold, so that they may be written back later or not.
[[nodiscard]] std::map<Level, std::uint64_t> left_in_caches(const Region& region,
                                                            const Machine& machine);

}  // namespace ridge::measure
