// Errors as values. Problems of the environment or the input are a Result, partial knowledge is a
// std::optional, bugs are assert.
#pragma once

#include <string>

#include <tl/expected.hpp>

namespace ridge {

/// The value is the exit code (docs/contracts.md, section 5; docs/formats/exit-codes.md).
enum class ErrorCode {
  gate_failed = 1,
  usage = 2,
  bad_input = 3,
  unavailable = 4,
  write_failed = 5,
};

struct Error {
  ErrorCode code = ErrorCode::bad_input;
  std::string message;  ///< what is wrong, with file, line or key
  std::string hint;     ///< what the user can do about it; may be empty

  [[nodiscard]] int exit_code() const { return static_cast<int>(code); }
};

template <class T>
using Result = tl::expected<T, Error>;

/// Shorthand for returning an error from a function that yields a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message,
                                                std::string hint = {}) {
  return tl::make_unexpected(Error{code, std::move(message), std::move(hint)});
}

}  // namespace ridge
