#include "cli/output/projection_formats.hpp"

#include "render/document/projection/projection_svg.hpp"
#include "serialize/projection.hpp"

namespace ridge::cli {

Result<std::string> to_svg(const ProjectionContent& content) {
  return render::projection_svg(content.profile, content.projection);
}

Result<std::string> to_json(const ProjectionContent& content) {
  return serialize::write_projection(content.profile, content.projection);
}

}  // namespace ridge::cli
