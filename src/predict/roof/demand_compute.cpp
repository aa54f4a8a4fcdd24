#include <optional>

#include <fmt/core.h>

#include "predict/roof/ceilings.hpp"
#include "predict/roof/demand_parts.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/limits.hpp"

namespace ridge::predict {
namespace {

struct PeakChoice {
  const PublishedPeak* peak = nullptr;
  Pipes pipes = Pipes::vector;
};

PeakChoice peak_for(const Demand& demand, const TargetMachine& target,
                    const PredictionChoices& choices, Basis basis) {
  PeakChoice best;
  for (const Pipes pipes : {Pipes::vector, Pipes::matrix}) {
    const bool usable =
        choices.pipes ? pipes == *choices.pipes : pipes == Pipes::vector || demand.matrix;
    const auto* peak = usable ? choose_peak(target, demand.precision, pipes, basis) : nullptr;
    if (peak != nullptr && (best.peak == nullptr || best.peak->figure.value < peak->figure.value)) {
      best = {peak, pipes};
    }
  }
  return best;
}

/// Flop-equivalents at the fma peak: on a shared pipe every instruction takes the place of an fma.
double charged_flops(const OperationCounts& work, bool shared) {
  if (!shared) {
    return as_real(work.flops());
  }
  return as_real(work.fma) + as_real(work.any) +
         2.0 * (as_real(work.add) + as_real(work.mul) + as_real(work.div) + as_real(work.sqrt));
}

void note_compute(const Demand& demand, const TargetMachine& target, std::vector<Note>& notes) {
  const OperationCounts& work = demand.work;
  if (!target.fma_shares_pipe && fma_share(work).value_or(1.0) < 1.0) {
    add_note(notes, "pipes-unknown",
             "whether add, mul and fma share a pipe here is not known: the compute time is that of "
             "the fma peak, which a mix with few fma may not reach");
  }
  if (work.div + work.sqrt > 0) {
    add_note(notes, "division-unknown",
             "no rate of division and square root is known here: each is charged as one addition");
  }
}

std::string missing_peak(const Demand& demand, const TargetMachine& target,
                         const PredictionChoices& choices, Basis basis) {
  const bool vector_only = choices.pipes ? *choices.pipes == Pipes::vector : !demand.matrix;
  if (vector_only && choose_peak(target, demand.precision, Pipes::matrix, basis) != nullptr) {
    return fmt::format("no {} peak of the vector pipes known (matrix pipes alone)",
                       demand.precision);
  }
  if (choices.pipes == Pipes::matrix) {
    return fmt::format("no {} peak of matrix pipes known", demand.precision);
  }
  return fmt::format("no {} peak known", demand.precision);
}

std::optional<ResourceTime> compute_by_figures(const Demand& demand, const TargetMachine& target,
                                               const PredictionChoices& choices,
                                               ResourcePrediction& prediction) {
  const Basis basis = basis_for(target, choices);
  const PeakChoice choice = peak_for(demand, target, choices, basis);
  if (choice.peak == nullptr) {
    prediction.missing = missing_peak(demand, target, choices, basis);
    return std::nullopt;
  }
  std::string name = fmt::format("{} {}", demand.precision, to_string(choice.pipes));
  note_other_basis(prediction.notes, basis, choice.peak->basis, fmt::format("the {} peak", name));
  ResourceTime time = from_figure("compute", choice.peak->figure, std::move(name));
  time.basis = choice.peak->basis;
  const bool shared = choice.pipes == Pipes::vector && target.fma_shares_pipe.value_or(false);
  if (choice.pipes == Pipes::vector) {
    note_compute(demand, target, prediction.notes);
  }
  const double charged = charged_flops(demand.work, shared);
  time.amount = as_real(demand.work.flops());
  time.rate *= time.amount / charged;
  if (charged > time.amount) {
    time.rate_name += fmt::format(" x {:.3g} for its mix", time.amount / charged);
  }
  return time;
}

Work work_terms(const Demand& demand, Precision precision, unsigned width) {
  Work work;
  const OperationCounts& counts = demand.work;
  const auto add = [&](OperationKind kind, std::uint64_t flops) {
    if (flops > 0) {
      work.add(precision, kind, width, flops);
    }
  };
  add(OperationKind::add, counts.add);
  add(OperationKind::mul, counts.mul);
  add(OperationKind::fma, counts.fma + counts.any);
  add(OperationKind::div, counts.div);
  add(OperationKind::sqrt, counts.sqrt);
  return work;
}

/// Width in bits of the instruction set that has the fastest mix of this precision; that of one
/// element where it is scalar or its registers have no fixed width.
unsigned best_width(const Machine& machine, Precision precision, unsigned threads) {
  const Ceiling* fastest = fastest_mix(machine, to_string(precision), threads);
  const bool ranked =
      fastest != nullptr && fastest->isa && properties_of(*fastest->isa).rank.has_value();
  const auto bits = ranked ? properties_of(*fastest->isa).vector_bits : std::nullopt;
  return bits.value_or(element_bits(precision));
}

std::optional<ResourceTime> compute_by_ceilings(const Demand& demand, const TargetMachine& target,
                                                const PredictionChoices& choices,
                                                ResourcePrediction& prediction) {
  const Machine& machine = *target.measured;
  const unsigned threads = threads_of(target);
  const auto precision = parse_precision(demand.precision);
  const bool matrix = choices.pipes == Pipes::matrix;
  if (!precision || matrix || fastest_mix(machine, demand.precision, threads) == nullptr) {
    return compute_by_figures(demand, target, choices, prediction);
  }
  const Work work = work_terms(demand, *precision, best_width(machine, *precision, threads));
  const Microarchitecture* pipes = target.microarchitecture ? &*target.microarchitecture : nullptr;
  const auto limit = own_mix_limit(work, machine, pipes, threads, prediction.notes);
  if (!limit) {
    return compute_by_figures(demand, target, choices, prediction);
  }
  const Ceiling* ceiling = find_ceiling(machine, limit->ceiling);
  ResourceTime time;
  time.resource = "compute";
  time.amount = as_real(demand.work.flops());
  time.rate = time.amount / limit->seconds;
  time.rate_name = limit->ceiling;
  time.basis = Basis::sustained;
  time.origin = ceiling != nullptr
                    ? std::visit([](const auto& value) { return value.origin; }, ceiling->value)
                    : Origin::measured;
  return time;
}

}  // namespace

void add_compute(const Demand& demand, const TargetMachine& target,
                 const PredictionChoices& choices, ResourcePrediction& prediction) {
  if (demand.work.flops() == 0 || target.arithmetic_is_free) {
    return;
  }
  auto time = by_ceilings(target, choices)
                  ? compute_by_ceilings(demand, target, choices, prediction)
                  : compute_by_figures(demand, target, choices, prediction);
  if (time) {
    time->unit = work_unit(demand.precision);
    time->overlap = Overlap::compute;
    time->roof = time->rate;
    prediction.resources.push_back(std::move(*time));
  }
}

}  // namespace ridge::predict
