#include "analyze/in_core/core_data.hpp"

#include <algorithm>
#include <cassert>

#include <fmt/format.h>
#include <llvm/Support/JSON.h>

namespace ridge::analyze {

namespace json = llvm::json;

// Where LLVM looks for them: beside their types.

/// "2*15+1*5": two micro-operations for port 1 or 5, one for 5.
static bool fromJSON(const json::Value& value, std::vector<RuleUse>& uses, json::Path path) {
  const auto text = value.getAsString();
  if (!text) {
    path.report("expected a text such as 1*015");
    return false;
  }
  llvm::SmallVector<llvm::StringRef, 4> parts;
  text->split(parts, '+', -1, /*KeepEmpty=*/false);
  for (const llvm::StringRef part : parts) {
    const auto [count, ports] = part.split('*');
    RuleUse use{ports.str(), 0};
    if (count.getAsInteger(10, use.count) || ports.empty()) {
      path.report("expected a text such as 1*015");
      return false;
    }
    uses.push_back(use);
  }
  return true;
}

static bool fromJSON(const json::Value& value, InstructionRule& rule, json::Path path) {
  std::vector<std::uint64_t> bits{rule.least_bits, rule.most_bits};
  json::ObjectMapper map(value, path);
  if (!map || !map.map("mnemonics", rule.mnemonics) || !map.mapOptional("bits", bits) ||
      !map.mapOptional("form", rule.form) || !map.mapOptional("masked", rule.masked) ||
      !map.mapOptional("latency", rule.latency) ||
      !map.mapOptional("chained_latency", rule.chained_latency) ||
      !map.mapOptional("divider_cycles", rule.divider_cycles) ||
      !map.mapOptional("slots", rule.slots) ||
      !map.mapOptional("extra_load_cycles", rule.extra_load_cycles)) {
    return false;
  }
  if (bits.size() != 2) {
    path.field("bits").report("expected the least and the most");
    return false;
  }
  rule.least_bits = bits[0];
  rule.most_bits = bits[1];
  const json::Value* uses = value.getAsObject()->get("uses");
  rule.has_uses = uses != nullptr;
  return uses == nullptr || fromJSON(*uses, rule.uses, path.field("uses"));
}

static bool fromJSON(const json::Value& value, CoreData& core, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", core.name) && map.map("cpus", core.cpus) &&
         map.map("measured", core.measured) && map.map("ports", core.ports) &&
         map.mapOptional("port_prefix", core.port_prefix) &&
         map.map("rename_width", core.rename_width) && map.map("retire_width", core.retire_width) &&
         map.map("reorder_buffer", core.reorder_buffer) && map.map("scheduler", core.scheduler) &&
         map.map("load_scheduler", core.load_scheduler) &&
         map.map("store_scheduler", core.store_scheduler) &&
         map.mapOptional("renames_stores", core.renames_stores) &&
         map.mapOptional("renames_increments", core.renames_increments) &&
         map.mapOptional("taken_branch_ports", core.taken_branch_ports) &&
         map.mapOptional("gather_cycles", core.gather_cycles) &&
         map.mapOptional("store_commit_cycles", core.store_commit_cycles) &&
         map.mapOptional("line_crossing_cycles", core.line_crossing_cycles) &&
         map.mapOptional("gather_lane_cycles", core.gather_lane_cycles) &&
         map.mapOptional("least_pass_cycles", core.least_pass_cycles) &&
         map.mapOptional("fuses_indexed_loads", core.fuses_indexed_loads) &&
         map.mapOptional("counts_macro_operations", core.counts_macro_operations) &&
         map.mapOptional("memory_units", core.memory_units) &&
         map.mapOptional("has_full_width", core.has_full_width) &&
         map.mapOptional("vector_load_ports", core.vector_load_ports) &&
         map.mapOptional("vector_store_ports", core.vector_store_ports) &&
         map.map("load_ports", core.load_ports) &&
         map.map("wide_load_ports", core.wide_load_ports) &&
         map.map("store_address_ports", core.store_address_ports) &&
         map.map("store_data_ports", core.store_data_ports) &&
         map.mapOptional("wide_store_cycles", core.wide_store_cycles) &&
         map.mapOptional("closed_by_wide", core.closed_by_wide) &&
         map.map("load_latency", core.load_latency) &&
         map.map("vector_load_latency", core.vector_load_latency) &&
         map.map("store_to_load_latency", core.store_to_load_latency) &&
         map.map("rules", core.rules);
}

Result<CoreData> parse_core_data(std::string_view text, const std::string& name) {
  auto value = json::parse(llvm::StringRef(text.data(), text.size()));
  if (!value) {
    return fail(ErrorCode::bad_input,
                fmt::format("{}: {}", name, llvm::toString(value.takeError())));
  }
  CoreData core;
  json::Path::Root root(name);
  if (!fromJSON(*value, core, root)) {
    return fail(ErrorCode::bad_input, llvm::toString(root.getError()));
  }
  return core;
}

std::span<const CoreData> known_cores() {
  static const std::vector<CoreData> cores = [] {
    std::vector<CoreData> read;
    for (const std::string_view text : embedded_cores()) {
      auto core = parse_core_data(text, "cores");
      assert(core && "a file of cores/ is broken");
      if (core) {
        read.push_back(std::move(*core));
      }
    }
    return read;
  }();
  return cores;
}

const CoreData* core_of(std::string_view cpu) {
  for (const CoreData& core : known_cores()) {
    if (std::ranges::find(core.cpus, cpu) != core.cpus.end()) {
      return &core;
    }
  }
  return nullptr;
}

}  // namespace ridge::analyze
