// The runs of the program that simulate its traffic.
#pragma once

#include <optional>
#include <vector>

#include "core/value/machine.hpp"
#include "core/value/note.hpp"
#include "measure/instrumented/arena.hpp"
#include "measure/instrumented/build_profile.hpp"
#include "measure/instrumented/decode.hpp"
#include "measure/run/input_replay.hpp"
#include "measure/source.hpp"

namespace ridge::measure {

/// The traffic, and the memory that its texts lie in; empty where there is none.
struct TrafficRuns {
  std::optional<Arena> arena;
  std::optional<DecodedArena> decoded;
};

/// After the first run, which is `timed`: once more with the same input and its output thrown away,
/// sampled or with all lines; a sampled run that cannot be trusted is ended as soon as that is
/// clear, and one of all lines follows. Errors are notes; the first run's result stays.
[[nodiscard]] TrafficRuns simulate(const Request& request, const Machine& machine,
                                   const TimedRun& timed, InputReplay& input,
                                   std::vector<Note>& notes);

}  // namespace ridge::measure
