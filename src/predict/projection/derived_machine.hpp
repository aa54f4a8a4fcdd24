// A machine from clocks and widths: what a data sheet or an exercise gives, and the arithmetic that
// turns it into peaks and bandwidths. Formulas: docs/theory/predict.md, section 8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/target_machine.hpp"

namespace ridge::predict {

/// Source of all figures of such a machine.
inline constexpr std::string_view kDerivedSource = "derived";

/// One peak, bandwidth or link rate, and the product that it is.
struct DerivationStep {
  std::string quantity;    ///< "fp64 peak", "DRAM bandwidth"
  std::string arithmetic;  ///< "64 cores x 2.45 GHz x 2 FMA pipes x 8 lanes x 2 flop"
  double value = 0.0;
  std::string unit;  ///< "flop/s", "byte/s"
};

struct DerivedMachine {
  TargetMachine target;               ///< key "derived", or the name that was given
  std::vector<DerivationStep> steps;  ///< in the order in which the figures stand in `target`
};

/// `text` is KEY=VALUE words with blanks between them:
///   name=TEXT kind=cpu|gpu
///   sockets=1 cores=64 clock=2.45G simd=512 fma=2     fp64 and fp32 peaks
///   sms=132 lanes=128 fp64_lanes=64 clock=1.98G       the same of a GPU
///   channels=12 mem=ddr5-4800                         8 byte a transfer and channel
///   memory_clock=2.6G memory_bits=5120                two transfers a clock
///   fp64=768G fp16.matrix=112T                        peaks, flop/s (op/s of int8)
///   DRAM=210GB/s L2=64B/cycle                         bandwidths; B/cycle: of each core
///   L2=1M L2.size=1M                                  size of a cache; L1, CPUs' L2: of a core
///   DRAM.one_core=20GB/s                              what one core draws alone
///   PCIe=3x16 NVLink=450GB/s                          links, in one direction
/// Without any peak, arithmetic takes no time (TargetMachine::arithmetic_is_free). Figures are
/// `modelled` where they are computed and `assumed` where they are given. Errors: `usage` with the
/// word: no KEY=VALUE, unknown or repeated key, a value that is no number of its kind, a factor
/// that others need and that is missing; nothing at all.
[[nodiscard]] Result<DerivedMachine> derive_machine(std::string_view text);

}  // namespace ridge::predict
