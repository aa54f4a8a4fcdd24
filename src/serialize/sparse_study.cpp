#include "serialize/sparse_study.hpp"

#include <string_view>

#include "core/describe/sparse_study.hpp"
#include "serialize/described/by_hand.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/sparse_study_rules.hpp"
#include "serialize/described/write.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.spmv/1";
constexpr std::string_view kHint = "It should be a study that `ridge spmv -o FILE.json` wrote.";

SparseStudy read_study(const Reader& root) {
  return read_object<SparseStudy>(root);
}

}  // namespace

Result<SparseStudy> parse_sparse_study(std::string_view text, std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, read_study);
}

Result<SparseStudy> sparse_study_from(const Document& document, std::string_view file_name) {
  return read_document(document, file_name, kSchema, kHint, read_study);
}

std::string write_sparse_study(const SparseStudy& study) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, study);
  return writer.finish();
}

}  // namespace ridge::serialize
