#include "analyze/in_core/micro_operations.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>

#include "machine_code/decode.hpp"
#include "machine_code/dependences.hpp"

namespace ridge::analyze {
namespace {

using machine_code::Dependence;
using machine_code::Instruction;
using machine_code::kRegisters;
using machine_code::MemoryOperand;

std::string_view mnemonic_of(const Instruction& instruction) {
  return machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic);
}

/// What compares and the jump behind it are one micro-operation in all cores of these years.
bool fuses_with_jump(const Instruction& instruction) {
  constexpr std::array<std::string_view, 7> kFusing{"cmp", "test", "add", "sub",
                                                    "and", "inc",  "dec"};
  const auto memory = instruction.memory();
  return std::ranges::find(kFusing, mnemonic_of(instruction)) != kFusing.end() &&
         std::ranges::none_of(memory, [](const auto& each) { return each.store; });
}

/// Loads of one pass that two lines hold, on average. Of loads that differ by a displacement only,
/// at most those whose displacements differ by whole vectors can all be aligned: the largest such
/// group is taken to be. What addresses of other registers are is not known, and they count as
/// aligned.
/// By their width in bytes.
std::map<std::int64_t, double> crossing_loads(std::span<const Instruction> body) {
  constexpr std::int64_t kLine = 64;
  using Address = std::tuple<unsigned, unsigned, unsigned, std::int64_t>;  // with the width
  std::map<Address, std::map<std::int64_t, unsigned>> groups;
  for (const Instruction& each : body) {
    for (const MemoryOperand& operand : each.memory()) {
      const bool is_vector = operand.bytes >= 16 && operand.bytes <= kLine && operand.lanes == 1;
      if (operand.load && is_vector && !operand.broadcast && !operand.base.is_none()) {
        const std::int64_t width = operand.bytes;
        const unsigned index = operand.index.is_none() ? kRegisters : operand.index.position();
        const Address address{operand.base.position(), index, operand.scale, width};
        ++groups[address][((operand.displacement % width) + width) % width];
      }
    }
  }
  std::map<std::int64_t, double> crossing;
  for (const auto& [address, residues] : groups) {
    unsigned all = 0;
    unsigned most = 0;
    for (const auto& [residue, count] : residues) {
      all += count;
      most = std::max(most, count);
    }
    if (all != most) {
      const std::int64_t width = std::get<3>(address);
      crossing[width] += (all - most) * static_cast<double>(width) / kLine;
    }
  }
  return crossing;
}

/// Positions of the micro-operations of one instruction.
struct Parts {
  std::vector<std::uint32_t> loads;
  std::vector<std::uint32_t> compute;
  std::vector<std::uint32_t> store_addresses;
  std::vector<std::uint32_t> store_data;

  /// Those whose result others take.
  [[nodiscard]] const std::vector<std::uint32_t>& results() const {
    return compute.empty() ? loads : compute;
  }
};

class Builder {
 public:
  Builder(CoreModel& core, std::span<const Instruction> body,
          std::span<const std::span<const std::uint8_t>> code)
      : core_(core), body_(body) {
    const bool beside_wide =
        std::ranges::any_of(body, [](const Instruction& each) { return each.vector_bits >= 512; });
    for (std::size_t i = 0; i < body.size(); ++i) {
      costs_.push_back(core.cost(body[i], code[i], beside_wide));
      if (!costs_.back().known) {
        made_.unknown.emplace_back(mnemonic_of(body[i]));
      }
    }
  }

  LoopCode build() {
    fuse_jumps();
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      add_operations(i);
      made_.slots.push_back(costs_[i].slots);
    }
    restrict_last_branch();
    dependences_ = machine_code::dependences(body_);
    for (const Dependence& each : dependences_) {
      add_waits(each, each.writer, each.carried ? 1 : 0);
    }
    add_waits_through_memory();
    if (core_.data() != nullptr) {
      add_hidden_work();
    }
    return std::move(made_);
  }

 private:
  void fuse_jumps() {
    for (std::size_t i = 0; i + 1 < body_.size(); ++i) {
      if (body_[i + 1].flow == machine_code::Flow::conditional_jump && fuses_with_jump(body_[i]) &&
          body_[i].next() == body_[i + 1].address) {
        costs_[i].compute = std::move(costs_[i + 1].compute);
        costs_[i + 1].compute.clear();
        costs_[i + 1].slots = 0;
      }
    }
  }

  std::vector<std::uint32_t> add(std::uint32_t instruction, const std::vector<UnitUse>& uses,
                                 unsigned latency) {
    std::vector<std::uint32_t> added;
    for (const UnitUse& use : uses) {
      added.push_back(static_cast<std::uint32_t>(made_.operations.size()));
      made_.operations.push_back({instruction, use, 0, latency, {}});
    }
    return added;
  }

  void add_operations(std::uint32_t i) {
    const InstructionCost& cost = costs_[i];
    Parts parts;
    parts.loads = add(i, cost.loads, cost.load_latency);
    parts.compute = add(i, cost.compute, cost.latency);
    parts.store_addresses = add(i, cost.store_addresses, 1);
    parts.store_data = add(i, cost.store_data, 1);
    if (parts.results().empty() && parts.store_data.empty() && cost.slots != 0) {
      parts.compute = add(i, {UnitUse{0, 1}}, cost.latency);  // done while renaming
    }
    if (!parts.compute.empty()) {
      made_.operations[parts.compute.front()].divider_cycles = cost.divider_cycles;
    }
    const int load_latency = static_cast<int>(cost.load_latency);
    wait_for(parts.compute, parts.loads, 0, load_latency);
    wait_for(parts.store_data, parts.results(), 0,
             parts.compute.empty() ? load_latency : static_cast<int>(cost.latency));
    parts_.push_back(std::move(parts));
  }

  void wait_for(const std::vector<std::uint32_t>& readers,
                const std::vector<std::uint32_t>& writers, unsigned passes, int latency) {
    for (const std::uint32_t reader : readers) {
      for (const std::uint32_t writer : writers) {
        made_.operations[reader].waits.push_back({writer, passes, latency});
      }
    }
  }

  /// A copy of a register that takes no port: those that read it wait for what it copies.
  [[nodiscard]] bool is_renamed_copy(std::uint32_t i) const {
    return body_[i].moves && body_[i].memory().empty() && costs_[i].compute.empty() &&
           body_[i].reads.size() == 1;
  }

  /// `writer` is that of `through`, or what it copies.
  void add_waits(const Dependence& through, std::uint32_t writer, unsigned passes) {
    constexpr unsigned kMostPasses = 6;
    if (is_renamed_copy(writer) && passes < kMostPasses) {
      for (const Dependence& each : dependences_) {
        if (each.reader == writer) {
          add_waits(through, each.writer, passes + (each.carried ? 1 : 0));
        }
      }
      return;
    }
    const Parts& from = parts_[writer];
    const Parts& to = parts_[through.reader];
    const InstructionCost& cost = costs_[writer];
    const bool chained = cost.chained_latency && cost.rule == costs_[through.reader].rule;
    const bool is_used_up = through.through.kind() == machine_code::RegisterClass::mask &&
                            !from.loads.empty();  // a gather clears its mask early
    const unsigned latency = is_used_up             ? 1
                             : from.compute.empty() ? cost.load_latency
                             : chained              ? *cost.chained_latency
                                                    : cost.latency;
    const int cycles = static_cast<int>(latency);
    if (through.for_address && !(to.loads.empty() && to.store_addresses.empty())) {
      wait_for(to.loads, from.results(), passes, cycles);
      wait_for(to.store_addresses, from.results(), passes, cycles);
    } else if (!to.compute.empty()) {
      wait_for(to.compute, from.results(), passes, cycles);
    } else {
      wait_for(to.store_data, from.results(), passes, cycles);
      if (to.store_data.empty()) {  // a load that merges into its register
        wait_for(to.loads, from.results(), passes, latency);
      }
    }
  }

  /// What a register changes by from one pass to the next, where that is a constant.
  [[nodiscard]] std::optional<std::int64_t> step_of(machine_code::Register one) const {
    std::int64_t step = 0;
    for (std::size_t i = 0; i < body_.size(); ++i) {
      if (!one.is_none() && body_[i].writes.contains(one)) {
        if (!costs_[i].increment) {
          return std::nullopt;
        }
        step += *costs_[i].increment;
      }
    }
    return step;
  }

  /// By how much `one` has changed when the instruction at `position` begins.
  [[nodiscard]] std::int64_t step_before(machine_code::Register one, std::size_t position) const {
    std::int64_t step = 0;
    for (std::size_t i = 0; i < position && !one.is_none(); ++i) {
      step += body_[i].writes.contains(one) ? costs_[i].increment.value_or(0) : 0;
    }
    return step;
  }

  /// Loads of what a store of the loop wrote, in the same pass or some before. Only where both have
  /// the same registers, which change by constants.
  void add_waits_through_memory() {
    for (std::uint32_t i = 0; i < body_.size(); ++i) {
      for (const MemoryOperand& store : body_[i].memory()) {
        const auto step = store.store ? step_of_address(store) : std::nullopt;
        for (std::uint32_t k = 0; step && k < body_.size(); ++k) {
          for (const MemoryOperand& load : body_[k].memory()) {
            if (load.load && has_same_form(store, load)) {
              add_wait(i, store, k, load, *step);
            }
          }
        }
      }
    }
  }

  [[nodiscard]] std::optional<std::int64_t> step_of_address(const MemoryOperand& of) const {
    const auto base = step_of(of.base);
    const auto index = step_of(of.index);
    const bool is_plain = of.lanes == 1 && !of.repeated && !of.masked;
    return base && index && is_plain ? std::optional(*base + *index * of.scale) : std::nullopt;
  }

  static bool has_same_form(const MemoryOperand& a, const MemoryOperand& b) {
    return a.base == b.base && a.index == b.index && a.scale == b.scale && a.segment == b.segment &&
           a.rip_relative == b.rip_relative && a.lanes == b.lanes;
  }

  [[nodiscard]] std::int64_t place_of(const MemoryOperand& of, std::uint32_t instruction) const {
    const auto fixed = static_cast<std::int64_t>(of.address);
    return (of.rip_relative ? fixed : of.displacement) + step_before(of.base, instruction) +
           step_before(of.index, instruction) * of.scale;
  }

  void add_wait(std::uint32_t writer, const MemoryOperand& store, std::uint32_t reader,
                const MemoryOperand& load, std::int64_t step) {
    constexpr std::int64_t kMostPasses = 8;
    const std::int64_t ahead = place_of(store, writer) - place_of(load, reader);
    if (step == 0 ? ahead != 0 : ahead % step != 0 || ahead / step < 0) {
      return;
    }
    std::int64_t passes = step == 0 ? 0 : ahead / step;
    if (step == 0 && writer >= reader) {
      passes = 1;
    }
    if (passes > kMostPasses || (passes == 0 && writer >= reader)) {
      return;
    }
    // The value is there some cycles after it was stored, whatever a load takes else.
    const bool is_renamed = body_[reader].moves && body_[reader].vector_bits == 0 &&
                            load.index.is_none() && core_.renames_stores();
    const int latency = is_renamed ? 0 : static_cast<int>(core_.store_to_load_latency());
    wait_for(parts_[reader].loads, parts_[writer].store_data, static_cast<unsigned>(passes),
             latency - static_cast<int>(costs_[reader].load_latency));
  }

  /// The branch that closes the loop is taken.
  void restrict_last_branch() {
    const std::uint64_t taken =
        core_.data() != nullptr ? core_.ports(core_.data()->taken_branch_ports) : 0;
    if (taken == 0 || made_.operations.empty() ||
        body_.back().flow != machine_code::Flow::conditional_jump) {
      return;
    }
    for (MicroOperation& each : made_.operations) {
      const bool is_last = each.instruction + 1 == body_.size() ||
                           (each.instruction + 2 == body_.size() && made_.slots.back() == 0);
      if (is_last && (each.use.units & taken) != 0 && (each.use.units & core_.load_units()) == 0) {
        each.use.units = taken;
      }
    }
  }

  void add_hidden_work() {
    const CoreData& data = *core_.data();
    double stores = 0.0;
    for (const Instruction& each : body_) {
      stores += static_cast<double>(std::ranges::count_if(each.memory(), &MemoryOperand::store));
    }
    if (stores * data.store_commit_cycles > 0.0) {
      made_.hidden.push_back({core_.load_units(), stores * data.store_commit_cycles});
    }
    double crossing = 0.0;
    for (const auto& [bytes, loads] : crossing_loads(body_)) {
      const std::uint64_t ports =
          bytes > 32 ? core_.ports(data.wide_load_ports) : core_.load_units();
      made_.hidden.push_back({ports, loads * data.line_crossing_cycles * std::popcount(ports)});
      crossing += loads;
    }
    made_.crossing_loads = static_cast<unsigned>(std::ceil(crossing));
  }

  CoreModel& core_;
  std::span<const Instruction> body_;
  std::vector<Dependence> dependences_;
  std::vector<InstructionCost> costs_;
  std::vector<Parts> parts_;
  LoopCode made_;
};

}  // namespace

LoopCode loop_code(CoreModel& core, std::span<const Instruction> body,
                   std::span<const std::span<const std::uint8_t>> code) {
  return Builder(core, body, code).build();
}

}  // namespace ridge::analyze
