#include "measure/instrumented/descriptor.hpp"

#include <cassert>

#include "abi/layout.h"
#include "abi/version.h"

namespace ridge::measure {
namespace {

template <class T>
T element(ArenaBytes table, std::uint32_t index) {
  const auto value = read_at<T>(table, std::uint64_t{index} * sizeof(T));
  assert(value);
  return *value;
}

/// Cuts the next `count` elements of T off `rest`.
template <class T>
bool take(ArenaBytes& rest, std::uint64_t count, ArenaBytes& table) {
  const auto part = slice(rest, 0, count * sizeof(T));
  if (!part) {
    return false;
  }
  table = *part;
  rest = rest.subspan(part->size());
  return true;
}

}  // namespace

std::optional<Descriptor> Descriptor::parse(ArenaBytes blob) {
  const auto header = read_at<ridge_descriptor_header>(blob, 0);
  if (!header || header->magic != RIDGE_DESCRIPTOR_MAGIC ||
      header->abi_version != RIDGE_ABI_VERSION || header->total_bytes > blob.size() ||
      header->total_bytes < sizeof(ridge_descriptor_header) ||
      header->region_count > RIDGE_REGION_CAPACITY ||
      header->counter_count > RIDGE_COUNTER_CAPACITY) {
    return std::nullopt;
  }
  Descriptor result;
  result.header_ = *header;
  ArenaBytes rest = blob.subspan(sizeof(ridge_descriptor_header),
                                 header->total_bytes - sizeof(ridge_descriptor_header));
  if (!take<ridge_region_descriptor>(rest, header->region_count, result.regions_) ||
      !take<ridge_counter_descriptor>(rest, header->counter_count, result.counters_) ||
      !take<ridge_term_descriptor>(rest, header->term_count, result.terms_) ||
      !take<ridge_probed_function>(rest, header->probed_function_count, result.functions_) ||
      !take<std::uint32_t>(rest, header->probe_count, result.classes_) ||
      !take<char>(rest, header->string_bytes, result.strings_) || !result.indices_are_valid()) {
    return std::nullopt;
  }
  return result;
}

bool Descriptor::indices_are_valid() const {
  for (std::uint32_t i = 0; i < header_.region_count; ++i) {
    const auto described = region(i);
    if (described.kind < RIDGE_REGION_FUNCTION || described.kind > RIDGE_REGION_OMP_WAIT ||
        (described.parent != RIDGE_NO_PARENT && described.parent >= i)) {
      return false;
    }
  }
  // Counters may share terms, yet no honest plugin lets them overlap much: without this bound a
  // hostile table of n counters over the same n terms costs n * n.
  std::uint64_t referenced = 0;
  for (std::uint32_t i = 0; i < header_.counter_count; ++i) {
    const auto described = counter(i);
    referenced += described.term_count;
    if (described.region >= header_.region_count || described.first_term > header_.term_count ||
        described.term_count > header_.term_count - described.first_term) {
      return false;
    }
  }
  for (std::uint32_t i = 0; i < header_.probed_function_count; ++i) {
    const auto described = probed_function(i);
    if (described.first_probe > header_.probe_count ||
        described.probe_count > header_.probe_count - described.first_probe) {
      return false;
    }
  }
  return referenced <= std::uint64_t{64} * header_.term_count;
}

ridge_region_descriptor Descriptor::region(std::uint32_t index) const {
  return element<ridge_region_descriptor>(regions_, index);
}
ridge_counter_descriptor Descriptor::counter(std::uint32_t index) const {
  return element<ridge_counter_descriptor>(counters_, index);
}
ridge_term_descriptor Descriptor::term(std::uint32_t index) const {
  return element<ridge_term_descriptor>(terms_, index);
}

ridge_probed_function Descriptor::probed_function(std::uint32_t index) const {
  return element<ridge_probed_function>(functions_, index);
}

std::optional<std::uint32_t> Descriptor::execution_class(std::uint32_t function,
                                                         std::uint32_t probe) const {
  const auto described = probed_function(function);
  if (probe == 0 || probe > described.probe_count) {
    return std::nullopt;
  }
  return element<std::uint32_t>(classes_, described.first_probe + probe - 1);
}

std::string_view Descriptor::text(std::uint32_t offset) const {
  return text_at(strings_, offset).value_or(std::string_view{});
}

}  // namespace ridge::measure
