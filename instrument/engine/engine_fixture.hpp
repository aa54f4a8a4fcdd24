// A host of the engine's core: memory from the heap, the record in a vector, and a plan to write.
#ifndef RIDGE_INSTRUMENT_ENGINE_ENGINE_FIXTURE_HPP
#define RIDGE_INSTRUMENT_ENGINE_ENGINE_FIXTURE_HPP

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "instrument/engine/plan.h"
#include "instrument/engine/record_writer.h"
#include "instrument/engine/traffic.h"
}

namespace ridge::engine_tests {

/// Memory that can run out, and that knows what was not given back.
class Heap {
 public:
  Heap();
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  /// Allocations that succeed from now on.
  std::uint64_t left = UINT64_MAX;
  std::uint64_t allocations = 0;
  std::map<std::uint64_t, std::uint64_t> by_size;  ///< how many of so many bytes, ever
  std::int64_t bytes_held = 0;
  cachesim_memory memory;
};

/// What was written, and optionally a file that is full after some bytes.
struct Sink {
  Sink();
  Sink(const Sink&) = delete;
  Sink& operator=(const Sink&) = delete;

  std::vector<unsigned char> bytes;
  std::uint64_t room = UINT64_MAX;
  engine_sink sink;
};

struct Chunk {
  std::uint32_t kind = 0;
  std::vector<unsigned char> bytes;

  template <typename T>
  T at(std::size_t offset) const;
};

struct Record {
  ridge_record_header header{};
  std::vector<Chunk> chunks;

  std::vector<Chunk> of(std::uint32_t kind) const;
  /// Of TRAFFIC, SAMPLED or ELSEWHERE; zeros where there is none.
  ridge_region_traffic traffic(std::uint32_t kind, std::uint32_t region) const;
};

/// Fails the test where the bytes are no whole record.
Record read_record(const std::vector<unsigned char>& bytes);

/// A plan of one module /program with one range of 16 bytes for each region from 1 on, in memory
/// that is aligned to 8.
struct PlanFile {
  explicit PlanFile(std::uint32_t regions = 4);

  std::vector<std::uint64_t> words() const;
  std::uint64_t bytes() const;

  ridge_plan header{};
  std::vector<ridge_plan_module> modules;
  std::vector<ridge_plan_range> ranges;
  std::string text;
};

template <typename T>
T Chunk::at(std::size_t offset) const {
  T value{};
  if (offset + sizeof(T) <= bytes.size()) {
    __builtin_memcpy(&value, bytes.data() + offset, sizeof(T));
  }
  return value;
}

}  // namespace ridge::engine_tests

#endif
