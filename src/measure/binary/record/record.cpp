#include "measure/binary/record/record.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "machine_code/byte_reader.hpp"
#include "measure/binary/record/clean_text.hpp"
#include "measure/run/rank_variables.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Bytes;
using machine_code::value_at;

constexpr std::uint64_t kAlignment = 8;
/// Of one stack. Engines look at fewer, so a count beyond is none that they wrote.
constexpr std::uint32_t kMostStackWords = 1U << 13U;

static_assert(kStackRegisters == RIDGE_STACK_REGISTERS);

std::string_view text_of(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void add(ridge_bytes_crossed& sum, const ridge_bytes_crossed& more) {
  sum.read = saturating_add(sum.read, more.read);
  sum.written = saturating_add(sum.written, more.written);
}

void add(ridge_region_traffic& sum, const ridge_region_traffic& more) {
  for (std::size_t level = 0; level < RIDGE_CACHE_LEVELS_MAX; ++level) {
    add(sum.crossed[level], more.crossed[level]);
  }
  add(sum.memory_at_half, more.memory_at_half);
  add(sum.memory_at_quarter, more.memory_at_quarter);
  add(sum.least, more.least);
  sum.accesses = saturating_add(sum.accesses, more.accesses);
}

void add(ridge_region_lines& sum, const ridge_region_lines& more) {
  sum.fetched = saturating_add(sum.fetched, more.fetched);
  sum.used_bytes = saturating_add(sum.used_bytes, more.used_bytes);
  for (std::size_t point = 0; point < RIDGE_CURVE_POINTS; ++point) {
    sum.held[point] = saturating_add(sum.held[point], more.held[point]);
  }
  sum.not_held = saturating_add(sum.not_held, more.not_held);
  sum.shared = saturating_add(sum.shared, more.shared);
  sum.shared_falsely = saturating_add(sum.shared_falsely, more.shared_falsely);
  sum.shared_truly = saturating_add(sum.shared_truly, more.shared_truly);
  sum.invalidations = saturating_add(sum.invalidations, more.invalidations);
}

/// What makes no sense proves nothing.
void mistrust(ridge_region_pilot& pilot) {
  for (ridge_pilot_level& level : pilot.levels) {
    const bool is_sound = level.verdict <= RIDGE_PILOT_UNEVEN && std::isfinite(level.variation) &&
                          std::isfinite(level.sample_error) && std::isfinite(level.hottest);
    if (!is_sound) {
      level.verdict = RIDGE_PILOT_UNPROVEN;
      level.variation = level.sample_error = level.hottest = 0.0F;
    }
  }
}

class RecordReader {
 public:
  explicit RecordReader(Bytes bytes) : bytes_(bytes) {}

  Result<Record> read() {
    if (!read_header()) {
      return tl::make_unexpected(*error_);
    }
    while (!record_.complete && read_chunk()) {
    }
    if (!error_) {
      check_references();
    }
    if (error_) {
      return tl::make_unexpected(*error_);
    }
    return std::move(record_);
  }

 private:
  bool refuse(std::uint64_t offset, std::string_view what) {
    error_ = Error{ErrorCode::bad_input, fmt::format("at byte {}: {}", offset, what),
                   "run the program again; if this comes back, report it"};
    return false;
  }
  /// Of the chunk that is being read.
  bool refuse(std::string_view what) { return refuse(at_, what); }

  bool read_header() {
    const auto header = value_at<ridge_record_header>(bytes_, 0);
    if (!header || header->magic != RIDGE_RECORD_MAGIC) {
      return refuse(0, "no record of an engine begins here");
    }
    if (header->version != RIDGE_RECORD_VERSION) {
      return refuse(offsetof(ridge_record_header, version),
                    fmt::format("a record of version {}, where {} is read", header->version,
                                static_cast<unsigned>(RIDGE_RECORD_VERSION)));
    }
    if (header->engine < RIDGE_ENGINE_VALGRIND || header->engine > RIDGE_ENGINE_DYNAMORIO) {
      return refuse(offsetof(ridge_record_header, engine),
                    fmt::format("an unknown engine, {}", header->engine));
    }
    record_.engine = static_cast<RecordingEngine>(header->engine - RIDGE_ENGINE_VALGRIND);
    record_.pid = header->pid;
    record_.parent_pid = header->parent_pid;
    record_.forked = (header->flags & RIDGE_RECORD_FORKED) != 0;
    record_.before_exec = (header->flags & RIDGE_RECORD_BEFORE_EXEC) != 0;
    record_.simulated = (header->flags & RIDGE_RECORD_SIMULATED) != 0;
    record_.by_thread = (header->flags & RIDGE_RECORD_BY_THREAD) != 0;
    record_.serial = (header->flags & RIDGE_RECORD_SERIAL) != 0;
    at_ = sizeof *header;
    return true;
  }

  /// False at the end of what is there, and for errors.
  bool read_chunk() {
    const auto chunk = value_at<ridge_record_chunk>(bytes_, at_);
    if (!chunk) {
      return false;
    }
    const std::uint64_t begin = at_ + sizeof *chunk;
    const auto content = machine_code::part_of(bytes_, begin, chunk->bytes);
    if (!content) {
      return false;  // it was not written to its end
    }
    if (!read_content(chunk->kind, *content)) {
      return false;
    }
    const std::uint64_t padding = (kAlignment - chunk->bytes % kAlignment) % kAlignment;
    at_ = begin + chunk->bytes + padding;  // within 2^64: a span is far smaller
    return true;
  }

  bool read_content(std::uint32_t kind, Bytes content) {
    switch (kind) {
      case RIDGE_RECORD_ARGUMENTS:
        return read_arguments(content);
      case RIDGE_RECORD_LAUNCHED:
        record_.rank = rank_in(text_of(content));
        return true;
      case RIDGE_RECORD_MAPPING:
        return read_mapping(content);
      case RIDGE_RECORD_BLOCK:
        return read_block(content);
      case RIDGE_RECORD_EXECUTIONS:
        return read_executions(content, &RecordedThread::executions);
      case RIDGE_RECORD_TURNS:
        record_.has_turns = true;
        return read_executions(content, &RecordedThread::turns);
      case RIDGE_RECORD_MASKS:
        return read_masks(content);
      case RIDGE_RECORD_STACK:
        return read_stack(content);
      case RIDGE_RECORD_UNKNOWN:
        return read_unknown(content);
      case RIDGE_RECORD_NOTE:
        record_.notes.push_back(clean_text(text_of(content)));
        return true;
      case RIDGE_RECORD_UNCOUNTED:
        record_.uncounted.push_back(clean_text(text_of(content)));
        return true;
      case RIDGE_RECORD_END:
        record_.complete = true;
        return true;
      default:
        return read_simulated(kind, content);
    }
  }

  bool read_simulated(std::uint32_t kind, Bytes content) {
    switch (kind) {
      case RIDGE_RECORD_TRAFFIC:
        return read_traffic(content, [&](std::uint32_t) { return &record_.traffic; });
      case RIDGE_RECORD_SAMPLED:
        return read_traffic(content, [&](std::uint32_t) { return &record_.sampled_traffic; });
      case RIDGE_RECORD_ELSEWHERE:
        return read_traffic(content, [&](std::uint32_t caches) {
          return caches < RIDGE_ELSEWHERE_MAX ? &record_.elsewhere[caches] : nullptr;
        });
      case RIDGE_RECORD_LINES:
        return read_of_region<ridge_region_lines>(
            content, [&](std::uint64_t region, const ridge_region_lines& lines) {
              add(record_.lines[region], lines);
            });
      case RIDGE_RECORD_PILOT:
        return read_of_region<ridge_region_pilot>(
            content, [&](std::uint64_t region, ridge_region_pilot pilot) {
              mistrust(pilot);
              record_.pilots[region] = pilot;
            });
      case RIDGE_RECORD_LOST:
        return read_lost(content);
      default:
        return true;  // a kind that this version does not know
    }
  }

  bool read_arguments(Bytes content) {
    std::string_view text = text_of(content);
    record_.arguments.clear();
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\0'), text.size());
      record_.arguments.emplace_back(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
    }
    return true;
  }

  bool read_mapping(Bytes content) {
    const auto head = value_at<ridge_record_mapping>(content, 0);
    if (!head || head->begin >= head->end) {
      return refuse("a mapping without extent");
    }
    RecordedMapping mapping{head->begin, head->end, head->file_offset, std::nullopt};
    std::string_view path = text_of(content.subspan(sizeof *head));
    path.remove_suffix(path.ends_with('\0') ? 1 : 0);
    if (head->has_file != 0) {
      if (path.empty() || path.find('\0') != std::string_view::npos) {
        return refuse("a mapping whose path is empty or holds a NUL");
      }
      mapping.path = std::string(path);
    }
    if (!record_.mappings.emplace(head->number, std::move(mapping)).second) {
      return refuse(fmt::format("a second mapping of number {}", head->number));
    }
    return true;
  }

  bool read_block(Bytes content) {
    const auto head = value_at<ridge_record_block>(content, 0);
    const auto code = head ? machine_code::part_of(content, sizeof *head, head->code_bytes)
                           : std::optional<Bytes>();
    if (!code || code->empty() || head->address > ~std::uint64_t{0} - head->code_bytes) {
      return refuse("a block whose code is not there");
    }
    if (head->number != record_.blocks.size()) {
      return refuse(fmt::format("block {}, where {} is next", head->number, record_.blocks.size()));
    }
    record_.blocks.push_back({head->address, head->mapping, {code->begin(), code->end()}});
    return true;
  }

  /// Calls `take` with each entry behind the thread; it says what is wrong, or nothing.
  template <class Entry, class Take>
  bool read_of_thread(Bytes content, Take take) {
    const auto head = value_at<ridge_record_thread>(content, 0);
    const std::uint64_t room = head ? (content.size() - sizeof *head) / sizeof(Entry) : 0;
    if (!head || head->count > room) {
      return refuse("entries of a thread that are not there");
    }
    RecordedThread& thread = record_.threads[head->thread];
    thread.tid = head->tid != 0 ? std::optional(head->tid) : thread.tid;
    for (std::uint64_t i = 0; i < head->count; ++i) {
      const auto entry = *value_at<Entry>(content, sizeof *head + i * sizeof(Entry));
      if (entry.block > UINT32_MAX) {
        return refuse(fmt::format("block {}, which is none", entry.block));
      }
      take(thread, entry);
    }
    return true;
  }

  using Counts = std::map<std::uint32_t, std::uint64_t>;

  bool read_executions(Bytes content, Counts RecordedThread::* counts) {
    return read_of_thread<ridge_record_executions>(
        content, [&](RecordedThread& thread, const ridge_record_executions& entry) {
          if (entry.executions != 0) {
            auto& sum = (thread.*counts)[static_cast<std::uint32_t>(entry.block)];
            sum = saturating_add(sum, entry.executions);
          }
        });
  }

  bool read_masks(Bytes content) {
    return read_of_thread<ridge_record_mask>(
        content, [&](RecordedThread&, const ridge_record_mask& entry) {
          auto& sum = record_.active_lanes[{static_cast<std::uint32_t>(entry.block), entry.offset}];
          sum = saturating_add(sum, entry.active_lanes);
        });
  }

  bool read_stack(Bytes content) {
    const auto head = value_at<ridge_record_stack>(content, 0);
    if (!head || head->word_count > kMostStackWords) {
      return refuse("a stack without registers, or of more words than engines look at");
    }
    const std::uint64_t size = head->word_count * sizeof(std::uint64_t);
    const auto words = machine_code::part_of(content, sizeof *head, size);
    if (!words) {
      return refuse("words of a stack that are not there");
    }
    SampledStack& stack = record_.stacks.emplace_back();
    stack.thread = head->thread;
    std::ranges::copy(head->registers, stack.registers.begin());
    for (std::uint64_t at = 0; at < size; at += sizeof(std::uint64_t)) {
      stack.words.push_back(*value_at<std::uint64_t>(*words, at));
    }
    return true;
  }

  /// `table` is given the caches; nullptr: there are no such.
  template <class Table>
  bool read_traffic(Bytes content, Table table) {
    const auto traffic = value_at<ridge_record_traffic>(content, 0);
    if (!traffic) {
      return refuse("traffic that is cut short");
    }
    TrafficOfRegions* const regions = table(traffic->caches);
    if (regions == nullptr) {
      return refuse(fmt::format("traffic on caches {}, which are none", traffic->caches));
    }
    add((*regions)[traffic->region], traffic->traffic);
    return true;
  }

  template <class Value, class Take>
  bool read_of_region(Bytes content, Take take) {
    const auto region = value_at<std::uint64_t>(content, 0);
    const auto value = value_at<Value>(content, sizeof(std::uint64_t));
    if (!region || !value) {
      return refuse("figures of a region that are cut short");
    }
    take(*region, *value);
    return true;
  }

  bool read_lost(Bytes content) {
    const auto lost = value_at<std::uint64_t>(content, 0);
    if (!lost) {
      return refuse("a count that is cut short");
    }
    record_.lost_accesses = saturating_add(record_.lost_accesses, *lost);
    return true;
  }

  bool read_unknown(Bytes content) {
    const auto head = value_at<ridge_record_unknown>(content, 0);
    const auto code = head ? machine_code::part_of(content, sizeof *head, head->code_bytes)
                           : std::optional<Bytes>();
    if (!code) {
      return refuse("an instruction that is not there");
    }
    record_.unknown.push_back(
        {head->address,
         head->mapping != UINT32_MAX ? std::optional(head->mapping) : std::nullopt,
         {code->begin(), code->end()}});
    return true;
  }

  /// Takes those of blocks that are not there away; false where there were some.
  bool take_away_missing(Counts& counts) const {
    const auto missing =
        record_.blocks.size() > UINT32_MAX
            ? counts.end()
            : counts.lower_bound(static_cast<std::uint32_t>(record_.blocks.size()));
    const bool are_all_there = missing == counts.end();
    counts.erase(missing, counts.end());
    return are_all_there;
  }

  /// Chunks come in any order, so this is known only at the end. Of a record that was cut, blocks
  /// may be missing.
  void check_references() {
    for (auto& [number, thread] : record_.threads) {
      const bool has_executions = take_away_missing(thread.executions);
      const bool has_turns = take_away_missing(thread.turns);
      if (record_.complete && !(has_executions && has_turns)) {
        refuse(fmt::format("thread {} ran blocks before here that are not there", number));
        return;
      }
    }
    std::erase_if(record_.active_lanes, [&](const auto& entry) {
      const MaskPlace& place = entry.first;
      return place.block >= record_.blocks.size() ||
             place.offset >= record_.blocks[place.block].code.size();
    });
  }

  Bytes bytes_;
  std::uint64_t at_ = 0;
  Record record_;
  std::optional<Error> error_;
};

}  // namespace

const RecordedMapping* Record::mapping_of(const RecordedBlock& block) const {
  const auto found = mappings.find(block.mapping);
  if (found == mappings.end()) {
    return nullptr;
  }
  const RecordedMapping& mapping = found->second;
  const bool is_inside = block.address >= mapping.begin && block.address < mapping.end &&
                         block.code.size() <= mapping.end - block.address;
  return is_inside ? &mapping : nullptr;
}

Result<Record> read_record(std::span<const std::byte> bytes) {
  return RecordReader({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}).read();
}

}  // namespace ridge::measure::binary
