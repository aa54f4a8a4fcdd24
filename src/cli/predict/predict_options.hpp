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
  computation,  ///< --work, --bytes ..., or --points FILE
  network,      ///< FILE.onnx
  result,       ///< a result folder or its profile.json
};

struct PredictOptions {
  std::vector<std::string> subjects;  ///< the words that are no options
  std::vector<std::string> kernels;
  std::vector<std::string> parameters;     ///< "n=4000"; of a network: sizes of dimensions
  std::optional<std::string> per_row;      ///< --nnz-per-row, of sparse kernels
  std::vector<std::string> work;           ///< "2e7" or "fma=2e7"
  std::vector<std::string> bytes;          ///< "240MB" or "DRAM=240MB"
  std::optional<std::string> balance;      ///< byte/flop
  std::optional<std::string> intensity;    ///< flop/byte
  std::optional<std::string> performance;  ///< flop/s
  std::optional<std::string> time;         ///< measured
  std::optional<std::string> points;       ///< a file of computations
  std::optional<std::string> solve;
  std::optional<std::string> traffic;   ///< of --solve
  std::optional<std::string> fraction;  ///< of --solve time
  std::optional<std::string> relative_to;
  std::vector<std::string> own_machines;  ///< --machine 'cores=64 clock=2.45G ...'
  std::vector<std::string> demands;       ///< "network=1e9"
  std::vector<std::string> rates;         ///< "network=12.5GB/s+2us"
  std::optional<std::string> precision;
  std::vector<std::string> on;                ///< machines; empty: this one
  std::vector<std::string> what_if;           ///< "DRAM=2x"
  std::optional<std::string> basis;           ///< "theoretical" or "sustained"
  std::optional<std::string> pipes;           ///< "vector" or "matrix"
  std::optional<std::string> data;            ///< "host" or "device"
  std::optional<std::string> link;            ///< "PCIe", "NVLink"
  std::vector<std::string> latencies;         ///< "PCIe=10us"
  std::optional<std::string> stores;          ///< "write-allocate" or "nontemporal"
  std::vector<std::string> memory;            ///< "DRAM", or "HBM=0.8" and "DRAM=0.2"
  std::optional<std::string> working_set;     ///< byte that a computation repeats over
  std::optional<unsigned> launches;           ///< of GPU kernels
  std::optional<std::string> batch;           ///< of a network
  std::optional<std::string> launch_latency;  ///< of a network: "2.5us"
  std::optional<std::string> output;
  bool fuse = false;  ///< element-wise layers of a network
  bool cache_aware = false;
  bool cold = false;              ///< the data come from the memory once
  std::optional<unsigned> cores;  ///< that work; of a result: that its loops run on
  bool duplex = false;
  bool overlap = false;                   ///< --overlap without a value
  std::optional<std::string> overlap_of;  ///< its value: "max(compute, L1+L2+DRAM)"
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
