// What `--on` names: published machines, files, this machine.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "core/value/machine.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::cli {

/// Gives the machine that `--on this` stands for.
using ThisMachine = std::function<Result<Machine>()>;

/// `name` is `this`, a key of the data base, or a file (with a slash or ending in .json) that holds
/// ridge.specification/1 or ridge.machine/1; with a number and "x" before it so many of that part
/// ("4xh100-80-sxm5"). Errors: `bad_input` for an unknown key (the nearest
/// are offered) and a file that is neither; what `this_machine` gives.
[[nodiscard]] Result<TargetMachine> find_target(const std::string& name,
                                                const ThisMachine& this_machine);

/// All of them in order. Errors: as above; `usage` when a machine is named twice.
[[nodiscard]] Result<std::vector<TargetMachine>> find_targets(const std::vector<std::string>& names,
                                                              const ThisMachine& this_machine);

/// Names of sets and conditions too (machine_choice.hpp). With the cached machine file, measured
/// first where there is none (`bench --quick`).
[[nodiscard]] Result<std::vector<TargetMachine>> find_targets(
    const std::vector<std::string>& names);

/// A machine that was measured, by its CPU's microarchitecture where that is known.
[[nodiscard]] TargetMachine measured_target(Machine machine);

/// Besides `targets` those of --machine: clocks and widths (predict/projection/derived_machine.hpp)
/// or the name of a file, which has no "=". Errors: those of derive_machine() and find_target().
[[nodiscard]] Result<std::vector<TargetMachine>> with_own_machines(
    std::vector<TargetMachine> targets, const std::vector<std::string>& texts);

}  // namespace ridge::cli
