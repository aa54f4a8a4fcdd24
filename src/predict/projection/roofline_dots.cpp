#include "predict/projection/roofline_dots.hpp"

#include <algorithm>

namespace ridge::predict {
namespace {

/// Of the levels that are wanted the outermost; resources stand inner to outer.
const ResourceTime* level_of(const ResourcePrediction& prediction,
                             const std::vector<Level>& wanted) {
  const ResourceTime* found = nullptr;
  for (const ResourceTime& resource : prediction.resources) {
    const auto level = parse_level(resource.resource);
    const bool chosen = level && (wanted.empty() ||
                                  std::find(wanted.begin(), wanted.end(), *level) != wanted.end());
    if (chosen && resource.intensity && resource.amount > 0.0) {
      found = &resource;
    }
  }
  return found;
}

}  // namespace

std::vector<RooflineDot> roofline_dots(const KernelPrediction& head, const TargetMachine& target,
                                       const ResourcePrediction& prediction,
                                       const DotChoices& choices) {
  RooflineDot dot;
  dot.name = head.kernel.name;
  dot.machine = target.figures.key;
  dot.source = head.kernel.source;
  if (const ResourceTime* level = level_of(prediction, choices.levels)) {
    dot.level = level->resource;
    dot.intensity = *level->intensity;
  } else if (const auto least = intensity_of(head.demand)) {
    dot.level = to_string(main_memory(target.figures).value_or(Level::DRAM));
    dot.intensity =
        target.write_allocate == WriteAllocate::never ? least->least : least->write_allocate;
  } else {
    return {};
  }
  std::vector<RooflineDot> dots;
  if (prediction.attainable && *prediction.attainable > 0.0) {
    dot.performance = *prediction.attainable;
    dots.push_back(dot);
  }
  if (choices.seconds && *choices.seconds > 0.0) {
    dot.performance = static_cast<double>(head.demand.work.flops()) / *choices.seconds;
    dot.measured = true;
    dots.push_back(dot);
  }
  return dots;
}

}  // namespace ridge::predict
