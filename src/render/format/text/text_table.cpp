#include "render/format/text/text_table.hpp"

#include <algorithm>
#include <limits>

#include "render/chart/text.hpp"

namespace ridge::render {
namespace {

std::size_t natural_width(const TextColumn& column) {
  std::size_t width = display_width(column.title);
  for (const std::string& cell : column.cells) {
    width = std::max(width, display_width(cell));
  }
  return width;
}

std::size_t least_width(const TextColumn& column) {
  const std::size_t natural = natural_width(column);
  return column.fit ? std::min(natural, column.least_width) : natural;
}

std::size_t least_total(const std::vector<TextColumn>& columns) {
  std::size_t total = 0;
  for (const TextColumn& column : columns) {
    total += column.gap + least_width(column);
  }
  return total;
}

void drop_until_it_fits(std::vector<TextColumn>& columns, std::size_t width, LeftOut& left_out) {
  left_out.width = least_total(columns);
  if (least_total(columns) > width) {
    for (TextColumn& column : columns) {
      if (!column.brief.empty()) {
        column.cells = column.brief;
      }
    }
    left_out.width = least_total(columns);
  }
  while (least_total(columns) > width) {
    auto least = columns.end();
    for (auto it = columns.begin(); it != columns.end(); ++it) {
      if (it->importance > 0 && (least == columns.end() || it->importance < least->importance)) {
        least = it;
      }
    }
    if (least == columns.end()) {
      return;
    }
    left_out.columns.push_back(least->called.empty() ? least->title : least->called);
    columns.erase(least);
  }
}

void fit_flexible(std::vector<TextColumn>& columns, std::size_t width) {
  std::size_t others = 0;
  TextColumn* flexible = nullptr;
  for (TextColumn& column : columns) {
    others += column.gap + (column.fit ? 0 : natural_width(column));
    flexible = column.fit ? &column : flexible;
  }
  if (flexible == nullptr) {
    return;
  }
  const std::size_t room = width > others ? width - others : 0;
  const std::size_t target = std::max(room, flexible->least_width);
  for (std::size_t row = 0; row < flexible->cells.size(); ++row) {
    flexible->cells[row] = flexible->fit(row, target);
  }
}

std::string line_of(const std::vector<TextColumn>& columns, const std::vector<std::size_t>& widths,
                    const std::function<std::pair<std::string, Paint>(const TextColumn&)>& cell,
                    const TextStyle& style) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto [text, how] = cell(columns[i]);
    const std::string blanks(widths[i] - std::min(widths[i], display_width(text)), ' ');
    line.append(columns[i].gap, ' ');
    if (columns[i].left) {
      line += paint(text, how, style);
      line += i + 1 < columns.size() ? blanks : "";
    } else {
      line += blanks + paint(text, how, style);
    }
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string heading_that_fits(std::string_view alternatives, std::size_t width) {
  while (true) {
    const auto bar = alternatives.find('|');
    const std::string_view first = alternatives.substr(0, bar);
    if (display_width(first) <= width) {
      return std::string(first);
    }
    if (bar == std::string_view::npos) {
      return {};
    }
    alternatives.remove_prefix(bar + 1);
  }
}

/// Headings of groups, each centred over its columns; empty when no column has one.
std::string group_line(const std::vector<TextColumn>& columns,
                       const std::vector<std::size_t>& widths, const TextStyle& style) {
  std::string line;
  bool any = false;
  for (std::size_t i = 0; i < columns.size();) {
    std::size_t last = i;
    std::size_t span = widths[i];
    while (!columns[i].group.empty() && last + 1 < columns.size() &&
           columns[last + 1].group == columns[i].group) {
      ++last;
      span += columns[last].gap + widths[last];
    }
    const std::string heading = heading_that_fits(columns[i].group, span);
    any = any || !heading.empty();
    const std::size_t blanks = span - display_width(heading);
    line.append(columns[i].gap + blanks - blanks / 2, ' ');
    line += paint(heading, kDim, style);
    line.append(blanks / 2, ' ');
    i = last + 1;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return any ? line + "\n" : std::string();
}

}  // namespace

std::string render_table(std::vector<TextColumn> columns, std::size_t width, const TextStyle& style,
                         LeftOut* left_out) {
  LeftOut unseen;
  drop_until_it_fits(columns, width, left_out != nullptr ? *left_out : unseen);
  fit_flexible(columns, width);
  std::vector<std::size_t> widths;
  std::size_t rows = 0;
  for (const TextColumn& column : columns) {
    widths.push_back(natural_width(column));
    rows = std::max(rows, column.cells.size());
  }
  std::string out = group_line(columns, widths, style);
  out += line_of(
      columns, widths, [](const TextColumn& column) { return std::pair{column.title, kBold}; },
      style);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto cell = [row](const TextColumn& column) {
      const std::string text = row < column.cells.size() ? column.cells[row] : std::string();
      return std::pair{text, row < column.paints.size() ? column.paints[row] : kPlain};
    };
    out += line_of(columns, widths, cell, style);
  }
  return out;
}

}  // namespace ridge::render
