#include "serialize/loop_model.hpp"

#include "core/describe/loop_model.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/loop_model_rules.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.loop-model/1";
constexpr std::string_view kHint = "docs/formats/README.md describes ridge.loop-model/1";

}  // namespace

std::string write_loop_models(const LoopModels& models) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, models);
  return writer.finish();
}

Result<LoopModels> parse_loop_models(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint,
                   [](const Reader& root) { return read_object<LoopModels>(root); });
}

}  // namespace ridge::serialize
