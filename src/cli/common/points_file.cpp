#include "cli/common/points_file.hpp"

#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/core.h>

#include "cli/common/point_figures.hpp"
#include "serialize/json_document.hpp"

namespace ridge::cli {
namespace {

using predict::ComputationFigures;
using serialize::Document;
using serialize::JsonKind;

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) {
    return {};
  }
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// Cells of one line; nullopt when a quote is not closed.
std::optional<std::vector<std::string>> cells_of(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool twice = quoted && line[i] == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (twice) {
      cells.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) {
    cell = trimmed(cell);
  }
  return quoted ? std::nullopt : std::optional(std::move(cells));
}

tl::unexpected<Error> at(const std::string& place, Error error) {
  error.code = ErrorCode::bad_input;
  error.message = fmt::format("{}: {}", place, error.message);
  return tl::make_unexpected(std::move(error));
}

Result<PointOfFile> point_of(const std::vector<PointFigure>& given, const std::string& place) {
  PointOfFile point{{}, place};
  point.figures.name = place;
  for (const PointFigure& figure : given) {
    auto set = is_measured_on(figure.key) ? set_measured_on(point.measured_on, figure)
                                          : set_figure(point.figures, figure);
    if (!set) {
      return at(place, std::move(set.error()));
    }
  }
  return point;
}

// ---- CSV ----

Result<PointOfFile> point_of_line(const std::vector<std::string>& names, std::string_view line,
                                  const std::string& place) {
  const auto cells = cells_of(line);
  if (!cells || cells->size() != names.size()) {
    return at(place, {ErrorCode::bad_input,
                      cells ? fmt::format("{} cells, but {} columns", cells->size(), names.size())
                            : std::string("a quote is not closed"),
                      "each line has a cell for each column; empty ones are not known"});
  }
  std::vector<PointFigure> given;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!(*cells)[i].empty()) {
      given.push_back({names[i], (*cells)[i]});
    }
  }
  return point_of(given, place);
}

Result<std::vector<PointOfFile>> points_of_csv(std::string_view text,
                                               const std::string& file_name) {
  std::vector<PointOfFile> points;
  std::vector<std::string> names;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const auto end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.starts_with('#')) {
      continue;
    }
    const std::string place = fmt::format("{}:{}", file_name, number);
    if (names.empty()) {
      names = cells_of(line).value_or(std::vector<std::string>{std::string(line)});
      continue;
    }
    auto point = point_of_line(names, line, place);
    if (!point) {
      return tl::make_unexpected(std::move(point.error()));
    }
    points.push_back(std::move(*point));
  }
  return points;
}

// ---- JSON ----

std::string text_of(const Document& document, Document::Index index) {
  const Document::Node& node = document.node(index);
  switch (node.kind) {
    case JsonKind::string:
      return std::string(document.text(index));
    case JsonKind::natural:
      return fmt::format("{}", node.natural);
    case JsonKind::negative_integer:
      return fmt::format("{}", node.negative_integer);
    case JsonKind::real:
      return fmt::format("{:.17g}", node.real);
    case JsonKind::null:
    case JsonKind::boolean:
    case JsonKind::object:
    case JsonKind::array:
      break;
  }
  return std::string(describe(node.kind));
}

void collect(const Document& document, Document::Index object, const std::string& prefix,
             std::vector<PointFigure>& given) {
  for (auto member = document.node(object).first_child; member != Document::kNone;
       member = document.node(member).next_sibling) {
    const std::string key = prefix + std::string(document.key(member));
    if (document.node(member).kind == JsonKind::object && prefix.empty()) {
      collect(document, member, key + ".", given);
    } else {
      given.push_back({key, text_of(document, member)});
    }
  }
}

Result<std::vector<PointOfFile>> points_of_json(std::string_view text,
                                                const std::string& file_name) {
  const auto document = serialize::parse_document(text, file_name);
  if (!document) {
    return tl::make_unexpected(document.error());
  }
  const auto list = document->node(0).kind == JsonKind::array ? Document::Index{0}
                                                              : document->member(0, "points");
  if (list == Document::kNone || document->node(list).kind != JsonKind::array) {
    return fail(ErrorCode::bad_input, fmt::format("{}: no list of points", file_name),
                R"(such as [{"name": "triad", "work": 2e9, "bytes": 24e9, "time": 0.15}])");
  }
  std::vector<PointOfFile> points;
  for (auto item = document->node(list).first_child; item != Document::kNone;
       item = document->node(item).next_sibling) {
    const std::string place = fmt::format("{}:{}", file_name, document->node(item).line);
    if (document->node(item).kind != JsonKind::object) {
      return fail(ErrorCode::bad_input, fmt::format("{}: a point is an object", place));
    }
    std::vector<PointFigure> given;
    collect(*document, item, "", given);
    auto point = point_of(given, place);
    if (!point) {
      return tl::make_unexpected(std::move(point.error()));
    }
    points.push_back(std::move(*point));
  }
  return points;
}

}  // namespace

Result<std::vector<PointOfFile>> parse_points(std::string_view text, const std::string& file_name) {
  const auto first = text.find_first_not_of(" \t\r\n");
  const bool json = first != std::string_view::npos && (text[first] == '[' || text[first] == '{');
  auto points = json ? points_of_json(text, file_name) : points_of_csv(text, file_name);
  if (points && points->empty()) {
    return fail(ErrorCode::bad_input, fmt::format("{}: no point", file_name),
                "CSV with a line of names (name,work,bytes,time) or JSON; `ridge predict --help` "
                "lists the names");
  }
  return points;
}

Result<std::vector<PointOfFile>> read_points(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad()) {
    return fail(ErrorCode::bad_input, fmt::format("cannot read the points in {}", file),
                "name a CSV or JSON file");
  }
  return parse_points(text, file);
}

}  // namespace ridge::cli
