#include "predict/projection/roofline_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "core/value/widest_ceiling.hpp"
#include "predict/projection/derived_machine.hpp"
#include "predict/roof/ceilings.hpp"
#include "predict/roof/figure_choice.hpp"
#include "predict/roof/resources.hpp"

namespace ridge::predict {
namespace {

constexpr double kSame = 0.01;  // figures are printed with two or three digits
/// Operations of code that was built without FMA.
constexpr std::array kWithoutFma{Operation::add, Operation::mul, Operation::mul_add};

bool same(double a, double b) {
  return std::abs(a - b) <= kSame * std::abs(b);
}

/// Bits of an element of what pipes are told apart for; nullopt: no vector units are known for it.
std::optional<unsigned> element_bits_of(std::string_view precision) {
  return precision == "fp64"   ? std::optional(64U)
         : precision == "fp32" ? std::optional(32U)
                               : std::nullopt;
}

std::string_view core_word(const Specification& figures) {
  return figures.kind == MachineKind::gpu ? "multiprocessor" : "core";
}

/// The peak of a machine of the user's own that counts its FMA units: each starts an addition or a
/// multiplication in place of an fma.
bool counts_told_units(const PublishedPeak& peak) {
  return peak.figure.source == kDerivedSource && peak.operation == to_string(Operation::fma);
}

RooflineLine line_of(const Figure& figure, Basis basis) {
  RooflineLine line;
  line.rate = figure.value;
  line.basis = basis;
  line.origin = figure.origin;
  line.source = figure.source;
  line.verified = figure.verified;
  return line;
}

Origin origin_of(const CeilingEstimate& value) {
  return std::visit([](const auto& estimate) { return estimate.origin; }, value);
}

/// fma instructions of a cycle times lanes: half the flop.
std::optional<double> fma_lanes(const Microarchitecture::IsaLimits& isa, unsigned bits) {
  const auto lanes = lanes_of(isa, bits);
  return isa.fma_units && lanes ? std::optional(*isa.fma_units * *lanes) : std::nullopt;
}

const Microarchitecture::IsaLimits* widest_isa(const Microarchitecture& core, unsigned bits) {
  const Microarchitecture::IsaLimits* widest = nullptr;
  for (const auto& isa : core.isas) {
    const auto lanes = fma_lanes(isa, bits);
    if (lanes && (widest == nullptr || *lanes > *fma_lanes(*widest, bits))) {
      widest = &isa;
    }
  }
  return widest;
}

/// What of a core is known to be behind a published peak.
struct PeakOfCore {
  const Microarchitecture::IsaLimits* widest = nullptr;
  double fma_lanes = 0.0;
  unsigned bits = 64;
};

class Lines {
 public:
  Lines(const TargetMachine& target, const LineChoices& choices)
      : target_(target),
        figures_(target.figures),
        core_(target.microarchitecture ? &*target.microarchitecture : nullptr),
        choices_(choices) {
    made_.key = figures_.key;
    made_.name = figures_.name;
    basis_ = choices.basis.value_or(target.measured ? Basis::sustained : Basis::theoretical);
  }

  RooflineMachine make() && {
    bandwidths();
    for (const std::string& precision : choices_.precisions) {
      peaks(precision);
      target_.measured ? measured_ceilings(precision) : published_ceilings(precision);
    }
    return std::move(made_);
  }

 private:
  void bandwidths();
  void peaks(const std::string& precision);
  void one_core_memory(Level level);
  void published_ceilings(const std::string& precision);
  void measured_ceilings(const std::string& precision);
  void no_fma(const std::string& precision, const PublishedPeak& peak);
  void narrower(const std::string& precision, const PublishedPeak& peak, RooflineKind kind,
                Isa isa);
  void one_core(const std::string& precision, const PublishedPeak& peak);
  [[nodiscard]] std::optional<PeakOfCore> behind(const std::string& precision,
                                                 const PublishedPeak& peak) const;
  [[nodiscard]] bool at_base_clock(const PublishedPeak& peak) const;
  void add_below(RooflineKind kind, const std::string& precision, std::string words, double rate,
                 std::optional<Isa> isa = std::nullopt);
  void unknown(std::string text) { made_.notes.push_back({"unknown-line", std::move(text)}); }
  template <class Wanted>
  void highest_measured(RooflineKind kind, const std::string& precision, unsigned threads,
                        std::string words, std::optional<Isa> isa, Wanted wanted);

  const TargetMachine& target_;
  const Specification& figures_;
  const Microarchitecture* core_;
  const LineChoices& choices_;
  Basis basis_ = Basis::theoretical;
  RooflineMachine made_;
};

void Lines::bandwidths() {
  std::vector<Level> levels = bandwidth_levels(target_);
  if (levels.empty()) {
    made_.notes.push_back(
        {"no-bandwidth", fmt::format("{}: no bandwidth of a level is known", figures_.key)});
    return;
  }
  const Level memory = levels.back();
  if (!choices_.levels.empty()) {
    levels = choices_.levels;  // a memory beside the main one has a roof too
    std::sort(levels.begin(), levels.end(), InnermostFirst{});
  } else if (choices_.memory_only) {
    levels = {memory};
  }
  for (const Level level : levels) {
    const PublishedBandwidth* bandwidth = choose_bandwidth(target_, level, basis_, 0.0);
    if (bandwidth == nullptr || bandwidth->figure.value <= 0.0) {
      made_.notes.push_back({"no-bandwidth", fmt::format("{}: no bandwidth of {} is known",
                                                         figures_.key, to_string(level))});
      continue;
    }
    RooflineLine line = line_of(bandwidth->figure, bandwidth->basis);
    line.level = level;
    line.words = to_string(level);
    made_.lines.push_back(std::move(line));
  }
  if (choices_.one_core) {
    one_core_memory(memory);
  }
}

void Lines::one_core_memory(Level level) {
  RooflineLine line;
  if (target_.measured) {
    const Match match = find_bandwidth(*target_.measured, {level, Pattern::load, kWidestIsa, 1});
    if (match.ceiling != nullptr && match.ceiling->threads == 1) {
      const Ceiling& ceiling = *match.ceiling;
      line = line_of({p90_of(ceiling.traffic_value.value_or(ceiling.value)),
                      origin_of(ceiling.value), std::nullopt, true},
                     Basis::sustained);
    }
  } else if (const PublishedBandwidth* own = one_core_bandwidth(figures_, level)) {
    line = line_of(own->figure, own->basis);
  }
  if (line.rate <= 0.0) {
    unknown(fmt::format("{}: what one {} draws from {} alone is not known", figures_.key,
                        core_word(figures_), to_string(level)));
    return;
  }
  line.kind = RooflineKind::one_core;
  line.level = level;
  line.words = fmt::format("{}, one {}", to_string(level), core_word(figures_));
  made_.lines.push_back(std::move(line));
}

void Lines::peaks(const std::string& precision) {
  bool any = false;
  for (const Pipes pipes : {Pipes::matrix, Pipes::vector}) {
    if (!(pipes == Pipes::vector ? choices_.vector_pipes : choices_.matrix_pipes)) {
      continue;
    }
    const PublishedPeak* peak = choose_peak(target_, precision, pipes, basis_);
    if (peak == nullptr || peak->figure.value <= 0.0) {
      continue;
    }
    RooflineLine line = line_of(peak->figure, peak->basis);
    line.precision = precision;
    line.pipes = pipes;
    line.words = pipes == Pipes::matrix ? precision + " matrix" : precision;
    made_.lines.push_back(std::move(line));
    any = true;
  }
  if (!any && !target_.arithmetic_is_free) {
    made_.notes.push_back(
        {"no-peak", fmt::format("{}: no {} peak is known", figures_.key, precision)});
  }
}

void Lines::add_below(RooflineKind kind, const std::string& precision, std::string words,
                      double rate, std::optional<Isa> isa) {
  RooflineLine line;
  line.kind = kind;
  line.precision = precision;
  line.pipes = Pipes::vector;
  line.isa = isa;
  line.words = fmt::format("{} {}", precision, words);
  line.rate = rate;
  line.basis = target_.measured ? Basis::sustained : Basis::theoretical;
  line.origin = Origin::modelled;
  made_.lines.push_back(std::move(line));
}

// ---- published and derived machines ----

std::optional<PeakOfCore> Lines::behind(const std::string& precision,
                                        const PublishedPeak& peak) const {
  const auto bits = element_bits_of(precision);
  const auto* widest = core_ != nullptr && bits ? widest_isa(*core_, *bits) : nullptr;
  if (widest == nullptr || !figures_.cores || figures_.cores->value <= 0.0) {
    return std::nullopt;
  }
  const double lanes = *fma_lanes(*widest, *bits);
  // Parts of one core differ in units (one FMA unit in place of two) and peaks in their clock: both
  // must fit before anything is derived from them.
  const auto& per_cycle = figures_.fp64_flops_per_cycle_and_core;
  const double per_cycle_here = 2.0 * lanes * *bits / 64.0;  // in fp64
  const double clock = peak.figure.value / (figures_.cores->value * 2.0 * lanes);
  const auto runs_at = [&](const std::optional<Figure>& known) {
    return known && same(clock, known->value);
  };
  const bool fits = per_cycle ? same(per_cycle_here, per_cycle->value)
                              : runs_at(figures_.clock) || runs_at(figures_.boost_clock);
  return fits ? std::optional(PeakOfCore{widest, lanes, *bits}) : std::nullopt;
}

void Lines::no_fma(const std::string& precision, const PublishedPeak& peak) {
  const double rate = peak.figure.value;
  if (target_.fma_shares_pipe == true) {
    add_below(RooflineKind::no_fma, precision, "no FMA", rate / 2.0);
    return;
  }
  if (counts_told_units(peak)) {
    add_below(RooflineKind::no_fma, precision, "no FMA", rate / 2.0);
    made_.notes.push_back(
        {"told-units", fmt::format("{}: the {} line without FMA is of additions and "
                                   "multiplications in the FMA units that were given; pipes beside "
                                   "them would lift it",
                                   figures_.key, precision)});
    return;
  }
  const auto known = behind(precision, peak);
  if (!known || !known->widest->add_units) {
    unknown(fmt::format(
        "{}: the {} line without FMA is not known: {}", figures_.key, precision,
        core_ == nullptr ? "nothing says whether additions have pipes of their own"
                         : "the published peak does not follow from what is known of its cores"));
    return;
  }
  const double adds = *known->widest->add_units * known->fma_lanes / *known->widest->fma_units;
  const auto shared = [&](const Microarchitecture::PipeGroup& group) {
    const auto has = [&](Operation operation) {
      return std::find(group.begin(), group.end(), operation) != group.end();
    };
    return has(Operation::add) && has(Operation::mul) && has(Operation::fma);
  };
  const bool one_pipe = std::any_of(core_->pipe_groups.begin(), core_->pipe_groups.end(), shared);
  add_below(RooflineKind::no_fma, precision, one_pipe ? "no FMA" : "adds alone",
            rate * adds / (2.0 * known->fma_lanes), known->widest->isa);
  if (!one_pipe) {
    made_.notes.push_back(
        {"separate-pipes",
         fmt::format("{}: additions and multiplications have pipes of their own: the line is that "
                     "of additions alone, a mix of both may stand above it",
                     figures_.key)});
  }
}

void Lines::narrower(const std::string& precision, const PublishedPeak& peak, RooflineKind kind,
                     Isa isa) {
  const std::string words =
      kind == RooflineKind::no_simd ? "no SIMD" : std::string(properties_of(isa).name);
  if (figures_.kind != MachineKind::cpu) {
    unknown(fmt::format("{}: the {} line of {} is one of CPUs", figures_.key, precision, words));
    return;
  }
  const auto known = behind(precision, peak);
  const auto found =
      core_ == nullptr
          ? std::vector<Microarchitecture::IsaLimits>::const_iterator{}
          : std::find_if(core_->isas.begin(), core_->isas.end(),
                         [&](const Microarchitecture::IsaLimits& one) { return one.isa == isa; });
  const auto lanes =
      known && found != core_->isas.end() ? fma_lanes(*found, known->bits) : std::nullopt;
  if (!lanes) {
    unknown(fmt::format(
        "{}: the {} line of {} is not known: {}", figures_.key, precision, words,
        core_ == nullptr ? "the file names no microarchitecture whose pipes are known"
        : known          ? fmt::format("nothing is known of it on {}", core_->name)
                         : "the published peak does not follow from what is known of its cores"));
    return;
  }
  add_below(kind, precision, words, peak.figure.value * *lanes / known->fma_lanes, isa);
}

bool Lines::at_base_clock(const PublishedPeak& peak) const {
  const PublishedPeak* fp64 = highest_peak(figures_, "fp64", Pipes::vector, Basis::theoretical);
  const auto& per_cycle = figures_.fp64_flops_per_cycle_and_core;
  const double shared = fp64 != nullptr ? peak.figure.value / fp64->figure.value : 0.0;
  return per_cycle && figures_.clock && (same(shared, 1.0) || same(shared, 2.0)) &&
         same(fp64->figure.value, figures_.cores->value * figures_.clock->value * per_cycle->value);
}

void Lines::one_core(const std::string& precision, const PublishedPeak& peak) {
  if (!figures_.cores || figures_.cores->value <= 1.0) {
    unknown(fmt::format("{}: the {} line of one core is not known: {}", figures_.key, precision,
                        figures_.cores ? "there is one core" : "the number of cores is not"));
    return;
  }
  double rate = peak.figure.value / figures_.cores->value;
  // One core alone runs faster than all of them: a share of their peak would be too low a line.
  if (figures_.kind == MachineKind::cpu && figures_.boost_clock) {
    if (!at_base_clock(peak)) {
      unknown(
          fmt::format("{}: the {} line of one core is not known: nothing says at which clock the "
                      "published peak is, and one core alone runs faster",
                      figures_.key, precision));
      return;
    }
    rate *= std::max(1.0, figures_.boost_clock->value / figures_.clock->value);
  }
  add_below(RooflineKind::one_core, precision, fmt::format("one {}", core_word(figures_)), rate);
}

void Lines::published_ceilings(const std::string& precision) {
  const PublishedPeak* peak = highest_peak(figures_, precision, Pipes::vector, Basis::theoretical);
  const bool asked =
      choices_.no_fma || choices_.no_simd || choices_.one_core || !choices_.isas.empty();
  if (peak == nullptr || (peak->operation && *peak->operation != to_string(Operation::fma))) {
    if (asked && peak != nullptr) {
      unknown(fmt::format("{}: no lower {} line follows from a peak that is not that of fma",
                          figures_.key, precision));
    }
    return;
  }
  for (const Isa isa : choices_.isas) {
    narrower(precision, *peak, RooflineKind::isa, isa);
  }
  if (choices_.no_fma) {
    no_fma(precision, *peak);
  }
  if (choices_.no_simd) {
    narrower(precision, *peak, RooflineKind::no_simd, Isa::scalar);
  }
  if (choices_.one_core) {
    one_core(precision, *peak);
  }
}

// ---- measured machines ----

template <class Wanted>
void Lines::highest_measured(RooflineKind kind, const std::string& precision, unsigned threads,
                             std::string words, std::optional<Isa> isa, Wanted wanted) {
  std::vector<const Ceiling*> candidates;
  for (const Ceiling& ceiling : target_.measured->ceilings) {
    if (ceiling.kind == CeilingKind::compute && !ceiling.device && ceiling.threads == threads &&
        ceiling.precision == precision && std::isfinite(p90_of(ceiling.value)) && wanted(ceiling)) {
      candidates.push_back(&ceiling);
    }
  }
  const Ceiling* best = widest_within_noise(candidates);
  if (best != nullptr && p90_of(best->value) > 0.0) {
    add_below(kind, precision, std::move(words), p90_of(best->value), isa);
    made_.lines.back().origin = origin_of(best->value);
  } else {
    unknown(fmt::format("{}: the {} line of {} was not measured", figures_.key, precision, words));
  }
}

void Lines::measured_ceilings(const std::string& precision) {
  const std::vector<unsigned> threads = measured_threads(*target_.measured);
  if (threads.empty()) {
    return;
  }
  const unsigned all = threads.back();
  for (const Isa isa : choices_.isas) {
    highest_measured(RooflineKind::isa, precision, all, std::string(properties_of(isa).name), isa,
                     [&](const Ceiling& ceiling) {
                       return ceiling.isa == isa && ceiling.operation == Operation::fma;
                     });
  }
  if (choices_.no_fma) {
    highest_measured(
        RooflineKind::no_fma, precision, all, "no FMA", std::nullopt, [](const Ceiling& ceiling) {
          return ceiling.operation && std::find(kWithoutFma.begin(), kWithoutFma.end(),
                                                *ceiling.operation) != kWithoutFma.end();
        });
  }
  if (choices_.no_simd) {
    highest_measured(RooflineKind::no_simd, precision, all, "no SIMD", Isa::scalar,
                     [](const Ceiling& ceiling) { return ceiling.isa == Isa::scalar; });
  }
  if (choices_.one_core) {
    highest_measured(
        RooflineKind::one_core, precision, 1, "one core", std::nullopt,
        [](const Ceiling& ceiling) { return !ceiling.isa || !properties_of(*ceiling.isa).matrix; });
  }
}

}  // namespace

RooflineMachine roofline_lines(const TargetMachine& target, const LineChoices& choices) {
  return Lines(target, choices).make();
}

}  // namespace ridge::predict
