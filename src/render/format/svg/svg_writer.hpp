// SVG documents and their elements, for everything that draws. What stands where, and of which
// class it is, are the caller's. Elements end without a line feed.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridge::render::svg {

inline constexpr std::string_view kDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
inline constexpr std::string_view kEnd = "</svg>\n";

struct Pixel {
  double x = 0.0;
  double y = 0.0;
};

/// The opening of a document, or of one in another; ends with a line feed.
struct Root {
  std::string view_box;  ///< "0 0 1120 798.4"
  std::string width;     ///< "1120", "8.5cm"
  std::string height;
  std::string_view css;
  bool labelled = false;  ///< by title_of_root() and description_of_root() inside
  std::string font;       ///< families; empty: the sheet's
};
[[nodiscard]] std::string opening(const Root& root);

/// Of a labelled root. The text is escaped here.
[[nodiscard]] std::string title_of_root(std::string_view text);
[[nodiscard]] std::string description_of_root(std::string_view text);
/// A tooltip, or the title of a root that is not labelled. The text is escaped here.
[[nodiscard]] std::string title(std::string_view text);
[[nodiscard]] std::string style(std::string_view sheet);
/// All of the document, behind everything.
[[nodiscard]] std::string ground(std::string_view css);

/// An attribute without a value is left out. Values are not escaped here.
using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;
/// Without content: closed at once.
[[nodiscard]] std::string element(std::string_view name, Attributes attributes);
[[nodiscard]] std::string element(std::string_view name, Attributes attributes,
                                  std::string_view content);

/// A coordinate or length, to a tenth.
[[nodiscard]] std::string tenths(double value);

[[nodiscard]] std::string line(Pixel from, Pixel to, std::string_view css);
/// The radius as it is to stand there.
[[nodiscard]] std::string circle(Pixel centre, std::string radius, std::string_view css);
[[nodiscard]] std::string polyline(const std::vector<Pixel>& corners, std::string_view css);
[[nodiscard]] std::string polygon(const std::vector<Pixel>& corners, std::string_view css,
                                  std::string fill_opacity = {});
[[nodiscard]] std::string rectangle(Pixel corner, double width, double height,
                                    std::string_view css);

struct Lettering {
  double size = 0.0;
  std::string_view anchor;  ///< "start", "middle", "end"; empty: where it starts
  std::string_view css;
  std::string transform;
};
/// The text is escaped here.
[[nodiscard]] std::string text(Pixel at, const Lettering& style, std::string_view words);

}  // namespace ridge::render::svg
