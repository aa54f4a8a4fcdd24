#include "measure/instrumented/arena_builder.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "abi/version.h"

namespace ridge::measure {
namespace {

template <class T>
void append(std::vector<std::byte>& bytes, const std::vector<T>& table) {
  const auto* data = reinterpret_cast<const std::byte*>(table.data());
  bytes.insert(bytes.end(), data, data + table.size() * sizeof(T));
}

std::string joined(const std::vector<std::string>& words) {
  std::string bytes;
  for (const std::string& word : words) {
    bytes += word;
    bytes += '\0';
  }
  return bytes;
}

}  // namespace

DescriptorBuilder::DescriptorBuilder() : strings_(1, '\0') {
  offsets_[""] = 0;
  header.magic = RIDGE_DESCRIPTOR_MAGIC;
  header.abi_version = RIDGE_ABI_VERSION;
  header.ridge_version = text(ridge_version_text);
  header.source_file = text("unit.cpp");
  header.compiler = text("clang 19.1.7");
  header.flags = text("-O3");
}

std::uint32_t DescriptorBuilder::text(const std::string& text) {
  const auto [entry, is_new] =
      offsets_.try_emplace(text, static_cast<std::uint32_t>(strings_.size()));
  if (is_new) {
    strings_ += text;
    strings_ += '\0';
  }
  return entry->second;
}

std::uint32_t DescriptorBuilder::region(ridge_region_kind kind, const std::string& name,
                                        std::uint32_t parent, std::uint32_t line) {
  ridge_region_descriptor added{};
  added.kind = kind;
  added.parent = parent;
  added.name = text(name);
  const bool waits = kind == RIDGE_REGION_OMP_WAIT && parent < regions.size();
  added.function = waits ? regions[parent].function : text(name);
  added.versions = 1;
  if (line != 0 && kind != RIDGE_REGION_CALL) {
    added.file = text("unit.cpp");
    added.directory = text("/src");
    added.line = line;
  }
  regions.push_back(added);
  return static_cast<std::uint32_t>(regions.size() - 1);
}

std::uint32_t DescriptorBuilder::counter(std::uint32_t region, bool deferred) {
  counters.push_back(
      {region, static_cast<std::uint32_t>(terms.size()), 0, deferred ? 1U : 0U, 0, 0});
  return static_cast<std::uint32_t>(counters.size() - 1);
}

void DescriptorBuilder::term(ridge_quantity quantity, std::uint64_t amount,
                             const std::string& name) {
  terms.push_back({static_cast<std::uint32_t>(quantity), 0, 0, 0, text(name), amount});
  ++counters.back().term_count;
}

void DescriptorBuilder::flops(ridge_precision precision, ridge_operation operation,
                              std::uint32_t width_bits, std::uint64_t amount) {
  terms.push_back({RIDGE_FLOPS, static_cast<std::uint16_t>(precision),
                   static_cast<std::uint16_t>(operation), width_bits, 0, amount});
  ++counters.back().term_count;
}

std::vector<std::byte> DescriptorBuilder::bytes() const {
  ridge_descriptor_header complete = header;
  complete.region_count = static_cast<std::uint32_t>(regions.size());
  complete.counter_count = static_cast<std::uint32_t>(counters.size());
  complete.term_count = static_cast<std::uint32_t>(terms.size());
  complete.probed_function_count = static_cast<std::uint32_t>(functions.size());
  complete.probe_count = static_cast<std::uint32_t>(classes.size());
  complete.string_bytes = static_cast<std::uint32_t>(strings_.size());
  complete.total_bytes = static_cast<std::uint32_t>(
      sizeof complete + regions.size() * sizeof(regions[0]) +
      counters.size() * sizeof(counters[0]) + terms.size() * sizeof(terms[0]) +
      functions.size() * sizeof(functions[0]) + classes.size() * sizeof(classes[0]) +
      strings_.size());
  std::vector<std::byte> bytes;
  append(bytes, std::vector{complete});
  append(bytes, regions);
  append(bytes, counters);
  append(bytes, terms);
  append(bytes, functions);
  append(bytes, classes);
  append(bytes, std::vector<char>(strings_.begin(), strings_.end()));
  return bytes;
}

ArenaBuilder::ArenaBuilder(ridge_mode mode) {
  take(sizeof(ridge_arena));
  header().magic = RIDGE_ARENA_MAGIC;
  header().abi_version = RIDGE_ABI_VERSION;
  header().mode = mode;
}

std::uint64_t ArenaBuilder::take(std::size_t size) {
  const std::size_t offset = bytes_.size();
  bytes_.resize(offset + (size + 63) / 64 * 64);
  header().used_bytes = header().size_bytes = bytes_.size();
  return offset;
}

std::uint64_t ArenaBuilder::put(const void* data, std::size_t size) {
  const auto offset = take(size);
  std::memcpy(bytes_.data() + offset, data, size);
  return offset;
}

std::uint64_t ArenaBuilder::process(std::uint32_t pid, const std::vector<std::string>& arguments) {
  const std::string words = joined(arguments);
  const auto words_at = put(words.data(), words.size());
  const auto offset = take(sizeof(ridge_process_record));
  ridge_process_record& added = record(offset);
  added.pid = pid;
  added.runtime_abi_version = RIDGE_ABI_VERSION;
  added.arguments = words_at;
  added.arguments_bytes = words.size();
  added.next = header().processes;
  header().processes = offset;
  return offset;
}

std::uint64_t ArenaBuilder::module(std::uint64_t process, const DescriptorBuilder& descriptor,
                                   std::uint32_t region_base, std::uint32_t counter_base,
                                   const std::vector<std::string>& libraries) {
  const auto blob = descriptor.bytes();
  const std::string names = joined(libraries);
  const auto blob_at = put(blob.data(), blob.size());
  const auto names_at = names.empty() ? 0 : put(names.data(), names.size());
  const auto offset = take(sizeof(ridge_module_record));
  at<ridge_module_record>(offset) = {record(process).modules,
                                     blob_at,
                                     blob.size(),
                                     names_at,
                                     names.size(),
                                     region_base,
                                     counter_base};
  record(process).modules = offset;
  return offset;
}

void ArenaBuilder::file(std::uint64_t module, const std::string& path, std::string_view build_id) {
  const auto path_at = put(path.c_str(), path.size() + 1);
  auto& record = at<ridge_module_record>(module);
  record.file = path_at;
  record.file_bytes = path.size() + 1;
  record.build_id_bytes =
      static_cast<std::uint32_t>(std::min<std::size_t>(build_id.size(), RIDGE_BUILD_ID_BYTES));
  if (!build_id.empty()) {
    std::memcpy(record.build_id, build_id.data(), record.build_id_bytes);
  }
}

std::uint64_t ArenaBuilder::thread(std::uint64_t process, std::uint32_t tid,
                                   std::uint32_t ordinal) {
  const auto offset = take(sizeof(ridge_thread));
  auto& added = at<ridge_thread>(offset);
  added.depth = 1;
  added.tid = tid;
  added.ordinal = ordinal;
  added.frames[0] = {0, 0, std::numeric_limits<std::uint64_t>::max()};
  added.next = record(process).threads;
  record(process).threads = offset;
  return offset;
}

void ArenaBuilder::count(std::uint64_t thread, std::uint32_t counter, std::uint64_t value) {
  at<ridge_thread>(thread).counters[counter] = value;
}

void ArenaBuilder::stack(std::uint64_t thread, const std::vector<std::uint32_t>& regions,
                         std::uint32_t region_base) {
  auto& block = at<ridge_thread>(thread);
  block.depth = 1;
  for (const std::uint32_t region : regions) {
    block.frames[block.depth++] = {region, region_base, 0};
  }
}

std::uint32_t ArenaBuilder::marker(std::uint64_t process, const std::string& name) {
  if (record(process).markers == 0) {
    const auto table = take(sizeof(ridge_marker_record) * RIDGE_MARKERS_MAX);
    record(process).markers = table;
  }
  const auto text = put(name.c_str(), name.size() + 1);
  const std::uint32_t index = record(process).marker_count++;
  marker_record(process, index).name = text;
  marker_record(process, index).name_bytes = name.size() + 1;
  return index;
}

ridge_marker_record& ArenaBuilder::marker_record(std::uint64_t process, std::uint32_t marker) {
  return at<ridge_marker_record>(record(process).markers + marker * sizeof(ridge_marker_record));
}

void ArenaBuilder::visits(std::uint64_t thread, std::uint32_t marker, std::uint64_t entries,
                          const std::vector<std::uint64_t>& values) {
  std::vector<std::uint64_t> words{entries, values.size()};
  words.insert(words.end(), values.begin(), values.end());
  const auto offset = put(words.data(), words.size() * sizeof(words[0]));
  at<ridge_thread>(thread).marker_counts[marker] = offset;
}

void ArenaBuilder::open_marker(std::uint64_t thread, std::uint32_t marker, std::uint32_t flags) {
  auto& block = at<ridge_thread>(thread);
  block.open_markers[block.open_marker_count++] = {marker, flags, 0};
}

void ArenaBuilder::traffic(std::uint64_t process, const std::vector<ridge_region_traffic>& table) {
  const auto offset = take(sizeof(ridge_region_traffic) * RIDGE_REGION_CAPACITY);
  std::memcpy(bytes_.data() + offset, table.data(), table.size() * sizeof(table[0]));
  record(process).traffic = offset;
}

void ArenaBuilder::elsewhere(std::uint64_t process, std::size_t index,
                             const std::vector<ridge_region_traffic>& table) {
  const auto offset = take(sizeof(ridge_region_traffic) * table.size());
  std::memcpy(bytes_.data() + offset, table.data(), table.size() * sizeof(table[0]));
  record(process).elsewhere[index] = offset;
}

void ArenaBuilder::placed(std::uint64_t process, std::size_t how,
                          const std::vector<ridge_region_traffic>& exact,
                          const std::vector<ridge_region_traffic>& sampled) {
  const auto exact_at = put(exact.data(), exact.size() * sizeof(exact[0]));
  record(process).placed[how] = exact_at;
  if (!sampled.empty()) {
    const auto sampled_at = put(sampled.data(), sampled.size() * sizeof(sampled[0]));
    record(process).placed_sampled[how] = sampled_at;
  }
}

void ArenaBuilder::lines(std::uint64_t process, const std::vector<ridge_region_lines>& table) {
  const auto offset = take(sizeof(ridge_region_lines) * table.size());
  std::memcpy(bytes_.data() + offset, table.data(), table.size() * sizeof(table[0]));
  record(process).lines = offset;
}

void ArenaBuilder::trips(std::uint64_t process, const std::vector<ridge_region_trips>& table) {
  record(process).trips = put(table.data(), table.size() * sizeof(table[0]));
}

void ArenaBuilder::nodes(std::uint64_t process, const std::vector<ridge_region_nodes>& table) {
  const auto at = put(table.data(), table.size() * sizeof(table[0]));
  record(process).nodes = at;
}

void ArenaBuilder::sampled(std::uint64_t process, const std::vector<ridge_region_traffic>& table,
                           const std::vector<ridge_region_pilot>& pilot) {
  constexpr std::uint64_t kOneOfEight = 0x0101010101010101;
  const auto traffic_at = put(table.data(), table.size() * sizeof(table[0]));
  const auto pilot_at = put(pilot.data(), pilot.size() * sizeof(pilot[0]));
  record(process).sampled_traffic = traffic_at;
  record(process).pilot = pilot_at;
  record(process).sampling_begun = 1;
  header().sample_mask = kOneOfEight;
}

}  // namespace ridge::measure
