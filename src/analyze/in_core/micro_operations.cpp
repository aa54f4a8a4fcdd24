#include "analyze/in_core/micro_operations.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "machine_code/decode.hpp"
#include "machine_code/dependences.hpp"

namespace ridge::analyze {
namespace {

using machine_code::Dependence;
using machine_code::Instruction;

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
    for (const Dependence& each : machine_code::dependences(body_)) {
      add_waits(each);
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
    wait_for(parts.compute, parts.loads, 0, cost.load_latency);
    wait_for(parts.store_data, parts.results(), 0,
             parts.compute.empty() ? cost.load_latency : cost.latency);
    parts_.push_back(std::move(parts));
  }

  void wait_for(const std::vector<std::uint32_t>& readers,
                const std::vector<std::uint32_t>& writers, unsigned passes, unsigned latency) {
    for (const std::uint32_t reader : readers) {
      for (const std::uint32_t writer : writers) {
        made_.operations[reader].waits.push_back({writer, passes, latency});
      }
    }
  }

  void add_waits(const Dependence& through) {
    const Parts& from = parts_[through.writer];
    const Parts& to = parts_[through.reader];
    const InstructionCost& cost = costs_[through.writer];
    const bool chained = cost.chained_latency && cost.rule == costs_[through.reader].rule;
    const unsigned latency = from.compute.empty() ? cost.load_latency
                             : chained            ? *cost.chained_latency
                                                  : cost.latency;
    const unsigned passes = through.carried ? 1 : 0;
    if (through.for_address && !(to.loads.empty() && to.store_addresses.empty())) {
      wait_for(to.loads, from.results(), passes, latency);
      wait_for(to.store_addresses, from.results(), passes, latency);
    } else if (!to.compute.empty()) {
      wait_for(to.compute, from.results(), passes, latency);
    } else {
      wait_for(to.store_data, from.results(), passes, latency);
      if (to.store_data.empty()) {  // a load that merges into its register
        wait_for(to.loads, from.results(), passes, latency);
      }
    }
  }

  CoreModel& core_;
  std::span<const Instruction> body_;
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
