#include "instrument/llvm_pass/plan/vectoriser_remarks.hpp"

#include <algorithm>
#include <optional>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/PassInstrumentation.h>

namespace ridge::pass {

using namespace llvm;

namespace {

constexpr const char kVectoriser[] = "LoopVectorizePass";
constexpr StringRef kPrefix = "loop not vectorized";
/// Reasons for one loop; a loop that was copied often may be refused for many.
constexpr size_t kMostText = 512;

/// The loops of a function while the vectoriser works on it.
class CurrentLoops {
 public:
  const Loop* find(const BasicBlock& block) {
    const Function* function = block.getParent();
    if (function != function_ || !loops_ || !loops_->getLoopFor(&block)) compute(*function);
    return loops_->getLoopFor(&block);
  }
  void forget() { function_ = nullptr; }

 private:
  void compute(const Function& function) {
    function_ = &function;
    dominators_.recalculate(const_cast<Function&>(function));
    loops_.emplace(dominators_);
  }

  const Function* function_ = nullptr;
  DominatorTree dominators_;
  std::optional<LoopInfo> loops_;
};

class Listener : public DiagnosticHandler {
 public:
  Listener(std::unique_ptr<DiagnosticHandler> previous, VectoriserRemarks& remarks)
      : DiagnosticHandler(previous->DiagnosticContext),
        previous_(std::move(previous)),
        remarks_(remarks) {
    HasErrors = previous_->HasErrors;
  }

  std::unique_ptr<DiagnosticHandler> give_back() {
    previous_->HasErrors = previous_->HasErrors || HasErrors;
    return std::move(previous_);
  }

  bool handleDiagnostics(const DiagnosticInfo& diagnostic) override {
    const bool built_for_us = asked_for_us_;
    asked_for_us_ = false;
    if (const auto* remark = dyn_cast<DiagnosticInfoIROptimization>(&diagnostic)) {
      keep(*remark);
      if (built_for_us) return true;
    }
    return previous_->handleDiagnostics(diagnostic);
  }

  bool isAnalysisRemarkEnabled(StringRef pass) const override {
    return previous_->isAnalysisRemarkEnabled(pass);
  }
  bool isMissedOptRemarkEnabled(StringRef pass) const override {
    return previous_->isMissedOptRemarkEnabled(pass);
  }
  bool isPassedOptRemarkEnabled(StringRef pass) const override {
    return previous_->isPassedOptRemarkEnabled(pass);
  }
  /// Asked right before a remark is built that would else be left out.
  bool isAnyRemarkEnabled() const override {
    asked_for_us_ = !previous_->isAnyRemarkEnabled();
    return true;
  }

 private:
  void keep(const DiagnosticInfoIROptimization& remark) {
    if (isa<OptimizationRemark>(remark)) return loops_.forget();  // the function has changed
    const auto* block = dyn_cast_or_null<BasicBlock>(remark.getCodeRegion());
    const std::string message = remark.getMsg();
    // Followed by nothing, it is the summary of what an earlier remark explains.
    StringRef reason = message;
    if (!block || !reason.consume_front(kPrefix) || !reason.consume_front(": ")) {
      reason = message;
      if (!block || remark.getRemarkName() != "VectorizationNotBeneficial") return;
    }
    const Loop* loop = loops_.find(*block);
    const DebugLoc start = loop ? start_of(*loop) : DebugLoc();
    if (start && start.getLine() != 0) {
      remarks_.add(loop_key(start.get(), nesting_at_same_location(*loop)), reason);
    }
  }

  std::unique_ptr<DiagnosticHandler> previous_;
  VectoriserRemarks& remarks_;
  CurrentLoops loops_;
  mutable bool asked_for_us_ = false;
};

/// Stands in for the context's handler between start() and stop().
class Exchange {
 public:
  explicit Exchange(Session& session) : session_(session) {}

  void start() {
    LLVMContext* context = session_.context;
    if (!context || listener_ || !context->getDiagHandlerPtr()) return;
    auto listener = std::make_unique<Listener>(context->getDiagnosticHandler(), session_.remarks);
    listener_ = listener.get();
    context->setDiagnosticHandler(std::move(listener));
  }

  void stop() {
    if (!listener_) return;
    if (session_.context->getDiagHandlerPtr() == listener_) {
      session_.context->setDiagnosticHandler(listener_->give_back());
    }
    listener_ = nullptr;
  }

 private:
  Session& session_;
  Listener* listener_ = nullptr;
};

}  // namespace

void VectoriserRemarks::add(const LoopKey& loop, StringRef reason) {
  std::string& text = reasons_[loop];
  if (StringRef(text).contains(reason) || text.size() + reason.size() > kMostText) return;
  text += (text.empty() ? "" : "; ") + reason.str();
  std::replace(text.begin(), text.end(), '\n', ' ');
}

StringRef VectoriserRemarks::find(const LoopKey& loop) const {
  const auto known = reasons_.find(loop);
  return known == reasons_.end() ? StringRef() : StringRef(known->second);
}

void listen_to_vectoriser(PassBuilder& builder, std::shared_ptr<Session> session) {
  PassInstrumentationCallbacks* callbacks = builder.getPassInstrumentationCallbacks();
  if (!callbacks) return;
  auto exchange = std::make_shared<Exchange>(*session);
  callbacks->registerBeforeNonSkippedPassCallback([exchange, session](StringRef pass, Any) {
    if (pass == kVectoriser) exchange->start();
  });
  callbacks->registerAfterPassCallback(
      [exchange, session](StringRef pass, Any, const PreservedAnalyses&) {
        if (pass == kVectoriser) exchange->stop();
      });
}

}  // namespace ridge::pass
