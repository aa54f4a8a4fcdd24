#include "analyze/in_core/core_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "machine_code/decode.hpp"

namespace ridge::analyze {
namespace {

using machine_code::Instruction;
using machine_code::MemoryOperand;

/// Of more than a 256-bit register.
constexpr unsigned kWideBytes = 32;

constexpr unsigned kGuessedLatency = 100;

std::string_view mnemonic_of(const Instruction& instruction) {
  return machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic);
}

bool has(const Instruction& instruction, bool MemoryOperand::* what) {
  return std::ranges::any_of(instruction.memory(),
                             [&](const MemoryOperand& each) { return each.*what; });
}

bool is_gather(const Instruction& instruction) {
  return std::ranges::any_of(instruction.memory(),
                             [](const MemoryOperand& each) { return each.lanes > 1; });
}

std::string_view form_of(const Instruction& instruction) {
  if (is_gather(instruction)) {
    return "gather";
  }
  if (has(instruction, &MemoryOperand::store)) {
    return "store";
  }
  return has(instruction, &MemoryOperand::load) ? "load" : "register";
}

bool fits(const InstructionRule& rule, const Instruction& instruction, std::string_view mnemonic) {
  const bool is_named = std::ranges::any_of(rule.mnemonics, [&](const std::string& each) {
    return each.ends_with('*')
               ? mnemonic.starts_with(std::string_view(each).substr(0, each.size() - 1))
               : mnemonic == each;
  });
  return is_named && instruction.vector_bits >= rule.least_bits &&
         instruction.vector_bits <= rule.most_bits &&
         (rule.form.empty() || rule.form == form_of(instruction)) &&
         (!rule.masked || instruction.mask);
}

const InstructionRule* rule_of(const CoreData* data, const Instruction& instruction) {
  if (data == nullptr) {
    return nullptr;
  }
  const std::string_view mnemonic = mnemonic_of(instruction);
  const auto found = std::ranges::find_if(
      data->rules, [&](const InstructionRule& rule) { return fits(rule, instruction, mnemonic); });
  return found == data->rules.end() ? nullptr : &*found;
}

bool has_index(const Instruction& instruction) {
  return std::ranges::any_of(instruction.memory(),
                             [](const MemoryOperand& each) { return !each.index.is_none(); });
}

/// "5", "11": ports are numbered in hexadecimal digits.
std::string port_number(char letter) {
  return std::to_string(letter < 'A' ? letter - '0' : letter - 'A' + 10);
}

}  // namespace

Result<CoreModel> CoreModel::of(const std::string& cpu) {
  const std::string named = cpu.empty() ? SchedulingModel::host() : cpu;
  return SchedulingModel::of(named).map([&](SchedulingModel model) {
    CoreModel core(std::move(model));
    core.data_ = core_of(named);
    core.name_ = core.data_ != nullptr ? core.data_->name : named;
    core.units_ = core.model_.units();
    if (core.data_ != nullptr && !core.data_->port_prefix.empty()) {
      for (std::size_t i = 0; i < core.units_.size() && i < core.data_->ports.size(); ++i) {
        if (core.data_->ports[i] != '-') {
          core.units_[i] = core.data_->port_prefix + port_number(core.data_->ports[i]);
        }
      }
    }
    core.probe_memory_units();
    return core;
  });
}

/// The ports that plain loads and stores take, and how long a load takes.
void CoreModel::probe_memory_units() {
  constexpr std::array<std::uint8_t, 3> kLoad{0x48, 0x8B, 0x08};          // mov rcx, [rax]
  constexpr std::array<std::uint8_t, 3> kStore{0x48, 0x89, 0x08};         // mov [rax], rcx
  constexpr std::array<std::uint8_t, 4> kVector{0xC5, 0xFC, 0x10, 0x08};  // vmovups ymm1, [rax]
  const ScheduledInstruction load = model_.instruction(kLoad);
  const ScheduledInstruction vector_load = model_.instruction(kVector);
  load_latency_ = load.latency;
  vector_load_latency_ = vector_load.latency;
  if (data_ != nullptr) {
    load_units_ = ports(data_->load_ports);
    store_units_ = ports(data_->store_address_ports) | ports(data_->store_data_ports);
    return;
  }
  for (const UnitUse& use : load.uses) {
    load_units_ |= use.units;
  }
  for (const UnitUse& use : vector_load.uses) {
    load_units_ |= use.units;
  }
  for (const UnitUse& use : model_.instruction(kStore).uses) {
    store_units_ |= use.units & ~load_units_;
  }
}

std::uint64_t CoreModel::ports(std::string_view letters) const {
  std::uint64_t found = 0;
  for (const char letter : letters) {
    const auto at = data_->ports.find(letter);
    found |= at == std::string::npos ? 0 : std::uint64_t{1} << at;
  }
  return found;
}

InstructionCost CoreModel::cost(const Instruction& instruction, std::span<const std::uint8_t> code,
                                bool beside_wide) {
  const ScheduledInstruction scheduled = model_.instruction(code);
  const InstructionRule* rule = rule_of(data_, instruction);
  InstructionCost cost;
  cost.increment = scheduled.increment;
  // LLVM says 100 cycles of what nobody measured.
  const bool is_guessed = scheduled.latency >= kGuessedLatency && !instruction.is_call();
  cost.known = (scheduled.scheduled && !is_guessed) || rule != nullptr;
  if (!cost.known && scheduled.uses.empty()) {  // as little as anything can take, and named
    const auto all = static_cast<unsigned>(units_.size());
    const std::uint64_t units = ~std::uint64_t{0} >> (64 - std::min(all, 64U));
    cost.compute.push_back({units & ~(load_units_ | store_units_), 1});
    cost.latency = 1;
  }
  if (data_ != nullptr) {
    add_memory(cost, instruction);
  }
  add_llvms(cost, scheduled, data_ == nullptr,
            data_ != nullptr && data_->has_full_width && instruction.vector_bits >= 512);
  split_latency(cost, instruction);
  if (data_ != nullptr && data_->renames_increments && cost.increment) {
    cost.compute.clear();
    cost.latency = 0;
  } else if (rule != nullptr) {
    apply(cost, *rule);
  } else if (data_ != nullptr && instruction.breaks_dependence) {
    cost.compute.clear();
    cost.latency = 0;
  }
  if (beside_wide && data_ != nullptr && instruction.vector_bits != 0) {
    close_ports(cost);
  }
  count_slots(cost, instruction, scheduled);
  if (rule != nullptr && rule->slots != 0) {
    cost.slots = static_cast<unsigned>(rule->slots);
  }
  return cost;
}

/// LLVM's latency is that of the load and the operation together, of a store the whole way to
/// memory.
void CoreModel::split_latency(InstructionCost& cost, const Instruction& instruction) const {
  if (has(instruction, &MemoryOperand::load)) {
    const bool is_vector = instruction.vector_bits != 0;
    const unsigned llvms = is_vector ? vector_load_latency_ : load_latency_;
    const std::uint64_t own = data_ == nullptr ? llvms
                              : is_vector      ? data_->vector_load_latency
                                               : data_->load_latency;
    cost.load_latency = static_cast<unsigned>(own);
    cost.latency = cost.latency > llvms ? cost.latency - llvms : 1;
  }
  if (has(instruction, &MemoryOperand::store)) {
    cost.latency = 1;
  }
}

/// Those that take no vectors while 512-bit operations are about.
void CoreModel::close_ports(InstructionCost& cost) const {
  const std::uint64_t closed = ports(data_->closed_by_wide);
  for (UnitUse& use : cost.compute) {
    use.units = (use.units & ~closed) != 0 ? use.units & ~closed : use.units;
  }
}

void CoreModel::add_memory(InstructionCost& cost, const Instruction& instruction) const {
  const bool is_vector = instruction.vector_bits != 0;
  const auto either = [&](const std::string& of_vectors, const std::string& of_others) {
    return ports(is_vector && !of_vectors.empty() ? of_vectors : of_others);
  };
  for (const MemoryOperand& operand : instruction.memory()) {
    const bool gathers = operand.lanes > 1;
    const bool is_wide = !gathers && operand.bytes > kWideBytes;
    if (operand.load || operand.prefetch) {
      const std::uint64_t units = is_wide ? ports(data_->wide_load_ports)
                                          : either(data_->vector_load_ports, data_->load_ports);
      const double loads =
          gathers ? data_->gather_cycles + operand.lanes * data_->gather_lane_cycles : 1.0;
      cost.loads.insert(cost.loads.end(), static_cast<std::size_t>(std::lround(loads)),
                        UnitUse{units, 1});
    }
    if (operand.store) {
      const std::uint64_t cycles = is_wide ? data_->wide_store_cycles : 1;
      const UnitUse address{ports(data_->store_address_ports), 1};
      const UnitUse value{either(data_->vector_store_ports, data_->store_data_ports), 1};
      cost.store_addresses.insert(cost.store_addresses.end(), operand.lanes, address);
      cost.store_data.insert(cost.store_data.end(), cycles * operand.lanes, value);
    }
  }
}

void CoreModel::add_llvms(InstructionCost& cost, const ScheduledInstruction& scheduled,
                          bool with_memory, bool halved) const {
  const std::uint64_t ignored = data_ != nullptr ? ports(data_->memory_units) : 0;
  for (const UnitUse& use : scheduled.uses) {
    if ((use.units & ~ignored) == 0) {
      continue;
    }
    const bool is_load = (use.units & load_units_) != 0;
    const bool is_store = !is_load && (use.units & store_units_) != 0;
    auto& into = is_load ? cost.loads : is_store ? cost.store_data : cost.compute;
    const unsigned cycles = halved && !is_load && !is_store ? (use.cycles + 1) / 2 : use.cycles;
    if (with_memory || !(is_load || is_store)) {
      into.insert(into.end(), cycles, {use.units, 1});
    }
  }
  cost.latency = std::max(cost.latency, scheduled.latency);
}

void CoreModel::apply(InstructionCost& cost, const InstructionRule& rule) const {
  cost.rule = &rule;
  if (rule.has_uses) {
    cost.compute.clear();
    for (const RuleUse& use : rule.uses) {
      cost.compute.insert(cost.compute.end(), use.count, {ports(use.ports), 1});
    }
  }
  if (rule.latency >= 0) {
    cost.latency = static_cast<unsigned>(rule.latency);
  }
  if (rule.chained_latency >= 0) {
    cost.chained_latency = static_cast<unsigned>(rule.chained_latency);
  }
  cost.divider_cycles = static_cast<unsigned>(rule.divider_cycles);
  cost.loads.insert(cost.loads.end(), rule.extra_load_cycles, {load_units_, 1});
}

/// Micro-operations that the front end handles as one: an operation with its load, the two halves
/// of a store.
void CoreModel::count_slots(InstructionCost& cost, const Instruction& instruction,
                            const ScheduledInstruction& scheduled) const {
  if (data_ == nullptr || data_->counts_macro_operations ||
      (is_gather(instruction) && scheduled.scheduled)) {
    cost.slots = std::max(scheduled.micro_operations, 1U);
    return;
  }
  const bool is_fused = !cost.loads.empty() && !cost.compute.empty() &&
                        (data_->fuses_indexed_loads || !has_index(instruction));
  const auto slots = cost.compute.size() + cost.loads.size() + cost.store_addresses.size();
  cost.slots = std::max<unsigned>(static_cast<unsigned>(slots) - (is_fused ? 1 : 0), 1);
}

unsigned CoreModel::rename_width() const {
  return data_ != nullptr ? static_cast<unsigned>(data_->rename_width) : model_.issue_width();
}
unsigned CoreModel::retire_width() const {
  return data_ != nullptr ? static_cast<unsigned>(data_->retire_width) : model_.issue_width();
}
unsigned CoreModel::reorder_buffer() const {
  return data_ != nullptr ? static_cast<unsigned>(data_->reorder_buffer) : model_.reorder_buffer();
}
std::size_t CoreModel::scheduler(std::uint64_t units) const {
  if (data_ == nullptr) {
    return model_.reorder_buffer();
  }
  return (units & load_units_) != 0    ? data_->load_scheduler
         : (units & store_units_) != 0 ? data_->store_scheduler
                                       : data_->scheduler;
}
double CoreModel::least_pass_cycles() const {
  return data_ != nullptr ? data_->least_pass_cycles : 1.0;
}
unsigned CoreModel::store_to_load_latency() const {
  return data_ != nullptr ? static_cast<unsigned>(data_->store_to_load_latency) : load_latency_;
}

}  // namespace ridge::analyze
