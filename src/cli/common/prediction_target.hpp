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
/// ridge.specification/1 or ridge.machine/1. Errors: `bad_input` for an unknown key (the nearest
/// are offered) and a file that is neither; what `this_machine` gives.
[[nodiscard]] Result<TargetMachine> find_target(const std::string& name,
                                                const ThisMachine& this_machine);

/// All of them in order. Errors: as above; `usage` when a machine is named twice.
[[nodiscard]] Result<std::vector<TargetMachine>> find_targets(const std::vector<std::string>& names,
                                                              const ThisMachine& this_machine);

/// With the cached machine file, measured first where there is none (`bench --quick`).
[[nodiscard]] Result<std::vector<TargetMachine>> find_targets(
    const std::vector<std::string>& names);

}  // namespace ridge::cli
