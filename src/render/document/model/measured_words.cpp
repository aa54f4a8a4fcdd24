#include "render/document/model/measured_words.hpp"

#include <cmath>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

constexpr double kFar = 0.2;  ///< of the measured time: then it is said what that tells

std::string took(const LoopMeasurement& measured, double flops) {
  const auto iterations = static_cast<double>(measured.iterations);
  const auto each = [&](double of_call) { return number(of_call / iterations); };
  std::string text;
  if (measured.cycles) {
    text = fmt::format("{} cycles an iteration ({} to {})", each(measured.cycles->median.value()),
                       each(measured.cycles->low.value()), each(measured.cycles->high.value()));
  } else {
    text = fmt::format("{} an iteration", si(measured.seconds.median.value() / iterations, "s"));
  }
  if (flops > 0.0) {
    text += fmt::format(", {}", si(flops * iterations / measured.seconds.median.value(), "Flop/s"));
  }
  return text;
}

std::string distance(double modelled, double measured) {
  const double apart = modelled / measured - 1.0;
  constexpr double kPercent = 100.0;
  std::string text = fmt::format("The ECM model gives {}, {:.0f} % {}", number(modelled),
                                 kPercent * std::abs(apart), apart < 0.0 ? "less" : "more");
  if (apart < -kFar) {
    return text +
           ": what it leaves out takes the rest, such as the ends of short loops, lines that "
           "vectors cross, page walks, prefetching that comes too late, and others that use "
           "the shared caches and memory";
  }
  return apart > kFar ? text + ": more of the transfers pass at the same time than it assumes"
                      : text;
}

}  // namespace

std::optional<double> modelled_cycles(const LoopModel& model) {
  if (model.predictions.empty() || !model.predictions.front().ecm) {
    return std::nullopt;
  }
  const EcmModel& ecm = *model.predictions.front().ecm;
  return ecm.levels.size() > ecm.transfers.size() ? std::optional(ecm.levels.back().cycles)
                                                  : std::nullopt;
}

std::optional<double> measured_cycles(const LoopModel& model) {
  if (!model.measured || !model.measured->cycles || model.measured->iterations < 1) {
    return std::nullopt;
  }
  return model.measured->cycles->median.value() / static_cast<double>(model.measured->iterations);
}

std::vector<std::string> measured_words(const LoopModel& model) {
  if (!model.measured || model.measured->iterations < 1) {
    return {};
  }
  std::vector<std::string> words{"Measured here, one core, data as the call before left them: " +
                                 took(*model.measured, flops_of(model))};
  const auto modelled = modelled_cycles(model);
  const auto measured = measured_cycles(model);
  if (modelled && measured && *measured > 0.0) {
    words.push_back(distance(*modelled, *measured));
  }
  for (const Note& note : model.measured->notes) {
    words.push_back(clean(note.text));
  }
  return words;
}

}  // namespace ridge::render
