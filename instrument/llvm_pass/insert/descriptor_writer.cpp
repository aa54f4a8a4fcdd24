#include "instrument/llvm_pass/insert/descriptor_writer.hpp"

#include "abi/descriptor.h"
#include "abi/version.h"

namespace ridge::pass {

namespace {

/// The host writes its own byte order: the plugin refuses targets other than little-endian ones.
template <class Record>
void append(std::string& blob, const Record& record) {
  blob.append(reinterpret_cast<const char*>(&record), sizeof record);
}

ridge_term_descriptor describe(const Term& term, uint64_t amount) {
  ridge_term_descriptor descriptor{};
  descriptor.quantity = term.quantity;
  descriptor.precision = term.precision;
  descriptor.operation = term.operation;
  descriptor.width_bits = term.width_bits;
  descriptor.name = term.name;
  descriptor.amount = amount;
  return descriptor;
}

}  // namespace

std::string write_descriptor(const RegionTable& regions, const CounterTable& counters,
                             const ProbeTable& probes, const StringTable& strings,
                             const DescriptorTexts& texts) {
  std::string counter_bytes;
  std::string term_bytes;
  uint32_t term_count = 0;
  for (const Counter& counter : counters.all()) {
    const auto terms = static_cast<uint32_t>(counter.terms.size());
    append(counter_bytes,
           ridge_counter_descriptor{counter.region, term_count, terms, counter.deferred ? 1u : 0u,
                                    counter.execution_class, counter.counts});
    for (const auto& [term, amount] : counter.terms) append(term_bytes, describe(term, amount));
    term_count += terms;
  }
  std::string probe_bytes;
  for (const ridge_probed_function& function : probes.functions()) append(probe_bytes, function);
  for (const uint32_t execution_class : probes.classes()) append(probe_bytes, execution_class);
  ridge_descriptor_header header{};
  header.magic = RIDGE_DESCRIPTOR_MAGIC;
  header.abi_version = RIDGE_ABI_VERSION;
  header.region_count = static_cast<uint32_t>(regions.all().size());
  header.counter_count = static_cast<uint32_t>(counters.all().size());
  header.term_count = term_count;
  header.string_bytes = static_cast<uint32_t>(strings.bytes().size());
  header.ridge_version = texts.ridge_version;
  header.source_file = texts.source_file;
  header.compiler = texts.compiler;
  header.flags = texts.flags;
  header.compiled_names = texts.compiled_names;
  header.probed_function_count = static_cast<uint32_t>(probes.functions().size());
  header.probe_count = static_cast<uint32_t>(probes.classes().size());
  const size_t region_bytes = regions.all().size() * sizeof(ridge_region_descriptor);
  header.total_bytes =
      static_cast<uint32_t>(sizeof header + region_bytes + counter_bytes.size() +
                            term_bytes.size() + probe_bytes.size() + strings.bytes().size());
  std::string blob;
  blob.reserve(header.total_bytes);
  append(blob, header);
  for (const ridge_region_descriptor& region : regions.all()) append(blob, region);
  return blob + counter_bytes + term_bytes + probe_bytes + strings.bytes();
}

}  // namespace ridge::pass
