#include "serialize/rank_record.hpp"

#include <fmt/core.h>

#include "core/describe/enumerators.hpp"
#include "core/describe/machine.hpp"
#include "core/describe/rank_record.hpp"
#include "serialize/compact/compact_value.hpp"
#include "serialize/compact/packed_file.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kMagic = "RIDGE-RANK\n";

tl::unexpected<Error> damaged(std::string_view file_name) {
  return fail(ErrorCode::bad_input, fmt::format("{} is damaged", file_name),
              "Remove it: the other ranks can be joined without it.");
}

}  // namespace

std::string write_rank_record(const RankRecord& record) {
  CompactWriter writer;
  writer.text(record.profile.ridge_version);
  writer.whole(shape_of<RankRecord>());
  put_object(writer, record);
  return packed_file(kMagic, writer.bytes());
}

Result<RankRecord> parse_rank_record(std::string_view bytes, std::string_view file_name) {
  if (!bytes.starts_with(kMagic)) {
    return fail(ErrorCode::bad_input, fmt::format("{} is no record of a rank", file_name),
                "`mpirun -n N ridge run -- PROGRAM` writes them.");
  }
  const auto content = unpacked_file(kMagic, bytes);
  if (!content) {
    return damaged(file_name);
  }
  CompactReader reader(*content);
  const std::string version = reader.text();
  if (reader.whole() != shape_of<RankRecord>() && !reader.failed()) {
    return fail(ErrorCode::bad_input,
                fmt::format("{} was written by another Ridge ({})", file_name, version),
                "Join the ranks with the one that measured them.");
  }
  RankRecord record;
  get_object(reader, record);
  if (reader.failed() || !reader.at_end()) {
    return damaged(file_name);
  }
  return record;
}

}  // namespace ridge::serialize
