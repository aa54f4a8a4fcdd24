#include "render/format/svg/svg_writer.hpp"

#include <fmt/format.h>

#include "render/chart/text.hpp"

namespace ridge::render::svg {
namespace {

std::string start_of(std::string_view name, Attributes attributes) {
  std::string out = fmt::format("<{}", name);
  for (const auto& [key, value] : attributes) {
    if (!value.empty()) {
      out += fmt::format(" {}=\"{}\"", key, value);
    }
  }
  return out;
}

/// "1.0,2.0 3.0,4.0"
std::string points(const std::vector<Pixel>& corners) {
  std::string out;
  for (const Pixel& corner : corners) {
    out += fmt::format("{}{:.1f},{:.1f}", out.empty() ? "" : " ", corner.x, corner.y);
  }
  return out;
}

}  // namespace

std::string opening(const Root& root) {
  return start_of("svg", {{"xmlns", "http://www.w3.org/2000/svg"},
                          {"viewBox", root.view_box},
                          {"width", root.width},
                          {"height", root.height},
                          {"role", "img"},
                          {"aria-labelledby", root.labelled ? "ridge-title ridge-description" : ""},
                          {"class", std::string(root.css)},
                          {"font-family", root.font}}) +
         ">\n";
}

std::string title_of_root(std::string_view text) {
  return element("title", {{"id", "ridge-title"}}, escape_markup(text));
}

std::string description_of_root(std::string_view text) {
  return element("desc", {{"id", "ridge-description"}}, escape_markup(text));
}

std::string title(std::string_view text) {
  return element("title", {}, escape_markup(text));
}

std::string style(std::string_view sheet) {
  return element("style", {}, sheet);
}

std::string ground(std::string_view css) {
  return element("rect", {{"width", "100%"}, {"height", "100%"}, {"class", std::string(css)}});
}

std::string element(std::string_view name, Attributes attributes) {
  return start_of(name, attributes) + "/>";
}

std::string element(std::string_view name, Attributes attributes, std::string_view content) {
  return fmt::format("{}>{}</{}>", start_of(name, attributes), content, name);
}

std::string tenths(double value) {
  return fmt::format("{:.1f}", value);
}

std::string line(Pixel from, Pixel to, std::string_view css) {
  return element("line", {{"x1", tenths(from.x)},
                          {"y1", tenths(from.y)},
                          {"x2", tenths(to.x)},
                          {"y2", tenths(to.y)},
                          {"class", std::string(css)}});
}

std::string circle(Pixel centre, std::string radius, std::string_view css) {
  return element("circle", {{"cx", tenths(centre.x)},
                            {"cy", tenths(centre.y)},
                            {"r", std::move(radius)},
                            {"class", std::string(css)}});
}

std::string polyline(const std::vector<Pixel>& corners, std::string_view css) {
  return element("polyline", {{"points", points(corners)}, {"class", std::string(css)}});
}

std::string polygon(const std::vector<Pixel>& corners, std::string_view css,
                    std::string fill_opacity) {
  return element("polygon", {{"points", points(corners)},
                             {"fill-opacity", std::move(fill_opacity)},
                             {"class", std::string(css)}});
}

std::string rectangle(Pixel corner, double width, double height, std::string_view css) {
  return element("rect", {{"x", tenths(corner.x)},
                          {"y", tenths(corner.y)},
                          {"width", tenths(width)},
                          {"height", tenths(height)},
                          {"class", std::string(css)}});
}

std::string text(Pixel at, const Lettering& style, std::string_view words) {
  return element("text",
                 {{"x", tenths(at.x)},
                  {"y", tenths(at.y)},
                  {"font-size", fmt::format("{}", style.size)},
                  {"text-anchor", std::string(style.anchor)},
                  {"class", std::string(style.css)},
                  {"transform", style.transform}},
                 escape_markup(words));
}

}  // namespace ridge::render::svg
