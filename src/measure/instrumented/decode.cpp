#include "measure/instrumented/decode.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include <fmt/format.h>

#include "abi/version.h"
#include "measure/instrumented/descriptor.hpp"

namespace ridge::measure {
namespace {

/// Names of real templates reach some 10 kB; longer ones are cut.
constexpr std::size_t kTextMax = std::size_t{1} << 16U;

std::string_view shortened(std::string_view text) {
  return text.substr(0, kTextMax);
}

RawRegion describe(const Descriptor& descriptor, const ridge_region_descriptor& region,
                   std::uint32_t base) {
  RawRegion raw;
  raw.kind = region.kind;
  if (region.parent != RIDGE_NO_PARENT) {
    raw.parent = base + region.parent;
  }
  raw.name = shortened(descriptor.text(region.name));
  raw.function = shortened(descriptor.text(region.function));
  raw.file = shortened(descriptor.text(region.file));
  raw.directory = shortened(descriptor.text(region.directory));
  raw.line = region.line;
  raw.column = region.column;
  raw.inlined_at = shortened(descriptor.text(region.inlined_at));
  raw.versions = region.versions;
  raw.not_vectorised = shortened(descriptor.text(region.not_vectorised));
  raw.source_file = shortened(descriptor.text(descriptor.header().source_file));
  return raw;
}

/// The counters of a module in one thread block; empty when they do not lie in the arena.
ArenaBytes counters_of(ArenaBytes arena, std::uint64_t thread, std::uint32_t base,
                       std::uint32_t count) {
  return slice(arena, thread + offsetof(ridge_thread, counters) + 8ULL * base, 8ULL * count)
      .value_or(ArenaBytes{});
}

/// Sum of each counter of a module over all threads.
std::vector<std::uint64_t> sum_counters(ArenaBytes arena, const std::vector<std::uint64_t>& threads,
                                        std::uint32_t base, std::uint32_t count) {
  std::vector<std::uint64_t> sums(count, 0);
  for (const std::uint64_t thread : threads) {
    const ArenaBytes values = counters_of(arena, thread, base, count);
    for (std::uint32_t i = 0; i < values.size() / 8; ++i) {
      sums[i] += *read_at<std::uint64_t>(values, 8ULL * i);
    }
  }
  return sums;
}

bool fits(const ridge_module_record& module, const ridge_descriptor_header& header) {
  return module.region_base != 0 &&
         std::uint64_t{module.region_base} + header.region_count <= RIDGE_REGION_CAPACITY &&
         std::uint64_t{module.counter_base} + header.counter_count <= RIDGE_COUNTER_CAPACITY;
}

void add_regions(ArenaBytes arena, const ridge_module_record& module, std::uint32_t number,
                 const Descriptor& descriptor, RawProcess& process) {
  const auto library_bytes = slice(arena, module.libraries, module.libraries_bytes);
  const auto libraries = module.libraries != 0 && library_bytes ? split_words(*library_bytes)
                                                                : std::vector<std::string_view>{};
  const std::uint32_t count = descriptor.header().region_count;
  process.regions.resize(
      std::max<std::size_t>(process.regions.size(), std::size_t{module.region_base} + count));
  std::size_t calls = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    RawRegion& raw = process.regions[module.region_base + i];
    raw = describe(descriptor, descriptor.region(i), module.region_base);
    raw.module = number;
    if (raw.kind == RIDGE_REGION_CALL) {
      raw.library = calls < libraries.size() ? shortened(libraries[calls]) : std::string_view{};
      ++calls;
    }
  }
}

void add_compiled_names(const Descriptor& descriptor, RawProcess& process) {
  std::string_view rest = descriptor.text(descriptor.header().compiled_names);
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    process.compiled.push_back(shortened(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void add_counters(const ridge_module_record& module, const Descriptor& descriptor,
                  const std::vector<std::uint64_t>& sums, const MachineCounts& machine,
                  RawProcess& process) {
  for (std::uint32_t i = 0; i < descriptor.header().counter_count; ++i) {
    const auto counter = descriptor.counter(i);
    RawRegion& raw = process.regions[module.region_base + counter.region];
    raw.deferred = raw.deferred || counter.deferred != 0;
    add_counter(raw.counts, descriptor, i, sums[i], machine);
  }
}

void add_thread_counters(ArenaBytes arena, const ridge_module_record& module,
                         const Descriptor& descriptor, std::uint64_t thread,
                         const MachineCounts& machine, RawProcess& process) {
  const auto ordinal = *read_at<std::uint32_t>(arena, thread + offsetof(ridge_thread, ordinal));
  const ArenaBytes values =
      counters_of(arena, thread, module.counter_base, descriptor.header().counter_count);
  for (std::uint32_t i = 0; i < values.size() / 8; ++i) {
    const auto value = *read_at<std::uint64_t>(values, 8ULL * i);
    if (value == 0) {
      continue;
    }
    const auto counter = descriptor.counter(i);
    CountsOfThread& counts =
        process.regions[module.region_base + counter.region].by_thread[ordinal];
    add_counter(counts, descriptor, i, value, machine);
  }
}

/// Those of `module` that ran.
void add_uncounted(std::string_view file, const MachineCounts& machine,
                   const std::vector<std::uint64_t>& sums, RawProcess& process) {
  for (const UncountedFunction& function : machine.uncounted) {
    const bool ran = std::any_of(function.counters.begin(), function.counters.end(),
                                 [&](std::uint32_t counter) { return sums[counter] != 0; });
    if (ran) {
      process.uncounted[std::string(file)].push_back(function.name);
    }
  }
}

void add_compiler(const Descriptor& descriptor, RawProcess& process) {
  const std::string_view flags = descriptor.text(descriptor.header().flags);
  const std::string compiler = fmt::format("{}{}{}", descriptor.text(descriptor.header().compiler),
                                           flags.empty() ? "" : ", ", flags);
  if (std::find(process.compilers.begin(), process.compilers.end(), compiler) ==
      process.compilers.end()) {
    process.compilers.push_back(compiler);
  }
}

std::vector<std::uint64_t> oldest_first(std::vector<std::uint64_t> offsets) {
  std::reverse(offsets.begin(), offsets.end());
  return offsets;
}

/// A module of the arena, with its descriptor where that is what it should be.
struct ParsedModule {
  ridge_module_record record{};
  ArenaBytes blob;
  std::optional<Descriptor> descriptor;
  std::string_view file;
};

ParsedModule parse_module(ArenaBytes arena, const ridge_module_record& record) {
  ParsedModule module{record, {}, std::nullopt, {}};
  if (const auto blob = slice(arena, record.descriptor, record.descriptor_bytes)) {
    module.blob = *blob;
    module.descriptor = Descriptor::parse(*blob);
  }
  if (module.descriptor && !fits(record, module.descriptor->header())) {
    module.descriptor.reset();
  }
  const auto file = slice(arena, record.file, record.file_bytes);
  if (record.file != 0 && file) {
    module.file = text_at(*file, 0).value_or(std::string_view{});
  }
  return module;
}

void add_module(ArenaBytes arena, const ParsedModule& parsed, std::uint32_t number,
                const std::vector<std::uint64_t>& threads, const MachineCounts& machine,
                RawProcess& process) {
  const ridge_module_record& module = parsed.record;
  const Descriptor& descriptor = *parsed.descriptor;
  add_regions(arena, module, number, descriptor, process);
  add_compiled_names(descriptor, process);
  const auto sums =
      sum_counters(arena, threads, module.counter_base, descriptor.header().counter_count);
  add_counters(module, descriptor, sums, machine, process);
  add_uncounted(parsed.file, machine, sums, process);
  process.modules[number].counters = sums;
  for (std::size_t i = 0; threads.size() > 1 && i < threads.size(); ++i) {
    add_thread_counters(arena, module, descriptor, threads[i], machine, process);
  }
  add_compiler(descriptor, process);
}

std::span<const std::byte> build_id_of(const ParsedModule& module) {
  const auto id = std::as_bytes(std::span(module.record.build_id));
  return id.first(std::min<std::size_t>(module.record.build_id_bytes, id.size()));
}

RawModule raw_module(const ParsedModule& parsed) {
  const auto id = build_id_of(parsed);
  return {parsed.file,
          {id.begin(), id.end()},
          parsed.descriptor ? parsed.blob : ArenaBytes{},
          parsed.record.region_base,
          {}};
}

/// For each module, from the files that `code` reads; null: the IR's counts stay.
std::vector<MachineCounts> machine_counts_of(const std::vector<ParsedModule>& modules,
                                             CodeReader* code) {
  if (code == nullptr) {
    return std::vector<MachineCounts>(modules.size());
  }
  std::vector<LoadedModule> loaded;
  for (const ParsedModule& module : modules) {
    loaded.push_back({module.file, build_id_of(module), module.blob,
                      module.descriptor ? &*module.descriptor : nullptr});
  }
  return code->counts(loaded);
}

void add_modules(ArenaBytes arena, std::uint64_t first, const std::vector<std::uint64_t>& threads,
                 CodeReader* code, RawProcess& process) {
  std::vector<ParsedModule> modules;
  for (const std::uint64_t at : oldest_first(follow_links<ridge_module_record>(arena, first))) {
    modules.push_back(parse_module(arena, *read_at<ridge_module_record>(arena, at)));
  }
  const auto machine = machine_counts_of(modules, code);
  for (std::uint32_t number = 0; number < modules.size(); ++number) {
    process.modules.push_back(raw_module(modules[number]));
    if (modules[number].descriptor) {
      add_module(arena, modules[number], number, threads, machine[number], process);
      add_marker_counts(
          {modules[number].record.counter_base, *modules[number].descriptor, machine[number]},
          process.markers);
    } else {
      ++process.damaged_modules;
    }
  }
}

/// One entry for each region, or none where the table is absent or does not lie in the arena.
template <class Entry>
std::vector<Entry> read_table(ArenaBytes arena, std::uint64_t table, std::size_t regions) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; table != 0 && i < std::max<std::size_t>(regions, 1); ++i) {
    const auto entry = read_at<Entry>(arena, table + i * sizeof(Entry));
    if (!entry) {
      return {};
    }
    entries.push_back(*entry);
  }
  return entries;
}

/// Both tables or none: without a verdict nobody could trust the numbers.
void read_sampled(ArenaBytes arena, const ridge_process_record& record, RawProcess& process) {
  const auto header = *read_at<ridge_arena>(arena, 0);
  const auto mask = header.sample_mask;
  if (record.sampling_begun == 0 || mask == 0 || process.traffic.empty()) {
    return;
  }
  const std::size_t regions = process.regions.size();
  process.sampled = read_table<ridge_region_traffic>(arena, record.sampled_traffic, regions);
  process.pilot = read_table<ridge_region_pilot>(
      arena, record.pilot, std::min<std::size_t>(regions, RIDGE_LINES_CAPACITY));
  process.memory_boundary =
      std::clamp<std::size_t>(header.caches.level_count, 1, RIDGE_CACHE_LEVELS_MAX) - 1;
  process.sample_weight = RIDGE_LINE_CLASSES / static_cast<unsigned>(std::popcount(mask));
  if (process.sampled.empty() || process.pilot.empty()) {
    process.traffic.clear();
    process.sampled.clear();
    process.pilot.clear();
    return;
  }
  process.pilot.resize(regions);  // the rest is not proved
}

/// All ways to place tasks or none.
void read_placed(ArenaBytes arena, const ridge_process_record& record, RawProcess& process) {
  const std::size_t regions = process.regions.size();
  for (std::size_t how = 0; how < RIDGE_TASK_PLACEMENTS; ++how) {
    RawPlacement placement;
    placement.traffic = read_table<ridge_region_traffic>(arena, record.placed[how], regions);
    if (!process.sampled.empty()) {
      placement.sampled =
          read_table<ridge_region_traffic>(arena, record.placed_sampled[how], regions);
    }
    if (process.traffic.size() != placement.traffic.size() || placement.traffic.empty() ||
        placement.sampled.size() != process.sampled.size()) {
      process.placed.clear();
      return;
    }
    process.placed.push_back(std::move(placement));
  }
}

RawProcess decode_process(ArenaBytes arena, std::uint64_t offset, CodeReader* code) {
  const auto record = *read_at<ridge_process_record>(arena, offset);
  RawProcess process;
  process.record = offset;
  process.pid = record.pid;
  process.parent_pid = record.parent_pid;
  if (record.rank_plus_one > 0) {
    process.rank = static_cast<unsigned>(record.rank_plus_one - 1);
  }
  process.flags = record.flags;
  process.mismatched_abi_version = record.mismatched_abi_version;
  process.trace_lost = record.trace_lost;
  if (const auto words = slice(arena, record.arguments, record.arguments_bytes)) {
    for (const std::string_view word : split_words(*words)) {
      process.arguments.emplace_back(word);
    }
  }
  const auto threads = oldest_first(follow_links<ridge_thread>(arena, record.threads));
  process.markers = read_markers(arena, record, threads);
  process.markers_left_out = record.markers_left_out;
  add_modules(arena, record.modules, threads, code, process);
  for (const std::uint64_t thread : threads) {
    process.threads.push_back(
        {*read_at<std::uint32_t>(arena, thread + offsetof(ridge_thread, tid)),
         *read_at<std::uint32_t>(arena, thread + offsetof(ridge_thread, ordinal)),
         read_stack(arena, thread)});
  }
  process.traffic = read_table<ridge_region_traffic>(arena, record.traffic, process.regions.size());
  for (const std::uint64_t table : record.elsewhere) {
    process.elsewhere.push_back(
        read_table<ridge_region_traffic>(arena, table, process.regions.size()));
  }
  process.lines = read_table<ridge_region_lines>(
      arena, record.lines, std::min<std::size_t>(process.regions.size(), RIDGE_LINES_CAPACITY));
  process.nodes = read_table<ridge_region_nodes>(
      arena, record.nodes, std::min<std::size_t>(process.regions.size(), RIDGE_LINES_CAPACITY));
  process.trips = read_table<ridge_region_trips>(arena, record.trips, process.regions.size());
  read_sampled(arena, record, process);
  finish_marker_traffic(process.traffic, process.sampled, process.markers);
  read_placed(arena, record, process);
  return process;
}

std::string names_of(const std::set<std::string>& functions) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& function : functions) {
    if (shown == kShown) {
      return fmt::format("{} and {} more", text, functions.size() - kShown);
    }
    text += fmt::format("{}{}", shown++ > 0 ? ", " : "", function);
  }
  return text;
}

void add_uncounted_notes(DecodedArena& decoded) {
  std::map<std::string, std::set<std::string>> by_file;
  for (const RawProcess& process : decoded.processes) {
    for (const auto& [file, functions] : process.uncounted) {
      by_file[file].insert(functions.begin(), functions.end());
    }
  }
  for (const auto& [file, functions] : by_file) {
    decoded.notes.push_back(
        {"uncounted-code",
         fmt::format("the compiler added floating-point operations to {} of {} that no counter "
                     "reaches: they are not in the flops",
                     names_of(functions), file)});
  }
}

}  // namespace

std::vector<std::uint64_t> process_records(ArenaBytes arena) {
  const auto header = read_at<ridge_arena>(arena, 0);
  return header ? oldest_first(follow_links<ridge_process_record>(arena, header->processes))
                : std::vector<std::uint64_t>{};
}

std::vector<std::uint32_t> read_stack(ArenaBytes arena, std::uint64_t thread) {
  std::vector<std::uint32_t> stack;
  const auto depth = read_at<std::uint64_t>(arena, thread + offsetof(ridge_thread, depth));
  const std::uint64_t end = std::min<std::uint64_t>(depth.value_or(0), RIDGE_FRAME_CAPACITY);
  for (std::uint64_t slot = 1; slot < end; ++slot) {
    const auto frame = read_at<ridge_frame>(
        arena, thread + offsetof(ridge_thread, frames) + slot * sizeof(ridge_frame));
    if (!frame) {
      break;
    }
    const std::uint64_t region = ridge_frame_region(&*frame);
    stack.push_back(region < RIDGE_REGION_CAPACITY ? static_cast<std::uint32_t>(region) : 0);
  }
  return stack;
}

Result<DecodedArena> decode(ArenaBytes arena, CodeReader* code) {
  const auto header = read_at<ridge_arena>(arena, 0);
  if (!header || header->magic != RIDGE_ARENA_MAGIC) {
    return fail(ErrorCode::bad_input, "the shared memory of the measured program is damaged",
                "The program wrote over memory that is not its own; try it under a sanitizer.");
  }
  if (header->abi_version != RIDGE_ABI_VERSION) {
    return fail(ErrorCode::bad_input,
                fmt::format("the measured program speaks version {} of Ridge's interface, this is "
                            "version {}",
                            header->abi_version, static_cast<int>(RIDGE_ABI_VERSION)),
                "Build the program again with this installation's ridge-cc or ridge-c++.");
  }
  DecodedArena decoded;
  decoded.full = header->full != 0;
  for (const std::uint64_t record : process_records(arena)) {
    decoded.processes.push_back(decode_process(arena, record, code));
  }
  if (code != nullptr) {
    decoded.notes = code->notes();
    add_uncounted_notes(decoded);
  }
  return decoded;
}

std::uint64_t bytes_of(const DecodedArena& arena) {
  std::uint64_t bytes = 0;
  for (const RawProcess& process : arena.processes) {
    for (const RawRegion& region : process.regions) {
      if (__builtin_add_overflow(bytes, region.counts.bytes_loaded, &bytes) ||
          __builtin_add_overflow(bytes, region.counts.bytes_stored, &bytes)) {
        return UINT64_MAX;
      }
    }
  }
  return bytes;
}

std::vector<const SimulatedTraffic*> simulated_traffic(const DecodedArena& arena) {
  std::vector<const SimulatedTraffic*> found;
  for (const RawProcess& process : arena.processes) {
    found.push_back(&process);
  }
  return found;
}

}  // namespace ridge::measure
