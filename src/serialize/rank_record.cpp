#include "serialize/rank_record.hpp"

#include <optional>
#include <utility>
#include <zlib.h>

#include <fmt/core.h>

#include "core/describe/enumerators.hpp"
#include "core/describe/machine.hpp"
#include "core/describe/rank_record.hpp"
#include "serialize/compact/compact_value.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kMagic = "RIDGE-RANK\n";
/// Names are long and alike: the fastest level finds nearly all that the best does.
constexpr int kLevel = 1;
/// zlib packs at most 1032 bytes into one; a record that claims more is damaged.
constexpr std::size_t kMostPerByte = 1032;

std::string packed(const std::string& bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string out(size, '\0');
  compress2(reinterpret_cast<Bytef*>(out.data()), &size,
            reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), kLevel);
  out.resize(size);
  return out;
}

/// nullopt where these are not `size` packed bytes.
std::optional<std::string> unpacked(std::string_view bytes, std::size_t size) {
  if (size / kMostPerByte > bytes.size()) {
    return std::nullopt;
  }
  std::string out(size, '\0');
  uLongf got = static_cast<uLongf>(size);
  uLong used = static_cast<uLong>(bytes.size());
  const int code = uncompress2(reinterpret_cast<Bytef*>(out.data()), &got,
                               reinterpret_cast<const Bytef*>(bytes.data()), &used);
  return code == Z_OK && got == size && used == bytes.size() ? std::optional(std::move(out))
                                                             : std::nullopt;
}

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
  CompactWriter head;
  head.whole(writer.bytes().size());
  return std::string(kMagic) + head.bytes() + packed(writer.bytes());
}

Result<RankRecord> parse_rank_record(std::string_view bytes, std::string_view file_name) {
  if (!bytes.starts_with(kMagic)) {
    return fail(ErrorCode::bad_input, fmt::format("{} is no record of a rank", file_name),
                "`mpirun -n N ridge run -- PROGRAM` writes them.");
  }
  CompactReader head(bytes.substr(kMagic.size()));
  const std::size_t size = head.whole();
  const auto content = unpacked(bytes.substr(kMagic.size() + head.offset()), size);
  if (head.failed() || !content) {
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
