#include "instrument/llvm_pass/insert/counting.hpp"

#include <map>

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Local.h>

#include "instrument/llvm_pass/insert/work_details.hpp"
#include "instrument/llvm_pass/plan/segments.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

struct DynamicAdd {
  uint32_t counter;
  Instruction* instruction;
  DynamicCost cost;
};

struct IterationAdd {
  uint32_t counter;
  Instruction* call;
};

bool is_irreducible(Function& function, const LoopInfo& loops) {
  ReversePostOrderTraversal<const Function*> order(&function);
  return containsIrreducibleCFG<const BasicBlock*>(order, loops);
}

}  // namespace

struct FunctionCounting::Plan {
  Plan(Function& f, Analyses& a, FunctionRegions& r, CounterTable& t, ProbeTable& p,
       StringTable& strings)
      : function(f),
        analyses(a),
        regions(r),
        table(t),
        probes(p),
        irreducible(is_irreducible(f, a.loops)),
        segments(a.dominators, a.post_dominators, a.loops, !irreducible),
        first_class(p.add_classes(static_cast<uint32_t>(segments.all().size()))),
        model(f, strings),
        details(f, a) {}

  /// The counter of a class for one region.
  Counter& counter(unsigned segment_class, uint32_t region) {
    const auto [entry, inserted] = fixed.try_emplace({segment_class, region}, 0);
    if (inserted) {
      entry->second = table.add(region, first_class + segment_class, RIDGE_COUNTS_EXECUTIONS);
    }
    return table[entry->second];
  }

  void add_instruction(Instruction& instruction, unsigned segment_class, uint32_t region);
  void add_iterations(CallInst& call, unsigned segment_class);
  void add_loop(Loop& loop);
  Value* dynamic_amount(OwnBuilder& builder, const DynamicCost& cost);
  const SCEV* dynamic_scev(const DynamicCost& cost);

  Function& function;
  Analyses& analyses;
  FunctionRegions& regions;
  CounterTable& table;
  ProbeTable& probes;
  bool irreducible;
  Segments segments;
  uint32_t first_class;  ///< execution class of segment class 0
  CostModel model;
  WorkDetails details;
  std::map<std::pair<unsigned, uint32_t>, uint32_t> fixed;
  std::vector<DynamicAdd> dynamic;
  std::vector<IterationAdd> iterations;
  DenseSet<uint32_t> counted_early;  ///< regions whose entries and iterations are known
};

void FunctionCounting::Plan::add_instruction(Instruction& instruction, unsigned segment_class,
                                             uint32_t region) {
  const Cost cost = model.cost(instruction);
  for (const FixedCost& part : cost.fixed) {
    Counter& fixed_counter = counter(segment_class, region);
    fixed_counter.terms[part.term] += part.amount;
    for (const FixedCost& detail : details.of(instruction, part)) {
      fixed_counter.terms[detail.term] += detail.amount;
    }
  }
  if (!cost.fixed.empty()) {
    for (const FixedCost& bytes : WorkDetails::frame_bytes(instruction)) {
      counter(segment_class, region).terms[bytes.term] += bytes.amount;
    }
  }
  for (const DynamicCost& part : cost.dynamic) {
    if (part.position && segments.class_of(*part.position) != segment_class) continue;
    const uint32_t index = table.add(region, first_class + segment_class, RIDGE_COUNTS_AMOUNTS);
    table[index].terms[part.term] = part.amount;
    for (const FixedCost& detail : details.of(instruction, part)) {
      table[index].terms[detail.term] += detail.amount;
    }
    if (const auto lanes = details.all_lanes(part)) {
      counter(segment_class, region).terms[lanes->term] += lanes->amount;
    }
    dynamic.push_back({index, part.position ? part.position : &instruction, part});
  }
}

void FunctionCounting::Plan::add_iterations(CallInst& call, unsigned segment_class) {
  const std::optional<uint32_t> region = region_of_iterations(call, regions);
  if (!region) return;
  counted_early.insert(*region);
  Counter& entries = counter(segment_class, *region);
  entries.terms[{RIDGE_ENTRIES}] += 1;
  if (const auto* constant = dyn_cast<ConstantInt>(call.getArgOperand(0))) {
    entries.terms[{RIDGE_ITERATIONS}] += constant->getZExtValue();
    return;
  }
  const uint32_t index = table.add(*region, first_class + segment_class, RIDGE_COUNTS_AMOUNTS);
  table[index].terms[{RIDGE_ITERATIONS}] = 1;
  iterations.push_back({index, &call});
}

/// Entries and executions of a loop that carries no count from the early part.
void FunctionCounting::Plan::add_loop(Loop& loop) {
  const uint32_t region = regions.of(&loop);
  if (counted_early.contains(region)) return;
  if (const BasicBlock* preheader = loop.getLoopPreheader()) {
    counter(segments.class_of_end(*preheader), region).terms[{RIDGE_ENTRIES}] += 1;
  }
  // A loop in while form runs its header once more than its body.
  const BasicBlock* counted = loop.getHeader();
  const BasicBlock* latch = loop.getLoopLatch();
  if (latch && latch != counted && loop.isLoopExiting(counted) && !loop.isLoopExiting(latch)) {
    counted = latch;
  }
  counter(segments.class_of_start(*counted), region).terms[{RIDGE_HEADER_EXECUTIONS}] += 1;
}

Value* FunctionCounting::Plan::dynamic_amount(OwnBuilder& builder, const DynamicCost& cost) {
  if (cost.bytes) return cost.bytes->dynamic_bytes(builder);
  if (!cost.low_bit_of) {
    Value* on = cost.lanes.count(builder);
    return cost.inverted ? builder.CreateSub(builder.getInt64(cost.lanes.lanes), on) : on;
  }
  Value* mask = cost.inverted ? builder.CreateNot(cost.low_bit_of) : cost.low_bit_of;
  return builder.CreateZExtOrTrunc(builder.CreateAnd(mask, 1), builder.getInt64Ty());
}

const SCEV* FunctionCounting::Plan::dynamic_scev(const DynamicCost& cost) {
  if (!cost.bytes || cost.bytes->shape != MemoryAccess::Shape::range) return nullptr;
  Value* length = cost.bytes->length;
  ScalarEvolution& evolution = analyses.evolution;
  if (!evolution.isSCEVable(length->getType())) return nullptr;
  return evolution.getTruncateOrZeroExtend(evolution.getSCEV(length),
                                           Type::getInt64Ty(function.getContext()));
}

FunctionCounting::FunctionCounting(Function& function, Analyses& analyses, FunctionRegions& regions,
                                   CounterTable& table, ProbeTable& probes, StringTable& strings)
    : plan_(std::make_unique<Plan>(function, analyses, regions, table, probes, strings)) {
  Plan& plan = *plan_;
  const BasicBlock* entry = &function.getEntryBlock();
  // The entry block holds nothing but allocas; the function proper starts behind it.
  const BasicBlock* body = entry->getSingleSuccessor();
  plan.counter(plan.segments.class_of_start(*body), regions.function_region())
      .terms[{RIDGE_ENTRIES}] += 1;
  for (BasicBlock& block : function) {
    if (&block == entry || !analyses.dominators.isReachableFromEntry(&block)) continue;
    for (Instruction& instruction : block) {
      const unsigned segment_class = plan.segments.class_of(instruction);
      if (is_iterations_call(instruction)) {
        plan.add_iterations(cast<CallInst>(instruction), segment_class);
      } else {
        plan.add_instruction(instruction, segment_class, regions.of_source(instruction));
      }
    }
  }
  for (Loop* loop : analyses.loops.getLoopsInPreorder()) plan.add_loop(*loop);
}

FunctionCounting::~FunctionCounting() = default;

void FunctionCounting::insert(FunctionEntry& entry) {
  Plan& plan = *plan_;
  ScalarEvolution& evolution = plan.analyses.evolution;
  Type* i64 = Type::getInt64Ty(plan.function.getContext());
  CounterPlacement placement(plan.function, plan.analyses, entry, plan.table, plan.irreducible);
  for (auto first = plan.fixed.begin(); first != plan.fixed.end();) {
    const unsigned segment_class = first->first.first;
    SmallVector<uint32_t, 4> counters;
    for (; first != plan.fixed.end() && first->first.first == segment_class; ++first) {
      counters.push_back(first->second);
    }
    const Segments::Segment& segment = plan.segments.all()[segment_class];
    placement.place(counters, segment.block, plan.segments.position(segment_class),
                    evolution.getOne(i64), [](OwnBuilder& builder) { return builder.getInt64(1); });
  }
  for (const DynamicAdd& add : plan.dynamic) {
    placement.place(add.counter, add.instruction->getParent(), add.instruction,
                    plan.dynamic_scev(add.cost),
                    [&](OwnBuilder& builder) { return plan.dynamic_amount(builder, add.cost); });
  }
  for (const IterationAdd& add : plan.iterations) {
    Value* amount = cast<CallInst>(add.call)->getArgOperand(0);
    placement.place(add.counter, add.call->getParent(), add.call, evolution.getSCEV(amount),
                    [&](OwnBuilder&) { return amount; });
  }
}

void FunctionCounting::insert_probes(uint64_t function_id) {
  Plan& plan = *plan_;
  plan.probes.begin_function(function_id);
  DenseMap<const BasicBlock*, SmallVector<const Segments::Segment*, 1>> segments_of;
  const std::vector<Segments::Segment>& segments = plan.segments.all();
  for (const Segments::Segment& segment : segments) {
    segments_of[segment.block].push_back(&segment);
  }
  for (BasicBlock& block : plan.function) {
    const auto found = segments_of.find(&block);
    if (found == segments_of.end() || block.isEntryBlock()) {
      insert_probe(&*block.getFirstInsertionPt(), 0, plan.probes);
      continue;
    }
    for (const Segments::Segment* segment : found->second) {
      // Nothing may stand between a tail call and its return.
      if (segment->barrier && segment->barrier->getNextNonDebugInstruction()->isTerminator()) {
        continue;
      }
      Instruction* position =
          segment->barrier ? segment->barrier->getNextNode() : &*block.getFirstInsertionPt();
      const uint32_t behind_call = segment->barrier ? RIDGE_PROBE_BEHIND_CALL : 0;
      insert_probe(position, (plan.first_class + segment->leader) | behind_call, plan.probes);
    }
  }
}

std::optional<uint32_t> region_of_iterations(const Instruction& call,
                                             const FunctionRegions& regions) {
  const auto* nesting = cast<ConstantInt>(cast<CallInst>(call).getArgOperand(1));
  return regions.find(call.getDebugLoc().get(), static_cast<unsigned>(nesting->getZExtValue()));
}

void drop_unused_iteration_calls(Function& function, const FunctionRegions& regions) {
  SmallVector<Instruction*, 16> calls;
  SmallVector<WeakTrackingVH, 16> amounts;
  for (Instruction& instruction : instructions(function)) {
    if (!is_iterations_call(instruction) || region_of_iterations(instruction, regions)) continue;
    calls.push_back(&instruction);
    amounts.emplace_back(cast<CallInst>(instruction).getArgOperand(0));
  }
  for (Instruction* call : calls) call->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(amounts);
}

void remove_iteration_calls(Function& function) {
  for (Instruction& instruction : make_early_inc_range(instructions(function))) {
    if (is_iterations_call(instruction)) instruction.eraseFromParent();
  }
}

}  // namespace ridge::pass
