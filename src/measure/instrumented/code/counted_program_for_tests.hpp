// A program of a few instructions with its descriptor and its probes. For tests only.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "measure/code/program_for_tests.hpp"
#include "measure/instrumented/arena_builder.hpp"

namespace ridge::measure {

constexpr std::uint64_t kCodeAddress = 0x1000;
constexpr std::uint64_t kFunctionId = 0x1111;

/// addsd, addsd, mulsd, ret: 3 flop.
inline const FileBytes kThreeFlops{0xF2, 0x0F, 0x58, 0xC0, 0xF2, 0x0F, 0x58,
                                   0xC0, 0xF2, 0x0F, 0x59, 0xC0, 0xC3};
/// jne over one addsd, ret: none or 1 flop.
inline const FileBytes kPerhapsOne{0x75, 0x04, 0xF2, 0x0F, 0x58, 0xC0, 0xC3};
/// addsd, jne back to it, ret: a loop.
inline const FileBytes kLoop{0x90, 0xF2, 0x0F, 0x58, 0xC0, 0x75, 0xFA, 0xC3};

/// A function of one region whose block has the class 1: in the IR one multiplication.
inline DescriptorBuilder one_mul() {
  DescriptorBuilder unit;
  unit.counter(unit.region(RIDGE_REGION_FUNCTION, "f", RIDGE_NO_PARENT));
  unit.counters.back().execution_class = 1;
  unit.flops(RIDGE_FP64, RIDGE_MUL, 64, 1);
  unit.functions = {{kFunctionId, 0, 1}};
  unit.classes = {1};
  return unit;
}

/// With probe number 1 of the function before the first instruction.
inline ProbeBytes probe_at_begin(std::uint64_t id = kFunctionId) {
  ProbeBytes probes;
  probes.function(id, 2);
  probes.sentinel();
  probes.after(1, 0);
  return probes;
}

inline std::vector<SectionBytes> sections_of(
    const FileBytes& code, const std::vector<DescriptorBuilder>& units, const FileBytes& probes,
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& places) {
  constexpr std::uint64_t kPlaces = 0x5000;
  constexpr std::uint64_t kDescriptors = 0x6000;
  SectionBytes descriptors{".descriptors", kDescriptors, {}};
  for (const DescriptorBuilder& unit : units) {
    for (const std::byte byte : unit.bytes()) {
      descriptors.bytes.push_back(std::to_integer<std::uint8_t>(byte));
    }
  }
  return {{".text", kCodeAddress, code, true},
          {RIDGE_PROBED_CODE_SECTION, kPlaces, probed_code(kPlaces, places)},
          std::move(descriptors),
          {".pseudo_probe", 0, probes}};
}

/// A whole program; `build_id` empty: without one.
inline FileBytes counted_program(const FileBytes& code, const DescriptorBuilder& unit = one_mul(),
                                 std::string_view build_id = {}) {
  auto sections = sections_of(code, {unit}, probe_at_begin().bytes, {{kFunctionId, kCodeAddress}});
  if (!build_id.empty()) {
    sections.push_back(build_id_section(build_id));
  }
  return elf_file(std::move(sections));
}

inline std::string_view text_of(const FileBytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace ridge::measure
