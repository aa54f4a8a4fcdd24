#include "serialize/tensor_graph.hpp"

#include "core/describe/tensor_graph.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/tensor_graph_rules.hpp"
#include "serialize/described/write.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.tensor-graph/1";
constexpr std::string_view kHint = "docs/formats/README.md describes ridge.tensor-graph/1";

}  // namespace

std::string write_tensor_graph(const TensorGraph& graph) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, graph);
  return writer.finish();
}

Result<TensorGraph> parse_tensor_graph(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint,
                   [](const Reader& root) { return read_object<TensorGraph>(root); });
}

}  // namespace ridge::serialize
