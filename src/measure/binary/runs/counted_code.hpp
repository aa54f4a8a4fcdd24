// What a run that simulates needs of the run that counted, where each is a start of its own.
#pragma once

#include <string>

#include "core/result.hpp"
#include "core/value/counted_code.hpp"
#include "measure/binary/program_code.hpp"

namespace ridge::measure::binary {

/// Without code that has no file: it lies elsewhere in each run.
[[nodiscard]] CountedCode counted_code(const ProgramCode& code, CodeFiles& files);

/// The same regions again; what they do is still to come (set_work()). `program`: that is to run.
/// Errors: bad_input, with what to do, where it was not counted, or a file is another one now.
[[nodiscard]] Result<ProgramCode> planned_code(const CountedCode& counted,
                                               const std::string& program, CodeFiles& files);

}  // namespace ridge::measure::binary
