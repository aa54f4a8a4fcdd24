#include "cli/output/prediction_formats.hpp"

#include "render/chart/chart.hpp"
#include "render/document/projection/prediction_chart.hpp"
#include "render/document/projection/prediction_page.hpp"
#include "render/format/svg/roofline_svg.hpp"
#include "serialize/kernel_prediction.hpp"

namespace ridge::cli {

namespace {

const std::vector<KernelPrediction>& drawn_of(const PredictionContent& content) {
  return content.drawn.empty() ? content.predictions : content.drawn;
}

}  // namespace

Result<std::string> to_html(const PredictionContent& content) {
  return render::prediction_page(content.predictions, drawn_of(content));
}

Result<std::string> to_svg(const PredictionContent& content) {
  const render::Chart chart = render::prediction_chart(drawn_of(content));
  if (chart.regions.empty()) {
    return fail(ErrorCode::usage,
                "predict: nothing to draw: no computation has work, traffic and a "
                "machine with both rates",
                "name a machine with --on or --machine, and give work and bytes");
  }
  return render::chart_svg(chart);
}

Result<std::string> to_json(const PredictionContent& content) {
  return content.predictions.size() == 1
             ? serialize::write_kernel_prediction(content.predictions.front())
             : serialize::write_kernel_predictions(content.predictions);
}

std::string date_of(const PredictionContent& /*content*/) {
  return {};
}

}  // namespace ridge::cli
