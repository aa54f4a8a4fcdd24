#include "core/identity/ceiling_key.hpp"

#include <fmt/core.h>

namespace ridge {

std::string to_string(const ComputeKey& key) {
  return fmt::format("{}.{}.{}.{}.t{}", to_string(CeilingKind::compute), key.precision,
                     key.isa ? to_string(*key.isa) : "vector", to_string(key.operation),
                     key.threads);
}

std::string to_string(const BandwidthKey& key) {
  return fmt::format("{}.{}.{}.{}.t{}", to_string(CeilingKind::bandwidth), to_string(key.level),
                     to_string(key.pattern), key.isa ? to_string(*key.isa) : "any", key.threads);
}

std::string to_string(const LatencyKey& key) {
  return fmt::format("{}.{}.{}.t{}", to_string(CeilingKind::latency), to_string(key.level),
                     to_string(key.pattern), key.threads);
}

std::string to_string(const CeilingKey& key) {
  return std::visit([](const auto& limit) { return to_string(limit); }, key.limit);
}

CeilingKind kind_of(const CeilingKey& key) {
  if (std::holds_alternative<ComputeKey>(key.limit)) {
    return CeilingKind::compute;
  }
  return std::holds_alternative<BandwidthKey>(key.limit) ? CeilingKind::bandwidth
                                                         : CeilingKind::latency;
}

}  // namespace ridge
