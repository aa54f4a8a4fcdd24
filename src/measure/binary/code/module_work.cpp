#include "measure/binary/code/module_work.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "core/quantity/saturating.hpp"
#include "measure/binary/code/instruction_totals.hpp"
#include "measure/binary/code/loop_evidence.hpp"
#include "measure/binary/code/loop_flow.hpp"
#include "measure/binary/code/region_owners.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Instruction;

void add(std::uint64_t& sum, std::uint64_t more) {
  sum = saturating_add(sum, more);
}

std::string hexadecimal(const ExecutedInstruction& executed) {
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(executed.length, executed.code.size()); ++i) {
    text += fmt::format("{:02x}", executed.code[i]);
  }
  return text;
}

/// Part of a total that `own` of `all` executions did. `all` is not 0.
std::uint64_t share_of(std::uint64_t total, std::uint64_t own, std::uint64_t all) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(total) * std::min(own, all) /
                                    all);
}

/// Of one region, while instructions are added.
class RegionSum {
 public:
  void add_unknown(const ExecutedInstruction& executed) {
    add(made_.instructions, executed.executions);
    add(made_.unknown[hexadecimal(executed)], executed.executions);
  }

  void add_known(const ExecutedInstruction& executed, const InstructionTotals& totals) {
    add(made_.instructions, executed.executions);
    flops_ += totals.flops;
    add(flops_low_, totals.flops_low);
    add(other_, totals.other);
    add(intops_, totals.intops);
    add(non_temporal_, totals.bytes_non_temporal);
    const Traffic bytes = totals.bytes();
    add(bytes_.read, bytes.read);
    add(bytes_.written, bytes.written);
    add(gathered_.read, totals.gathered.read);
    add(gathered_.written, totals.gathered.written);
    for (const auto& [name, operations] : totals.opaque) {
      add(made_.work.opaque[name], operations);
    }
    add_masked(executed, totals);
    has_all_lanes_bytes_ = has_all_lanes_bytes_ || totals.has_all_lanes_bytes;
    add(unknown_turns_, totals.has_unknown_turns ? executed.executions : 0);
  }

  /// What a thread did of an instruction.
  void add_thread(std::uint32_t thread, std::uint64_t executions,
                  const ExecutedInstruction& executed, const InstructionTotals& totals) {
    ThreadWork& work = threads_[thread];
    work.thread = thread;
    const Traffic bytes = totals.bytes();
    add(work.flops, share_of(totals.flops.total(), executions, executed.executions));
    add(work.bytes,
        share_of(saturating_add(bytes.read, bytes.written), executions, executed.executions));
  }

  ModuleWork finish() {
    RegionWork& work = made_.work;
    work.flops = Work{};
    for (const auto& [key, flops] : flops_.by_key()) {
      work.flops->terms.push_back({key.precision, key.kind, key.width_bits, flops});
    }
    work.flops->other = other_;
    work.intops = intops_;
    work.bytes_loaded = bytes_.read;
    work.bytes_stored = bytes_.written;
    work.bytes_non_temporal = non_temporal_;
    if (flops_low_ != flops_.total()) {
      work.flops_interval = WorkInterval{flops_low_, flops_.total()};
    }
    if (gathered_.total() != 0) {
      made_.evidence.gathered = gathered_;
    }
    if (!has_unknown_masks_) {
      made_.evidence.masked = masked_;
    }
    for (const auto& [thread, own] : threads_) {
      made_.threads.push_back(own);
    }
    add_notes();
    return std::move(made_);
  }

 private:
  void add_masked(const ExecutedInstruction& executed, const InstructionTotals& totals) {
    if (totals.has_unknown_mask) {
      has_unknown_masks_ = true;
      add(unknown_masks_, executed.executions);
    }
    if (totals.masked) {
      masked_ = masked_.value_or(MaskedOperations{});
      add(masked_->operations, totals.masked->operations);
      add(masked_->lanes, totals.masked->lanes);
      add(masked_->active_lanes, totals.masked->active_lanes);
    }
  }

  void add_notes() {
    if (has_unknown_masks_) {
      made_.notes.push_back(
          {"unknown-masks",
           fmt::format("The lanes of {} masked instructions were not looked at. They count as if "
                       "all lanes were on.",
                       unknown_masks_)});
    }
    if (has_all_lanes_bytes_) {
      made_.notes.push_back(
          {"masked-bytes", "Bytes of some masked loads and stores are those of all lanes."});
    }
    if (unknown_turns_ != 0) {
      made_.notes.push_back(
          {"unknown-turns",
           fmt::format("How many bytes {} executions of repeated string instructions moved was not "
                       "counted. Each counts as one element.",
                       unknown_turns_)});
    }
    std::uint64_t unknown = 0;
    for (const auto& [code, executions] : made_.unknown) {
      add(unknown, executions);
    }
    if (unknown != 0) {
      made_.notes.push_back(
          {"unknown-instructions",
           fmt::format("{} executed instructions are not known to the decoder. Their work is not "
                       "counted.",
                       unknown)});
    }
  }

  ModuleWork made_;
  OperationCounts flops_;
  std::uint64_t flops_low_ = 0;
  std::uint64_t other_ = 0;
  std::uint64_t intops_ = 0;
  std::uint64_t non_temporal_ = 0;
  Traffic bytes_{};
  Traffic gathered_{};
  std::optional<MaskedOperations> masked_;
  std::uint64_t unknown_masks_ = 0;
  std::uint64_t unknown_turns_ = 0;
  bool has_unknown_masks_ = false;
  bool has_all_lanes_bytes_ = false;
  std::map<std::uint32_t, ThreadWork> threads_;
};

void add_threads(const ExecutedModule& executed, std::size_t position,
                 const InstructionTotals& totals, RegionSum& sum) {
  for (std::uint32_t thread = 0; thread < executed.by_thread.size(); ++thread) {
    const auto& own = executed.by_thread[thread];
    if (position < own.size() && own[position] != 0) {
      sum.add_thread(thread, own[position], executed.instructions[position], totals);
    }
  }
}

std::optional<std::uint64_t> entries_of(const ModuleRegions& regions, const ModuleRegion& region,
                                        const ExecutedModule& executed) {
  if (region.kind == RegionKind::loop) {
    if (region.loops.size() != 1) {
      return std::nullopt;  // each version has its own, one behind the other
    }
    const MachineLoop& loop = region.loops.front();
    return loop_entries(executed, regions.functions[loop.function], loop.loop);
  }
  return region.entries.empty() ? std::nullopt
                                : function_entries(executed, regions.functions, region.entries);
}

void add_loop_evidence(const ModuleRegions& regions, const ModuleRegion& region,
                       const ExecutedModule& executed, ModuleWork& work) {
  LoopEvidence evidence = loop_evidence(regions, region, executed);
  work.evidence.accesses = std::move(evidence.accesses);
  work.evidence.chain = std::move(evidence.chain);
  work.work.iterations = evidence.iterations;
  for (ThreadWork& thread : work.threads) {
    thread.iterations = thread.thread < evidence.iterations_by_thread.size()
                            ? evidence.iterations_by_thread[thread.thread]
                            : 0;
  }
}

/// A thread that ran the function around a loop and got nothing of the loop took part in it.
void add_idle_threads(const ModuleRegions& regions, std::vector<ModuleWork>& made) {
  for (std::size_t i = 0; i < made.size(); ++i) {
    const ModuleRegion& region = regions.regions[i];
    if (region.kind != RegionKind::loop || !region.parent || *region.parent >= i) {
      continue;
    }
    std::map<std::uint32_t, ThreadWork> threads;
    for (const ThreadWork& around : made[*region.parent].threads) {
      threads[around.thread].thread = around.thread;
    }
    for (const ThreadWork& own : made[i].threads) {
      threads[own.thread] = own;
    }
    made[i].threads.clear();
    for (const auto& [number, thread] : threads) {
      made[i].threads.push_back(thread);
    }
  }
}

}  // namespace

std::vector<ModuleWork> module_work(const ModuleRegions& regions, const ExecutedModule& executed) {
  const RegionOwners owners(regions);
  std::vector<RegionSum> sums(regions.regions.size());
  for (std::size_t i = 0; i < executed.instructions.size(); ++i) {
    const ExecutedInstruction& one = executed.instructions[i];
    const auto region = owners.find(one.address);
    if (!region || one.executions == 0) {
      continue;
    }
    if (const auto instruction = decoded(one)) {
      const InstructionTotals totals = totals_of(one, *instruction);
      sums[*region].add_known(one, totals);
      add_threads(executed, i, totals, sums[*region]);
    } else {
      sums[*region].add_unknown(one);
    }
  }
  std::vector<ModuleWork> made;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    made.push_back(sums[i].finish());
    made.back().work.entries = entries_of(regions, regions.regions[i], executed);
    if (regions.regions[i].kind == RegionKind::loop) {
      add_loop_evidence(regions, regions.regions[i], executed, made.back());
    }
  }
  add_idle_threads(regions, made);
  return made;
}

}  // namespace ridge::measure::binary
