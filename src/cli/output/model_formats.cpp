#include "cli/output/model_formats.hpp"

#include <algorithm>

#include "render/document/model/loop_document.hpp"
#include "render/document/model/loop_sweep.hpp"
#include "render/document/model/sweep_svg.hpp"
#include "serialize/loop_model.hpp"

namespace ridge::cli {

Result<std::string> to_svg(const LoopModels& models) {
  const auto groups = render::groups_of(models);
  const bool has_sweep = std::ranges::any_of(
      groups, [](const render::LoopGroup& group) { return !render::sweeps_of(group).empty(); });
  if (!has_sweep) {
    return fail(ErrorCode::usage,
                "model: a picture shows the time over a size, and there is one size",
                "-D N=100:10000 models many; .md and .html show one size, too");
  }
  return render::loop_sweep_svg(models);
}

Result<std::string> to_html(const LoopModels& models) {
  return render::loop_models_page(models);
}

Result<std::string> to_markdown(const LoopModels& models) {
  return render::loop_models_markdown(models);
}

Result<std::string> to_json(const LoopModels& models) {
  return serialize::write_loop_models(models);
}

std::string date_of(const LoopModels& models) {
  return models.date;
}

}  // namespace ridge::cli
