#include "serialize/known_caches.hpp"

#include <cassert>
#include <set>
#include <string>

#include <fmt/core.h>

#include "serialize/caches_value.hpp"
#include "serialize/embedded_caches.hpp"
#include "serialize/json_reader.hpp"
#include "serialize/json_writer.hpp"

namespace ridge::serialize {
namespace {

constexpr std::string_view kSchema = "ridge.caches/1";
constexpr std::string_view kHint = "correct the value";
constexpr std::size_t kMostLevels = 4;  // RIDGE_CACHE_LEVELS_MAX

Cache read_cache(const Reader& object, std::string_view level, const std::vector<Cache>& above) {
  Cache cache;
  cache.level = object.at("level").text();
  cache.size_bytes = object.at("size_bytes").count_between(1, std::uint64_t{1} << 40U);
  cache.ways = object.at("ways").positive();
  cache.line_bytes = object.at("line_bytes").positive();
  cache.shared_by_threads = object.at("shared_by_cores").positive();
  cache.policy = object.at("policy").choice(
      {CachePolicy::inclusive, CachePolicy::non_inclusive, CachePolicy::victim});
  cache.write_allocate =
      object.at("write_allocate")
          .choice({WriteAllocate::always, WriteAllocate::never, WriteAllocate::when_unsaturated});
  if (object.ok() && cache.level != level) {
    object.find("level").fail(fmt::format("must be {} here", level));
  }
  if (object.ok() && cache.size_bytes % (std::uint64_t{cache.ways} * cache.line_bytes) != 0) {
    object.find("size_bytes")
        .fail(fmt::format("is no whole number of sets of {} lines of {} byte", cache.ways,
                          cache.line_bytes));
  }
  if (object.ok() && !above.empty() && cache.line_bytes != above.back().line_bytes) {
    object.find("line_bytes").fail("must be that of the level above");
  }
  if (object.ok() && !above.empty() &&
      cache.shared_by_threads % above.back().shared_by_threads != 0) {
    object.find("shared_by_cores").fail("must be a multiple of that of the level above");
  }
  return cache;
}

KnownCaches read_row(const Reader& object) {
  KnownCaches row;
  row.elsewhere = read_caches_members(object);
  row.processor = object.at("processor").non_empty_text();
  row.last_level_of_chip = object.at("last_level_of_chip").flag();
  row.microarchitecture = optional_from(object.find("microarchitecture"), &Reader::non_empty_text);
  row.machines = list_from(object.at("machines"), &Reader::non_empty_text);
  row.sources = list_from(object.at("sources"), &Reader::non_empty_text);
  if (row.sources.empty()) {
    object.find("sources").fail("must name at least one source");
  }
  return row;
}

}  // namespace

CachesElsewhere read_caches_members(const Reader& object) {
  CachesElsewhere read;
  read.name = object.at("name").non_empty_text();
  for (const Reader& item : object.at("caches").items()) {
    if (read.caches.size() == kMostLevels) {
      item.fail(fmt::format("there are at most {} levels", kMostLevels));
      break;
    }
    read.caches.push_back(
        read_cache(item, fmt::format("L{}", read.caches.size() + 1), read.caches));
  }
  if (read.caches.empty()) {
    object.find("caches").fail("must have at least one level");
  }
  read.memory = object.at("memory").non_empty_text();
  return read;
}

std::vector<CachesElsewhere> read_caches_elsewhere(const Reader& array) {
  std::vector<CachesElsewhere> read;
  std::set<std::string> names;
  for (const Reader& item : array.items()) {
    read.push_back(read_caches_members(item));
    if (!names.insert(read.back().name).second) {
      item.find("name").fail(fmt::format("stands twice: {}", quote_for_message(read.back().name)));
    }
  }
  return read;
}

void write_caches_elsewhere(Writer& writer, const std::vector<CachesElsewhere>& caches) {
  writer.objects("caches_elsewhere", caches, [&](const CachesElsewhere& elsewhere) {
    writer.member("name", elsewhere.name);
    writer.objects("caches", elsewhere.caches, [&](const Cache& cache) {
      writer.member("level", cache.level);
      writer.member("size_bytes", cache.size_bytes);
      writer.member("ways", cache.ways);
      writer.member("line_bytes", cache.line_bytes);
      writer.member("shared_by_cores", cache.shared_by_threads);
      writer.member("policy", to_string(cache.policy));
      writer.member("write_allocate", to_string(cache.write_allocate));
    });
    writer.member("memory", elsewhere.memory);
  });
}

Result<std::vector<KnownCaches>> parse_known_caches(std::string_view text,
                                                    std::string_view file_name) {
  return read_file(text, file_name, kSchema, kHint, [](const Reader& root) {
    std::vector<KnownCaches> rows;
    std::set<std::string> names;
    for (const Reader& item : root.at("caches").items()) {
      rows.push_back(read_row(item));
      if (!names.insert(rows.back().elsewhere.name).second) {
        item.find("name").fail("stands twice");
      }
      for (const std::string& machine : rows.back().machines) {
        if (!names.insert(machine).second) {
          item.find("machines").fail(fmt::format("{} stands twice", quote_for_message(machine)));
        }
      }
    }
    return rows;
  });
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
