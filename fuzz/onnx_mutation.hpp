// Mutations of ONNX models that mostly leave them valid: operators are added whose inputs exist and
// fit, sizes and attributes change. Bytes alone would never get past the first check.
#pragma once

#include <string>
#include <string_view>

namespace ridge::fuzz {

/// `bytes` is a model, or anything else, which becomes one. One to four changes chosen by `seed`;
/// in three of four cases others are tried (eight times at most) until `accepts` says yes.
[[nodiscard]] std::string mutate_onnx(const std::string& bytes, unsigned seed,
                                      bool (*accepts)(std::string_view bytes));

}  // namespace ridge::fuzz
