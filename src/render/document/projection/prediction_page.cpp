#include "render/document/projection/prediction_page.hpp"

#include <utility>

#include <fmt/format.h>

#include "render/chart/format_si.hpp"
#include "render/chart/text.hpp"
#include "render/document/projection/prediction_cells.hpp"
#include "render/document/projection/prediction_chart.hpp"
#include "render/format/html/static_page.hpp"
#include "render/format/svg/roofline_svg.hpp"

namespace ridge::render {
namespace {

std::string bound_of(const ResourcePrediction& machine) {
  return machine.binding ? clean(machine.resources[*machine.binding].resource)
                         : clean(machine.missing.value_or(std::string(kUnknown)));
}

std::string measured_of(const KernelPrediction& prediction, const ResourcePrediction& machine) {
  return machine.measured ? si(machine.measured->seconds, "s")
                          : si(prediction.measured_seconds, "s");
}

PageTable machine_table(const std::vector<KernelPrediction>& predictions) {
  PageTable table{"Predictions",
                  {"computation", "machine", "", "bound by", "rate unknown", "attainable",
                   "full overlap", "no overlap", "measured"},
                  5,
                  {}};
  for (const KernelPrediction& prediction : predictions) {
    for (const ResourcePrediction& machine : prediction.machines) {
      table.rows.push_back({clean(prediction.kernel.name), clean(machine.machine),
                            clean(machine.machine_name), bound_of(machine),
                            unbounded_words(machine), rate_of(machine.attainable, machine.unit),
                            si(machine.seconds, "s"), si(machine.sum_seconds, "s"),
                            measured_of(prediction, machine)});
    }
  }
  return table;
}

std::string origin_of(const ResourceTime& resource) {
  return fmt::format("{}{}{}{}",
                     resource.basis ? fmt::format("{}, ", to_string(*resource.basis)) : "",
                     to_string(resource.origin),
                     resource.source ? fmt::format(" [{}]", clean(*resource.source)) : "",
                     resource.verified ? "" : ", unverified");
}

PageTable resource_table(const std::vector<KernelPrediction>& predictions) {
  PageTable table{"Roofs",
                  {"computation", "machine", "resource", "rate of", "origin of the rate", "rate",
                   "amount", "intensity", "roof", "time"},
                  5,
                  {}};
  for (const KernelPrediction& prediction : predictions) {
    for (const ResourcePrediction& machine : prediction.machines) {
      for (const ResourceTime& resource : machine.resources) {
        table.rows.push_back({clean(prediction.kernel.name), clean(machine.machine),
                              clean(resource.resource), clean(resource.rate_name),
                              origin_of(resource), rate_of(resource.rate, resource.unit),
                              si(resource.amount, amount_unit(resource.unit)),
                              resource.intensity ? number(*resource.intensity) + " flop/byte"
                                                 : std::string(kUnknown),
                              rate_of(resource.roof, machine.unit), si(resource.seconds, "s")});
      }
    }
  }
  return table;
}

std::vector<std::string> notes_of(const std::vector<KernelPrediction>& predictions) {
  std::vector<std::string> notes;
  for (const KernelPrediction& prediction : predictions) {
    for (const ResourcePrediction& machine : prediction.machines) {
      for (const Note& note : machine.notes) {
        notes.push_back(fmt::format("{} on {}: {}", clean(prediction.kernel.name),
                                    clean(machine.machine), clean(note.text)));
      }
    }
  }
  return notes;
}

}  // namespace

std::string prediction_page(const std::vector<KernelPrediction>& predictions,
                            const std::vector<KernelPrediction>& drawn) {
  Chart picture = prediction_chart(drawn);
  const std::string title = std::exchange(picture.title, {});
  std::string body = picture.regions.empty() ? std::string() : page_figure(chart_element(picture));
  body += page_table(machine_table(predictions));
  body += page_table(resource_table(predictions));
  body += page_list("Notes", "quiet", notes_of(predictions));
  return static_page(title.empty() ? "Roofline" : title,
                     "What each machine would allow, between full overlap of its resources and "
                     "none.",
                     body);
}

}  // namespace ridge::render
