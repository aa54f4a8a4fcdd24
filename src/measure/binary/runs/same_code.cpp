#include "measure/binary/runs/same_code.hpp"

#include <array>
#include <cstdlib>

namespace ridge::measure::binary {

std::vector<std::pair<std::string, std::string>> same_code_variables() {
  constexpr std::array<std::pair<const char*, const char*>, 3> kVariables{
      {{"OPENBLAS_CORETYPE", "Haswell"},
       {"NPY_DISABLE_CPU_FEATURES", "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"},
       {"GLIBC_TUNABLES",
        "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD,-AVX512ER,-AVX512PF"}}};
  std::vector<std::pair<std::string, std::string>> chosen;
  for (const auto& [name, value] : kVariables) {
    if (std::getenv(name) == nullptr) {
      chosen.emplace_back(name, value);
    }
  }
  return chosen;
}

}  // namespace ridge::measure::binary
