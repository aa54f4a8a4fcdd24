#include "cli/output/report_page.hpp"

#include "cli/common/later_regions.hpp"
#include "cli/common/source_excerpts.hpp"
#include "render/chart/ceilings.hpp"
#include "render/format/html/page.hpp"
#include "serialize/page.hpp"

namespace ridge::cli {
namespace {

void add_above_roofs(Page& page, const Machine& machine, std::optional<std::size_t> result,
                     std::optional<std::size_t> number) {
  for (const render::AboveRoof& above : render::patterns_above_roofs(machine)) {
    page.above_roofs.push_back({result, number, above.threads, above.level, above.sentence});
  }
}

}  // namespace

std::string report_page(const std::vector<StoredResult>& results,
                        const std::vector<Machine>& machines,
                        const std::optional<Comparison>& comparison) {
  Page page;
  render::LaterRegions later;
  for (const StoredResult& result : results) {
    page.results.push_back({result.label, result.profile, result.prediction});
    later.push_back(later_regions(result.profile));
  }
  page.machines = machines;
  for (std::size_t i = 0; i < results.size(); ++i) {
    add_above_roofs(page, results[i].profile.machine, i, {});
  }
  for (std::size_t i = 0; i < machines.size(); ++i) {
    add_above_roofs(page, machines[i], {}, i);
  }
  page.comparison = comparison;
  // Of the newest result alone: older ones may have been built from other lines.
  if (!results.empty()) {
    page.sources = source_excerpts(results.back().profile);
  }
  return render::html_page(serialize::write_page(page), later);
}

}  // namespace ridge::cli
