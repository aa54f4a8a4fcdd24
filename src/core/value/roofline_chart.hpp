// What a roofline chart shows, before anything is drawn: lines of machines, dots of computations
// and loops, intensities of well-known kernels.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/identity/isa.hpp"
#include "core/identity/level.hpp"
#include "core/quantity/estimate.hpp"
#include "core/value/note.hpp"
#include "core/value/specification.hpp"

namespace ridge {

/// What code must lack, or be, to be held down by a line.
enum class RooflineKind {
  roof,      ///< nothing: the highest of its precision or level
  isa,       ///< code of one instruction set
  no_fma,    ///< code without fused multiply-add
  no_simd,   ///< code that works on one element at a time
  one_core,  ///< code that runs on one core
};
/// "roof", "isa", "no-fma", "no-simd", "one-core": the words of --ceilings.
[[nodiscard]] constexpr std::string_view to_string(RooflineKind kind) {
  switch (kind) {
    case RooflineKind::roof:
      return "roof";
    case RooflineKind::isa:
      return "isa";
    case RooflineKind::no_fma:
      return "no-fma";
    case RooflineKind::no_simd:
      return "no-simd";
    case RooflineKind::one_core:
      break;
  }
  return "one-core";
}

/// P = rate, or with a level P = intensity x rate.
struct RooflineLine {
  RooflineKind kind = RooflineKind::roof;
  std::optional<Level> level;            ///< of a bandwidth; absent: a compute rate
  std::optional<std::string> precision;  ///< of a compute rate
  std::optional<Pipes> pipes;            ///< of a compute rate
  std::optional<Isa> isa;                ///< where the line is that of one instruction set
  std::string words;                     ///< "fp64", "fp64 no FMA", "HBM", "DRAM, one core"
  double rate = 0.0;                     ///< byte/s with a level, else flop/s; positive
  Basis basis = Basis::theoretical;
  Origin origin = Origin::datasheet;  ///< modelled: follows from other figures
  std::optional<std::string> source;
  bool verified = true;

  friend bool operator==(const RooflineLine&, const RooflineLine&) = default;
};

struct RooflineMachine {
  std::string key;
  std::string name;
  std::vector<RooflineLine> lines;  ///< bandwidths from L1 outwards, then compute rates
  std::vector<Note> notes;          ///< lines that were asked for and are not known

  friend bool operator==(const RooflineMachine&, const RooflineMachine&) = default;
};

/// One computation or loop at the traffic of one level.
struct RooflineDot {
  std::string name;
  std::optional<std::string> machine;  ///< key; absent: of none of the machines that are drawn
  std::string level;                   ///< whose traffic the intensity counts
  double intensity = 0.0;              ///< flop/byte, positive
  double performance = 0.0;            ///< flop/s, positive
  bool measured = false;               ///< else what the roofs allow
  std::optional<double> share;         ///< of a loop: part of the program's time
  std::string source;                  ///< formula, file or result that it comes from

  friend bool operator==(const RooflineDot&, const RooflineDot&) = default;
};

/// From which to which intensity a kernel of the catalogue reaches.
struct SpectrumBand {
  std::string name;    ///< "SpMV", "GEMM"
  std::string kernel;  ///< in the catalogue
  std::string sizes;   ///< "n = 64 to 4096"
  double low = 0.0;    ///< flop/byte
  double high = 0.0;

  friend bool operator==(const SpectrumBand&, const SpectrumBand&) = default;
};

struct RooflineChart {
  std::string title;
  std::vector<RooflineMachine> machines;
  std::vector<RooflineDot> dots;
  std::vector<SpectrumBand> spectrum;
  std::vector<Note> notes;

  friend bool operator==(const RooflineChart&, const RooflineChart&) = default;
};

}  // namespace ridge
