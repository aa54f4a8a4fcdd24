#include "measure/instrumented/regions.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "measure/code/names.hpp"

namespace ridge::measure {
namespace {

/// "waits at the end of solver": in the source function that holds the call.
std::string wait_name(WaitKind kind, const std::string& function) {
  switch (kind) {
    case WaitKind::join:
      return "waits at the end of " + function;
    case WaitKind::barrier:
      return "waits at a barrier in " + function;
    case WaitKind::lock:
      return "waits for a lock in " + function;
    case WaitKind::task:
      return "waits for tasks in " + function;
    case WaitKind::other:
      break;
  }
  return "waits in " + function;
}

class Merger {
 public:
  explicit Merger(const RawProcess& process)
      : process_(process), instrumented_(process.compiled.begin(), process.compiled.end()) {
    for (const RawRegion& raw : process.regions) {
      if (raw.kind == RIDGE_REGION_FUNCTION) {
        instrumented_.insert(raw.name);
      }
    }
  }

  RegionTable run() {
    table_.of_raw.assign(process_.regions.size(), kNoRegion);
    for (std::uint32_t id = 0; id < process_.regions.size(); ++id) {
      const RawRegion& raw = process_.regions[id];
      if (raw.kind != 0) {
        table_.of_raw[id] = place(raw);
      }
    }
    for (const RawMarker& marker : process_.markers) {
      table_.of_marker.push_back(place(marker));
    }
    tell_apart();
    return std::move(table_);
  }

 private:
  /// Loops that begin in one line carry their column in the name.
  void tell_apart() {
    std::map<std::string, std::set<unsigned>> columns;
    const auto key = [](const MergedRegion& region) {
      return fmt::format("{}\x1f{}\x1f{}", region.function, *region.file, *region.line);
    };
    const auto has_column = [](const MergedRegion& region) {
      return region.kind == RegionKind::loop && region.file && region.line && region.column;
    };
    for (const MergedRegion& region : table_.regions) {
      if (has_column(region)) {
        columns[key(region)].insert(*region.column);
      }
    }
    for (MergedRegion& region : table_.regions) {
      if (has_column(region) && columns[key(region)].size() > 1) {
        region.name +=
            fmt::format(" {}:{}:{}", file_name(*region.file), *region.line, *region.column);
      }
    }
  }

  /// Parents have smaller ids than their children (Descriptor::parse), so they are placed already.
  std::optional<std::uint32_t> parent_of(const RawRegion& raw) const {
    const std::uint32_t merged = raw.parent ? table_.find(*raw.parent) : kNoRegion;
    return merged == kNoRegion ? std::nullopt : std::optional(merged);
  }

  std::uint32_t place(const RawRegion& raw) {
    const auto parent = parent_of(raw);
    if (raw.kind == RIDGE_REGION_CALL && instrumented_.contains(raw.name)) {
      // The callee counts and is sampled itself: what is left is the call, part of the caller.
      if (parent) {
        add_counts(table_.regions[*parent], raw.counts, raw.by_thread);
      }
      return parent.value_or(kNoRegion);
    }
    const std::string identity = identity_of(raw, parent);
    const auto [entry, is_new] =
        by_identity_.try_emplace(identity, static_cast<std::uint32_t>(table_.regions.size()));
    if (is_new) {
      table_.regions.push_back(describe(raw, parent));
      table_.regions.back().identity = identity;
    }
    MergedRegion& merged = table_.regions[entry->second];
    merged.deferred = merged.deferred || raw.deferred;
    merged.versions = std::max(merged.versions, raw.versions);
    if (merged.not_vectorised.empty()) {
      merged.not_vectorised = raw.not_vectorised;  // of other units: the same source, one reason
    }
    add_counts(merged, raw.counts, raw.by_thread);
    return entry->second;
  }

  /// Behind all regions, whose figures it holds once more.
  std::uint32_t place(const RawMarker& raw) {
    MergedRegion& merged = table_.regions.emplace_back();
    merged.kind = RegionKind::marker;
    merged.identity = fmt::format("marker\x1f{}", raw.name);
    merged.name = merged.function = raw.name;
    add_counts(merged, raw.counts, {});
    return static_cast<std::uint32_t>(table_.regions.size() - 1);
  }

  /// Two loops of one unit that look alike (no line numbers) stay two: the n-th of one unit is the
  /// n-th of another.
  std::string identity_of(const RawRegion& raw, std::optional<std::uint32_t> parent) {
    const std::string above = parent ? table_.regions[*parent].identity : std::string{};
    const std::size_t chain = std::hash<std::string>{}(above);
    if (raw.kind == RIDGE_REGION_OMP_WAIT) {
      return fmt::format("wait\x1f{}\x1f{}\x1f{}\x1f{}\x1f{:x}",
                         static_cast<unsigned>(wait_kind(raw.name)), raw.function, raw.file,
                         raw.line, chain);
    }
    if (raw.kind == RIDGE_REGION_CALL) {
      return fmt::format("in\x1f{}\x1f{:x}", callee_place(raw), chain);
    }
    const std::string_view unit = raw.file.empty() ? raw.source_file : raw.file;
    const std::string key =
        fmt::format("{}\x1f{}\x1f{}\x1f{}\x1f{}\x1f{}\x1f{}\x1f{:x}", raw.kind, raw.name,
                    raw.directory, unit, raw.line, raw.column, raw.inlined_at, chain);
    const auto occurrence = seen_[fmt::format("{}\x1f{}", raw.module, key)]++;
    return occurrence == 0 ? key : fmt::format("{}\x1f{}", key, occurrence);
  }

  /// "libm.so.6", or the callee when its library is unknown or is the program itself.
  std::string callee_place(const RawRegion& raw) {
    const std::string_view library = file_name(raw.library);
    return library.find(".so") != std::string_view::npos ? std::string(library)
                                                         : names_.readable(raw.name);
  }

  MergedRegion describe(const RawRegion& raw, std::optional<std::uint32_t> parent) {
    MergedRegion merged;
    merged.parent = parent;
    merged.inlined_at = raw.inlined_at;
    if (raw.kind == RIDGE_REGION_CALL) {
      merged.kind = RegionKind::library;
      merged.name = "in " + callee_place(raw);
      merged.function = parent ? table_.regions[*parent].function : names_.readable(raw.function);
      return merged;
    }
    set_place(merged, raw);
    if (raw.kind == RIDGE_REGION_OMP_WAIT) {
      merged.kind = RegionKind::library;
      merged.wait = wait_kind(raw.name);
      merged.function = names_.readable(raw.function);
      merged.name = wait_name(*merged.wait, merged.function);
      return merged;
    }
    merged.function = names_.readable(raw.name.empty() ? raw.function : raw.name);
    merged.kind = raw.kind == RIDGE_REGION_LOOP ? RegionKind::loop : RegionKind::function;
    merged.name = merged.function;
    if (merged.kind == RegionKind::loop && !merged.line) {
      merged.name += " loop";  // with a line, whoever prints it adds file and line
    }
    return merged;
  }

  static void set_place(MergedRegion& merged, const RawRegion& raw) {
    if (raw.file.empty()) {
      return;
    }
    merged.file = source_path(raw.directory, raw.file);
    if (raw.line != 0) {
      merged.line = raw.line;
      merged.column = raw.column != 0 ? std::optional(raw.column) : std::nullopt;
    }
  }

  /// Calls that turned out to be counted themselves are no longer opaque.
  void add_counts(MergedRegion& merged, Counts counts, const CountsByThread& by_thread) {
    std::map<std::string, std::uint64_t> opaque;
    for (const auto& [name, count] : counts.opaque) {
      if (!instrumented_.contains(name)) {
        opaque[names_.readable(name)] += count;
      }
    }
    std::map<std::string, std::uint64_t> calls;
    for (const auto& [name, count] : counts.calls) {
      calls[names_.readable(name)] += count;
    }
    counts.opaque = std::move(opaque);
    counts.calls = std::move(calls);
    merged.counts += counts;
    for (const auto& [thread, own] : by_thread) {
      merged.by_thread[thread] += own;
    }
  }

  const RawProcess& process_;
  std::unordered_set<std::string_view> instrumented_;
  std::unordered_map<std::string, std::uint32_t> by_identity_;
  std::unordered_map<std::string, unsigned> seen_;
  NameTable names_;
  RegionTable table_;
};

}  // namespace

WaitKind wait_kind(std::string_view callee) {
  struct Entry {
    std::string_view begin;
    WaitKind kind;
  };
  constexpr std::array kKinds{
      Entry{"__kmpc_fork_", WaitKind::join},
      Entry{"__kmpc_barrier", WaitKind::barrier},
      Entry{"__kmpc_cancel_barrier", WaitKind::barrier},
      Entry{"__kmpc_for_static_fini", WaitKind::barrier},
      Entry{"__kmpc_reduce", WaitKind::barrier},
      Entry{"__kmpc_end_reduce", WaitKind::barrier},
      Entry{"__kmpc_critical", WaitKind::lock},
      Entry{"__kmpc_end_critical", WaitKind::lock},
      Entry{"__kmpc_ordered", WaitKind::lock},
      Entry{"__kmpc_end_ordered", WaitKind::lock},
      Entry{"__kmpc_doacross_wait", WaitKind::lock},
      Entry{"omp_set_lock", WaitKind::lock},
      Entry{"__kmpc_omp_taskwait", WaitKind::task},
      Entry{"__kmpc_omp_wait_deps", WaitKind::task},
      Entry{"__kmpc_taskgroup", WaitKind::task},
      Entry{"__kmpc_end_taskgroup", WaitKind::task},
  };
  const auto known = std::find_if(kKinds.begin(), kKinds.end(), [&](const Entry& entry) {
    return callee.starts_with(entry.begin);
  });
  return known == kKinds.end() ? WaitKind::other : known->kind;
}

RegionTable merge_regions(const RawProcess& process) {
  return Merger(process).run();
}

}  // namespace ridge::measure
