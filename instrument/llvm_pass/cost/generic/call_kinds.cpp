// What kind of callee a call has, told by its name.
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/IntrinsicInst.h>

#include "instrument/llvm_pass/cost/generic/cost.hpp"

namespace ridge::pass {

using namespace llvm;

namespace {

/// Without the suffix f or l.
const StringSet<>& libm_names() {
  static const StringSet<> names = {
      "sin",      "cos",       "tan",    "asin",   "acos",      "atan",   "atan2",     "sinh",
      "cosh",     "tanh",      "asinh",  "acosh",  "atanh",     "exp",    "exp2",      "exp10",
      "expm1",    "log",       "log2",   "log10",  "log1p",     "pow",    "cbrt",      "hypot",
      "erf",      "erfc",      "tgamma", "lgamma", "fmod",      "sincos", "remainder", "remquo",
      "ldexp",    "frexp",     "modf",   "scalbn", "scalbln",   "logb",   "ilogb",     "nextafter",
      "fdim",     "sqrt",      "fma",    "fmin",   "fmax",      "fabs",   "floor",     "ceil",
      "round",    "roundeven", "trunc",  "rint",   "nearbyint", "lround", "llround",   "lrint",
      "llrint",   "copysign",  "j0",     "j1",     "jn",        "y0",     "y1",        "yn",
      "powi",     "cabs",      "cexp",   "clog",   "cpow",      "csqrt",  "csin",      "ccos",
      "sincospi", "gamma"};
  return names;
}

bool is_libm(StringRef name) {
  if (name.starts_with("_ZGV") || name.starts_with("__svml_")) return true;
  if (name.starts_with("__") && name.ends_with("_finite")) return true;
  if (libm_names().contains(name)) return true;
  return (name.ends_with("f") || name.ends_with("l")) && libm_names().contains(name.drop_back());
}

bool waits_in_openmp(StringRef name) {
  static const StringSet<> names = {"__kmpc_fork_call",      "__kmpc_fork_call_if",
                                    "__kmpc_fork_teams",     "__kmpc_barrier",
                                    "__kmpc_cancel_barrier", "__kmpc_for_static_fini",
                                    "__kmpc_reduce",         "__kmpc_reduce_nowait",
                                    "__kmpc_omp_taskwait",   "__kmpc_omp_taskwait_deps_51",
                                    "__kmpc_omp_wait_deps",  "__kmpc_taskgroup",
                                    "__kmpc_critical",       "__kmpc_critical_with_hint",
                                    "__kmpc_ordered",        "__kmpc_single",
                                    "__kmpc_doacross_wait",  "omp_set_lock"};
  return names.contains(name) || name.starts_with("__kmpc_end_");
}

bool is_cheap_query(StringRef name) {
  static const StringSet<> names = {"__kmpc_global_thread_num", "omp_get_thread_num",
                                    "omp_get_num_threads",      "omp_get_max_threads",
                                    "__errno_location",         "__kmpc_push_num_threads"};
  return names.contains(name);
}

}  // namespace

bool belongs_to_markers(StringRef name) {
  return name.starts_with("ridge_marker_") || name.starts_with("_QMridge_markerP");
}

StringRef callee_name(const CallBase& call) {
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  return callee ? callee->getName() : "(indirect call)";
}

CallKind classify(const CallBase& call) {
  if (isa<IntrinsicInst>(call)) return CallKind::intrinsic;
  if (call.isInlineAsm()) return CallKind::assembly;
  const auto* callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCastsAndAliases());
  if (!callee) return CallKind::external;
  const StringRef name = callee->getName();
  if (callee->isIntrinsic()) return CallKind::intrinsic;
  if (belongs_to_markers(name)) return CallKind::marker;
  if (!callee->isDeclaration() && !callee->hasAvailableExternallyLinkage()) {
    return CallKind::instrumented;
  }
  if (call.isNoBuiltin() && !name.starts_with("_ZGV")) return CallKind::external;
  if (is_libm(name)) return CallKind::math;
  if (name == "memcpy" || name == "memmove" || name == "memset") return CallKind::memory;
  if (waits_in_openmp(name)) return CallKind::waiting;
  return is_cheap_query(name) ? CallKind::cheap : CallKind::external;
}

bool may_not_return(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call) return false;
  if (call->hasFnAttr(Attribute::ReturnsTwice)) return true;
  switch (classify(*call)) {
    case CallKind::intrinsic:
      return call->getIntrinsicID() == Intrinsic::eh_sjlj_setjmp ||
             call->getIntrinsicID() == Intrinsic::eh_sjlj_longjmp || call->doesNotReturn();
    case CallKind::math:
    case CallKind::memory:
    case CallKind::assembly:
    case CallKind::cheap:
      return false;
    case CallKind::marker:
      return true;  // the runtime reads the counters there
    default:
      return !call->doesNotThrow() || !call->hasFnAttr(Attribute::WillReturn);
  }
}

}  // namespace ridge::pass
