#include "instrument/llvm_pass/cost/generic/access_pattern.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallBitVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include "instrument/llvm_pass/cost/generic/memory_access.hpp"
#include "instrument/llvm_pass/cost/generic/target.hpp"

namespace ridge::pass {

using namespace llvm;
using Shape = MemoryAccess::Shape;

namespace {

/// Values looked through for a load that an address comes from.
constexpr size_t kMostValues = 256;
/// Groups of one base and step that a new access is compared with.
constexpr size_t kMostGroups = 64;

AccessPattern constant_stride(uint64_t bytes) {
  constexpr uint64_t kMost = std::numeric_limits<uint32_t>::max();
  return {RIDGE_PATTERN_CONSTANT, bytes > kMost ? 0 : static_cast<uint32_t>(bytes)};
}

/// A load from one and the same address in every iteration: its result hardly ever changes, the
/// compiler just cannot prove it (`p->data[i]` beside stores of an unknown type).
bool loads_same_place(const Value* value, const Loop& loop, ScalarEvolution& evolution) {
  const auto* load = dyn_cast<LoadInst>(value);
  return load && evolution.isLoopInvariant(
                     evolution.getSCEV(const_cast<Value*>(load->getPointerOperand())), &loop);
}

bool comes_from_load(Value* address, const Loop& loop, ScalarEvolution& evolution) {
  SmallPtrSet<const Value*, 32> seen;
  SmallVector<Value*, 32> pending{address};
  while (!pending.empty() && seen.size() < kMostValues) {
    auto* instruction = dyn_cast<Instruction>(pending.pop_back_val());
    if (!instruction || !loop.contains(instruction) || !seen.insert(instruction).second) continue;
    if (loads_same_place(instruction, loop, evolution)) continue;
    if (instruction->mayReadFromMemory()) return true;
    for (Value* operand : instruction->operands()) pending.push_back(operand);
  }
  return false;
}

/// The distance between the lanes of a vector of integers or pointers.
struct LaneStep {
  std::optional<int64_t> bytes;  ///< nullopt: equal between all lanes, known at run time only
};

std::optional<LaneStep> step_of_constant(const Constant& constant) {
  auto* type = dyn_cast<FixedVectorType>(constant.getType());
  if (!type || type->getNumElements() < 2) return std::nullopt;
  std::optional<int64_t> step;
  for (unsigned lane = 1; lane < type->getNumElements(); ++lane) {
    const auto* before = dyn_cast_or_null<ConstantInt>(constant.getAggregateElement(lane - 1));
    const auto* here = dyn_cast_or_null<ConstantInt>(constant.getAggregateElement(lane));
    if (!before || !here || here->getBitWidth() > 64) return std::nullopt;
    const int64_t distance = here->getSExtValue() - before->getSExtValue();
    if (step && *step != distance) return std::nullopt;
    step = distance;
  }
  return LaneStep{step};
}

class LaneSteps {
 public:
  explicit LaneSteps(const DataLayout& layout) : layout_(layout) {}

  std::optional<LaneStep> of(Value* value) {
    if (!value->getType()->isVectorTy() || getSplatValue(value)) return LaneStep{0};
    if (const auto* constant = dyn_cast<Constant>(value)) return step_of_constant(*constant);
    auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || depth_ == kDeepest) return std::nullopt;
    ++depth_;
    const auto result = of_instruction(*instruction);
    --depth_;
    return result;
  }

 private:
  std::optional<LaneStep> of_instruction(Instruction& instruction) {
    if (isa<SExtInst, ZExtInst, TruncInst>(instruction)) return of(instruction.getOperand(0));
    if (auto* phi = dyn_cast<PHINode>(&instruction)) return of_phi(*phi);
    if (auto* address = dyn_cast<GetElementPtrInst>(&instruction)) return of_address(*address);
    switch (instruction.getOpcode()) {
      case Instruction::Add:
      case Instruction::Or:  // of bits that are free: the optimiser's form of an addition
      case Instruction::Sub:
        return sum(of(instruction.getOperand(0)), of(instruction.getOperand(1)),
                   instruction.getOpcode() == Instruction::Sub ? -1 : 1);
      case Instruction::Mul:
        return product(of(instruction.getOperand(0)), instruction.getOperand(1), false);
      case Instruction::Shl:
        return product(of(instruction.getOperand(0)), instruction.getOperand(1), true);
      default:
        return std::nullopt;
    }
  }

  /// An induction: its start tells, as long as what is added is the same for all lanes.
  std::optional<LaneStep> of_phi(PHINode& phi) {
    std::optional<LaneStep> start;
    for (Value* incoming : phi.incoming_values()) {
      const auto* step = dyn_cast<BinaryOperator>(incoming);
      const bool is_next = step && step->getOpcode() == Instruction::Add &&
                           step->getOperand(0) == &phi && getSplatValue(step->getOperand(1));
      if (is_next) continue;
      if (start) return std::nullopt;
      start = of(incoming);
      if (!start) return std::nullopt;
    }
    return start;
  }

  std::optional<LaneStep> of_address(GetElementPtrInst& address) {
    std::optional<LaneStep> result = of(address.getPointerOperand());
    for (auto index = gep_type_begin(address); index != gep_type_end(address); ++index) {
      const auto lanes = of(index.getOperand());
      if (!lanes) return std::nullopt;
      if (lanes->bytes == 0) continue;
      if (index.isStruct()) return std::nullopt;
      const auto size = static_cast<int64_t>(index.getSequentialElementStride(layout_));
      result = sum(result,
                   LaneStep{lanes->bytes ? std::optional(*lanes->bytes * size) : lanes->bytes}, 1);
    }
    return result;
  }

  static std::optional<LaneStep> sum(std::optional<LaneStep> a, std::optional<LaneStep> b,
                                     int64_t sign) {
    if (!a || !b) return std::nullopt;
    if (!a->bytes || !b->bytes) return LaneStep{};
    return LaneStep{*a->bytes + sign * *b->bytes};
  }

  static std::optional<LaneStep> product(std::optional<LaneStep> lanes, Value* factor, bool shift) {
    const Value* splat = getSplatValue(factor);
    if (!lanes || !splat) return std::nullopt;
    if (lanes->bytes == 0) return lanes;
    const auto* constant = dyn_cast<ConstantInt>(splat);
    if (!constant || !lanes->bytes || constant->getBitWidth() > 64) return LaneStep{};
    const int64_t value = constant->getSExtValue();
    if (shift && (value < 0 || value > 62)) return std::nullopt;
    return LaneStep{*lanes->bytes * (shift ? int64_t{1} << value : value)};
  }

  static constexpr int kDeepest = 16;
  const DataLayout& layout_;
  int depth_ = 0;
};

/// Lanes of a vector load that anything uses; nullopt: all, or not known. Accesses to some fields
/// of structures become loads of whole structures of which shuffles take a part.
std::optional<SmallBitVector> used_lanes(const Instruction& instruction) {
  const auto* type = dyn_cast<FixedVectorType>(instruction.getType());
  if (!isa<LoadInst>(instruction) || !type || instruction.use_empty()) return std::nullopt;
  const unsigned lanes = type->getNumElements();
  SmallBitVector used(lanes);
  for (const Use& use : instruction.uses()) {
    const auto* shuffle = dyn_cast<ShuffleVectorInst>(use.getUser());
    if (!shuffle) return std::nullopt;
    const auto first = static_cast<int>(use.getOperandNo() * lanes);
    for (const int lane : shuffle->getShuffleMask()) {
      if (lane >= first && lane < first + static_cast<int>(lanes)) {
        used.set(static_cast<unsigned>(lane - first));
      }
    }
  }
  if (used.all() || used.none()) return std::nullopt;
  return used;
}

/// One access with a constant step, [start, start + extent) in the first iteration.
struct Site {
  AccessPattern* pattern;
  int64_t offset;  ///< from the start of the group's first
  uint64_t extent;
};

struct Group {
  const SCEV* start;
  std::vector<Site> sites;
};

/// What all sites of a group leave out of each step.
AccessPattern pattern_of(const Group& group, uint64_t step) {
  std::vector<std::pair<uint64_t, uint64_t>> intervals;
  for (const Site& site : group.sites) {
    if (site.extent >= step) return {RIDGE_PATTERN_UNIT};
    const auto modulus = static_cast<int64_t>(step);
    const auto first = static_cast<uint64_t>((site.offset % modulus + modulus) % modulus);
    intervals.emplace_back(first, std::min(first + site.extent, step));
    if (first + site.extent > step) intervals.emplace_back(0, first + site.extent - step);
  }
  std::sort(intervals.begin(), intervals.end());
  uint64_t covered = 0;
  uint64_t end = 0;
  uint64_t runs = 0;
  for (const auto& [first, last] : intervals) {
    runs += runs == 0 || first > end;
    covered += last > std::max(first, end) ? last - std::max(first, end) : 0;
    end = std::max(end, last);
  }
  if (covered >= step) return {RIDGE_PATTERN_UNIT};
  const bool wraps = runs > 1 && intervals.front().first == 0 && end == step;
  return constant_stride(step / (runs - wraps));
}

const Value* object_of(const MemoryAccess& access) {
  return access.address->getType()->isVectorTy() ? access.address
                                                 : getUnderlyingObject(access.address, 0);
}

class Classifier {
 public:
  Classifier(Function& function, ScalarEvolution& evolution)
      : layout_(function.getParent()->getDataLayout()), evolution_(evolution), lanes_(layout_) {}

  /// `result` may be written until finish() has returned.
  void add(const Instruction& instruction, const MemoryAccess& access, const Loop& loop,
           AccessPattern& result) {
    result.gathers = access.shape == Shape::scattered;
    if (access.shape == Shape::range || access.shape == Shape::packed) {
      result.kind = RIDGE_PATTERN_UNIT;  // leaves no gap by what it is
    } else if (access.shape == Shape::scattered) {
      scattered(access, loop, result);
    } else {
      const bool whole = access.shape == Shape::whole;
      const uint64_t extent = access.bytes * (whole ? 1 : access.mask.lanes);
      consecutive(access.address, parts_of(instruction, extent), loop, result);
    }
  }

  void finish() {
    for (const auto& [key, groups] : groups_) {
      for (const Group& group : groups) {
        const AccessPattern found = pattern_of(group, std::get<2>(key));
        for (const Site& site : group.sites) *site.pattern = found;
      }
    }
  }

 private:
  /// Stretches of an access that matter: first byte, bytes.
  using Parts = SmallVector<std::pair<int64_t, uint64_t>, 4>;

  static Parts parts_of(const Instruction& instruction, uint64_t extent) {
    const auto used = used_lanes(instruction);
    if (!used) return {{0, extent}};
    Parts parts;
    const uint64_t bytes = extent / used->size();
    for (const unsigned lane : used->set_bits()) {
      parts.emplace_back(static_cast<int64_t>(lane * bytes), bytes);
    }
    return parts;
  }

  void consecutive(Value* address, const Parts& parts, const Loop& loop, AccessPattern& result) {
    if (!evolution_.isSCEVable(address->getType())) return;
    const SCEV* moves = without_reloaded(evolution_.getSCEV(address), loop);
    if (evolution_.isLoopInvariant(moves, &loop)) {
      result.kind = RIDGE_PATTERN_INVARIANT;
      return;
    }
    const auto* recurrence = dyn_cast<SCEVAddRecExpr>(moves);
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine()) {
      PredicatedScalarEvolution assuming(evolution_, const_cast<Loop&>(loop));
      recurrence = assuming.getAsAddRec(address);  // if index arithmetic does not wrap
    }
    if (!recurrence || recurrence->getLoop() != &loop || !recurrence->isAffine()) {
      result.kind = comes_from_load(address, loop, evolution_) ? RIDGE_PATTERN_INDIRECT
                                                               : RIDGE_PATTERN_UNKNOWN;
      return;
    }
    const SCEV* step = recurrence->getStepRecurrence(evolution_);
    if (const auto* constant = dyn_cast<SCEVConstant>(step)) {
      add_site(*recurrence, constant->getAPInt().abs().getLimitedValue(), parts, loop, result);
    } else {
      result.kind = RIDGE_PATTERN_CONSTANT;
    }
  }

  /// The sum without terms that are loaded again and again from one place.
  const SCEV* without_reloaded(const SCEV* address, const Loop& loop) {
    const auto* sum = dyn_cast<SCEVAddExpr>(address);
    if (!sum) return address;
    SmallVector<const SCEV*, 4> kept;
    for (const SCEV* term : sum->operands()) {
      const auto* unknown = dyn_cast<SCEVUnknown>(term);
      const bool reloaded = unknown && !loop.isLoopInvariant(unknown->getValue()) &&
                            loads_same_place(unknown->getValue(), loop, evolution_);
      if (!reloaded) kept.push_back(term);
    }
    if (kept.empty() || kept.size() == sum->getNumOperands()) return address;
    return evolution_.getAddExpr(kept);
  }

  void add_site(const SCEVAddRecExpr& recurrence, uint64_t step, const Parts& parts,
                const Loop& loop, AccessPattern& result) {
    if (step == 0 || step > uint64_t{1} << 62) return;
    const SCEV* start = recurrence.getStart();
    const auto add_parts = [&](Group& group, int64_t distance) {
      for (const auto& [first, bytes] : parts) {
        group.sites.push_back({&result, distance + first, bytes});
      }
    };
    auto& groups = groups_[{&loop, evolution_.getPointerBase(start), step}];
    for (size_t i = 0; i < std::min(groups.size(), kMostGroups); ++i) {
      const auto* distance =
          dyn_cast<SCEVConstant>(evolution_.getMinusSCEV(start, groups[i].start));
      if (!distance || distance->getAPInt().getSignificantBits() > 62) continue;
      return add_parts(groups[i], distance->getAPInt().getSExtValue());
    }
    groups.push_back({start, {}});
    add_parts(groups.back(), 0);
  }

  void scattered(const MemoryAccess& access, const Loop& loop, AccessPattern& result) {
    Value* lanes = access.index ? access.index : access.address;
    const auto step = lanes_.of(lanes);
    if (!step) {
      result.kind =
          comes_from_load(lanes, loop, evolution_) ? RIDGE_PATTERN_INDIRECT : RIDGE_PATTERN_UNKNOWN;
      return;
    }
    const uint64_t scale = access.index ? access.scale : 1;
    const uint64_t bytes = step->bytes ? static_cast<uint64_t>(std::abs(*step->bytes)) * scale : 0;
    const bool gathers = result.gathers;
    result = constant_stride(bytes);
    if (step->bytes && bytes <= access.bytes) result = {RIDGE_PATTERN_UNIT};
    result.gathers = gathers;
  }

  const DataLayout& layout_;
  ScalarEvolution& evolution_;
  LaneSteps lanes_;
  /// By loop, base of the addresses, and magnitude of the step.
  std::map<std::tuple<const Loop*, const SCEV*, uint64_t>, std::vector<Group>> groups_;
};

}  // namespace

AccessPatterns::AccessPatterns(Function& function, const LoopInfo& loops,
                               ScalarEvolution& evolution) {
  struct Found {
    Instruction* instruction;
    const Loop* loop;
    MemoryAccess access;
  };
  const DataLayout& layout = function.getParent()->getDataLayout();
  std::vector<Found> found;
  for (BasicBlock& block : function) {
    const Loop* loop = loops.getLoopFor(&block);
    for (Instruction& instruction : block) {
      MemoryAccesses accesses;
      if (!loop || is_own(instruction) || !collect_accesses(instruction, layout, accesses))
        continue;
      for (const MemoryAccess& access : accesses) found.push_back({&instruction, loop, access});
    }
  }
  std::vector<AccessPattern> patterns(found.size());
  Classifier classifier(function, evolution);
  for (size_t i = 0; i < found.size(); ++i) {
    classifier.add(*found[i].instruction, found[i].access, *found[i].loop, patterns[i]);
  }
  classifier.finish();
  DenseSet<std::pair<const Loop*, const Value*>> loaded;
  for (const Found& access : found) {
    if (!access.access.write) loaded.insert({access.loop, object_of(access.access)});
  }
  for (size_t i = 0; i < found.size(); ++i) {
    const MemoryAccess& access = found[i].access;
    const Value* object = object_of(access);
    // What is loaded in the loop may point anywhere.
    const auto* instruction = dyn_cast<Instruction>(object);
    patterns[i].overwrites = access.write && !access.non_temporal &&
                             patterns[i].kind == RIDGE_PATTERN_UNIT &&
                             !(instruction && found[i].loop->contains(instruction)) &&
                             !loaded.contains({found[i].loop, object});
    patterns_[{found[i].instruction, found[i].access.write}] = patterns[i];
  }
}

std::optional<AccessPattern> AccessPatterns::find(const Instruction& instruction,
                                                  bool write) const {
  const auto known = patterns_.find({&instruction, write});
  if (known == patterns_.end()) return std::nullopt;
  return known->second;
}

}  // namespace ridge::pass
