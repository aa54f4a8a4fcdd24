#include "core/value/region.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ridge {
namespace {

constexpr std::array<std::string_view, 4> kPrecisions{"fp64", "fp32", "fp16", "bf16"};
constexpr std::array<std::string_view, 5> kOperationKinds{"add", "mul", "fma", "div", "sqrt"};
constexpr std::array<std::string_view, 5> kWaitKinds{"join", "barrier", "lock", "task", "other"};
constexpr std::array<std::string_view, 6> kRegionKinds{"program", "function", "loop",
                                                       "library", "marker",   "kernel"};
constexpr std::array<std::string_view, 5> kAccessPatterns{"unknown", "unit", "constant",
                                                          "invariant", "indirect"};
constexpr std::array<std::string_view, 8> kChainOperations{"add",  "mul",   "fma",  "div",
                                                           "sqrt", "other", "call", "load"};
constexpr std::array<std::string_view, 2> kTrafficModes{"exact", "sampled"};

template <class E, std::size_t N>
std::optional<E> index_of(const std::array<std::string_view, N>& names, std::string_view text) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found == names.end()) {
    return std::nullopt;
  }
  return static_cast<E>(found - names.begin());
}

}  // namespace

std::string_view to_string(Precision precision) {
  return kPrecisions.at(static_cast<std::size_t>(precision));
}
std::string_view to_string(OperationKind kind) {
  return kOperationKinds.at(static_cast<std::size_t>(kind));
}
std::string_view to_string(RegionKind kind) {
  return kRegionKinds.at(static_cast<std::size_t>(kind));
}
std::string_view to_string(WaitKind kind) {
  return kWaitKinds.at(static_cast<std::size_t>(kind));
}
std::string_view to_string(AccessPattern pattern) {
  return kAccessPatterns.at(static_cast<std::size_t>(pattern));
}
std::string_view to_string(ChainOperation operation) {
  return kChainOperations.at(static_cast<std::size_t>(operation));
}
std::string_view to_string(TrafficMode mode) {
  return kTrafficModes.at(static_cast<std::size_t>(mode));
}
std::optional<Precision> parse_precision(std::string_view text) {
  return index_of<Precision>(kPrecisions, text);
}
Operation operation_of(OperationKind kind) {
  switch (kind) {
    case OperationKind::add:
      return Operation::add;
    case OperationKind::mul:
      return Operation::mul;
    case OperationKind::fma:
      return Operation::fma;
    case OperationKind::div:
      return Operation::div;
    case OperationKind::sqrt:
      break;
  }
  return Operation::sqrt;
}

unsigned element_bits(Precision precision) {
  switch (precision) {
    case Precision::fp64:
      return 64;
    case Precision::fp32:
      return 32;
    case Precision::fp16:
    case Precision::bf16:
      return 16;
  }
  return 0;
}

std::uint64_t Work::total() const {
  std::uint64_t sum = 0;
  for (const WorkTerm& term : terms) {
    sum += term.flops;
  }
  return sum;
}

std::optional<std::uint64_t> Work::total(Precision precision) const {
  std::optional<std::uint64_t> sum;
  for (const WorkTerm& term : terms) {
    if (term.precision == precision) {
      sum = sum.value_or(0) + term.flops;
    }
  }
  return sum;
}

void Work::add(Precision precision, OperationKind kind, unsigned width_bits, std::uint64_t flops) {
  for (WorkTerm& term : terms) {
    if (term.precision == precision && term.kind == kind && term.width_bits == width_bits) {
      term.flops += flops;
      return;
    }
  }
  terms.push_back({precision, kind, width_bits, flops});
}

Work& Work::operator+=(const Work& other_work) {
  for (const WorkTerm& term : other_work.terms) {
    add(term.precision, term.kind, term.width_bits, term.flops);
  }
  other += other_work.other;
  return *this;
}

bool is_sum(const RegionIdentity& region) {
  return region.kind == RegionKind::program || region.overlaps;
}

const Work& known_work(const Region& region) {
  static const Work kNone;
  return region.flops ? *region.flops : kNone;
}

Work& work_of(Region& region) {
  return region.flops ? *region.flops : region.flops.emplace();
}

std::optional<std::uint64_t> bytes_accessed(const Region& region) {
  return region.bytes_loaded && region.bytes_stored
             ? std::optional(*region.bytes_loaded + *region.bytes_stored)
             : std::nullopt;
}

std::optional<FlopsPerByte> intensity(const Region& region, Level level) {
  const auto found = region.traffic.find(level);
  if (!region.flops || found == region.traffic.end() || found->second.total() == 0) {
    return std::nullopt;
  }
  return Flops(static_cast<double>(region.flops->total())) /
         Bytes(static_cast<double>(found->second.total()));
}

std::optional<FlopsPerSecond> performance(const Region& region) {
  const auto& time = region.time_seconds.self;
  const std::uint64_t flops = known_work(region).total();
  if (!time || time->value <= Seconds(0.0) || flops == 0 || region.partial) {
    return std::nullopt;
  }
  return Flops(static_cast<double>(flops)) / time->value;
}

std::string brief_name(std::string_view name) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)::";
  constexpr std::string_view kOperator = "operator";
  std::string brief;
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const std::string_view rest = name.substr(i);
    if (depth == 0 && rest.starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (depth == 0 && rest.starts_with(kOperator)) {
      const std::size_t end =
          std::min(rest.find_first_not_of("<>=-", kOperator.size()), rest.size());
      brief += rest.substr(0, end);
      i += end - 1;
    } else if (name[i] == '<') {
      ++depth;
    } else if (name[i] == '>' && depth > 0) {
      depth -= i > 0 && name[i - 1] == '-' ? 0 : 1;
    } else if (depth == 0) {
      brief += name[i];
    }
  }
  return depth == 0 ? brief : std::string(name);  // unbalanced: better whole than cut
}

}  // namespace ridge
