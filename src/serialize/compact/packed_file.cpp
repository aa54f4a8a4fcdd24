#include "serialize/compact/packed_file.hpp"

#include <utility>
#include <zlib.h>

#include "serialize/compact/compact_bytes.hpp"

namespace ridge::serialize {
namespace {

/// Names are long and alike: the fastest level finds nearly all that the best does.
constexpr int kLevel = 1;
/// zlib packs at most 1032 bytes into one; a file that claims more is damaged.
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

}  // namespace

std::string packed_file(std::string_view magic, const std::string& bytes) {
  CompactWriter head;
  head.whole(bytes.size());
  return std::string(magic) + head.bytes() + packed(bytes);
}

std::optional<std::string> unpacked_file(std::string_view magic, std::string_view file) {
  CompactReader head(file.substr(magic.size()));
  const std::size_t size = head.whole();
  return head.failed() ? std::nullopt : unpacked(file.substr(magic.size() + head.offset()), size);
}

}  // namespace ridge::serialize
