// Line tables of programs, which libdw reads for us: whatever it takes them for, what it hands out
// lies in the code that was asked for and has a line.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "measure/code/line_table.hpp"

using namespace ridge;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr machine_code::AddressRange kFirst{0x1000, 0x1400};
  constexpr machine_code::AddressRange kSecond{0x2000, 0x2400};
  const auto table = measure::LineTable::read(std::span(data, size), {kFirst, kSecond});
  for (std::uint64_t address = 0xFF0; address < 0x2410; ++address) {
    const auto position = table.find(address);
    const bool is_wanted = kFirst.contains(address) || kSecond.contains(address);
    if (position && (!is_wanted || position->line == 0)) {
      std::abort();
    }
  }
  return 0;
}
