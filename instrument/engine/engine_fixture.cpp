#include "instrument/engine/engine_fixture.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include <gtest/gtest.h>

namespace ridge::engine_tests {
namespace {

void* allocate(void* context, std::uint64_t bytes) {
  Heap& heap = *static_cast<Heap*>(context);
  if (heap.left == 0) {
    return nullptr;
  }
  --heap.left;
  ++heap.allocations;
  ++heap.by_size[bytes];
  heap.bytes_held += static_cast<std::int64_t>(bytes);
  const std::uint64_t whole = (bytes + 63) / 64 * 64;
  void* memory = std::aligned_alloc(64, whole);
  std::memset(memory, 0, whole);
  return memory;
}

void release(void* context, void* memory, std::uint64_t bytes) {
  static_cast<Heap*>(context)->bytes_held -= static_cast<std::int64_t>(bytes);
  std::free(memory);
}

int write(void* context, const void* bytes, std::uint64_t count) {
  Sink& sink = *static_cast<Sink*>(context);
  if (count > sink.room) {
    return 0;
  }
  sink.room -= count;
  const auto* first = static_cast<const unsigned char*>(bytes);
  sink.bytes.insert(sink.bytes.end(), first, first + count);
  return 1;
}

}  // namespace

Heap::Heap() : memory{allocate, release, this} {}

Sink::Sink() : sink{write, this} {}

std::vector<Chunk> Record::of(std::uint32_t kind) const {
  std::vector<Chunk> found;
  std::copy_if(chunks.begin(), chunks.end(), std::back_inserter(found),
               [kind](const Chunk& chunk) { return chunk.kind == kind; });
  return found;
}

ridge_region_traffic Record::traffic(std::uint32_t kind, std::uint32_t region) const {
  for (const Chunk& chunk : of(kind)) {
    const auto entry = chunk.at<ridge_record_traffic>(0);
    if (entry.region == region) {
      return entry.traffic;
    }
  }
  return {};
}

Record read_record(const std::vector<unsigned char>& bytes) {
  Record record;
  std::size_t at = sizeof(record.header);
  EXPECT_GE(bytes.size(), at);
  std::memcpy(&record.header, bytes.data(), std::min(at, bytes.size()));
  EXPECT_EQ(record.header.magic, std::uint32_t{RIDGE_RECORD_MAGIC});
  EXPECT_EQ(record.header.version, std::uint32_t{RIDGE_RECORD_VERSION});
  while (at + sizeof(ridge_record_chunk) <= bytes.size()) {
    ridge_record_chunk head{};
    std::memcpy(&head, bytes.data() + at, sizeof(head));
    at += sizeof(head);
    if (head.bytes > bytes.size() - at) {
      ADD_FAILURE() << "a chunk is longer than the record";
      return record;
    }
    const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    record.chunks.push_back({head.kind, {first, first + static_cast<std::ptrdiff_t>(head.bytes)}});
    at += (head.bytes + 7) / 8 * 8;
  }
  EXPECT_EQ(at, bytes.size());
  EXPECT_FALSE(record.chunks.empty());
  EXPECT_EQ(record.chunks.empty() ? 0 : record.chunks.back().kind, std::uint32_t{RIDGE_RECORD_END});
  return record;
}

PlanFile::PlanFile(std::uint32_t regions) : text(std::string("/program") + '\0') {
  header.magic = RIDGE_PLAN_MAGIC;
  header.version = RIDGE_RECORD_VERSION;
  header.region_count = regions + 1;
  header.caches.level_count = 2;
  header.caches.core_count = 4;
  header.caches.levels[0] = {.size_bytes = 16384,
                             .ways = 4,
                             .line_bytes = 64,
                             .cores_per_cache = 1,
                             .policy = RIDGE_NON_INCLUSIVE,
                             .write_allocate = 1,
                             .reserved = 0};
  header.caches.levels[1] = {.size_bytes = 131072,
                             .ways = 8,
                             .line_bytes = 64,
                             .cores_per_cache = 4,
                             .policy = RIDGE_NON_INCLUSIVE,
                             .write_allocate = 1,
                             .reserved = 0};
  for (std::uint32_t region = 1; region <= regions; ++region) {
    ranges.push_back({region * std::uint64_t{32}, region * std::uint64_t{32} + 16, region, 0});
  }
  modules.push_back({0, 0, ranges.size()});
  header.module_count = static_cast<std::uint32_t>(modules.size());
  header.range_count = ranges.size();
  header.text_bytes = text.size();
}

std::uint64_t PlanFile::bytes() const {
  return sizeof(header) + modules.size() * sizeof(modules[0]) + ranges.size() * sizeof(ranges[0]) +
         text.size();
}

std::vector<std::uint64_t> PlanFile::words() const {
  std::vector<std::uint64_t> words((bytes() + 7) / 8);
  auto* at = reinterpret_cast<unsigned char*>(words.data());
  const auto append = [&at](const void* from, std::size_t count) {
    if (count > 0) {
      std::memcpy(at, from, count);
    }
    at += count;
  };
  append(&header, sizeof(header));
  append(modules.data(), modules.size() * sizeof(modules[0]));
  append(ranges.data(), ranges.size() * sizeof(ranges[0]));
  append(text.data(), text.size());
  return words;
}

}  // namespace ridge::engine_tests
