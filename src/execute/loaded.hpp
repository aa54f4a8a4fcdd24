// A shared object that was loaded, and the function and variables of the call in it.
#pragma once

#include <cstddef>
#include <vector>

#include "core/result.hpp"
#include "execute/call.hpp"
#include "execute/entry.hpp"
#include "execute/memory.hpp"

namespace ridge::execute {

class LoadedCall {
 public:
  /// The call must outlive this. Errors: `bad_input` with what the loader says, or where a symbol
  /// is missing, a variable is smaller than what is to be written there, or arguments do not fit.
  [[nodiscard]] static Result<LoadedCall> load(const Call& call);

  /// Arrays for which memory has to be given: of arguments, then of pointers.
  [[nodiscard]] std::vector<std::uint64_t> sizes() const;
  /// Of arrays that lie in the object.
  [[nodiscard]] std::vector<Span> own_spans() const;

  /// Fills all arrays and gives variables and arguments their values. `spans`: of sizes().
  void bind(const std::vector<Span>& spans);
  /// After bind().
  void call() const { words_.call(function_); }

 private:
  LoadedCall() = default;
  [[nodiscard]] Result<void> find_globals(void* handle);
  [[nodiscard]] Result<void> check_arguments() const;

  const Call* call_ = nullptr;
  void* function_ = nullptr;
  std::vector<std::byte*> globals_;  ///< where each of the call lies
  Words words_;
};

}  // namespace ridge::execute
