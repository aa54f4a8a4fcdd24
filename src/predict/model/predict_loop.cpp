#include "predict/model/predict_loop.hpp"

#include <fmt/core.h>

#include "core/quantity/words.hpp"
#include "predict/model/ecm.hpp"
#include "predict/model/loop_region.hpp"
#include "predict/model/loop_roofline.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

/// That at which the p90 of the rates was reached.
std::optional<double> clock_of(const Machine& machine) {
  if (!machine.clock.core || machine.clock.core->p90.value() <= 0.0) {
    return std::nullopt;
  }
  return machine.clock.core->p90.value();
}

void note_what_is_missing(const LoopModel& model, LoopPrediction& prediction) {
  if (!model.in_core) {
    add_note(prediction.notes, "no-in-core",
             "its machine code was not looked at: no cycles of the core, so the roofline alone");
  } else if (!prediction.clock) {
    add_note(prediction.notes, "no-clock",
             "the clock of the machine is not known: no cycles, so the roofline alone");
  }
  if (best_traffic(model) == nullptr) {
    add_note(prediction.notes, "no-traffic",
             "what crosses the boundaries beyond L1 is not known: the true roof may be lower");
  }
}

}  // namespace

LoopPrediction predict_loop(const LoopModel& model, const Machine& machine,
                            const Microarchitecture* cpu, unsigned threads) {
  const CeilingIndex ceilings(machine);
  LoopPrediction prediction;
  prediction.machine = machine.name.empty() ? std::string(kUnnamedMachine) : machine.name;
  prediction.clock = clock_of(machine);
  prediction.iterations_per_line = iterations_per_line(model, machine).value_or(1.0);
  prediction.threads = threads;
  note_what_is_missing(model, prediction);
  const auto choice = choose_threads(ceilings, threads);
  if (!choice) {
    add_note(prediction.notes, "no-ceiling", "the machine has no ceilings: run ridge bench");
    return prediction;
  }
  prediction.threads = choice->used;
  if (!choice->exact) {
    add_note(prediction.notes, "threads-not-measured",
             fmt::format("no ceiling with {}: that with {} is used", counted(threads, "thread"),
                         counted(choice->used, "thread")));
  }
  prediction.naive = naive_roofline(model, ceilings, choice->used);
  prediction.hierarchical =
      hierarchical_roofline(model, ceilings, cpu, prediction.clock, choice->used, prediction.notes);
  if (model.in_core && prediction.clock) {
    prediction.ecm = ecm_of(model, ceilings, overlap_of(cpu, prediction.notes), *prediction.clock);
  }
  return prediction;
}

}  // namespace ridge::predict
