// The rules behind findings.hpp, in groups by what they look at.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/machine.hpp"
#include "core/prediction.hpp"
#include "core/profile.hpp"

namespace ridge::predict {

/// What a rule may look at.
struct Subject {
  const Region& region;
  const Machine& machine;
  const Microarchitecture* microarchitecture;  ///< nullptr: unknown CPU
  const RegionPrediction* prediction;          ///< nullptr: no roof is known
  Profile::Origins origins;
  /// The region, what stands around it, and so on outwards, without the program. Never empty.
  std::vector<const Region*> around;
};

/// nullopt: does not apply, or its evidence is unknown.
using Rule = std::optional<Finding> (*)(const Subject& subject);

// Arithmetic.
std::optional<Finding> not_vectorised(const Subject& subject);
std::optional<Finding> scalar_flops(const Subject& subject);
std::optional<Finding> unfused_multiply_add(const Subject& subject);
std::optional<Finding> idle_lanes(const Subject& subject);
std::optional<Finding> divisions(const Subject& subject);
std::optional<Finding> library_math(const Subject& subject);
std::optional<Finding> short_loop(const Subject& subject);

// Accesses and traffic.
std::optional<Finding> indirect_access(const Subject& subject);
std::optional<Finding> strided_access(const Subject& subject);
std::optional<Finding> gather_scatter(const Subject& subject);
std::optional<Finding> excess_traffic(const Subject& subject);
std::optional<Finding> write_allocate(const Subject& subject);
std::optional<Finding> needs_last_level(const Subject& subject);

// Use of lines, reuse, several threads.
std::optional<Finding> poor_line_use(const Subject& subject);
std::optional<Finding> reuse_just_misses(const Subject& subject);
std::optional<Finding> load_imbalance(const Subject& subject);
std::optional<Finding> shared_lines(const Subject& subject);

// Chains of operations that wait for each other.
std::optional<Finding> pointer_chase(const Subject& subject);
std::optional<Finding> dependency_chain(const Subject& subject);

/// a / b of counts; 0 where b is 0.
[[nodiscard]] double share_of(double part, double whole);

/// The level beyond L1 whose bandwidth binds the region's code and explains its time (at least 30 %
/// of that roof is reached); empty otherwise.
[[nodiscard]] std::string bandwidth_bound(const Subject& subject);

/// How many times higher the roof of the code gets when the binding limit is lifted `factor`-fold:
/// the next one then binds.
[[nodiscard]] std::optional<double> gain_from(const Subject& subject, double factor);

/// "12 %", "0.4 %".
[[nodiscard]] std::string percent_text(double share);

}  // namespace ridge::predict
