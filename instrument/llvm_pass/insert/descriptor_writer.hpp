// Serialises regions, counters and strings as abi/descriptor.h lays them out.
#pragma once

#include <string>

#include "instrument/llvm_pass/insert/block_probes.hpp"
#include "instrument/llvm_pass/insert/counters.hpp"
#include "instrument/llvm_pass/plan/regions.hpp"

namespace ridge::pass {

/// String offsets of what is said of the translation unit as a whole.
struct DescriptorTexts {
  uint32_t ridge_version;
  uint32_t source_file;
  uint32_t compiler;
  uint32_t flags;
  uint32_t compiled_names;
};

[[nodiscard]] std::string write_descriptor(const RegionTable& regions, const CounterTable& counters,
                                           const ProbeTable& probes, const StringTable& strings,
                                           const DescriptorTexts& texts);

}  // namespace ridge::pass
