// Arenas as the runtime would leave them, built by hand. For tests only.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "abi/descriptor.h"
#include "abi/layout.h"
#include "measure/instrumented/arena_view.hpp"

namespace ridge::measure {

/// One translation unit.
class DescriptorBuilder {
 public:
  DescriptorBuilder();

  std::uint32_t text(const std::string& text);  ///< its offset
  /// Returns the index. Kind LOOP and FUNCTION stand in "unit.cpp" at `line` (0 = no debug
  /// information).
  std::uint32_t region(ridge_region_kind kind, const std::string& name, std::uint32_t parent,
                       std::uint32_t line = 1);
  /// A counter of `region`; terms follow. Returns its index.
  std::uint32_t counter(std::uint32_t region, bool deferred = false);
  /// Adds a term to the last counter.
  void term(ridge_quantity quantity, std::uint64_t amount, const std::string& name = {});
  void flops(ridge_precision precision, ridge_operation operation, std::uint32_t width_bits,
             std::uint64_t amount);

  [[nodiscard]] std::vector<std::byte> bytes() const;

  // Open for tests that damage them.
  ridge_descriptor_header header{};
  std::vector<ridge_region_descriptor> regions;
  std::vector<ridge_counter_descriptor> counters;
  std::vector<ridge_term_descriptor> terms;
  std::vector<ridge_probed_function> functions;
  std::vector<std::uint32_t> classes;

 private:
  std::string strings_;
  std::map<std::string, std::uint32_t> offsets_;
};

class ArenaBuilder {
 public:
  explicit ArenaBuilder(ridge_mode mode = RIDGE_MODE_COUNT);

  std::uint64_t process(std::uint32_t pid, const std::vector<std::string>& arguments = {"program"});
  std::uint64_t module(std::uint64_t process, const DescriptorBuilder& descriptor,
                       std::uint32_t region_base = 1, std::uint32_t counter_base = 0,
                       const std::vector<std::string>& libraries = {});
  /// Where the module's code lies. At most RIDGE_BUILD_ID_BYTES of the build ID are kept.
  void file(std::uint64_t module, const std::string& path, std::string_view build_id = {});
  std::uint64_t thread(std::uint64_t process, std::uint32_t tid, std::uint32_t ordinal = 0);
  void count(std::uint64_t thread, std::uint32_t counter, std::uint64_t value);
  /// What the thread executes, outermost first.
  /// `regions`: indices within the module that has this `region_base`.
  void stack(std::uint64_t thread, const std::vector<std::uint32_t>& regions,
             std::uint32_t region_base = 0);
  /// Its index.
  std::uint32_t marker(std::uint64_t process, const std::string& name);
  [[nodiscard]] ridge_marker_record& marker_record(std::uint64_t process, std::uint32_t marker);
  /// What visits that are over added.
  void visits(std::uint64_t thread, std::uint32_t marker, std::uint64_t entries,
              const std::vector<std::uint64_t>& values);
  /// The thread is in it. `flags`: of enum ridge_marker_flag.
  void open_marker(std::uint64_t thread, std::uint32_t marker, std::uint32_t flags);
  void traffic(std::uint64_t process, const std::vector<ridge_region_traffic>& table);
  /// With explicit tasks on other cores; `sampled` may be empty.
  void placed(std::uint64_t process, std::size_t how,
              const std::vector<ridge_region_traffic>& exact,
              const std::vector<ridge_region_traffic>& sampled);
  /// On the caches with this number in ridge_arena.elsewhere.
  void elsewhere(std::uint64_t process, std::size_t index,
                 const std::vector<ridge_region_traffic>& table);
  void lines(std::uint64_t process, const std::vector<ridge_region_lines>& table);
  void trips(std::uint64_t process, const std::vector<ridge_region_trips>& table);
  void nodes(std::uint64_t process, const std::vector<ridge_region_nodes>& table);
  /// What came from sampled lines since sampling began, one of eight.
  void sampled(std::uint64_t process, const std::vector<ridge_region_traffic>& table,
               const std::vector<ridge_region_pilot>& pilot);

  template <class T>
  [[nodiscard]] T& at(std::uint64_t offset) {
    return *reinterpret_cast<T*>(bytes_.data() + offset);
  }
  [[nodiscard]] ridge_arena& header() { return at<ridge_arena>(0); }
  [[nodiscard]] ridge_process_record& record(std::uint64_t offset) {
    return at<ridge_process_record>(offset);
  }
  [[nodiscard]] ArenaBytes bytes() const { return bytes_; }
  [[nodiscard]] std::vector<std::byte>& storage() { return bytes_; }

 private:
  std::uint64_t take(std::size_t size);
  std::uint64_t put(const void* data, std::size_t size);

  std::vector<std::byte> bytes_;
};

}  // namespace ridge::measure
