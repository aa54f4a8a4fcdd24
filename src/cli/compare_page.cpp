#include "cli/compare_page.hpp"

#include "predict/compare/compare.hpp"
#include "render/html/page.hpp"
#include "serialize/page.hpp"

namespace ridge::cli {
namespace {

/// Older pages hold no comparison: they show the results beside one another.
template <class Page>
void set_comparison(Page& page, const Comparison& comparison) {
  if constexpr (requires { page.comparison = comparison; }) {
    page.comparison = comparison;
  }
}

}  // namespace

Comparison compare_results(const std::vector<StoredResult>& results) {
  std::vector<predict::ResultToCompare> compared;
  for (const StoredResult& result : results) {
    compared.push_back({result.label, &result.profile, &result.prediction});
  }
  return predict::compare(compared);
}

std::string results_page(const std::vector<StoredResult>& results, const Comparison* comparison) {
  serialize::Page page;
  for (const StoredResult& result : results) {
    page.results.push_back({result.label, result.profile, result.prediction});
  }
  if (comparison != nullptr) {
    set_comparison(page, *comparison);
  }
  return render::html_page(serialize::write_page(page));
}

}  // namespace ridge::cli
