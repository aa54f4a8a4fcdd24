#include "predict/onnx/reader.hpp"

#include <algorithm>
#include <exception>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/stubs/logging.h>
#include <onnx/onnx_pb.h>
#include <utility>

#include <fmt/format.h>

#include "predict/onnx/collector.hpp"
#include "predict/onnx/dimensions.hpp"
#include "predict/onnx/model_checks.hpp"
#include "predict/onnx/shape_inference.hpp"
#include "predict/onnx/wire_format.hpp"

namespace ridge::predict {
namespace {

constexpr std::string_view kExportAgain = "export or download the model again";
constexpr int kDeepestMessage = 200;  // eight graphs in one another need about 40

Result<onnx::ModelProto> parse(const std::string& bytes, std::string_view file_name) {
  const google::protobuf::LogSilencer quiet;  // the message below says it
  onnx::ModelProto model;
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const std::uint8_t*>(bytes.data()),  // NOLINT: how protobuf takes bytes
      static_cast<int>(bytes.size()));
  stream.SetRecursionLimit(kDeepestMessage);
  if (!model.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return fail(ErrorCode::bad_input, fmt::format("{}: is cut off or not an ONNX model", file_name),
                std::string(kExportAgain));
  }
  return model;
}

Result<void> check_sizes_asked(const DimensionSizes& sizes) {
  const auto check = [](std::string_view option, std::uint64_t size) -> Result<void> {
    if (size == 0 || size > kLargestCount) {
      return fail(ErrorCode::usage, fmt::format("{}: {} is no size", option, size),
                  "give a number from 1 to 2^53");
    }
    return {};
  };
  for (const auto& [name, size] : sizes.named) {
    if (auto fine = check(fmt::format("-D {}", name), size); !fine) {
      return fine;
    }
  }
  return sizes.batch ? check("--batch", *sizes.batch) : Result<void>();
}

}  // namespace

Result<TensorGraph> read_onnx(std::string_view file, std::string_view file_name,
                              const DimensionSizes& sizes) {
  if (auto fine = check_sizes_asked(sizes); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  const auto slim = without_weights(file, file_name);
  if (!slim) {
    return tl::make_unexpected(slim.error());
  }
  auto model = parse(slim->bytes, file_name);
  if (!model) {
    return tl::make_unexpected(std::move(model.error()));
  }
  if (auto fine = check_model(*model, file_name); !fine) {
    return tl::make_unexpected(std::move(fine.error()));
  }
  auto notes = set_dimensions(*model->mutable_graph(), sizes, file_name);
  if (!notes) {
    return tl::make_unexpected(std::move(notes.error()));
  }
  auto types = is_known_to_library(*model) ? infer_types(*model, file_name)
                                           : Result<ValueTypes>(ValueTypes{});
  if (!types) {
    return tl::make_unexpected(types.error());
  }
  auto graph = Collector(*model, *types, file_name).run();
  if (graph) {
    graph->notes.insert(graph->notes.begin(), notes->begin(), notes->end());
    if (slim->external_tensors > 0) {
      graph->notes.push_back(
          {"external-weights", fmt::format("{} tensors have their data in other files, which were "
                                           "not opened: shapes are all that is needed",
                                           slim->external_tensors)});
    }
  }
  return graph;
}

}  // namespace ridge::predict
