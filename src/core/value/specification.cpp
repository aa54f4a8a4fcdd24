#include "core/value/specification.hpp"

#include <array>

namespace ridge {
namespace {

constexpr std::array<std::string_view, 4> kMemoryLevels{"DRAM", "HBM", "CXL", "NVRAM"};

template <class Published, class Wanted>
const Published* highest(const std::vector<Published>& all, Wanted wanted) {
  const Published* best = nullptr;
  for (const Published& one : all) {
    if (wanted(one) && (best == nullptr || best->figure.value < one.figure.value)) {
      best = &one;
    }
  }
  return best;
}

}  // namespace

std::string_view to_string(MachineKind kind) {
  switch (kind) {
    case MachineKind::cpu:
      return "cpu";
    case MachineKind::gpu:
      return "gpu";
    case MachineKind::accelerator:
      break;
  }
  return "accelerator";
}

std::string_view to_string(Pipes pipes) {
  return pipes == Pipes::vector ? "vector" : "matrix";
}

std::string_view to_string(Basis basis) {
  return basis == Basis::theoretical ? "theoretical" : "sustained";
}

bool is_memory_level(std::string_view level) {
  for (const std::string_view memory : kMemoryLevels) {
    if (level == memory) {
      return true;
    }
  }
  return false;
}

const PublishedPeak* highest_peak(const Specification& machine, std::string_view precision,
                                  Pipes pipes, Basis basis) {
  return highest(machine.peaks, [&](const PublishedPeak& peak) {
    return peak.precision == precision && peak.pipes == pipes && peak.basis == basis;
  });
}

const PublishedBandwidth* highest_bandwidth(const Specification& machine, std::string_view level,
                                            Basis basis) {
  return highest(machine.bandwidths, [&](const PublishedBandwidth& bandwidth) {
    return bandwidth.level == level && bandwidth.basis == basis;
  });
}

std::string main_memory(const Specification& machine) {
  const PublishedBandwidth* best =
      highest(machine.bandwidths,
              [](const PublishedBandwidth& bandwidth) { return is_memory_level(bandwidth.level); });
  return best != nullptr ? best->level : std::string();
}

std::optional<double> ridge_point(const Specification& machine, std::string_view precision,
                                  Pipes pipes, Basis basis) {
  const PublishedPeak* peak = highest_peak(machine, precision, pipes, basis);
  const PublishedBandwidth* bandwidth = highest_bandwidth(machine, main_memory(machine), basis);
  if (peak == nullptr || bandwidth == nullptr) {
    return std::nullopt;
  }
  return peak->figure.value / bandwidth->figure.value;
}

}  // namespace ridge
