#include "measure/calls/call_records.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_set>

#include "core/quantity/saturating.hpp"

namespace ridge::measure {
namespace {

constexpr double kNanosecond = 1e-9;
/// Paths of files are shorter.
constexpr std::uint64_t kMostPathBytes = 4096;

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  [[nodiscard]] std::optional<std::span<const std::byte>> slice(std::uint64_t offset,
                                                                std::uint64_t size) const {
    if (offset > bytes_.size() || size > bytes_.size() - offset) {
      return std::nullopt;
    }
    return bytes_.subspan(offset, size);
  }

  template <class T>
  [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto found = slice(offset, sizeof(T));
    if (!found) {
      return std::nullopt;
    }
    T value;
    std::memcpy(&value, found->data(), sizeof(T));
    return value;
  }

  /// The records of a list, newest first, with their offsets; a chain that bites itself ends there.
  template <class T>
  [[nodiscard]] std::vector<std::pair<std::uint64_t, T>> list(std::uint64_t first) const {
    std::vector<std::pair<std::uint64_t, T>> found;
    std::unordered_set<std::uint64_t> seen;
    for (std::uint64_t offset = first; offset != 0 && seen.insert(offset).second;) {
      const auto record = at<T>(offset);
      if (!record) {
        break;
      }
      found.emplace_back(offset, *record);
      offset = record->next;
    }
    return found;
  }

 private:
  std::span<const std::byte> bytes_;
};

using Key = std::tuple<std::string, std::array<std::uint64_t, RIDGE_CALL_SIZES>, std::uint32_t,
                       std::string, std::uint64_t>;

struct Sum {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  std::uint64_t messages = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t nanoseconds = 0;
  std::uint64_t waiting_nanoseconds = 0;
  std::uint16_t flags = 0;

  void add(const ridge_call_entry& entry) {
    calls = saturating_add(calls, entry.calls);
    bytes = saturating_add(bytes, entry.bytes);
    messages = saturating_add(messages, entry.messages);
    moved_bytes = saturating_add(moved_bytes, entry.moved_bytes);
    nanoseconds = saturating_add(nanoseconds, entry.nanoseconds);
    waiting_nanoseconds =
        saturating_add(waiting_nanoseconds, std::min(entry.waiting_nanoseconds, entry.nanoseconds));
    flags |= entry.flags;
  }
};

bool is_printable(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
}

class ProcessDecoder {
 public:
  ProcessDecoder(const Reader& reader, const ridge_call_process& record)
      : reader_(reader), record_(record) {
    for (const auto& [offset, module] : reader.list<ridge_call_module>(record.modules)) {
      const auto path = module.path_bytes <= kMostPathBytes
                            ? reader.slice(offset + sizeof(module), module.path_bytes)
                            : std::nullopt;
      if (path) {
        const std::string text(reinterpret_cast<const char*>(path->data()), path->size());
        modules_[offset] = text.substr(0, text.find('\0'));
      }
    }
  }

  RecordedProcess run() {
    for (const auto& [offset, table] : reader_.list<ridge_call_table>(record_.tables)) {
      for (std::uint64_t i = 0;
           i < std::min<std::uint64_t>(table.capacity, RIDGE_CALL_ENTRIES_MOST); ++i) {
        const auto entry =
            reader_.at<ridge_call_entry>(offset + sizeof(table) + i * sizeof(ridge_call_entry));
        if (!entry) {
          break;
        }
        add(*entry);
      }
    }
    RecordedProcess process;
    process.pid = record_.pid;
    process.parent_pid = record_.parent_pid;
    process.layer = static_cast<ridge_call_layer>(record_.layer);
    process.lost = record_.lost;
    if (record_.ranks > 0 && record_.rank < record_.ranks && record_.rank <= INT32_MAX) {
      process.rank = static_cast<int>(record_.rank);
    }
    for (const auto& [key, sum] : sums_) {
      process.calls.push_back(call_of(key, sum));
    }
    return process;
  }

 private:
  void add(const ridge_call_entry& entry) {
    const auto* end = std::find(std::begin(entry.name), std::end(entry.name), '\0');
    const std::string name(std::begin(entry.name), end);
    if (entry.calls == 0 || end == std::end(entry.name) || !is_printable(name)) {
      return;
    }
    const auto module = modules_.find(entry.module);
    const bool is_known = module != modules_.end();
    Key key{name,
            {},
            entry.region,
            is_known ? module->second : std::string(),
            is_known ? entry.file_offset : 0};
    std::copy(std::begin(entry.sizes), std::end(entry.sizes), std::get<1>(key).begin());
    sums_[std::move(key)].add(entry);
  }

  static RecordedCall call_of(const Key& key, const Sum& sum) {
    RecordedCall call;
    std::tie(call.name, call.sizes, call.region, call.file, call.offset) = key;
    call.calls = sum.calls;
    call.messages = sum.messages;
    call.moved_bytes = sum.moved_bytes;
    call.seconds = kNanosecond * static_cast<double>(sum.nanoseconds);
    if ((sum.flags & (RIDGE_CALL_HAS_BYTES | RIDGE_CALL_LACKS_BYTES)) == RIDGE_CALL_HAS_BYTES) {
      call.bytes = sum.bytes;
    }
    if ((sum.flags & (RIDGE_CALL_HAS_WAITING | RIDGE_CALL_LACKS_WAITING)) ==
        RIDGE_CALL_HAS_WAITING) {
      call.waiting_seconds = kNanosecond * static_cast<double>(sum.waiting_nanoseconds);
    }
    return call;
  }

  const Reader& reader_;
  const ridge_call_process& record_;
  std::map<std::uint64_t, std::string> modules_;  ///< paths by offset
  std::map<Key, Sum> sums_;
};

}  // namespace

std::vector<RecordedProcess> decode_calls(std::span<const std::byte> memory) {
  const Reader reader(memory);
  const auto header = reader.at<ridge_calls>(0);
  std::vector<RecordedProcess> processes;
  if (!header || header->magic != RIDGE_CALLS_MAGIC || header->version != RIDGE_CALLS_VERSION) {
    return processes;
  }
  for (const auto& [offset, record] : reader.list<ridge_call_process>(header->processes)) {
    if (record.layer == RIDGE_LAYER_MPI || record.layer == RIDGE_LAYER_LIBRARIES) {
      processes.push_back(ProcessDecoder(reader, record).run());
    }
  }
  std::ranges::reverse(processes);
  return processes;
}

}  // namespace ridge::measure
