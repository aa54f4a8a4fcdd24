// Sizes for the dimensions that a model leaves open.
#pragma once

#include <onnx/onnx_pb.h>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/value/note.hpp"
#include "predict/onnx/reader.hpp"

namespace ridge::predict {

/// Sets them in the inputs, and by name everywhere. Returns a note for each. Errors: usage for a
/// name that no dimension has or a size of 0; bad_input naming the dimensions that stay open.
[[nodiscard]] Result<std::vector<Note>> set_dimensions(onnx::GraphProto& graph,
                                                       const DimensionSizes& sizes,
                                                       std::string_view file_name);

}  // namespace ridge::predict
