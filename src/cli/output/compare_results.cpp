#include "cli/output/compare_results.hpp"

#include "predict/compare/compare.hpp"

namespace ridge::cli {

Comparison compare_results(const std::vector<StoredResult>& results) {
  std::vector<predict::ResultToCompare> compared;
  for (const StoredResult& result : results) {
    compared.push_back({result.label, &result.profile, &result.prediction});
  }
  return predict::compare(compared);
}

}  // namespace ridge::cli
