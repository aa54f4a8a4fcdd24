#include "predict/findings/vector_libraries.hpp"

#include <algorithm>
#include <array>

namespace ridge::predict {
namespace {

struct Entry {
  std::string_view function;
  VectorForm form;
};

// tests/end_to_end/vector_math_test.py reads this table. Functions that stand here are those of
// double; their float forms go with them.
constexpr std::array kTable{
    Entry{"cos", VectorForm::glibc},   Entry{"exp", VectorForm::glibc},
    Entry{"exp2", VectorForm::intel},  Entry{"log", VectorForm::glibc},
    Entry{"log10", VectorForm::intel}, Entry{"log2", VectorForm::intel},
    Entry{"pow", VectorForm::glibc},   Entry{"sin", VectorForm::glibc},
    Entry{"tan", VectorForm::glibc},
};

}  // namespace

VectorForm vector_form(std::string_view function) {
  const auto find = [](std::string_view name) {
    return std::find_if(kTable.begin(), kTable.end(),
                        [&](const Entry& entry) { return entry.function == name; });
  };
  const auto* found = find(function);
  if (found == kTable.end() && function.ends_with('f')) {
    found = find(function.substr(0, function.size() - 1));
  }
  return found == kTable.end() ? VectorForm::none : found->form;
}

std::string_view vector_advice(std::string_view function) {
  switch (vector_form(function)) {
    case VectorForm::glibc:
      return "-fveclib=libmvec -fno-math-errno computes several at a time";
    case VectorForm::intel:
      return "-fveclib=SVML -fno-math-errno computes several at a time, with Intel's library";
    case VectorForm::none:
      break;
  }
  return "clang 19 has no vector form of it on x86-64: only fewer calls, or a formula of your own, "
         "take less time";
}

}  // namespace ridge::predict
