// Design questions: the same machine with other memory, more cores, a larger cache.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// What a machine can be asked to have otherwise: its levels, caches, precisions and links, "cores"
/// where their number is known, "clock" and "compute".
[[nodiscard]] std::vector<std::string> what_if_keys(const TargetMachine& target);

/// `change` is KEY=VALUE. LEVEL=2x and LINK=2x: bandwidth; LEVEL=400GB/s: bandwidth; CACHE=2M: size
/// (K, M, G binary); cores=16, cores=2x: peaks and the bandwidths of a core's own caches;
/// clock=1.2x: peaks and the bandwidths of all caches; fp64=2x: peaks of a precision; compute=2x:
/// all peaks. Changed figures are `assumed`, and a note says what was changed. Errors: `usage` when
/// it is not of this form or is not positive; `bad_input` with the keys that exist when the machine
/// has no such key.
[[nodiscard]] Result<void> apply_what_if(TargetMachine& target, std::string_view change);

/// The cache whose size a change sets; nullopt for other changes. Traffic that was measured or that
/// no cache enters does not follow it.
[[nodiscard]] std::optional<std::string> resized_cache(std::string_view change);

}  // namespace ridge::predict
