#include "render/format/csv/csv_row.hpp"

#include "render/chart/text.hpp"

namespace ridge::render {

std::string csv_text(std::string_view text) {
  std::string cell = clean(text);
  // What a spreadsheet would run: it looks at the first character only.
  const std::size_t first = cell.find_first_not_of(' ');
  if (first != std::string::npos &&
      std::string_view("=+-@").find(cell[first]) != std::string::npos) {
    cell.insert(cell.begin(), '\'');
  }
  if (cell.find_first_of(",\"") == std::string::npos && !cell.starts_with(' ') &&
      !cell.ends_with(' ')) {
    return cell;
  }
  std::string quoted = "\"";
  for (const char c : cell) {
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  }
  return quoted + "\"";
}

}  // namespace ridge::render
