#include "serialize/known_caches.hpp"

#include <cassert>
#include <string>
#include <utility>

#include "core/describe/known_caches.hpp"
#include "serialize/described/cache_rules.hpp"
#include "serialize/described/read.hpp"
#include "serialize/described/write.hpp"
#include "serialize/embedded_caches.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.caches/1";
constexpr std::string_view kHint = "correct the value";

}  // namespace

Result<std::vector<KnownCaches>> parse_known_caches(std::string_view text,
                                                    std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, [](const Reader& root) {
    return read_object<describe::CacheTable>(root).caches;
  });
}

std::string write_known_caches(std::vector<KnownCaches> rows) {
  Writer writer;
  writer.member("schema", kSchema);
  write_members(writer, describe::CacheTable{std::move(rows)});
  return writer.finish();
}

const std::vector<KnownCaches>& known_caches() {
  static const std::vector<KnownCaches> known = [] {
    auto parsed = parse_known_caches(kEmbeddedCaches, "machines/caches.json");
    assert(parsed.has_value());  // a test parses the same text
    return parsed.value_or(std::vector<KnownCaches>{});
  }();
  return known;
}

}  // namespace ridge::serialize
