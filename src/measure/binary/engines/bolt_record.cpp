#include "measure/binary/engines/bolt_record.hpp"

#include <cstring>
#include <optional>

#include "abi/bolt_counters.h"
#include "abi/record.h"
#include "machine_code/byte_reader.hpp"

namespace ridge::measure::binary {
namespace {

class RecordBytes {
 public:
  template <class T>
  void put(const T& value) {
    put_bytes(&value, sizeof value);
  }
  void put_bytes(const void* data, std::size_t size) {
    const auto* begin = static_cast<const std::uint8_t*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
  }
  void begin(ridge_record_kind kind) {
    put(ridge_record_chunk{static_cast<std::uint32_t>(kind), 0, 0});
    chunk_ = bytes_.size();
  }
  void end() {
    const std::uint64_t size = bytes_.size() - chunk_;
    std::memcpy(bytes_.data() + chunk_ - sizeof size, &size, sizeof size);
    bytes_.resize((bytes_.size() + 7) / 8 * 8);
  }
  void text(ridge_record_kind kind, std::string_view text) {
    begin(kind);
    put_bytes(text.data(), text.size());
    end();
  }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t chunk_ = 0;
};

static_assert(offsetof(ridge_record_chunk, bytes) + sizeof(std::uint64_t) ==
              sizeof(ridge_record_chunk));

/// Of the segment that holds the code; nullopt where none holds it.
std::optional<std::uint32_t> mapping_of(const machine_code::ElfImage& program,
                                        const CountedBlock& block) {
  std::uint32_t number = 0;
  for (const machine_code::Segment& segment : program.segments()) {
    if (block.address >= segment.address && block.address - segment.address < segment.file_size) {
      return number;
    }
    ++number;
  }
  return std::nullopt;
}

void put_mappings(RecordBytes& record, const machine_code::ElfImage& program,
                  std::string_view path) {
  std::uint32_t number = 0;
  for (const machine_code::Segment& segment : program.segments()) {
    if (segment.executable) {
      record.begin(RIDGE_RECORD_MAPPING);
      record.put(ridge_record_mapping{segment.address, segment.address + segment.file_size,
                                      segment.file_offset, number, 1});
      record.put_bytes(path.data(), path.size());
      record.end();
    }
    ++number;
  }
}

}  // namespace

Result<BoltCounters> read_bolt_counters(std::span<const std::uint8_t> file) {
  const auto header = machine_code::value_at<ridge_bolt_header>(file, 0);
  if (!header || header->magic != RIDGE_BOLT_MAGIC || header->version != RIDGE_BOLT_VERSION) {
    return fail(ErrorCode::bad_input, "the file holds no counters of BOLT");
  }
  const bool overflows = header->counter_count > file.size() / sizeof(std::uint64_t);
  const auto counters =
      overflows ? std::nullopt
                : machine_code::part_of(file, RIDGE_BOLT_PAGE, header->counter_count * 8);
  if (!counters || header->arguments > file.size()) {
    return fail(ErrorCode::bad_input, "the file of BOLT's counters is cut short");
  }
  BoltCounters read{header->pid, header->parent_pid, {}, {}};
  read.counters.resize(header->counter_count);
  std::memcpy(read.counters.data(), counters->data(), counters->size());
  const auto arguments = file.subspan(header->arguments);
  read.arguments.assign(arguments.begin(), arguments.end());
  return read;
}

std::vector<std::uint8_t> bolt_record(const machine_code::ElfImage& program, std::string_view path,
                                      const BoltCounters& process, const BoltCounts& counts) {
  RecordBytes record;
  record.put(ridge_record_header{RIDGE_RECORD_MAGIC, RIDGE_RECORD_VERSION, RIDGE_ENGINE_BOLT,
                                 process.pid, process.parent_pid, 0});
  record.text(RIDGE_RECORD_ARGUMENTS, process.arguments);
  put_mappings(record, program, path);
  std::vector<ridge_record_executions> executions;
  for (const CountedBlock& block : counts.blocks) {
    const auto mapping = mapping_of(program, block);
    const auto code = program.bytes_at(block.address, block.bytes);
    if (!mapping || !code) {
      continue;
    }
    record.begin(RIDGE_RECORD_BLOCK);
    record.put(ridge_record_block{block.address, static_cast<std::uint32_t>(executions.size()),
                                  *mapping, static_cast<std::uint32_t>(code->size()), 0});
    record.put_bytes(code->data(), code->size());
    record.end();
    executions.push_back({executions.size(), block.executions});
  }
  record.begin(RIDGE_RECORD_EXECUTIONS);
  record.put(ridge_record_thread{0, 0, executions.size()});
  record.put_bytes(executions.data(), executions.size() * sizeof(ridge_record_executions));
  record.end();
  for (const std::string& name : counts.uncounted) {
    record.text(RIDGE_RECORD_UNCOUNTED, name);
  }
  record.text(RIDGE_RECORD_END, {});
  return record.take();
}

}  // namespace ridge::measure::binary
