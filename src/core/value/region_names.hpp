// What people call regions, where the plain name says too little.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/value/region.hpp"

namespace ridge {

/// In the OpenMP runtime, not at work.
[[nodiscard]] bool is_waiting(const Region& region);

/// By what it waits for: "waits at the end of EvalEOSForElems". Of older files (without `wait`) a
/// guess: the end where one thread was seen at a time, as the one that started a parallel region
/// is; else "waits in EvalEOSForElems". Its own name where the function is not known.
[[nodiscard]] std::string waiting_name(const Region& region);

/// "solver (solver.cc:12)", without folders; the name alone where the place is not known.
[[nodiscard]] std::string name_with_place(std::string_view name, const Region& region);

/// Names of regions by their ids: without template arguments and anonymous namespaces, as
/// brief_name; where two functions would be called the same, with the template arguments in which
/// they differ ("bude<4>", "bude<16>"; others are "..").
[[nodiscard]] std::map<std::uint32_t, std::string> distinct_names(
    const std::vector<const Region*>& regions);

}  // namespace ridge
