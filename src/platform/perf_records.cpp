#include "platform/perf_records.hpp"

#include <algorithm>
#include <asm/perf_regs.h>
#include <cstring>
#include <linux/perf_event.h>
#include <optional>
#include <utility>

namespace ridge::platform {
namespace {

/// Of every record that is no sample: TID and TIME, at its end.
constexpr std::size_t kIdBytes = 16;

/// The kernel's number of each register of a StackSample.
constexpr std::array<unsigned, kStackRegisters> kKernelNumbers = {
    PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX,  PERF_REG_X86_SI,
    PERF_REG_X86_DI,  PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_R8,  PERF_REG_X86_R9,
    PERF_REG_X86_R10, PERF_REG_X86_R11, PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14,
    PERF_REG_X86_R15, PERF_REG_X86_IP};

/// Numbers one after another; all that lies behind the end is 0, and is_whole() says so.
class Fields {
 public:
  explicit Fields(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::uint32_t u32() { return take<std::uint32_t>(); }
  std::uint64_t u64() { return take<std::uint64_t>(); }
  pid_t pid() { return static_cast<pid_t>(u32()); }
  [[nodiscard]] bool is_whole() const { return is_whole_; }

  /// All that is left, up to its first zero.
  std::string text() {
    std::string text;
    for (; !rest_.empty() && rest_.front() != std::byte{0}; rest_ = rest_.subspan(1)) {
      text += static_cast<char>(rest_.front());
    }
    return text;
  }

 private:
  template <class Number>
  Number take() {
    Number number = 0;
    if (rest_.size() < sizeof number) {
      is_whole_ = false;
      rest_ = {};
      return 0;
    }
    std::memcpy(&number, rest_.data(), sizeof number);
    rest_ = rest_.subspan(sizeof number);
    return number;
  }

  std::span<const std::byte> rest_;
  bool is_whole_ = true;
};

/// The kernel writes them in the order of its own numbers.
void read_registers(Fields& fields, PerfRecord& record) {
  std::array<std::size_t, kStackRegisters> order{};
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::ranges::sort(order, {}, [](std::size_t i) { return kKernelNumbers[i]; });
  for (const std::size_t i : order) {
    record.registers[i] = fields.u64();
  }
}

/// Registers and memory; a thread that has none, of the kernel or in the middle of its end, leaves
/// them out.
void read_stack(Fields& fields, PerfRecord& record) {
  record.kind = PerfRecord::stack;
  if (fields.u64() != PERF_SAMPLE_REGS_ABI_NONE) {
    read_registers(fields, record);
  }
  const std::uint64_t room = fields.u64();
  if (room == 0) {
    return;  // and nothing follows
  }
  for (std::uint64_t i = 0; i < room / sizeof(std::uint64_t) && fields.is_whole(); ++i) {
    record.words.push_back(fields.u64());
  }
  const std::uint64_t copied = fields.u64() / sizeof(std::uint64_t);
  record.words.resize(std::min<std::uint64_t>(record.words.size(), copied));
}

bool read_sample(Fields& fields, PerfLayout layout, unsigned mode, PerfRecord& record) {
  record.kind = PerfRecord::sample;
  record.address = fields.u64();
  record.pid = fields.pid();
  record.tid = fields.pid();
  record.nanoseconds = fields.u64();
  record.in_kernel = mode != PERF_RECORD_MISC_USER;
  if (record.in_kernel) {
    record.address = 0;
  }
  if (layout.has_stacks) {
    read_stack(fields, record);
  } else if (layout.has_user_registers) {
    const bool has_them = fields.u64() != PERF_SAMPLE_REGS_ABI_NONE;
    const std::uint64_t user = has_them ? fields.u64() : 0;
    record.address = record.in_kernel ? user : record.address;
  }
  return record.pid > 0 && record.tid > 0;  // -1: of a thread that has ended
}

void read_mapping(Fields& fields, PerfRecord& record) {
  record.kind = PerfRecord::mapped;
  record.pid = fields.pid();
  record.tid = fields.pid();
  record.address = fields.u64();
  record.length = fields.u64();
  record.file_offset = fields.u64();
  (void)fields.u64();  // device
  (void)fields.u64();  // inode
  (void)fields.u64();  // its generation
  (void)fields.u64();  // rights and flags
  record.name = fields.text();
}

void read_life(Fields& fields, PerfRecord& record, PerfRecord::Kind kind) {
  record.kind = kind;
  record.pid = fields.pid();
  record.parent = fields.pid();
  record.tid = fields.pid();
}

/// What is common to all but samples stands at their end.
bool read_other(std::span<const std::byte> body, const perf_event_header& header,
                PerfRecord& record) {
  if (body.size() < kIdBytes) {
    return false;
  }
  Fields fields(body.first(body.size() - kIdBytes));
  Fields id(body.last(kIdBytes));
  record.pid = id.pid();
  record.tid = id.pid();
  record.nanoseconds = id.u64();
  switch (header.type) {
    case PERF_RECORD_MMAP2:
      read_mapping(fields, record);
      break;
    case PERF_RECORD_FORK:
      read_life(fields, record, PerfRecord::forked);
      break;
    case PERF_RECORD_EXIT:
      read_life(fields, record, PerfRecord::ended);
      break;
    case PERF_RECORD_COMM:
      record.kind = PerfRecord::executed;
      record.pid = fields.pid();
      record.tid = fields.pid();
      return fields.is_whole() && (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    case PERF_RECORD_LOST:
      record.kind = PerfRecord::lost;
      (void)fields.u64();  // of which event
      record.count = fields.u64();
      break;
    case PERF_RECORD_THROTTLE:
      record.kind = PerfRecord::throttled;
      break;
    default:
      return false;
  }
  return fields.is_whole();
}

}  // namespace

std::uint64_t stack_register_mask() {
  std::uint64_t mask = 0;
  for (const unsigned number : kKernelNumbers) {
    mask |= std::uint64_t{1} << number;
  }
  return mask;
}

std::vector<PerfRecord> parse_perf_records(std::span<const std::byte> bytes, PerfLayout layout) {
  std::vector<PerfRecord> records;
  perf_event_header header{};
  while (bytes.size() >= sizeof header) {
    std::memcpy(&header, bytes.data(), sizeof header);
    if (header.size < sizeof header || header.size > bytes.size()) {
      break;
    }
    const auto body = bytes.subspan(sizeof header, header.size - sizeof header);
    bytes = bytes.subspan(header.size);
    PerfRecord record;
    bool is_of_use = false;
    if (header.type == PERF_RECORD_SAMPLE) {
      Fields fields(body);
      const unsigned mode = header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
      is_of_use = read_sample(fields, layout, mode, record) && fields.is_whole();
    } else {
      is_of_use = read_other(body, header, record);
    }
    if (is_of_use) {
      records.push_back(std::move(record));
    }
  }
  return records;
}

}  // namespace ridge::platform
