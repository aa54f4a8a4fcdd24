// The command line of `ridge predict`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/common/option_parser.hpp"
#include "core/result.hpp"

namespace ridge::cli {

/// What a prediction is made of.
enum class PredictSubject {
  kernel_list,  ///< --list
  kernel,       ///< --kernel NAME
  network,      ///< FILE.onnx
  result,       ///< a result folder or its profile.json
};

struct PredictOptions {
  std::vector<std::string> subjects;  ///< the words that are no options
  std::optional<std::string> kernel;
  std::vector<std::string> parameters;  ///< "n=4000"; of a network: sizes of dimensions
  std::optional<std::string> precision;
  std::vector<std::string> on;         ///< machines; empty: this one
  std::vector<std::string> what_if;    ///< "DRAM=2x"
  std::optional<std::string> basis;    ///< "theoretical" or "sustained"
  std::optional<std::string> pipes;    ///< "vector" or "matrix"
  std::optional<std::string> data;     ///< "host" or "device"
  std::optional<std::string> link;     ///< "PCIe", "NVLink"
  std::vector<std::string> latencies;  ///< "PCIe=10us"
  std::optional<std::string> batch;    ///< of a network
  std::optional<std::string> output;
  bool fuse = false;  ///< element-wise layers of a network
  bool cache_aware = false;
  std::optional<unsigned> cores;  ///< that loops of a result run on
  bool duplex = false;
  bool overlap = false;
  bool force = false;
  bool list = false;
  bool json = false;
  bool ascii = false;

  [[nodiscard]] std::vector<std::string> machines() const;
};

/// Errors: `usage`.
[[nodiscard]] Result<ParseOutcome> parse_predict_options(const std::vector<std::string>& arguments,
                                                         PredictOptions& options);

/// The one subject that was given. Errors: `usage` for none, for several, and for options that say
/// nothing about it.
[[nodiscard]] Result<PredictSubject> predict_subject(const PredictOptions& options);

}  // namespace ridge::cli
