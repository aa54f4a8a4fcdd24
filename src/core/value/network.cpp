#include "core/value/network.hpp"

namespace ridge {

std::string_view to_string(LayerKind kind) {
  switch (kind) {
    case LayerKind::product:
      return "product";
    case LayerKind::elementwise:
      return "elementwise";
    case LayerKind::reduction:
      return "reduction";
    case LayerKind::movement:
      return "movement";
    case LayerKind::view:
      return "view";
    case LayerKind::constant:
      return "constant";
    case LayerKind::unknown:
      break;
  }
  return "unknown";
}

std::optional<std::uint64_t> NetworkLayer::bytes() const {
  if (!weight_bytes || !read_bytes || !written_bytes) {
    return std::nullopt;
  }
  return *weight_bytes + *read_bytes + *written_bytes;
}

NetworkTotals totals_of(const Network& network) {
  NetworkTotals totals;
  for (const NetworkLayer& layer : network.layers) {
    totals.flops += layer.flops.value_or(0);
    totals.intops += layer.intops.value_or(0);
    totals.weight_bytes += layer.weight_bytes.value_or(0);
    totals.read_bytes += layer.read_bytes.value_or(0);
    totals.written_bytes += layer.written_bytes.value_or(0);
    for (const auto& [name, count] : layer.calls) {
      totals.calls[name] += count;
    }
    totals.without_flops += layer.flops ? 0 : 1;
    totals.without_bytes += layer.bytes() ? 0 : 1;
  }
  return totals;
}

std::optional<double> intensity_of(const NetworkLayer& layer) {
  const auto bytes = layer.bytes();
  if (!bytes || *bytes == 0 || !layer.flops) {
    return std::nullopt;
  }
  const std::uint64_t intops = layer.intops.value_or(0);
  const std::uint64_t work = intops > *layer.flops ? intops : *layer.flops;
  if (work == 0) {
    return std::nullopt;
  }
  return static_cast<double>(work) / static_cast<double>(*bytes);
}

}  // namespace ridge
