// Models of neural networks, read by a program of their own (docs/decisions/0105-onnx-apart.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/result.hpp"
#include "core/value/tensor_graph.hpp"

namespace ridge::cli {

/// Sizes of dimensions that the model leaves open.
struct NetworkSizes {
  std::optional<std::uint64_t> batch;
  std::map<std::string, std::uint64_t> named;
};

/// Runs `reader` on an ONNX file. Errors: what the reader says of the model; `bad_input` when it is
/// killed by the model; `unavailable` when it is not there (built without ONNX) or does not start.
[[nodiscard]] Result<TensorGraph> read_network(const std::string& file, const NetworkSizes& sizes,
                                               const std::string& reader);

/// ../lib/ridge/ridge-onnx beside this program.
[[nodiscard]] std::string network_reader_path();

}  // namespace ridge::cli
