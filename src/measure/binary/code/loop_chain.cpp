#include "measure/binary/code/loop_chain.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "core/quantity/saturating.hpp"
#include "machine_code/decode.hpp"
#include "machine_code/dependences.hpp"

namespace ridge::measure::binary {
namespace {

using machine_code::Dependence;
using machine_code::Instruction;
using machine_code::Operation;
using machine_code::Register;
using machine_code::RegisterClass;
using machine_code::WorkKind;

/// Paths through longer bodies take long to look for.
constexpr std::size_t kLongestBody = 1000;

/// Cycles, roughly, of today's CPUs: they only choose among the chains of one loop.
constexpr unsigned kCyclesOfLoad = 5;
unsigned cycles_of(OperationKind kind) {
  return kind == OperationKind::div || kind == OperationKind::sqrt ? 14 : 4;
}

std::string_view name_of(const Instruction& instruction) {
  return machine_code::mnemonic_text(machine_code::Architecture::x86_64, instruction.mnemonic);
}

/// Of floating point; nullopt for others.
std::optional<WorkTerm> arithmetic_of(const Instruction& instruction) {
  for (const Operation& operation : instruction.operations()) {
    const auto kind = machine_code::operation_kind(operation.kind);
    const auto precision = machine_code::precision(operation.element);
    if (kind && precision) {
      return WorkTerm{*precision, *kind, operation.width_bits, 0};
    }
  }
  return std::nullopt;
}

bool loads(const Instruction& instruction) {
  return std::ranges::any_of(instruction.memory(), [](const machine_code::MemoryOperand& operand) {
    return operand.load;
  });
}

/// A scalar conversion or root keeps the upper part of the register that it writes: the value does
/// not depend on it, whatever the CPU waits for.
bool keeps_upper_part(const Instruction& reader, Register through) {
  const std::string_view name = name_of(reader);
  const std::string_view stem = name.starts_with('v') ? name.substr(1) : name;
  const bool is_of_one_source = stem.starts_with("cvt") || stem.starts_with("sqrt") ||
                                stem.starts_with("round") || stem.starts_with("rcp") ||
                                stem.starts_with("rsqrt");
  return is_of_one_source && through.kind() == RegisterClass::vector &&
         reader.writes.contains(through);
}

bool has_implicit_memory(const Instruction& instruction) {
  return std::ranges::any_of(instruction.memory(), [](const machine_code::MemoryOperand& operand) {
    return operand.implicit;
  });
}

/// Counters, flags and the stack pointer make no chain that is worth a word.
bool counts(const Dependence& dependence, const Instruction& reader) {
  const RegisterClass kind = dependence.through.kind();
  // A load into a part of a register leaves the rest, of which a later one makes nothing.
  const bool fills_a_part =
      dependence.carried && !dependence.for_address && reader.moves && loads(reader);
  return (kind == RegisterClass::general || kind == RegisterClass::vector) &&
         dependence.through != machine_code::kStackPointer && !has_implicit_memory(reader) &&
         !keeps_upper_part(reader, dependence.through) && !fills_a_part;
}

/// On a dependence into `reader`: what it waits for there.
struct Link {
  bool load = false;
  std::optional<WorkTerm> arithmetic;

  [[nodiscard]] unsigned cycles() const {
    return (load ? kCyclesOfLoad : 0) + (arithmetic ? cycles_of(arithmetic->kind) : 0);
  }
};

Link link_of(const Dependence& dependence, const Instruction& reader) {
  return {dependence.for_address && loads(reader), arithmetic_of(reader)};
}

class Chains {
 public:
  explicit Chains(const LoopCode& loop) {
    for (const LoopInstruction& one : loop.instructions) {
      body_.push_back(one.instruction);
    }
    for (const Dependence& one : machine_code::dependences(body_)) {
      if (counts(one, body_[one.reader])) {
        (one.carried ? carried_ : within_).push_back(one);
      }
    }
  }

  /// The dependences of the longest one, from the carried one on; empty: there is none.
  [[nodiscard]] std::vector<Dependence> longest() const {
    std::vector<Dependence> best;
    unsigned most = 0;
    for (const Dependence& first : carried_) {
      const Path path = path_from(first);
      if (path.cycles > most) {
        most = path.cycles;
        best = path.links;
      }
    }
    return best;
  }

  [[nodiscard]] const std::vector<Instruction>& body() const { return body_; }

 private:
  struct Path {
    unsigned cycles = 0;
    std::vector<Dependence> links;
  };
  struct Reached {
    std::optional<unsigned> cycles;  ///< nullopt: no way leads here
    const Dependence* by = nullptr;
  };

  /// The longest way from the carried dependence back to its writer; no cycles without one.
  [[nodiscard]] Path path_from(const Dependence& first) const {
    std::vector<Reached> reached(body_.size());
    reached[first.reader] = {link_of(first, body_[first.reader]).cycles(), &first};
    for (const Dependence& one : within_) {  // by reader, and writers stand before
      const auto& from = reached[one.writer].cycles;
      if (!from || one.reader <= first.reader) {
        continue;
      }
      const unsigned cycles = *from + link_of(one, body_[one.reader]).cycles();
      Reached& to = reached[one.reader];
      if (!to.cycles || cycles > *to.cycles) {
        to = {cycles, &one};
      }
    }
    Path path;
    if (!reached[first.writer].cycles) {
      return path;
    }
    path.cycles = *reached[first.writer].cycles;
    for (const Dependence* at = reached[first.writer].by; at != &first;
         at = reached[at->writer].by) {
      path.links.push_back(*at);
    }
    path.links.push_back(first);
    std::ranges::reverse(path.links);
    return path;
  }

  std::vector<Instruction> body_;
  std::vector<Dependence> carried_;
  std::vector<Dependence> within_;
};

/// Into what it adds to, or multiplies: the order of such may be changed.
bool accumulates(const Dependence& link, const Instruction& reader, OperationKind kind) {
  switch (kind) {
    case OperationKind::add:
    case OperationKind::mul:
      return true;
    case OperationKind::fma:
      // The register that the form 231 writes is the one that it adds to. Others multiply it.
      return name_of(reader).find("231") != std::string_view::npos &&
             reader.writes.contains(link.through);
    default:
      return false;
  }
}

bool is_reduction(const std::vector<Dependence>& links, const std::vector<Instruction>& body) {
  bool sums = false;
  bool multiplies = false;
  for (const Dependence& link : links) {
    const Instruction& reader = body[link.reader];
    const auto arithmetic = arithmetic_of(reader);
    if (!arithmetic && reader.moves && !loads(reader)) {
      continue;
    }
    if (!arithmetic || link.for_address || !accumulates(link, reader, arithmetic->kind)) {
      return false;
    }
    multiplies = multiplies || arithmetic->kind == OperationKind::mul;
    sums = sums || arithmetic->kind != OperationKind::mul;
  }
  return sums != multiplies;
}

}  // namespace

std::vector<ChainTerm> loop_chain(const LoopCode& loop) {
  if (!loop.is_straight || loop.calls || loop.instructions.size() > kLongestBody) {
    return {};
  }
  const Chains chains(loop);
  const std::vector<Dependence> links = chains.longest();
  const bool reduction = is_reduction(links, chains.body());
  std::vector<ChainTerm> terms;
  const auto add = [&](ChainTerm term) {
    for (ChainTerm& known : terms) {
      if (known.operation == term.operation && known.precision == term.precision) {
        known.operations = saturating_add(known.operations, loop.turns);
        return;
      }
    }
    term.operations = loop.turns;
    terms.push_back(term);
  };
  for (const Dependence& link : links) {
    const Link what = link_of(link, chains.body()[link.reader]);
    if (what.load) {
      add({ChainOperation::load, Precision::fp64, false, 0});
    }
    if (what.arithmetic) {
      add({static_cast<ChainOperation>(what.arithmetic->kind), what.arithmetic->precision,
           reduction, 0});
    }
  }
  return terms;
}

}  // namespace ridge::measure::binary
