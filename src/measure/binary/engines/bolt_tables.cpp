#include "measure/binary/engines/bolt_tables.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "machine_code/byte_reader.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::ByteReader;
using machine_code::Bytes;

constexpr std::uint32_t kNoCounter = UINT32_MAX;
constexpr std::uint32_t kNoName = UINT32_MAX;

tl::unexpected<Error> malformed() {
  return fail(ErrorCode::bad_input, "BOLT's section .bolt.instr.tables is malformed",
              "Use llvm-bolt of LLVM 19.");
}

/// What the note holds behind its owner.
std::optional<Bytes> note_of(Bytes section) {
  ByteReader reader(section);
  const auto name_size = reader.take<std::uint32_t>();
  const auto size = reader.take<std::uint32_t>();
  reader.take<std::uint32_t>();
  reader.skip((std::uint64_t{name_size} + 3) / 4 * 4);
  return reader.failed() ? std::nullopt : machine_code::part_of(section, reader.at(), size);
}

/// Reads the descriptions one behind the other; names by their place in the text.
class Descriptions {
 public:
  Descriptions(Bytes bytes, Bytes names)
      : reader_(bytes),
        size_(bytes.size()),
        names_(reinterpret_cast<const char*>(names.data()), names.size()) {}

  [[nodiscard]] bool failed() const { return reader_.failed(); }
  [[nodiscard]] bool at_end() const { return reader_.at() >= size_; }

  BoltFunction next() {
    BoltFunction function;
    name_ = kNoName;
    for (std::uint32_t left = count(8); left > 0; --left) {  // blocks that count themselves
      reader_.skip(8);
    }
    for (std::uint32_t left = count(28); left > 0; --left) {
      take_edge(function);
    }
    for (std::uint32_t left = count(32); left > 0; --left) {
      take_call(function);
    }
    for (std::uint32_t left = count(16); left > 0; --left) {
      function.entry_nodes.push_back(static_cast<std::uint32_t>(reader_.take<std::uint64_t>()));
      reader_.skip(8);  // its address in the new code
    }
    if (name_ < names_.size()) {
      function.name = names_.substr(name_, names_.find('\0', name_) - name_);
    }
    return function;
  }

 private:
  /// 0 where so many entries do not fit.
  std::uint32_t count(std::uint64_t bytes_each) {
    const auto entries = reader_.take<std::uint32_t>();
    if (entries * bytes_each > size_ - reader_.at()) {
      reader_.skip(size_ + 1);  // fails
      return 0;
    }
    return entries;
  }

  void take_edge(BoltFunction& function) {
    BoltEdge edge;
    name_ = reader_.take<std::uint32_t>();
    edge.from = reader_.take<std::uint32_t>();
    edge.from_node = reader_.take<std::uint32_t>();
    reader_.skip(4);
    edge.to = reader_.take<std::uint32_t>();
    edge.to_node = reader_.take<std::uint32_t>();
    edge.counter = reader_.take<std::uint32_t>();
    if (edge.counter != kNoCounter) {
      function.edges.push_back(edge);
    }
  }

  void take_call(BoltFunction& function) {
    BoltCall call;
    name_ = reader_.take<std::uint32_t>();
    call.from = reader_.take<std::uint32_t>();
    reader_.skip(12);  // its block, its target
    call.counter = reader_.take<std::uint32_t>();
    reader_.skip(8);
    if (call.counter != kNoCounter) {
      function.calls.push_back(call);
    }
  }

  ByteReader reader_;
  std::uint64_t size_;
  std::string_view names_;
  std::uint32_t name_ = kNoName;
};

/// Counters that an `inc` in front of whose address stands the opcode of a 64-bit memory operand
/// relative to rip adds to (48 ff 05 disp32).
std::vector<bool> counters_in_use(const machine_code::ElfImage& image) {
  constexpr std::array<std::uint8_t, 3> kIncrement{0x48, 0xff, 0x05};
  constexpr std::uint64_t kBytes = 7;
  const machine_code::Section* counters = image.section(".bolt.instr.counters");
  std::vector<bool> used(counters != nullptr ? counters->bytes.size() / 8 : 0);
  for (const machine_code::Section& section : image.sections()) {
    if (!section.executable) {
      continue;
    }
    auto at = section.bytes.begin();
    while ((at = std::search(at, section.bytes.end(), kIncrement.begin(), kIncrement.end())) !=
           section.bytes.end()) {
      const auto offset = static_cast<std::uint64_t>(at - section.bytes.begin());
      const auto distance = machine_code::value_at<std::int32_t>(section.bytes, offset + 3);
      const std::uint64_t target = section.address + offset + kBytes +
                                   static_cast<std::uint64_t>(std::int64_t{distance.value_or(0)});
      const std::uint64_t index = (target - (counters != nullptr ? counters->address : 0)) / 8;
      if (distance && counters != nullptr && target >= counters->address && index < used.size()) {
        used[index] = true;
      }
      ++at;
    }
  }
  return used;
}

}  // namespace

Result<BoltTables> read_bolt_tables(const machine_code::ElfImage& instrumented) {
  const machine_code::Section* section = instrumented.section(".bolt.instr.tables");
  const auto note = section != nullptr ? note_of(section->bytes) : std::nullopt;
  if (!note) {
    return fail(ErrorCode::bad_input, "the program was not instrumented by BOLT");
  }
  ByteReader reader(*note);
  reader.skip(reader.take<std::uint32_t>());  // indirect calls
  reader.skip(reader.take<std::uint32_t>());  // their targets
  const auto size = reader.take<std::uint32_t>();
  const auto bytes = machine_code::part_of(*note, reader.at(), size);
  if (reader.failed() || !bytes) {
    return malformed();
  }
  BoltTables tables;
  Descriptions descriptions(*bytes, note->subspan(reader.at() + size));
  while (!descriptions.at_end()) {
    BoltFunction function = descriptions.next();
    if (descriptions.failed()) {
      return malformed();
    }
    if (!function.name.empty()) {
      tables.functions.push_back(std::move(function));
    }
  }
  tables.in_use = counters_in_use(instrumented);
  return tables;
}

}  // namespace ridge::measure::binary
