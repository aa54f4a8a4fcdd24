#include "measure/binary/code/region_code.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "core/quantity/saturating.hpp"
#include "machine_code/decode.hpp"
#include "measure/binary/code/instruction_totals.hpp"
#include "measure/binary/code/region_owners.hpp"
#include "measure/code/line_table.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::AddressRange;
using machine_code::Block;
using machine_code::Function;
using machine_code::Instruction;
using machine_code::RegisterClass;
using machine_code::RegisterSet;

constexpr machine_code::Architecture kArchitecture = machine_code::Architecture::x86_64;

/// Far users are rare, and blocks may have thousands of instructions.
constexpr std::size_t kFarthestUse = 100;

void add(std::uint64_t& sum, std::uint64_t more) {
  sum = saturating_add(sum, more);
}

struct LineSum {
  std::uint64_t samples = 0;
  std::uint64_t flops = 0;
  Traffic bytes{};
  bool bytes_unknown = false;

  [[nodiscard]] std::uint64_t weight() const {
    return saturating_add(flops, saturating_add(bytes.read, bytes.written));
  }
};

/// What is gathered of one wanted region.
struct Gathered {
  std::map<SourcePosition, LineSum> lines;
  const Function* function = nullptr;  ///< that holds its hottest block
  const Block* hottest = nullptr;
  std::uint64_t heat = 0;
};

/// Flags are of every second instruction: who reads them says nothing of a load.
RegisterSet data_of(const RegisterSet& registers) {
  RegisterSet data;
  registers.for_each([&](machine_code::Register one) {
    if (one.kind() != RegisterClass::flags) {
      data.add(one);
    }
  });
  return data;
}

bool have_common(const RegisterSet& a, const RegisterSet& b) {
  bool found = false;
  a.for_each([&](machine_code::Register one) { found = found || b.contains(one); });
  return found;
}

/// Functions of the regions in order, each once.
std::vector<AddressRange> ranges_of(const ModuleRegions& regions) {
  std::vector<AddressRange> all;
  for (const ModuleRegion& region : regions.regions) {
    all.insert(all.end(), region.ranges.begin(), region.ranges.end());
  }
  std::ranges::sort(all, {}, &AddressRange::begin);
  std::vector<AddressRange> apart;
  for (const AddressRange& one : all) {
    if (apart.empty() || one.begin >= apart.back().end) {
      apart.push_back(one);
    } else {
      apart.back().end = std::max(apart.back().end, one.end);
    }
  }
  return apart;
}

class CodeOfRegions {
 public:
  CodeOfRegions(const ModuleFile& file, const ModuleRegions& regions,
                const ExecutedModule& executed, const SamplesByAddress& samples)
      : regions_(regions),
        executed_(executed),
        samples_(samples),
        owners_(regions),
        table_(LineTable::read(file.debug.empty() ? file.bytes : file.debug, ranges_of(regions))) {
    for (const ExecutedInstruction& one : executed.instructions) {
      decoded_.push_back(decoded(one));
    }
  }

  [[nodiscard]] std::vector<RegionCode> of(std::span<const std::uint32_t> wanted) {
    for (const std::uint32_t region : wanted) {
      gathered_.try_emplace(region);
    }
    for (std::size_t i = 0; i < decoded_.size(); ++i) {
      add_instruction(i);
    }
    add_samples();
    for (const Function& function : regions_.functions) {
      for (const Block& block : function.blocks) {
        add_block(function, block);
      }
    }
    std::vector<RegionCode> made;
    for (const std::uint32_t region : wanted) {
      made.push_back({line_work(region), hottest_block(region)});
    }
    return made;
  }

 private:
  [[nodiscard]] Gathered* wanted_at(std::uint64_t address) {
    const auto owner = owners_.find(address);
    const auto found = owner ? gathered_.find(*owner) : gathered_.end();
    return found != gathered_.end() ? &found->second : nullptr;
  }

  void add_instruction(std::size_t at) {
    const ExecutedInstruction& one = executed_.instructions[at];
    Gathered* const gathered = wanted_at(one.address);
    const auto position = gathered != nullptr ? position_of(at) : std::nullopt;
    if (!position || !decoded_[at]) {
      return;
    }
    const InstructionTotals totals = totals_of(one, *decoded_[at]);
    LineSum& line = gathered->lines[*position];
    add(line.flops, totals.flops.total());
    add(line.bytes.read, totals.bytes().read);
    add(line.bytes.written, totals.bytes().written);
    line.bytes_unknown =
        line.bytes_unknown || totals.has_all_lanes_bytes || totals.has_unknown_turns;
  }

  void add_samples() {
    for (const auto& [address, samples] : samples_) {
      Gathered* const gathered = wanted_at(address);
      const auto position = gathered != nullptr ? table_.find(address) : std::nullopt;
      if (position) {
        add(gathered->lines[*position].samples, samples);
      }
    }
  }

  void add_block(const Function& function, const Block& block) {
    const auto instructions = function.instructions_of(block);
    std::map<std::uint32_t, std::size_t> owned;
    for (const Instruction& one : instructions) {
      if (const auto owner = owners_.find(one.address)) {
        ++owned[*owner];
      }
    }
    const std::uint64_t heat =
        saturating_multiply(executed_.executions_at(function.begin_of(block)), instructions.size());
    for (const auto& [region, count] : owned) {
      const auto found = gathered_.find(region);
      const bool is_mostly_its = 2 * count > instructions.size();
      if (found != gathered_.end() && is_mostly_its && heat > found->second.heat) {
        found->second.function = &function;
        found->second.hottest = &block;
        found->second.heat = heat;
      }
    }
  }

  /// Compilers leave loads without a line that they fold into the instruction that uses them.
  [[nodiscard]] std::optional<SourcePosition> position_of(std::size_t at) const {
    auto position = table_.find(executed_.instructions[at].address);
    for (auto user = first_use(at); !position && user; user = first_use(*user)) {
      position = table_.find(executed_.instructions[*user].address);
    }
    return position;
  }

  /// Behind it in the same stretch of code; nullopt where there is none.
  [[nodiscard]] std::optional<std::size_t> first_use(std::size_t at) const {
    RegisterSet written = decoded_[at] ? data_of(decoded_[at]->writes) : RegisterSet{};
    const std::size_t end = std::min(decoded_.size(), at + kFarthestUse);
    for (std::size_t next = at + 1; next < end && !written.empty(); ++next) {
      const bool runs_on =
          executed_.instructions[next].address == executed_.instructions[next - 1].end() &&
          executed_.instructions[next].executions == executed_.instructions[at].executions;
      if (!runs_on || !decoded_[next]) {
        return std::nullopt;
      }
      if (have_common(written, decoded_[next]->reads)) {
        return next;
      }
      decoded_[next]->writes.for_each([&](machine_code::Register one) { written.remove(one); });
    }
    return std::nullopt;
  }

  [[nodiscard]] bool is_own_file(std::uint32_t region, const SourcePosition& position) const {
    return regions_.regions[region].file == std::string(position.file);
  }

  [[nodiscard]] std::vector<LineWork> line_work(std::uint32_t region) const {
    std::vector<std::pair<std::uint64_t, LineWork>> work;
    for (const auto& [position, line] : gathered_.at(region).lines) {
      if (line.weight() == 0 && !line.bytes_unknown && line.samples == 0) {
        continue;
      }
      LineWork one;
      one.file =
          is_own_file(region, position) ? std::nullopt : std::optional(std::string(position.file));
      one.line = position.line;
      one.samples = samples_.empty() ? std::nullopt : std::optional(line.samples);
      one.flops = line.flops;
      if (!line.bytes_unknown) {
        one.bytes_loaded = line.bytes.read;
        one.bytes_stored = line.bytes.written;
      }
      work.emplace_back(line.weight(), std::move(one));
    }
    return most_of(std::move(work));
  }

  [[nodiscard]] static std::vector<LineWork> most_of(
      std::vector<std::pair<std::uint64_t, LineWork>> work) {
    std::ranges::stable_sort(work, [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<LineWork> lines;
    for (std::size_t i = 0; i < std::min(work.size(), kMostLines); ++i) {
      lines.push_back(std::move(work[i].second));
    }
    std::ranges::sort(lines, [](const LineWork& a, const LineWork& b) {
      return std::tie(a.file, a.line) < std::tie(b.file, b.line);
    });
    return lines;
  }

  [[nodiscard]] std::optional<CodeBlock> hottest_block(std::uint32_t region) const {
    const Gathered& gathered = gathered_.at(region);
    if (gathered.hottest == nullptr) {
      return std::nullopt;
    }
    CodeBlock code;
    code.executions = executed_.executions_at(gathered.function->begin_of(*gathered.hottest));
    for (const Instruction& one : gathered.function->instructions_of(*gathered.hottest)) {
      const auto at = executed_.find(one.address);
      if (at && code.instructions.size() < kMostInstructions) {
        code.instructions.push_back(code_instruction(region, *at));
      }
    }
    return code;
  }

  [[nodiscard]] CodeInstruction code_instruction(std::uint32_t region, std::size_t at) const {
    const ExecutedInstruction& one = executed_.instructions[at];
    const auto text = machine_code::disassemble(
        kArchitecture,
        std::span(one.code).first(std::min<std::size_t>(one.length, one.code.size())), one.address);
    CodeInstruction made;
    made.address = one.address;
    made.text = text.value_or("(bad)");
    const auto position = position_of(at);
    made.line =
        position && is_own_file(region, *position) ? std::optional(position->line) : std::nullopt;
    if (decoded_[at]) {
      made.flops = decoded_[at]->flops();
      made.bytes_loaded = decoded_[at]->loaded_bytes();
      made.bytes_stored = decoded_[at]->stored_bytes();
    }
    return made;
  }

  const ModuleRegions& regions_;
  const ExecutedModule& executed_;
  const SamplesByAddress& samples_;
  RegionOwners owners_;
  LineTable table_;
  std::vector<std::optional<Instruction>> decoded_;  ///< like the module's instructions
  std::map<std::uint32_t, Gathered> gathered_;       ///< by region
};

}  // namespace

std::vector<RegionCode> region_code(const ModuleFile& file, const ModuleRegions& regions,
                                    const ExecutedModule& executed, const SamplesByAddress& samples,
                                    std::span<const std::uint32_t> wanted) {
  return CodeOfRegions(file, regions, executed, samples).of(wanted);
}

}  // namespace ridge::measure::binary
