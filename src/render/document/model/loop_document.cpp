#include "render/document/model/loop_document.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "render/chart/text.hpp"
#include "render/document/model/loop_sections.hpp"
#include "render/document/model/sweep_chart.hpp"
#include "render/document/model/sweep_svg.hpp"
#include "render/document/projection/prediction_cells.hpp"
#include "render/format/html/static_page.hpp"
#include "render/format/markdown/markdown_table.hpp"
#include "render/format/markdown/markdown_text.hpp"
#include "render/format/text/paint.hpp"
#include "render/format/text/text_table.hpp"

namespace ridge::render {
namespace {

std::string table_text(const PageTable& table, const TextStyle& style) {
  std::vector<TextColumn> columns;
  const std::size_t count = table.heading.size();
  for (std::size_t i = 0; i < count; ++i) {
    TextColumn column;
    column.title = table.heading[i];
    column.left = i < table.words;
    column.importance = i == 0 ? 0 : static_cast<int>(count - i);
    for (const auto& row : table.rows) {
      column.cells.push_back(style.unicode ? row.at(i) : clean(row.at(i), false));
    }
    columns.push_back(std::move(column));
  }
  const std::size_t room = usable_columns(style) - 2;
  const std::string title = shorten_end(clean(table.title, style.unicode), room, style.unicode);
  return "\n  " + paint(title, kBold, style) + "\n" +
         render_table(std::move(columns), usable_columns(style), style);
}

std::string text_of(const LoopSection& section, const TextStyle& style) {
  std::string out;
  for (const LoopPart& part : section.parts) {
    std::string text;
    for (const std::string& line : part.code) {
      text +=
          shorten_end("    " + clean(line, style.unicode), usable_columns(style), style.unicode) +
          "\n";
    }
    for (const std::string& sentence : part.sentences) {
      text += wrapped("  ", clean(sentence, style.unicode), style);
    }
    if (part.sweep) {
      text += sweep_chart(*part.sweep, style);
    }
    for (const PageTable& table : part.tables) {
      text += table_text(table, style);
    }
    out += text.empty() || text.starts_with("\n") ? text : "\n" + text;
  }
  const std::string title =
      shorten_end(clean(section.title, style.unicode), usable_columns(style), style.unicode);
  return paint(title, kBold, style) + "\n" + out;
}

std::vector<std::string> escaped(const std::vector<std::string>& cells) {
  std::vector<std::string> out;
  for (const std::string& cell : cells) {
    out.push_back(markdown_text(cell));
  }
  return out;
}

std::string markdown_of(const PageTable& table) {
  MarkdownTable shown(escaped(table.heading), table.words);
  for (const auto& row : table.rows) {
    shown.add(escaped(row));
  }
  return "**" + markdown_text(table.title) + "**\n\n" + shown.text();
}

std::string markdown_of(const LoopSection& section) {
  std::string out = "## " + markdown_text(section.title) + "\n\n";
  for (const LoopPart& part : section.parts) {
    for (const std::string& line : part.code) {
      out += "    " + line + "\n";
    }
    out += part.code.empty() ? "" : "\n";
    for (const std::string& sentence : part.sentences) {
      out += "- " + markdown_text(sentence) + "\n";
    }
    out += part.sentences.empty() ? "" : "\n";
    for (const PageTable& table : part.tables) {
      out += markdown_of(table);
    }
  }
  return out;
}

std::string page_of(const LoopSection& section) {
  std::string out = "<h2>" + escape_markup(section.title) + "</h2>\n";
  for (const LoopPart& part : section.parts) {
    std::string code;
    for (const std::string& line : part.code) {
      code += escape_markup(line) + "\n";
    }
    out += code.empty() ? "" : "<pre>" + code + "</pre>\n";
    std::string items;
    for (const std::string& sentence : part.sentences) {
      items += "<li>" + escape_markup(sentence) + "</li>\n";
    }
    out += items.empty() ? "" : "<ul>\n" + items + "</ul>\n";
    if (part.sweep) {
      out += page_figure(sweep_element(*part.sweep));
    }
    for (const PageTable& table : part.tables) {
      out += page_table(table);
    }
  }
  return out;
}

}  // namespace

std::string loop_models_text(const LoopModels& models, const TextStyle& style) {
  std::string out;
  for (const LoopSection& section : loop_sections(models)) {
    out += (out.empty() ? "" : "\n") + text_of(section, style);
  }
  return out.empty() ? "no loops\n" : out;
}

std::string loop_models_markdown(const LoopModels& models) {
  std::string out = "# " + markdown_text(loop_models_title(models)) + "\n\n";
  for (const LoopSection& section : loop_sections(models)) {
    out += markdown_of(section);
  }
  return trimmed(out);
}

std::string loop_models_page(const LoopModels& models) {
  std::string body;
  for (const LoopSection& section : loop_sections(models)) {
    body += page_of(section);
  }
  return static_page(loop_models_title(models), loop_models_lead(models), body);
}

}  // namespace ridge::render
