#include "predict/findings/predict.hpp"

#include <utility>

#include "predict/findings/diagnose.hpp"
#include "predict/findings/findings.hpp"
#include "predict/findings/next_steps.hpp"
#include "predict/findings/verdict.hpp"
#include "predict/roof/program_time.hpp"
#include "predict/roof/roofline.hpp"

namespace ridge::predict {

RegionPrediction predict_region(const Region& region, const Machine& machine,
                                const Microarchitecture* microarchitecture) {
  RegionRoof roof = roof_of(region, machine, microarchitecture);
  roof.prediction.verdict = verdict_of(region, roof.prediction.code, machine, roof.memory_may_bind);
  return std::move(roof.prediction);
}

namespace {

Prediction bounds_of(const Profile& profile, const Microarchitecture* microarchitecture) {
  Prediction prediction;
  prediction.regions.reserve(profile.regions.size());
  const double program = undisturbed_seconds(profile);
  for (const Region& region : profile.regions) {
    RegionPrediction one = predict_region(region, profile.machine, microarchitecture);
    one.gain = speedup_at_roof(region, program, one);
    if (one.verdict && (one.verdict->kind == VerdictKind::no_traffic ||
                        one.verdict->kind == VerdictKind::partial)) {
      one.code.reset();  // a roof without memory is none, and one of other counts neither
      one.machine.reset();
      one.code_at_neighbouring_threads.clear();
    }
    prediction.regions.push_back(std::move(one));
  }
  return prediction;
}

}  // namespace

Prediction predict(const Profile& profile, const Microarchitecture* microarchitecture) {
  Prediction prediction = bounds_of(profile, microarchitecture);
  set_findings(prediction, profile, microarchitecture);
  prediction.summary = summarise(profile, prediction);
  prediction.verdict = program_verdict(profile, prediction);
  prediction.next_steps = next_steps(profile, prediction);
  return prediction;
}

}  // namespace ridge::predict
