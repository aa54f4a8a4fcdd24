#include "platform/topology.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <unistd.h>

#include <fmt/format.h>
#include <hwloc.h>

#include "platform/affinity.hpp"
#include "platform/cpu.hpp"
#include "platform/quota.hpp"

namespace ridge::platform {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
};
using TopologyHandle = std::unique_ptr<hwloc_topology, DestroyTopology>;
struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

constexpr unsigned kUsualL1Ways = 8;
constexpr unsigned kUsualWays = 16;

Result<TopologyHandle> load(const std::optional<std::string>& synthetic) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) {
    return fail(ErrorCode::unavailable, "hwloc cannot be initialised");
  }
  TopologyHandle topology(raw);
  // Disallowed CPUs stay in, so that a cache still says how many threads share it.
  hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
  if (synthetic && hwloc_topology_set_synthetic(raw, synthetic->c_str()) != 0) {
    return fail(ErrorCode::bad_input, "not an hwloc synthetic description: " + *synthetic,
                "see SYNTHETIC TOPOLOGIES in man hwloc");
  }
  if (hwloc_topology_load(raw) != 0) {
    return fail(ErrorCode::unavailable,
                fmt::format("hwloc cannot read the topology: {}", std::strerror(errno)));
  }
  return topology;
}

/// Objects of a type that contain at least one of `cpus`.
std::vector<hwloc_obj_t> objects_with(hwloc_topology_t topology, hwloc_obj_type_t type,
                                      hwloc_const_bitmap_t cpus) {
  std::vector<hwloc_obj_t> found;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, type, object)) != nullptr;) {
    if (object->cpuset != nullptr && hwloc_bitmap_intersects(object->cpuset, cpus) != 0) {
      found.push_back(object);
    }
  }
  return found;
}

bool is_data_cache(hwloc_obj_t object) {
  return hwloc_obj_type_is_dcache(object->type) != 0 && object->attr->cache.size > 0 &&
         cache_level(object->attr->cache.depth);
}

Cache to_cache(hwloc_obj_t object) {
  const auto& attributes = object->attr->cache;
  Cache cache;
  cache.level = cache_level(attributes.depth).value_or(Level::L1);
  cache.size_bytes = attributes.size;
  cache.line_bytes = attributes.linesize > 0 ? attributes.linesize : 64;
  const auto lines = static_cast<unsigned>(cache.size_bytes / cache.line_bytes);
  if (attributes.associativity < 0) {
    cache.ways = lines;  // hwloc's -1: fully associative
  } else if (attributes.associativity > 0) {
    cache.ways = static_cast<unsigned>(attributes.associativity);
  } else {
    cache.ways = std::min(lines, attributes.depth == 1 ? kUsualL1Ways : kUsualWays);
  }
  cache.shared_by_threads = static_cast<unsigned>(std::max(1, hwloc_bitmap_weight(object->cpuset)));
  return cache;
}

std::vector<hwloc_obj_t> cache_objects_above(hwloc_obj_t pu) {
  std::vector<hwloc_obj_t> caches;
  for (hwloc_obj_t object = pu->parent; object != nullptr; object = object->parent) {
    if (is_data_cache(object)) {
      caches.push_back(object);
    }
  }
  return caches;
}

Level memory_kind(hwloc_obj_t node) {
  const std::string_view subtype = node->subtype != nullptr ? node->subtype : "";
  const auto has = [&](std::string_view part) { return subtype.find(part) != subtype.npos; };
  if (has("HBM") || has("MCDRAM")) {
    return Level::HBM;
  }
  if (has("CXL")) {
    return Level::CXL;
  }
  return has("NVM") ? Level::NVRAM : Level::DRAM;
}

std::vector<MemoryNode> memories_of(const std::vector<hwloc_obj_t>& nodes) {
  std::vector<MemoryNode> memories;
  for (hwloc_obj_t node : nodes) {
    const Level kind = memory_kind(node);
    auto found = std::find_if(memories.begin(), memories.end(),
                              [&](const MemoryNode& memory) { return memory.level == kind; });
    if (found == memories.end()) {
      found = memories.insert(kind == Level::DRAM ? memories.begin() : memories.end(), {kind, {}});
    }
    if (node->attr->numanode.local_memory > 0) {
      found->size_bytes = found->size_bytes.value_or(0) + node->attr->numanode.local_memory;
    }
  }
  return memories.empty() ? std::vector<MemoryNode>{MemoryNode{}} : memories;
}

/// One CPU of each core, then the second of each, and so on.
std::vector<unsigned> place(const std::vector<hwloc_obj_t>& cores,
                            const std::vector<unsigned>& allowed) {
  std::map<unsigned, std::size_t> rank;  // CPU -> how many of its core come before it
  for (hwloc_obj_t core : cores) {
    std::size_t position = 0;
    for (const unsigned cpu : allowed) {
      if (hwloc_bitmap_isset(core->cpuset, cpu) != 0) {
        rank[cpu] = position++;
      }
    }
  }
  std::vector<unsigned> order = allowed;
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return rank[a] < rank[b]; });
  return order;
}

/// The first CPU in `placement` of each core, and those of no core.
std::vector<unsigned> one_per_core(const std::vector<hwloc_obj_t>& cores,
                                   const std::vector<unsigned>& placement) {
  std::vector<unsigned> chosen;
  std::vector<hwloc_obj_t> taken;
  for (const unsigned cpu : placement) {
    const auto core = std::find_if(cores.begin(), cores.end(), [&](hwloc_obj_t candidate) {
      return hwloc_bitmap_isset(candidate->cpuset, cpu) != 0;
    });
    if (core == cores.end()) {
      chosen.push_back(cpu);
    } else if (std::find(taken.begin(), taken.end(), *core) == taken.end()) {
      taken.push_back(*core);
      chosen.push_back(cpu);
    }
  }
  return chosen;
}

/// Those of `cpus` on the core of the first of them.
std::vector<unsigned> siblings_of_first(const std::vector<hwloc_obj_t>& cores,
                                        const std::vector<unsigned>& cpus) {
  const auto core = std::find_if(cores.begin(), cores.end(), [&](hwloc_obj_t candidate) {
    return hwloc_bitmap_isset(candidate->cpuset, cpus.front()) != 0;
  });
  if (core == cores.end()) {
    return {cpus.front()};
  }
  std::vector<unsigned> siblings;
  std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(siblings),
               [&](unsigned cpu) { return hwloc_bitmap_isset((*core)->cpuset, cpu) != 0; });
  return siblings;
}

std::vector<NumaNode> nodes_of(hwloc_topology_t topology, const std::vector<unsigned>& cpus) {
  std::vector<NumaNode> nodes;
  for (hwloc_obj_t object = nullptr;
       (object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object)) != nullptr;) {
    NumaNode node{object->os_index, memory_kind(object), {}, {}};
    if (object->attr->numanode.local_memory > 0) {
      node.size_bytes = object->attr->numanode.local_memory;
    }
    std::copy_if(cpus.begin(), cpus.end(), std::back_inserter(node.cpus), [&](unsigned cpu) {
      return object->cpuset != nullptr && hwloc_bitmap_isset(object->cpuset, cpu) != 0;
    });
    nodes.push_back(std::move(node));
  }
  std::sort(nodes.begin(), nodes.end(),
            [](const NumaNode& a, const NumaNode& b) { return a.number < b.number; });
  if (nodes.empty()) {
    nodes.push_back({0, Level::DRAM, {}, cpus});
  }
  return nodes;
}

Result<Hardware> extract(hwloc_topology_t topology, const std::vector<unsigned>& allowed) {
  const Bitmap wanted(hwloc_bitmap_alloc());
  std::vector<unsigned> present;
  for (const unsigned cpu : allowed) {
    if (hwloc_get_pu_obj_by_os_index(topology, cpu) != nullptr) {
      hwloc_bitmap_set(wanted.get(), cpu);
      present.push_back(cpu);
    }
  }
  if (present.empty()) {
    return fail(ErrorCode::unavailable, "hwloc knows none of the CPUs this process may use",
                "check the CPU affinity: taskset -pc $$");
  }
  const auto count = [&](hwloc_obj_type_t type) {
    return static_cast<unsigned>(objects_with(topology, type, wanted.get()).size());
  };
  const auto cores = objects_with(topology, HWLOC_OBJ_CORE, wanted.get());

  Hardware hardware;
  hardware.topology.threads = static_cast<unsigned>(present.size());
  hardware.topology.sockets = std::max(1U, count(HWLOC_OBJ_PACKAGE));
  hardware.topology.numa_nodes = std::max(1U, count(HWLOC_OBJ_NUMANODE));
  hardware.topology.cores =
      cores.empty() ? hardware.topology.threads : static_cast<unsigned>(cores.size());
  hardware.memories = memories_of(objects_with(topology, HWLOC_OBJ_NUMANODE, wanted.get()));
  hardware.placement = place(cores, present);
  hardware.siblings = siblings_of_first(cores, hardware.placement);
  hardware.nodes = nodes_of(topology, one_per_core(cores, hardware.placement));

  const auto caches =
      cache_objects_above(hwloc_get_pu_obj_by_os_index(topology, hardware.placement.front()));
  for (hwloc_obj_t cache : caches) {
    hardware.caches.push_back(to_cache(cache));
  }
  if (!caches.empty()) {
    hardware.last_level_caches = std::max(1U, count(caches.back()->type));
  }
  return hardware;
}

/// "0-3,8": the short form when it is short, else a hash of it.
std::string cpu_list(const std::vector<unsigned>& cpus) {
  std::string list;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    list += list.empty() ? "" : "_";
    list += last == first ? fmt::format("{}", cpus[first])
                          : fmt::format("{}-{}", cpus[first], cpus[last]);
    first = last + 1;
  }
  constexpr std::size_t kShort = 40;
  if (list.size() > kShort) {
    return fmt::format("{}of{:016x}", cpus.size(), std::hash<std::string>{}(list));
  }
  return list;
}

std::string file_safe(std::string_view text, std::size_t longest) {
  std::string safe(text.substr(0, longest));
  for (char& c : safe) {
    const bool fine = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-';
    c = fine ? c : '_';
  }
  return safe;
}

}  // namespace

Result<Hardware> read_hardware(const std::vector<unsigned>& allowed) {
  return load(std::nullopt).and_then([&](const TopologyHandle& topology) {
    return extract(topology.get(), allowed);
  });
}

Result<Hardware> read_synthetic_hardware(const std::string& description,
                                         const std::vector<unsigned>& allowed) {
  return load(description).and_then([&](const TopologyHandle& topology) {
    return extract(topology.get(), allowed);
  });
}

Result<Machine> describe_machine(std::string_view ridge_version) {
  const auto allowed = allowed_cpus();
  const auto hardware = read_hardware(allowed);
  if (!hardware) {
    return tl::make_unexpected(hardware.error());
  }
  Machine machine;
  machine.ridge_version = ridge_version;
  machine.date = utc_now();
  machine.host = host_name();
  machine.cpu = cpu_identity();
  machine.name = machine.cpu->name;
  machine.topology = hardware->topology;
  machine.topology->threads = usable_threads(hardware->placement.size(), cpu_quota());
  machine.caches = hardware->caches;
  machine.memories = hardware->memories;
  return machine;
}

std::optional<std::string> host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') {
    return std::nullopt;
  }
  return std::string(name.data());
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {text.data(), length};
}

std::string machine_key(const CpuIdentity& cpu, const std::vector<unsigned>& cpuset,
                        std::optional<double> quota, std::string_view ridge_version) {
  return fmt::format("{}-{}-{}-{}_{}_cpus{}_quota{}_ridge{}", file_safe(cpu.vendor, 16), cpu.family,
                     cpu.model, cpu.stepping, file_safe(cpu.name, 48), cpu_list(cpuset),
                     quota ? fmt::format("{:.3f}", *quota) : "none", file_safe(ridge_version, 24));
}

std::string machine_key(std::string_view ridge_version) {
  return machine_key(cpu_identity(), cpuset_cpus(), cpu_quota(), ridge_version);
}

}  // namespace ridge::platform
