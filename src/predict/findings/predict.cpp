#include "predict/findings/predict.hpp"

#include <utility>

#include "predict/findings/diagnose.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/next_steps.hpp"
#include "predict/findings/subject.hpp"
#include "predict/findings/verdict.hpp"
#include "predict/roof/communication.hpp"
#include "predict/roof/program_time.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {

RegionPrediction predict_region(const Region& region, const CeilingIndex& ceilings,
                                const Microarchitecture* microarchitecture) {
  RegionRoof roof = roof_of(region, ceilings, microarchitecture);
  roof.prediction.verdict =
      verdict_of(region, roof.prediction.code, ceilings.machine(), roof.memory_may_bind);
  return std::move(roof.prediction);
}

namespace {

/// A roof without memory is none, and one of other counts or of other code neither.
void drop_roof(RegionPrediction& prediction) {
  prediction.code.reset();
  prediction.machine.reset();
  prediction.code_at_neighbouring_threads.clear();
}

Prediction bounds_of(const Profile& profile, const CeilingIndex& ceilings,
                     const Microarchitecture* microarchitecture) {
  Prediction prediction;
  prediction.regions.reserve(profile.regions.size());
  const double program = undisturbed_seconds(profile);
  for (const Region& region : profile.regions) {
    RegionPrediction one = predict_region(region, ceilings, microarchitecture);
    one.gain = region.overlaps || !times_hold(profile) ? std::nullopt
                                                       : speedup_at_roof(region, program, one);
    const VerdictKind kind = one.verdict.value_or(RegionVerdict{}).kind;
    if (is_outside_code(kind)) {
      one.notes.clear();  // of that roof
    }
    if (kind == VerdictKind::no_traffic || kind == VerdictKind::partial || is_outside_code(kind)) {
      drop_roof(one);
    }
    prediction.regions.push_back(std::move(one));
  }
  return prediction;
}

/// Times of ranks that took turns are not those of their code.
bool ran_in_turns(const Profile& profile) {
  return profile.parallel && profile.parallel->oversubscribed;
}

void drop_gains(Prediction& prediction) {
  for (RegionPrediction& region : prediction.regions) {
    region.gain.reset();
    std::erase_if(region.notes, [](const Note& note) { return note.code == "no-ceiling"; });
    for (Finding& finding : region.findings) {
      finding.gain.reset();
      finding.gain_least.reset();
      finding.gain_program.reset();
      finding.gain_is_bound = false;
      finding.gain_note = "more ranks than CPUs took turns";
    }
  }
}

}  // namespace

Prediction predict_bounds(const Profile& profile, const Microarchitecture* microarchitecture) {
  return bounds_of(profile, CeilingIndex(profile.machine), microarchitecture);
}

Prediction predict(const Profile& profile, const Microarchitecture* microarchitecture) {
  const CeilingIndex ceilings(profile.machine);
  Prediction prediction = bounds_of(profile, ceilings, microarchitecture);
  set_findings(prediction, profile, ceilings, microarchitecture);
  if (ran_in_turns(profile)) {
    drop_gains(prediction);
  }
  prediction.summary = summarise(profile, prediction);
  prediction.verdict = program_verdict(profile, prediction);
  prediction.next_steps = next_steps(profile, prediction);
  prediction.communication = communication_bound(profile);
  return prediction;
}

}  // namespace ridge::predict
