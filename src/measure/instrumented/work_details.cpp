#include "measure/instrumented/work_details.hpp"

#include <array>
#include <limits>

namespace ridge::measure {
namespace {

/// Counters of a measured program may hold anything.
void add_to(std::uint64_t& sum, std::uint64_t amount) {
  if (__builtin_add_overflow(sum, amount, &sum)) {
    sum = std::numeric_limits<std::uint64_t>::max();
  }
}

constexpr std::array kPatterns{AccessPattern::unknown, AccessPattern::unit, AccessPattern::constant,
                               AccessPattern::invariant, AccessPattern::indirect};
constexpr std::array kChainOperations{
    ChainOperation::add,  ChainOperation::mul,   ChainOperation::fma,  ChainOperation::div,
    ChainOperation::sqrt, ChainOperation::other, ChainOperation::call, ChainOperation::load};
constexpr std::array kPrecisions{Precision::fp64, Precision::fp32, Precision::fp16,
                                 Precision::bf16};

}  // namespace

void WorkDetails::add_access(const ridge_term_descriptor& term, std::uint64_t amount) {
  if (term.precision >= kPatterns.size() || term.operation > 1) {
    return;
  }
  const AccessPattern pattern = kPatterns[term.precision];
  const std::uint32_t stride = pattern == AccessPattern::constant ? term.width_bits : 0;
  add_to(accesses_[{pattern, term.operation != 0, stride}], amount);
}

void WorkDetails::add_chain(const ridge_term_descriptor& term, std::uint64_t amount) {
  if (term.operation >= kChainOperations.size() || term.precision >= kPrecisions.size()) {
    return;
  }
  add_to(
      chain_[{kChainOperations[term.operation], kPrecisions[term.precision], term.width_bits != 0}],
      amount);
}

void WorkDetails::add(const ridge_term_descriptor& term, std::uint64_t amount) {
  if (amount == 0) {
    return;
  }
  switch (term.quantity) {
    case RIDGE_BYTES_BY_PATTERN:
      return add_access(term, amount);
    case RIDGE_BYTES_GATHERED:
      return add_to(term.operation == 0 ? gathered_.read : gathered_.written, amount);
    case RIDGE_FUSIBLE_FLOPS:
      return add_to(fusible_, amount);
    case RIDGE_BYTES_OVERWRITTEN:
      return add_to(overwritten_, amount);
    case RIDGE_MASKED_BYTES:
      return add_to(masked_[{term.precision, term.width_bits}].all, amount);
    case RIDGE_ACTIVE_BYTES:
      return add_to(masked_[{term.precision, term.width_bits}].active, amount);
    case RIDGE_CHAIN_OPS:
      return add_chain(term, amount);
    default:
      return;
  }
}

WorkDetails& WorkDetails::operator+=(const WorkDetails& other) {
  for (const auto& [key, bytes] : other.accesses_) {
    add_to(accesses_[key], bytes);
  }
  for (const auto& [key, operations] : other.chain_) {
    add_to(chain_[key], operations);
  }
  for (const auto& [key, bytes] : other.masked_) {
    add_to(masked_[key].all, bytes.all);
    add_to(masked_[key].active, bytes.active);
  }
  add_to(overwritten_, other.overwritten_);
  add_to(fusible_, other.fusible_);
  add_to(gathered_.read, other.gathered_.read);
  add_to(gathered_.written, other.gathered_.written);
  return *this;
}

void WorkDetails::write_to(Region& region) const {
  region.accesses.clear();
  if (known_work(region).total() > 0) {
    region.fusible_flops = fusible_;
  }
  for (const auto& [key, bytes] : accesses_) {
    const auto& [pattern, write, stride] = key;
    region.accesses.push_back(
        {pattern, write, stride == 0 ? std::nullopt : std::optional(stride), bytes});
  }
  if (!accesses_.empty()) {
    region.gathered = gathered_;
    region.bytes_overwritten = overwritten_;
  }
  region.chain.clear();
  for (const auto& [key, operations] : chain_) {
    const auto& [operation, precision, reduction] = key;
    region.chain.push_back({operation, precision, reduction, operations});
  }
  MaskedOperations masked;
  for (const auto& [key, bytes] : masked_) {
    const auto& [lane_bytes, lanes] = key;
    if (lane_bytes != 0 && lanes != 0 && bytes.active <= bytes.all) {
      masked.operations += bytes.all / lane_bytes / lanes;
      masked.lanes += bytes.all / lane_bytes;
      masked.active_lanes += bytes.active / lane_bytes;
    }
  }
  if (masked.operations > 0) {
    region.masked = masked;
  }
}

}  // namespace ridge::measure
